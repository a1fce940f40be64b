"""Tables that users fill in: samples are read and marked as such, and mistakes are refused with their field."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assistant
from assistant.documents.tables import OddsTables
from assistant.errors import BadValue, DocumentError, InputError, MissingField, UnknownFormat, UnknownName
from assistant.games.doom2004.rules.attack import attack_odds
from assistant.games.doom2004.tables import Tables2004
from assistant.games.doom2016.rules.attack import damage_odds
from assistant.games.doom2016.tables import Tables2016
from assistant.games.roads.rules.melee import Condition
from assistant.games.roads.rules.melee_odds import melee_odds
from assistant.games.roads.tables import TablesRoads
from assistant.match.games import tables_from_toml

GAMES = Path(assistant.__file__).parent / "games"
SAMPLES = sorted(GAMES.glob("*/samples/*.toml"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_table_that_is_shipped_says_that_it_is_a_sample(path: Path) -> None:
    assert path.name.startswith("sample_")
    assert tables_from_toml(path.read_bytes(), path.name)[1].is_sample is True


def sample(game: str) -> OddsTables:
    named, tables = tables_from_toml((GAMES / game / "samples" / f"sample_{game}.toml").read_bytes())
    assert named == game
    return tables


def test_numbers_that_are_known_carry_their_source() -> None:
    tables = sample("doom2004")
    assert isinstance(tables, Tables2004)
    assert tables.attacks["pistol"].dice == {"yellow": 1, "green": 1}
    assert "seed 002" in tables.attacks.sources["pistol"]
    assert tables.figures["sample demon"].armour == 3
    assert all(name in tables.figures.sources for name in tables.figures.rows if not name.startswith("sample"))


def test_the_samples_can_be_reckoned_with() -> None:
    first = sample("doom2016")
    assert isinstance(first, Tables2016)
    dealt = damage_odds(
        first.attacks["sample rifle"], first.dice, first.figures["sample imp"], first.decks["sample event deck"]
    )
    second = sample("doom2004")
    assert isinstance(second, Tables2004)
    hurt = attack_odds(second.attacks["mancubus"], second.dice, 4, second.figures["marine of two"])
    third = sample("roads")
    assert isinstance(third, TablesRoads)
    fought = melee_odds(third.fighters["ratnik"], third.fighters["digger"])
    assert [sum(chance for _, chance in odds) for odds in (dealt, hurt, fought)] == [1, 1, 1]


def test_a_name_that_is_not_there_is_answered_with_those_that_are() -> None:
    tables = sample("roads")
    assert isinstance(tables, TablesRoads)
    with pytest.raises(UnknownName, match=r"no fighter “nobody”\. They hold: digger, mortar, ratnik"):
        tables.fighters["nobody"]


HEAD = 'format = "sightline.tables/1"\nsample = false\n'
FIGHTER = '[[fighters]]\nname = "a"\nmobility = 4\ntoughness = 4\ncombat = 4\n'


@pytest.mark.parametrize(
    ("text", "kind", "field"),
    [
        ("a = ", BadValue, None),
        ("game = 'roads'", MissingField, "format"),
        ("format = 'sightline.board/1'", UnknownFormat, "format"),
        (HEAD, BadValue, "game"),
        (HEAD + "game = 'chess'", BadValue, "game"),
        (HEAD + "game = 7", BadValue, "game"),
        ("format = 'sightline.tables/1'\ngame = 'roads'", MissingField, "sample"),
        (HEAD + "game = 'doom2016'", MissingField, "dice"),
        (HEAD + "game = 'doom2016'\ndice = { red = [] }", BadValue, "dice[...]"),
        (HEAD + "game = 'doom2016'\ndice = { red = [4] }", BadValue, "dice[...][0]"),
        (HEAD + "game = 'roads'\n" + FIGHTER + "mobilty = 3", BadValue, "fighters[0]"),
        (HEAD + "game = 'roads'\n" + FIGHTER.replace("combat = 4\n", ""), MissingField, "fighters[0].combat"),
        (HEAD + "game = 'roads'\n" + FIGHTER + "dice = 0", BadValue, "fighters[0].weapons"),
        (HEAD + "game = 'roads'\n" + FIGHTER + FIGHTER, BadValue, "fighters[1].name"),
        (
            HEAD + "game = 'doom2004'\n[dice]\n[[attacks]]\nname = 'x'\ndice = { red = 9 }",
            BadValue,
            "attacks[0].dice",
        ),
        (
            HEAD + "game = 'doom2004'\n[dice]\n[[figures]]\nname = 'x'\narmour = 1\nwounds = 0",
            BadValue,
            "figures[0].armour",
        ),
    ],
)
def test_slips_are_refused_and_named(text: str, kind: type[DocumentError], field: str | None) -> None:
    with pytest.raises(kind) as caught:
        tables_from_toml(text.encode(), "mine.toml")
    assert (caught.value.document, caught.value.field) == ("mine.toml", field)


@given(st.one_of(st.binary(max_size=40), st.text(max_size=40).map(lambda text: (HEAD + text).encode())))
def test_arbitrary_text_gives_nothing_but_an_input_error(data: bytes) -> None:
    with pytest.raises(InputError):
        tables_from_toml(data)


def test_the_readme_shows_a_table_that_can_be_read_and_knows_every_condition() -> None:
    readme = (GAMES.parent / "data" / "README.md").read_text(encoding="utf-8")
    shown = readme.split("```toml\n")[1].split("```")[0]
    _, tables = tables_from_toml(shown.encode())
    assert isinstance(tables, Tables2004)
    assert tables.attacks["pistol"].ammo == 2
    assert all(condition in readme for condition in get_args(Condition))
