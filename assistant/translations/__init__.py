"""Every sentence for readers, as data in the program and as words where a reader sees it.

A sentence is its English text with the values of its ``{places}``. Translations are only in each language's ``.po``
file in this folder. English replaces missing ones.
"""
