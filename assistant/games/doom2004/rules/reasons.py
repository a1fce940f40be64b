"""The rules of DOOM: The Boardgame (2004) that reasons refer to: where each stands, and its sentences.

“Rules” is the rulebook, known in machine Spanish (seed document 002) and by its page 11 (seed document 004).
"""

from __future__ import annotations

from assistant.games.doom2004.rules.attack_reasons import ATTACK_RULES
from assistant.rules.phrases_doubt import doubt_rule
from assistant.rules.reasons import Phrase, Rule, by_id, what_if_rule

RANGE = Rule(
    "doom2004/range",
    Phrase(
        "Rules, attack steps 2 and 3; obstacles: inferred from the exception for attacks without sight",
        "Правила, шаги атаки 2 и 3; препятствия: вывод из исключения для атак без видимости",
        "Reglas, pasos 2 y 3 del ataque; obstáculos: deducido de la excepción de los ataques sin visión",
    ),
    Phrase(
        "Range is the number of spaces on the shortest path round walls, closed doors and blocking obstacles.",
        "Дальность — число клеток кратчайшего пути в обход стен, закрытых дверей и препятствий.",
        "El alcance es el número de espacios del camino más corto que rodea muros, puertas cerradas y obstáculos.",
    ),
    {
        "counted": Phrase("Range {range}.", "Дальность: {range}.", "Alcance: {range}."),
        "none": Phrase(
            "No path leads to {defender}, so there is no range.",
            "Пути до фигуры {defender} нет, дальность не считается.",
            "Ningún camino lleva hasta {defender}; no hay alcance.",
        ),
    },
)

SIGHT = Rule(
    "doom2004/line-of-sight",
    Phrase(
        "Rules, attack, step 2 “Line of sight”; figures of several spaces: p. 11, “Oversized Invaders”",
        "Правила, атака, шаг 2 «Линия видимости»; фигуры на нескольких клетках: стр. 11, «Огромные захватчики»",
        "Reglas, ataque, paso 2 «Línea de visión»; figuras de varias casillas: pág. 11, «Invasores enormes»",
    ),
    Phrase(
        "A straight line from the centre of the attacker's space to the centre of the target's must meet no wall, "
        "closed door, blocking obstacle or other figure.",
        "Прямая от центра клетки атакующего до центра клетки цели не должна встречать стен, закрытых дверей, "
        "препятствий и других фигур.",
        "La línea recta del centro del espacio del atacante al centro del espacio objetivo no debe tocar muros, "
        "puertas "
        "cerradas, obstáculos ni otras figuras.",
    ),
    {
        "clear": Phrase(
            "Line of sight: the line from centre {origin} to centre {target} is free.",
            "Линия видимости есть: прямая от центра {origin} до центра {target} свободна.",
            "Hay línea de visión: la línea del centro {origin} al centro {target} está libre.",
        ),
        "blocked": Phrase(
            "No line of sight: from centre {origin} to centre {target} the line is cut by {blocker}.",
            "Линии видимости нет: прямую от центра {origin} до центра {target} перекрывает: {blocker}.",
            "No hay línea de visión: del centro {origin} al centro {target} la línea está cortada por {blocker}.",
        ),
        "all_blocked": Phrase(
            "No line of sight: every line from {attacker} to {defender} is cut. "
            "Nearest miss: {origin} to {target}, cut by {blocker}.",
            "Линии видимости нет: все прямые от фигуры {attacker} до фигуры {defender} перекрыты. "
            "Ближе всего: {origin} – {target}, мешает: {blocker}.",
            "No hay línea de visión: todas las líneas de {attacker} a {defender} están cortadas. "
            "La que menos falla: {origin} a {target}, cortada por {blocker}.",
        ),
    },
)

ADJACENT = Rule(
    "doom2004/adjacent",
    Phrase(
        "Rules, “Movement” and melee attacks",
        "Правила, «Движение» и рукопашные атаки",
        "Reglas, «Movimiento» y ataques cuerpo a cuerpo",
    ),
    Phrase(
        "Spaces that share a side or a corner are adjacent unless a wall or a closed door parts them.",
        "Клетки с общей стороной или углом — соседние, если их не разделяет стена или закрытая дверь.",
        "Dos espacios que comparten un lado o una esquina son adyacentes si no los separa un muro o una puerta "
        "cerrada.",
    ),
    {
        "yes": Phrase(
            "{attacker} and {defender} are adjacent.",
            "{attacker} и {defender} стоят на соседних клетках.",
            "{attacker} y {defender} son adyacentes.",
        ),
        "parted": Phrase(
            "{attacker} and {defender} stand side by side but something parts them: not adjacent.",
            "{attacker} и {defender} рядом, но их что-то разделяет: клетки не соседние.",
            "{attacker} y {defender} están juntos, pero algo los separa: no son adyacentes.",
        ),
    },
)

OPTION = Rule(
    "doom2004/option",
    Phrase(
        "an open point of the printed rules, settled by a house rule",
        "в печатных правилах этого нет, решено домашним правилом",
        "un punto que las reglas impresas dejan abierto, resuelto por una regla de la casa",
    ),
    Phrase(
        "Where the printed rules are silent, the house's option decides.",
        "Где правила молчат, решает договорённость стола.",
        "Donde las reglas callan, decide la opción de la casa.",
    ),
    {
        "decides": Phrase(
            "This rests on the house option {option} = {choice}; with {other} {outcome}.",
            "Это решено договорённостью {option} = {choice}; при {other} {outcome}.",
            "Esto depende de la opción de la casa {option} = {choice}; con {other} {outcome}.",
        )
    },
)

