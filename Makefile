# `make run` and `make test` are all there is to know; both prepare what they need.
#
#   make run PORT=8080        another port
#   make run PYTHON=python3.13    a certain Python, for the first time
#   make test PARTS=sqlite    one part only: rules, sqlite, postgresql

.DEFAULT_GOAL := help
.PHONY: help run test check format lock

PARTS ?=

# Chosen anew for each target: what was missing a moment ago may be there now.
prepare_run = python="$$(sh scripts/find-python.sh)" && "$$python" scripts/environment.py run
prepare_test = python="$$(sh scripts/find-python.sh)" && "$$python" scripts/environment.py test

export PORT HOST WORKERS THREADS DEMO PYTHON

help:
	@echo 'make run    Programm starten (PORT=8000)'
	@echo 'make test   alle Tests auf SQLite und PostgreSQL'
	@echo 'make check  Ruff, mypy, Migrationen, Einstellungen für den Server'
	@echo 'make lock   die Versionen in requirements*.txt neu bestimmen (UPGRADE=1: neueste)'

run:
	@$(prepare_run) && exec .venv/bin/python scripts/serve.py

test:
	@$(prepare_test) && exec .venv/bin/python scripts/run_tests.py $(PARTS)

check:
	@$(prepare_test) && exec .venv/bin/python scripts/check.py

format:
	@$(prepare_test) && .venv/bin/python -m ruff check --fix . && .venv/bin/python -m ruff format .

lock:
	@$(prepare_test) && UPGRADE="$(UPGRADE)" sh scripts/lock.sh
