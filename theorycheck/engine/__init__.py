"""Engine: one claim from its plan to its judgement."""