MOVE = Rule(
    "doom2004/movement",
    Phrase("Rules, “Movement”", "Правила, «Движение»", "Reglas, «Movimiento»"),
    Phrase(
        "One point a step in eight directions; friends may be passed, enemies and blocking obstacles not; "
        "a move ends on empty spaces.",
        "Одно очко за шаг в восьми направлениях; сквозь своих идти можно, сквозь врагов и препятствия нельзя; "
        "движение заканчивается на пустых клетках.",
        "Un punto por paso en ocho direcciones; se puede pasar por aliados, no por enemigos ni obstáculos; "
        "el movimiento termina en espacios vacíos.",
    ),
    {},
)

OVERSIZED = Rule(
    "doom2004/oversized",
    Phrase(
        "Rules p. 11, “Oversized Invaders”",
        "Правила, стр. 11, «Огромные захватчики»",
        "Reglas, pág. 11, «Invasores enormes»",
    ),
    Phrase(
        "A demon of two spaces snakes (one half steps, the other takes its place) or sidesteps diagonally as a whole; "
        "figures of four spaces move like others.",
        "Демон на двух клетках ползёт (одна половина шагает, другая занимает её место) или целиком шагает по "
        "диагонали; "
        "фигуры на четырёх клетках ходят как все.",
        "Un demonio de dos espacios serpentea (una mitad avanza y la otra ocupa su lugar) o da un paso diagonal "
        "entero; "
        "las figuras de cuatro espacios se mueven como las demás.",
    ),
    {},
)

DOOR = Rule(
    "doom2004/doors",
    Phrase("restatement of the rules, “Doors”", "пересказ правил, «Двери»", "paráfrasis de las reglas, «Puertas»"),
    Phrase(
        "A figure on a space next to a door opens or closes it for two points.",
        "Фигура на клетке у двери открывает или закрывает её за два очка.",
        "Una figura en un espacio junto a una puerta la abre o la cierra por dos puntos.",
    ),
    {},
)

SPAWN = Rule(
    "doom2004/spawn",
    Phrase("Rules, “Step 2: Spawning”", "Правила, «Шаг 2: появление»", "Reglas, «Paso 2: generación»"),
    Phrase(
        "New invaders are placed out of sight of every marine; for this, invaders block no sight.",
        "Новых захватчиков ставят вне видимости всех морпехов; сами захватчики при этом обзору не мешают.",
        "Los nuevos invasores se colocan fuera de la vista de todo marine; para esto los invasores no bloquean "
        "la visión.",
    ),
    {},
)

BLAST = Rule(
    "doom2004/blast",
    Phrase(
        "restatement of the rules, p. 12, “Blast”",
        "пересказ правил, стр. 12, «Взрыв»",
        "paráfrasis de las reglas, pág. 12, «Explosión»",
    ),
    Phrase(
        "A blast hits every figure within so many spaces of the target; it does not pass walls, closed doors or "
        "blocking obstacles.",
        "Взрыв задевает все фигуры не дальше стольких клеток от цели; сквозь стены, закрытые двери и препятствия "
        "он не идёт.",
        "Una explosión alcanza a toda figura a esa distancia del objetivo; no atraviesa muros, puertas cerradas "
        "ni obstáculos.",
    ),
    {},
)

SCATTER = Rule(
    "doom2004/scatter",
    Phrase("Rules p. 11, “Scatter”", "Правила, стр. 11, «Отклонение»", "Reglas, pág. 11, «Dispersión»"),
    Phrase(
        "A blast weapon that misses lands so many spaces off; it fizzles if a wall, a closed door or a blocking "
        "obstacle is in the way.",
        "Промах взрывного оружия отлетает на столько клеток; если на пути стена, закрытая дверь или препятствие, "
        "выстрел пропадает.",
        "Un arma explosiva que falla cae tantos espacios más allá; se pierde si un muro, una puerta cerrada o un "
        "obstáculo "
        "está en el camino.",
    ),
    {},
)

BLOW_THROUGH = Rule(
    "doom2004/blow-through",
    Phrase(
        "restatement of the rules, p. 12, “Blow-Through”",
        "пересказ правил, стр. 12, «Навылет»",
        "paráfrasis de las reglas, pág. 12, «Atravesar»",
    ),
    Phrase(
        "After an attack, a space adjacent to the last one may be attacked with one die less; no figure twice.",
        "После атаки можно атаковать соседнюю с последней клетку с одним кубиком меньше; никого дважды.",
        "Tras un ataque se puede atacar un espacio adyacente al último con un dado menos; ninguna figura dos veces.",
    ),
    {},
)

DAMAGING = Rule(
    "doom2004/damaging-obstacles",
    Phrase(
        "restatement of the rules, “Obstacles”; once a move: p. 11, “Oversized Invaders”",
        "пересказ правил, «Препятствия»; раз за движение: стр. 11, «Огромные захватчики»",
        "paráfrasis de las reglas, «Obstáculos»; una vez por movimiento: pág. 11, «Invasores enormes»",
    ),
    Phrase(
        "Entering a damaging obstacle costs one wound, and staying on it the whole turn another; large figures "
        "take one "
        "a move.",
        "Вход на опасное препятствие стоит одну рану, целый ход на нём — ещё одну; большие фигуры — одну за движение.",
        "Entrar en un obstáculo dañino cuesta una herida y quedarse todo el turno otra; las figuras grandes, una por "
        "movimiento.",
    ),
    {},
)

WHAT_IF = what_if_rule("doom2004")

DOUBT = doubt_rule("doom2004")

RULES = {
    **ATTACK_RULES,
    **by_id(
        (
            RANGE,
            SIGHT,
            ADJACENT,
            MOVE,
            OVERSIZED,
            DOOR,
            SPAWN,
            BLAST,
            SCATTER,
            BLOW_THROUGH,
            DAMAGING,
            OPTION,
            WHAT_IF,
            DOUBT,
        )
    ),
}
