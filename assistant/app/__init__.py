"""Application services, one folder per use case; none of them knows the page above it.

Nothing here knows the page: what a use case tells people goes through Protocols of its own (``problems``, and the
``page`` of a use case), behind which ``assistant.wiring`` puts whoever shows it.
"""
