"""Action cards, reactions, class cards, and the abilities of marines, demons and glory kill cards (rules A4 to A6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

from msgspec.structs import replace

from assistant.games.doom2016.match import play_rules
from assistant.games.doom2016.match.attack_rules import ask_defence
from assistant.games.doom2016.match.card_words import describe_card, word_ability, word_play
from assistant.games.doom2016.match.effects import (
    EffectStep,
    Use,
    begin_effects,
    check_effects,
    comes_before_defence,
    require_moment,
)
from assistant.games.doom2016.match.moving import ActivationStep, require_activation
from assistant.games.doom2016.match.setup import Ability, AttackEffect, AttackProfile, Card
from assistant.games.doom2016.match.state import (
    CLASS_EXHAUSTED,
    STUNNED,
    DemonCard,
    Match2016,
    begin_step_of,
    find_abilities,
    require_own_activation,
    require_step_of,
)
from assistant.match.asks import Ask, Asks, Draft, ask_card, ask_thing, hide_cards
from assistant.match.chance import Chance
from assistant.match.game import (
    INVADER,
    MARINES,
    Count,
    Moment,
    Name,
    Piece,
    Prompt,
    Step,
    find_by_name,
    require,
    require_value,
)
from assistant.translations.messages import Said, named, said

SPRINT_POINTS = 6


class PlayCard(EffectStep, frozen=True, kw_only=True, tag="play"):
    """The marine plays an action card: movement, then its attack, then its other effects.

    “Морпех разыгрывает по одной карте за раз” (seed 001): an unused attack of the previous card lapses. Its movement
    stays until the end of the activation (“может использовать их в любое время”). Movement and attack come from the
    mission's cards. People type those of a card that the mission does not describe.
    """

    rule = play_rules.MARINE
    on_card = said("Play")
    decided_by = MARINES
    card: Annotated[Name, Asks(_asks_own_card)]
    movement: Count = 0
    attack: AttackProfile | None = None
    is_main: bool = False
    lapses: bool | None = None
    """Whether an unused attack lapses. The program fills it in; older matches lack it."""
    filled_later = frozenset({"lapses"})

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        if game.own_figure is not None and game.own_figure.side == MARINES:
            is_left = bool(game.the_turn().attacks)
            lapses = said("Play another action card; the attack that is left lapses")
            yield cls.prompt(lapses if is_left else said("Play an action card"), side=MARINES)

    @classmethod
    def word_on_card(cls, game: Match2016) -> Said | None:
        is_left = game.turn is not None and game.turn.attacks
        return said("Play: the attack that is left is lost") if is_left else cls.on_card

    def settle(self, game: Match2016, chance: Chance) -> Self:
        step = replace(self, lapses=True)
        if game.turn is None or game.turn.figure is None:
            return step
        return step.settle_effects(game, chance, game.turn.figure, game.card(self.card).effects)

    def check(self, game: Match2016) -> None:
        require_activation(game)
        require_own_activation(game)
        marine = game.acting()
        known = game.setup.cards.get(self.card)
        require(
            known is None or known.kind != "reaction",
            said("“{card}” is a reaction; play it when its text says", card=self.card),
        )
        require(not self._is_main(game) or has_main_left(game), said("the main action of this activation is used up"))
        check_effects(game, marine.id, game.card(self.card).effects)
        if marine.id in game.decks:
            game.deck(marine.id).taken(self.card)

    def apply(self, game: Match2016) -> Match2016:
        turn, marine = game.the_turn(), game.acting()
        known = game.setup.cards.get(self.card)
        movement, attack = (self.movement, self.attack) if known is None else (known.movement, known.attack)
        if marine.id in game.decks:
            game = game.with_deck(marine.id, game.deck(marine.id).taken(self.card))
        after = replace(
            turn,
            movement=turn.movement + movement,
            attacks=(*(() if self.lapses else turn.attacks), *(() if attack is None else (attack,))),
            mains_used=turn.mains_used + self._is_main(game),
            in_play=(*turn.in_play, self.card) if marine.id in game.decks else turn.in_play,
        )
        card = game.card(self.card)
        use = Use(marine.id, card.name, self.hit, self.chance)
        return begin_effects(replace(game, turn=after), use, card.effects)

    def title(self, game: Match2016) -> Said:
        card = game.card(self.card)
        typed = card if self.card in game.setup.cards else replace(card, movement=self.movement, attack=self.attack)
        effect = word_play(typed)
        return said("{figure} plays {card}: {effect}", figure=game.acting().id, card=card.name, effect=effect)

    def _is_main(self, game: Match2016) -> bool:
        known = game.setup.cards.get(self.card)
        return self.is_main if known is None else known.kind == "main"


class Sprint(ActivationStep, frozen=True, kw_only=True, tag="sprint"):
    """The marine discards a card, instead of the main action, and gains six points of movement."""

    rule = play_rules.SPRINT
    label = said("Sprint: a card for six points")
    on_card = said("Sprint: 6 points")
    card: Annotated[Name, Asks(_asks_own_card)]

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        if game.own_figure is not None and game.own_figure.side == MARINES and has_main_left(game):
            yield cls.prompt(side=MARINES)

    def check(self, game: Match2016) -> None:
        super().check(game)
        require_own_activation(game)
        require(has_main_left(game), said("the main action of this activation is used up"))
        marine = game.acting()
        if marine.id in game.decks:
            game.deck(marine.id).without(self.card)

    def apply(self, game: Match2016) -> Match2016:
        turn, marine = game.the_turn(), game.acting()
        if marine.id in game.decks:
            game = game.with_deck(marine.id, game.deck(marine.id).without(self.card))
        # “Способность «Спринт»” (seed 001): it is an ability, so its points last as long as those of others.
        return replace(game, turn=replace(turn.gain_lasting(SPRINT_POINTS), mains_used=turn.mains_used + 1))

    def title(self, game: Match2016) -> Said:
        return said("{figure} sprints", figure=game.acting().id)


class ExhaustClass(Step[Match2016], frozen=True, kw_only=True, tag="exhaust_class"):
    """A marine exhausts his class card for its ability, until his next activation."""

    rule = play_rules.ABILITY
    label = said("Use a class card")
    decided_by = MARINES
    figure: Name

    def check(self, game: Match2016) -> None:
        marine = game.piece(self.figure)
        require(
            marine.side == MARINES and marine.on_table,
            said("{figure} is not a marine on the board", figure=self.figure),
        )
        require(
            CLASS_EXHAUSTED not in marine.marks, said("the class card of {figure} is exhausted", figure=self.figure)
        )

    def apply(self, game: Match2016) -> Match2016:
        return game.with_piece(game.piece(self.figure).marked(CLASS_EXHAUSTED))

    def title(self, game: Match2016) -> Said:
        return said("{figure} uses the class card", figure=self.figure)


class UseAbility(EffectStep, frozen=True, kw_only=True, tag="use_ability"):
    """A figure pays for an ability from the mission and applies its effects."""

    rule = play_rules.ABILITY
    figure: Name
    ability: Name

    @classmethod
    def moments(cls, game: Match2016) -> Iterator[Moment]:
        return ask_defence(game)

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        attack, acting = game.pending, game.free_figure
        figures = [] if acting is None else [acting.id]
        if attack is not None and not game.summons_due and not attack.dice_due:
            figures = [attack.attacker, attack.defender]
        for figure in figures:
            yield from cls.prompts_for(game, figure)

    @classmethod
    def prompts_for(cls, game: Match2016, figure: str) -> Iterator[Prompt]:
        """Yield the abilities that a figure may use now."""
        for ability in find_abilities(game, game.piece(figure)):
            if cls(figure=figure, ability=ability.name).is_allowed(game):
                uses = said("{figure} uses {ability}", figure=figure, ability=ability.name)
                side, note = game.piece(figure).side, word_ability(ability)
                yield cls.prompt(uses, side=side, note=note, figure=figure, ability=ability.name)

    def side(self, game: Match2016) -> str | None:
        return game.piece(self.figure).side

    def settle(self, game: Match2016, chance: Chance) -> Self:
        return self.settle_effects(game, chance, self.figure, find_ability(game, self.figure, self.ability).effects)

    def check(self, game: Match2016) -> None:
        piece, ability = game.piece(self.figure), find_ability(game, self.figure, self.ability)
        require(piece.on_table, said("{figure} is not on the board", figure=self.figure))
        require_moment(game, self.figure, ability.when)
        if ability.when == "activation":
            require_own_activation(game)
        if not comes_before_defence(ability.effects):
            require_step_of(game, piece.side)
        require_paid(game, piece, ability)
        used = () if game.pending is None else game.pending.played
        require(ability.name not in used, said("a card or ability of this name is already in use"))
        check_effects(game, self.figure, ability.effects)

    def apply(self, game: Match2016) -> Match2016:
        ability = find_ability(game, self.figure, self.ability)
        game = _pay(game, game.piece(self.figure), ability)
        if not comes_before_defence(ability.effects):
            game = begin_step_of(game, game.piece(self.figure).side)
        if game.pending is not None:
            game = replace(game, pending=replace(game.pending, played=(*game.pending.played, ability.name)))
        return begin_effects(game, Use(self.figure, ability.name, self.hit, self.chance), ability.effects)

    def title(self, game: Match2016) -> Said:
        effect = word_ability(find_ability(game, self.figure, self.ability))
        return said("{figure} uses {ability}: {effect}", figure=self.figure, ability=self.ability, effect=effect)


class UseGloryCard(EffectStep, frozen=True, kw_only=True, tag="use_glory"):
    """The marine uses the ability of a glory kill card revealed in this activation."""

    rule = play_rules.GLORY
    label = said("Use a revealed glory kill card")
    decided_by = MARINES
    card: Annotated[Name, Asks(_asks_revealed_glory)]

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        piece, turn = game.free_figure, game.turn
        for card in turn.glory if piece is not None and turn is not None else ():
            uses = said("{figure} uses {ability}", figure=game.acting().id, ability=game.card(card).name)
            yield cls.prompt(uses, side=MARINES, note=word_play(game.card(card)), card=card)

    def settle(self, game: Match2016, chance: Chance) -> Self:
        turn = game.turn
        if turn is None or turn.figure is None:
            return self
        return self.settle_effects(game, chance, turn.figure, game.card(self.card).effects)

    def check(self, game: Match2016) -> None:
        marine, card = game.acting(MARINES), game.card(self.card)
        require(
            self.card in game.the_turn().glory,
            said("“{card}” was not revealed by a glory kill in this activation, or is used up", card=card.name),
        )
        require_moment(game, marine.id, card.when)
        check_effects(game, marine.id, card.effects)

    def apply(self, game: Match2016) -> Match2016:
        turn, marine, card = game.the_turn(), game.acting(), game.card(self.card)
        glory = list(turn.glory)
        glory.remove(self.card)
        game = replace(game, turn=replace(turn, glory=tuple(glory)))
        return begin_effects(game, Use(marine.id, card.name, self.hit, self.chance), card.effects)

    def title(self, game: Match2016) -> Said:
        card = game.card(self.card)
        effect = word_play(card)
        return said("{figure} uses {ability}: {effect}", figure=game.acting().id, ability=card.name, effect=effect)


class PlayReaction(EffectStep, frozen=True, kw_only=True, tag="react"):
    """A marine plays a reaction from his hand in another figure's activation (A6).

    ``figure`` is the marine, by default the defender of the open attack. While he defends, the card's shields and dodge
    count. People type those of a card that the mission does not describe. Its effects happen in any case.
    """

    rule = play_rules.REACTION
    label = said("Play a reaction")
    on_card = said("Play")
    decided_by = MARINES
    card: Annotated[Name, Asks(_asks_reaction)]
    figure: Annotated[Name | None, Asks(_asks_reacting_marine)] = None
    shields: Count = 0
    dodge: bool = False

    def is_idle(self, game: Match2016) -> bool:
        """Armour and dodge help the attacked marine alone; the rules let others discard them, too (seed 001)."""
        card = self._shown(game)
        return self._protects(card) and not card.effects and not self._defends(game)

    def settle(self, game: Match2016, chance: Chance) -> Self:
        return self.settle_effects(game, chance, self._marine(game), game.card(self.card).effects)

    def check(self, game: Match2016) -> None:
        marine, card = self._marine(game), self._shown(game)
        require(game.piece(marine).side == MARINES, said("no marine is being attacked"))
        require(card.kind == "reaction", said("“{card}” is not a reaction", card=self.card))
        turn = require_value(
            game.interrupted or game.turn, said("{figure} reacts in the activation of another figure", figure=marine)
        )
        own = turn.figure == marine and not self._defends(game)
        require(not own, said("{figure} plays reactions in the activations of others, not in his own", figure=marine))
        require_moment(game, marine, card.when)
        is_bare = self._defends(game) and STUNNED in game.piece(marine).marks and self._protects(card)
        text = said(
            "{figure} is stunned; the house lets a stunned defender play no reaction that protects", figure=marine
        )
        require(not is_bare or game.rules.options["stunned_reaction"] == "allowed", text, play_rules.STUN)
        if self._changes_attack(game):
            require_step_of(game, MARINES)
        check_effects(game, marine, card.effects)
        if marine in game.decks:
            game.deck(marine).taken(self.card)

    def apply(self, game: Match2016) -> Match2016:
        marine, card, defends = self._marine(game), self._shown(game), self._defends(game)
        if marine in game.decks:
            game = game.with_deck(marine, game.deck(marine).without(self.card))
        if defends:
            attack = game.the_attack()
            changes = (*attack.changes, (card.name, 0, card.shields))
            dodges = attack.reaction_dodge or card.dodge
            game = replace(game, pending=replace(attack, changes=changes, reaction_dodge=dodges))
        return begin_effects(game, Use(marine, card.name, self.hit, self.chance), card.effects)

    def title(self, game: Match2016) -> Said:
        card = self._shown(game)
        effect = word_play(card)
        return said("{figure} reacts with {card}: {effect}", figure=self._marine(game), card=card.name, effect=effect)

    def _shown(self, game: Match2016) -> Card:
        """Return the card from the mission, or as people typed it from a printed one."""
        if self.card in game.setup.cards or self._marine(game) in game.decks:
            return game.card(self.card)
        return Card(name=self.card, kind="reaction", shields=self.shields, dodge=self.dodge)

    def _marine(self, game: Match2016) -> str:
        return game.the_attack().defender if self.figure is None else self.figure

    def _changes_attack(self, game: Match2016) -> bool:
        return self._defends(game) or any(isinstance(effect, AttackEffect) for effect in self._shown(game).effects)

    def _defends(self, game: Match2016) -> bool:
        return game.pending is not None and game.pending.defender == self._marine(game)

    @staticmethod
    def _protects(card: Card) -> bool:
        """Return whether it is a «карта, защищающая от атаки» (seed 001, stun)."""
        return bool(card.shields) or card.dodge or any(isinstance(effect, AttackEffect) for effect in card.effects)


def ask_hand(draft: Draft[Match2016], owner: str) -> Ask | None:
    """Ask for a card of a deck's hand, or None for a printed deck, whose card people name."""
    side = INVADER if owner == INVADER else MARINES
    if owner not in draft.game.decks:
        return None
    if not draft.audience.sees(side):
        return hide_cards("card", side)
    hand = dict.fromkeys(draft.game.deck(owner).hand)
    return ask_card("card", ((card, describe_card(draft.game, card)) for card in hand))


