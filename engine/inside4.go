package main

import (
	"context"
	"text/template"
	_ "unsafe" // for linkname

	"helm.sh/helm/v4/pkg/chart"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/engine"
)

// Parts of Helm 4's engine that it does not export: see inside3.go.

//go:linkname allTemplates4 helm.sh/helm/v4/pkg/engine.allTemplates
func allTemplates4(chart.Charter, common.Values) map[string]source[common.Values]

//go:linkname sortTemplates4 helm.sh/helm/v4/pkg/engine.sortTemplates
func sortTemplates4(map[string]source[common.Values]) []string

//go:linkname initFunMap4 helm.sh/helm/v4/pkg/engine.Engine.initFunMap
func initFunMap4(engine.Engine, context.Context, *template.Template)

//go:linkname reformatExecErrorMsg4 helm.sh/helm/v4/pkg/engine.reformatExecErrorMsg
func reformatExecErrorMsg4(name string, err error) error

func prepare4(root *template.Template) {
	root.Option("missingkey=zero")
	initFunMap4(engine.Engine{}, context.Background(), root)
	quicker(root)
}

// render4 is Engine.RenderWithContext with templates that are kept.
func render4(ch chart.Charter, top common.Values, kept *parsed[common.Values]) (files map[string]string, err error) {
	defer recovered(&err)
	sources := allTemplates4(ch, top)
	names := sortTemplates4(sources)
	root := kept.get(names, sources, prepare4)
	if root == nil {
		return engine.Engine{}.RenderWithContext(context.Background(), ch, top)
	}
	files, failed, err := execute(root, names, sources)
	if err != nil {
		return nil, reformatExecErrorMsg4(failed, err)
	}
	return files, nil
}
