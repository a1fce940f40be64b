"""How it is worded what the camera could not tell for sure and what that would make of an answer."""

from __future__ import annotations

from assistant.rules.reasons import Phrase, Rule

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
"""What a step of one cell is called, by columns and rows, as on a page seen from above."""


def doubt_rule(rule_set: str) -> Rule:
    """The rule of a rule set by which doubts that flip a ruling are worded; ``{percent}`` is their chance."""
    return Rule(
        f"{rule_set}/doubt",
        Phrase(
            "worked out: the ruling asked again for what the camera could not tell for sure",
            "вычислено: ответ найден заново для того, в чём камера не уверена",
            "calculado: la respuesta hallada de nuevo con lo que la cámara no vio con seguridad",
        ),
        Phrase(
            "What the camera could not tell for sure, and what it would change.",
            "В чём камера не уверена и что это изменило бы.",
            "Lo que la cámara no pudo ver con seguridad y lo que cambiaría.",
        ),
        {
            "step": Phrase(
                "If {subject} stood one cell further {direction}, on {cell} ({percent} % likely), {outcome}.",
                "Стой {subject} на клетку {direction}, на {cell} (вероятность {percent} %), {outcome}.",
                "Si {subject} estuviera una casilla más {direction}, en {cell} (probabilidad {percent} %), {outcome}.",
            ),
            "stand": Phrase(
                "If {subject} stood on {cells} ({percent} % likely), {outcome}.",
                "Стой {subject} на {cells} (вероятность {percent} %), {outcome}.",
                "Si {subject} estuviera en {cells} (probabilidad {percent} %), {outcome}.",
            ),
            "remove": Phrase(
                "If {subject} were not there ({percent} % likely), {outcome}.",
                "Не будь там {subject} (вероятность {percent} %), {outcome}.",
                "Si {subject} no estuviera allí (probabilidad {percent} %), {outcome}.",
            ),
            "kind": Phrase(
                "If {subject} were another figure, of kind {kind} ({percent} % likely), {outcome}.",
                "Будь {subject} другой фигурой, вида {kind} (вероятность {percent} %), {outcome}.",
                "Si {subject} fuera otra figura, de tipo {kind} (probabilidad {percent} %), {outcome}.",
            ),
            "no-door": Phrase(
                "If there were no door between {cell} and {cells} ({percent} % likely), {outcome}.",
                "Не будь двери между {cell} и {cells} (вероятность {percent} %), {outcome}.",
                "Si no hubiera puerta entre {cell} y {cells} (probabilidad {percent} %), {outcome}.",
            ),
            "door": Phrase(
                "If there were a door between {cell} and {cells} ({percent} % likely), {outcome}.",
                "Будь дверь между {cell} и {cells} (вероятность {percent} %), {outcome}.",
                "Si hubiera una puerta entre {cell} y {cells} (probabilidad {percent} %), {outcome}.",
            ),
            "several": Phrase(
                "If {subject} had been seen wrongly ({percent} % likely), {outcome}.",
                "Если {subject} распознано неверно (вероятность {percent} %), {outcome}.",
                "Si {subject} se hubiera visto mal (probabilidad {percent} %), {outcome}.",
            ),
        },
    )
