# Everything is set up by the targets themselves; only Python 3.11+ and make are needed. What has to
# do with Kafka also needs Java 17, Maven and kcat: on Debian, as root, they are installed too.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check

# Hundreds of tests start a process of ours: they find it compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test ready interop lint format bench long mutants faults tamper kafka kafka-cluster kafka-stop lock clean

help: ## What can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.venv/run: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

.venv/dev: requirements-dev.lock .venv/run
	$(PIP) --require-hashes -r requirements-dev.lock
	touch $@

.kafka/tools: tests/broker/pom.xml tests/broker/tools.py .venv/dev
	$(BIN)/python -m tests.broker tools
	touch $@

demo: .venv/run ## Simulate, replay and check a gaming day, settle a dispute and verify its pack
	$(BIN)/roundproof demo

.venv/browser: tests/browser/tools.py .venv/dev
	$(BIN)/python -m tests.browser
	touch $@

# Types are checked on one core while the other fetches tools and compiles the tests.
test: ## Set up everything, then lint, types, imports and all tests
	$(MAKE) -j 4 lint .kafka/tools .venv/browser ready
	$(BIN)/pytest -n 4 --dist loadfile --no-loadscope-reorder

# Once for all workers: each of them would compile every test. The tests say what is wrong with them.
ready: .venv/dev
	$(BIN)/pytest --collect-only -qq >/dev/null || true

lint: .venv/dev ## Formatting, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/dev ## Put the code into the house's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/dev ## Run every bench, one claim a file
	for bench in bench/*.py; do $(BIN)/python $$bench || exit 1; done

long: .venv/dev ## The long runs: days of 20,000 rounds, real recordings, poker hands, best play of Hold'em
	ROUNDPROOF_ROUNDS=$${ROUNDPROOF_ROUNDS:-1120} ROUNDPROOF_SEEDS=$${ROUNDPROOF_SEEDS:-6,11} \
		$(BIN)/pytest tests/test_end_to_end.py
	ROUNDPROOF_FILMED=$${ROUNDPROOF_FILMED:-REC-01,REC-05,REC-06,REC-07} \
		$(BIN)/pytest tests/audit/commands/test_vision_film.py
	ROUNDPROOF_DEALS=$${ROUNDPROOF_DEALS:-1000000} $(BIN)/pytest tests/replay/games/shared/test_poker_hands_by_library.py
	ROUNDPROOF_BULK=$${ROUNDPROOF_BULK:-2000} $(BIN)/pytest tests/replay/bulk
	ROUNDPROOF_REAL=all $(BIN)/pytest tests/audit/checks/test_real_recordings.py
	$(BIN)/python bench/holdem_best_play.py

mutants: .venv/dev ## Mutated honest days of every game; ROUNDPROOF_MUTANTS_A_GAME=70000 for a night
	$(BIN)/python -m tests.mutants run --by-mutation --keep var/mutants.jsonl

interop: .venv/dev ## Go's checksum database and OpenSSL verify what we signed
	$(BIN)/python -m tests.interop

faults: .venv/dev .kafka/tools ## Kill nodes and gateways, cut networks, more often than make test does
	ROUNDPROOF_FAULTS=$${ROUNDPROOF_FAULTS:-10} $(BIN)/pytest -s tests/faults \
		tests/faults/findings_under_kills.py
	ROUNDPROOF_KILLS=$${ROUNDPROOF_KILLS:-50} ROUNDPROOF_MUTANTS=$${ROUNDPROOF_MUTANTS:-100000} \
		$(BIN)/pytest -s tests/ingest/kafka/test_kafka_kill.py tests/ingest/kafka/test_kafka_mutants.py \
		tests/audit/watch/test_kafka_worker.py

tamper: .venv/dev .kafka/tools ## Change logs, topics, packs and derived files at more random places than make test
	ROUNDPROOF_TAMPERS=$${ROUNDPROOF_TAMPERS:-600} ROUNDPROOF_FLIPS=$${ROUNDPROOF_FLIPS:-200} $(BIN)/pytest \
		tests/audit/house/test_tampered_logs.py tests/ingest/seal/test_verification.py tests/test_flipped_files.py
	ROUNDPROOF_FLIPS=$$(($${ROUNDPROOF_FLIPS:-200} * 100)) $(BIN)/pytest tests/audit/evidence/test_verify.py

kafka: .kafka/tools ## Start a Kafka node and print its address
	$(BIN)/python -m tests.broker start

kafka-cluster: .kafka/tools ## Start three Kafka nodes with TLS, users and rights
	$(BIN)/python -m tests.broker cluster

kafka-stop: .venv/dev ## Stop the Kafka nodes; what they hold stays
	$(BIN)/python -m tests.broker stop

lock: .venv/dev ## Renew the locks after a change of dependencies
	$(BIN)/uv pip compile -q --generate-hashes --no-emit-index-url --no-annotate --no-header --universal \
		--python-version 3.11 --extra build --extra oidc --extra video pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --generate-hashes --no-emit-index-url --no-annotate --no-header --universal \
		--python-version 3.11 --extra build --extra dev --extra oidc --extra video pyproject.toml -o requirements-dev.lock
	$(BIN)/uv pip compile -q --generate-hashes --no-emit-index-url --no-annotate --no-header --universal \
		--python-version 3.11 --extra train pyproject.toml -o requirements-train.lock

clean: ## Remove what the targets made
	test ! -x $(BIN)/python || $(BIN)/python -m tests.broker stop
	rm -rf .kafka .venv var dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
