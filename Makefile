# Everything starts from here, on a machine with Python 3.11 or newer and make.
#   make demo    the whole system on a simulated table
#   make test    every module, one whole match, a smoke run in a real browser; make test-all runs everything
#   make check   lint, types, import contracts
#   make catalogue   sentences of the sources into every language's catalogue
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PIP := $(PIP_INSTALL) --constraint .ci/constraints.txt
DEMO_ARGS ?=
STATES ?= 100000

.PHONY: demo test test-rest test-all pictures looks first-minute stranger check format catalogue lock arm-wheels firmware slow dead-ends reach follow order shapes bench bench-fit bench-vision curves bench-free traced-roads traced-evenings bench-sure bench-live bench-sequences bench-desk tap-desk bench-lens bench-box bench-looks soak outages mutate fuzz fuzz-photos replay-reports bench-maps platforms train clean

demo: $(VENV)/installed
	@.ci/system-packages libgl
	$(BIN)/sightline demo $(DEMO_ARGS)

# Three at once keep two cores busy: many tests wait for a browser, a camera or a broker. Four took as long (925 s for 903).
PYTEST := $(BIN)/python -m pytest -n 3 --dist worksteal --durations 10
SYSTEM := libgl chromium poppler firmware mosquitto postgresql

# Every module, one whole match, a smoke run in the browser.
test: $(VENV)/installed-test
	@.ci/system-packages $(SYSTEM)
	$(PYTEST) -m "not slow and not long" $(PYTEST_ARGS)

# What `make test` leaves out: the browser at length, programs that run long.
test-rest: $(VENV)/installed-test
	@.ci/system-packages $(SYSTEM)
	$(PYTEST) -m "long and not slow" $(PYTEST_ARGS)

test-all: test test-rest

# Renews the pictures of the README from today's page.
pictures: $(VENV)/installed-test
	@.ci/system-packages libgl chromium
	RENEW_PICTURES=1 $(BIN)/python -m pytest -q tests/browser/test_pictures.py

# Every view in three themes and four sizes, beside each other in out/looks.
looks: $(VENV)/installed-test
	@.ci/system-packages libgl chromium
	LOOKS=1 $(BIN)/python -m pytest -q tests/browser/test_looks.py

# The first minute of the demo in every game, as pictures in out/screenshots/first-minute-*.
first-minute: $(VENV)/installed-test
	@.ci/system-packages libgl chromium
	$(BIN)/python -m pytest -q tests/browser/test_first_minute.py

# A stranger's log: from an empty data folder to the first ruling, each step with its seconds, in out/stranger-*.txt.
stranger: $(VENV)/installed-test
	@.ci/system-packages libgl chromium
	$(BIN)/python -m pytest -q -s -n 0 tests/browser/test_stranger.py

check: $(VENV)/installed-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	.ci/page-scripts

format: $(VENV)/installed-test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Brings every catalogue of words up to date with the sources and names what has no words yet.
catalogue: $(VENV)/installed
	$(BIN)/python -m assistant.translations

# Writes .ci/lock.txt anew, after a version in .ci/constraints.txt has changed.
lock:
	PYTHON=$(PYTHON) .ci/lock

# Whether everything that runs is there as a wheel for every platform and Python that the README names; nothing is installed.
platforms: $(VENV)/installed-test
	$(BIN)/python .ci/platforms

# Whether everything that runs is there as a wheel for a Raspberry Pi (64 bits); nothing is installed.
ARM := --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 --platform manylinux_2_28_aarch64
arm-wheels: $(VENV)/bin/python
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
		--requirement .ci/lock.txt --python-version 3.11 --implementation cp $(ARM) --dest out/arm-wheels
	@ls out/arm-wheels | wc -l

firmware:
	$(MAKE) -C hardware/firmware

# Long runs; none of them is part of the tests. On a busy machine one takes longer than a test may.
slow: $(VENV)/installed-test
	$(BIN)/python -m pytest -m slow -o timeout=1800 $(PYTEST_ARGS)

