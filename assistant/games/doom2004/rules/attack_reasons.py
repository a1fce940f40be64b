"""The rules of attacks in DOOM (2004) that reasons refer to, and their sentences.

“Rules” is the rule book (seed document 002, by its attack steps; page 11 in English is seed 004).
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Phrase, Rule, by_id

AMMO = Rule(
    "doom2004/ammo",
    Phrase(
        "Rules, additional rules on ammunition (public restatement)",
        "Правила, дополнительные правила о боеприпасах (открытый пересказ)",
        "Reglas, reglas adicionales de munición (paráfrasis pública)",
    ),
    Phrase(
        "A marine needs a matching token to attack and discards one, never more, if any die shows a bullet.",
        "Для атаки нужен жетон патронов; если хоть один кубик показал пулю, сбрасывают ровно один.",
        "Para atacar hace falta una ficha de munición; si algún dado muestra una bala se descarta solo una.",
    ),
    {
        "spent": Phrase(
            "A bullet shows: {attacker} discards one token.",
            "Выпала пуля: {attacker} сбрасывает один жетон.",
            "Sale una bala: {attacker} descarta una ficha.",
        ),
        "none": Phrase(
            "{attacker} has no token left and cannot attack.",
            "У {attacker} нет жетонов, атаковать нельзя.",
            "{attacker} no tiene fichas y no puede atacar.",
        ),
    },
)
REROLL = Rule(
    "doom2004/re-roll",
    Phrase("Rules p. 11, “Re-rolls”", "Правила, стр. 11, «Перебросы»", "Reglas, pág. 11, «Repeticiones de tirada»"),
    Phrase(
        "Aim and dodge make dice roll again, once for an attack; both together cancel out.",
        "Прицеливание и уклонение дают переброс, один раз за атаку; вместе они взаимно отменяются.",
        "Apuntar y esquivar repiten dados, una vez por ataque; juntos se anulan.",
    ),
    {
        "aimed": Phrase(
            "The attack is aimed: any dice may be rolled again once.",
            "Атака прицельная: любые кубики можно перебросить один раз.",
            "El ataque va apuntado: se pueden repetir dados una vez.",
        ),
        "dodged": Phrase(
            "{target} dodges: chosen dice are rolled again once.",
            "{target} уклоняется: выбранные кубики перебрасывают один раз.",
            "{target} esquiva: se repiten una vez los dados elegidos.",
        ),
        "cancel": Phrase(
            "Aim and dodge cancel out: nothing is rolled again.",
            "Прицеливание и уклонение отменяют друг друга: перебросов нет.",
            "Apuntar y esquivar se anulan: no se repite nada.",
        ),
    },
)
HIT = Rule(
    "doom2004/hit",
    Phrase("Rules, attack, steps 3 and 4", "Правила, атака, шаги 3 и 4", "Reglas, ataque, pasos 3 y 4"),
    Phrase(
        "A miss face misses; otherwise the range numbers together must reach the range.",
        "Грань промаха – промах; иначе сумма дальностей должна достичь цели.",
        "Una cara de fallo falla; si no, la suma de alcances debe llegar al objetivo.",
    ),
    {
        "hit": Phrase(
            "{attacker} reaches {reached}, needs {range}: a hit.",
            "{attacker}: дальность {reached} при нужных {range} – попадание.",
            "{attacker} alcanza {reached} y necesita {range}: impacto.",
        ),
        "short": Phrase(
            "{attacker} reaches {reached}, needs {range}: a miss.",
            "{attacker}: дальность {reached} при нужных {range} – промах.",
            "{attacker} alcanza {reached} y necesita {range}: fallo.",
        ),
        "miss": Phrase(
            "A die shows the miss face: {attacker} misses.",
            "Выпала грань промаха: {attacker} промахивается.",
            "Sale la cara de fallo: {attacker} falla.",
        ),
    },
)
ACCURACY = Rule(
    "doom2004/accuracy",
    Phrase(
        "Rules, back cover: Accuracy (public restatement)",
        "Правила, задняя обложка: Меткость (открытый пересказ)",
        "Reglas, contraportada: Precisión (paráfrasis pública)",
    ),
    Phrase(
        "Accuracy adds 1 to the range for each icon.",
        "Точность прибавляет 1 к дальности за каждый значок.",
        "La precisión suma 1 al alcance por cada icono.",
    ),
    {
        "told": Phrase(
            "Accuracy adds {change} to the range.",
            "Точность прибавляет {change} к дальности.",
            "La precisión suma {change} al alcance.",
        )
    },
)
DEADLY = Rule(
    "doom2004/deadly",
    Phrase(
        "Rules, back cover: Deadly (public restatement)",
        "Правила, задняя обложка: Смертоносность (открытый пересказ)",
        "Reglas, contraportada: Letal (paráfrasis pública)",
    ),
    Phrase(
        "Deadly adds 1 to the damage for each icon.",
        "Смертоносность прибавляет 1 к урону за каждый значок.",
        "Letal suma 1 al daño por cada icono.",
    ),
    {
        "told": Phrase(
            "Deadly adds {change} to the damage.",
            "Смертоносность прибавляет {change} к урону.",
            "Letal suma {change} al daño.",
        )
    },
)
WOUNDS = Rule(
    "doom2004/wounds",
    Phrase("Rules, attack, step 5", "Правила, атака, шаг 5", "Reglas, ataque, paso 5"),
    Phrase(
        "Each full armour value in the damage is a wound; the rest is lost.",
        "Каждое полное значение брони в уроне – рана; остаток пропадает.",
        "Cada valor entero de armadura en el daño es una herida; el resto se pierde.",
    ),
    {
        "told": Phrase(
            "Damage {damage} against armour {armour}: {target} takes wounds: {wounds}.",
            "Урон {damage} против брони {armour}: {target} получает ран: {wounds}.",
            "Daño {damage} contra armadura {armour}: {target} recibe heridas: {wounds}.",
        ),
        "killed": Phrase(
            "{target} has lost all its {health} wounds and is out.",
            "{target} потерял все {health} ран и выбывает.",
            "{target} ha perdido sus {health} heridas y cae.",
        ),
    },
)

ATTACK_RULES: Mapping[str, Rule] = by_id((AMMO, REROLL, ACCURACY, HIT, DEADLY, WOUNDS))
