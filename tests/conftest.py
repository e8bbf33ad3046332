"""Settings that every test shares."""

from hypothesis import settings

# Property tests are deterministic in CI and never fail on a slow machine's clock.
settings.register_profile("repo", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("repo")
