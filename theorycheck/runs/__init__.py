"""Runs: many claims at once, forecast, merged and judged again."""
