package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v2"
)

// The size of the documents whose objects are kept, until all are forgotten.
const mostObjects = 16 << 20

// Bytes of the digest of a document's text.
const digestSize = 16

// object is what a document says, for who asks for more than text.
type object struct {
	// digest is that of the text without empty lines at its end, and one line break.
	digest string
	// json is empty for a document that is left to the asker: see objectOf.
	json []byte
	// plain says that Helm takes it for a manifest of this kind, and for no hook.
	plain bool
	kind  string
}

// objects keeps what documents say, since most are the same in render after render.
type objects struct {
	lock  sync.Mutex
	known map[string]object
	size  int
}

func (o *objects) get(text string) object {
	o.lock.Lock()
	found, known := o.known[text]
	o.lock.Unlock()
	if known {
		return found
	}
	found = objectOf(text)
	o.lock.Lock()
	defer o.lock.Unlock()
	if o.size += len(text) + len(found.json); o.known == nil || o.size > mostObjects {
		o.known, o.size = map[string]object{}, len(text)+len(found.json)
	}
	o.known[text] = found
	return found
}

// objectOf reads a document with the library that Helm and Kubernetes read it with, and writes it as JSON, members in the
// order of the text.
//
// Nothing is said about a document that is wrong, has a key twice, or has something that JSON or another reader of YAML would
// see differently: keys that are no strings, merge keys, tags, further documents. They are rare, and all the more worth a look.
func objectOf(text string) (found object) {
	text = strings.TrimRight(text, "\n") + "\n"
	sum := sha256.Sum256([]byte(text))
	found.digest = hex.EncodeToString(sum[:digestSize])
	if !plain(text) {
		return found
	}
	var content yaml.MapSlice
	if err := yaml.Unmarshal([]byte(text), &content); err != nil || len(content) == 0 {
		return found
	}
	if out, ok := appendMap(make([]byte, 0, len(text)), content); ok {
		found.json = out
		found.kind, found.plain = head(content)
	}
	return found
}

// head is the kind of an object, if Helm finds it in it: see SimpleHead there. It says no where Helm has to look closer, be it
// for a hook or for keys that JSON in Go takes for others.
func head(content yaml.MapSlice) (kind string, plain bool) {
	for _, member := range content {
		switch key, _ := member.Key.(string); {
		case key == "kind":
			if kind, plain = member.Value.(string); !plain {
				return "", false
			}
		case key == "metadata":
			if !isPlainMetadata(member.Value) {
				return "", false
			}
		case key == "apiVersion":
			if _, ok := member.Value.(string); !ok {
				return "", false
			}
		case strings.EqualFold(key, "kind"), strings.EqualFold(key, "metadata"), strings.EqualFold(key, "apiVersion"):
			return "", false
		}
	}
	return kind, plain
}

func isPlainMetadata(value any) bool {
	metadata, ok := value.(yaml.MapSlice)
	if !ok {
		return false
	}
	for _, member := range metadata {
		switch key, _ := member.Key.(string); {
		case key == "name":
			if _, ok := member.Value.(string); !ok {
				return false
			}
		case strings.EqualFold(key, "name"):
			return false
		case strings.EqualFold(key, "annotations"):
			if key != "annotations" || !areNoHooks(member.Value) {
				return false
			}
		}
	}
	return true
}

// areNoHooks says whether annotations are texts and none is about hooks.
func areNoHooks(value any) bool {
	annotations, ok := value.(yaml.MapSlice)
	if !ok {
		return false
	}
	for _, member := range annotations {
		key, _ := member.Key.(string)
		if _, ok := member.Value.(string); !ok || strings.HasPrefix(key, "helm.sh/hook") {
			return false
		}
	}
	return true
}

// plain says that a text has none of what readers differ in; of some that have none it says so wrongly.
func plain(text string) bool {
	if strings.Contains(text, "<<") || strings.Contains(text, "\n...") || strings.Contains(text, "\n---") {
		return false
	}
	if strings.HasPrefix(text, "%") || strings.HasPrefix(text, "---") || strings.HasPrefix(text, "...") {
		return false
	}
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '!')
		if next < 0 {
			return true
		}
		at += next
		if begins := at == 0 || strings.IndexByte(" \t\n[{,", text[at-1]) >= 0; begins && isTag(text[at+1]) {
			return false
		}
	}
}

// isTag says whether the character may follow the exclamation mark of a tag; a text ends with a line break.
func isTag(next byte) bool {
	return next == '!' || next == '<' || next >= 'a' && next <= 'z' || next >= 'A' && next <= 'Z'
}

func appendMap(out []byte, members yaml.MapSlice) ([]byte, bool) {
	keys := make(map[string]struct{}, len(members))
	out = append(out, '{')
	for i, member := range members {
		key, ok := member.Key.(string)
		if _, twice := keys[key]; !ok || twice {
			return nil, false
		}
		keys[key] = struct{}{}
		if i > 0 {
			out = append(out, ',')
		}
		if out, ok = appendText(out, key); !ok {
			return nil, false
		}
		if out, ok = appendValue(append(out, ':'), member.Value); !ok {
			return nil, false
		}
	}
	return append(out, '}'), true
}

func appendValue(out []byte, value any) ([]byte, bool) {
	switch value := value.(type) {
	case nil:
		return append(out, "null"...), true
	case bool:
		return strconv.AppendBool(out, value), true
	case int:
		return strconv.AppendInt(out, int64(value), 10), true
	case int64:
		return strconv.AppendInt(out, value, 10), true
	case string:
		return appendText(out, value)
	case yaml.MapSlice:
		return appendMap(out, value)
	case []any:
		out = append(out, '[')
		for i, item := range value {
			if i > 0 {
				out = append(out, ',')
			}
			var ok bool
			if out, ok = appendValue(out, item); !ok {
				return nil, false
			}
		}
		return append(out, ']'), true
	case uint64:
		return strconv.AppendUint(out, value, 10), true
	case float64:
		return appendFloat(out, value)
	}
	return nil, false
}

// appendFloat writes a number as JSON in Go does, but for large ones: without an exponent they would be taken for exact.
func appendFloat(out []byte, value float64) ([]byte, bool) {
	if math.Abs(value) >= 1<<63 && !math.IsInf(value, 0) {
		return strconv.AppendFloat(out, value, 'e', -1, 64), true
	}
	text, err := json.Marshal(value) // not a number and infinity are no JSON
	return append(out, text...), err == nil
}

func appendText(out []byte, text string) ([]byte, bool) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return appendEscaped(out, text)
		}
	}
	out = append(out, '"')
	out = append(out, text...)
	return append(out, '"'), true
}

func appendEscaped(out []byte, text string) ([]byte, bool) {
	if !utf8.ValidString(text) {
		return nil, false
	}
	quoted, err := json.Marshal(text)
	return append(out, quoted...), err == nil
}
