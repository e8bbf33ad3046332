"""Numbers: exact points and the domains that they lie in, surds, enclosures."""
