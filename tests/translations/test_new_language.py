"""A new language is one file: made here of every message with a mark round it, found by its entry point, spoken by all.

Nothing of ours names the language. What is shown without the mark escaped the catalogue.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from loading import beside

from assistant.documents import board_document, to_json
from assistant.match.games import rule_set
from assistant.match.views import Audience
from assistant.table.board import Board, Figure
from assistant.translations import catalogue
from assistant.translations.collecting import HERE, messages_of_sources, names_in, read_catalogue
from assistant.translations.messages import counted, said
from assistant.translations.speech import speech
from calibration.lens_board import LensBoard
from calibration.paper import PAPERS
from calibration.sheets import lens_board_sheet, marker_sheets

MATCH_TESTS = Path(__file__).parents[1] / "match" / "conftest.py"

PAGE = """
import json, time
from assistant.translations.catalogue import languages
from web.app import create_app
from web.people.keeping import AttemptLog
from web.people.devices import DeviceList
from web.serving.events import EventHub
from web.serving.roles import Role
from web.parts import new_parts

devices = DeviceList(Role.PLAYER, AttemptLog(), time.time)
client = create_app(new_parts(None, EventHub(boot="test", max_streams=4), devices)).test_client()
polish = {"Accept-Language": "pl"}
print(json.dumps({
    "languages": dict(languages()),
    "page": client.get("/", headers=polish).text,
    "set": client.post("/api/v1/language", json={"language": "pl"}, headers={"X-Sightline": "1"}).status_code,
    "not set": client.post("/api/v1/language", json={"language": "de"}, headers={"X-Sightline": "1"}).status_code,
    "page as set": client.get("/").text,
    "refusal": client.get("/api/v1/shots/none", headers=polish).get_json(),
}))
"""


def marked(text: str) -> str:
    return f"‹{text}›"


def unmarked(text: str) -> bool:
    """Return whether words stand outside of marks; ids of figures are not our words."""
    rest = re.sub(r"‹[^‹›]*›", "", text)
    while rest != (rest := re.sub(r"‹[^‹›]*›", "", rest)):
        pass
    return re.search(r"[^\W\d_]{2}", rest) is not None


def made_up_catalogue() -> Catalog:
    """Return every message of the sources and every name, with three plural forms as Polish has them."""
    made = Catalog(locale="pl")
    for message in messages_of_sources():
        if isinstance(message.id, tuple):
            one, many = message.id
            made.add(message.id, (marked(one), marked(many), marked(f"{many} ({{n}})")), context=message.context)
        elif message.id:
            made.add(message.id, marked(message.id), context=message.context)
    for name in names_in(read_catalogue(HERE / "ru.po")):
        made.add(name.id, marked(name.id), context=name.context)
    return made


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH with an installed package of one catalogue."""
    home = tmp_path_factory.mktemp("site")
    (home / "polish").mkdir()
    (home / "polish" / "__init__.py").write_text("", encoding="utf-8")
    with (home / "polish" / "pl.po").open("wb") as file:
        write_po(file, made_up_catalogue(), width=0)
    told = home / "polish-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: polish\nVersion: 1.0\n", encoding="utf-8")
    (told / "entry_points.txt").write_text("[sightline.translations]\npolish = polish\n", encoding="utf-8")
    return home


@pytest.fixture
def installed(package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(package))
    catalogue.forget()
    speech.cache_clear()
    yield
    monkeypatch.undo()
    catalogue.forget()
    speech.cache_clear()


@pytest.fixture(scope="module")
def build() -> ModuleType:
    return beside(str(MATCH_TESTS), "match_builders")


@pytest.fixture(scope="module")
def players() -> ModuleType:
    return beside(str(MATCH_TESTS), "match_players")


def run(package: Path, *command: str) -> str:
    python_path = os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": python_path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def sightline(package: Path, *arguments: str) -> str:
    return run(package, "-c", "import sys; from assistant.cli import run; sys.exit(run(sys.argv[1:]))", *arguments)


