"""The machine that serves the table: its names, addresses, certificates, disk and process."""
