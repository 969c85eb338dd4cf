# The words a newcomer needs.  Each sets up whatever it needs: git, make and python3 are enough.
.DEFAULT_GOAL := help
.PHONY: help setup demo up web types shots test faults mutants check bench studio clean

PYTHON ?= python3
export UV_PYTHON_DOWNLOADS := never
# Compiled once: every worker of the tests, and every program that they start, reads the same files.
export PYTHONDONTWRITEBYTECODE :=
UV := $(shell command -v uv 2>/dev/null || echo .tools/bin/uv)
RUN := .venv/bin
CHOSEN = $(if $(ONLY),$(wildcard $(ONLY) tests/$(ONLY) tests/packs/$(ONLY)))
WEB := web/.built
WEB_SOURCES := $(shell find web/src web/public src/whence/packs/*/ui -type f 2>/dev/null) \
  web/index.html web/vite.config.ts web/tsconfig.json web/package-lock.json
NEEDS_NODE := const [major, minor] = process.versions.node.split('.').map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)
BUILT_OR_TOLD := $(MAKE) --silent $(WEB) || echo "The web application was not built (see above); whence serves the API without it."
# A notice that npm has a newer version would stand between a newcomer and the link.
export npm_config_update_notifier := false
CLIENTS := tests/clients/node_modules/.package-lock.json

help:  ## list these words
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

setup: .venv/.dev $(CLIENTS) $(WEB)  ## install everything, for working on whence

demo: .venv/.run  ## research a sample item with photographs, live in the terminal
	@$(BUILT_OR_TOLD)
	$(RUN)/whence demo

up: .venv/.run  ## serve the application and the API, and work on research, until stopped
	@$(BUILT_OR_TOLD)
	$(RUN)/whence serve

test: .venv/.dev $(CLIENTS) $(WEB)  ## run the tests; ONLY=leave runs those of one pack or folder
	@test -z "$(ONLY)" -o -n "$(CHOSEN)" || { echo "There are no tests named '$(ONLY)'."; exit 2; }
	@test -n "$(ONLY)" -o ! -f $(WEB) || npm test --prefix web --silent
	$(RUN)/pytest -n auto --dist worksteal $(CHOSEN)

web: $(WEB)  ## build the web application, which needs Node; changes nothing if it is up to date

types: .venv/.dev web/node_modules/.package-lock.json  ## write the API's types for the web application
	$(RUN)/python scripts/write_api_types.py

shots: .venv/.dev $(WEB)  ## take pictures of the pages (ONLY=item: of some) into shots/, light and dark, wide and narrow
	SHOTS=shots SHOTS_ONLY=$(ONLY) $(RUN)/pytest -n 0 tests/browser/test_shots.py

faults: .venv/.dev  ## break everything that can break, for minutes, and measure the recovery
	$(RUN)/pytest -n auto -m long
	$(RUN)/pytest -n auto -m hypothesis --hypothesis-profile thorough
	$(RUN)/pytest tests/faults -n 2
	$(RUN)/python -m bench recovery

mutants: .venv/.dev  ## take protections out one by one, and see a test fail for each
	PYTHONPATH=tests $(RUN)/python -m mutants.run $(ONLY)

check: .venv/.dev $(WEB)  ## format, lint, types, import contracts, line cap
	$(RUN)/ruff format --check .
	$(RUN)/ruff check .
	$(RUN)/basedpyright --warnings
	$(RUN)/lint-imports
	$(RUN)/python scripts/check_line_cap.py
	@test ! -d web/node_modules || { npm run types --prefix web --silent && npm run lint --prefix web --silent; }

bench: .venv/.dev  ## measure, each figure beside a baseline of the same minute
	$(RUN)/python -m bench $(ONLY)

studio: .tools/studio/.ready  ## try and look at the graphs in the LangGraph development server
	LANGGRAPH_CLI_NO_ANALYTICS=1 .tools/studio/bin/langgraph dev --no-browser

clean:  ## remove what was installed here (not your data)
	rm -rf .venv .tools .pytest_cache .ruff_cache tests/clients/node_modules web/node_modules web/.built src/whence/web_dist

.venv/.run: uv.lock pyproject.toml | $(UV)
	$(UV) sync --frozen --inexact --no-dev --compile-bytecode --quiet
	$(RUN)/python -m compileall -q src
	@touch $@

.venv/.dev: uv.lock pyproject.toml | $(UV)
	$(UV) sync --frozen --compile-bytecode --quiet
	$(RUN)/python -m compileall -q src
	@touch $@ .venv/.run

.tools/studio/.ready: uv.lock pyproject.toml | $(UV)
	UV_PROJECT_ENVIRONMENT=.tools/studio $(UV) sync --frozen --no-dev --group studio --quiet
	@touch $@

$(CLIENTS): tests/clients/package.json tests/clients/package-lock.json
	@command -v npm >/dev/null \
	  || { echo "npm is missing: the tests that use JavaScript clients will be skipped."; exit 0; }; \
	  npm ci --prefix tests/clients --ignore-scripts --no-audit --no-fund --loglevel=error && touch $@

$(WEB): $(WEB_SOURCES)
	@echo "Building the web application …"; command -v npm >/dev/null && node -e "$(NEEDS_NODE)" \
	  || { echo "The web application needs Node 20.19 or newer to be built; without it, whence serves the API."; exit 0; }; \
	  $(MAKE) --no-print-directory web/node_modules/.package-lock.json \
	  && npm run build --prefix web --silent -- --logLevel warn && touch $@

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	npm ci --prefix web --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

.tools/bin/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "whence needs Python 3.11 or newer; set PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -m venv .tools 2>/dev/null \
	  || { echo "Python's venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }
	.tools/bin/pip install --quiet --disable-pip-version-check uv
