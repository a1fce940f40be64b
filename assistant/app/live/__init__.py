"""A table under a camera, from its frames to the picture that every page shows; and pictures that people hand in.

``watcher.Watcher`` takes the frames of the one open camera. Over cells it hands them to
``believed_table.BelievedTable``, which owns the truth about the table: it reads frames, tracks figures, takes people's
corrections and records all of it. ``live_picture.LivePicture`` is what everybody sees of it. Over a table without a
grid ``free_pictures`` stands in its place. ``reader.GameReader`` reads single photos; ``shots`` holds the results.
"""
