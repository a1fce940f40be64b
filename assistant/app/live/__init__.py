"""A table under a camera, from its frames to the picture on every page, and photos that people upload.

``watcher.Watcher`` takes the frames of the one open camera. On a table with cells it hands them to
``believed_table.BelievedTable``, the single source of truth about the table: it reads frames, tracks figures, accepts
people's corrections and records all of it. ``live_picture.LivePicture`` publishes it. On a table without a grid
``free_pictures`` replaces both. ``reader.GameReader`` reads single photos. ``shots`` holds the results.
"""
