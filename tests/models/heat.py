#!/usr/bin/env python3
"""A model of `yamlift merge --rules heat`: random directories of environments, merged by the rules of docs/heat.md, and
compared with the command.

    python3 tests/models/heat.py BINARY [DIRECTORIES [SEED]]

Needs PyYAML. It knows values only, no comments. What a path in a registry means, it has from urllib, as Heat's client does.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
TYPES = {"L": "comma_delimited_list", "M": "comma_delimited_list", "J": "json", "K": "json", "S": "string", "N": "number", "B": "boolean"}
PARAMETERS = ("parameters", "parameter_defaults")


class Refused(Exception):
    """The command has to say no."""


# The strategies


def fixed_words(environments):
    """The word of each parameter, by the first file that sets it."""
    defaults, said, fixed = set(), {}, {}
    for environment in environments:
        own = environment.get("parameter_merge_strategies") or {}
        if "default" in own:
            defaults.add(own["default"])
        for name, word in own.items():
            if name != "default":
                said.setdefault(name, set()).add(word)
    if len(defaults) > 1 or any(len(words) > 1 for words in said.values()):
        raise Refused("conflicting words")
    for environment in environments:
        own = environment.get("parameter_merge_strategies") or {}
        for section in PARAMETERS:
            for name, value in (environment.get(section) or {}).items():
                if name not in TYPES or value is None:
                    continue
                word = own.get(name) or (fixed.get(name) or own.get("default") or "overwrite")
                if fixed.setdefault(name, word) != word:
                    raise Refused(f"{name} has another word")
    return fixed


# Two values of a parameter


def meet(kind, word, old, new, is_there):
    if word == "overwrite":
        return new
    if kind == "comma_delimited_list":
        return lists(old, new, is_there)
    if kind == "json":
        return maps(old, new, word == "deep_merge", is_there)
    if kind == "string":
        if not isinstance(new, str) or is_there and old is not None and not isinstance(old, str):
            raise Refused("no text")
        return (old or "") + new
    raise Refused("numbers cannot be merged")


def lists(old, new, is_there):
    if not isinstance(new, (list, str)):
        raise Refused("no list")
    if not is_there:
        return new
    if new == "":
        return old
    if not old:
        return new
    if not isinstance(old, (list, str)):
        raise Refused("no list before")
    if isinstance(old, str) and isinstance(new, str):
        return f"{old},{new}"
    split = lambda value: [item.strip() for item in value.split(",")] if isinstance(value, str) else value
    return split(old) + split(new)


def maps(old, new, is_deep, is_there):
    parsed = lambda value: json.loads(value) if isinstance(value, str) and value else value
    try:
        new, old = parsed(new), parsed(old)
    except ValueError as error:
        raise Refused(f"no JSON: {error}") from error
    if not is_there or not old:
        return new
    if not isinstance(old, dict) or not isinstance(new, dict):
        raise Refused("no map")
    merged = dict(old)
    for key, value in new.items():
        if value is None:
            continue
        there = merged.get(key)
        if is_deep and isinstance(value, dict) and isinstance(there, dict):
            merged[key] = maps(there, value, True, True) if there else value
        elif is_deep and isinstance(value, list) and isinstance(there, list):
            merged[key] = there + value
        elif is_deep and isinstance(value, str) and isinstance(there, str):
            merged[key] = there + value
        else:
            merged[key] = value
    return merged


# The registry


def is_path(key, value):
    return isinstance(value, str) and key not in ("hooks", "restricted_actions") and "::" not in value


def rebased(registry, directory, output, absolute):
    """The registry of a file with its paths as they are seen from another directory."""
    base = registry.get("base_url", f"file://{quote(directory)}")

    def seen(value, base):
        if urlsplit(value).scheme:
            return value
        is_beside = base == f"file://{quote(output)}" or value.startswith("/") and base.startswith("file:")
        if is_beside and not absolute:
            return value
        target = urljoin(base + "/", value)
        if absolute or not target.startswith("file:///"):
            return target
        return os.path.relpath(target[len("file://"):], quote(output))

    def resolved(entries, base):
        return {
            key: seen(value, base) if is_path(key, value) else value for key, value in entries.items() if key != "base_url"
        }

    result = resolved(registry, base)
    for name, resource in (result.get("resources") or {}).items():
        result["resources"] = dict(result["resources"])
        result["resources"][name] = resolved(resource, resource.get("base_url", base))
    return result


# Whole environments


def merged(environments, directory, output, absolute):
    words = fixed_words(environments)
    result = {}
    for environment in environments:
        for section, entries in environment.items():
            if not entries or section == "parameter_merge_strategies":
                continue
            if section == "resource_registry":
                entries = rebased(entries, directory, output, absolute)
            there = result.get(section)
            if there is None:
                result[section] = dict(entries) if isinstance(entries, dict) else list(entries)
            elif section == "event_sinks":
                there.extend(entries)
            elif section == "resource_registry":
                there.update({key: value for key, value in entries.items() if value is not None})
            else:
                for name, value in entries.items():
                    if name in TYPES and value is not None:
                        there[name] = meet(TYPES[name], words[name], there.get(name), value, name in there)
    return result


# Random environments


class Random:
    def __init__(self, seed):
        self.of = random.Random(seed)

    def chance(self, share):
        return self.of.random() < share

    def text(self):
        return self.of.choice(["a", "bc", "x-y", "", "yes please", "#1", "a: b"])

    def json(self, depth=0):
        """Each key has values of one kind, so that only null is in the way of others."""
        result = {}
        for key in self.of.sample(["text", "list", "map", "flag", "count"], self.of.randint(0, 3)):
            if self.chance(0.1):
                result[key] = None
            elif key == "map":
                result[key] = self.json(depth + 1) if depth < 2 else {}
            else:
                values = {"text": self.text, "list": lambda: [1, self.text()], "flag": lambda: True, "count": lambda: 7}
                result[key] = values[key]()
        return result

    def value(self, name):
        kind = TYPES.get(name, "string")
        if self.chance(0.05):
            return self.of.choice([None, [1], "text"])
        if kind == "comma_delimited_list":
            return self.of.choice([[self.text()], ["a", "a"], "a,b", "", []])
        if kind == "json":
            value = self.json()
            return json.dumps(value) if self.chance(0.2) else value
        return {"string": self.text, "number": lambda: 3, "boolean": lambda: self.chance(0.5)}[kind]()

    def path(self):
        return self.of.choice(
            ["a.yaml", "./b.yaml", "../t/c.yaml", "t/../d.yaml", "/srv/e.yaml", "OS::Heat::None", "https://example.org/f.yaml", "g h.yaml"]
        )

    def registry(self):
        entries = {f"OS::{name}": self.path() for name in self.of.sample("ABCD", self.of.randint(1, 3))}
        if self.chance(0.15):
            entries["base_url"] = self.of.choice(["file:///srv/base", "https://example.org/base"])
        if self.chance(0.3):
            crane = {"OS::Crane": self.path(), "hooks": "pre-create"}
            if self.chance(0.3):
                crane["base_url"] = "file:///srv/cranes"
            entries["resources"] = {"crane": crane}
        return entries

    def environment(self, at):
        environment = {}
        names = [*TYPES, "Unknown"]
        if self.chance(0.8 if at == 0 else 0.1):
            words = ["merge", "deep_merge", "overwrite"]
            own = {"default": self.of.choice(words)} if self.chance(0.6) else {}
            own.update({name: self.of.choice(words) for name in self.of.sample([*TYPES], self.of.randint(0, 3))})
            environment["parameter_merge_strategies"] = {**own, "N": "overwrite", "B": "overwrite"}
        for section in PARAMETERS:
            if self.chance(0.6):
                environment[section] = {name: self.value(name) for name in self.of.sample(names, self.of.randint(0, 4))}
        if self.chance(0.6):
            environment["resource_registry"] = self.registry()
        if self.chance(0.15):
            environment["event_sinks"] = [{"type": "zaqar-queue", "target": self.text() or "q"}]
        return environment


def write(root, environments, rng):
    names = rng.of.sample(["10.yaml", "9.yaml", "B.yaml", "a.yaml", "ä.yaml", "a b.yaml"], len(environments))
    for name, environment in zip(sorted(names, key=os.fsencode), environments):
        (root / name).write_text(yaml.dump(environment, Dumper=DUMPER, sort_keys=False, allow_unicode=True))
    # None of these is an environment of the directory.
    (root / ".hidden.yaml").write_text("no: section\n")
    (root / "notes.yml").write_text("no: section\n")


def held(binary, seed):
    """Whether the command refused, after its result was the model's."""
    rng = Random(seed)
    environments = [rng.environment(at) for at in range(rng.of.randint(1, 4))]
    top = Path(tempfile.mkdtemp()).resolve()
    try:
        directory, output = top / rng.of.choice(["envs", "my envs/x"]), top / rng.of.choice(["out", "envs", "."])
        absolute = rng.chance(0.3)
        for folder in (directory, output, top / "templates"):
            folder.mkdir(parents=True, exist_ok=True)
        write(directory, environments, rng)
        template = {"heat_template_version": "2021-04-16", "parameters": {name: {"type": kind} for name, kind in TYPES.items()}}
        (top / "templates/stack.yaml").write_text(yaml.dump(template, Dumper=DUMPER))
        (top / "templates/data.yaml").write_text("- no template\n")
        words = ["merge", "--rules", "heat", str(directory), "--template", str(top / "templates"), "-o", str(output / "all")]
        ran = subprocess.run([binary, *words, *(["--absolute"] if absolute else [])], capture_output=True, text=True, check=False)
        try:
            expected = merged(environments, str(directory), os.path.normpath(output), absolute)
        except Refused as refused:
            assert ran.returncode == 2 and not (output / "all").exists(), f"seed {seed}: not refused, though {refused}: {environments}"
            return True
        assert ran.returncode == 0, f"seed {seed}: {ran.stderr}\n{environments}"
        found = yaml.load((output / "all").read_text(), Loader=LOADER) or {}
        assert found == expected, f"seed {seed}:\n{environments}\nexpected {expected}\nfound    {found}"
        return False
    finally:
        shutil.rmtree(top)


def main():
    binary, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    refused = sum(held(binary, seed + at) for at in range(count))
    assert count < 100 or count * 0.02 < refused < count * 0.5, f"{refused} of {count} were refused"
    print(f"heat: {count} random directories of environments as the model has them, {refused} of them refused")


main()
