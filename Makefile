# One environment for development, apart from the one in which a user installs.
PYTHON ?= python3
VENV ?= .venv-dev
BIN := $(VENV)/bin
# How much of the deals `make bench` plays.
BENCH ?= 1
# How much of every plan `make studies` plays, and where its results go.
SHARE ?= 1%
STUDIES ?= build/studies
# As many processes as there are processors, up to four: many tests start processes and threads of their own.
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal
# Only what is run: the examples are compiled by clippy, and there are no tests in comments.
CARGO_TEST := cargo test --workspace --locked --quiet --lib --tests
# What the second run of the tests, without the engine, takes.
BOTH := both_engines and not one_engine
BOTH_FILES = $(shell grep -rl both_engines tests --include='test_*.py')
BUDGET := $(BIN)/python tools/budget.py
# How many times the budget of the tests `make check-budget` allows.
MARGIN ?= 1.2
SOURCES := pyproject.toml setup.py Cargo.toml Cargo.lock $(shell find engine -name '*.rs' -o -name Cargo.toml)

# The tests start hundreds of processes, and each would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help build check check-budget test test-python test-long mutants docs bench studies train goldens fmt audit wheel clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(VENV)/.installed: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	UNSHUFFLE_BUILD=require $(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

build: $(VENV)/.installed  ## install the package with its engine and the tools into .venv-dev

# The modules of the games stand in the rows of a table, where `cargo fmt` does not see them.
check: build  ## formatting, lint, types, stubs, prose: the gate before a commit
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest unshuffle._engine --mypy-config-file pyproject.toml
	cargo fmt --all --check
	rustfmt --edition 2024 --check engine/src/games/*/mod.rs
	cargo clippy --workspace --all-targets --features python --locked -- -D warnings
	$(BIN)/python tools/prose.py

test: build  ## all tests: the engine's own, Python's, and those that ask an engine for an answer once more without it
	$(CARGO_TEST) --no-run
	$(BUDGET) run rust $(CARGO_TEST)
	UNSHUFFLE_ENGINE=native $(BUDGET) run native $(PYTEST) -m "not long"
	UNSHUFFLE_ENGINE=python $(BUDGET) run python $(PYTEST) -m "$(BOTH) and not long" $(BOTH_FILES)

check-budget:  ## compare the processor time that the last `make test` has recorded with its budget (MARGIN=1.2)
	$(BUDGET) check --margin $(MARGIN)

test-long: build  ## the same laws at their full counts
	PROPTEST_CASES=2000 $(CARGO_TEST) -- --include-ignored
	UNSHUFFLE_TESTS=long UNSHUFFLE_ENGINE=native $(PYTEST)
	UNSHUFFLE_TESTS=long UNSHUFFLE_ENGINE=python $(PYTEST) -m "$(BOTH)" $(BOTH_FILES)

mutants: build  ## apply the small faults of tools/mutants.toml one by one, and see that the tests notice each (some minutes)
	$(BIN)/python tools/mutants.py --keep-going

# Every page, link and docstring; without the network, and without what its makers have to tell on the terminal.
docs: build  ## build the site of docs/ into site/; a missing page, link or anchor fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: build  ## all benchmarks beside the peers into docs/benchmarks.md (BENCH=0.05 for a look); QUAGNES_CPP=, FC_SOLVE=, SOLVITAIRE= name binaries, ACES_UP=, LBLSOLVE=, SPIDER= checkouts
	$(BIN)/python benches/everything.py --share $(BENCH) \
	  $(if $(QUAGNES_CPP),--quagnes-cpp $(QUAGNES_CPP)) $(if $(FC_SOLVE),--fc-solve $(FC_SOLVE)) $(if $(SOLVITAIRE),--solvitaire $(SOLVITAIRE)) \
	  $(if $(ACES_UP),--aces-up $(ACES_UP)) $(if $(LBLSOLVE),--lblsolve $(LBLSOLVE)) $(if $(SPIDER),--spider $(SPIDER)) $(if $(PAGE),--page $(PAGE))

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
	rustfmt --edition 2024 engine/src/games/*/mod.rs

# mkdocs 1.2.3 fixed PYSEC-2021-878, but the record names no release with the fix.
audit: build  ## look up known faults of the installed packages and locked crates (needs the network and cargo-audit)
	test -x .venv-audit/bin/pip-audit || { $(PYTHON) -m venv .venv-audit && .venv-audit/bin/python -m pip install --quiet 'pip-audit>=2.7,<3'; }
	mkdir -p build
	$(BIN)/python -m pip freeze --exclude-editable > build/requirements.txt
	.venv-audit/bin/pip-audit --strict --requirement build/requirements.txt --no-deps --disable-pip --ignore-vuln PYSEC-2021-878
	cargo audit
	if cargo deny --version > /dev/null 2>&1; then cargo deny check; else echo 'cargo deny is not installed, and was left out'; fi

# The wheel is built from the unpacked source distribution, so that one that lacks something fails here.
wheel: build  ## build source distribution and wheel into dist/, and try the wheel in a clean environment
	rm -rf dist
	UNSHUFFLE_BUILD=require $(BIN)/python -m build
	$(BIN)/python tools/try_wheel.py dist

clean:  ## remove what was built
	rm -rf build dist site target $(VENV) .venv-train .venv-audit src/unshuffle/_engine*.so
