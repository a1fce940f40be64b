"""Who is at the table: devices, joining by code or QR code, what each one is and may do."""
