"""The wheel as its users have it: installed, and used by its public names."""

from __future__ import annotations

import doctest
import threading
from pathlib import Path

import pytest
import yamlift

OLD = "# lanternd 1\nserver:\n  host: localhost\n  port: 7000\nfade: 400\n"
NEW = "# lanternd 2\nserver:\n    host: 127.0.0.1\n    # Behind a proxy, too\n    port: 7000\nfade: 250\nidle: 30\n"
MINE = "# lanternd 1\nserver:\n  host: localhost\n  port: 7443  # ours\nfade: 100\n"


def test_two_texts_keep_every_value() -> None:
    result = yamlift.upgrade(MINE, NEW)
    assert result.text == (
        "# lanternd 2\nserver:\n    host: localhost\n    # Behind a proxy, too\n    port: 7443  # ours\nfade: 100\nidle: 30\n"
    )
    assert result.changed
    assert result.conflicts == ()
    assert [(change["kind"], change["path"]) for change in result.report["changes"][:1]] == [("added", "idle")]
    assert result.report["summary"]["added"] == 1
    assert "Added from the new default" in str(result)


def test_an_old_default_tells_what_nobody_touched() -> None:
    result = yamlift.upgrade(MINE, NEW, OLD)
    assert "host: 127.0.0.1\n" in result.text
    assert "port: 7443  # ours\n" in result.text
    (conflict,) = result.conflicts
    assert conflict.path == "fade"
    assert conflict.current == yamlift.Value("current", 5, "100")
    assert conflict.base == yamlift.Value("base", 5, "400")
    assert conflict.update == yamlift.Value("update", 6, "250")


def test_a_second_run_changes_nothing() -> None:
    first = yamlift.upgrade(MINE, NEW, OLD)
    second = yamlift.upgrade(first.text, NEW, NEW)
    assert second.text == first.text
    assert not second.changed


def test_conflicts_are_refused_as_data() -> None:
    with pytest.raises(yamlift.ConflictError) as refused:
        yamlift.upgrade(MINE, NEW, OLD, on_conflict="fail")
    assert [conflict.path for conflict in refused.value.conflicts] == ["fade"]
    assert refused.value.conflicts[0].current == yamlift.Value("current", 5, "100")
    assert refused.value.help
    assert isinstance(refused.value, yamlift.YamliftError)


def test_a_text_that_is_refused_has_its_place() -> None:
    with pytest.raises(yamlift.InputError) as refused:
        yamlift.upgrade("a: 1\nb: 2\nb: 3\n", "a: 1\n")
    error = refused.value
    assert (error.file, error.line, error.column) == ("current", 3, 1)
    assert error.message.startswith("key `b` appears twice")
    assert error.help and error.help in str(error)
    assert str(error).startswith("current:3:1: key `b` appears twice")
    assert error.conflicts == ()
    assert error.__cause__ is None


@pytest.mark.parametrize(
    ("options", "current", "update", "expected"),
    [
        ({"delete": ["port"]}, "port: 1\n", "port: 2\n", "port: 2\n"),
        ({"moves": {"port": "http/port"}}, "port: 1\n", "http:\n  port: 2\n", "http:\n  port: 1\n"),
        ({"variables": {"host": "db"}}, "port: 1\n", "port: 2\nhost: '#{host}'\n", "port: 1\nhost: 'db'\n"),
        ({"comments": "user"}, "# mine\na: 1\n", "# new\na: 1\n", "# mine\na: 1\n"),
        ({"list_merge": {"**/tags": "append"}}, "tags: [a]\n", "tags: [b]\n", "tags: [a, b]\n"),
        ({"sparse": True}, "a: 1\n", "a: 2\nb: 3\n", "a: 1\n"),
        ({"restore_deleted": True}, "#a: 1\nb: 2\n", "a: 1\nb: 3\n", "a: 1\nb: 2\n"),
        (
            {"list_keys": {"jobs": "at"}},
            "jobs:\n- at: 1\n  run: a\n",
            "jobs:\n- at: 2\n  run: a\n  x: 1\n- at: 1\n  run: b\n  x: 2\n",
            "jobs:\n- at: 1\n  run: a\n  x: 2\n",
        ),
        (
            {"migration": "yamlift: 1\nsteps:\n- version: '2'\n  move: {a: b}\n"},
            "a: 1\n",
            "b: 2\n",
            "b: 1\n",
        ),
        (
            {"migration": "yamlift: 1\nsteps:\n- version: '2'\n  move: {a: b}\n", "from_version": "2"},
            "a: 1\n",
            "b: 2\n",
            "a: 1\nb: 2\n",
        ),
        (
            {"pairing": "overlap"},
            "jobs:\n- name: a\n  port: 1\n",
            "jobs:\n- name: b\n  port: 1\n- name: a\n  port: 2\n  new: 2\n",
            "jobs:\n- name: a\n  port: 1\n",
        ),
    ],
)
def test_an_option_does_what_the_command_does(
    options: dict[str, object], current: str, update: str, expected: str
) -> None:
    assert yamlift.upgrade(current, update, **options).text == expected  # type: ignore[arg-type]


