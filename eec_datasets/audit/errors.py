"""What can go wrong in an audit, one exception each."""

from __future__ import annotations

from eec_datasets.errors import EecError


class AuditError(EecError):
    """Something the audit was given, or met, stops it."""


class UnknownSystem(AuditError):
    """``--system`` names no system."""


class SystemUnavailable(AuditError):
    """The system exists but cannot be loaded here: a package, a module or a model is missing."""


class SystemFailed(AuditError):
    """The system ran and did not return one finite number per sentence."""


class ScoreOutOfRange(AuditError):
    """A score lies outside the range declared for its system."""


class UnknownGroup(AuditError):
    """The biased demonstration names a group that the corpus does not have."""


class ScoresMismatch(AuditError):
    """A saved score file belongs to another system, corpus or range."""


class ScoresDamaged(AuditError):
    """A saved score file has lines that cannot have been written by this program."""


class ScoresBusy(AuditError):
    """Another process is writing the same score file."""


class BadScoresFile(AuditError):
    """A user's table of scores does not fit the corpus it is measured on."""


class OutputUnwritable(AuditError):
    """A file or folder of the output cannot be written."""


class AuditInterrupted(AuditError):
    """The user stopped a run; what was scored is on disk."""

    exit_code = 3
