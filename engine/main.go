// Command helm-engine answers what `helm template` would print, for many requests and without a process for each.
//
// It is Helm's own code: the libraries of Helm 3 and of Helm 4, at the versions in go.mod. What is written here is only the
// order in which `helm template` calls them, a chart that is kept between requests, and schemas that are compiled once.
//
// It reads one request a line from standard input, as JSON, and answers on standard output with a line of JSON that tells
// three lengths, followed by that many bytes: standard output of Helm, standard error of Helm, and the notes. Who asks for
// objects gets, after these, what the documents say as JSON; the line tells the digest of each document's text and the length.
// Requests are worked on side by side, so an answer carries the id of its request. At the end of its input it ends.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

const (
	// protocol is said with the versions, so that nobody talks to a program that means something else.
	protocol = "2"
	// Renders leave much garbage and little that stays, so collecting it less often costs little memory.
	garbagePercent = 400
	memoryLimit    = 256 << 20
	lastFrames     = 12
)

// request is what to render, in the words of `helm template`.
type request struct {
	ID          int64     `json:"id"`
	Helm        int       `json:"helm"`
	Chart       string    `json:"chart"`
	ValuesFiles []string  `json:"valuesFiles"`
	Values      string    `json:"values"` // JSON, or YAML, that is put on top of the files
	Release     string    `json:"release"`
	Namespace   string    `json:"namespace"`
	KubeVersion string    `json:"kubeVersion"`
	APIVersions []string  `json:"apiVersions"`
	SkipSchema  bool      `json:"skipSchema"`
	IsUpgrade   bool      `json:"isUpgrade"`
	IncludeCRDs bool      `json:"includeCrds"`
	Objects     bool      `json:"objects"`
	Build       buildInfo `json:"build"`
}

// buildInfo is what templates see as .Capabilities.HelmVersion: that of the program which this one stands in for.
type buildInfo struct {
	Version      string `json:"version"`
	GitCommit    string `json:"gitCommit"`
	GitTreeState string `json:"gitTreeState"`
	GoVersion    string `json:"goVersion"`
}

// answer tells how a request ended and how many bytes follow the line.
type answer struct {
	ID     int64 `json:"id"`
	Status int   `json:"status"`
	Stdout int   `json:"stdout"`
	Stderr int   `json:"stderr"`
	Notes  int   `json:"notes"`
	// Objects are digest and length of each; documents that others know better how to read are not among them.
	Objects [][2]any `json:"objects,omitempty"`
	Crash   string   `json:"crash,omitempty"` // a defect of this program or of Helm, and no refusal
}

// rendered is what Helm would print.
type rendered struct {
	stdout  string
	stderr  string
	notes   string
	objects []object
	err     error
}

// output is what templates have become, in the order in which Helm prints it.
type output struct {
	manifests, hooks []document
	notes            string
}

// unfinished is an error after rendering has begun, where Helm adds a hint.
type unfinished struct{ error }

func (e unfinished) Error() string {
	return e.error.Error() + "\n\nUse --debug flag to render out invalid YAML"
}

func (e unfinished) Unwrap() error { return e.error }

// helm is one major version of Helm.
type helm interface {
	// render does what `helm template` does. What it logs goes to the global loggers.
	render(request) (output, error)
	// listen sends what Helm logs to a writer, in the form that it has on Helm's standard error.
	listen(io.Writer)
}

// server works on requests.
//
// Helm logs through global loggers, which do not tell whose warning it is. So requests run side by side while nothing is
// logged, and a request during which something was logged runs again by itself.
type server struct {
	helms   map[int]helm
	alone   sync.RWMutex
	noise   *counter
	objects *objects
}

func newServer() *server {
	noise := &counter{}
	known := &objects{}
	s := &server{helms: map[int]helm{3: newHelm3(noise, known), 4: newHelm4(noise, known)}, noise: noise, objects: known}
	listenForAny(noise)
	return s
}

