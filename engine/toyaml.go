package main

import (
	"encoding/json"
	"strings"
	"sync"
	"text/template"

	"sigs.k8s.io/yaml"
)

// The size of the YAML that is kept, until all is forgotten.
const mostYAML = 4 << 20

// yamls keeps what the template function toYaml has said: by way of JSON it takes long, and is mostly asked for the defaults.
//
// The library has no order for some keys with digits (0123, 0x1f, 12:30) and writes them now in one, now in another. A render
// has to show that, so maps with such keys are not kept.
type yamls struct {
	lock  sync.Mutex
	known map[string]string
	size  int
}

var printedYAML yamls

// toYAML is Helm's function of that name, which is the same in both versions: yaml.Marshal makes JSON, and YAML of that.
func (y *yamls) toYAML(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	key := string(text)
	y.lock.Lock()
	found, known := y.known[key]
	y.lock.Unlock()
	if known {
		return found
	}
	data, err := yaml.JSONToYAML(text)
	if err != nil {
		return ""
	}
	found = strings.TrimSuffix(string(data), "\n")
	if hasDigitsInKeys(key) {
		return found
	}
	y.lock.Lock()
	defer y.lock.Unlock()
	if y.size += len(key) + len(found); y.known == nil || y.size > mostYAML {
		y.known, y.size = map[string]string{}, len(key)+len(found)
	}
	y.known[key] = found
	return found
}

// hasDigitsInKeys tells it of JSON without blanks.
func hasDigitsInKeys(text string) bool {
	for at := 0; at < len(text); at++ {
		if text[at] != '"' {
			continue
		}
		start := at + 1
		for at = start; text[at] != '"'; at++ {
			if text[at] == '\\' {
				at++
			}
		}
		if text[at+1:] != "" && text[at+1] == ':' && strings.ContainsAny(text[start:at], "0123456789") {
			return true
		}
	}
	return false
}

// quicker replaces functions of Helm that take long by ones that say the same.
func quicker(root *template.Template) {
	root.Funcs(template.FuncMap{"toYaml": printedYAML.toYAML})
}
