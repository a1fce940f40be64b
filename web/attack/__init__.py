"""The Attack view: an attack from two taps to its damage."""
