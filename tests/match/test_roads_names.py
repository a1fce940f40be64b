"""Names in a sentence of a skirmish: a model and its weapon differ in every language."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from assistant.translations.catalogue import languages, speak_id

MISSIONS = sorted(
    (file for file in resources.files("assistant.games.roads.missions").iterdir() if file.name.endswith(".toml")),
    key=lambda file: file.name,
)


@pytest.mark.parametrize("mission", MISSIONS, ids=lambda file: file.name)
@pytest.mark.parametrize("language", languages())
def test_no_weapon_is_called_as_a_model(mission, language) -> None:
    """A shot's way reads “Shoot › Crossbow › Brute › Heavy crossbow”. It once ended with the shooter's name."""
    setup = tomllib.loads(mission.read_text(encoding="utf-8"))["setup"]
    called = {speak_id(fighter["id"], language) for fighter in setup["fighters"]}
    arms = {*setup.get("arms", {}), *(name for one in setup["fighters"] for name in one.get("weapons", ()))}
    assert not called & {speak_id(name, language) for name in arms}
