"""What keeps the program itself well: an examination of the machine, and what is sent with a report of a fault."""
