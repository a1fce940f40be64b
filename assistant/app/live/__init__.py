"""Reading pictures of a table and watching it through a camera: from frames to what is believed to lie there.

``reader.GameReader`` reads one photo by the documents of ``game_files``; ``shots`` is what comes of it. A watched table
is ``table_watch.TableWatch``, one step a frame: ``gaze`` looks, ``recorded_memory`` believes, ``live_shots`` shows.
People meet it as ``watched_table.WatchedTable``, whose wishes wait for the next step; ``watching.Watching`` begins it
anew and gives the camera up. Whoever shows the table stands behind the Protocols of ``page``.
"""
