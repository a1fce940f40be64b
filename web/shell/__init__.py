"""What every page shares: its head, colors, sentences, and the small modules that all scripts stand on."""
