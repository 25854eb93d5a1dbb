package main

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

// The size of the files whose documents are kept, until all are forgotten.
const mostText = 32 << 20

// document is a manifest or a hook.
type document struct{ path, kind, text string }

// documents are what Helm makes of rendered files.
type documents struct{ hooks, manifests []document }

// sorter splits rendered files into documents and puts these in the order of installation, as Helm's SortManifests does.
//
// Helm parses each document to find its kind, which takes a fifth of a render, though most files are the same in render after
// render. So each file is looked at by itself, once. One of plain objects alone is taken apart by what is known of these; any
// other goes through SortManifests. What is done here besides is to put files together.
type sorter struct {
	noise   *counter
	objects *objects
	rank    map[string]int
	pieces  func(file string) map[string]string
	split   func(files map[string]string) (documents, error)

	lock  sync.Mutex
	known map[[2]string]documents
	size  int
}

func newSorter(
	noise *counter, objects *objects, order []string,
	pieces func(string) map[string]string, split func(map[string]string) (documents, error),
) *sorter {
	rank := make(map[string]int, len(order))
	for place, kind := range order {
		rank[kind] = place
	}
	return &sorter{noise: noise, objects: objects, rank: rank, pieces: pieces, split: split}
}

func (s *sorter) sort(files map[string]string) (documents, error) {
	var all documents
	for _, name := range slices.Sorted(maps.Keys(files)) {
		found, err := s.file(name, files[name])
		if err != nil {
			return documents{}, err
		}
		all.hooks = append(all.hooks, found.hooks...)
		all.manifests = append(all.manifests, found.manifests...)
	}
	slices.SortStableFunc(all.hooks, s.compare)
	slices.SortStableFunc(all.manifests, s.compare)
	return all, nil
}

// file is what one file holds, unless that needs a warning: each render has to repeat that.
func (s *sorter) file(name, text string) (documents, error) {
	key := [2]string{name, text}
	s.lock.Lock()
	found, known := s.known[key]
	s.lock.Unlock()
	if known {
		return found, nil
	}
	if found, ok := s.plain(name, text); ok {
		s.keep(key, found)
		return found, nil
	}
	before := s.noise.count()
	found, err := s.split(map[string]string{name: text})
	if err == nil && s.noise.count() == before {
		s.keep(key, found)
	}
	return found, err
}

// plain takes a file apart whose documents are all plain objects: see object.
func (s *sorter) plain(name, text string) (found documents, ok bool) {
	if strings.HasPrefix(path.Base(name), "_") {
		return found, false
	}
	pieces := s.pieces(text)
	for i := range len(pieces) {
		piece, there := pieces[fmt.Sprintf("manifest-%d", i)]
		if !there {
			return found, false
		}
		object := s.objects.get(piece)
		if !object.plain {
			return found, false
		}
		found.manifests = append(found.manifests, document{name, object.kind, piece})
	}
	return found, true
}

func (s *sorter) keep(key [2]string, found documents) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.size += len(key[1]); s.known == nil || s.size > mostText {
		s.known, s.size = map[[2]string]documents{}, len(key[1])
	}
	s.known[key] = found
}

// compare is Helm's order: kinds as they have to be installed, then unknown ones by name.
func (s *sorter) compare(one, other document) int {
	first, known := s.rank[one.kind]
	second, otherKnown := s.rank[other.kind]
	switch {
	case known && otherKnown:
		return first - second
	case known:
		return -1
	case otherKnown:
		return 1
	}
	return strings.Compare(one.kind, other.kind)
}
