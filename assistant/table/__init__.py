"""The things on the table, as frozen values."""
