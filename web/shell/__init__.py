"""Everything that all pages share: head, colors, sentences, and the small modules below all scripts."""
