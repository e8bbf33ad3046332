"""The base of all errors that are the user's, in the lowest room so that every room can derive its own."""

from __future__ import annotations


class UserError(ValueError):
    """Something that the user wrote or named is wrong.

    The message is one line that says what is wrong and what to write instead. The command prints it and
    ends with exit code 4; whoever calls the library may catch this one class.
    """


class Absent(UserError):
    """Something that a claim needs is not here, a package or a device: the claim is skipped, and counted
    as that. One line that says what is missing.
    """


class BackendError(Absent):
    """The asked-for device cannot be used. One line that says what is missing.

    In this room, so that what is cached for a device is looked for without the libraries that drive it.
    """
