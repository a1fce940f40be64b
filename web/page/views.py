"""The page's views, in the order of their tabs. Each has a template and a module in its feature's folder."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.translations.messages import message


@dataclass(frozen=True, slots=True)
class View:
    """One view of the page.

    Args:
        name: the name in ``data-view`` and in the ids of its parts.
        template: its template file, as ``FEATURE/FILE``.
        title: the word on its tab.
        icon: the path of its icon, 24 by 24.
        needs_match: whether it is empty without a match.
        needs_hand: whether it is useless to a watching device.
    """

    name: str
    template: str
    title: str
    icon: str
    needs_match: bool = False
    needs_hand: bool = False


VIEWS: tuple[View, ...] = (
    View("table", "table/view.html", message("Table"), "M3 8l9-4 9 4-9 4zM3 8v8l9 4 9-4V8M12 12v8"),
    View(
        "initiative",
        "match/initiative.html",
        message("Turns"),
        "M4 6h11M4 12h8M4 18h5M17 9v11M13.5 16.5L17 20l3.5-3.5",
        needs_match=True,
    ),
    View(
        "attack",
        "attack/view.html",
        message("Dice"),
        "M12 3v5M12 16v5M3 12h5M16 12h5M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10z",
        needs_match=True,
        needs_hand=True,
    ),
    View(
        "figures",
        "match/figures.html",
        message("Figures"),
        "M12 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM6 20c0-5 2.5-8 6-8s6 3 6 8z",
        needs_match=True,
    ),
    View("history", "match/history.html", message("History"), "M4 5v5h5M4.6 10A8 8 0 1 1 4 14M12 8v5l3 2"),
    View("judge", "judge/view.html", message("Judge"), "M12 4v16M7 20h10M5 8h14M5 8l-3 6h6zM19 8l-3 6h6z"),
    View("problems", "problems/view.html", message("Problems"), "M12 4l9 16H3zM12 10v5M12 17.6v.2"),
)
"""All views. A tab appears if its view has something to show."""


def views_of(*, has_match: bool, only_watches: bool = False, has_table: bool = True) -> list[View]:
    """Return the views of a table with or without a match, for an acting or a watching device.

    A match for order, damage and dice alone has no table to show.
    """
    views = VIEWS if has_table else VIEWS[1:]
    return [view for view in views if (has_match or not view.needs_match) and not (only_watches and view.needs_hand)]
