"""How often the pipeline is wrong: measured, computed exactly, and published (docs/calibration.md).

``python -m theorycheck.calibration`` regenerates the page. Its parts, with what each can show:

- `cases`, `families`: known truths and known lies over all relations and rungs at the default level,
  from claim to verdict;
- `replication`: the whole pipeline, thousands of times at levels that can be seen to be kept;
- `lattice`, `decisions`, `tilted`: error probabilities at levels that no run could reach, summed
  exactly on Bernoulli counts and by importance sampling on continuous data;
- `efficiency`: mean numbers of samples against Wald's lower bound.
"""
