"""Cases by a writer who saw the promises and none of the code.

`cases.py` is kept byte for byte as it was handed over (`claims.SHA256`); neither formatter nor type checker
touches it. `claims` turns its cases into claims as a user would write them, and `excluded` says what is
counted otherwise than the writer has it, each with its proof.
"""
