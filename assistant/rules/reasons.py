"""Reasons as data, worded in the reader's language.

A reason is the id of a rule, one of that rule's phrases, and its arguments. Each game holds its rules with English
phrases. This module turns them into sentences with the words of the catalogues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec.structs import replace as with_fields

from assistant.errors import UnknownName
from assistant.rules.ruling import Blocker, Reason, Ruling
from assistant.translations.catalogue import ENGLISH, is_spoken, languages, translate
from assistant.translations.messages import Said, message, said, said_in
from assistant.translations.numbers import format_number, has_decimal_comma


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that reasons refer to.

    Args:
        id: rule set and name, as in ``toy/range``.
        source: the document and the page or heading of the rule, headings in the reader's language.
        summary: the rule in one sentence.
        phrases: the sentences for its results, by name; ``{name}`` stands for an argument.

    All three are messages: their English words are their ids in the catalogues.
    """

    id: str
    source: str
    summary: str
    phrases: Mapping[str, str] = field(default_factory=dict)


def index_rules(rules: Iterable[Rule]) -> dict[str, Rule]:
    """Return the rules by their ids."""
    return {rule.id: rule for rule in rules}


def reason(rule: Rule, phrase: str, **arguments: object) -> Reason:
    """Return a reason in English; arguments are numbers, names, places or blockers."""
    plain = {name: plain_value(value) for name, value in arguments.items()}
    return Reason(rule.id, _word(rule, phrase, plain, ENGLISH), plain, phrase)


Say = Callable[[Mapping[str, object]], Mapping[str, object]]
"""Replaces a reason's arguments by name, such as a figure's id by its name."""


def word_ruling(ruling: Ruling, rules: Mapping[str, Rule], language: str, say: Say | None = None) -> Ruling:
    """Return the same ruling with its reasons in another language, and with other names for its figures and things.

    Raises:
        UnknownName: there is no catalogue of the language.
    """
    return replace(ruling, reasons=reword(ruling.reasons, rules, language, say))


def reword(
    reasons: tuple[Reason, ...], rules: Mapping[str, Rule], language: str, say: Say | None = None
) -> tuple[Reason, ...]:
    """Return the same reasons in another language; those of unknown rules stay unchanged.

    Raises:
        UnknownName: there is no catalogue of the language.
    """
    if language == ENGLISH and say is None:
        return reasons
    if not is_spoken(language):
        raise UnknownName(
            said(
                "There are no sentences in “{language}”. Choose one of: {known}.",
                language=language,
                known=", ".join(languages()),
            )
        )
    return tuple(replace(r, text=_reworded(r, rules[r.rule], language, say)) if r.rule in rules else r for r in reasons)


def _reworded(reason: Reason, rule: Rule, language: str, say: Say | None) -> str:
    arguments = reason.arguments if say is None else say(reason.arguments)
    return _word(rule, reason.phrase, arguments, language)


