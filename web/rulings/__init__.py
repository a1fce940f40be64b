"""Rulings: questions under the house options, cards, lines, and the last rulings with their pictures."""
