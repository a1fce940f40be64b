"""Reasons as data, worded in three languages.

A reason is the id of a rule, one of that rule's phrases and its arguments. The rules of each game
stand in its own folder; this module turns them into sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from assistant.errors import UnknownName
from assistant.rules.ruling import Blocker, Reason, Ruling
from assistant.translations.messages import said
from assistant.translations.numbers import spoken_number

LANGUAGES = ("en", "ru", "es")


class Phrase(NamedTuple):
    """One sentence in the three languages of the sources; ``{name}`` stands for an argument."""

    en: str
    ru: str
    es: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that reasons refer to.

    Args:
        id: rule set and name, as in ``toy/range``.
        source: the document and the page or heading where the rule stands, headings in the reader's language.
        summary: what the rule says.
        phrases: the sentences that tell what it came to, by name.
    """

    id: str
    source: Phrase
    summary: Phrase
    phrases: Mapping[str, Phrase]


def by_id(rules: Iterable[Rule]) -> dict[str, Rule]:
    """The rules by their ids."""
    return {rule.id: rule for rule in rules}


def reason(rule: Rule, phrase: str, **arguments: object) -> Reason:
    """A reason in English; arguments are numbers, names, places or blockers."""
    plain = {name: plain_value(value) for name, value in arguments.items()}
    return Reason(rule.id, _worded(rule, phrase, plain, "en"), plain, phrase)


Say = Callable[[str, object], object]
"""The word for an argument's plain value, by the argument's name: a figure's name instead of its id."""


def in_language(ruling: Ruling, rules: Mapping[str, Rule], language: str, say: Say | None = None) -> Ruling:
    """The same ruling with its reasons worded in another language, and with other words for what they name.

    Raises:
        UnknownName: the language is none of the three.
    """
    return replace(ruling, reasons=reworded(ruling.reasons, rules, language, say))


def reworded(
    reasons: tuple[Reason, ...], rules: Mapping[str, Rule], language: str, say: Say | None = None
) -> tuple[Reason, ...]:
    """The same reasons in another language; those of rules that are not known stay as they are.

    Raises:
        UnknownName: the language is none of the three.
    """
    if language not in LANGUAGES:
        raise UnknownName(
            said(
                "there are no sentences in “{language}”; choose one of: {known}",
                language=language,
                known=", ".join(LANGUAGES),
            )
        )
    if language == "en" and say is None:
        return reasons
    return tuple(
        replace(r, text=_worded(rules[r.rule], r.phrase, _said(r.arguments, say), language)) if r.rule in rules else r
        for r in reasons
    )


def _said(arguments: Mapping[str, object], say: Say | None) -> Mapping[str, object]:
    return arguments if say is None else {name: say(name, value) for name, value in arguments.items()}


