package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	schemaPlace   = "file:///values.schema.json"
	schemaPrefix  = "jsonschema validation failed with '" + schemaPlace + "#'\n"
	schemaRefusal = "values don't meet the specifications of the schema(s) in the following chart(s):\n"
	mostSchemas   = 64
)

// schemas keeps compiled schemas by their text.
//
// Helm compiles a schema for each render, which takes longer than the render. The compiler here is the same with the same
// options, but it reaches no other file and no network: a schema that refers outside itself, or that does not compile, is
// left to Helm's own function.
type schemas struct {
	lock  sync.Mutex
	known map[[sha256.Size]byte]*jsonschema.Schema
}

var compiledSchemas schemas

// get returns the compiled schema; nil if that is left to Helm.
func (s *schemas) get(text []byte) *jsonschema.Schema {
	key := sha256.Sum256(text)
	s.lock.Lock()
	defer s.lock.Unlock()
	if found, ok := s.known[key]; ok {
		return found
	}
	if len(s.known) >= mostSchemas || s.known == nil {
		s.known = map[[sha256.Size]byte]*jsonschema.Schema{}
	}
	s.known[key] = compile(text)
	return s.known[key]
}

func compile(text []byte) (compiled *jsonschema.Schema) {
	defer func() {
		if recover() != nil {
			compiled = nil
		}
	}()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{})
	if err := compiler.AddResource(schemaPlace, schema); err != nil {
		return nil
	}
	compiled, err = compiler.Compile(schemaPlace)
	if err != nil {
		return nil
	}
	return compiled
}

// governed is a chart as far as its schema is concerned.
type governed struct {
	name     string
	schema   []byte
	children []governed
}

// refusal is what the schemas of a chart and of its subcharts say against values; own is Helm's function for one schema.
func refusal(chart governed, values map[string]any, own func(map[string]any, []byte) error) error {
	if said := against(chart, values, own); said != "" {
		return errors.New(schemaRefusal + said)
	}
	return nil
}

func against(chart governed, values map[string]any, own func(map[string]any, []byte) error) string {
	var said strings.Builder
	if chart.schema != nil {
		if err := check(values, chart.schema, own); err != nil {
			fmt.Fprintf(&said, "%s:\n%s", chart.name, err)
		}
	}
	for _, child := range chart.children {
		given, exists := values[child.name]
		if !exists || given == nil {
			continue
		}
		table, ok := given.(map[string]any)
		if !ok {
			fmt.Fprintf(&said, "%s:\ninvalid type for values: expected object (map), got %T\n", child.name, given)
			continue
		}
		said.WriteString(against(child, table, own))
	}
	return said.String()
}

// check is Helm's ValidateAgainstSingleSchema, with the compiled schema if there is one.
func check(values map[string]any, schema []byte, own func(map[string]any, []byte) error) (said error) {
	compiled := compiledSchemas.get(schema)
	if compiled == nil {
		return own(values, schema)
	}
	defer func() {
		if recover() != nil {
			said = own(values, schema)
		}
	}()
	if err := compiled.Validate(values); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), schemaPrefix) + "\n")
	}
	return nil
}
