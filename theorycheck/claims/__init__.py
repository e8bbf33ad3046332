"""Claims: what an author writes, as plain data plus functions. Nothing here runs anything."""