def plain_value(value: object) -> object:
    """Return a value in its document form: places as lists, blockers as objects."""
    if isinstance(value, Blocker):
        return plain_blocker(value)
    if isinstance(value, tuple):
        return [plain_value(v) for v in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def plain_blocker(blocker: Blocker) -> dict[str, object]:
    """Return a blocker as in a ruling document."""
    plain: dict[str, object] = {"kind": blocker.kind}
    if blocker.edge is not None:
        plain |= {"from": list(blocker.edge.start), "to": list(blocker.edge.end)}
    if blocker.id is not None:
        plain["id"] = blocker.id
    if blocker.cell is not None:
        plain["cell"] = list(blocker.cell)
    return plain


def _word(rule: Rule, phrase: str, arguments: Mapping[str, object], language: str) -> str:
    template = translate(rule.phrases[phrase], language)
    return template.format_map({name: _speak(value, language) for name, value in arguments.items()})


def _speak(value: Any, language: str) -> str:
    if isinstance(value, Mapping):
        return _spoken_term(value, language) if "term" in value else _speak_blocker(value, language)
    if isinstance(value, list):
        if value and isinstance(value[0], int | float):
            return _point(value, language)
        return ", ".join(_speak(v, language) for v in value)
    return _number(value, language)


def _point(numbers: list[Any], language: str) -> str:
    """Return the coordinates of a place. A decimal comma cannot also separate them."""
    is_plain = not has_decimal_comma(language) or not any(isinstance(v, float) for v in numbers)
    return f"({(', ' if is_plain else '; ').join(_number(v, language) for v in numbers)})"


def _number(value: Any, language: str) -> str:
    return format_number(value, language) if isinstance(value, float) else str(value)


def _spoken_term(term: Mapping[str, Any], language: str) -> str:
    value = {"value": _speak(term["value"], language)} if "value" in term else {}
    return with_fields(_TERMS[term["term"]], values=value).worded(language)


def _speak_blocker(blocker: Mapping[str, Any], language: str) -> str:
    start, end = blocker.get("from"), blocker.get("to")
    edge = blocker.get("edge") or (f"{_speak(start, language)}–{_speak(end, language)}" if start else "")
    template = translate(_BLOCKERS[blocker["kind"]], language)
    return template.format(edge=edge, id=blocker.get("id", ""), cell=_speak(blocker.get("cell", ""), language))


_BLOCKERS: Mapping[str, str] = {
    "wall": message("the wall {edge}"),
    "obstacle": message("the obstacle {edge}"),
    "impassable": message("the impassable line {edge}"),
    "difficult": message("the difficult cell {cell}"),
    "door": message("the closed door {id}"),
    "figure": "{id}",
    "cell": message("the blocked cell {cell}"),
    "terrain": "{id}",
    "range": message("the range"),
}

_TERMS: Mapping[str, Said] = {
    "sight-yes": said("there would be line of sight"),
    "sight-no": said("there would be no line of sight"),
    "cover-yes": said("there would be cover"),
    "cover-no": said("there would be no cover"),
    "range": said("the range would be {value}"),
    "range-none": said("there would be no range"),
    "another": said("another figure"),
    "nobody": said("there would be nothing to ask about"),
    "left": said_in("direction", "left"),
    "right": said_in("direction", "right"),
    "up": said_in("direction", "up"),
    "down": said_in("direction", "down"),
    "up-left": said_in("direction", "up and left"),
    "up-right": said_in("direction", "up and right"),
    "down-left": said_in("direction", "down and left"),
    "down-right": said_in("direction", "down and right"),
}
"""Words for a result or a direction; arguments refer to them as ``{"term": ...}``, with a ``value`` if any."""


def option_rule(rule_set: str) -> Rule:
    """Return the rule of a rule set that names a house option behind a ruling."""
    return Rule(
        f"{rule_set}/option",
        message("an open point of the printed rules, settled by a house rule"),
        message("Where the printed rules are silent, the house's option decides."),
        {"decides": message("This rests on the house option {option} = {choice}; with {other} {outcome}.")},
    )


def what_if_rule(rule_set: str) -> Rule:
    """Return the rule of a rule set that words the changes that flip a ruling."""
    return Rule(
        f"{rule_set}/what-if",
        message("worked out: the ruling asked again with one thing changed"),
        message("What would have to be different for the answer to be another one."),
        {
            "open-door": message("With door {subject} open, {outcome}."),
            "close-door": message("With door {subject} closed, {outcome}."),
            "move": message("With {subject} on cell {cell}, {outcome}."),
            "remove": message("Without {subject}, {outcome}."),
            "clear-cell": message("With cell {cell} clear, {outcome}."),
            "remove-edge": message("Without {edge}, {outcome}."),
        },
    )


DIRECTIONS = {
    (-1, 0): "left",
    (1, 0): "right",
    (0, -1): "up",
    (0, 1): "down",
    (-1, -1): "up-left",
    (1, -1): "up-right",
    (-1, 1): "down-left",
    (1, 1): "down-right",
}
"""The names of the steps of one cell, by columns and rows, as on a page."""


def doubt_rule(rule_set: str) -> Rule:
    """Return the rule of a rule set that words the doubts that flip a ruling; ``{percent}`` is their chance."""
    return Rule(
        f"{rule_set}/doubt",
        message("worked out: the ruling asked again for what the camera could not tell for sure"),
        message("What the camera could not tell for sure, and what it would change."),
        {
            "step": message(
                "If {subject} stood one cell further {direction}, on {cell} ({percent} % likely), {outcome}."
            ),
            "stand": message("If {subject} stood on {cells} ({percent} % likely), {outcome}."),
            "remove": message("If {subject} were not there ({percent} % likely), {outcome}."),
            "kind": message("If {subject} were another figure, of kind {kind} ({percent} % likely), {outcome}."),
            "no-door": message("If there were no door between {cell} and {cells} ({percent} % likely), {outcome}."),
            "door": message("If there were a door between {cell} and {cells} ({percent} % likely), {outcome}."),
            "tile": message("If the tile at {cell} were {other} and not {tile} ({percent} % likely), {outcome}."),
            "no-tile": message("If the tile {tile} at {cell} were not there ({percent} % likely), {outcome}."),
            "more-tile": message("If the tile {other} lay beside {cell} ({percent} % likely), {outcome}."),
            "strange-tile": message("If an unrecognised tile lay beside {cell} ({percent} % likely), {outcome}."),
            "several": message("If {subject} had been seen wrongly ({percent} % likely), {outcome}."),
        },
    )