# Random boards and commands: in every state of a match somebody has a legal step, and moves go as far as the rules say.
dead-ends: $(VENV)/installed-test
	STATES=$(STATES) $(BIN)/python -m pytest -m slow tests/match/test_dead_ends.py $(PYTEST_ARGS)
	$(BIN)/python -m pytest -m slow tests/match/test_closers.py tests/match/test_answers.py $(PYTEST_ARGS)

# A hand follows the large button on real pages: every shipped mission, every set of devices (an hour).
follow: $(VENV)/installed-test
	FOLLOW=1 $(BIN)/python -m pytest -q -n 0 tests/browser/test_following.py $(PYTEST_ARGS)

# Draws the pages of the order of play from the engine (assistant/games/GAME/ORDER.md).
order: $(VENV)/installed-test
	RENEW_PAGES=1 $(BIN)/python -m pytest -q -n 0 tests/match/test_order_pages.py

reach: $(VENV)/installed-test
	$(BIN)/python -m pytest -m slow tests/match/test_reach2004.py tests/match/test_roads_reach.py tests/match/test_plain_moves2016.py $(PYTEST_ARGS)

# The tests of the rooms of pictures with the shape of every array checked; one of them hands in wrong shapes on purpose.
shapes: $(VENV)/installed-test
	$(BIN)/python -m pytest -n 2 -m "not slow" --jaxtyping-packages=calibration,vision,shapes.checked \
		--deselect tests/calibration/test_markers.py::test_a_sighting_needs_four_finite_corners \
		tests/calibration tests/vision $(PYTEST_ARGS)

bench-fit: $(VENV)/installed-bench
	$(BIN)/python -m tests.bench.robust_fit

# Every benchmark in one run, on one page of pictures: out/bench/index.html
bench: $(VENV)/installed-bench
	$(BIN)/python -m tests.bench $(BENCH_ARGS)

bench-vision: $(VENV)/installed-bench
	$(BIN)/python -m tests.bench_vision out/bench-vision
	$(BIN)/python -P tests/bench_teaching.py out/bench-vision

# Whether rulings stated as sure are right, on photos with truths: make bench-sure LISTS="…/list.json …/list.json"
# With SURE_ARGS=--together each table is read from all the sides it was photographed from.
bench-sure: $(VENV)/installed-bench
	$(BIN)/python -m tests.bench_sure out/bench-sure $(SURE_ARGS) $(LISTS)

# What is stated against what is true, as out/curves/curves.png: make curves RENDERED="…/list.json" REAL="…/list.json"
# With CURVES_ARGS=--kept it draws the readings of an earlier run.
curves: $(VENV)/installed-bench
	$(BIN)/python -m tests.bench_curves out/curves $(CURVES_ARGS) $(RENDERED:%=--rendered=%) $(REAL:%=--real=%)

# Reads the pictures of reports of wrong readings again and scores them: make replay-reports, or DIR=folder
DIR ?=
replay-reports: $(VENV)/installed
	$(BIN)/sightline report score $(DIR)

# A judge's phone at a desk of five hundred tables: a call found, claimed and ruled on by taps alone.
tap-desk: $(VENV)/installed-test
	@.ci/system-packages mosquitto chromium
	$(BIN)/python -m tests.tap_desk $(TAP_ARGS)

# Many tables on four desks through a real broker: make bench-desk BENCH_ARGS="--seconds 300"
bench-desk: $(VENV)/installed-bench
	@.ci/system-packages mosquitto postgresql
	$(BIN)/python -m tests.bench_desk out/bench-desk $(BENCH_ARGS)

# Tables without a grid: a hundred simulated ones, made where they are not there yet; an ended run goes on where it was.
# Other photos: make bench-free FREE_ARGS="--list …/list.json"
bench-free: $(VENV)/installed-bench
	$(BIN)/python -m tests.bench_free out/bench-free $(FREE_ARGS)