def _asks_own_card(draft: Draft[Match2016]) -> Ask | None:
    turn = draft.game.turn
    return ask_hand(draft, "" if turn is None else str(turn.figure))


def _asks_revealed_glory(draft: Draft[Match2016]) -> Ask:
    game = draft.game
    revealed = () if game.turn is None else game.turn.glory
    return ask_thing("card", said("Which card?"), ((card, named([game.card(card).name])) for card in revealed))


def _asks_reaction(draft: Draft[Match2016]) -> Ask | None:
    """Ask for a reaction in the hands of all marines; the card shows the owner."""
    game = draft.game
    if not draft.audience.sees(MARINES):
        return hide_cards("card", MARINES)
    owners = [marine.id for marine in game.setup.marines if marine.id in game.decks]
    mine = str(draft.fields["figure"]) if draft.fields.get("figure") else None
    cards = dict.fromkeys(card for owner in owners if mine in (None, owner) for card in game.deck(owner).hand)
    return ask_card("card", ((card, describe_card(game, card)) for card in cards if game.card(card).kind == "reaction"))


def _asks_reacting_marine(draft: Draft[Match2016]) -> Ask:
    game, card = draft.game, draft.fields.get("card")
    owners = [marine.id for marine in game.setup.marines if card in game.deck(marine.id).hand]
    shown = owners if draft.audience.sees(MARINES) else []
    return ask_thing("figure", said("Whose card?"), ((name, named([name])) for name in shown))


