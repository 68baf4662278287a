# Two commands do everything from a fresh clone: `make serve` and `make test`.
# All of them work inside .venv, installed from requirements.lock with hashes.
PYTHON ?= python3
# A pip that is there puts uv into .venv; only where there is none .venv gets one first, which takes seconds.
PIP = $(if $(shell $(PYTHON) -m pip --version 2>/dev/null),$(PYTHON) -m pip --python $(BIN)/python,$(BIN)/python -m ensurepip && $(BIN)/python -m pip)
UV_VERSION := 0.13.7
BIN := .venv/bin
SERVER := .venv/.server
INSTALLED := .venv/.installed
# A worker that has nothing left takes from the other, so that no long test is waited for at the end.
PYTEST := $(BIN)/pytest -n auto --dist worksteal

# Hundreds of processes start: each may use what another has compiled, whatever the machine's habit is.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install serve test check lint types imports pages bench fuzz soak docs screenshots conformance golden acts mutation crash evenings faults cluster cluster-faults cluster-browser hsm lock clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

install: $(INSTALLED) ## set up .venv

# A server, the pages and what builds them: no test tools, nothing that only reports need.
$(SERVER): packaging/serve.lock pyproject.toml hatch_build.py
	$(PYTHON) -m venv --without-pip .venv
	$(PIP) install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r packaging/serve.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

$(INSTALLED): $(SERVER) requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	@touch $@

serve: $(SERVER) ## start a play-money house and print the addresses of its pages
	$(BIN)/taisai serve

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python hatch_build.py lint

types: install
	$(BIN)/mypy

imports: install
	$(BIN)/lint-imports --no-cache

pages: install ## build the pages anew, check their types and test their logic
	$(BIN)/python hatch_build.py build
	$(BIN)/python hatch_build.py check
	$(BIN)/python hatch_build.py test

check: lint types imports ## fast: lint, types, import rules, quick tests
	$(PYTEST) -q -m "not slow"

test: lint types imports pages ## every check
	$(PYTEST)

bench: install ## figures, each as a ratio to a baseline of the same run
	$(BIN)/python -m bench

conformance: install ## every clause with its tests, into docs/conformance.md
	$(BIN)/python -m tests.rules.conformance

golden: install ## make the golden files anew; review them as a diff
	$(BIN)/python -m taisai.server.describe docs/reference
	$(BIN)/python -m taisai.server.schema frontend/src
	$(BIN)/python -m tests.golden.regenerate

screenshots: install ## pictures of the pages, into docs/images
	$(BIN)/python -m frontend.screenshots

fuzz: install ## made-up requests and messages, over 100,000 of them with TIMES=90
	FUZZ_TIMES=$(or $(TIMES),90) $(BIN)/pytest -q -n 2 tests/server/test_fuzz_http.py tests/server/test_fuzz_wire.py

soak: install ## hours of load on one house: HOURS=2 make soak
	$(BIN)/python -m bench.soak $(or $(HOURS),1) $(or $(TERMINALS),1000)

docs: install ## the documentation as a site, in site/
	$(BIN)/zensical build --clean

acts: install ## 100,000 random acts on whole houses in memory, with figures
	$(BIN)/python -m tests.acts --acts 100000

mutation: install ## mutants of src/taisai/game that the tests do not notice
	$(BIN)/mutmut run
	$(BIN)/mutmut results

faults: install ## kill, cut off and mis-set a house in its own process, again and again: make faults TIMES=10
	$(BIN)/python -m tests.faults --times $(or $(TIMES),10) --seed $(or $(SEED),1)

cluster: install ## a whole cluster on this machine, to try what fails: taisai cluster kill desk1
	$(BIN)/taisai cluster start --folder $(or $(FOLDER),cluster)

cluster-browser: install pages ## the browser tests against two gateways and two desks behind one address
	BROWSER_CLUSTER=1 $(BIN)/pytest -q -n $(or $(WORKERS),2) tests/browser

cluster-faults: install ## a house on real engines, in processes that fail, by seed: make cluster-faults SEEDS=200
	$(BIN)/python -m tests.cluster --seeds $(or $(SEEDS),20) --first $(or $(FIRST),1) --players $(or $(PLAYERS),40) --desks $(or $(DESKS),2)

crash: install ## every loss of power, every write, 200 terminals: make test tries a part of it
	CRASH_WHOLE=1 $(PYTEST) -q tests/crash tests/server/test_kill.py

evenings: install ## whole evenings in simulated time, by seed: make evenings SEEDS=10000 FIRST=1
	$(BIN)/python -m tests.evenings --seeds $(or $(SEEDS),200) --first $(or $(FIRST),1) --jobs $(or $(JOBS),2)

hsm: install ## the contract of signing keys on SoftHSM, the machine's own or Debian's
	$(BIN)/python -m tests.hsm

lock: install ## resolve requirements.lock anew, and the parts of it that a container and make serve install
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --generate-hashes --universal \
	  --no-emit-index-url --no-emit-find-links --no-header --quiet -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra server --constraint requirements.lock --generate-hashes --universal \
	  --no-emit-index-url --no-emit-find-links --no-header --quiet -o packaging/container/server.lock
	$(BIN)/uv pip compile pyproject.toml --extra server --group build --constraint requirements.lock --generate-hashes \
	  --universal --no-emit-index-url --no-emit-find-links --no-header --quiet -o packaging/serve.lock

clean: ## remove what was built
	rm -rf .venv site dist mutants .mypy_cache .ruff_cache .pytest_cache .hypothesis