# Such tables by a ray tracer, for bench-free: make traced-roads TRACED_ARGS="--seed 1 --count 3"; needs Blender, OpenEXR and
# the generator of ray-traced scenes, which lies beside this project.
traced-roads: $(VENV)/installed-bench
	$(BIN)/python -m tests.raytraced_roads out/traced-roads $(TRACED_ARGS)

# Ray-traced evenings with things on the board, for bench-sure and score.py: make traced-evenings EVENING=v860 EVENING_ARGS="--odd --bare"
EVENING ?= v860
traced-evenings: $(VENV)/installed-bench
	$(BIN)/python -m tests.raytraced_evenings $(EVENING) out/traced-evenings/$(EVENING) $(EVENING_ARGS)

bench-sequences: $(VENV)/installed-bench
	$(BIN)/python -m tests.bench_sequences

bench-live: $(VENV)/installed-bench
	$(BIN)/python -m tests.bench_live out/bench-live

# How well the lens follows a table that a phone is carried round: error by picture, time, a strip of pictures.
bench-lens: $(VENV)/installed-bench
	@.ci/system-packages libgl chromium
	$(BIN)/python -m tests.bench_lens out/bench-lens

# Boxes of two-sided tiles laid loosely on wood, cloth and a mat, taught from photos of a phone held by hand.
bench-box: $(VENV)/installed-bench
	$(BIN)/python -m tests.bench_box out/bench-box $(BOX_ARGS)

# Kinds by their looks alone: make bench-looks LOOKS_ARGS="--real …/real-figures"
bench-looks: $(VENV)/installed-bench
	$(BIN)/python -m tests.bench_looks out/bench-looks $(LOOKS_ARGS)

# Maps drawn in the manner of real ones: what boards of them see through the maps' own walls.
bench-maps: $(VENV)/installed-test
	$(BIN)/python -m tests.bench_maps $(MAPS_ARGS)

# An eight-hour day at a simulated table in twenty minutes, a fault every second: make soak SOAK_ARGS="--minutes 2"
soak: $(VENV)/installed-test
	@.ci/system-packages libgl chromium
	$(BIN)/python -m tests.soak out/soak $(SOAK_ARGS)

# Kills under load, a full and a read-only disk, a clock that jumps, a folder without locks (Linux, with gcc): make outages OUTAGES_ARGS="--kills 10"
outages: $(VENV)/installed-test
	$(BIN)/python -m tests.outages out/outages $(OUTAGES_ARGS)

# Small changes of the rules that no test notices: make mutate MUTATE_ARGS="--only lines --most 20"
mutate: $(VENV)/installed-test
	$(BIN)/python -m tests.mutate out/mutate --workers 2 $(MUTATE_ARGS)

# Every reader of bytes from outside, with other examples each time: make fuzz FUZZ_EXAMPLES=100000
FUZZ_EXAMPLES ?= 20000
fuzz: $(VENV)/installed-test
	FUZZ_EXAMPLES=$(FUZZ_EXAMPLES) $(BIN)/python -m pytest -n 2 --hypothesis-profile fuzz -o timeout=0 \
		tests/assistant/test_outside_bytes.py tests/assistant/test_documents.py tests/assistant/test_tables.py \
		tests/assistant/test_exchange.py tests/hardware/test_messages.py tests/hardware/test_wled.py \
		tests/hardware/test_own_driver.py tests/hardware/test_adalight.py tests/match/test_machine.py

fuzz-photos: $(VENV)/installed-test
	$(BIN)/sightline simulate out/fuzz-photos --seed 2007 --count 1 --bucket normal
	$(BIN)/python -m tests.fuzz_photos run out/fuzz-photos/normal-2007

