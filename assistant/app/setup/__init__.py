"""Setting up a real table, step by step: what the page's set-up view asks for, and what is kept between two visits.

``desk.SetUpDesk`` is what the page talks to. ``progress`` is what is known so far, as a frozen value that is written
to the data folder after every change; ``lens_step`` and ``table_step`` take it one picture further; ``cameras`` gives
pictures of any source by its name. ``values`` is what the desk tells of all this; ``opening`` is what a table is opened
with once it is set up.
"""
