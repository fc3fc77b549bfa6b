"""Exit codes, and the errors that carry one."""

import difflib
import errno
from collections.abc import Iterable, Sequence
from enum import IntEnum


class ExitCode(IntEnum):
    """What a command tells the shell."""

    DONE = 0
    INCOMPLETE = 1
    """An error, or not everything could be judged."""
    BAD_INPUT = 2
    GATE_FAILED = 3
    GATE_INCONCLUSIVE = 4
    INTERRUPTED = 130


class CliError(Exception):
    """A command cannot go on. The message says what was found, what was expected, what to do.

    Args:
        message: one or more lines for people.
        code: what the shell is told.
        problems: the same in parts, for ``--json``; by default the message alone.
    """

    def __init__(
        self,
        message: str,
        *,
        code: ExitCode = ExitCode.INCOMPLETE,
        problems: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.problems = tuple(problems)


def unknown_name(kind: str, name: str, known: Iterable[str]) -> CliError:
    """Return the error for a name that does not exist, with the names nearest to it."""
    names = sorted(set(known))
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f" Did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
    listed = ", ".join(names) if names else "none"
    return CliError(f"unknown {kind} {name!r}.{hint} Known: {listed}.", code=ExitCode.BAD_INPUT)


CODES_BY_ERROR = {
    "citeval_assets.config.errors.ConfigError": ExitCode.BAD_INPUT,
    "citeval_assets.config.settings.UnknownModel": ExitCode.BAD_INPUT,
    "citeval_assets.datasets.loading.UnknownDataset": ExitCode.BAD_INPUT,
    "citeval_assets.templates.library.UnknownTemplate": ExitCode.BAD_INPUT,
    "citeval_assets.evaluation.project.UnknownName": ExitCode.BAD_INPUT,
    "citeval_assets.evaluation.project.NothingSelected": ExitCode.BAD_INPUT,
    "citeval_assets.importers.mapping.BadMapping": ExitCode.BAD_INPUT,
    "citeval_assets.importers.importing.ImportRefused": ExitCode.BAD_INPUT,
    "citeval_assets.defs.instance.InstanceUnusable": ExitCode.INCOMPLETE,
    "citeval_assets.warehouse.connection.WarehouseError": ExitCode.INCOMPLETE,
    "citeval_assets.ledger.errors.LedgerError": ExitCode.INCOMPLETE,
}
"""Errors of the rooms whose message is meant for people, and the exit code of each.

By name, so that the command line imports no room before it is needed.
"""


def expected_code(error: BaseException) -> ExitCode | None:
    """Return the exit code of an error whose message is meant for people, else ``None``."""
    if isinstance(error, CliError):
        return error.code
    for kind in type(error).__mro__:
        code = CODES_BY_ERROR.get(f"{kind.__module__}.{kind.__qualname__}")
        if code is not None:
            return code
    return None


_NO_ACCESS = {errno.EACCES, errno.EPERM, errno.EROFS}
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}


def file_error_text(error: BaseException) -> str | None:
    """Return in words what is wrong with a file or folder, and what to do; ``None`` for others."""
    if not isinstance(error, OSError) or error.errno is None or error.strerror is None:
        return None
    if error.errno in _NO_SPACE:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}. Free some space and run again; what is recorded is kept."
    if error.filename is None:
        return None
    remedy = (
        "Make it accessible, or keep the state elsewhere: DAGSTER_HOME names the folder."
        if error.errno in _NO_ACCESS
        else "Check the path."
    )
    return f"{error.filename}: {error.strerror}. {remedy}"
