"""What an upgrade gives, and what it raises."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Value:
    """A value of one of the files."""

    file: str
    """The name of the file: `current`, `base` or `update`."""
    line: int
    """Its line there, from 1."""
    text: str
    """The value on one line, shortened where it is long; `***` where it is secret."""


@dataclass(frozen=True)
class Conflict:
    """A value that the user and the release set differently."""

    path: str
    """Where, such as `server/port` or `users[name=ann]/mail`."""
    current: Value | None
    """What the user has."""
    base: Value | None
    """What the old default had."""
    update: Value | None
    """What the new default has."""

    @classmethod
    def _of(cls, entry: dict[str, Any]) -> Conflict:
        values = entry.get("values") or {}
        sides = {name: Value(**values[name]) if name in values else None for name in ("current", "base", "update")}
        return cls(entry["path"], **sides)


_CONFLICTS = frozenset({"both-changed", "both-added", "conflict-taken"})


@dataclass(frozen=True)
class Upgrade:
    """An upgraded text, and what was done to get it. `str()` is the report in words."""

    text: str
    """The upgraded configuration."""
    changed: bool
    """Whether it differs from the current one at all."""
    report: dict[str, Any]
    """What was done, as data: `changes`, each with `kind`, `path`, `line` and `text`, `warnings`, and `summary`, the same in
    numbers. `yamlift schema report` prints the schema of all fields."""
    conflicts: tuple[Conflict, ...]
    """What both sides set differently, whichever of the values stands now."""
    _words: str

    @classmethod
    def _of(cls, done: tuple[str, str, str]) -> Upgrade:
        text, data, words = done
        report = json.loads(data)
        conflicts = tuple(Conflict._of(entry) for entry in report["changes"] if entry["kind"] in _CONFLICTS)
        return cls(text, report["changed"], report, conflicts, words)

    def __str__(self) -> str:
        return self._words


class YamliftError(Exception):
    """Why an upgrade was refused. `str()` has the place, the line with a caret, and the way out."""

    message: str
    """What is wrong, without place and advice."""
    file: str | None
    """The text that it is about: `current`, `update`, `base`, `migration` or `answers`."""
    line: int | None
    """The line in that text, from 1."""
    column: int | None
    """The column in characters, from 1."""
    help: str | None
    """What to do next, where that is known."""
    conflicts: tuple[Conflict, ...]
    """The values that both sides set, where that is what is wrong."""

    def __init__(self, parts: tuple[Any, ...]) -> None:
        _, self.file, place, self.message, self.help, conflicts, words = parts
        self.line, self.column = place or (None, None)
        self.conflicts = tuple(Conflict._of(entry) for entry in json.loads(conflicts))
        super().__init__(words)


class InputError(YamliftError):
    """Something given is wrong: a text that is no YAML, or a path that is not well formed."""


class ConflictError(YamliftError):
    """What `on_conflict="fail"` or `fail_on_unknown` refuses."""


class VerificationError(YamliftError):
    """The result did not pass verification, which is a bug of yamlift."""


def raised(parts: tuple[Any, ...]) -> YamliftError:
    """The exception for the parts that the compiled side gives."""
    kinds = {"input": InputError, "conflict": ConflictError}
    return kinds.get(parts[0], VerificationError)(parts)
