"""What the program does with its parts, one folder a use case.

Nothing here knows the page: what a use case tells people goes through Protocols of its own (``problems``, and the
``page`` of a use case), behind which ``assistant.wiring`` puts whoever shows it.
"""
