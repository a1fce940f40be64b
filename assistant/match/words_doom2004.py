"""What a match of DOOM (2004) says in Russian and Spanish."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.match.words import Words

WORDS: Mapping[str, Words] = {
    "{attacker} attacks {targets}": Words("{attacker} атакует: {targets}", "{attacker} ataca a {targets}"),
    "{attacker} attacks {targets} with {weapon}": Words(
        "{attacker} атакует: {targets}; оружие: {weapon}", "{attacker} ataca a {targets} con {weapon}"
    ),
    "The attack of {attacker} misses": Words("{attacker}: промах", "El ataque de {attacker} falla"),
    "{attacker} hits {targets}: {damage} damage, {wounds} wounds": Words(
        "{attacker} попадает: {targets}; урон {damage}, ран {wounds}",
        "{attacker} acierta a {targets}: {damage} de daño, {wounds} heridas",
    ),
    "{figure} moves, {wounds} wounds by obstacles": Words(
        "{figure}: движение, ран от препятствий: {wounds}", "{figure} se mueve, {wounds} heridas por obstáculos"
    ),
    "{figure} closes {door}": Words("{figure} закрывает {door}", "{figure} cierra {door}"),
    "The invader draws {count} cards": Words("Захватчик берёт карты: {count}", "El invasor roba {count} cartas"),
    "The invader discards {count} cards": Words(
        "Захватчик сбрасывает карты: {count}", "El invasor descarta {count} cartas"
    ),
    "The invader spawns nobody": Words("Захватчик никого не выставляет", "El invasor no despliega a nadie"),
    "The invader spawns {figures}": Words("Захватчик выставляет: {figures}", "El invasor despliega a {figures}"),
    "The invaders act": Words("Захватчики действуют", "Los invasores actúan"),
    "{figure}: {count} wounds": Words("{figure}: ран {count}", "{figure}: {count} heridas"),
    "{figure}: {count} wounds healed": Words("{figure}: вылечено ран {count}", "{figure}: {count} heridas curadas"),
    "{figure} is killed": Words("{figure}: гибель", "{figure} muere"),
    "{figure} dodges": Words("{figure} уклоняется", "{figure} esquiva"),
    "{figure} dodges by a card": Words("{figure} уклоняется картой", "{figure} esquiva con una carta"),
    "{count} dice are rolled again": Words("Переброшено кубиков: {count}", "Se repiten {count} dados"),
    "{change} range": Words("дальность {change}", "{change} de alcance"),
    "The match begins": Words("Партия начинается", "Empieza la partida"),
    "{figure}: {action}": Words("{figure}: {action}", "{figure}: {action}"),
    "{figure}: order to {order}": Words("{figure}: приказ «{order}»", "{figure}: orden de {order}"),
    "{figure} uses the order to {order}": Words(
        "{figure} использует приказ «{order}»", "{figure} usa la orden de {order}"
    ),
    "The round is over": Words("Раунд окончен", "La ronda ha terminado"),
    "{figure} is back": Words("{figure} снова на поле", "{figure} ha vuelto"),
    "the marines escape": Words("морпехи спаслись", "los marines escapan"),
    "Begin the match": Words("Начать партию", "Empezar la partida"),
    "Draw cards": Words("Взять карты", "Robar cartas"),
    "The attack hits for {damage} damage: apply it": Words(
        "Попадание, урон {damage}: применить", "El ataque acierta con {damage} de daño: aplicarlo"
    ),
    "The attack misses: apply it": Words("Промах: применить", "El ataque falla: aplicarlo"),
    "Choose dice to roll again": Words("Выбрать кубики для переброса", "Elegir dados para repetir"),
    "Discard {count} cards": Words("Сбросить карты: {count}", "Descartar {count} cartas"),
    "Activate the invaders": Words("Активировать захватчиков", "Activar a los invasores"),
    "Play a spawn card": Words("Разыграть карту появления", "Jugar una carta de despliegue"),
    "End the round": Words("Закончить раунд", "Terminar la ronda"),
    "Put {figure} back on the board": Words("Вернуть на поле: {figure}", "Devolver a {figure} al tablero"),
    "Blow through into a space beside": Words(
        "Пробить насквозь в соседнюю клетку", "Atravesar hasta una casilla adyacente"
    ),
    "Place an order": Words("Положить приказ", "Colocar una orden"),
    "sprint": Words("рывок", "carrera"),
    "unload": Words("шквал огня", "descarga"),
    "advance": Words("наступление", "avance"),
    "ready": Words("готовность", "preparación"),
    "aim": Words("прицелиться", "apuntar"),
    "dodge": Words("уклониться", "esquivar"),
    "guard": Words("охранять", "vigilar"),
    "heal": Words("лечить", "curar"),
}
