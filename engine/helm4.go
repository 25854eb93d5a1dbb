package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path"
	"strings"

	"helm.sh/helm/v4/pkg/chart"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
	loadv2 "helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
)

// helm4 is Helm 4: what it does, and in which order, is that of pkg/cmd/template.go and pkg/action there.
type helm4 struct {
	charts charts[loaded4]
	sorter *sorter
}

// loaded4 is a chart in memory with its parsed templates.
type loaded4 struct {
	chart     chart.Charter
	templates *parsed[common.Values]
}

func newHelm4(noise *counter, objects *objects) *helm4 {
	return &helm4{charts[loaded4]{noise: noise}, newSorter(noise, objects, releaseutil.InstallOrder, releaseutil.SplitManifests, split4)}
}

func (*helm4) listen(out io.Writer) { listen4(out) }

func (h *helm4) render(r request) (found output, err error) {
	kube, err := common.ParseKubeVersion(r.KubeVersion)
	if err != nil {
		return found, fmt.Errorf("invalid kube version '%s': %w", r.KubeVersion, err)
	}
	folder, err := locate(r.Chart)
	if err != nil {
		return found, err
	}
	values, err := merged(r, parse4)
	if err != nil {
		return found, err
	}
	loaded, err := h.charts.get(folder, load4)
	if err != nil {
		return found, err
	}
	original, ok := loaded.chart.(*v2.Chart)
	if !ok {
		return found, errors.New("invalid chart apiVersion")
	}
	ch := copy4(original)
	if err := installable4(ch); err != nil {
		return found, err
	}
	if err := chartutil.ValidateReleaseName(r.Release); err != nil {
		err = fmt.Errorf("release name %q: %w", r.Release, err)
		slog.Error("release name check failed", slog.Any("error", err))
		return found, fmt.Errorf("release name check failed: %w", err)
	}
	if err := chartutil.ProcessDependencies(ch, values); err != nil {
		slog.Error("chart dependencies processing failed", slog.Any("error", err))
		return found, fmt.Errorf("chart dependencies processing failed: %w", err)
	}
	top, err := toRender4(r, ch, values, kube)
	if err != nil {
		return found, err
	}
	if wanted := ch.Metadata.KubeVersion; wanted != "" && !chartutil.IsCompatibleRange(wanted, kube.String()) {
		return found, unfinished{fmt.Errorf("chart requires kubeVersion: %s which is incompatible with Kubernetes %s", wanted, kube.Version)}
	}
	files, err := render4(ch, top, loaded.templates)
	if err != nil {
		return found, unfinished{err}
	}
	found.notes = takeNotes(files, path.Join(ch.Name(), "templates", notesSuffix))
	sorted, err := h.sorter.sort(files)
	if err != nil {
		return found, unfinished{err}
	}
	if r.IncludeCRDs {
		for _, crd := range ch.CRDObjects() {
			found.manifests = append(found.manifests, document{path: crd.Filename, text: string(crd.File.Data)})
		}
	}
	found.manifests = append(found.manifests, sorted.manifests...)
	found.hooks = sorted.hooks
	return found, nil
}

func load4(folder string) (loaded4, error) {
	ch, err := loader.Load(folder)
	return loaded4{ch, &parsed[common.Values]{}}, err
}

// parse4 reads a values file.
func parse4(text []byte) (map[string]any, error) { return loadv2.LoadValues(bytes.NewReader(text)) }

// copy4 is copy3 for Helm 4.
func copy4(ch *v2.Chart) *v2.Chart {
	out := *ch
	metadata := *ch.Metadata
	metadata.Dependencies = copyEach(ch.Metadata.Dependencies)
	out.Metadata = &metadata
	out.SetDependencies()
	for _, child := range ch.Dependencies() {
		out.AddDependency(copy4(child))
	}
	return &out
}

func installable4(ch *v2.Chart) error {
	if kind := ch.Metadata.Type; kind != "" && kind != "application" {
		return fmt.Errorf("%s charts are not installable", kind)
	}
	if ch.Metadata.Deprecated {
		slog.Warn("this chart is deprecated")
	}
	var missing []string
	for _, wanted := range ch.Metadata.Dependencies {
		if !holds(ch.Dependencies(), wanted.Name) {
			missing = append(missing, wanted.Name)
		}
	}
	if missing != nil {
		return fmt.Errorf("an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' "+
			"to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: %s", strings.Join(missing, ", "))
	}
	return nil
}

// toRender4 is what templates see, once the schemas have nothing against it.
func toRender4(r request, ch *v2.Chart, values map[string]any, kube *common.KubeVersion) (common.Values, error) {
	capabilities := common.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *kube
	capabilities.APIVersions = append(capabilities.APIVersions[:len(capabilities.APIVersions):len(capabilities.APIVersions)], r.APIVersions...)
	capabilities.HelmVersion.Version = r.Build.Version
	capabilities.HelmVersion.GitCommit = r.Build.GitCommit
	capabilities.HelmVersion.GitTreeState = r.Build.GitTreeState
	capabilities.HelmVersion.GoVersion = r.Build.GoVersion
	options := common.ReleaseOptions{
		Name: r.Release, Namespace: r.Namespace, Revision: 1, IsInstall: !r.IsUpgrade, IsUpgrade: r.IsUpgrade,
	}
	top, err := util.ToRenderValuesWithSchemaValidation(ch, values, options, capabilities, true)
	if err != nil || r.SkipSchema {
		return top, err
	}
	own := func(values map[string]any, schema []byte) error {
		return util.ValidateAgainstSingleSchema(values, schema)
	}
	return top, refusal(governed4(ch), top["Values"].(common.Values), own)
}

func governed4(ch *v2.Chart) governed {
	out := governed{name: ch.Name(), schema: ch.Schema}
	for _, child := range ch.Dependencies() {
		out.children = append(out.children, governed4(child))
	}
	return out
}

// split4 is SortManifests with what is printed.
func split4(files map[string]string) (found documents, err error) {
	hooks, manifests, err := releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
	if err != nil {
		return found, err
	}
	for _, hook := range hooks {
		found.hooks = append(found.hooks, document{hook.Path, hook.Kind, hook.Manifest})
	}
	for _, manifest := range manifests {
		found.manifests = append(found.manifests, document{manifest.Name, manifest.Head.Kind, manifest.Content})
	}
	return found, nil
}
