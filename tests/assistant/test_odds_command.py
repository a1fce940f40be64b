"""``sightline odds``: exact chances from the sample tables, and precise error messages."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import assistant
from assistant.cli import run

GAMES = Path(assistant.__file__).parent / "games"


def ask(capsys: pytest.CaptureFixture[str], game: str, *arguments: str) -> tuple[int, str, str]:
    status = run(["odds", str(GAMES / game / "samples" / f"sample_{game}.toml"), *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.parametrize(
    ("game", "arguments", "measure"),
    [
        (
            "doom2016",
            (
                "--attack",
                "sample rifle",
                "--target",
                "sample imp",
                "--deck",
                "sample event deck",
                "--target-is",
                "cover",
            ),
            "mean_damage",
        ),
        ("doom2004", ("--attack", "pistol", "--target", "sample demon", "--range", "3", "--attack-is", "aimed"), "hit"),
        ("roads", ("--attack", "ratnik", "--target", "ratnik", "--attack-is", "charged"), "mean_hits_of_attacker"),
    ],
)
def test_the_chances_of_every_game_add_up_and_say_that_they_rest_on_samples(
    capsys: pytest.CaptureFixture[str], game: str, arguments: tuple[str, ...], measure: str
) -> None:
    status, out, _ = ask(capsys, game, *arguments)
    document = json.loads(out)
    assert (status, document["format"], document["ruleset"], document["sample"]) == (0, "sightline.odds/1", game, True)
    assert sum(Fraction(row["exact"]) for row in document["outcomes"]) == 1
    assert Fraction(document[measure]["exact"]) > 0
    shares = [row["about"] for row in document["outcomes"]]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(
    ("game", "arguments", "words"),
    [
        ("doom2004", ("--attack", "pistol", "--target", "sample demon"), "--range"),
        ("doom2004", ("--attack", "bazooka", "--target", "sample demon", "--range", "3"), "bazooka"),
        ("doom2016", ("--attack", "sample rifle", "--target", "sample imp", "--deck", "mine"), "mine"),
        ("roads", ("--attack", "ratnik", "--target", "digger", "--target-is", "sleepy"), "sleepy"),
        ("roads", ("--attack", "ratnik", "--target", "digger", "--option", "tie_hits=many"), "tie_hits"),
        ("absent", ("--attack", "a", "--target", "b"), "sample_absent.toml"),
    ],
)
def test_what_is_wrong_is_named_in_one_sentence(
    capsys: pytest.CaptureFixture[str], game: str, arguments: tuple[str, ...], words: str
) -> None:
    status, out, err = ask(capsys, game, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert words in err


@pytest.mark.parametrize(
    ("game", "arguments", "named"),
    [
        (
            "doom2016",
            ("--attack", "sample rifle", "--target", "sample imp", "--range", "3"),
            "--range is only for tables of doom2004",
        ),
        (
            "roads",
            ("--attack", "ratnik", "--target", "digger", "--range", "3"),
            "--range is only for tables of doom2004",
        ),
        (
            "doom2004",
            ("--attack", "pistol", "--target", "sample demon", "--range", "3", "--deck", "x"),
            "--deck is only for",
        ),
    ],
)
def test_a_range_or_deck_that_does_not_count_is_not_passed_over_in_silence(
    capsys: pytest.CaptureFixture[str], game: str, arguments: tuple[str, ...], named: str
) -> None:
    status, out, err = ask(capsys, game, *arguments)
    assert (status, out) == (2, "")
    assert named in err
