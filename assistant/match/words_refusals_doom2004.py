"""Why a command was refused in a match of DOOM (2004), in Russian and Spanish."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.match.words import Words

WORDS: Mapping[str, Words] = {
    "a door costs {door_points} points of movement": Words(
        "дверь стоит очков движения: {door_points}", "una puerta cuesta {door_points} puntos de movimiento"
    ),
    "a marine sees where {seen} would stand; choose spaces out of sight": Words(
        "морпех видит, где встали бы: {seen}; выберите места вне обзора",
        "un marine ve dónde estarían: {seen}; elige casillas fuera de su vista",
    ),
    "a melee attack needs an adjacent target": Words(
        "для рукопашной атаки цель должна стоять рядом", "un ataque cuerpo a cuerpo necesita un objetivo adyacente"
    ),
    "a move ends on cells that nobody stands on": Words(
        "движение кончается на клетках, где никто не стоит", "un movimiento acaba en casillas donde no hay nadie"
    ),
    "an attack hits each figure once; name each figure once": Words(
        "атака попадает в каждую фигурку один раз; назовите каждую один раз",
        "un ataque alcanza a cada figura una vez; nombra cada figura una sola vez",
    ),
    "an attack is re-rolled only once": Words(
        "кубики атаки перебрасывают только один раз", "los dados de un ataque se vuelven a tirar una sola vez"
    ),
    "attack an enemy": Words("атакуйте врага", "ataca a un enemigo"),
    "cards are drawn at the beginning of the invader's turn": Words(
        "карты берут в начале хода захватчика", "las cartas se roban al principio del turno del invasor"
    ),
    "choose cells that nobody stands on": Words(
        "выберите клетки, где никто не стоит", "elige casillas donde no haya nadie"
    ),
    "declare the action first: sprint, unload, advance or ready": Words(
        "сначала объявите действие: бег, залп, наступление или готовность",
        "declara antes la acción: esprintar, descargar, avanzar o prepararse",
    ),
    "declare the action of this turn first": Words(
        "сначала объявите действие этого хода", "declara antes la acción de este turno"
    ),
    "discard down to {hand_limit} cards first": Words(
        "сначала сбросьте карты, на руке можно держать: {hand_limit}",
        "descarta antes hasta quedarte con {hand_limit} cartas",
    ),
    "draw cards and spawn first, or begin the match": Words(
        "сначала возьмите карты и выставьте врагов или начните партию",
        "roba antes cartas y haz aparecer enemigos, o empieza la partida",
    ),
    "draw cards first": Words("сначала возьмите карты", "roba cartas antes"),
    "end the running activation first": Words(
        "сначала закончите идущую активацию", "termina antes la activación en curso"
    ),
    "finish the attack first": Words("сначала закончите атаку", "termina antes el ataque"),
    "give one face for each die": Words("назовите по одной грани на каждый кубик", "da una cara por cada dado"),
    "go on with {weapon} and no guard": Words(
        "продолжайте тем же оружием ({weapon}) и без прикрытия", "sigue con {weapon} y sin guardia"
    ),
    "invaders neither open nor close security doors": Words(
        "захватчики не открывают и не закрывают двери с замком",
        "los invasores no abren ni cierran puertas de seguridad",
    ),
    "it is not a marine's turn": Words("сейчас не ход морпеха", "no es el turno de un marine"),
    "it is the turn of {figure}": Words("сейчас ход: {figure}", "es el turno de: {figure}"),
    "name a weapon that {attacker} has: {weapons}": Words(
        "назовите оружие, которое есть у фигурки {attacker}: {weapons}",
        "nombra un arma que tenga {attacker}: {weapons}",
    ),
    "name dice of this attack by their places, each once": Words(
        "назовите кубики этой атаки по местам, каждый один раз",
        "nombra los dados de este ataque por su lugar, cada uno una vez",
    ),
    "no attack is left in this turn": Words("в этом ходе атак больше нет", "no queda ningún ataque en este turno"),
    "no attack may go on now; only a weapon that blows through does, at once": Words(
        "сейчас атаку не продолжить; это может только оружие, бьющее насквозь, и сразу",
        "ahora ningún ataque puede continuar; solo lo hace un arma que atraviesa, y en el acto",
    ),
    "no way leads from {attacker} to {target}; the range is unknown": Words(
        "нет пути: {attacker} – {target}; дальность неизвестна",
        "ningún camino lleva de {attacker} a {target}; se desconoce la distancia",
    ),
    "nobody is acting now; begin the next turn or activation first": Words(
        "сейчас никто не действует; начните следующий ход или активацию",
        "ahora nadie actúa; empieza el siguiente turno o activación",
    ),
    "only a blast hits more than one figure": Words(
        "только взрыв попадает больше чем в одну фигурку", "solo una explosión alcanza a más de una figura"
    ),
    "only a blast that missed hits elsewhere": Words(
        "только промахнувшийся взрыв попадает в другое место", "solo una explosión fallida cae en otro sitio"
    ),
    "only a marine who readies places an order, and only one": Words(
        "приказ отдаёт только морпех в готовности, и только один",
        "solo un marine que se prepara da una orden, y solo una",
    ),
    "only a medic places the order to heal": Words(
        "приказ лечить отдаёт только медик", "solo un médico da la orden de curar"
    ),
    "only marines pick up tokens": Words("жетоны подбирают только морпехи", "solo los marines recogen fichas"),
    "only one spawn card is played in a turn": Words(
        "за ход разыгрывают только одну карту появления", "solo se juega una carta de aparición por turno"
    ),
    "roll these dice: {dice}": Words("бросьте эти кубики: {dice}", "tira estos dados: {dice}"),
    "say what changes: range or damage": Words(
        "назовите, что меняется: дальность или урон", "di qué cambia: alcance o daño"
    ),
    "say which cells the figure ends on": Words(
        "назовите клетки, на которых фигурка останавливается", "di en qué casillas termina la figura"
    ),
    "say which figure is attacked": Words("назовите, какую фигурку атакуют", "di a qué figura se ataca"),
    "spawned invaders need empty spaces": Words(
        "для новых захватчиков нужны свободные клетки", "los invasores que aparecen necesitan casillas vacías"
    ),
    "spawning is the second step of the invader's turn": Words(
        "появление – второй шаг хода захватчика", "la aparición es el segundo paso del turno del invasor"
    ),
    "the action of this turn was declared already": Words(
        "действие этого хода уже объявлено", "la acción de este turno ya está declarada"
    ),
    "the figure {figure} is on the board; remove it first to use it": Words(
        "фигурка {figure} уже на поле; сначала уберите её",
        "la figura {figure} está en el tablero; retírala antes de usarla",
    ),
    "the invaders act in the third step of the invader's turn": Words(
        "захватчики действуют на третьем шаге своего хода", "los invasores actúan en el tercer paso de su turno"
    ),
    "the match has begun already": Words("партия уже началась", "la partida ya ha empezado"),
    "the match has not begun": Words("партия ещё не началась", "la partida no ha empezado"),
    "the scenario does not say what {color} dice show; roll them by hand and type them in": Words(
        "в сценарии не сказано, что есть на гранях кубика ({color}); бросьте кубики рукой и введите",
        "el escenario no dice qué muestra el dado {color}; tira los dados a mano y escríbelos",
    ),
    "there is no attack to resolve; attack first": Words(
        "нет атаки, которую можно завершить; сначала атакуйте", "no hay ningún ataque que resolver; ataca antes"
    ),
    "there is no invader “{kind}” in this scenario; choose one that is listed": Words(
        "в этом сценарии нет захватчика «{kind}»; выберите из списка",
        "no hay ningún invasor «{kind}» en este escenario; elige uno de la lista",
    ),
    "there is no marine “{figure}” in this scenario; choose one that is listed": Words(
        "в этом сценарии нет морпеха «{figure}»; выберите из списка",
        "no hay ningún marine «{figure}» en este escenario; elige uno de la lista",
    ),
    "there is no token “{item}” on the board; choose one that is": Words(
        "на поле нет жетона «{item}»; выберите тот, что есть",
        "no hay ninguna ficha «{item}» en el tablero; elige una que esté",
    ),
    "there is no {drop} die left to leave out": Words(
        "не осталось кубика, который можно убрать ({drop})", "no queda ningún dado que quitar ({drop})"
    ),
    "there is not so much movement left": Words("столько движения уже нет", "no queda tanto movimiento"),
    "there is nothing to discard: the hand holds up to {hand_limit}": Words(
        "сбрасывать нечего: на руке можно держать {hand_limit}",
        "no hay nada que descartar: la mano admite {hand_limit}",
    ),
    "there is nothing to re-roll": Words("перебрасывать нечего", "no hay nada que volver a tirar"),
    "this group has no more of {kind}": Words("в этой группе больше нет: {kind}", "este grupo no tiene más de: {kind}"),
    "this is a spawn card; it is played in the second step": Words(
        "это карта появления; её разыгрывают на втором шаге", "es una carta de aparición; se juega en el segundo paso"
    ),
    "this move costs {cost} and {left} points are left": Words(
        "это движение стоит {cost}, а осталось очков: {left}", "este movimiento cuesta {cost} y quedan {left} puntos"
    ),
    "{attacker} does not guard now": Words("{attacker} сейчас не прикрывает", "{attacker} no está en guardia ahora"),
    "{attacker} does not see {target}": Words("{attacker} не видит цель: {target}", "{attacker} no ve a {target}"),
    "{attacker} has no order to aim": Words(
        "у фигурки {attacker} нет приказа целиться", "{attacker} no tiene orden de apuntar"
    ),
    "{attacker} has no {ammo} left for {weapon}": Words(
        "{attacker}: для оружия {weapon} больше нет боеприпасов ({ammo})",
        "a {attacker} no le queda munición ({ammo}) para {weapon}",
    ),
    "{blocking} stands in the door, so it cannot be closed": Words(
        "дверь не закрыть, в ней стоит: {blocking}", "no se puede cerrar la puerta; está en medio: {blocking}"
    ),
    "{door} is closed already": Words("{door}: уже закрыто", "{door} ya está cerrada"),
    "{door} is locked; a marine has to pick up “{key}” first": Words(
        "{door}: заперто; сначала морпех должен подобрать «{key}»",
        "{door} está cerrada con llave; un marine debe recoger antes «{key}»",
    ),
    "{door} is open already": Words("{door}: уже открыто", "{door} ya está abierta"),
    "{figure} does not stand beside {door}": Words(
        "{figure} не стоит рядом: {door}", "{figure} no está junto a {door}"
    ),
    "{figure} does not stand on {item}": Words("{figure} не стоит на жетоне: {item}", "{figure} no está sobre {item}"),
    "{figure} has acted in this turn": Words(
        "{figure}: действие в этом ходе уже было", "{figure} ya ha actuado en este turno"
    ),
    "{figure} has no order to dodge": Words(
        "у фигурки {figure} нет приказа уклоняться", "{figure} no tiene orden de esquivar"
    ),
    "{figure} has no order to {order}": Words(
        "у фигурки {figure} нет приказа: {order}", "{figure} no tiene orden de {order}"
    ),
    "{figure} has no wounds": Words("{figure}: ран нет", "{figure} no tiene heridas"),
    "{figure} has yet to choose dice": Words("{figure} ещё выбирает кубики", "{figure} tiene que elegir dados todavía"),
    "{figure} is a marine and dodges by an order": Words(
        "{figure} – морпех и уклоняется по приказу", "{figure} es un marine y esquiva con una orden"
    ),
    "{figure} is no invader on the board": Words(
        "{figure} – не захватчик на поле", "{figure} no es un invasor en el tablero"
    ),
    "{figure} is not attacked": Words("{figure} сейчас не атакуют", "{figure} no está siendo atacado"),
    "{figure} is not on the board": Words("{figure}: нет на поле", "{figure} no está en el tablero"),
    "{figure} is on the board already": Words("{figure}: уже на поле", "{figure} ya está en el tablero"),
    "{figure} is put back at the start of his turn": Words(
        "{figure} возвращается в начале своего хода", "{figure} vuelve al principio de su turno"
    ),
    "{figure} was fragged; put the figure back first": Words(
        "{figure}: фраг; сначала верните фигурку на поле", "{figure} sufrió un frag; devuelve antes la figura"
    ),
    "{target} does not stand beside {done}": Words(
        "{target} не стоит рядом: {done}", "{target} no está junto a {done}"
    ),
    "{target} was attacked by this shot already": Words(
        "{target}: этот выстрел сюда уже попадал", "{target} ya fue atacado con este disparo"
    ),
    "“{card}” has no such group to spawn": Words(
        "на карте «{card}» нет такой группы", "«{card}» no tiene ese grupo de aparición"
    ),
}
