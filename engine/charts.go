package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Charts that are kept; a mutation test walks through hundreds.
const mostCharts = 8

// charts keeps loaded charts until their files change.
type charts[C any] struct {
	noise *counter
	lock  sync.Mutex
	known map[string]kept[C]
	order []string
}

type kept[C any] struct {
	print [sha256.Size]byte
	chart C
}

// get returns the chart in a folder, from memory if the folder is as it was.
//
// A chart that refuses to load is not kept. Nor is one with symbolic links, whose files may be anywhere, nor one that is
// loaded with a warning, since each render has to repeat that.
func (c *charts[C]) get(folder string, load func(string) (C, error)) (C, error) {
	print, plain := fingerprint(folder)
	c.lock.Lock()
	defer c.lock.Unlock()
	if found, ok := c.known[folder]; ok && plain && found.print == print {
		return found.chart, nil
	}
	before := c.noise.count()
	loaded, err := load(folder)
	if err == nil && plain && c.noise.count() == before {
		c.keep(folder, kept[C]{print, loaded})
	}
	return loaded, err
}

func (c *charts[C]) keep(folder string, loaded kept[C]) {
	if _, ok := c.known[folder]; !ok {
		c.order = append(c.order, folder)
	}
	if len(c.order) > mostCharts {
		delete(c.known, c.order[0])
		c.order = c.order[1:]
	}
	if c.known == nil {
		c.known = map[string]kept[C]{}
	}
	c.known[folder] = loaded
}

// fingerprint is the name, size and time of each file; plain says that these tell of every change.
func fingerprint(folder string) (print [sha256.Size]byte, plain bool) {
	hash := sha256.New()
	plain = true
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Type()&fs.ModeSymlink != 0 {
			plain = false
			return fs.SkipAll
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(hash, "%s\x00%d\x00%d\x00", path, info.Size(), info.ModTime().UnixNano())
		return nil
	})
	return [sha256.Size]byte(hash.Sum(nil)), plain && err == nil
}

// locate is where Helm looks for a chart that is given as a path.
func locate(chart string) (string, error) {
	if _, err := os.Stat(chart); err != nil {
		return "", fmt.Errorf("path %q not found", chart)
	}
	return filepath.Abs(chart)
}
