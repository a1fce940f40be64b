"""The rules of hand-to-hand fighting in ``roads`` that reasons refer to, and their sentences.

The source is the known fragment of “Дороги Апокалипсиса” (seed document 003), named by its headings.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Phrase, Rule, by_id


def _change(rule_id: str, source: Phrase, summary: Phrase, said: Phrase) -> Rule:
    """A rule that adds something to the result, told in one phrase."""
    return Rule(rule_id, source, summary, {"told": said})


TOUGHNESS = _change(
    "roads/current-toughness",
    Phrase("“Current toughness”", "«Текущая стойкость»", "«Resistencia actual»"),
    Phrase(
        "In melee a fighter counts his toughness less the wounds he has taken.",
        "В бою считается стойкость за вычетом полученных ран.",
        "En combate cuenta la resistencia menos las heridas recibidas.",
    ),
    Phrase(
        "{fighter}: toughness {full} less {wounds} wounds is {toughness}.",
        "{fighter}: стойкость {full} минус {wounds} (раны) – {toughness}.",
        "{fighter}: resistencia {full} menos {wounds} heridas: {toughness}.",
    ),
)
UNFELT = _change(
    "roads/full-toughness",
    Phrase("“Current toughness”; “Frenzy”", "«Текущая стойкость»; «Бешенство»", "«Resistencia actual»; «Frenesí»"),
    Phrase(
        "Who feels no pain, or is in frenzy, counts his whole toughness.",
        "Нечувствительный к боли и впавший в бешенство считает полную стойкость.",
        "Quien no siente dolor, o está en frenesí, cuenta toda su resistencia.",
    ),
    Phrase(
        "{fighter} feels no wounds: toughness {toughness}.",
        "{fighter} не чувствует ран: стойкость {toughness}.",
        "{fighter} no siente las heridas: resistencia {toughness}.",
    ),
)
CHARGE = _change(
    "roads/charge",
    Phrase(
        "“Modifiers of combat results”: charge",
        "«Модификаторы результатов боя»: нападение",
        "«Modificadores del combate»: carga",
    ),
    Phrase("Who charged this turn adds 1.", "Нападавший в этот ход прибавляет 1.", "Quien cargó este turno suma 1."),
    Phrase("{fighter} charged: {change}.", "{fighter} нападает: {change}.", "{fighter} cargó: {change}."),
)
HIGHER = _change(
    "roads/higher-ground",
    Phrase(
        "“Modifiers of combat results”: on higher ground",
        "«Модификаторы результатов боя»: на возвышении",
        "«Modificadores del combate»: en altura",
    ),
    Phrase("Who stands higher adds 1.", "Стоящий выше прибавляет 1.", "Quien está más alto suma 1."),
    Phrase(
        "{fighter} stands higher: {change}.",
        "{fighter} стоит выше: {change}.",
        "{fighter} está más alto: {change}.",
    ),
)
ACROSS = _change(
    "roads/across-cover",
    Phrase(
        "“Modifiers of combat results”: charge across an obstacle",
        "«Модификаторы результатов боя»: нападение через препятствие",
        "«Modificadores del combate»: carga a través de un obstáculo",
    ),
    Phrase(
        "Who strikes at an enemy in cover or across an obstacle takes 1 away.",
        "Атакующий противника в укрытии или через препятствие вычитает 1.",
        "Quien ataca a un enemigo a cubierto o tras un obstáculo resta 1.",
    ),
    Phrase(
        "{fighter} strikes across cover: {change}.",
        "{fighter} бьёт через укрытие: {change}.",
        "{fighter} golpea a través de cobertura: {change}.",
    ),
)
JUMP_ATTACK = _change(
    "roads/jump-attack",
    Phrase("“Jump attack”", "«Атака в прыжке»", "«Ataque en salto»"),
    Phrase(
        "An attack out of a jump adds 1 and one attack die in the first round.",
        "Атака в прыжке даёт +1 и ещё один кубик атаки в первый раунд.",
        "Un ataque saltando suma 1 y un dado de ataque en la primera ronda.",
    ),
    Phrase(
        "{fighter} attacks out of a jump: {change}.",
        "{fighter} атакует в прыжке: {change}.",
        "{fighter} ataca saltando: {change}.",
    ),
)
OUTNUMBER = _change(
    "roads/outnumber",
    Phrase("“Many-sided fights”", "«Многосторонние бои»", "«Combates múltiples»"),
    Phrase(
        "Each fighter of the larger side adds 1 and one attack die for each one it has more.",
        "Каждый боец большинства получает +1 и кубик атаки за каждого превосходящего бойца.",
        "Cada luchador del bando mayor suma 1 y un dado por cada uno que tiene de más.",
    ),
    Phrase(
        "{fighter}'s side is larger: {change}.",
        "{fighter}: численное превосходство, {change}.",
        "{fighter} tiene superioridad: {change}.",
    ),
)
CRITICAL = _change(
    "roads/critical",
    Phrase("“Critical blow”", "«Критический удар»", "«Golpe crítico»"),
    Phrase(
        "With two or more dice every six after the first adds 1.",
        "На двух и более кубиках каждая шестёрка после первой прибавляет 1.",
        "Con dos o más dados, cada seis tras el primero suma 1.",
    ),
    Phrase(
        "{fighter} lands a critical blow: {change}.",
        "{fighter}: критический удар, {change}.",
        "{fighter} da un golpe crítico: {change}.",
    ),
)
CONFUSION = _change(
    "roads/confusion",
    Phrase("“Confusion”", "«Замешательство»", "«Confusión»"),
    Phrase(
        "Every one on the enemy's attack dice adds 1.",
        "Каждая единица на кубиках атаки противника прибавляет 1.",
        "Cada uno en los dados de ataque del enemigo suma 1.",
    ),
    Phrase(
        "{fighter}'s enemy stumbles: {change}.",
        "Противник {fighter} в замешательстве: {change}.",
        "El enemigo de {fighter} tropieza: {change}.",
    ),
)
PRINTED = _change(
    "roads/printed-example",
    Phrase("“Number of blows”", "«Количество ударов»", "«Número de golpes»"),
    Phrase(
        "The rule's example prints 2 + 4 + 4 as 11; the house follows the print for exactly these numbers.",
        "В примере правил 2 + 4 + 4 напечатано как 11; для этих чисел дом следует печатному.",
        "El ejemplo de las reglas da 2 + 4 + 4 = 11; para esos números la casa sigue lo impreso.",
    ),
    Phrase(
        "{fighter}: the sum as printed in the example, {change}.",
        "{fighter}: сумма как в напечатанном примере, {change}.",
        "{fighter}: la suma como la imprime el ejemplo, {change}.",
    ),
)
FEAR_HALVES = _change(
    "roads/fear-halves",
    Phrase("“Fear”", "«Страх»", "«Miedo»"),
    Phrase(
        "Who failed the test of fear counts half of his attack die.",
        "Проваливший тест на страх считает половину кубика атаки.",
        "Quien falló la prueba de miedo cuenta la mitad de su dado de ataque.",
    ),
    Phrase(
        "{fighter} is afraid: the {die} counts {halved}.",
        "{fighter} боится: {die} считается как {halved}.",
        "{fighter} tiene miedo: el {die} cuenta {halved}.",
    ),
)
TERROR_COMBAT = _change(
    "roads/terror-combat",
    Phrase("“Terror”", "«Ужас»", "«Terror»"),
    Phrase(
        "Who is drawn into melee in terror has no combat skill.",
        "У втянутого в бой в ужасе боевое умение равно нулю.",
        "Quien entra en combate aterrado tiene pericia 0.",
    ),
    Phrase(
        "{fighter} is in terror: combat skill 0.",
        "{fighter} в ужасе: боевое умение 0.",
        "{fighter} está aterrado: pericia 0.",
    ),
)
DICE = _change(
    "roads/attack-dice",
    Phrase(
        "“Attack die”; “Paired weapons”; “Frenzy”",
        "«Кубик атаки»; «Парное (и более) оружие»; «Бешенство»",
        "«Dado de ataque»; «Armas pareadas»; «Frenesí»",
    ),
    Phrase(
        "The profile's dice (twice as many in frenzy), one for each further weapon, each fighter more and a jump.",
        "Кубики профиля (в бешенстве вдвое), по одному за дополнительное оружие, численное превосходство и прыжок.",
        "Los dados del perfil (el doble en frenesí), uno por cada arma de más, por superioridad y por salto.",
    ),
    Phrase(
        "{fighter} rolls {count} attack dice.",
        "{fighter} бросает кубиков атаки: {count}.",
        "{fighter} tira {count} dados de ataque.",
    ),
)
RESULT = _change(
    "roads/melee-result",
    Phrase("“Determining the winner”", "«Определение победителя»", "«Determinar el vencedor»"),
    Phrase(
        "The result is the highest attack die, current toughness, combat skill and all changes together.",
        "Результат боя – наивысший кубик атаки, текущая стойкость, боевое умение и модификаторы.",
        "El resultado es el dado más alto, la resistencia actual, la pericia y los modificadores.",
    ),
    Phrase(
        "{fighter}: {die} + {toughness} + {combat} {change} = {result}.",
        "{fighter}: {die} + {toughness} + {combat} {change} = {result}.",
        "{fighter}: {die} + {toughness} + {combat} {change} = {result}.",
    ),
)
OUTCOME = Rule(
    "roads/melee-outcome",
    Phrase(
        "“Determining the winner”; “Number of blows”",
        "«Определение победителя»; «Количество ударов»",
        "«Determinar el vencedor»; «Número de golpes»",
    ),
    Phrase(
        "The higher result wins and hits as often as it is higher; of equal ones the higher Mobility wins with 1 hit.",
        "Побеждает больший результат, разница – число попаданий; при равенстве – большая Подвижность с 1 попаданием.",
        "Gana el resultado mayor y la diferencia son los impactos; a igualdad, la mayor Movilidad con 1 impacto.",
    ),
    {
        "hits": Phrase(
            "{fighter} wins {result} to {other}: hits {hits}.",
            "{fighter} побеждает {result}:{other}, попаданий: {hits}.",
            "{fighter} gana {result} a {other}: impactos {hits}.",
        ),
        "tie": Phrase(
            "{result} to {other}: {fighter} is faster and wins, hits {hits}.",
            "{result}:{other}: {fighter} быстрее и побеждает, попаданий: {hits}.",
            "{result} a {other}: {fighter} es más rápido y gana, impactos {hits}.",
        ),
        "draw": Phrase(
            "{result} to {other} and equally fast: a draw, no hits.",
            "{result}:{other}, подвижность равна: ничья, попаданий нет.",
            "{result} a {other} e igual de rápidos: empate, sin impactos.",
        ),
    },
)
NO_BLOWS = _change(
    "roads/stupidity-no-blows",
    Phrase("“Stupidity”", "«Тупость»", "«Estupidez»"),
    Phrase(
        "Who failed his test of stupidity strikes no blows.",
        "Проваливший тест на тупость не наносит ударов.",
        "Quien falló la prueba de estupidez no golpea.",
    ),
    Phrase("{fighter} strikes no blows.", "{fighter} не наносит ударов.", "{fighter} no golpea."),
)
STRIKE_DOWN = _change(
    "roads/strike-down",
    Phrase("“Attacking the fallen”", "«Атака сбитых с ног»", "«Atacar a los derribados»"),
    Phrase(
        "Every attack on a fighter who is down hits; one that gets through and is not saved kills.",
        "Все атаки по сбитому с ног попадают; пробившая и не отражённая доспехами убивает.",
        "Todo ataque a un derribado impacta; uno que penetra y no se salva, mata.",
    ),
    Phrase(
        "{enemy} is down: all {hits} attacks of {fighter} hit.",
        "{enemy} сбит с ног: попадают все атаки {fighter}, числом {hits}.",
        "{enemy} está derribado: impactan los {hits} ataques de {fighter}.",
    ),
)
BLOCK = _change(
    "roads/block",
    Phrase("“Block”", "«Блок»", "«Bloqueo»"),
    Phrase(
        "A shield forces the enemy to re-roll his highest attack die; two shields cancel each other.",
        "Щит заставляет противника перебросить наибольший кубик атаки; два щита взаимно отменяются.",
        "Un escudo obliga al enemigo a repetir su dado más alto; dos escudos se anulan.",
    ),
    Phrase(
        "{enemy} blocks: {fighter} re-rolls the {die}.",
        "{enemy} блокирует: {fighter} перебрасывает {die}.",
        "{enemy} bloquea: {fighter} repite el {die}.",
    ),
)
HATRED = _change(
    "roads/hatred",
    Phrase("“Hatred”", "«Ненависть»", "«Odio»"),
    Phrase(
        "In the first round against a hated enemy any attack dice may be re-rolled.",
        "В первый раунд боя с ненавистным врагом можно перебросить любые кубики атаки.",
        "En la primera ronda contra un enemigo odiado se pueden repetir dados de ataque.",
    ),
    Phrase(
        "{fighter} may re-roll attack dice.",
        "{fighter} может перебросить кубики атаки.",
        "{fighter} puede repetir dados de ataque.",
    ),
)
MELEE_RULES: Mapping[str, Rule] = by_id(
    (
        TOUGHNESS, UNFELT, DICE, BLOCK, HATRED, FEAR_HALVES, TERROR_COMBAT, CHARGE, HIGHER, ACROSS, JUMP_ATTACK,
        OUTNUMBER, CRITICAL, CONFUSION, PRINTED, RESULT, OUTCOME, NO_BLOWS, STRIKE_DOWN,
    )
)  # fmt: skip
