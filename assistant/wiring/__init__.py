"""The one place that puts real or virtual parts together: camera, reader, match, strip and page.

``assistant.wiring.table.open_table`` makes the whole system from settings; everything that it starts, ``close`` stops.
"""
