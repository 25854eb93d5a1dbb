package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/v2/loader"
)

// What `helm template` does alike in both major versions.

const (
	notesSuffix = "NOTES.txt"
	sourced     = "---\n# Source: %s\n%s\n"
)

// merged merges the values of a request as `--values` does; parse is Helm's own reading of a file.
func merged(r request, parse func([]byte) (map[string]any, error)) (map[string]any, error) {
	values := map[string]any{}
	for _, file := range r.ValuesFiles {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		current, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("failed to parse %s: %w", file, err)
		}
		values = loader.MergeMaps(values, current) // that of Helm 3 is the same, but not exported
	}
	if r.Values == "" {
		return values, nil
	}
	// Helm turns YAML into JSON before it reads it, so JSON may be read at once.
	var given map[string]any
	if err := json.Unmarshal([]byte(r.Values), &given); err != nil {
		if given, err = parse([]byte(r.Values)); err != nil {
			return nil, fmt.Errorf("failed to parse the values given: %w", err)
		}
	}
	return loader.MergeMaps(values, given), nil
}

// holds tells whether one of some charts has a name; the charts of both versions of Helm say theirs.
func holds[C interface{ Name() string }](charts []C, name string) bool {
	return slices.ContainsFunc(charts, func(one C) bool { return one.Name() == name })
}

func copyEach[T any](entries []*T) []*T {
	if entries == nil {
		return nil
	}
	out := make([]*T, len(entries))
	for i, entry := range entries {
		copied := *entry
		out[i] = &copied
	}
	return out
}

// takeNotes removes the notes of a chart and of its subcharts from what was rendered, and returns those of the chart.
func takeNotes(files map[string]string, own string) string {
	notes := files[own]
	for name := range files {
		if strings.HasSuffix(name, notesSuffix) {
			delete(files, name)
		}
	}
	return notes
}

// printed is what Helm writes to standard output: the manifests, then the hooks.
func printed(manifests, hooks []document) string {
	var out strings.Builder
	for _, each := range manifests {
		fmt.Fprintf(&out, sourced, each.path, each.text)
	}
	text := strings.TrimSpace(out.String()) + "\n"
	out.Reset()
	for _, each := range hooks {
		fmt.Fprintf(&out, sourced, each.path, each.text)
	}
	return text + out.String()
}
