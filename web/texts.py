"""The sentences that the page's scripts say, translated here so that one catalogue holds everything."""

from __future__ import annotations

from collections.abc import Mapping

from web.i18n import Speech, message

CLIENT_TEXTS: Mapping[str, str] = {
    "reading": message("Reading the photo… {seconds} s"),
    "reading_short": message("Reading the photo…"),
    "unreachable": message("The table does not answer. Check that this device is on the same network; trying again."),
    "status_live": message("Live"),
    "status_age": message("Picture {seconds} s old"),
    "status_photo": message("Photo"),
    "status_lost": message("Cut off for {seconds} s – trying again"),
    "status_starting": message("Waiting for the first picture"),
    "status_ready": message("Ready"),
    "pick_attacker": message("Tap the figure that shoots."),
    "pick_defender": message("Now tap its target."),
    "no_figures": message(
        "No figure was recognised on the board. Take the photo again with more light, or from higher up."
    ),
    "choose_shooter": message("Shooter?"),
    "choose_target": message("Target?"),
    "figure_name": message("{name}, {kind}, column {column} row {row}"),
    "figure_low": message("not seen clearly"),
    "figure_attacker": message("shooter"),
    "figure_defender": message("target"),
    "low_summary": message("Marked with a question mark: not seen clearly. Check these before you rely on an answer."),
    "blocked_by": message("stopped by {what}"),
    "crosses": message("through {what}"),
    "lines_clear": message("clear"),
    "lines_sight": message("Line of sight"),
    "lines_cover": message("Cover line"),
    "reasons": message("Why"),
    "options": message("House rules used"),
    "share": message("Share"),
    "shared": message("Copied. Paste it where you like."),
    "share_failed": message("This browser lets nothing be copied here. Select the text by hand."),
    "again": message("Start again"),
    "swap": message("Swap shooter and target"),
    "answer_gone": message("A figure of this answer is no longer on the table. Tap two figures."),
    "strip_label": message("LED strip, lights: {count}"),
    "correct_move": message("It stands elsewhere"),
    "correct_remove": message("It is not on the board"),
    "correct_open_door": message("The door is open"),
    "correct_close_door": message("The door is closed"),
    "correct_tap_cell": message("Tap the space where it stands, or use the arrow keys and Enter."),
    "round": message("Round {round}"),
    "health": message("{left} of {full}"),
    "wound": message("One wound to {name}"),
    "heal": message("One wound less for {name}"),
    "stun": message("{name} stunned"),
    "back_to": message("Back to: {title}"),
    "on_to": message("On to: {title}"),
    "is_active": message("acts now"),
    "has_acted": message("has acted"),
    "is_stunned": message("stunned"),
    "cancel": message("Cancel"),
    "a_door": message("A door"),
    "flips": message("What would change it?"),
    "flips_none": message("No single small change would."),
    "map_target": message("Choose a target, too: this is about both figures."),
    "qr_alt": message("QR code to join"),
    "invite_how": message("Scan this or type the code on the device. It works once, for {minutes} minutes."),
    "end_device": message("End"),
    "this_device": message("this one"),
    "role_spectator": message("Spectator"),
    "role_player": message("Player"),
    "role_invader": message("Invader"),
    "role_judge": message("Judge"),
    "role_owner": message("Owner"),
}
"""Every sentence by the name under which the scripts ask for it."""


def client_texts(speech: Speech) -> dict[str, str]:
    """The sentences in the reader's language; the scripts fill in the ``{named}`` places."""
    return {name: speech.text(text) for name, text in CLIENT_TEXTS.items()}
