"""The rules of attacks in DOOM (2016) that reasons refer to, and their sentences.

“Learn to Play” is the game's first booklet, named by its headings (seed document 001, Russian).
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Phrase, Rule, by_id

ROLLED = Rule(
    "doom2016/roll",
    Phrase(
        "Learn to Play, “Attack overview”, step 2",
        "Правила игры, «Краткий обзор атаки», шаг 2",
        "Aprende a jugar, «Resumen del ataque», paso 2",
    ),
    Phrase(
        "The attacker rolls the dice that the card shows.",
        "Атакующий бросает указанные на карте кубики.",
        "El atacante tira los dados que indica la carta.",
    ),
    {
        "told": Phrase(
            "{attacker} rolls {count} dice: {icons} damage icons.",
            "{attacker} бросает кубиков: {count}; значков урона: {icons}.",
            "{attacker} tira {count} dados: {icons} iconos de daño.",
        )
    },
)
STUN = Rule(
    "doom2016/stun",
    Phrase("Learn to Play, “Stun”", "Правила игры, «Оглушение»", "Aprende a jugar, «Aturdimiento»"),
    Phrase(
        "A stunned attacker rolls one die fewer; a stunned defender reveals no card. The stun then ends.",
        "Оглушённый бросает на кубик меньше, а защищаясь, не открывает карту. Затем оглушение снимается.",
        "Un atacante aturdido tira un dado menos; un defensor aturdido no revela carta. Luego cesa el aturdimiento.",
    ),
    {
        "attacker": Phrase(
            "{figure} is stunned and rolls one die fewer.",
            "{figure} оглушён и бросает на один кубик меньше.",
            "{figure} está aturdido y tira un dado menos.",
        ),
        "defender": Phrase(
            "{figure} is stunned and reveals no defence card.",
            "{figure} оглушён и не открывает карту защиты.",
            "{figure} está aturdido y no revela carta de defensa.",
        ),
    },
)
CARD = Rule(
    "doom2016/defence-card",
    Phrase(
        "Learn to Play, “Attack overview”, step 3",
        "Правила игры, «Краткий обзор атаки», шаг 3",
        "Aprende a jugar, «Resumen del ataque», paso 3",
    ),
    Phrase(
        "The defender reveals a card: each shield takes away 1 damage, a dodge all of it.",
        "Защитник открывает карту: щит отменяет 1 урон, уклонение – весь.",
        "El defensor revela una carta: cada escudo quita 1 daño; una esquiva, todo.",
    ),
    {
        "told": Phrase(
            "{defender} reveals a card with shields: {shields}.",
            "{defender} открывает карту, щитов: {shields}.",
            "{defender} revela una carta con escudos: {shields}.",
        )
    },
)
SPECIAL = Rule(
    "doom2016/special-defence",
    Phrase(
        "Learn to Play, “Attack overview”, step 3: the icon of special defence",
        "Правила игры, «Краткий обзор атаки», шаг 3: значок особой защиты",
        "Aprende a jugar, «Resumen del ataque», paso 3: el icono de defensa especial",
    ),
    Phrase(
        "The icon on an event card sets off the defence printed on the demon's card.",
        "Значок на карте события запускает защиту с карты демона.",
        "El icono de una carta de evento activa la defensa de la carta del demonio.",
    ),
    {
        "told": Phrase(
            "{defender} uses its special defence, shields: {shields}.",
            "{defender} использует особую защиту, щитов: {shields}.",
            "{defender} usa su defensa especial, escudos: {shields}.",
        )
    },
)
SECOND_CARD = Rule(
    "doom2016/cover-second-card",
    Phrase(
        "Learn to Play, “Cover”; “may” and “must use the second”: restatement of the Rules Reference",
        "Правила игры, «Укрытие»; «может» и «обязан взять вторую»: пересказ Справочника правил",
        "Aprende a jugar, «Cobertura»; «puede» y «debe usar la segunda»: paráfrasis de la Guía de referencia",
    ),
    Phrase(
        "A defender in cover may discard its card and reveal a second one, which it must use.",
        "Защитник в укрытии может сбросить карту и открыть вторую; её надо использовать.",
        "Un defensor a cubierto puede descartar su carta y revelar otra, que debe usar.",
    ),
    {
        "told": Phrase(
            "{defender} has cover, discards the first card and uses the second.",
            "{defender} в укрытии, сбрасывает первую карту и использует вторую.",
            "{defender} está a cubierto, descarta la primera carta y usa la segunda.",
        )
    },
)
THICK_SKIN = Rule(
    "doom2016/thick-skin",
    Phrase("Learn to Play, “Thick-skinned”", "Правила игры, «Толстокожесть»", "Aprende a jugar, «Piel gruesa»"),
    Phrase(
        "Thick skin is always one shield more.",
        "Толстая шкура – всегда ещё один щит.",
        "La piel gruesa es siempre un escudo más.",
    ),
    {
        "told": Phrase(
            "{defender} has thick skin: one shield more.",
            "У {defender} толстая шкура: ещё один щит.",
            "{defender} tiene piel gruesa: un escudo más.",
        ),
        "lost": Phrase(
            "{defender} is stunned, its thick skin does not count (house option stun_thick_skin).",
            "{defender} оглушён, толстая шкура не считается (опция stun_thick_skin).",
            "{defender} está aturdido, su piel gruesa no cuenta (opción stun_thick_skin).",
        ),
    },
)
DAMAGE = Rule(
    "doom2016/damage",
    Phrase(
        "Learn to Play, “Attack overview”, step 5; “Suffering damage” (p. 8)",
        "Правила игры, «Краткий обзор атаки», шаг 5; «Получение урона» (стр. 8)",
        "Aprende a jugar, «Resumen del ataque», paso 5; «Sufrir daño» (pág. 8)",
    ),
    Phrase(
        "Damage is the icons less the shields.",
        "Урон – значки минус щиты.",
        "El daño son los iconos menos los escudos.",
    ),
    {
        "told": Phrase(
            "{icons} icons less {shields} shields: {defender} takes {damage} damage.",
            "Значки: {icons}, щиты: {shields}. {defender} получает урон {damage}.",
            "{icons} iconos menos {shields} escudos: {defender} recibe {damage} de daño.",
        ),
        "dodged": Phrase(
            "{defender} dodges: no damage.", "{defender} уклоняется: урона нет.", "{defender} esquiva: sin daño."
        ),
    },
)
FRAG = Rule(
    "doom2016/frag",
    Phrase("Learn to Play, “Frags”", "Правила игры, «Фраги»", "Aprende a jugar, «Frags»"),
    Phrase(
        "A figure with as much damage as health is fragged and removed at once.",
        "Фигура с уроном не меньше здоровья сразу уничтожается.",
        "Una figura con tanto daño como salud se elimina al instante.",
    ),
    {
        "told": Phrase(
            "That is all of its health of {health}: {defender} is fragged.",
            "Это всё здоровье ({health}): {defender} уничтожен.",
            "Es toda su salud ({health}): {defender} queda eliminado.",
        )
    },
)
STAGGER = Rule(
    "doom2016/stagger",
    Phrase(
        "Learn to Play: the value below the health on the demon card",
        "Правила игры: число под здоровьем на карте демона",
        "Aprende a jugar: el valor bajo la vida en la carta del demonio",
    ),
    Phrase(
        "A demon whose remaining health is at most its stagger value is staggered.",
        "Демон, чьё оставшееся здоровье не больше порога, ошеломлён.",
        "Un demonio cuya salud restante no supera su valor de tambaleo se tambalea.",
    ),
    {
        "told": Phrase(
            "{defender} has {left} health left, at most {stagger}: it is staggered.",
            "У {defender} осталось здоровья {left}, не больше {stagger}: он ошеломлён.",
            "A {defender} le queda {left} de salud, no más de {stagger}: se tambalea.",
        )
    },
)

ATTACK_RULES: Mapping[str, Rule] = by_id(
    (ROLLED, STUN, CARD, SPECIAL, SECOND_CARD, THICK_SKIN, DAMAGE, FRAG, STAGGER),
)
