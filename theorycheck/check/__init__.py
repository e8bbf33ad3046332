"""Type a conjecture, learn whether it holds, where it breaks, and what is true instead.

``text`` and ``domain`` turn text into exact objects, ``judge`` decides one point, ``exhaust``,
``prove``, ``boxes``, ``points`` and ``search`` each try to settle the whole domain or to refute,
``shrink`` and ``explain`` improve what was found, ``run`` is the strategy (strongest method first)
and ``output`` prints it.
"""
