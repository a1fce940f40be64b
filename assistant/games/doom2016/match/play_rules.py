"""The rules of play of DOOM 2016 that refuse commands, each with its place in seed 001."""

from __future__ import annotations

from assistant.rules.reasons import Rule
from assistant.translations.messages import message

STATUS = Rule(
    "doom2016/status-phase",
    message("Rules, “Status phase”"),
    message("A round begins with the initiative deck, ready demon cards, event cards and argent."),
)


INITIATIVE = Rule(
    "doom2016/activation-phase",
    message("Rules, “Activation phase”"),
    message("Initiative cards are revealed one by one; each is one activation."),
)


MARINE = Rule(
    "doom2016/marine-activation",
    message("Rules, “Marine activation”"),
    message("A marine plays one main action and any number of bonus actions."),
)


DEMONS = Rule(
    "doom2016/demon-activation",
    message("Rules, “Demon activation”"),
    message("The invader exhausts a ready demon card and activates each figure of it once."),
)


ATTACK = Rule(
    "doom2016/attack",
    message("Rules, “Attack”"),
    message("An attack needs range and sight; dice, defence card, effects and damage follow."),
)


MOVE = Rule(
    "doom2016/movement",
    message("Rules, “Movement”"),
    message("A figure moves at any time in its activation and ends on a free cell."),
)


DOOR = Rule(
    "doom2016/doors",
    message("Rules, “Doors”"),
    message("A figure beside a door opens it for one point; doors never close."),
)


ITEM = Rule(
    "doom2016/items",
    message("Rules, “Items”"),
    message("In his activation a marine takes an item from the cell where he stands."),
)


SPRINT = Rule(
    "doom2016/sprint",
    message("Rules, “Sprint”"),
    message("Instead of the main action a marine discards a card for six points of movement."),
)


REACTION = Rule(
    "doom2016/reaction",
    message("Rules, “Reaction”"),
    message("A marine plays a reaction in another player's activation, when its text says so."),
)


EVENT = Rule(
    "doom2016/events",
    message("Rules, “Demon event cards”"),
    message("Each event card says when it is used; two of the same name are not used at once."),
)


PORTAL = Rule(
    "doom2016/portals",
    message("Rules, “Portals”"),
    message("The mission says when demons are summoned; they come on or beside the portal."),
)


ABILITY = Rule(
    "doom2016/abilities",
    message("Rules, “Abilities”"),
    message("Each ability says when it may be used and what it costs."),
)


ARGENT = Rule(
    "doom2016/argent",
    message("Rules, “Argent energy”"),
    message("Up to three event cards a round become argent, which pays for abilities of demon cards."),
)


GLORY = Rule(
    "doom2016/glory-kill",
    message("Rules, “Glory kill”"),
    message("A marine who enters the cell of a staggered demon kills it and heals two."),
)


TELEPORT = Rule(
    "doom2016/teleporters",
    message("Rules, “Teleporters”"),
    message("A fragged marine comes back on an active teleporter; marines go from one to another."),
)


THREAT = Rule(
    "doom2016/threat-card",
    message("Rules, “Threat card”"),
    message("The threat card says which portals summon, and when."),
)


STUN = Rule(
    "doom2016/stun",
    message("Rules, “Stun”"),
    message("A stunned figure rolls one die fewer or reveals no card. It is not stunned twice."),
)


DAMAGE = Rule(
    "doom2016/damage",
    message("Rules, “Suffering damage”"),
    message("Damage tokens lie beside the figure. As much damage as its health frags it."),
)


COVER = Rule(
    "doom2016/cover-card",
    message("Rules, “Cover”"),
    message("A defender in cover may reveal a second card; the first one is ignored."),
)


LARGE = Rule(
    "doom2016/large-figures",
    message("Rules, “Large figures and movement”"),
    message("A large figure that ends on small ones displaces them; each owner chooses a nearest empty cell."),
)
