# One environment for development, apart from the one in which a user installs.
PYTHON ?= python3
VENV ?= .venv-dev
BIN := $(VENV)/bin
# The game that `make bench` measures.
GAME ?= belle-lucie
SOURCES := pyproject.toml setup.py Cargo.toml Cargo.lock $(shell find engine -name '*.rs' -o -name Cargo.toml)

.DEFAULT_GOAL := help
.PHONY: help build check test test-python test-long bench goldens fmt wheel clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(VENV)/.installed: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	UNSHUFFLE_BUILD=require $(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

build: $(VENV)/.installed  ## install the package with its engine and the tools into .venv-dev

check: build  ## formatting, lint, types, stubs: the gate before a commit
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest unshuffle._engine --mypy-config-file pyproject.toml
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --features python --locked -- -D warnings

test: build  ## all tests: the engine's own, then Python's on both engines
	cargo test --workspace --locked --quiet
	UNSHUFFLE_ENGINE=native $(BIN)/python -m pytest -m "not long"
	UNSHUFFLE_ENGINE=python $(BIN)/python -m pytest -m "not long"

test-long: build  ## the same laws at their full counts
	cargo test --workspace --locked --quiet -- --include-ignored
	UNSHUFFLE_TESTS=long UNSHUFFLE_ENGINE=native $(BIN)/python -m pytest
	UNSHUFFLE_TESTS=long UNSHUFFLE_ENGINE=python $(BIN)/python -m pytest

bench: build  ## measure a solver, with PEER=lblsolve, GAME=aces-up PEER=checkout, GAME=gaps PEER=solvitaire or GAME=agnes QUAGNES=python QUAGNES_CPP=binary beside its peers
	$(BIN)/python benches/$(subst -,_,$(GAME)).py $(if $(PEER),--peer $(PEER)) $(if $(QUAGNES),--python-peer $(QUAGNES)) $(if $(QUAGNES_CPP),--cpp $(QUAGNES_CPP))

goldens: build  ## write the golden files again from the Python rules; review the diff
	$(BIN)/python tests/goldens.py

fmt:  ## format all code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	cargo fmt --all

wheel: build  ## build the wheel into dist/
	UNSHUFFLE_BUILD=require $(BIN)/python -m build --wheel

clean:  ## remove what was built
	rm -rf build dist target $(VENV) src/unshuffle/_engine*.so
