"""The machine that serves the table: its names and addresses, certificates, and its disk."""
