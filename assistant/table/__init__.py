"""What lies on the table, as frozen values of the standard library."""
