"""Plan: what is to be observed of a claim, made once from claim and settings, as a value."""
