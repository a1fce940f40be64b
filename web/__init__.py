"""The tablet page and its JSON API."""
