"""Corrections by people: a figure's place or name, and whether a door is open."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from assistant.errors import BoardError, InputError, UnknownName
from assistant.table.lattice import is_rectangle
from assistant.table.statements import DoorEdges, check_door
from assistant.tracking.state import TrackedTable
from assistant.tracking.values import Cells, IdentityQuestion, Sighting, StandingDoor, Track
from assistant.translations.messages import said


class QuestionGone(InputError):
    """The question is already answered, or its figure is gone."""

    sentence = said("This question has been settled in the meantime. Look at the table again.")


def answer_question(table: TrackedTable, question_id: str, figure_id: str) -> TrackedTable:
    """Answer a question.

    Raises:
        QuestionGone: the question is no longer open.
        UnknownName: the name is not among its candidates.
    """
    question = next((q for q in table.questions if q.id == question_id), None)
    if question is None:
        raise QuestionGone
    if figure_id not in question.candidates:
        raise UnknownName(said("choose one of {known}", known=", ".join(question.candidates)))
    return rename(table, question.figure, figure_id)


def rename(table: TrackedTable, figure_id: str, really: str) -> TrackedTable:
    """Give a figure its real name, swapping with the figure that had it. This settles its questions.

    Raises:
        UnknownName: there is no such figure on the table, or no such name in the roster.
    """
    track = table.tracks.get(figure_id)
    if track is None:
        raise UnknownName(said("there is no figure “{typed}” on the table; choose one that is listed", typed=figure_id))
    other = table.tracks.get(really)
    model = next((figure for figure in table.roster.figures if figure.id == really), None)
    if other is None and model is None:
        raise UnknownName(
            said("no figure of the roster is called “{really}”; choose one that is listed", really=really)
        )
    if not track.is_lifted:
        table = replace(table, statements=table.statements.with_figure(track.cells))
    if figure_id == really:
        return _settle_questions(table, really)
    table = _rename_in_questions(table, figure_id, really)
    tracks = {name: each for name, each in table.tracks.items() if name not in (figure_id, really)}
    kind, side = (other.kind, other.side) if other is not None else (model.kind, model.side) if model else ("", "")
    tracks[really] = replace(track, id=really, kind=kind, side=side, is_kind_seen=True)
    if other is not None:
        tracks[figure_id] = replace(other, id=figure_id, kind=track.kind, side=track.side)
    swapped = {figure_id: really, really: figure_id}
    lifted = {swapped.get(name, name): span for name, span in table.lifted.items()}
    return _settle_questions(replace(table, tracks=tracks, lifted=lifted), really)


def place(table: TrackedTable, figure_id: str, cells: Cells | None) -> TrackedTable:
    """Place a figure on these cells. None takes it off the table.

    Raises:
        UnknownName: there is no such figure on the table or in the roster.
        BoardError: it cannot stand there.
    """
    track = table.tracks.get(figure_id) or _track_from_roster(table, figure_id)
    if cells is None:
        left = table.without_track(figure_id)
        return left if track.is_lifted else replace(left, statements=table.statements.with_nobody(track.cells))
    there = tuple(sorted(set(cells)))
    _check_base(table, figure_id, there)
    shown = next((s for s in table.accepted if isinstance(s, Sighting) and s.cells == there), None)
    newcomers = {each: came for each, came in table.newcomers.items() if each != shown}
    table = replace(table, newcomers=newcomers)
    table = table.with_track(replace(track, cells=there, shown_by=shown, is_lifted=False, is_away=False))
    table = replace(table, statements=table.statements.with_figure(there))
    table.board()  # raises its contradiction
    return table


def set_door(table: TrackedTable, door_id: str, *, is_open: bool) -> TrackedTable:
    """Open or close a standing door.

    Raises:
        UnknownName: there is no such door.
    """
    changed = frozenset[StandingDoor]({_find_door(table, door_id)})
    return replace(table, open_by_hand=table.open_by_hand | changed if is_open else table.open_by_hand - changed)


def take_door(table: TrackedTable, door_id: str) -> TrackedTable:
    """Remove a door that only the camera believes in.

    Raises:
        UnknownName: there is no such door.
    """
    return deny_door(table, _find_door(table, door_id).edges)


def deny_door(table: TrackedTable, edges: DoorEdges) -> TrackedTable:
    """State that there is no door on these edges, whatever the camera shows."""
    return replace(table, statements=table.statements.without_door(tuple(sorted(edges))))


def put_door(table: TrackedTable, edges: DoorEdges) -> TrackedTable:
    """State that there is a door on these edges, whatever the camera shows.

    Raises:
        BoardError: no door can stand there.
    """
    check_door(table.board(), edges)
    return replace(table, statements=table.statements.with_door(tuple(sorted(edges)))).with_doors_named()


def confirm(table: TrackedTable, name: str) -> TrackedTable:
    """Confirm a figure or door as the board has it.

    Raises:
        UnknownName: there is neither.
    """
    track = table.tracks.get(name)
    if track is not None and not track.is_lifted:
        return _settle_questions(replace(table, statements=table.statements.with_figure(track.cells)), name)
    return replace(table, statements=table.statements.with_door(_find_door(table, name).edges))


def deny_figure(table: TrackedTable, cells: Cells) -> TrackedTable:
    """State that nobody is on these cells, whatever the camera shows."""
    on_them = [track.id for track in table.standing if not set(track.cells).isdisjoint(cells)]
    for name in on_them:
        table = table.without_track(name)
    return replace(table, statements=table.statements.with_nobody(cells))


def allow_moves(table: TrackedTable, notes: Collection[str]) -> TrackedTable:
    """Remove these notes on illegal moves, ignoring unknown ones."""
    return replace(table, notes=tuple(note for note in table.notes if note.id not in notes))


def _find_door(table: TrackedTable, door_id: str) -> StandingDoor:
    door = next((door for door in table.doors if table.door_names[door] == door_id), None)
    if door is None:
        raise UnknownName(said("there is no door “{door_id}” on the table; choose one that is drawn", door_id=door_id))
    return door


def _track_from_roster(table: TrackedTable, figure_id: str) -> Track:
    for figure in table.roster.figures:
        if figure.id == figure_id:
            return Track(figure.id, figure.kind, figure.side, ())
    raise UnknownName(said("there is no figure “{typed}” on the table; choose one that is listed", typed=figure_id))


def _check_base(table: TrackedTable, figure_id: str, cells: Cells) -> None:
    """Check that the cells fit the figure's base, in either orientation.

    Raises:
        BoardError: they do not.
    """
    size = next((figure.size for figure in table.roster.figures if figure.id == figure_id), None)
    if size is None:  # a stranger of unknown base
        return
    sides = [len({cell[i] for cell in cells}) for i in (0, 1)]
    if not is_rectangle(frozenset(cells)) or sorted(sides) != sorted(size):
        raise BoardError(
            said(
                "“{figure_id}” covers {columns} by {rows} adjoining spaces; name exactly those",
                figure_id=figure_id,
                columns=size[0],
                rows=size[1],
            )
        )


def _settle_questions(table: TrackedTable, figure_id: str) -> TrackedTable:
    """Remove the questions that a figure's known identity settles."""
    left = (_drop_candidate(question, figure_id) for question in table.questions if question.figure != figure_id)
    return replace(table, questions=tuple(question for question in left if len(question.candidates) > 1))


def _drop_candidate(question: IdentityQuestion, figure_id: str) -> IdentityQuestion:
    """Remove from a question a candidate known to be another figure."""
    left = tuple(name for name in question.candidates if name != figure_id)
    figure = question.figure if question.figure != figure_id else left[0] if left else figure_id
    return replace(question, figure=figure, candidates=left)


def _rename_in_questions(table: TrackedTable, one: str, other: str) -> TrackedTable:
    """Swap two figures' names in the questions."""
    names = {one: other, other: one}
    questions = tuple(replace(q, figure=names.get(q.figure, q.figure)) for q in table.questions)
    return replace(table, questions=questions)
