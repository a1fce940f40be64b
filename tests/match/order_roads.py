"""A short skirmish of `roads` in the order of seed 003, for its page of the order of play."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from loading import beside

PAGES = beside(__file__, "order_pages")
Line = PAGES.Line

TITLE = "Roads of the Apocalypse"

ARMS = {"bow": {"kind": "bulky", "silent": True}, "axe": {}, "mace": {}, "knife": {}}


def model(name: str, side: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    values = {"mobility": 4, "toughness": 5, "spirit": 4, "combat": 4, "walk_steps": 4, "run_steps": 8}
    return {"id": name, "side": side, "center_mm": [x, y], **values, "charge_steps": 8, **more}


FIGHTERS = (
    model("guard", "knights", 100, 300, weapons=["bow"], is_leader=True),
    model("squire", "knights", 300, 300, weapons=["axe", "mace"]),
    model("page", "knights", 300, 420),
    model("novice", "knights", 700, 700),
    model("ogre", "diggers", 500, 300, fear=True, shield=True, hates=["knights"]),
    model("digger", "diggers", 525, 360, weapons=["bow"], carries=["knife"]),
    model("brute", "diggers", 900, 800, stupid=True, weapons=["bow"]),
    model("horror", "diggers", 1100, 100, terror=True),
)


def begin(build: ModuleType) -> Any:
    """Return the skirmish before its first turn."""
    sides = ["knights", "diggers"]
    base = build.with_setup(build.mission(build.BRIDGE), sides=sides, fighters=list(FIGHTERS), arms=ARMS)
    match = build.begun(base)
    hedge = {
        "id": "hedge",
        "kind": "cover",
        "height_mm": 20,
        "outline_mm": [[320, 440], [340, 440], [340, 460], [320, 460]],
    }
    match.do("see", document={**build.field(base), "terrain": [hedge]})
    return match


def rolled(sentence: str, roll: int, part: str = "") -> Any:
    return Line(sentence, "test", {"rolled_here": False, "roll": roll}, part)


LINES = (
    Line(
        "«в начале своего хода» (“Тест на Разгром”, “Дозор”; the chapter on turns is lacking)", "begin", part="A turn"
    ),
    Line("«Пешие воины могут встать в дозор в начале своего хода.»", "watch", {"figure": "guard"}),
    Line("«за одну фазу передвижения» (“Лазание”)", "next"),
    Line(
        "«Тест производится, когда атака объявлена, расстояние до цели измерено…»",
        "charge",
        {"figure": "squire", "target": "ogre"},
        "A charge",
    ),
    rolled("«Если воин желает атаковать врага, который вызывает страх, он должен пройти тест…»", 4),
    Line(
        "«Воин может замаскироваться, если он завершает движение возле низкой стены…»",
        "hide",
        {"figure": "page"},
    ),
    Line("«не стреляют в фазу Стрельбы, они слишком заняты боем»", "next"),
    Line(
        "«После объявления выстрела…»",
        "announce",
        {"figure": "novice", "target": "brute"},
        "A shot",
    ),
    Line(
        "«…прибавляет к результату свою Подвижность против броска стрелка.»",
        "react",
        {"figure": "brute", "shooter": "novice", "how": "duck", "rolled_here": False, "roll": 3},
    ),
    Line(
        "“Пригнись!”; the roll of a shot is lacking",
        "shoot",
        {"figure": "novice", "target": "brute", "hits": 1, "total": 8},
    ),
    Line("«Последствия ранений отрабатываются точно так же, как и от стрельбы.»", "wound", {"figure": "brute"}),
    Line("«В фазу Рукопашной все бойцы, чьи базы соприкасаются…»", "next"),
    Line(
        "«На начале каждого раунда схватки придвиньте всех воинов в радиусе одного шага…»",
        "draw_in",
        {"figure": "digger"},
        "A melee",
    ),
    Line(
        "«Игрок должен объявить об этом перед началом схватки.»",
        "wield",
        {"figure": "digger", "weapons": ["knife"]},
    ),
    Line(
        "«Игрок, превосходящий по численности, может решить, кто из его моделей и в какой последовательности…»",
        "fight",
        {"fighters": ["ogre", "squire"], "rolled_here": False, "rolls": [[2, 1], [5, 3]]},
    ),
    Line(
        "«…могут перебросить любые броски атаки в первый ход каждого рукопашного боя.»",
        "reroll",
        {"figure": "ogre", "why": "hatred", "which": [1], "rolled_here": False, "faces": [4]},
    ),
    Line(
        "«…заставить противника перебросить наибольший кубик атаки до подсчета результатов боя.»",
        "reroll",
        {"figure": "ogre", "why": "block", "rolled_here": False, "faces": [2]},
    ),
    Line("«Сравните результаты боя обоих воинов. Разница … – количество попаданий…»", "strike"),
    Line("«Бойцы, имеющие хоть какую-то защиту, могут попытаться отразить удары…»", "wound", {"figure": "squire"}),
    Line(
        "«…каждый воин должен сражаться с каждым противником, находящимся в контакте…»",
        "fight",
        {"fighters": ["digger", "squire"], "rolled_here": False, "rolls": [[1, 1], [6, 5]]},
    ),
    Line("«Нечетные удары можно нанесены любым оружием.»", "strike", {"odd_weapon": "mace"}),
    Line("«Последствия ранений…»", "wound", {"figure": "digger", "out": True}),
    Line("«…он должен пройти тест в конце своей фазы рукопашного боя.» (“Побег”: here nobody is alone)", "next"),
    rolled("«Тупое существо должно в начале своего хода проверить…»", 6, "The turn of the other side"),
    rolled("«Если существо, не прошедшее тест на Тупость, не занято в ближнем бою, бросьте D6.»", 5),
    Line("«за одну фазу передвижения»", "next"),
    Line(
        "«…боец может стрелять в цель до, или после ее движения, или в любой другой момент движения.»",
        "move",
        {"figure": "horror", "center_mm": [950, 100]},
        "A move under overwatch",
    ),
    Line(
        "«Во время хода противника воин может стрелять в любую цель, которою увидит.»",
        "shoot",
        {"figure": "guard", "target": "horror", "weapon": "bow", "moment": 0.5, "hits": 0},
    ),
    Line("«Как только боец в дозоре пострелял, уберите маркер дозора.»", "go_on"),
)