func (s *server) work(r request) (done rendered) {
	h, known := s.helms[r.Helm]
	if !known {
		panic(fmt.Sprintf("no Helm %d in here", r.Helm))
	}
	before := s.noise.count()
	done = s.sideBySide(h, r)
	if s.noise.count() != before {
		done = s.byItself(h, r)
	}
	if done.err != nil {
		done.stderr += "Error: " + done.err.Error() + "\n"
	}
	return done
}

func (s *server) sideBySide(h helm, r request) (done rendered) {
	s.alone.RLock()
	defer s.alone.RUnlock()
	return s.rendered(h, r)
}

func (s *server) byItself(h helm, r request) (done rendered) {
	s.alone.Lock()
	defer s.alone.Unlock()
	defer listenForAny(s.noise)
	var said strings.Builder
	h.listen(io.MultiWriter(&said, s.noise))
	done = s.rendered(h, r)
	done.stderr = said.String()
	return done
}

func (s *server) rendered(h helm, r request) (done rendered) {
	found, err := h.render(r)
	if err != nil {
		done.err = err
		return done
	}
	done.stdout, done.notes = printed(found.manifests, found.hooks), found.notes
	if r.Objects {
		for _, documents := range [][]document{found.manifests, found.hooks} {
			for _, each := range documents {
				if known := s.objects.get(each.text); known.json != nil {
					done.objects = append(done.objects, known)
				}
			}
		}
	}
	return done
}

// guarded works on a request; a panic becomes a crash of that request alone.
func (s *server) guarded(r request) (done rendered, crash string) {
	defer func() {
		if cause := recover(); cause != nil {
			crash = fmt.Sprintf("panic: %v\n%s", cause, topOfStack())
		}
	}()
	return s.work(r), ""
}

// topOfStack is the stack from the place of the panic on.
func topOfStack() string {
	lines := strings.Split(string(debug.Stack()), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") {
			lines = lines[i+2:]
			break
		}
	}
	return strings.Join(lines[:min(len(lines), 2*lastFrames)], "\n")
}

func (s *server) serve(in io.Reader, out io.Writer) error {
	var writing sync.Mutex
	var working sync.WaitGroup
	defer working.Wait()
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	lines := bufio.NewReaderSize(in, 1<<16)
	buffered := bufio.NewWriterSize(out, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("not a request: %w", err)
		}
		slots <- struct{}{}
		working.Go(func() {
			defer func() { <-slots }()
			done, crash := s.guarded(r)
			writing.Lock()
			defer writing.Unlock()
			if err := write(buffered, r.ID, done, crash); err != nil {
				os.Exit(1) // nobody listens any more
			}
		})
	}
}

func write(out *bufio.Writer, id int64, done rendered, crash string) error {
	a := answer{ID: id, Stdout: len(done.stdout), Stderr: len(done.stderr), Notes: len(done.notes), Crash: crash}
	if done.err != nil {
		a.Status = 1
	}
	for _, each := range done.objects {
		a.Objects = append(a.Objects, [2]any{each.digest, len(each.json)})
	}
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	for _, text := range []string{string(line), "\n", done.stdout, done.stderr, done.notes} {
		if _, err := out.WriteString(text); err != nil {
			return err
		}
	}
	for _, each := range done.objects {
		if _, err := out.Write(each.json); err != nil {
			return err
		}
	}
	return out.Flush()
}

// versions are the modules of Helm that this program is built from.
func versions() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var found []string
	for _, module := range info.Deps {
		if strings.HasPrefix(module.Path, "helm.sh/helm/") {
			found = append(found, module.Version)
		}
	}
	return found
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println(protocol, strings.Join(versions(), " "))
		return
	}
	if len(os.Args) != 1 {
		fmt.Fprintln(os.Stderr, "usage: helm-engine [--version]; requests come from standard input")
		os.Exit(2)
	}
	debug.SetGCPercent(garbagePercent)
	debug.SetMemoryLimit(memoryLimit)
	out := os.Stdout
	os.Stdout = os.Stderr // whatever a library prints must not end up between answers
	if err := newServer().serve(os.Stdin, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
