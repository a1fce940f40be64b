"""The rules of ``roads`` about the table that reasons refer to, and their sentences; melee's are beside them.

The source is the known fragment of “Дороги Апокалипсиса” (seed document 003), named by its headings.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.roads.rules.check_reasons import DEED_RULES
from assistant.games.roads.rules.melee_reasons import MELEE_RULES
from assistant.rules.reasons import Phrase, Rule, by_id

DISTANCE = Rule(
    "roads/distance",
    Phrase(
        "distances between the edges of the bases: inferred (option distance_ref); steps throughout the rules",
        "расстояние между краями баз: вывод (настройка distance_ref); шаги названы во всех правилах",
        "distancias entre los bordes de las peanas: deducido (opción distance_ref); los pasos, en todas las reglas",
    ),
    Phrase(
        "Distances are measured between the edges of the bases, in steps.",
        "Расстояние измеряется между краями баз, в шагах.",
        "Las distancias se miden entre los bordes de las peanas, en pasos.",
    ),
    {
        "apart": Phrase(
            "{steps} steps ({mm} mm) lie between the bases.",
            "Между базами шагов: {steps} ({mm} мм).",
            "Entre las peanas hay {steps} pasos ({mm} mm).",
        ),
        "contact": Phrase(
            "The bases touch: {attacker} and {defender} are in base contact.",
            "Базы соприкасаются: {attacker} и {defender} в базовом контакте.",
            "Las peanas se tocan: {attacker} y {defender} están en contacto.",
        ),
    },
)

SIGHT = Rule(
    "roads/line-of-sight",
    Phrase(
        "not in the known fragment; inferred (options sight_lines and sight_figures)",
        "в известном фрагменте этого нет; вывод (настройки sight_lines и sight_figures)",
        "no está en el fragmento conocido; deducido (opciones sight_lines y sight_figures)",
    ),
    Phrase(
        "Lines go from the eye over the middle of the viewer's base to the top of the target, over the middle and both "
        "outermost points of its base; a wall stops a line that enters its outline below its height.",
        "Прямые идут от глаз над серединой базы к верху цели над серединой и двумя крайними точками её базы; "
        "стена перекрывает прямую, входящую в её контур ниже её высоты.",
        "Las líneas van del ojo sobre el centro de la peana a lo alto del objetivo, sobre el centro y los dos puntos "
        "extremos de su peana; un muro corta la línea que entra en su contorno por debajo de su altura.",
    ),
    {
        "clear": Phrase(
            "{attacker} sees {defender}: free lines {free} of {count}.",
            "{attacker} видит {defender}: свободных прямых {free} из {count}.",
            "{attacker} ve a {defender}: líneas libres {free} de {count}.",
        ),
        "blocked": Phrase(
            "{attacker} does not see {defender}: every line is stopped, the first by {blocker}.",
            "{attacker} не видит {defender}: все прямые перекрыты, первая: {blocker}.",
            "{attacker} no ve a {defender}: todas las líneas están cortadas, la primera por {blocker}.",
        ),
    },
)

COVER = Rule(
    "roads/cover",
    Phrase(
        "“Modifiers of combat results” and “Camouflage” name cover; what gives it: inferred (option cover_height)",
        "«Модификаторы результатов боя» и «Маскировка» называют укрытие; что его даёт: вывод (настройка cover_height)",
        "«Modificadores del combate» y «Camuflaje» nombran la cobertura; qué la da: deducido (opción cover_height)",
    ),
    Phrase(
        "A target has cover if a sight line passes over low cover, or if a part of it is hidden.",
        "У цели есть укрытие, если прямая проходит над низким укрытием или часть цели скрыта.",
        "El objetivo tiene cobertura si una línea pasa sobre cobertura baja o si una parte está oculta.",
    ),
    {
        "none": Phrase(
            "No cover: no line to {defender} passes over cover, and none is stopped.",
            "Укрытия нет: ни одна прямая до {defender} не проходит над укрытием и не перекрыта.",
            "Sin cobertura: ninguna línea hasta {defender} pasa sobre cobertura ni está cortada.",
        ),
        "low": Phrase(
            "{defender} has cover: a line passes over {blocker}.",
            "У {defender} есть укрытие: прямая проходит над: {blocker}.",
            "{defender} tiene cobertura: una línea pasa sobre {blocker}.",
        ),
        "part": Phrase(
            "{defender} has cover: {blocker} hides a part of it.",
            "У {defender} есть укрытие: часть скрывает {blocker}.",
            "{defender} tiene cobertura: {blocker} oculta una parte.",
        ),
    },
)

IN_MELEE = Rule(
    "roads/who-fights",
    Phrase("“Who may fight”", "«Кто может сражаться»", "«Quién puede luchar»"),
    Phrase(
        "Who touches an enemy's base fights and does not shoot, whichever way he faces.",
        "Чья база касается вражеской, тот дерётся и не стреляет, куда бы ни был повёрнут.",
        "Quien toca la peana de un enemigo combate y no dispara, mire adonde mire.",
    ),
    {
        "told": Phrase(
            "{attacker} is in melee and does not shoot.",
            "{attacker} в рукопашной и не стреляет.",
            "{attacker} está en combate y no dispara.",
        )
    },
)

DRAWN_IN = Rule(
    "roads/draw-in",
    Phrase("“Drawing into melee”", "«Втягивание в рукопашную схватку»", "«Arrastrar al cuerpo a cuerpo»"),
    Phrase(
        "Whoever is within a step of the fighting is moved into it at the start of a round; who is not may not shoot.",
        "В начале раунда всех в радиусе шага от сражающихся придвигают; не втянутые стрелять не могут.",
        "Al comienzo de la ronda quien esté a un paso del combate entra en él; quien no, no puede disparar.",
    ),
    {
        "told": Phrase(
            "{attacker} is within a step of a fight: drawn in, or unable to shoot.",
            "{attacker} в шаге от схватки: втягивается или не может стрелять.",
            "{attacker} está a un paso de un combate: entra en él o no puede disparar.",
        )
    },
)

CAMOUFLAGE = Rule(
    "roads/camouflage",
    Phrase("“Camouflage”", "«Маскировка»", "«Camuflaje»"),
    Phrase(
        "A camouflaged figure cannot be shot at, except by who is within half of his own Mobility in steps.",
        "В замаскированного нельзя стрелять, если до него дальше половины Подвижности стрелка в шагах.",
        "A una figura camuflada no se le dispara, salvo desde la mitad de la propia Movilidad en pasos.",
    ),
    {
        "hidden": Phrase(
            "{defender} is camouflaged, and {attacker} finds only what is within {steps} steps.",
            "{defender} замаскирован, а {attacker} замечает лишь в пределах шагов: {steps}.",
            "{defender} está camuflado y {attacker} solo descubre hasta {steps} pasos.",
        ),
        "found": Phrase(
            "{defender} is camouflaged, but within {steps} steps of {attacker}, who finds it.",
            "{defender} замаскирован, но в пределах шагов ({steps}) от бойца {attacker} и замечен.",
            "{defender} está camuflado, pero a no más de {steps} pasos de {attacker}, que lo descubre.",
        ),
    },
)

LEADER = Rule(
    "roads/leader",
    Phrase("“Squad leaders”", "«Командиры отрядов»", "«Jefes de escuadra»"),
    Phrase(
        "Within 3 steps of a leader who is neither down nor in flight his Spirit may be tested on.",
        "В трёх шагах от командира, который не сбит и не бежит, можно пользоваться его Силой духа.",
        "A no más de 3 pasos de un líder que no está derribado ni huye se usa su Espíritu.",
    ),
    {
        "told": Phrase(
            "{figure} may test on Spirit {spirit} of a leader within 3 steps.",
            "{figure} может проходить тест на Силу духа {spirit} командира в трёх шагах.",
            "{figure} puede probar con el Espíritu {spirit} de un líder a no más de 3 pasos.",
        )
    },
)

LONELY = Rule(
    "roads/alone",
    Phrase("“Flight”", "«Побег»", "«Huida»"),
    Phrase(
        "Who fights two or more with no friend within 3 steps tests at the end of his melee phase.",
        "Кто бьётся с двумя и более без друзей в трёх шагах, проходит тест в конце своей фазы рукопашной.",
        "Quien combate contra dos o más sin un amigo a 3 pasos hace una prueba al final de su fase.",
    ),
    {
        "told": Phrase(
            "{figure} fights alone and must test on Spirit {spirit} at the end of the melee phase.",
            "{figure} бьётся в одиночку: в конце фазы рукопашной тест на Силу духа {spirit}.",
            "{figure} combate solo y debe probar Espíritu {spirit} al final de la fase de combate.",
        )
    },
)

TERROR = Rule(
    "roads/terror",
    Phrase("“Terror”", "«Ужас»", "«Terror»"),
    Phrase(
        "Who starts his turn within 3 steps of a terrible enemy tests on Spirit, or flees.",
        "Начавший ход в трёх шагах от ужасного врага проходит тест на Силу духа, иначе бежит.",
        "Quien empieza su turno a 3 pasos de un enemigo terrible prueba Espíritu, o huye.",
    ),
    {
        "told": Phrase(
            "{figure} is within 3 steps of {enemies}: Spirit {spirit} at the start of the turn, or flight.",
            "{figure} в трёх шагах от: {enemies}. Сила духа {spirit} в начале хода, иначе бегство.",
            "{figure} está a no más de 3 pasos de {enemies}: Espíritu {spirit} al empezar el turno, o huye.",
        )
    },
)

WHAT_IF = Rule(
    "roads/what-if",
    Phrase("follows from the other rules", "следует из остальных правил", "se sigue de las demás reglas"),
    Phrase(
        "One piece of terrain taken away, or one figure where figures block, that would flip the answer.",
        "Один убранный элемент местности (или фигура, если фигуры мешают), меняющий ответ.",
        "Un solo elemento de terreno (o figura, si las figuras estorban) cuya falta cambia la respuesta.",
    ),
    {
        "line_of_sight": Phrase(
            "Without {subject} {attacker} would see {defender}.",
            "Без {subject} {attacker} видел бы {defender}.",
            "Sin {subject}, {attacker} vería a {defender}.",
        ),
        "cover": Phrase(
            "Without {subject} {defender} would have no cover.",
            "Без {subject} у {defender} не было бы укрытия.",
            "Sin {subject}, {defender} no tendría cobertura.",
        ),
        "none": Phrase(
            "Taking away any one thing would change neither sight nor cover.",
            "Если убрать что-то одно, ни видимость, ни укрытие не изменятся.",
            "Quitar una sola cosa no cambiaría ni la visión ni la cobertura.",
        ),
    },
)

HOUSE = Rule(
    "roads/house-option",
    Phrase("the options of the house", "домашние правила", "las reglas de la casa"),
    Phrase(
        "Where the rules are open, the house has chosen.",
        "Где правила оставляют вопрос открытым, выбрал дом.",
        "Donde las reglas callan, la casa ha elegido.",
    ),
    {
        "told": Phrase(
            "This rests on the house option {option} = {choice}; with {other} {outcome}.",
            "Ответ зависит от опции {option} = {choice}; при {other} {outcome}.",
            "Esto depende de la opción {option} = {choice}; con {other} {outcome}.",
        )
    },
)

RULES: Mapping[str, Rule] = {
    **by_id((DISTANCE, SIGHT, COVER, IN_MELEE, DRAWN_IN, CAMOUFLAGE, LEADER, LONELY, TERROR, WHAT_IF, HOUSE)),
    **MELEE_RULES,
    **DEED_RULES,
}
