package main

import (
	"fmt"
	"io"
	"log"
	"path"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/releaseutil"
	"sigs.k8s.io/yaml"
)

// helm3 is Helm 3: what it does, and in which order, is that of cmd/helm/template.go and pkg/action there.
type helm3 struct {
	charts charts[loaded3]
	sorter *sorter
}

// loaded3 is a chart in memory with its parsed templates.
type loaded3 struct {
	chart     *chart.Chart
	templates *parsed[chartutil.Values]
}

func newHelm3(noise *counter, objects *objects) *helm3 {
	return &helm3{charts[loaded3]{noise: noise}, newSorter(noise, objects, releaseutil.InstallOrder, releaseutil.SplitManifests, split3)}
}

func (*helm3) listen(out io.Writer) { listen3(out) }

func (h *helm3) render(r request) (found output, err error) {
	kube, err := chartutil.ParseKubeVersion(r.KubeVersion)
	if err != nil {
		return found, fmt.Errorf("invalid kube version '%s': %s", r.KubeVersion, err)
	}
	folder, err := locate(r.Chart)
	if err != nil {
		return found, err
	}
	values, err := merged(r, parse3)
	if err != nil {
		return found, err
	}
	loaded, err := h.charts.get(folder, load3)
	if err != nil {
		return found, err
	}
	ch := copy3(loaded.chart)
	if err := installable3(ch); err != nil {
		return found, err
	}
	if err := chartutil.ValidateReleaseName(r.Release); err != nil {
		return found, fmt.Errorf("release name %q: %w", r.Release, err)
	}
	if err := chartutil.ProcessDependenciesWithMerge(ch, values); err != nil {
		return found, err
	}
	top, err := toRender3(r, ch, values, kube)
	if err != nil {
		return found, err
	}
	if wanted := ch.Metadata.KubeVersion; wanted != "" && !chartutil.IsCompatibleRange(wanted, kube.String()) {
		return found, unfinished{fmt.Errorf("chart requires kubeVersion: %s which is incompatible with Kubernetes %s", wanted, kube.Version)}
	}
	files, err := render3(ch, top, loaded.templates)
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

func load3(folder string) (loaded3, error) {
	ch, err := loader.Load(folder)
	return loaded3{ch, &parsed[chartutil.Values]{}}, err
}

// parse3 reads a values file.
func parse3(text []byte) (map[string]any, error) {
	values := map[string]any{}
	err := yaml.Unmarshal(text, &values)
	return values, err
}

// copy3 copies what rendering changes: the dependencies, as the values switch them on and off, and the values, as they are
// imported. Templates, files and the default values themselves are only read, so they are shared.
func copy3(ch *chart.Chart) *chart.Chart {
	out := *ch
	metadata := *ch.Metadata
	metadata.Dependencies = copyEach(ch.Metadata.Dependencies)
	out.Metadata = &metadata
	out.SetDependencies()
	for _, child := range ch.Dependencies() {
		out.AddDependency(copy3(child))
	}
	return &out
}

func installable3(ch *chart.Chart) error {
	if kind := ch.Metadata.Type; kind != "" && kind != "application" {
		return fmt.Errorf("%s charts are not installable", kind)
	}
	if ch.Metadata.Deprecated {
		fmt.Fprintln(log.Writer(), "WARNING: This chart is deprecated")
	}
	var missing []string
	for _, wanted := range ch.Metadata.Dependencies {
		if !holds(ch.Dependencies(), wanted.Name) {
			missing = append(missing, wanted.Name)
		}
	}
	if missing != nil {
		return fmt.Errorf("An error occurred while checking for chart dependencies. You may need to run `helm dependency build` "+ //nolint:staticcheck // Helm's words
			"to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: %s", strings.Join(missing, ", "))
	}
	return nil
}

// toRender3 is what templates see, once the schemas have nothing against it.
func toRender3(r request, ch *chart.Chart, values map[string]any, kube *chartutil.KubeVersion) (chartutil.Values, error) {
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *kube
	capabilities.APIVersions = append(capabilities.APIVersions[:len(capabilities.APIVersions):len(capabilities.APIVersions)], r.APIVersions...)
	capabilities.HelmVersion.Version = r.Build.Version
	capabilities.HelmVersion.GitCommit = r.Build.GitCommit
	capabilities.HelmVersion.GitTreeState = r.Build.GitTreeState
	capabilities.HelmVersion.GoVersion = r.Build.GoVersion
	options := chartutil.ReleaseOptions{
		Name: r.Release, Namespace: r.Namespace, Revision: 1, IsInstall: !r.IsUpgrade, IsUpgrade: r.IsUpgrade,
	}
	top, err := chartutil.ToRenderValuesWithSchemaValidation(ch, values, options, capabilities, true)
	if err != nil || r.SkipSchema {
		return top, err
	}
	own := func(values map[string]any, schema []byte) error {
		return chartutil.ValidateAgainstSingleSchema(values, schema)
	}
	return top, refusal(governed3(ch), top["Values"].(chartutil.Values), own)
}

func governed3(ch *chart.Chart) governed {
	out := governed{name: ch.Name(), schema: ch.Schema}
	for _, child := range ch.Dependencies() {
		out.children = append(out.children, governed3(child))
	}
	return out
}

// split3 is SortManifests with what is printed.
func split3(files map[string]string) (found documents, err error) {
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
