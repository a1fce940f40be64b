"""The types of fields that the values of the table share with the documents, with the bounds that a reader checks.

A value with the same fields in a document and in memory is declared once: the reader decodes the dataclass itself.
That is why this room knows ``msgspec`` besides the standard library, and nothing else.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from assistant.table.lattice import LIMIT

MAX_NAME = 200
"""Ten times the longest name that people give."""

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
Integer = Annotated[int, Meta(gt=-LIMIT, lt=LIMIT)]
Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
Confidence = Annotated[float, Meta(ge=0, le=1)]
HexColor = Annotated[str, Meta(pattern="^#[0-9a-fA-F]{6}$")]
MarkerId = Annotated[int, Meta(ge=0)]

CellPair = tuple[Integer, Integer]
"""A cell or a lattice point, within the limits."""
