"""A short match of DOOM 2016 in the order of seed 001, for its page of the order of play."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from loading import beside

PAGES = beside(__file__, "order_pages")
Line = PAGES.Line

TITLE = "DOOM (2016)"

CARDS: dict[str, dict[str, Any]] = {
    "shot": {"name": "Shot", "kind": "main", "movement": 3, "attack": {"range": 6, "dice": {"red": 1}}},
    "armour": {"name": "Armour", "kind": "reaction", "shields": 1, "when": "defending"},
    "skin": {"name": "Skin", "when": "defending", "effects": [{"effect": "damage", "amount": -1}]},
    "fury": {"name": "Fury", "when": "attacking", "effects": [{"effect": "damage", "amount": 1}]},
}
STEADY = {"name": "Steady", "when": "attacking", "exhausts": True, "effects": [{"effect": "reroll", "count": 1}]}
FLOW = {"name": "Onslaught", "card": "threat", "on": "status", "outcomes": [{"outcome": "threat", "count": 1}]}
EVENTS = ["skin", "fury"] * 9


def begin(build: ModuleType) -> Any:
    """Return two marines, two imps and a pinky on a bare corridor, with a portal that threat pays for."""
    base = build.mission(build.TUTORIAL)
    marines = [
        {**marine, "deck": ["shot", "armour"] * 5, "hand": 6, "abilities": [STEADY]}
        for marine in base.setup["marines"][:2]
    ]
    demons = [
        {**demon, "cells": {"imp-1": [[5, 0]]} if demon["kind"] == "imp" else {}}
        for demon in base.setup["demons"]
        if demon["kind"] in ("imp", "pinky")
    ]
    changes = {
        "marines": marines,
        "demons": demons,
        "cards": CARDS,
        "events": EVENTS,
        "glory": [],
        "goals": {"frags": {"2": 4}},
        "portals": [{"id": "portal-1", "color": "blue", "cell": [8, 1]}],
        "invasion": [{"portal": "blue", "demons": {"pinky": 1}, "argent": 1}],
        "triggers": [FLOW],
        "threat_cost": 1,
    }
    match = build.begun(build.with_setup(base, **changes), seed="order")
    match.do("see", document=build.corridor(13, 3))
    return match


LINES = (
    Line("«В эту фазу, Захватчик формирует колоду Инициативы»", "status", {"shuffled_here": False}, "Status phase"),
    Line(
        "«может использовать для вызова демонов в начале каждой фазы Статуса»", "spend_threat", {"portal": "portal-1"}
    ),
    Line(
        "«размещая фигуры на портале и вокруг него»",
        "summon",
        {"portal": "portal-1", "group": 0, "cells": {"pinky-1": [[7, 1], [8, 1]]}, "argent": {"pinky": 1}},
    ),
    Line("«добирает на руку карты Событий из колоды Событий, количеством до шести штук»", "draw_events"),
    Line(
        "«должен скинуть в фазе Статуса до трех карт Событий»", "gain_argent", {"cards": ["skin"], "onto": {"imp": 1}}
    ),
    Line(
        "«Захватчик вскрывает верхнюю карту колоды Инициативы»", "reveal", {"card": "alpha"}, "Activation of a marine"
    ),
    Line("«Морпех разыгрывает по одной карте за раз»", "play", {"card": "shot"}),
    Line("«Демоны и морпехи могут тратить свои очки движения»", "move", {"figure": "alpha", "cells": [[1, 1]]}),
    Line(
        "«1. Выбрать Защитника … 2. Бросить кубики»",
        "attack",
        {"defender": "imp-1", "rolled_here": False, "dice": [["red", 1]]},
        "An attack of a marine",
    ),
    Line("«3. Определить защиту: … он вскрывает верхнюю карту своей колоды Событий»", "defend"),
    Line("«Защитник может изменить результат атаки»", "play_event", {"card": "skin"}),
    Line("«4. Добавить эффекты «Во время атаки»»", "use_ability", {"figure": "alpha", "ability": "Steady"}),
    Line("«переброс кубиков»", "reroll", {"which": [0], "rolled_here": False, "faces": [3]}),
    Line("«5. Подсчитать урон»", "resolve"),
    Line(
        "«как до, так и после выполнения атак»",
        "move",
        {"figure": "alpha", "cells": [[2, 1]]},
        "The rest of the activation",
    ),
    Line("«В конце своего хода морпех сбрасывает все сыгранные карты»", "end"),
    Line(
        "«Если вскрытая карта Инициативы принадлежит Захватчику»", "reveal", {"card": "invader"}, "Activation of demons"
    ),
    Line("«выбирает одну из ПОДГОТОВЛЕННЫХ карт Демонов»", "activate_kind", {"kind": "pinky"}),
    Line("«Активация выполняется по одной фигуре за раз»", "activate", {"figure": "pinky-1"}),
    Line(
        "«Большая фигура может закончить свое движение на клетках, содержащих … маленькие фигуры»",
        "move",
        {"figure": "pinky-1", "cells": [[2, 1], [3, 1]]},
    ),
    Line("«по выбору его владельца»", "displace", {"figure": "alpha", "cells": [[1, 1]]}),
    Line(
        "«демон может выполнить атаку, указанную на его карте»",
        "attack",
        {"defender": "alpha", "rolled_here": False, "dice": [["black", 1], ["red", 2], ["red", 1]]},
        "An attack of a demon",
    ),
    Line("«он вскрывает верхнюю карту своей колоды Действий»", "defend"),
    Line("«Для того чтобы разыграть карту реакции морпех должен взять ее из своей руки»", "react", {"card": "armour"}),
    Line("«Атакующий может изменить результат атаки»", "play_event", {"card": "fury"}),
    Line("«Защитник вычитает количество значков щита из количества значков урона»", "resolve"),
    Line("«После активации Морпеха или Демона, Захватчик сбрасывает вскрытую кару»", "end", part="The end of a round"),
    Line("«вскрывает следующую верхнюю карту колоды Инициативы»", "reveal", {"card": "bravo"}),
    Line("«закончить ход»", "end"),
    Line(
        "«Карты вскрываются и происходит активация до тех пор, пока … не останется карт»", "reveal", {"card": "invader"}
    ),
    Line("«Для этого Захватчик выбирает одну из ПОДГОТОВЛЕННЫХ карт Демонов»", "activate_kind", {"kind": "imp"}),
    Line("«Затем раунд заканчивается и начинается следующий раунд»", "end"),
)
