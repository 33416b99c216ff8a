"""The compiled part. Use `yamlift` itself: names and arguments here are between the two."""

from typing import Any

_Done = tuple[str, str, str]

class Refused(Exception):
    args: tuple[str, str | None, tuple[int, int] | None, str, str | None, str, str]

def upgrade(current: str, update: str, asked: dict[str, Any]) -> _Done: ...
def install(update: str, asked: dict[str, Any]) -> _Done: ...
