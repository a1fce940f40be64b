"""What the rules of Lanterns are called, and the sentences that tell what they came to."""

from __future__ import annotations

from assistant.rules.phrases_doubt import doubt_rule
from assistant.rules.reasons import Phrase, Rule, by_id, what_if_rule

LIGHT = Rule(
    "lanterns/light",
    Phrase("Lanterns, “Light”", "«Фонари», «Свет»", "Faroles, «Luz»"),
    Phrase(
        "Light runs along rows and columns until something stops it.",
        "Свет идёт по рядам и столбцам, пока его ничто не остановит.",
        "La luz corre por filas y columnas hasta que algo la detiene.",
    ),
    {
        "lit": Phrase(
            "{attacker} shines on {defender} along one line.",
            "{attacker}: свет идёт по прямой и попадает в цель ({defender}).",
            "{attacker} alumbra a {defender} en línea recta.",
        ),
        "aside": Phrase(
            "{attacker} and {defender} share no row and no column.",
            "{attacker} и {defender} не стоят ни в одном ряду, ни в одном столбце.",
            "{attacker} y {defender} no comparten fila ni columna.",
        ),
        "stopped": Phrase(
            "The light of {attacker} is stopped: {blocker}.",
            "{attacker}: свет не проходит, мешает {blocker}.",
            "La luz de {attacker} no pasa: lo impide {blocker}.",
        ),
    },
)

RANGE = Rule(
    "lanterns/range",
    Phrase("Lanterns, “Steps”", "«Фонари», «Шаги»", "Faroles, «Pasos»"),
    Phrase(
        "The range counts steps over the sides of cells, walls or not.",
        "Дальность считается шагами через стороны клеток, не глядя на стены.",
        "El alcance cuenta pasos por los lados de las casillas, haya muros o no.",
    ),
    {"counted": Phrase("The range is {range}.", "Дальность — {range}.", "El alcance es {range}.")},
)

HOUSE = Rule(
    "lanterns/house",
    Phrase("the house", "домашнее правило", "la casa"),
    Phrase(
        "Options of the house on which an answer rests.",
        "Домашние правила, от которых зависит ответ.",
        "Opciones de la casa de las que depende una respuesta.",
    ),
    {
        "rests": Phrase(
            "The house plays {option} as {choice}; with {other}, {outcome}.",
            "Домашнее правило {option} — {choice}; при {other} {outcome}.",
            "En casa {option} se juega como {choice}; con {other}, {outcome}.",
        )
    },
)

RULES = by_id((LIGHT, RANGE, HOUSE, what_if_rule("lanterns"), doubt_rule("lanterns")))