train: $(VENV)/installed-train
	$(BIN)/python -m vision.training networks out/training
	cp out/training/doors.onnx out/training/bases.onnx vision/data/
	$(BIN)/python -m vision.training rings out/training
	cp out/training/rings.onnx vision/data/
	$(BIN)/python -m vision.training tables out/training/varied
	$(BIN)/python -m vision.training further out/training --start out/training --only doors --only bases \
		--varied out/training/varied/list.json $(TRACED:%=--traced %)
	$(BIN)/python -m vision.training further out/training --start out/training --only rings --epochs 8 --pace 1.5 \
		--varied out/training/varied/list.json $(TRACED:%=--traced %)
	cp out/training/doors.onnx out/training/bases.onnx out/training/rings.onnx vision/data/
	$(BIN)/python -m vision.training doors out/training --varied out/training/varied/list.json $(TRACED:%=--traced %)
	cp out/training/door_pair.onnx out/training/door_windows.onnx vision/data/
	$(BIN)/python -m vision.training tables out/training/rims --seed 340000 --tables 90 --as-in-a-game
	$(BIN)/python -m vision.training rims out/training --varied out/training/rims/list.json $(TRACED:%=--traced %)
	cp out/training/rims.json vision/data/
	$(BIN)/python -m vision.training tables out/training/games --seed 330000 --tables 180 --as-in-a-game
	$(BIN)/python -m vision.training standing out/training --varied out/training/games/list.json $(UNSEEN:%=--traced %)
	$(BIN)/sightline simulate out/training/photos --seed 2000 --count 80 --bucket mixed
	$(BIN)/python -m vision.training tiles out/training out/training/photos/list.json
	$(BIN)/python -m vision.training ground out/training out/training/photos/list.json
	cp out/training/ground.onnx out/training/doors.json out/training/figures.json out/training/tiles.json vision/data/
	$(BIN)/python -m vision.training edges out/training
	cp out/training/edges.onnx vision/data/
	$(if $(FONTS),$(BIN)/python -m vision.training characters out/training $(FONTS))
	$(if $(FONTS),cp out/training/characters.onnx vision/data/)
	$(if $(LITE0),$(BIN)/python -m vision.training forms out/training --weights $(LITE0))
	$(if $(LITE0),cp out/training/forms.onnx vision/data/)
	$(if $(UNSEEN),$(BIN)/python -m vision.training bodies out/training --shown out/training/games/list.json $(TRACED:%=--shown %) $(UNSEEN:%=--unseen %))
	$(if $(UNSEEN),cp out/training/bodies.onnx out/training/bodies.json vision/data/)
	$(BIN)/python -m vision.training tables out/training/fallen --seed 1920000 --tables 260 --as-in-a-game --cluttered --fallen 1
	$(BIN)/python -m vision.training fallen out/training --shown out/training/fallen/list.json
	cp out/training/fallen.onnx vision/data/
	$(BIN)/python -m vision.training view-weights out/training
	cp out/training/view_weights.json vision/data/

$(VENV)/bin/python:
	@$(PYTHON) .ci/served
	$(PYTHON) -m venv $(VENV)

# A stamp for each set of packages: a second run finds it and fetches nothing.
# What runs is held against its hash; what builds the package is among it, so that nothing else is fetched.
$(VENV)/installed: pyproject.toml .ci/constraints.txt .ci/lock.txt | $(VENV)/bin/python
	@echo "Fetching what Sightline needs into .venv: some 150 MB, one to three minutes, this once."
	$(PIP_INSTALL) --require-hashes --requirement .ci/lock.txt
	$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/installed-test: $(VENV)/installed
	@echo "Fetching what the tests and checks need into .venv: some 200 MB, one to two minutes, this once."
	$(PIP) --editable '.[test,lint,desk]'
	@touch $@

$(VENV)/installed-bench: $(VENV)/installed-test
	$(PIP) --editable '.[bench]'
	@touch $@

$(VENV)/installed-train: $(VENV)/installed-test
	$(PIP) --editable '.[train]'
	@touch $@

clean:
	rm -rf out build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
