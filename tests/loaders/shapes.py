"""The checker of ``make shapes``: arrays that go into functions and classes, or come out, have to have their shape.

Only arrays are looked at. That everything else is of its kind the type checker knows without running anything, and
tests put in things that merely behave like the real ones.
"""

import re
from collections.abc import Callable

from beartype import BeartypeConf, beartype

from calibration import arrays
from vision.simulation import arrays as simulation_arrays

SHAPED = {
    name for module in (arrays, simulation_arrays) for name, kind in vars(module).items() if "jaxtyping" in repr(kind)
}
"""Names of arrays with a shape. Annotations are text while they are not asked for: what is in them is read there."""

MENTIONED = re.compile(
    rf"\b({'|'.join(sorted(SHAPED))}|(Float|Int|UInt)\d*|Bool|Num|Shaped|Picture|Heights)\b|jaxtyping"
)


def checked(function: Callable) -> Callable:
    """Return the function, which from now on compares its arrays with its annotations."""
    function.__annotations__ = {
        name: hint
        for name, hint in function.__annotations__.items()
        if MENTIONED.search(hint if isinstance(hint, str) else repr(hint))
    }
    # A whole number is good for a float, as for the type checker.
    return beartype(conf=BeartypeConf(is_pep484_tower=True))(function)
