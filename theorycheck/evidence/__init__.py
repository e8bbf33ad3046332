"""Evidence: one observation made and kept; never a verdict."""
