"""The devices at the table: joining by code or QR code, roles and rights."""
