"""Bytes of a picture, its light, and planes of the table seen from above."""
