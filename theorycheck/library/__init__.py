"""Library: claims are found, loaded, vetted, selected and listed."""
