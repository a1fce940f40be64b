"""Every sentence for readers: data where the program says it, words where a reader sees it.

A sentence is its English text with the values of its ``{places}``. Its words in another language stand only in that
language's ``.po`` file in this folder. English replaces what a catalogue lacks.
"""
