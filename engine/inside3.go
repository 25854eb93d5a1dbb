package main

import (
	"text/template"
	_ "unsafe" // for linkname

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// Parts of Helm 3's engine that it does not export. With them, only the loop between them is written here, and not what it
// calls. They are those of the version in go.mod: the tests of the engine have to pass before that is raised.

//go:linkname allTemplates3 helm.sh/helm/v3/pkg/engine.allTemplates
func allTemplates3(*chart.Chart, chartutil.Values) map[string]source[chartutil.Values]

//go:linkname sortTemplates3 helm.sh/helm/v3/pkg/engine.sortTemplates
func sortTemplates3(map[string]source[chartutil.Values]) []string

//go:linkname initFunMap3 helm.sh/helm/v3/pkg/engine.Engine.initFunMap
func initFunMap3(engine.Engine, *template.Template)

//go:linkname cleanupExecError3 helm.sh/helm/v3/pkg/engine.cleanupExecError
func cleanupExecError3(name string, err error) error

func prepare3(root *template.Template) {
	root.Option("missingkey=zero")
	initFunMap3(engine.Engine{}, root)
	quicker(root)
}

// render3 is Engine.Render with templates that are kept.
func render3(ch *chart.Chart, top chartutil.Values, kept *parsed[chartutil.Values]) (files map[string]string, err error) {
	defer recovered(&err)
	sources := allTemplates3(ch, top)
	names := sortTemplates3(sources)
	root := kept.get(names, sources, prepare3)
	if root == nil {
		return engine.Engine{}.Render(ch, top)
	}
	files, failed, err := execute(root, names, sources)
	if err != nil {
		return nil, cleanupExecError3(failed, err)
	}
	return files, nil
}
