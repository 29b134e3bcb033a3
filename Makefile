# One environment for development, apart from the one in which a user installs.
PYTHON ?= python3
VENV ?= .venv-dev
BIN := $(VENV)/bin
# The game that `make bench` measures.
GAME ?= belle-lucie
# How much of every plan `make studies` plays, and where its results go.
SHARE ?= 1%
STUDIES ?= build/studies
# As many processes as there are processors, up to four: many tests start processes and threads of their own.
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal
# Only what is run: the examples are compiled by clippy, and there are no tests in comments.
CARGO_TEST := cargo test --workspace --locked --quiet --lib --tests
SOURCES := pyproject.toml setup.py Cargo.toml Cargo.lock $(shell find engine -name '*.rs' -o -name Cargo.toml)

# The tests start hundreds of processes, and each would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help build check test test-python test-long bench studies train goldens fmt wheel clean

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

test: build  ## all tests: the engine's own, then Python's on both engines (what asks no engine, once)
	$(CARGO_TEST)
	UNSHUFFLE_ENGINE=native $(PYTEST) -m "not long"
	UNSHUFFLE_ENGINE=python $(PYTEST) -m "not long and not engine_free"

test-long: build  ## the same laws at their full counts
	$(CARGO_TEST) -- --include-ignored
	UNSHUFFLE_TESTS=long UNSHUFFLE_ENGINE=native $(PYTEST)
	UNSHUFFLE_TESTS=long UNSHUFFLE_ENGINE=python $(PYTEST) -m "not engine_free"

bench: build  ## measure a solver, with PEER=lblsolve, GAME=aces-up PEER=checkout, GAME=gaps PEER=solvitaire or GAME=agnes QUAGNES=python QUAGNES_CPP=binary beside its peers
	$(BIN)/python benches/$(subst -,_,$(GAME)).py $(if $(PEER),--peer $(PEER)) $(if $(QUAGNES),--python-peer $(QUAGNES)) $(if $(QUAGNES_CPP),--cpp $(QUAGNES_CPP))

studies: build  ## play a part of every plan in studies/ (SHARE=1%, some minutes) and write its reports into build/studies
	mkdir -p $(STUDIES)
	for plan in studies/*.toml; do \
	  name=$$(basename $$plan .toml); \
	  $(BIN)/unshuffle study run $$plan --share '$(SHARE)' --store $(STUDIES)/studies.sqlite && \
	  $(BIN)/unshuffle study report $$name --store $(STUDIES)/studies.sqlite \
	    --markdown $(STUDIES)/$$name.md --html $(STUDIES)/$$name.html || exit; \
	done

train:  ## learn La Belle Lucie and Spider with one suit for some minutes, in an environment of its own: the extra `train` brings torch
	test -x .venv-train/bin/python || $(PYTHON) -m venv .venv-train
	.venv-train/bin/python -m pip install --quiet '.[train]'
	.venv-train/bin/python examples/train.py belle-lucie
	.venv-train/bin/python examples/train.py spider

goldens: build  ## write the golden files again from the Python rules; review the diff
	$(BIN)/python tests/goldens.py

fmt:  ## format all code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	cargo fmt --all

wheel: build  ## build the wheel into dist/
	UNSHUFFLE_BUILD=require $(BIN)/python -m build --wheel

clean:  ## remove what was built
	rm -rf build dist target $(VENV) .venv-train src/unshuffle/_engine*.so