def plain_value(value: object) -> object:
    """A value as it stands in a document: places as lists, blockers as objects."""
    if isinstance(value, Blocker):
        return plain_blocker(value)
    if isinstance(value, tuple):
        return [plain_value(v) for v in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def plain_blocker(blocker: Blocker) -> dict[str, object]:
    """What stopped a line, as it stands in a ruling document."""
    plain: dict[str, object] = {"kind": blocker.kind}
    if blocker.edge is not None:
        plain |= {"from": list(blocker.edge.start), "to": list(blocker.edge.end)}
    if blocker.id is not None:
        plain["id"] = blocker.id
    if blocker.cell is not None:
        plain["cell"] = list(blocker.cell)
    return plain


def _worded(rule: Rule, phrase: str, arguments: Mapping[str, object], language: str) -> str:
    template: str = getattr(rule.phrases[phrase], language)
    return template.format_map({name: _spoken(value, language) for name, value in arguments.items()})


def _spoken(value: Any, language: str) -> str:
    if isinstance(value, Mapping):
        if "term" in value:
            template: str = getattr(_TERMS[value["term"]], language)
            return template.format(value=_spoken(value.get("value", ""), language))
        return _spoken_blocker(value, language)
    if isinstance(value, list):
        if value and isinstance(value[0], int | float):
            return _point(value, language)
        return ", ".join(_spoken(v, language) for v in value)
    return _number(value, language)


def _point(numbers: list[Any], language: str) -> str:
    """The coordinates of a place; where a comma is the decimal mark, it cannot part them, too."""
    parted = ", " if language == "en" or not any(isinstance(v, float) for v in numbers) else "; "
    return f"({parted.join(_number(v, language) for v in numbers)})"


def _number(value: Any, language: str) -> str:
    return spoken_number(value, language) if isinstance(value, float) else str(value)


def _spoken_blocker(blocker: Mapping[str, Any], language: str) -> str:
    template: str = getattr(_BLOCKERS[blocker["kind"]], language)
    start, end = blocker.get("from"), blocker.get("to")
    edge = blocker.get("edge") or (f"{_spoken(start, language)}–{_spoken(end, language)}" if start else "")
    return template.format(edge=edge, id=blocker.get("id", ""), cell=_spoken(blocker.get("cell", ""), language))


_BLOCKERS: Mapping[str, Phrase] = {
    "wall": Phrase("the wall {edge}", "стена {edge}", "el muro {edge}"),
    "obstacle": Phrase("the obstacle {edge}", "препятствие {edge}", "el obstáculo {edge}"),
    "impassable": Phrase("the impassable line {edge}", "непроходимая граница {edge}", "la línea infranqueable {edge}"),
    "difficult": Phrase("the difficult cell {cell}", "труднопроходимая клетка {cell}", "la casilla difícil {cell}"),
    "door": Phrase("the closed door {id}", "закрытая дверь {id}", "la puerta cerrada {id}"),
    "figure": Phrase("{id}", "{id}", "{id}"),
    "cell": Phrase("the blocked cell {cell}", "занятая препятствием клетка {cell}", "la casilla bloqueada {cell}"),
    "terrain": Phrase("{id}", "{id}", "{id}"),
    "range": Phrase("the range", "дальность", "el alcance"),
}

_TERMS: Mapping[str, Phrase] = {
    "sight-yes": Phrase("there would be line of sight", "линия видимости была бы", "habría línea de visión"),
    "sight-no": Phrase("there would be no line of sight", "линии видимости не было бы", "no habría línea de visión"),
    "cover-yes": Phrase("there would be cover", "укрытие было бы", "habría cobertura"),
    "cover-no": Phrase("there would be no cover", "укрытия не было бы", "no habría cobertura"),
    "range": Phrase("the range would be {value}", "дальность была бы {value}", "el alcance sería {value}"),
    "range-none": Phrase("there would be no range", "дальности не было бы", "no habría alcance"),
    "another": Phrase("another figure", "ещё одна фигура", "otra figura"),
    "nobody": Phrase(
        "there would be nothing to ask about", "спрашивать было бы не о чем", "no habría nada que preguntar"
    ),
    "left": Phrase("left", "левее", "a la izquierda"),
    "right": Phrase("right", "правее", "a la derecha"),
    "up": Phrase("up", "выше", "arriba"),
    "down": Phrase("down", "ниже", "abajo"),
    "up-left": Phrase("up and left", "выше и левее", "arriba y a la izquierda"),
    "up-right": Phrase("up and right", "выше и правее", "arriba y a la derecha"),
    "down-left": Phrase("down and left", "ниже и левее", "abajo y a la izquierda"),
    "down-right": Phrase("down and right", "ниже и правее", "abajo y a la derecha"),
}
"""Words that stand for a result or a direction; arguments name them as ``{"term": ...}``, with a ``value`` if any."""


def what_if_rule(rule_set: str) -> Rule:
    """The rule of a rule set by which changes that flip a ruling are worded."""
    return Rule(
        f"{rule_set}/what-if",
        Phrase(
            "worked out: the ruling asked again with one thing changed",
            "вычислено: ответ найден заново с одним изменением",
            "calculado: la respuesta hallada de nuevo con un solo cambio",
        ),
        Phrase(
            "What would have to be different for the answer to be another one.",
            "Что должно быть иначе, чтобы ответ изменился.",
            "Qué tendría que ser distinto para que cambiara la respuesta.",
        ),
        {
            "open-door": Phrase(
                "With door {subject} open, {outcome}.",
                "Будь дверь {subject} открыта, {outcome}.",
                "Con la puerta {subject} abierta, {outcome}.",
            ),
            "close-door": Phrase(
                "With door {subject} closed, {outcome}.",
                "Будь дверь {subject} закрыта, {outcome}.",
                "Con la puerta {subject} cerrada, {outcome}.",
            ),
            "move": Phrase(
                "With {subject} on cell {cell}, {outcome}.",
                "Стой {subject} на клетке {cell}, {outcome}.",
                "Con {subject} en la casilla {cell}, {outcome}.",
            ),
            "remove": Phrase(
                "Without {subject}, {outcome}.", "Без фигуры {subject} {outcome}.", "Sin {subject}, {outcome}."
            ),
            "clear-cell": Phrase(
                "With cell {cell} clear, {outcome}.",
                "Будь клетка {cell} свободна, {outcome}.",
                "Con la casilla {cell} despejada, {outcome}.",
            ),
            "remove-edge": Phrase(
                "Without {edge}, {outcome}.", "Убрать: {edge} — и {outcome}.", "Sin {edge}, {outcome}."
            ),
        },
    )
