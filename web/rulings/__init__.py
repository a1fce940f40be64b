"""Rulings: asked by the house's options, shown as a card, drawn as lines, kept with their pictures."""
