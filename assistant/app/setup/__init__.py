"""Setting up a real table, step by step.

``wizard.SetUpWizard`` answers the page. ``progress`` is what it knows: a frozen value, written after every change.
"""