def has_main_left(game: Match2016) -> bool:
    """Return whether the acting marine has a main action left: he has one, unless his squad card gives more."""
    return game.the_turn().mains_used < game.marine_setup(game.acting().id).main_actions


def find_ability(game: Match2016, figure: str, name: str) -> Ability:
    """Return a figure's ability of that name.

    Raises:
        UnknownName: it has none.
    """
    unknown = said("{figure} has no ability “{ability}”; choose one of its card", figure=figure, ability=name)
    return find_by_name(find_abilities(game, game.piece(figure)), "name", name, unknown)


def require_paid(game: Match2016, piece: Piece, ability: Ability) -> None:
    """Require that a figure can pay the cost of an ability (seed 001, “Способности”).

    Raises:
        IllegalStep: it cannot.
    """
    ready = not ability.exhausts or CLASS_EXHAUSTED not in piece.marks
    require(ready, said("the class card of {figure} is exhausted", figure=piece.id))
    if ability.action == "main":
        require(has_main_left(game), said("the main action of this activation is used up"))
    if piece.side == INVADER:
        card = game.demon_cards.get(piece.kind, DemonCard())
        ignored = bool(ability.argent) and game.setup.goals.tutorial
        require(not ignored, said("the tutorial ignores abilities that cost argent"))
        require(card.argent >= ability.argent, said("there is not enough argent on that card"))


def _pay(game: Match2016, piece: Piece, ability: Ability) -> Match2016:
    if ability.exhausts:
        game = game.with_piece(piece.marked(CLASS_EXHAUSTED))
    if ability.action == "main":
        turn = game.the_turn()
        game = replace(game, turn=replace(turn, mains_used=turn.mains_used + 1))
    if ability.argent:
        card = game.demon_cards[piece.kind]
        game = game.with_demon_card(piece.kind, replace(card, argent=card.argent - ability.argent))
    return game
