"""What is wrong with a configuration file, said so that it can be mended."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """One fault: in which file and line, at which key, and what to do about it."""

    file: str
    key: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"


class ConfigError(ValueError):
    """A configuration that cannot be used. ``problems`` lists every fault that was found.

    ``file``, ``key`` and ``message`` are those of the first fault.
    """

    def __init__(self, file: str, key: str, message: str, *, line: int | None = None) -> None:
        self.problems: tuple[ConfigProblem, ...] = (ConfigProblem(file, key, message, line),)
        super().__init__(str(self.problems[0]))

    @classmethod
    def of(cls, problems: Iterable[ConfigProblem]) -> "ConfigError":
        """Return one error that carries all the given faults (at least one)."""
        listed = tuple(problems)
        first = listed[0]
        error = cls(first.file, first.key, first.message, line=first.line)
        error.problems = listed
        error.args = ("\n".join(str(problem) for problem in listed),)
        return error

    @property
    def file(self) -> str:
        """The file of the first fault."""
        return self.problems[0].file

    @property
    def key(self) -> str:
        """The key of the first fault, such as ``models[0].id``."""
        return self.problems[0].key

    @property
    def message(self) -> str:
        """The text of the first fault."""
        return self.problems[0].message


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the nearest known name, or an empty string."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    lower = name.lower()
    near = difflib.get_close_matches(lower, by_lower, n=1, cutoff=0.6)
    if not near and len(lower) >= 3:
        near = [candidate for candidate in by_lower if candidate.startswith(lower)][:1]
    return f"; did you mean {by_lower[near[0]]!r}?" if near else ""
