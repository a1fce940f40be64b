"""What if: hypothetical figures, maps, and the figures that see a space."""
