"""Setting up a real table, step by step.

``wizard.SetUpWizard`` answers the page. ``progress`` is its state: a frozen value, written after every change.
"""
