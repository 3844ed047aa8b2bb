# Everything a clone needs: `make run` opens the app, `make test` runs the tests. Both set up .venv
# by themselves, with nothing there but Python (3.11.5 to 3.13), make and pip. Try `make help`.

SETUP := python3 resources/packaging/setup_env.py
BIN := .venv/bin
TRANSLATIONS := $(patsubst %.ts,%.qm,$(wildcard resources/translations/*.ts))
FAST := not (process or gui or exhaustive or soak)
# What has nothing else is not even read.
FAST_FILES := $(addprefix --ignore=tests/,gui faults soak fuzz wild mutants packaging conformance) tests
# What `test-near` compares with.
BASE := main
# As many processes as tests/conftest.py says; CI says in which order (ORDER="-p randomly").
SHARED := -n auto --dist worksteal $(ORDER)

.NOTPARALLEL:
.PHONY: help run test test-all test-fast test-near test-platforms mutants check lint types layers bench bench-check bench-peers soak wild conformance model peers bundle bundle-test wheel-test docs release \
	setup setup-run texts ledger translations clean

help: ## show this
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 22

run: translations ## open the window (ARGS="servers --json" for a terminal command)
	@$(BIN)/python -m desktop $(ARGS)

test: setup translations ## run the tests (ARGS="tests/config -k save" for some)
	@$(BIN)/python -m pytest $(if $(ARGS),-m "not soak" $(ARGS),-m "not (exhaustive or soak)" $(SHARED))

test-all: setup translations ## run those, too, that try by the hundred what another test tries once, as before a release
	@$(BIN)/python -m pytest -m "not soak" $(SHARED) $(ARGS)

test-fast: setup ## run the tests without processes and windows, in less than a minute (ARGS="tests/tools")
	@$(BIN)/python -m pytest -q $(SHARED) --hypothesis-profile=fast -m "$(FAST)" $(or $(ARGS),$(FAST_FILES))

test-near: setup translations ## run the tests near what this branch changed since it left BASE=main
	@$(BIN)/python -m tests.near $(BASE) -q -m "not (exhaustive or soak)" $(SHARED) $(ARGS)

# CI runs the tests, those of the layers among them, as a step of its own and says TESTED=1.
# macOS, emulated on Linux (tests/platforms/macos), and the jobs and batch files of Windows. A test
# file that cannot be imported there would end the run of all: each is imported without POSIX.
PLATFORM_TESTS := tests/platforms tests/processes tests/servers/transport tests/config/imports tests/base tests/test_bootstrap.py tests/features/attach/test_attach.py::test_another_user_is_no_owner
# Types differ by platform where a file asks the system: those files, the tests left out, take a
# fifth of the time. TYPED= checks all, as .github/workflows/test.yml does.
OF_THE_SYSTEM := os|signal|socket|socketserver|select|selectors|subprocess|resource|fcntl|ctypes|msvcrt|winreg|pwd|grp|termios|tty|pty|mmap|multiprocessing|psutil
SYSTEM_CALLS := sys\.(platform|getwindowsversion)|asyncio\.(unix|windows|Proactor)|(add|remove)_signal_handler|(open|start|create)_unix_|time\.(tzset|clock_|pthread)|stat\.FILE_
TYPED = $(shell grep -rlE '^ *(import|from) ($(OF_THE_SYSTEM))( |,|\.|$$)|$(SYSTEM_CALLS)' --include='*.py' desktop builtin_servers resources/packaging)
test-platforms: setup ## types for Windows and macOS, imports of each test file without POSIX, tests on an emulated macOS
	@$(BIN)/python -m pyright --pythonplatform Windows $(TYPED)
	@$(BIN)/python -m pyright --pythonplatform Darwin $(TYPED)
	@mkdir -p build
	@$(BIN)/python -m pytest -q --collect-only -p tests.platforms.windows_imports tests >build/collected.txt || { tail -40 build/collected.txt; exit 1; }
	@PYTHONPATH=tests/platforms/macos $(BIN)/python -m pytest -q -m "not (exhaustive or soak)" $(SHARED) $(or $(ARGS),$(PLATFORM_TESTS))

check: lint types $(if $(TESTED),,layers test-all) ## lint, format, types, layers, then all tests

lint: setup
	@$(BIN)/python -m ruff check .
	@$(BIN)/python -m ruff format --check .

types: setup
	@$(BIN)/python -m pyright --threads 2

layers: setup
	@$(BIN)/python -m pytest -q tests/test_architecture.py

bench: setup translations ## measure against bare Qt and the bare SDK (ARGS="calls fanout" for some)
	@$(BIN)/python -m tests.benchmarks $(ARGS)

bench-peers: setup ## install the other clients (npm) and measure beside them; MCP_BENCH_PEERS=FOLDER has them already
	@$(if $(MCP_BENCH_PEERS),true,$(SETUP) bench-peers)
	@$(BIN)/python -m tests.benchmarks peers

bench-check: setup ## is anything a tenth slower than at the last release? (ARGS="modules" for some; --record VERSION)
	@$(BIN)/python -m tests.benchmarks.check $(ARGS)

soak: setup ## 500 random rounds of faults: nothing left, nothing grows (ARGS="--rounds 50 --seed 7")
	@$(BIN)/python -m tests.soak $(ARGS)

mutants: setup ## put small faults into the code: do tests notice? (ARGS="ledger --number 50 --seed 7")
	@$(BIN)/python -m tests.mutants $(ARGS)

wild: setup ## list the tools of 100 published servers beside the SDK and the Inspector; takes an hour (ARGS="git time")
	@$(SETUP) wheel
	@$(BIN)/python -m tests.wild $(ARGS)

conformance: setup ## run the official suite against the app and its servers (ARGS="client calculator" for some)
	@$(SETUP) conformance
	@$(BIN)/python -m tests.conformance $(ARGS)

model: setup ## try the agent with a real model of 135 million parameters; Linux, minutes (ARGS="-k denial")
	@$(SETUP) model
	@MCP_DESKTOP_MODEL=$(CURDIR)/build/model $(BIN)/python -m pytest -q tests/features/chat/model $(ARGS)

peers: ## install the published MCP servers that some tests connect to
	@$(SETUP) peers

bundle: translations ## make the app that needs no Python: dist/mcp-desktop, archives beside it
	@$(SETUP) bundle
	@build/env/bin/python -m resources.packaging.make_bundle dist

bundle-test: ## try the bundle where there is no Python: self-test, install, use, remove (Linux, root)
	@$(SETUP) trial
	@python3 resources/packaging/try_bundle.py dist/mcp-desktop

wheel-test: ## build wheel and sdist, compare them, install and try the wheel with each extra
	@$(SETUP) wheel
	@build/uv/bin/python -m resources.packaging.try_wheel build/wheel

docs: ## write the site of the documentation into build/site
	@$(SETUP) docs
	@NO_MKDOCS_2_WARNING=1 build/docs/bin/mkdocs build --strict --quiet -f resources/docs/mkdocs.yml

release: setup ## commit and tag what is here as VERSION=1.2.3, once all checks pass; pushes nothing
	@$(BIN)/python -m resources.packaging.release "$(VERSION)"

setup: ## make .venv with all that developing needs
	@$(SETUP) dev

setup-run:
	@$(SETUP) run

texts: setup ## take up new texts into the translations; says which are to be translated
	@$(BIN)/python -m resources.packaging.texts

ledger: setup ## count the lines of each feature in docs/features.md
	@$(BIN)/python -m resources.packaging.feature_ledger

translations: setup-run $(TRANSLATIONS) ## compile the translations

resources/translations/%.qm: resources/translations/%.ts
	@$(BIN)/pyside6-lrelease -silent $< -qm $@

clean: ## remove all that was made here
	rm -rf build dist .pytest_cache .ruff_cache .import_linter_cache .peers screenshots
	rm -f resources/translations/*.qm
	find desktop builtin_servers resources tests -name __pycache__ -prune -exec rm -rf {} +
	@if [ -L .venv ]; then echo "keeping the linked .venv"; else rm -rf .venv; fi
