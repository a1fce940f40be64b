"""Judges at the table: calls, frozen states, rulings and appeals, recent pictures, evidence."""