@pytest.mark.usefixtures("installed")
def test_the_language_is_listed_by_its_own_name_beside_ours() -> None:
    assert dict(catalogue.languages()) == {"en": "English", "es": "Español", "pl": "Polski", "ru": "Русский"}


@pytest.mark.usefixtures("installed")
def test_its_own_rule_of_plural_forms_holds() -> None:
    told = {n: counted("{n} space", "{n} spaces", n).worded("pl") for n in (1, 2, 5)}
    assert told == {1: "‹1 space›", 2: "‹2 spaces›", 5: "‹5 spaces (5)›"}


def test_rulings_and_options_speak_it_on_the_command_line(package: Path, tmp_path: Path) -> None:
    figures = (Figure("a", "marine", "marines", ((0, 0),)), Figure("d", "imp", "demons", ((3, 0),)))
    board = tmp_path / "board.json"
    board.write_text(to_json(board_document(Board(frozenset((x, 0) for x in range(5)), figures=figures))))

    for game in ("doom2016", "doom2004"):
        told = json.loads(sightline(package, "rule", game, str(board), "--from", "a", "--to", "d", "--lang", "pl"))
        assert [reason["text"] for reason in told["reasons"] if unmarked(reason["text"])] == []
    for game in ("doom2016", "doom2004", "roads"):
        listed = sightline(package, "rules", game, "--lang", "pl")
        for option in rule_set(game).option_table:
            assert all(marked(text) in listed for text in (option.question, option.source, *option.choice_titles))
        for rule in rule_set(game).rules.values():
            assert f"{rule.id}\n    {marked(rule.summary)}\n" in listed


def test_the_page_lists_it_and_speaks_it(package: Path) -> None:
    told = json.loads(run(package, "-c", PAGE))

    assert told["languages"]["pl"] == "Polski"
    assert (told["set"], told["not set"]) == (200, 400)
    assert told["refusal"]["error"]["message"].startswith("‹")
    for page in (told["page"], told["page as set"]):
        assert '<html lang="pl"' in page
        body = re.sub(
            r"<(script|style|head)\b.*?</\1>|<option [^>]*lang=.*?</option>|<h1.*?</h1>", " ", page, flags=re.S
        )
        texts = [text.strip() for text in re.findall(r">([^<>]+)<", body)]
        labels = re.findall(r'(?:aria-label|alt|title)="([^"]+)"', body)
        stray = [text for text in [*texts, *labels] if unmarked(text)]
        assert set(stray) == {"DOOM: The Board Game (2016)", "DOOM: The Boardgame (2004)"}


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("mission", ["TUTORIAL", "KNEE_DEEP", "BRIDGE"])
def test_a_match_speaks_it(build: ModuleType, players: ModuleType, mission: str) -> None:
    match = build.begun(build.mission(getattr(build, mission)))
    for whims in range(12):
        players.take_a_step(match, Random(whims))
    shown = match.session.view(Audience(language="pl"))

    texts = [entry["title"] for entry in shown["history"]] + [prompt["text"] for prompt in shown["prompts"]]
    assert len(texts) > 5
    assert [text for text in texts if unmarked(text)] == []


@pytest.mark.usefixtures("installed")
def test_printed_sheets_speak_it() -> None:
    said_on_paper = []

    def say(text: str, **values: object) -> str:
        said_on_paper.append(speech("pl").text(text, **values))
        return said_on_paper[-1]

    marker_sheets(PAPERS["a4"], 1.0, range(4), 60.0, say=say)
    lens_board_sheet(PAPERS["a4"], 1.0, LensBoard(), say=say)
    assert len(said_on_paper) > 3
    assert [text for text in said_on_paper if unmarked(text)] == []


@pytest.mark.usefixtures("installed")
def test_english_replaces_a_missing_translation() -> None:
    assert said("a sentence of another program").worded("pl") == "a sentence of another program"
