package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"text/template"
)

// Combinations of subcharts, switched on and off, whose templates are kept.
const mostSets = 8

// source is a template with what it is to be executed with. Its layout is that of `renderable` in Helm's package engine, from
// where maps of it come; both versions have the same.
type source[V ~map[string]any] struct {
	text     string
	values   V
	basePath string
}

// parsed keeps parsed templates of a chart, since parsing takes longer than executing.
//
// What is executed is always a fresh clone with functions of its own, as Helm itself does it for `tpl`.
type parsed[V ~map[string]any] struct {
	lock sync.Mutex
	sets map[string]parsedSet
}

type parsedSet struct {
	texts []string
	root  *template.Template
}

// get returns the parsed templates, ready to execute; nil if they do not parse. prepare gives a template its functions.
func (p *parsed[V]) get(names []string, sources map[string]source[V], prepare func(*template.Template)) *template.Template {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = sources[name].text
	}
	key := strings.Join(names, "\n")
	p.lock.Lock()
	defer p.lock.Unlock()
	set, known := p.sets[key]
	if !known || !slices.Equal(set.texts, texts) {
		set = parsedSet{texts, parse(names, texts, prepare)}
		if len(p.sets) >= mostSets || p.sets == nil {
			p.sets = map[string]parsedSet{}
		}
		p.sets[key] = set
	}
	if set.root == nil {
		return nil
	}
	root, err := set.root.Clone()
	if err != nil {
		return nil
	}
	prepare(root)
	return root
}

func parse(names, texts []string, prepare func(*template.Template)) *template.Template {
	root := template.New("gotpl")
	prepare(root)
	for i, name := range names {
		if _, err := root.New(name).Parse(texts[i]); err != nil {
			return nil
		}
	}
	return root
}

// execute renders as Helm does, in the same order, since a template may change the values that the next one sees.
// A failure comes with the name of the template.
func execute[V ~map[string]any](root *template.Template, names []string, sources map[string]source[V]) (files map[string]string, failed string, err error) {
	files = make(map[string]string, len(names))
	for _, name := range names {
		if strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		values := sources[name].values
		values["Template"] = V{"Name": name, "BasePath": sources[name].basePath}
		var out strings.Builder
		if err := root.ExecuteTemplate(&out, name, values); err != nil {
			return nil, name, err
		}
		files[name] = strings.ReplaceAll(out.String(), "<no value>", "")
	}
	return files, "", nil
}

// recovered makes an error out of a panic in a template, with Helm's words.
func recovered(err *error) {
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("rendering template failed: %v", cause)
	}
}
