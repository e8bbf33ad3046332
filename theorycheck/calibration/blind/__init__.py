"""Cases by a writer who saw the promises and none of the code.

`cases.py` is kept byte for byte as it was handed over (`SHA256`); neither formatter nor type checker touches
it. `claims` turns its cases into claims as a user would write them, and `excluded` names the cases in which the
writer erred, each with its proof.
"""
