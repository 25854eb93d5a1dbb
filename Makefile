# The commands a person and CI need. The work is in chartgen, in tools/ and in the programs that they run; this file only
# says what comes before what. `make` alone lists the targets.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help all chart generate check validate mutants test lint bench bench-scale tools tools-helm3 tools-engine lock clean distclean

# Which Python makes .venv, by default the newest on PATH from 3.11 on.
PYTHON ?=
# How many tests run at once.
JOBS ?= auto
# More arguments for pytest or chartgen validate, such as ARGS="tests/tree -k image".
ARGS ?=

CHART := charts/gpu-operator
PATH := $(CURDIR)/.tools/bin:$(PATH)
export PATH

# Whatever may change the chart; folders too, since a removed file changes only its folder.
SOURCES := pyproject.toml CHANGELOG.md LICENSE $(shell find chartgen schemas values charts -name __pycache__ -prune -o -print 2>/dev/null)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

all: lint check test validate ## Everything that CI runs, and the harness

chart: build/chart.made ## Generate, lint and render the chart, then print the line that installs it
	@helm=helm; if [ -e .tools/bin/helm ]; then helm=.tools/bin/helm; fi; \
	printf '%s\n' "The chart is in $(CHART). To install it:" \
	"  $$helm install --wait gpu-operator -n gpu-operator --create-namespace $(CHART)"

build/chart.made: .venv/.made $(SOURCES) | tools
	@mkdir -p build
	.venv/bin/chartgen generate
	helm lint --quiet $(CHART) && helm template gpu-operator $(CHART) -n gpu-operator > build/gpu-operator.yaml
	@touch $@

generate: .venv/.made ## Write charts/ from schemas/, values/ and chartgen/
	.venv/bin/chartgen generate

check: .venv/.made ## Fail if charts/ is not what generate would write
	.venv/bin/chartgen generate --check

validate: .venv/.made tools tools-helm3 tools-engine ## Judge the chart in every combination of values that can matter; ARGS="--full" for all of them
	.venv/bin/chartgen validate $(ARGS)

mutants: .venv/.made tools tools-helm3 tools-engine ## Break the chart in hundreds of places, one at a time: validate must find it out
	.venv/bin/chartgen mutate --jobs 2 --excused tests/data/harness/survivors.yaml

test: .venv/.made tools tools-helm3 tools-engine ## Run all tests; JOBS=4 at once, ARGS="tests/tree -x" to choose
	.venv/bin/python -m pytest -n $(JOBS) --maxprocesses 8 --dist loadgroup $(ARGS)

lint: .venv/.made ## Style, format, types and layers
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy chartgen tools
	.venv/bin/lint-imports

bench: .venv/.made tools tools-engine ## Time loading, generating and rendering, part by part
	.venv/bin/python -m benchmarks

bench-scale: .venv/.made tools tools-helm3 tools-engine ## Time a case against a process for each, and ever more cases
	.venv/bin/python -m benchmarks.scale

tools: .venv/.made ## Find helm (4) and kubeconform, or install them into .tools/bin
	@.venv/bin/python tools/binaries.py helm kubeconform

tools-helm3: .venv/.made ## The same for helm3, which tests compare with helm
	@.venv/bin/python tools/binaries.py helm3

tools-engine: .venv/.made ## Build helm-engine, which renders many times faster, if there is Go
	@.venv/bin/python tools/helm_engine.py

lock: ## Write requirements.lock anew from pyproject.toml (needs uv on PATH)
	uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --extra validate --group dev \
	    --custom-compile-command "make lock" --output-file requirements.lock pyproject.toml

clean: ## Remove what was built and cached
	rm -rf build dist .cache
	find chartgen tests tools -name __pycache__ -prune -exec rm -rf {} +

distclean: clean ## Remove .venv and .tools too
	rm -rf .venv .tools

.venv/.made: requirements.lock pyproject.toml tools/venv.sh
	@tools/venv.sh "$(PYTHON)"
