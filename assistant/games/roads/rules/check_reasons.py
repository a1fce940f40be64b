"""The rules of psychology, manoeuvres and shots in ``roads`` that reasons refer to, and their sentences.

The source is the known fragment of “Дороги Апокалипсиса” (seed document 003), named by its headings.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Phrase, Rule, by_id

ROUT = Rule(
    "roads/rout",
    Phrase("“Rout test”", "«Тест на Разгром»", "«Prueba de desbandada»"),
    Phrase(
        "With a third of the models out, D6 up to the leader's Spirit at the start of the turn, or the side loses.",
        "Если треть вне игры, в начале хода D6 не больше Силы духа командира, иначе отряд проигрывает.",
        "Con un tercio fuera, al empezar el turno D6 hasta el Espíritu del líder, o el bando pierde.",
    ),
    {
        "due": Phrase(
            "{out} of {starting} are out: test on Spirit {spirit}, chance {chance}.",
            "Вне игры {out} из {starting}: тест на Силу духа {spirit}, шанс {chance}.",
            "Fuera {out} de {starting}: prueba de Espíritu {spirit}, probabilidad {chance}.",
        ),
        "not_due": Phrase(
            "{out} of {starting} are out: no rout test yet.",
            "Вне игры {out} из {starting}: тест на разгром не нужен.",
            "Fuera {out} de {starting}: aún no hay prueba de desbandada.",
        ),
    },
)
ESCAPE = Rule(
    "roads/escape",
    Phrase("“Flight”; “Fleeing from combat”", "«Побег»; «Бегство из боя»", "«Huida»; «Escapar del combate»"),
    Phrase(
        "Alone against two or more: D6 up to Spirit, or one automatic hit from each and flight by D6 steps.",
        "Один против двух и более: D6 не больше Силы духа, иначе по попаданию от каждого и бегство на D6 шагов.",
        "Solo contra dos o más: D6 hasta el Espíritu, o un impacto de cada uno y huida de D6 pasos.",
    ),
    {
        "told": Phrase(
            "{figure} tests on Spirit {spirit}, chance {chance}; who breaks takes {hits} automatic hits.",
            "{figure}: тест на Силу духа {spirit}, шанс {chance}; при бегстве попаданий: {hits}.",
            "{figure}: prueba de Espíritu {spirit}, probabilidad {chance}; si huye recibe {hits} impactos.",
        )
    },
)
FEAR = Rule(
    "roads/fear",
    Phrase("“Fear”", "«Страх»", "«Miedo»"),
    Phrase(
        "Charged by what causes fear: test, or the attack die is halved. Charging it: test, or stand still.",
        "Атакован вызывающим страх: тест, иначе кубик вдвое меньше. Сам атакует: тест, иначе стоит.",
        "Cargado por quien causa miedo: prueba o medio dado. Al cargarlo: prueba o quedarse quieto.",
    ),
    {
        "charged": Phrase(
            "{figure} is charged by a terrible enemy: Spirit {spirit}, chance {chance}, or half the attack die.",
            "{figure} атакован страшным врагом: Сила духа {spirit}, шанс {chance}, иначе половина кубика атаки.",
            "Un enemigo temible carga contra {figure}: Espíritu {spirit}, probabilidad {chance}, o medio dado.",
        ),
        "charging": Phrase(
            "{figure} wants to charge a terrible enemy: Spirit {spirit}, chance {chance}, or it stands still.",
            "{figure} хочет напасть на страшного врага: Сила духа {spirit}, шанс {chance}, иначе стоит.",
            "{figure} quiere cargar contra un enemigo temible: Espíritu {spirit}, probabilidad {chance}, o se queda.",
        ),
    },
)
CLIMB = Rule(
    "roads/climb",
    Phrase("“Climbing”", "«Лазание»", "«Escalar»"),
    Phrase(
        "Mobility test; up to half the Mobility a turn at double cost; higher than the Mobility cannot be climbed.",
        "Тест на Подвижность; до половины Подвижности за ход по двойной цене; выше Подвижности нельзя.",
        "Prueba de Movilidad; hasta media Movilidad por turno a doble coste; más alto que la Movilidad, imposible.",
    ),
    {
        "too_high": Phrase(
            "{height} steps are higher than Mobility {mobility}: it cannot be climbed.",
            "Высота в шагах, {height}, больше Подвижности {mobility}: не взобраться.",
            "{height} pasos superan la Movilidad {mobility}: no se puede trepar.",
        ),
        "up": Phrase(
            "Up {rise} of {height} steps for {cost} of Mobility {mobility}, chance {chance}, or no move this turn.",
            "Вверх на {rise} из {height} (в шагах) за {cost} из Подвижности {mobility}: шанс {chance}, иначе стоит.",
            "Sube {rise} de {height} pasos por {cost} de Movilidad {mobility}, probabilidad {chance}, o no se mueve.",
        ),
        "down": Phrase(
            "Down {rise} of {height} steps for {cost} of Mobility {mobility}, chance {chance}, or a fall.",
            "Вниз на {rise} из {height} (в шагах) за {cost} из Подвижности {mobility}, шанс {chance}, иначе падение.",
            "Baja {rise} de {height} pasos por {cost} de Movilidad {mobility}, probabilidad {chance}, o cae.",
        ),
    },
)
GAP = Rule(
    "roads/jump-gap",
    Phrase("“Jumping over gaps”", "«Прыжки через провалы»", "«Saltos sobre huecos»"),
    Phrase(
        "Gaps up to a step wide: the width comes off the movement, then a Mobility test, or a fall.",
        "Провал до шага: ширина вычитается из движения, затем тест на Подвижность или падение.",
        "Huecos de hasta un paso: se resta el ancho del movimiento y se prueba la Movilidad, o se cae.",
    ),
    {
        "short": Phrase(
            "{left} steps left for a gap of {width}: a fall without a test.",
            "Осталось шагов: {left}, провал {width}: падение без теста.",
            "Quedan {left} pasos para un hueco de {width}: cae sin prueba.",
        ),
        "test": Phrase(
            "A gap of {width} of the {left} steps left: chance {chance}.",
            "Провал {width}, осталось шагов {left}: шанс {chance}.",
            "Un hueco de {width} de los {left} pasos que quedan: probabilidad {chance}.",
        ),
    },
)
JUMP_DOWN = Rule(
    "roads/jump-down",
    Phrase("“Jumping down”; “Giant leap”", "«Прыжок вниз»; «Гигантский скачок»", "«Saltar abajo»; «Salto gigante»"),
    Phrase(
        "Up to 2 steps: one Mobility test for each full step; any failure is a fall from the top.",
        "До 2 шагов: тест на Подвижность за каждый полный шаг; любой провал – падение сверху.",
        "Hasta 2 pasos: una prueba de Movilidad por paso entero; si falla una, cae desde arriba.",
    ),
    {
        "told": Phrase(
            "Down {height} steps: tests {tests}, chance {chance}.",
            "Вниз, шагов {height}: тестов {tests}, шанс {chance}.",
            "Baja {height} pasos: pruebas {tests}, probabilidad {chance}.",
        )
    },
)
DUCK = Rule(
    "roads/duck",
    Phrase("“Duck!”", "«Пригнись!»", "«¡Agáchate!»"),
    Phrase(
        "The target rolls D6 and Mobility against the shooter's roll.",
        "Цель бросает D6 с Подвижностью против броска стрелка.",
        "El objetivo tira D6 más Movilidad contra la tirada del tirador.",
    ),
    {},
)
TAKE_COVER = Rule(
    "roads/take-cover",
    Phrase("“Take cover!”", "«В укрытие!»", "«¡A cubierto!»"),
    Phrase(
        "A target may move into cover within a step, or else drop to the ground, and then only shoots this turn.",
        "Цель может уйти в укрытие в пределах шага, иначе залечь; затем в этот ход только стреляет.",
        "El blanco puede ponerse a cubierto a un paso o, si no, echarse al suelo; luego solo dispara.",
    ),
    {
        "near": Phrase(
            "{figure} could take cover at {pieces}.",
            "{figure} может укрыться: {pieces}.",
            "{figure} podría cubrirse en {pieces}.",
        ),
        "none": Phrase(
            "{figure} has no cover within a step and could only drop to the ground.",
            "У бойца {figure} нет укрытия в пределах шага: можно только залечь.",
            "{figure} no tiene cobertura a un paso y solo podría echarse al suelo.",
        ),
    },
)

SHOOT_FIRST = Rule(
    "roads/shoot-first",
    Phrase("“Shooting first”", "«Стрельба на опережение»", "«Disparar primero»"),
    Phrase(
        "Both roll D6 and Mobility; the target shoots first, at -1, only if it is higher.",
        "Оба бросают D6 с Подвижностью; цель стреляет первой и с -1, только если у неё больше.",
        "Ambos tiran D6 más Movilidad; el objetivo dispara primero, a -1, solo si supera.",
    ),
    {
        "told": Phrase(
            "D6 + {target} against D6 + {shooter}: the target shoots first with chance {chance}, at -1.",
            "D6 + {target} против D6 + {shooter}: цель стреляет первой с шансом {chance}, с -1.",
            "D6 + {target} contra D6 + {shooter}: el objetivo dispara antes con probabilidad {chance}, a -1.",
        )
    },
)
WATCH = Rule(
    "roads/watch",
    Phrase("“Watch”; “Shooting on watch”", "«Дозор»; «Стрельба в дозоре»", "«Guardia»; «Disparar en guardia»"),
    Phrase(
        "A shot on watch at who appears, disappears or charges the watcher has -1 to hit.",
        "Выстрел в дозоре по появляющимся, исчезающим и нападающим на дозорного: -1 на попадание.",
        "El disparo en guardia a quien aparece, desaparece o carga contra el vigía tiene -1 a impactar.",
    ),
    {
        "told": Phrase(
            "{figure} shoots on watch: {change} to hit.",
            "{figure} стреляет в дозоре: {change} на попадание.",
            "{figure} dispara en guardia: {change} a impactar.",
        ),
        "free": Phrase(
            "{figure} shoots on watch at a steady target: no change.",
            "{figure} стреляет в дозоре по видимой цели: без штрафа.",
            "{figure} dispara en guardia a un blanco estable: sin cambio.",
        ),
    },
)
AMBUSH = Rule(
    "roads/ambush",
    Phrase("“Shooting from ambush”", "«Стрельба из засады»", "«Disparar en emboscada»"),
    Phrase(
        "Every enemy who saw the target fall and has the shooter in view tests Mobility; one success finds him.",
        "Каждый враг, видевший гибель цели и видящий стрелка, проходит тест на Подвижность; хватит одного успеха.",
        "Cada enemigo que vio caer al objetivo y tiene al tirador a la vista prueba Movilidad; basta un éxito.",
    ),
    {
        "told": Phrase(
            "Witnesses: {count}; the shooter stays hidden with chance {chance}.",
            "Свидетелей: {count}; стрелок остаётся скрытым с шансом {chance}.",
            "Testigos: {count}; el tirador sigue oculto con probabilidad {chance}.",
        )
    },
)

DEED_RULES: Mapping[str, Rule] = by_id(
    (ROUT, ESCAPE, FEAR, CLIMB, GAP, JUMP_DOWN, DUCK, TAKE_COVER, SHOOT_FIRST, WATCH, AMBUSH),
)
