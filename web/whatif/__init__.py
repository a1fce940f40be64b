"""What a person only thinks about: figures that stand elsewhere, maps, who sees a space."""
