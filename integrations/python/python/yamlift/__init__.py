"""Upgrades YAML configuration to a new default and keeps every value and comment.

    >>> import yamlift
    >>> result = yamlift.upgrade("port: 8080  # ours\\n", "# The port\\nport: 80\\n# Seconds\\ntimeout: 5\\n")
    >>> print(result.text, end="")
    # The port
    port: 8080  # ours
    # Seconds
    timeout: 5
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from . import _native
from ._types import Conflict, ConflictError, InputError, Upgrade, Value, VerificationError, YamliftError, raised

if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    class Options(TypedDict, total=False):
        """What an upgrade is asked to do besides its texts; all of these can be left out.

        The options of the command `yamlift upgrade` have the same names, and its pages tell more of each.
        """

        delete: Iterable[str]
        """Paths to remove first, such as `server/ports[2]`; what the new default has there comes in fresh."""
        moves: Mapping[str, str]
        """Old path to new path of values that go elsewhere first."""
        variables: Mapping[str, str]
        """What `#{name}` in the new default stands for."""
        strict_variables: bool
        """Refuses a new default with a `#{name}` that has no value."""
        migration: str
        """The text of the release's migration file."""
        from_version: str
        """The version that the configuration is of: steps of the migration up to it are left out."""
        pairing: Literal["identity", "overlap"]
        """How items of object lists are found again."""
        list_keys: Mapping[str, str]
        """Path of a list to the key that tells its items apart."""
        list_merge: Mapping[str, Literal["keep", "replace", "append", "prepend", "unique", "union", "index"]]
        """Path of a list, which may have `*` and `**`, to how it is merged."""
        comments: Literal["update", "user", "both"]
        """Whose comments stay where both texts have one."""
        on_conflict: Literal["user", "update", "fail"]
        """What happens where both the user and the release changed a value."""
        answers: str
        """The text of a file of answers, which decides single conflicts."""
        keep_defaults: bool
        """Keeps values that were never touched, though the release changed their default."""
        keep_obsolete: bool
        """Keeps values that were never touched, though the release dropped them."""
        restore_deleted: bool
        """Brings in what is commented out and, with the old default, what was removed."""
        sparse: bool
        """Brings nothing in: for texts that hold only what somebody set."""
        fail_on_unknown: bool
        """Refuses a text with keys that no default knows."""
        secret: Iterable[str]
        """Paths whose values no report and no error shows, such as `**/dsn`."""


__all__ = [
    "Conflict",
    "ConflictError",
    "InputError",
    "Upgrade",
    "Value",
    "VerificationError",
    "YamliftError",
    "install",
    "upgrade",
]

_DEFAULTS: dict[str, Any] = {
    "delete": (),
    "moves": {},
    "variables": {},
    "strict_variables": False,
    "migration": None,
    "from_version": None,
    "pairing": "identity",
    "list_keys": {},
    "list_merge": {},
    "comments": "update",
    "on_conflict": "user",
    "answers": None,
    "keep_defaults": False,
    "keep_obsolete": False,
    "restore_deleted": False,
    "sparse": False,
    "fail_on_unknown": False,
    "secret": (),
}


def upgrade(current: str, update: str, base: str | None = None, **options: Unpack[Options]) -> Upgrade:
    """Upgrades `current`, a user's configuration, to `update`, the new default.

    With `base`, the default that `current` was made from, what the user never touched follows the release. Raises a
    `YamliftError` where a text is refused, and then nothing was done.
    """
    asked = _asked(base, options)
    try:
        return Upgrade._of(_native.upgrade(current, update, asked))
    except _native.Refused as refused:
        raise raised(refused.args) from None


def install(update: str, **options: Unpack[Options]) -> Upgrade:
    """The new default with its variables filled in, for where there is no configuration yet."""
    asked = _asked(None, options)
    try:
        return Upgrade._of(_native.install(update, asked))
    except _native.Refused as refused:
        raise raised(refused.args) from None


def _asked(base: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    unknown = options.keys() - _DEFAULTS.keys()
    if unknown:
        raise TypeError(f"unknown option {sorted(unknown)[0]!r}; known are {', '.join(_DEFAULTS)}")
    asked = {**_DEFAULTS, **options, "base": base}
    for name in ("delete", "secret"):
        if isinstance(asked[name], str):
            raise TypeError(f"{name} is a list of paths, not one string")
        asked[name] = list(asked[name])
    for name in ("moves", "variables", "list_keys", "list_merge"):
        asked[name] = list(asked[name].items())
    return asked
