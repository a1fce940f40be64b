"""The only place that assembles real or virtual parts: camera, reader, match, strip and page.

``assistant.wiring.table.open_table`` assembles the whole system from settings. Its ``close`` stops everything that it
started.
"""
