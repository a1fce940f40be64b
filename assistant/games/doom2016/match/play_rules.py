"""The rules of play of DOOM 2016 by which commands are refused, each with its place in seed 001."""

from __future__ import annotations

from assistant.rules.reasons import Rule
from assistant.translations.messages import message

STATUS = Rule(
    "doom2016/status-phase",
    message("source 001, “Фаза статуса”"),
    message("A round begins with the initiative deck, ready demon cards, event cards and argent."),
)


INITIATIVE = Rule(
    "doom2016/activation-phase",
    message("source 001, “Фаза активации”"),
    message("Initiative cards are revealed one by one; each is one activation."),
)


MARINE = Rule(
    "doom2016/marine-activation",
    message("source 001, “Активация морпеха”"),
    message("A marine plays one main action and any number of bonus actions."),
)


DEMONS = Rule(
    "doom2016/demon-activation",
    message("source 001, “Активация демонов”"),
    message("The invader exhausts a ready demon card and activates each figure of it once."),
)


ATTACK = Rule(
    "doom2016/attack",
    message("source 001, “Атака”"),
    message("An attack needs range and sight; dice, defence card, effects and damage follow."),
)


MOVE = Rule(
    "doom2016/movement",
    message("source 001, “Движение”"),
    message("A figure moves at any time in its activation and ends on a free cell."),
)


DOOR = Rule(
    "doom2016/doors",
    message("source 001, “Двери”"),
    message("A figure beside a door opens it for one point; doors never close."),
)


ITEM = Rule(
    "doom2016/items",
    message("source 001, “Предметы”"),
    message("In his activation a marine takes an item from the cell where he stands."),
)


SPRINT = Rule(
    "doom2016/sprint",
    message("source 001, “Спринт”"),
    message("Instead of the main action a marine discards a card for six points of movement."),
)


REACTION = Rule(
    "doom2016/reaction",
    message("source 001, “Реакция”"),
    message("A marine plays a reaction in another player's activation, when its text says so."),
)


EVENT = Rule(
    "doom2016/events",
    message("source 001, “Карты событий демонов”"),
    message("Each event card says when it is used; two of the same name are not used at once."),
)


PORTAL = Rule(
    "doom2016/portals",
    message("source 001, “Порталы”"),
    message("The mission says when demons are summoned; they come on or beside the portal."),
)


ABILITY = Rule(
    "doom2016/abilities",
    message("source 001, “Способности”"),
    message("Each ability says when it may be used and what it costs."),
)


ARGENT = Rule(
    "doom2016/argent",
    message("source 001, “Аргент-энергия”"),
    message("Up to three event cards a round become argent, which pays for abilities of demon cards."),
)


GLORY = Rule(
    "doom2016/glory-kill",
    message("source 001, “Идеальное убийство”"),
    message("A marine who enters the cell of a staggered demon kills it and heals two."),
)


TELEPORT = Rule(
    "doom2016/teleporters",
    message("source 001, “Телепорты”"),
    message("A fragged marine comes back on an active teleporter; marines go from one to another."),
)


THREAT = Rule(
    "doom2016/threat-card",
    message("source 001, “Карта угрозы”"),
    message("The threat card says which portals summon, and when."),
)


STUN = Rule(
    "doom2016/stun",
    message("source 001, “Оглушение”"),
    message("A stunned figure rolls one die fewer or reveals no card. It is not stunned twice."),
)


DAMAGE = Rule(
    "doom2016/damage",
    message("source 001, “Получение урона”"),
    message("Damage tokens lie beside the figure. As much damage as its health frags it."),
)


COVER = Rule(
    "doom2016/cover-card",
    message("source 001, “Укрытие”"),
    message("A defender in cover may reveal a second card; the first one is ignored."),
)


LARGE = Rule(
    "doom2016/large-figures",
    message("source 001, “Большие фигуры и движение”"),
    message("A large figure that ends on small ones displaces them; each owner chooses a nearest empty cell."),
)
