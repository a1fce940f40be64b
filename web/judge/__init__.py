"""Judges at the table: calls, what each froze, rulings and appeals, the last minutes of pictures, evidence."""
