"""What a skirmish of `roads` says in Russian and Spanish."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.match.words import Words

WORDS: Mapping[str, Words] = {
    "{figure} keeps out of the melee": Words("{figure} не вступает в рукопашную", "{figure} no entra en el combate"),
    "{figure} is drawn into the melee": Words(
        "{figure} втянут(а) в рукопашную", "{figure} entra en el combate por cercanía"
    ),
    "{first} and {second} fight": Words("{first} и {second} дерутся", "{first} y {second} combaten"),
    "{first} and {second}: nobody wins": Words("{first} и {second}: ничья", "{first} y {second}: nadie gana"),
    "{winner} wins {most} to {least}: {hits} hits": Words(
        "Побеждает {winner}, {most}:{least}, попаданий: {hits}", "{winner} gana {most} a {least}: {hits} impactos"
    ),
    "{figure}: {why}": Words("{figure}: {why}", "{figure}: {why}"),
    "block": Words("блок", "bloqueo"),
    "hatred": Words("ненависть", "odio"),
    "{figure} watches": Words("{figure} в дозоре", "{figure} vigila"),
    "{figure} runs": Words("{figure} бежит бегом", "{figure} corre"),
    "{figure} charges {target}": Words("{figure} нападает: {target}", "{figure} carga contra {target}"),
    "{figure} climbs {steps} steps": Words("{figure} взбирается, шагов: {steps}", "{figure} trepa {steps} pasos"),
    "{figure} climbs down {steps} steps": Words("{figure} слезает, шагов: {steps}", "{figure} baja {steps} pasos"),
    "{figure} jumps over a gap of {steps} steps": Words(
        "{figure} прыгает через провал, шагов: {steps}", "{figure} salta un hueco de {steps} pasos"
    ),
    "{figure} jumps down {steps} steps": Words(
        "{figure} спрыгивает, шагов: {steps}", "{figure} salta {steps} pasos hacia abajo"
    ),
    "{figure} flees {steps} steps off the table": Words(
        "{figure} бежит с поля боя, шагов: {steps}, и покидает стол", "{figure} huye {steps} pasos y sale de la mesa"
    ),
    "{figure} flees {steps} steps": Words("{figure} бежит с поля боя, шагов: {steps}", "{figure} huye {steps} pasos"),
    "{figure} ducks: {roll} + {mobility} = {total}": Words(
        "{figure} пригибается: {roll} + {mobility} = {total}", "{figure} se agacha: {roll} + {mobility} = {total}"
    ),
    "{figure} takes cover: {roll} + {mobility} = {total}": Words(
        "{figure} укрывается: {roll} + {mobility} = {total}", "{figure} se cubre: {roll} + {mobility} = {total}"
    ),
    "{figure} tries to shoot first: {roll} + {mobility} = {total} against {roll2} + {mobility2} = {total2}": Words(
        "{figure} пробует выстрелить раньше: {roll} + {mobility} = {total} против {roll2} + {mobility2} = {total2}",
        "{figure} intenta disparar antes: {roll} + {mobility} = {total} contra {roll2} + {mobility2} = {total2}",
    ),
    "{figure} hides": Words("{figure} маскируется", "{figure} se oculta"),
    "{figure} is found": Words("{figure}: обнаружение", "{figure}: descubrimiento"),
    "{figure} shoots first, at -1 to hit, at {target}: {hits} hits": Words(
        "{figure} стреляет первым, попадание -1, цель {target}: попаданий {hits}",
        "{figure} dispara antes, con -1 para impactar, a {target}: {hits} impactos",
    ),
    "{figure} shoots at {target}: {hits} hits": Words(
        "{figure} стреляет, цель {target}: попаданий {hits}", "{figure} dispara a {target}: {hits} impactos"
    ),
    "The skirmish begins with {side}": Words("Стычку начинает {side}", "La escaramuza empieza con {side}"),
    "{kind} of {who}: {roll}": Words("{who}, {kind}: {roll}", "{who}, {kind}: {roll}"),
    "{kind} of {who}: {roll} against {value}": Words(
        "{who}, {kind}: {roll} против {value}", "{who}, {kind}: {roll} contra {value}"
    ),
    "{figure} is in frenzy and ignores the {kind}": Words(
        "{figure} в бешенстве, не проверяется: {kind}", "{figure} está en frenesí e ignora: {kind}"
    ),
    "{side} withdraw": Words("{side} отступают", "{side} se retiran"),
    "{side}: {phase} is over": Words("{side}: фаза «{phase}» окончена", "{side}: termina la fase «{phase}»"),
    "{figure}: {what}": Words("{figure}: {what}", "{figure}: {what}"),
    "{count} wounds": Words("ран {count}", "{count} heridas"),
    "down": Words("сбит с ног", "en el suelo"),
    "fleeing": Words("бежит", "huyendo"),
    "still": Words("стоял на месте", "quieto"),
    "out": Words("выведен из игры", "fuera de combate"),
    "armour holds": Words("броня выдержала", "la armadura aguanta"),
    "{figure} stands up": Words("{figure} встаёт", "{figure} se levanta"),
    "{figure} stays": Words("{figure} остаётся на месте", "{figure} se queda"),
    "{figure} advances": Words("{figure} продвигается", "{figure} avanza"),
    "no enemy is left on the table": Words("на столе не осталось врагов", "no quedan enemigos en la mesa"),
    "{side} break and run": Words("{side} бегут с поля боя", "{side} huyen en desbandada"),
    "Begin the skirmish": Words("Начать стычку", "Empezar la escaramuza"),
    "{hits} hits on {figure} by {by}: roll armour and say what comes of it": Words(
        "Попаданий: {hits}, цель {figure}, бьёт {by}: бросьте броню и скажите, что вышло",
        "{hits} impactos en {figure} de {by}: tirad armadura y decid el resultado",
    ),
    "Decide the fight": Words("Решить схватку", "Decidir el combate"),
    "Block, or hatred": Words("Блок или ненависть", "Bloqueo u odio"),
    "{who}: roll for {kind}": Words("{who}: бросок, {kind}", "{who}: tirada de {kind}"),
    "{who}: test of {kind}, {value} or less": Words(
        "{who}: проверка, {kind}, не больше {value}", "{who}: chequeo de {kind}, {value} o menos"
    ),
    "{figure} is in frenzy and ignores it": Words(
        "{figure} в бешенстве и не проверяется", "{figure} está en frenesí y lo ignora"
    ),
    "{figure} may advance a step": Words("{figure} может продвинуться на шаг", "{figure} puede avanzar un paso"),
    "Draw {figure} into the melee": Words("Втянуть в рукопашную: {figure}", "Meter a {figure} en el combate"),
    "{side}: end of the phase “{phase}”": Words(
        "{side}: закончить фазу «{phase}»", "{side}: terminar la fase «{phase}»"
    ),
    "Let a model watch": Words("Поставить модель в дозор", "Poner un modelo a vigilar"),
    "Move a model": Words("Двигать модель", "Mover un modelo"),
    "Charge": Words("Нападение", "Cargar"),
    "Hide a model": Words("Замаскировать модель", "Ocultar un modelo"),
    "Shoot": Words("Стрелять", "Disparar"),
    "The target of an announced shot reacts": Words(
        "Цель объявленного выстрела отвечает", "El blanco de un disparo anunciado reacciona"
    ),
    "{figure} shoots from the watch": Words("{figure} стреляет из дозора", "{figure} dispara desde la vigilancia"),
    "Let two models fight": Words("Две модели дерутся", "Hacer combatir a dos modelos"),
    "rout": Words("бегство отряда", "desbandada"),
    "rally": Words("сбор", "reagrupamiento"),
    "terror": Words("ужас", "terror"),
    "stupidity": Words("тупость", "estupidez"),
    "shuffle": Words("блуждание", "deambular"),
    "fear of the charger": Words("страх перед нападающим", "miedo al que carga"),
    "fear to charge": Words("страх нападать", "miedo a cargar"),
    "escape": Words("попытка спастись", "huida"),
    "flight": Words("бегство", "carrera de huida"),
    "ambush": Words("засада", "emboscada"),
    "climb": Words("подъём", "escalada"),
    "jump": Words("прыжок", "salto"),
    "fall": Words("падение", "caída"),
    "start": Words("начало", "inicio"),
    "move": Words("движение", "movimiento"),
    "shoot": Words("стрельба", "disparo"),
    "melee": Words("рукопашная", "combate"),
}
