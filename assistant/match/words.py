"""What the match says in Russian and Spanish: the form of the catalogues, and the sentences that systems share.

Names of figures stand in these sentences as they are, so they are worded to need no declension.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Words(NamedTuple):
    """An English pattern in the other languages."""

    ru: str
    es: str

    def in_language(self, language: str) -> str:
        """The pattern in ``ru`` or ``es``."""
        return self.ru if language == "ru" else self.es


WORDS: Mapping[str, Words] = {
    "Undo": Words("Отмена", "Deshacer"),
    "Redo": Words("Повтор", "Rehacer"),
    "Undone since": Words("Отменено позже", "Deshecho después"),
    "Clocks stopped": Words("Часы остановлены", "Relojes parados"),
    "Clocks running": Words("Часы идут", "Relojes en marcha"),
    "Time limits: {turn} s a turn, {side} s a side": Words(
        "Ограничение времени: {turn} с на ход, {side} с на сторону",
        "Límites de tiempo: {turn} s por turno, {side} s por bando",
    ),
    "The program was started again": Words("Программа запущена снова", "El programa se ha vuelto a iniciar"),
    "The table as the camera sees it": Words("Стол, как его видит камера", "La mesa tal como la ve la cámara"),
    "{figure} placed": Words("{figure}: фигурка поставлена", "{figure}: figura colocada"),
    "Ruling: {attacker} against {defender}": Words(
        "Решение: {attacker} против {defender}", "Dictamen: {attacker} contra {defender}"
    ),
    "The match goes to {side}": Words("Партию выигрывает {side}", "La partida es para {side}"),
    "{figure} moves": Words("{figure}: движение", "{figure} se mueve"),
    "{figure} acts": Words("{figure} действует", "{figure} actúa"),
    "{figure} takes {item}": Words("{figure} берёт {item}", "{figure} coge {item}"),
    "{figure} opens {door}": Words("{figure} открывает {door}", "{figure} abre {door}"),
    "The invader plays {card}": Words("Захватчик разыгрывает {card}", "El invasor juega {card}"),
    "{changes} ({reason})": Words("{changes} ({reason})", "{changes} ({reason})"),
    "{change} damage": Words("урон {change}", "{change} de daño"),
    "{figure} is done": Words("{figure}: ход окончен", "{figure} ha terminado"),
    "the invader has {count} frags": Words("у захватчика фрагов: {count}", "el invasor tiene {count} frags"),
    "Activate {figure}": Words("Активировать: {figure}", "Activar a {figure}"),
    "Attack": Words("Атака", "Atacar"),
    "Move: {points} left": Words("Движение: осталось {points}", "Movimiento: quedan {points}"),
}
