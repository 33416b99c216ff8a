"""What a user writes, for the type checker: `mypy --strict` has to know every name of it."""

from __future__ import annotations

import yamlift


def upgraded(current: str, update: str, base: str | None) -> str:
    try:
        result = yamlift.upgrade(current, update, base, on_conflict="fail", secret=["**/dsn"])
    except yamlift.ConflictError as refused:
        for conflict in refused.conflicts:
            mine = conflict.current.text if conflict.current else "nothing"
            print(f"{conflict.path}: {mine}")
        raise
    except yamlift.YamliftError as refused:
        line: int | None = refused.line
        print(refused.file, line, refused.column, refused.message, refused.help)
        raise
    added: int = result.report["summary"]["added"]
    print(added, result.changed, result)
    return result.text
