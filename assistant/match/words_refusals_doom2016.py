"""Why a command was refused in a match of DOOM (2016), in Russian and Spanish."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.match.words import Words

WORDS: Mapping[str, Words] = {
    "a card of this name is in use at this moment": Words(
        "карта с этим именем сейчас в игре", "una carta con ese nombre está en uso en este momento"
    ),
    "a demon card was chosen already": Words("карта демонов уже выбрана", "ya se eligió una carta de demonio"),
    "argent goes to the demon cards of this group": Words(
        "аргент кладут на карты демонов этой группы", "el argent va a las cartas de demonio de este grupo"
    ),
    "argent is gained in the status phase only": Words(
        "аргент получают только в фазе статуса", "el argent se gana solo en la fase de estado"
    ),
    "at most {max_argent_cards} cards a round become argent": Words(
        "аргентом за раунд становится карт не больше чем {max_argent_cards}",
        "como mucho {max_argent_cards} cartas por ronda se convierten en argent",
    ),
    "begin the round first: prepare the initiative cards": Words(
        "сначала начните раунд: подготовьте карты инициативы",
        "empieza antes la ronda: prepara las cartas de iniciativa",
    ),
    "choose a demon card first": Words("сначала выберите карту демонов", "elige antes una carta de demonio"),
    "choose at least one card to discard": Words(
        "выберите хотя бы одну карту для сброса", "elige al menos una carta que descartar"
    ),
    "entering a cell costs at least one point": Words(
        "вход в клетку стоит не меньше одного очка", "entrar en una casilla cuesta al menos un punto"
    ),
    "entering costs {cost}, which is more than what is left": Words(
        "вход стоит {cost}, это больше, чем осталось", "entrar cuesta {cost}, más de lo que queda"
    ),
    "in the tutorial no demon opens a door while a portal is on the board": Words(
        "в обучении демоны не открывают дверь, пока на поле есть портал",
        "en el tutorial ningún demonio abre una puerta mientras haya un portal en el tablero",
    ),
    "it is the activation of {figure}": Words("сейчас активация: {figure}", "es la activación de {figure}"),
    "it is the activation of {figure}; wait for the next one": Words(
        "сейчас активация: {figure}; дождитесь следующей", "es la activación de {figure}; espera a la siguiente"
    ),
    "no attack is left in this activation": Words(
        "в этой активации атак больше нет", "no queda ningún ataque en esta activación"
    ),
    "no defence card was revealed yet": Words(
        "карта защиты ещё не открыта", "todavía no se ha revelado ninguna carta de defensa"
    ),
    "no marine is being attacked": Words("сейчас никакого морпеха не атакуют", "no se está atacando a ningún marine"),
    "no movement is left": Words("движения не осталось", "no queda movimiento"),
    "no way leads from {attacker} to {defender}": Words(
        "нет пути: {attacker} – {defender}", "ningún camino lleva de {attacker} a {defender}"
    ),
    "nobody is activated; reveal the next initiative card first": Words(
        "никто не активирован; откройте следующую карту инициативы",
        "nadie está activado; revela la siguiente carta de iniciativa",
    ),
    "none": Words("нет", "ninguno"),
    "none; it is fragged instead": Words("нет; это фраг", "ninguna; sufre un frag"),
    "nothing summons from this portal now": Words(
        "сейчас из этого портала никого не призывают", "ahora no se invoca nada desde este portal"
    ),
    "only a defender in cover takes a second card, and only one": Words(
        "вторую карту берёт только защитник в укрытии, и только одну",
        "solo un defensor a cubierto toma una segunda carta, y solo una",
    ),
    "place one argent for each discarded card": Words(
        "положите по одному аргенту за каждую сброшенную карту", "coloca un argent por cada carta descartada"
    ),
    "place {least} argent, or up to {most} with the card's own": Words(
        "положите аргента {least} или, вместе с тем, что на карте, до {most}",
        "coloca {least} de argent, o hasta {most} con el de la carta",
    ),
    "reveal the defence card first": Words("сначала откройте карту защиты", "revela antes la carta de defensa"),
    "say what changes: damage or shields": Words(
        "назовите, что меняется: урон или щиты", "di qué cambia: daño o escudos"
    ),
    "summoned demons need free cells": Words(
        "для призванных демонов нужны свободные клетки", "los demonios invocados necesitan casillas libres"
    ),
    "the activation is not over; end it first": Words(
        "активация не окончена; сначала завершите её", "la activación no ha terminado; termínala antes"
    ),
    "the class card of {figure} is exhausted": Words(
        "карта класса уже использована: {figure}", "la carta de clase de {figure} está agotada"
    ),
    "the defence was revealed already": Words("защита уже открыта", "la defensa ya se ha revelado"),
    "the first round has not begun": Words("первый раунд ещё не начался", "la primera ronda no ha empezado"),
    "the invader has to summon first": Words(
        "захватчик должен сначала призвать демонов", "el invasor tiene que invocar antes"
    ),
    "the invasion card has no such group": Words(
        "на карте вторжения нет такой группы", "la carta de invasión no tiene ese grupo"
    ),
    "the main action of this activation is used up": Words(
        "главное действие этой активации уже использовано", "la acción principal de esta activación ya está usada"
    ),
    "the marine enters a cell of {demon}; choose one of them": Words(
        "морпех входит в клетку демона ({demon}); выберите одну из них",
        "el marine entra en una casilla de {demon}; elige una",
    ),
    "the mission does not say what {color} dice show; roll them by hand and type them in": Words(
        "в миссии не сказано, что есть на гранях кубика ({color}); бросьте кубики рукой и введите",
        "la misión no dice qué muestra el dado {color}; tira los dados a mano y escríbelos",
    ),
    "the round is not over; play all initiative cards first": Words(
        "раунд не окончен; сначала разыграйте все карты инициативы",
        "la ronda no ha terminado; juega antes todas las cartas de iniciativa",
    ),
    "the tutorial ignores abilities that cost argent": Words(
        "в обучении свойства, которые стоят аргента, не действуют",
        "el tutorial ignora las capacidades que cuestan argent",
    ),
    "there are not so many argent tokens left in the box": Words(
        "в коробке столько жетонов аргента не осталось", "no quedan tantas fichas de argent en la caja"
    ),
    "there is no demon card “{kind}” in play": Words(
        "в игре нет карты демонов «{kind}»", "no hay ninguna carta de demonio «{kind}» en juego"
    ),
    "there is no demon card “{kind}” in this mission; choose one that is listed": Words(
        "в этой миссии нет карты демонов «{kind}»; выберите из списка",
        "no hay ninguna carta de demonio «{kind}» en esta misión; elige una de la lista",
    ),
    "there is no item “{item}” on the board; choose one that is": Words(
        "на поле нет предмета «{item}»; выберите тот, что есть",
        "no hay ningún objeto «{item}» en el tablero; elige uno que esté",
    ),
    "there is no marine “{figure}” in this mission; choose one that is listed": Words(
        "в этой миссии нет морпеха «{figure}»; выберите из списка",
        "no hay ningún marine «{figure}» en esta misión; elige uno de la lista",
    ),
    "there is no portal “{portal}” on the board; choose one that is": Words(
        "на поле нет портала «{portal}»; выберите тот, что есть",
        "no hay ningún portal «{portal}» en el tablero; elige uno que esté",
    ),
    "there is no teleporter “{teleporter}”; choose one that is on the board": Words(
        "телепорта «{teleporter}» нет; выберите тот, что на поле",
        "no hay ningún teletransportador «{teleporter}»; elige uno que esté en el tablero",
    ),
    "there is not enough argent on that card": Words(
        "на этой карте не хватает аргента", "no hay bastante argent en esa carta"
    ),
    "this group belongs to a portal of another colour": Words(
        "эта группа – для портала другого цвета", "este grupo es de un portal de otro color"
    ),
    "this group brings {wanted} of {kind}, and {here} were placed": Words(
        "в этой группе {kind}: {wanted}, а поставлено {here}",
        "este grupo trae {wanted} de {kind}, y se han colocado {here}",
    ),
    "this initiative card is a marine's": Words(
        "эта карта инициативы – морпеха", "esta carta de iniciativa es de un marine"
    ),
    "{attacker} does not see {defender}": Words(
        "{attacker} не видит цель: {defender}", "{attacker} no ve a {defender}"
    ),
    "{attacker} has no attack ready; play an action card with an attack first": Words(
        "у фигурки {attacker} нет готовой атаки; сначала сыграйте карту действия с атакой",
        "{attacker} no tiene ningún ataque listo; juega antes una carta de acción con un ataque",
    ),
    "{defender} is no enemy on the board": Words(
        "{defender} – не враг на поле", "{defender} no es un enemigo en el tablero"
    ),
    "{defender} is {range} away; this attack reaches {reach}": Words(
        "{defender}: дальность {range}, а эта атака достаёт на {reach}",
        "{defender} está a {range}; este ataque llega a {reach}",
    ),
    "{demon} is no demon on the board": Words("{demon} – не демон на поле", "{demon} no es un demonio en el tablero"),
    "{demon} is not next to {figure}": Words("{demon} не стоит рядом: {figure}", "{demon} no está junto a {figure}"),
    "{demon} is not staggered": Words("{demon} не ошеломлён", "{demon} no está tambaleándose"),
    "{far} would stand neither on the portal nor next to it": Words(
        "ни на портале, ни рядом не стояли бы: {far}", "no estarían ni en el portal ni junto a él: {far}"
    ),
    "{figure} does not stand on {teleporter}": Words(
        "{figure} не стоит на телепорте: {teleporter}", "{figure} no está sobre {teleporter}"
    ),
    "{figure} goes to a nearest free cell that it could enter: {shown}": Words(
        "{figure} отходит на ближайшую свободную клетку, куда может войти: {shown}",
        "{figure} va a una de las casillas libres más cercanas en las que puede entrar: {shown}",
    ),
    "{figure} has no damage": Words("{figure}: урона нет", "{figure} no tiene daño"),
    "{figure} is acting; end that first": Words(
        "сейчас действует {figure}; сначала закончите это", "{figure} está actuando; termina eso antes"
    ),
    "{figure} is no marine on the board": Words(
        "{figure} – не морпех на поле", "{figure} no es un marine en el tablero"
    ),
    "{figure} is not of this group": Words("{figure} – не из этой группы", "{figure} no es de este grupo"),
    "{figure} is not stunned": Words("{figure}: оглушения нет", "{figure} no tiene aturdimiento"),
    "{figure} is small and displaces nobody; end on free cells": Words(
        "{figure} мала и никого не вытесняет; остановитесь на свободных клетках",
        "{figure} es pequeña y no desplaza a nadie; termina en casillas libres",
    ),
    "{figure} is stunned already": Words("{figure}: оглушение уже есть", "{figure} ya tiene aturdimiento"),
    "{figure} plays reactions in activations of others, not in his own activation": Words(
        "{figure} играет реакции в чужих активациях, не в своей",
        "{figure} juega reacciones en activaciones ajenas, no en la propia",
    ),
    "{figure} respawns at the start of his next activation": Words(
        "{figure} возрождается в начале своей следующей активации",
        "{figure} reaparece al principio de su próxima activación",
    ),
    "{figure} stands on no active teleporter": Words(
        "{figure} не стоит на активном телепорте", "{figure} no está sobre ningún teletransportador activo"
    ),
    "{figure} was fragged; respawn on an active teleporter first": Words(
        "{figure}: фраг; сначала возродитесь на активном телепорте",
        "{figure} sufrió un frag; reaparece antes en un teletransportador activo",
    ),
    "{strays} does not stand under {figure}; only who does is displaced": Words(
        "под фигуркой {figure} не стоит: {strays}; вытесняют только тех, кто под ней",
        "debajo de {figure} no está: {strays}; solo se desplaza a quien lo está",
    ),
    "{taken} stands on {teleporter}; choose another": Words(
        "на телепорте {teleporter} стоит {taken}; выберите другой", "{taken} está sobre {teleporter}; elige otro"
    ),
    "{teleporter} is active already": Words("{teleporter}: уже активен", "{teleporter} ya está activo"),
    "{teleporter} is not active": Words("{teleporter}: не активен", "{teleporter} no está activo"),
    "“{card}” is a reaction; play it when its text says": Words(
        "«{card}» – реакция; её играют, когда сказано на карте",
        "«{card}» es una reacción; juégala cuando lo diga su texto",
    ),
    "“{card}” is no reaction": Words("«{card}» – не реакция", "«{card}» no es una reacción"),
    "“{card}” is not among the initiative cards left: {left}": Words(
        "«{card}» нет среди оставшихся карт инициативы: {left}",
        "«{card}» no está entre las cartas de iniciativa que quedan: {left}",
    ),
    "“{figure}” does not wait to act; these do: {waiting}": Words(
        "«{figure}» не ждёт действия; ждут: {waiting}", "«{figure}» no espera para actuar; esperan: {waiting}"
    ),
    "“{kind}” is not ready; choose one of {kinds}": Words(
        "«{kind}» не готов; выберите из этих: {kinds}", "«{kind}» no está listo; elige uno de: {kinds}"
    ),
}
