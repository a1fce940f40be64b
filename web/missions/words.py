"""The sentences that the scripts of the mission editor say."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.translations.messages import message
from assistant.translations.speech import Speech

MISSION_TEXTS: Mapping[str, str] = {
    "mission_box": message("The box, as far as the sources tell it"),
    "mission_empty": message("An empty mission"),
    "mission_add": message("Add: {what}"),
    "mission_remove": message("Remove {what}"),
    "mission_entry": message("{what}: {number}"),
    "mission_more": message("More about {what}"),
    "mission_rest": message("the mission"),
    "mission_tap": message("Tap on the board: {what}"),
    "mission_no_place": message("no place yet"),
    "mission_name_of": message("Name"),
    "mission_none": message("none"),
    "mission_sound": message("The mission is sound and can be played."),
    "mission_checking": message("Checking…"),
    "mission_fault": message("Still to do: {what}"),
    "mission_kept": message("Kept as {name}. It stands in the list of a new match now."),
    "mission_off": message("Not on the board yet"),
    "mission_space": message("Space {cell}"),
    "mission_unreadable": message("This file is no mission. Choose one that was saved here or with this program."),
    "mission_holds": message("What the box holds"),
    "mission_gaps": message("What the sources do not tell"),
}
"""Every sentence by the name under which the scripts ask for it."""


def mission_texts(speech: Speech) -> dict[str, str]:
    """The sentences in the reader's language; the scripts fill in the ``{named}`` places."""
    return {name: speech.text(text) for name, text in MISSION_TEXTS.items()}
