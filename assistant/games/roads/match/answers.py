"""Who may still answer before a command closes something in a skirmish (`Moment`). A skirmish hides nothing."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.games.roads.match.duel import find_decider, list_blows_at_fallen, list_duels, list_rerolls
from assistant.games.roads.match.pending import Moving
from assistant.games.roads.match.state import STOPPING, Mark, MatchRoads
from assistant.games.roads.match.weapons import has_shot_left, in_hand, list_weapons, may_shoot_with
from assistant.match.game import Moment
from assistant.translations.messages import said


def may_react(game: MatchRoads, figure: str) -> bool:
    """Return whether a model could answer a shot. One down or fleeing cannot; one in cover can only shoot first."""
    marks = set(game.piece(figure).marks)
    return not {Mark.DOWN, Mark.FLEEING} & marks and (Mark.PRONE not in marks or has_shot_left(game, figure))


def ask_reaction(game: MatchRoads) -> Iterator[Moment]:
    """Yield the moment of an announced shot's target, before the roll."""
    shot = game.shot
    if shot is not None and game.reaction is None and may_react(game, shot.target):
        yield Moment(
            id=f"reaction {shot.target}",
            side=game.piece(shot.target).side,
            figure=shot.target,
            text=said("does {figure} react to the shot?", figure=shot.target),
            answers=({"type": "react", "figure": shot.target, "shooter": shot.figure},),
            clock="always",
        )


def ask_targets(game: MatchRoads) -> Iterator[Moment]:
    """Yield the sides that may want a shot announced, so that its target can react before the roll."""
    if game.shot is not None or game.reaction is not None or game.phase == "setup":
        return
    is_active = game.phase == "shoot"
    could = (p for p in game.standing() if Mark.WATCH in p.marks or (is_active and p.side == game.active))
    shooters = {piece.side for piece in could if has_shot_left(game, piece.id)}
    for side in game.setup.sides:
        if shooters - {side} and any(may_react(game, piece.id) for piece in game.standing(side)):
            text = said("does anybody react to a shot?")
            # Who shoots chooses meanwhile, and an announced shot asks its target.
            yield Moment(id=f"unannounced shot at {side}", side=side, text=text, clock="never")


def ask_watchers(game: MatchRoads, moving: Moving) -> Iterator[Moment]:
    """Yield the enemies on overwatch, before a move ends."""
    for piece in game.standing():
        may_shoot = Mark.WATCH in piece.marks and not {*STOPPING} & set(piece.marks)
        if may_shoot and piece.side != game.piece(moving.figure).side:
            yield _ask_watcher(game, piece.id, {"target": moving.figure})


def _ask_watcher(game: MatchRoads, figure: str, target: dict[str, str]) -> Moment:
    return Moment(
        id=f"watch {figure}",
        side=game.piece(figure).side,
        figure=figure,
        text=said("does {figure} shoot?", figure=figure),
        answers=({"type": "shoot", "figure": figure, **target},),
    )


def ask_rerolls(game: MatchRoads) -> Iterator[Moment]:
    """Yield the fighters with a shield or with hatred, before a fight is decided."""
    duel = game.duel
    for place in (0, 1) if duel is not None else ():
        assert duel is not None, "a fight is open"
        figure = duel.fighters[place]
        for why in list_rerolls(game, duel, place):
            blocks = said("does {figure} block?", figure=figure)
            text = blocks if why == "block" else said("does {figure} re-roll out of hatred?", figure=figure)
            answer = {"type": "reroll", "figure": figure, "why": why}
            side = game.piece(figure).side
            yield Moment(id=f"{why} {figure}", side=side, figure=figure, text=text, answers=(answer,), clock="always")


def ask_to_change_weapons(game: MatchRoads) -> Iterator[Moment]:
    """Yield the models that could still swap a shooting weapon for a melee weapon before a fight begins (“Оружие”)."""
    if not game.is_free_in("melee"):
        return
    for piece in game.standing():
        fights = piece.id in game.seasoned or any(piece.id in pair for pair in game.fought)
        held = in_hand(game, piece.id)
        spare = [name for name in list_weapons(game, piece.id) if name not in held and not may_shoot_with(game, name)]
        shoots = any(may_shoot_with(game, name) for name in held)
        if spare and shoots and not fights and game.opponents_of(piece.id):
            yield Moment(
                id=f"weapons {piece.id}",
                side=piece.side,
                figure=piece.id,
                text=said("does {figure} change weapons?", figure=piece.id),
                answers=({"type": "wield", "figure": piece.id, "weapons": [spare[0]]},),
            )


def ask_at_the_end(game: MatchRoads) -> Iterator[Moment]:
    """Yield the models that could still advance, begin a duel or shoot on overwatch in this turn."""
    if not game.is_free_in("melee") or game.active is None:
        return
    for name in game.to_advance:
        text = said("does {figure} advance?", figure=name)
        advance = {"type": "advance", "figure": name}
        yield Moment(id=f"advance {name}", side=game.piece(name).side, figure=name, text=text, answers=(advance,))
    if game.escapes_asked:
        return
    ways = [way for pair in list_duels(game) for way in (pair, pair[::-1])]
    blows = [pair for pair in list_blows_at_fallen(game) if find_decider(game, pair) == game.piece(pair[0]).side]
    for name, enemy in (*ways, *blows):
        side = game.piece(name).side
        text = said("does {figure} fight {enemy}?", figure=name, enemy=enemy)
        answer: dict[str, object] = {"type": "fight", "fighters": [name, enemy]}
        if side != game.active:
            yield Moment(id=f"fight {name} {enemy}", side=side, figure=name, text=text, answers=(answer,))
    for piece in game.standing():
        if piece.side != game.active and Mark.WATCH in piece.marks and not {*STOPPING} & set(piece.marks):
            yield _ask_watcher(game, piece.id, {})
