"""Sources: their registers of statements, how statements rest on each other, and what is covered."""
