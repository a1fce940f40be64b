"""What a match of DOOM (2016) says in Russian and Spanish."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.match.words import Words

WORDS: Mapping[str, Words] = {
    "Round {round} begins": Words("Начинается раунд {round}", "Empieza la ronda {round}"),
    "The invader discards {count} event cards for argent": Words(
        "Захватчик сбрасывает карты событий ради аргента: {count}",
        "El invasor descarta {count} cartas de evento por argent",
    ),
    "Initiative: {card}": Words("Инициатива: {card}", "Iniciativa: {card}"),
    "The invader activates: {kind}": Words("Захватчик активирует: {kind}", "El invasor activa: {kind}"),
    "End of activation: {who}": Words("Конец активации: {who}", "Fin de la activación: {who}"),
    "{figure} plays {card}": Words("{figure} разыгрывает {card}", "{figure} juega {card}"),
    "{figure} sprints": Words("{figure} бежит", "{figure} esprinta"),
    "{figure} uses the class card": Words("{figure} использует карту класса", "{figure} usa la carta de clase"),
    "Glory kill: {figure} kills {demon}": Words(
        "Славное убийство: {figure} – {demon}", "Muerte gloriosa: {figure} mata a {demon}"
    ),
    "{figure} respawns": Words("{figure} возрождается", "{figure} reaparece"),
    "{figure} teleports": Words("{figure} телепортируется", "{figure} se teletransporta"),
    "Teleporter {teleporter} is active": Words(
        "Телепорт {teleporter} активен", "El teletransportador {teleporter} está activo"
    ),
    "Demons come out of {portal}: {figures}": Words(
        "Из портала {portal} выходят: {figures}", "Salen demonios de {portal}: {figures}"
    ),
    "The invader spends {count} argent of {kind}": Words(
        "Захватчик тратит аргент: {count} ({kind})", "El invasor gasta {count} de argent de {kind}"
    ),
    "{attacker} attacks {defender}: {icons} damage rolled": Words(
        "{attacker} атакует {defender}: выпало урона {icons}",
        "{attacker} ataca a {defender}: {icons} de daño en los dados",
    ),
    "{figure} reveals a defence card": Words("{figure} открывает карту защиты", "{figure} revela una carta de defensa"),
    "{figure} reveals another defence card": Words(
        "{figure} открывает другую карту защиты", "{figure} revela otra carta de defensa"
    ),
    "{change} shields": Words("щиты {change}", "{change} escudos"),
    "{figure} reacts with {card}": Words("{figure} отвечает картой {card}", "{figure} reacciona con {card}"),
    "{defender} takes {damage} damage from {attacker}": Words(
        "{defender} получает {damage} урона, атакует {attacker}", "{defender} recibe {damage} de daño de {attacker}"
    ),
    "The attack is called off": Words("Атака отменена", "El ataque se anula"),
    "{figure}: {count} damage": Words("{figure}: урон {count}", "{figure}: {count} de daño"),
    "{figure}: {count} damage healed": Words("{figure}: вылечено урона {count}", "{figure}: {count} de daño curado"),
    "{figure} is fragged": Words("{figure}: фраг", "{figure}: frag"),
    "{figure} is stunned": Words("{figure}: оглушение", "{figure} queda con aturdimiento"),
    "{figure} is no longer stunned": Words("{figure}: оглушение снято", "{figure} deja de tener aturdimiento"),
    "a door is open and no demon is left on the board": Words(
        "дверь открыта, и на поле не осталось демонов", "hay una puerta abierta y no quedan demonios en el tablero"
    ),
    "the marines have every objective": Words("у морпехов все цели", "los marines tienen todos los objetivos"),
    "Prepare round {round}": Words("Подготовить раунд {round}", "Preparar la ronda {round}"),
    "Summon demons from {portal}": Words("Призвать демонов: портал {portal}", "Invocar demonios desde {portal}"),
    "Reveal the next initiative card": Words(
        "Открыть следующую карту инициативы", "Revelar la siguiente carta de iniciativa"
    ),
    "Discard event cards for argent": Words(
        "Сбросить карты событий ради аргента", "Descartar cartas de evento por argent"
    ),
    "{figure}: reveal a defence card": Words(
        "{figure}: открыть карту защиты", "{figure}: revelar una carta de defensa"
    ),
    "Apply {damage} damage to {figure}": Words(
        "Нанести урон: {damage}, {figure}", "Aplicar {damage} de daño a {figure}"
    ),
    "{figure} is in cover: take another card instead": Words(
        "{figure} в укрытии: взять другую карту", "{figure} tiene cobertura: tomar otra carta en su lugar"
    ),
    "Choose a ready demon card": Words("Выбрать готовую карту демона", "Elegir una carta de demonio preparada"),
    "{figure} respawns on an active teleporter": Words(
        "{figure} возрождается на активном телепорте", "{figure} reaparece en un teletransportador activo"
    ),
    "End the activation of {figure}": Words("Закончить активацию: {figure}", "Terminar la activación de {figure}"),
    "The other figures of {kind} do not act": Words(
        "Остальные фигурки ({kind}) не действуют", "Las demás figuras de {kind} no actúan"
    ),
    "Play an action card": Words("Разыграть карту действия", "Jugar una carta de acción"),
}