def test_what_an_old_default_decides_can_be_kept() -> None:
    assert yamlift.upgrade("a: 1\nb: 1\n", "a: 2\n", "a: 1\nb: 1\n").text == "a: 2\n"
    assert yamlift.upgrade("a: 1\n", "a: 2\n", "a: 1\n", keep_defaults=True).text == "a: 1\n"
    assert yamlift.upgrade("a: 1\nb: 1\n", "a: 2\n", "a: 1\nb: 1\n", keep_obsolete=True).text == "a: 2\nb: 1\n"
    answers = "yamlift: 1\nanswers:\n- {path: a, take: theirs}\n"
    assert yamlift.upgrade("a: 3\n", "a: 2\n", "a: 1\n", answers=answers).text == "a: 2\n"
    assert yamlift.upgrade("a: 3\n", "a: 2\n", "a: 1\n", on_conflict="update").text == "a: 2\n"


def test_unknown_keys_and_variables_are_refused_on_request() -> None:
    with pytest.raises(yamlift.YamliftError, match="prot"):
        yamlift.upgrade("prot: 1\n", "port: 2\n", fail_on_unknown=True)
    with pytest.raises(yamlift.InputError, match="no value for the variable"):
        yamlift.upgrade("a: 1\n", "a: '#{b}'\n", strict_variables=True)


def test_secrets_are_not_shown() -> None:
    with pytest.raises(yamlift.ConflictError) as refused:
        yamlift.upgrade("dsn: mine\n", "dsn: theirs\n", "dsn: old\n", on_conflict="fail", secret=["dsn"])
    assert "mine" not in str(refused.value)


def test_wrong_words_are_told() -> None:
    with pytest.raises(ValueError, match="on_conflict is one of user, update, fail, not \"mine\""):
        yamlift.upgrade("a: 1\n", "a: 2\n", on_conflict="mine")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unknown option 'onconflict'"):
        yamlift.upgrade("a: 1\n", "a: 2\n", onconflict="fail")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="delete is a list of paths"):
        yamlift.upgrade("a: 1\n", "a: 2\n", delete="a")
    with pytest.raises(TypeError):
        yamlift.upgrade(b"a: 1\n", "a: 2\n")  # type: ignore[arg-type]


def test_a_first_installation() -> None:
    installed = yamlift.install("host: '#{host}'  # filled in\n", variables={"host": "db"})
    assert installed.text == "host: 'db'  # filled in\n"
    with pytest.raises(yamlift.InputError) as refused:
        yamlift.install("a: [1\n")
    assert refused.value.file == "update"


def test_threads_upgrade_side_by_side() -> None:
    results: list[str] = []
    threads = [threading.Thread(target=lambda: results.append(yamlift.upgrade(MINE, NEW).text)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert set(results) == {yamlift.upgrade(MINE, NEW).text}


def test_the_example_of_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    program, printed = (readme.split(f"```{language}\n")[1].split("```")[0] for language in ("python", "text"))
    exec(program, {})
    assert capsys.readouterr().out == printed


def test_the_examples_of_the_documentation() -> None:
    assert doctest.testmod(yamlift).attempted > 0
    assert doctest.testmod(yamlift).failed == 0
