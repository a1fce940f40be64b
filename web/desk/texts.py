"""The sentences that the desk's scripts say."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.translations.messages import message
from web.desk.penalties import LEVELS

DESK_TEXTS: Mapping[str, str] = {
    "hall_online": message("there"),
    "hall_stale": message("silent for {seconds} s"),
    "hall_offline": message("offline"),
    "hall_stopped": message("switched off"),
    "hall_waiting": message("not sent yet: {count}"),
    "call_open": message("open"),
    "call_ruled": message("ruled"),
    "call_appealed": message("appealed"),
    "call_closed": message("closed"),
    "call_at": message("{table}: {state}"),
    "call_question": message("“{question}”"),
    "call_picture": message("What the camera saw at the call"),
    "key_other": message("Another key"),
    "key_lost": message(
        "Has {table} lost its folder? Ask there. Evidence of before stays verified by the key of before."
    ),
    "key_accept": message("Accept the new key"),
    "call_sent": message("The table has it."),
    "call_closed_here": message("Closed at the desk. The table hears it when it answers again."),
    "call_close_all": message("Close all calls of {table}"),
    "calls_closed": message("Closed calls of {table}: {count}. The table hears it when it answers."),
    "round_name": message("Round {round}"),
    "round_start": message("Start the clock"),
    "round_stop": message("Stop the clock"),
    "round_left": message("{time} left"),
    "round_over": message("{time} over"),
    "round_none": message("No pairings yet. Import a list, as CSV or JSON."),
    "round_none_public": message("No pairings are published yet."),
    "round_publish": message("Publish the pairings"),
    "round_withdraw": message("Withdraw the pairings"),
    "round_is_public": message("public"),
    "round_is_hidden": message("not published"),
    "round_bye": message("bye"),
    "rounds_taken": message("Rounds imported: {count}"),
    "result_of": message("Result at table {table}"),
    "public_delay": message("Results are {minutes} min behind."),
    "call_way_of": message("{judge} is on the way"),
    "call_escalated": message("for the head judge"),
    "call_players": message("{players}, round {round}"),
    "call_proposed": message("As long as the call took: {minutes} min"),
    "call_bare": message("{table} calls a judge, without evidence: its disk is full"),
    "call_new": message("{table} calls a judge"),
    "penalty_drop": message("Remove"),
    "penalty_ended": message("taken back"),
    "penalty_none": message("No penalty so far."),
    "penalty_upgrade": message("{player} has {count} warnings. The head judge may give more."),
    "penalty_line": message("{player}: {level}"),
    "tables_shown": message("{count} of {total} shown"),
    "calls_none": message("No call fits."),
    "alert_on": message("Ring at calls: on"),
    "alert_off": message("Ring at calls: off"),
    "list_round_new": message("Round {round} is new: {count} games"),
    "list_comes": message("Round {round}: {count} games come: {tables}"),
    "list_changes": message("Round {round}: {count} games change: {tables}"),
    "list_goes": message("Round {round}: {count} games go: {tables}"),
    "list_same": message("Round {round}: nothing changes."),
    "list_unknown": message("No table of the hall is called: {tables}"),
    **{f"level_{name}": text for name, text in LEVELS.items()},
}
