"""Record: a claim's entry of a report, and a run on disk."""
