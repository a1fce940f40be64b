"""What if: figures elsewhere, maps, and the figures that see a space."""
