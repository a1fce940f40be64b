"""The rules of DOOM (2016) that reasons refer to: where each stands, and its sentences.

“Learn to Play” is the game's first booklet, named by its headings (seed document 001, Russian) in each language;
“Rules Reference” is its second one, known through public restatements.
"""

from __future__ import annotations

from assistant.games.doom2016.rules.attack_reasons import ATTACK_RULES
from assistant.rules.phrases_doubt import doubt_rule
from assistant.rules.reasons import Phrase, Rule, by_id, what_if_rule

RANGE = Rule(
    "doom2016/range",
    Phrase(
        "Learn to Play, “Attack” (p. 7); counting round walls: inferred from “Terrain and walls”",
        "Правила игры, «Атака» (стр. 7); счёт в обход стен: вывод из раздела «Местность и стены»",
        "Aprende a jugar, «Ataque» (pág. 7); contar rodeando muros: deducido de «Terreno y muros»",
    ),
    Phrase(
        "Range is the number of cells from the attacker to the defender, the defender's own counted.",
        "Дальность — число клеток от атакующего до защитника, считая клетку защитника.",
        "El alcance es el número de casillas del atacante al defensor, contando la del defensor.",
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
    "doom2016/line-of-sight",
    Phrase(
        "Learn to Play, “Attack” (p. 7); touching and running along: Rules Reference, “Line of Sight”",
        "Правила игры, «Атака» (стр. 7); касание и ход вдоль границы: Справочник правил, «Линия видимости»",
        "Aprende a jugar, «Ataque» (pág. 7); rozar y seguir un borde: Guía de referencia, «Línea de visión»",
    ),
    Phrase(
        "One free straight line from a corner of the attacker's cell to a corner of the defender's cell is enough.",
        "Достаточно одной свободной прямой от угла клетки атакующего до угла клетки защитника.",
        "Basta una línea recta libre de una esquina de la casilla del atacante a una del defensor.",
    ),
    {
        "clear": Phrase(
            "Line of sight: the line from corner {origin} to corner {target} is free.",
            "Линия видимости есть: прямая от угла {origin} до угла {target} свободна.",
            "Hay línea de visión: la línea de la esquina {origin} a la esquina {target} está libre.",
        ),
        "blocked": Phrase(
            "No line of sight: every line from a corner of {attacker} to a corner of {defender} is cut. "
            "Nearest miss: {origin} to {target}, cut by {blocker}.",
            "Линии видимости нет: все прямые от углов фигуры {attacker} до углов фигуры {defender} перекрыты. "
            "Ближе всего: {origin} – {target}, мешает: {blocker}.",
            "No hay línea de visión: todas las líneas de las esquinas de {attacker} a las de {defender} están "
            "cortadas. "
            "La que menos falla: {origin} a {target}, cortada por {blocker}.",
        ),
        "named_blocked": Phrase(
            "No line of sight from corner {origin}: every line to a corner of {defender} is cut. "
            "Nearest miss: the one to {target}, cut by {blocker}.",
            "От угла {origin} линии видимости нет: все прямые до углов фигуры {defender} перекрыты. "
            "Ближе всего: до {target}, мешает: {blocker}.",
            "No hay línea de visión desde la esquina {origin}: todas las líneas a las esquinas de {defender} están "
            "cortadas. La que menos falla: hasta {target}, cortada por {blocker}.",
        ),
    },
)

COVER = Rule(
    "doom2016/cover",
    Phrase(
        "Learn to Play, “Cover”; the same corner as for sight: Rules Reference, “Cover”",
        "Правила игры, «Укрытие»; тот же угол, что и для видимости: Справочник правил, «Укрытие»",
        "Aprende a jugar, «Cobertura»; la misma esquina que para la visión: Guía de referencia, «Cobertura»",
    ),
    Phrase(
        "From the corner that sees, lines go to all corners of the defender's cell; if one passes through a "
        "wall, a door, "
        "an obstacle, difficult terrain or another figure's cell, the defender has cover.",
        "От угла, из которого видно, проводят прямые ко всем углам клетки защитника; если хоть одна проходит "
        "через стену, "
        "дверь, препятствие, труднопроходимую местность или клетку другой фигуры, у защитника есть укрытие.",
        "Desde la esquina que ve se trazan líneas a todas las esquinas de la casilla del defensor; si una pasa "
        "por un muro, "
        "una puerta, un obstáculo, terreno difícil o la casilla de otra figura, el defensor tiene cobertura.",
    ),
    {
        "none": Phrase(
            "No cover: from corner {origin} all lines to {defender} are free.",
            "Укрытия нет: от угла {origin} все прямые до фигуры {defender} свободны.",
            "Sin cobertura: desde la esquina {origin} todas las líneas hasta {defender} están libres.",
        ),
        "cover": Phrase(
            "Cover: from corner {origin} the line to {target} passes through {blocker}, "
            "and no corner of {attacker} does better.",
            "Укрытие есть: от угла {origin} прямая до {target} проходит через: {blocker}; "
            "лучшего угла у фигуры {attacker} нет.",
            "Hay cobertura: desde la esquina {origin} la línea hasta {target} pasa por {blocker}, "
            "y ninguna esquina de {attacker} lo mejora.",
        ),
        "named": Phrase(
            "Cover: from corner {origin} the line to {target} passes through {blocker}.",
            "Укрытие есть: от угла {origin} прямая до {target} проходит через: {blocker}.",
            "Hay cobertura: desde la esquina {origin} la línea hasta {target} pasa por {blocker}.",
        ),
    },
)

LARGE_COVER = Rule(
    "doom2016/large-cover",
    Phrase(
        "Learn to Play, “Large figures and attacks”",
        "Правила игры, «Большие фигуры и атака»",
        "Aprende a jugar, «Figuras grandes y ataques»",
    ),
    Phrase(
        "Large figures never have cover.",
        "Большие фигуры не могут иметь укрытия.",
        "Las figuras grandes nunca tienen cobertura.",
    ),
    {
        "none": Phrase(
            "No cover: {defender} is large, and large figures never have cover.",
            "Укрытия нет: {defender} — большая фигура, у больших фигур укрытия не бывает.",
            "Sin cobertura: {defender} es grande, y las figuras grandes nunca tienen cobertura.",
        )
    },
)

ADJACENT = Rule(
    "doom2016/adjacent",
    Phrase(
        "Learn to Play, “Movement” and “Terrain and walls”",
        "Правила игры, «Движение» и «Местность и стены»",
        "Aprende a jugar, «Movimiento» y «Terreno y muros»",
    ),
    Phrase(
        "Cells that share an edge or a corner are adjacent unless a wall or a closed door parts them.",
        "Клетки с общей стороной или углом — соседние, если их не разделяет стена или закрытая дверь.",
        "Dos casillas que comparten un lado o una esquina son adyacentes si no las separa un muro o una puerta "
        "cerrada.",
    ),
    {
        "yes": Phrase(
            "{attacker} and {defender} are adjacent.",
            "{attacker} и {defender} стоят на соседних клетках.",
            "{attacker} y {defender} son adyacentes.",
        ),
        "parted": Phrase(
            "{attacker} and {defender} stand side by side but a wall or a closed door parts them: not adjacent.",
            "{attacker} и {defender} рядом, но их разделяет стена или закрытая дверь: клетки не соседние.",
            "{attacker} y {defender} están juntos, pero los separa un muro o una puerta cerrada: no son adyacentes.",
        ),
    },
)

OPTION = Rule(
    "doom2016/option",
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
    "doom2016/movement",
    Phrase(
        "Learn to Play, “Movement” and “Terrain and walls”",
        "Правила игры, «Движение» и «Местность и стены»",
        "Aprende a jugar, «Movimiento» y «Terreno y muros»",
    ),
    Phrase(
        "One point a step in eight directions; one more into difficult terrain and one more into an enemy's cell; "
        "no move ends on an occupied cell.",
        "Одно очко за шаг в восьми направлениях; ещё одно за труднопроходимую клетку и ещё одно за клетку врага; "
        "движение не заканчивается на занятой клетке.",
        "Un punto por paso en ocho direcciones; uno más al entrar en terreno difícil y otro en la casilla de un "
        "enemigo; "
        "ningún movimiento termina en una casilla ocupada.",
    ),
    {},
)

LARGE_MOVE = Rule(
    "doom2016/large-movement",
    Phrase(
        "Learn to Play, “Large figures and movement”",
        "Правила игры, «Большие фигуры и движение»",
        "Aprende a jugar, «Figuras grandes y movimiento»",
    ),
    Phrase(
        "Large figures do not move diagonally, ignore terrain and small figures, and turn by 90 degrees for one point "
        "if they have two or six cells and keep half of them; small figures below make room.",
        "Большие фигуры не ходят по диагонали, не замечают местности и малых фигур; фигуры из двух или шести клеток "
        "поворачиваются на 90 градусов за очко, оставаясь хотя бы на половине клеток; малые фигуры под ними отходят.",
        "Las figuras grandes no se mueven en diagonal, ignoran el terreno y las figuras pequeñas, y las de dos o seis "
        "casillas giran 90 grados por un punto si conservan la mitad; las figuras pequeñas debajo se apartan.",
    ),
    {},
)

DOOR = Rule(
    "doom2016/doors",
    Phrase(
        "Learn to Play, “Doors”; which cells reach a door: inferred from related games",
        "Правила игры, «Двери»; с каких клеток дотянуться до двери: по родственным играм",
        "Aprende a jugar, «Puertas»; desde qué casillas se alcanza una puerta: deducido de juegos afines",
    ),
    Phrase(
        "A figure next to a door opens it for one point; doors never close again.",
        "Фигура рядом с дверью открывает её за одно очко; двери больше не закрываются.",
        "Una figura junto a una puerta la abre por un punto; las puertas no vuelven a cerrarse.",
    ),
    {},
)

TELEPORT = Rule(
    "doom2016/teleporters",
    Phrase(
        "Learn to Play, “Teleporters” and “Telefrag”",
        "Правила игры, «Телепорты» и «Телефраг»",
        "Aprende a jugar, «Teletransportadores» y «Telefrag»",
    ),
    Phrase(
        "A marine on a teleporter makes it active; another active one then is a step away, and a demon found "
        "there dies.",
        "Морпех на телепорте включает его; другой включённый телепорт — в одном шаге, демон на нём погибает.",
        "Un marine activa el teletransportador que pisa; otro activo queda a un paso, y el demonio que haya muere.",
    ),
    {},
)

GLORY = Rule(
    "doom2016/glory-kill",
    Phrase(
        "Learn to Play, “Glory kills”", "Правила игры, «Идеальное убийство»", "Aprende a jugar, «Muertes gloriosas»"
    ),
    Phrase(
        "A marine who enters the cell of a staggered demon kills it at once.",
        "Морпех, входящий в клетку потрясённого демона, убивает его на месте.",
        "Un marine que entra en la casilla de un demonio tambaleante lo mata en el acto.",
    ),
    {},
)

WHAT_IF = what_if_rule("doom2016")

DOUBT = doubt_rule("doom2016")

RULES = {
    **ATTACK_RULES,
    **by_id(
        (RANGE, SIGHT, COVER, LARGE_COVER, ADJACENT, MOVE, LARGE_MOVE, DOOR, TELEPORT, GLORY, OPTION, WHAT_IF, DOUBT)
    ),
}
