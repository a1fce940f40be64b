"""Lanterns: keepers and moths in the dark; light runs along rows and columns alone."""
