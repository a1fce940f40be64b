"""The one catalogue: every sentence for readers, as data where it is said and in words where it is shown.

A sentence is its English text with the values of its ``{places}``; its words in another language stand in the ``.po``
file of that language in this folder and nowhere else. What a catalogue lacks is told in English.
"""
