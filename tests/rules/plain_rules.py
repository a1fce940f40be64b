"""The two DOOM games' sight, cover and range a second time, as plainly as possible: fractions, loops, no bits.

It shares only the board with the product. It is slow on purpose, and the product must agree with it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from assistant.table.lattice import corners, sides

SIGHT_2016 = ("wall", "obstacle", "door", "cell")
SIGHT_2004 = ("wall", "obstacle", "door")


def barrier_edges(board, kinds):
    """Return every edge with a barrier of these kinds, the rim among the walls."""
    found = set()
    for cell in board.cells:
        for edge in sides(cell):
            if (
                not all(c in board.cells for c in edge.cells)
                or board.edges.get(edge) in kinds
                or ("door" in kinds and edge in board.closed_door_at)
                or ("cell" in kinds and any(c in board.blocking for c in edge.cells))
            ):
                found.add(edge)
    return found


def turn(p, q, r):
    """Return which side of the line from ``p`` to ``q`` lies ``r``: 1, 0 or -1."""
    value = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    return (value > 0) - (value < 0)


def crosses(p, q, edge):
    """Return whether a line goes through the inside of an edge, from one side to the other."""
    a, b = edge
    return turn(p, q, a) * turn(p, q, b) < 0 and turn(a, b, p) * turn(a, b, q) < 0


def runs_along(p, q, edge):
    """Return whether a line has more than a point in common with an edge that lies on it."""
    a, b = edge
    if turn(p, q, a) or turn(p, q, b):
        return False
    axis = 0 if p[0] != q[0] else 1
    low, high = sorted((p[axis], q[axis]))
    return max(low, a[axis]) < min(high, b[axis])


def is_cut(p, q, barriers):
    """Return whether barriers stop a line between its ends."""
    if any(crosses(p, q, edge) or runs_along(p, q, edge) for edge in barriers):
        return True
    for point in {end for edge in barriers for end in edge}:
        inside = turn(p, q, point) == 0 and 0 < share(p, q, point) < 1
        if inside:
            ends = [a if b == point else b for a, b in barriers if point in (a, b)]
            if {turn(p, q, end) for end in ends} >= {1, -1}:
                return True
    return False


def share(p, q, r):
    """Return how far along the line from ``p`` to ``q`` its point ``r`` is."""
    axis = 0 if p[0] != q[0] else 1
    return Fraction(r[axis] - p[axis]) / Fraction(q[axis] - p[axis])


def gap(point, cell, barriers):
    """Return the cells round a point that are reachable from one of them without crossing a barrier there."""
    around = {(point[0] - i, point[1] - j) for i in (0, 1) for j in (0, 1)}
    found, new = {cell}, [cell]
    while new:
        x, y = new.pop()
        for other in around - found:
            if abs(other[0] - x) + abs(other[1] - y) == 1:
                common = set(sides((x, y))) & set(sides(other))
                if not common & barriers:
                    found.add(other)
                    new.append(other)
    return found


def starts_inside(p, q, own_cells, barriers):
    """Return whether a line from corner ``p`` begins in the gap that holds one of these cells."""
    if p == q:
        return True
    step = Fraction(1, 8 * (abs(q[0] - p[0]) + abs(q[1] - p[1])))
    near = (p[0] + step * (q[0] - p[0]), p[1] + step * (q[1] - p[1]))
    for cell in own_cells:
        if p in corners(cell):
            for x, y in gap(p, cell, barriers):
                if x <= near[0] <= x + 1 and y <= near[1] <= y + 1:
                    return True
    return False


def corner_line_is_clear(p, own, q, other, barriers):
    """Return whether a line from a corner of one figure's cells to a corner of another's is free."""
    if p == q:
        return any(gap(p, cell, barriers) & set(other) for cell in own if p in corners(cell))
    return starts_inside(p, q, own, barriers) and starts_inside(q, p, other, barriers) and not is_cut(p, q, barriers)


def enters(p, q, cell):
    """Return whether a line has more than a point in common with the inside of a cell."""
    low, high = Fraction(0), Fraction(1)
    for axis in (0, 1):
        d = q[axis] - p[axis]
        if d == 0:
            if not cell[axis] < p[axis] < cell[axis] + 1:
                return False
            continue
        a, b = sorted((Fraction(cell[axis] - p[axis]) / d, Fraction(cell[axis] + 1 - p[axis]) / d))
        low, high = max(low, a), min(high, b)
    return low < high


def enters_area(p, q, area):
    """Return the same for an area of cells, the borders between two of which are inside it."""
    if any(enters(p, q, cell) for cell in area):
        return True
    inner = [edge for cell in area for edge in sides(cell) if all(c in area for c in edge.cells)]
    return any(runs_along(p, q, edge) for edge in inner)


def own_red_lines(board, *figures):
    """Return the obstacle lines that do not count, since one of the figures stands on them."""
    found = set()
    for f in figures:
        for cell in f.cells:
            for edge in sides(cell):
                printed = board.edges.get(edge)
                red = printed == "obstacle" or (printed is None and any(c in board.blocking for c in edge.cells))
                if red and (cell in board.blocking or all(c in f.cells for c in edge.cells)):
                    found.add(edge)
    return {edge for edge in found if edge not in board.closed_door_at and all(c in board.cells for c in edge.cells)}


def sight_2016(board, a, d):
    """(line of sight, cover) of DOOM (2016) under the defaults."""
    barriers = barrier_edges(board, SIGHT_2016) - own_red_lines(board, a, d)
    starts = sorted({p for cell in a.cells for p in corners(cell)})
    goals = sorted({p for cell in d.cells for p in corners(cell)})
    clear = {(p, q): corner_line_is_clear(p, a.cells, q, d.cells, barriers) for p, q in product(starts, goals)}
    seeing = [p for p in starts if any(clear[p, q] for q in goals)]
    if not seeing:
        return False, None
    if len(d.cells) > 1:
        return True, False
    screens = [board.difficult, *(f.cells for f in board.figures if f not in (a, d))]
    covered = [any(not clear[p, q] or any(enters_area(p, q, s) for s in screens) for q in goals) for p in seeing]
    return True, all(covered)


def sight_2004(board, a, d):
    """Line of sight of DOOM (2004) under the defaults."""
    barriers = barrier_edges(board, SIGHT_2004)
    solid = set(board.blocking) | {c for f in board.figures if f not in (a, d) for c in f.cells}
    solid -= set(a.cells) | set(d.cells)
    half = Fraction(1, 2)
    for (ax, ay), (dx, dy) in product(a.cells, d.cells):
        p, q = (ax + half, ay + half), (dx + half, dy + half)
        if not is_cut(p, q, barriers) and not any(enters(p, q, cell) for cell in solid):
            return True
    return False


def may_step(start, end, inside, barriers):
    """Return whether one step between neighbouring cells is free; a diagonal one needs one of its two detours."""
    if start[0] == end[0] or start[1] == end[1]:
        return {start, end} <= inside and not set(sides(start)) & set(sides(end)) & barriers
    detours = ((end[0], start[1]), (start[0], end[1]))
    return any(all(may_step(s, e, inside, barriers) for s, e in pairwise((start, via, end))) for via in detours)


def distance(starts, goals, inside, barriers):
    """Return the fewest steps from any of the starts to any of the goals, or None."""
    reached, ring, count = set(starts), set(starts), 0
    while ring:
        if ring & set(goals):
            return count
        ring = {
            (x + i, y + j)
            for x, y in ring
            for i, j in product((-1, 0, 1), repeat=2)
            if (i, j) != (0, 0) and may_step((x, y), (x + i, y + j), inside, barriers)
        } - reached
        reached |= ring
        count += 1
    return None


def verdict_2016(board, a, d):
    """(range, line of sight, cover)."""
    steps = distance(a.cells, d.cells, board.cells, barrier_edges(board, ("wall", "door")))
    return (steps, *sight_2016(board, a, d))


def verdict_2004(board, a, d):
    """(range, line of sight, None)."""
    steps = distance(a.cells, d.cells, board.cells - board.blocking, barrier_edges(board, SIGHT_2004))
    return (steps, sight_2004(board, a, d), None)
