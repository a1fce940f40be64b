"""Everything common to all pages: head, colours, sentences, and small base modules for the scripts."""
