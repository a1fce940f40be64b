"""The sentences of the desk's page, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.app.tournament.hall import Trouble
from assistant.translations.messages import message
from assistant.translations.speech import Speech

TROUBLES: Mapping[Trouble, str] = {
    "twice": message("Two programs use this table's join code. Give each table its own."),
    "newer": message("This table runs a newer Sightline. Update the desk; the table keeps what it tells."),
    "older": message("This table runs an older Sightline. Update it."),
}

DESK_TEXTS: Mapping[str, str] = {
    "hall_online": message("there"),
    "hall_stale": message("silent for {seconds} s"),
    "hall_offline": message("offline"),
    "hall_stopped": message("switched off"),
    "hall_waiting": message("still to tell: {count}"),
    "call_open": message("open"),
    "call_ruled": message("ruled"),
    "call_appealed": message("appealed"),
    "call_closed": message("closed"),
    "call_at": message("{table}: {state}"),
    "call_question": message("“{question}”"),
    "call_picture": message("What the camera saw at the call"),
    "call_spoken": message("Spoken at the table."),
    "call_sent": message("The table has it."),
    "call_was_ruled": message("Ruling: {ruling}"),
    "call_reason": message("Because: {reason}"),
    "call_grounds": message("Appeal: {grounds}"),
    "call_extension": message("Time back: {minutes} min"),
    "call_penalty": message("Penalty: {penalty}"),
    "round_name": message("Round {round}"),
    "round_start": message("Let the clock run"),
    "round_stop": message("Stop the clock"),
    "round_left": message("{time} left"),
    "round_over": message("{time} over"),
    "round_none": message("No pairings yet. Bring a list in, as CSV or JSON."),
    "round_bye": message("bye"),
    "rounds_taken": message("Taken in, rounds: {count}"),
    "result_of": message("Result at table {table}"),
    "public_delay": message("What stands here is {minutes} min old."),
}
"""Every sentence that the desk's scripts say, by the name under which they ask for it."""


def desk_texts(speech: Speech) -> dict[str, str]:
    """The sentences in the reader's language."""
    return {name: speech.text(text) for name, text in DESK_TEXTS.items()}
