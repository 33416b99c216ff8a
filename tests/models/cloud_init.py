#!/usr/bin/env python3
"""A model of `yamlift cloud-init`: random machines, resolved by the rules of docs/cloud-init.md, and compared with the command.

    python3 tests/models/cloud_init.py BINARY [MACHINES [SEED]]

Needs PyYAML. It knows values only, no comments. Templates are filled in by a few lines of its own, which know `{{ name }}` and nothing
else. Left out, as the command refuses or names them: classes of mergers of one's own, `settings` that are a text, patches.
"""

import base64
import copy
import gzip
import json
import random
import shutil
import subprocess
import sys
import tempfile
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MISSING = "CI_MISSING_JINJA_VAR/"
OF_PARTS, OF_LEVELS = "dict(replace)+list()+str()", "list()+dict()+str()"


class Unmergeable(Exception):
    """Two values that a merger cannot join."""


def mergers_of(text):
    """The mergers that a text names: the first of each kind, with its options."""
    found = {}
    for piece in filter(None, (piece.strip() for piece in text.split("+"))):
        name, options = piece.rstrip(")").split("(")
        found.setdefault(name, {option.strip() for option in options.split(",") if option.strip()})
    return found


def merge(old, new, mergers):
    if isinstance(old, dict) and "dict" in mergers:
        return merge_maps(old, new, mergers)
    if isinstance(old, list) and "list" in mergers:
        return merge_lists(old, new, mergers)
    if isinstance(old, str) and "str" in mergers:
        if "append" not in mergers["str"]:
            return new
        if not isinstance(new, str):
            raise Unmergeable
        return old + new
    return old


def goes_inside(new, options, maps):
    if isinstance(new, dict):
        return maps
    if isinstance(new, list):
        return bool(options & {"recurse_list", "recurse_array"})
    return isinstance(new, str) and "recurse_str" in options


def merge_maps(old, new, mergers):
    options = mergers["dict"]
    if not isinstance(new, dict):
        return old
    result = dict(old)
    for key, value in new.items():
        if key not in old:
            result[key] = value
        elif value is None and "allow_delete" in options:
            del result[key]
        elif "replace" in options:
            result[key] = value
        elif goes_inside(value, options, True):
            result[key] = merge(old[key], value, mergers)
    return result


def merge_lists(old, new, mergers):
    options = mergers["list"]
    if "append" in options or "prepend" in options:
        if not isinstance(new, (list, dict, str)):
            raise Unmergeable
        return old + list(new) if "append" in options else list(new) + old
    if "replace" not in options and "no_replace" in options:
        # It asks for the length of the new value, and for its items by their numbers.
        if not isinstance(new, (list, dict, str)) or isinstance(new, dict) and old and new:
            raise Unmergeable
        return old
    if not isinstance(new, list):
        return new
    result = list(old)
    for at, item in enumerate(new[: len(old)]):
        inside = goes_inside(item, options, "recurse_dict" in options)
        result[at] = merge(old[at], item, mergers) if inside else item
    return result


def taken_from(document):
    """The mergers that a document names in itself, without them."""
    document = dict(document)
    named = document.pop("merge_how", None)
    if named is None:
        named = document.pop("merge_type", None)
    return document, named or ""


def parts_come_to(parts):
    """The parts of one user-data, each a document and its Merge-Type."""
    result = {}
    for document, header in parts:
        if not isinstance(document, dict):
            continue
        document, named = taken_from(document)
        named = "+".join(filter(None, [named, header])) or OF_PARTS
        try:
            result = merge(copy.deepcopy(result), document, mergers_of(named))
        except Unmergeable:
            pass
    return result


def levels_come_to(levels):
    """Levels, the highest first."""
    result = {}
    for level in filter(None, levels):
        level, named = taken_from(level)
        result = merge(copy.deepcopy(result), level, mergers_of(named or OF_LEVELS))
    return result


def is_on(setting):
    if not isinstance(setting, dict):
        return False
    enabled = setting.get("enabled", True)
    return enabled if isinstance(enabled, bool) else str(enabled).lower().strip() in ("true", "1", "on", "yes")


def comes_to(machine):
    directory = [document for _, document in sorted(machine["cloud.cfg.d"].items(), reverse=True)]
    main = machine["cloud.cfg"]
    if "conf_d" in main and not main["conf_d"]:
        directory = []
    system = levels_come_to([levels_come_to(directory), main])
    system = levels_come_to([system, machine["built-in.yml"]])
    user = parts_come_to(machine["user-data"])
    decided = levels_come_to([user, system])
    levels = [user]
    for name, key in (("vendor-data2", "vendor_data2"), ("vendor-data", "vendor_data")):
        if is_on(decided.get(key, {})):
            levels.append(parts_come_to(machine[name]))
    return levels_come_to([*levels, system])


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, share):
        return self.random.random() < share

    def scalar(self):
        return self.random.choice([1, 2, 30, True, False, None, "a", "b c", "yes", "x: y", "", "0644", "{{ x }}", "line\nline\n"])

    def value(self, depth=0):
        kind = self.random.random()
        if depth < 3 and kind < 0.3:
            return {key: self.value(depth + 1) for key in self.random.sample("abcd", self.random.randint(0, 3))}
        if depth < 3 and kind < 0.55:
            return [self.value(depth + 1) for _ in range(self.random.randint(0, 3))]
        return self.scalar()

    def mergers(self):
        options = {
            "dict": ["replace", "no_replace", "allow_delete", "recurse_list", "recurse_str", "recurse_array"],
            "list": ["append", "prepend", "replace", "no_replace", "recurse_list", "recurse_str", "recurse_dict"],
            "str": ["append"],
        }
        names = self.random.sample(["dict", "list", "str"], self.random.choice([1, 2, 3, 3, 3]))
        some = {name: self.random.sample(options[name], self.random.randint(0, min(3, len(options[name])))) for name in names}
        return "+".join(f"{name}({','.join(chosen)})" for name, chosen in some.items())

    def document(self, with_mergers=0.3):
        keys = self.random.sample(["a", "b", "c", "packages", "runcmd", "users", "motd"], self.random.randint(0, 5))
        document = {key: self.value() for key in keys}
        if self.chance(with_mergers):
            document[self.random.choice(["merge_how", "merge_type"])] = self.mergers()
        if self.chance(0.1):
            setting = self.random.choice([{"enabled": False}, {"enabled": "on"}, {"prefix": "x"}, {"enabled": True}, None, "off"])
            document[self.random.choice(["vendor_data", "vendor_data2"])] = setting
        return yaml.load(yaml.safe_dump(document), LOADER)

    def instance(self):
        return {"v1": {"local-hostname": "web1", "region": "north"}, "ds": {"meta_data": {"role": "gate"}}}

    def template(self, document):
        """A document with names to be filled in, and what it comes to."""
        names = {"v1.region": "north", "local_hostname": "web1", "ds.meta_data.role": "gate", "nobody": MISSING + "nobody"}
        name = self.random.choice(sorted(names))
        text = yaml.safe_dump({**document, "host": "in NAME out"}).replace("{{ x }}", "x x x")
        filled = yaml.load(text.replace("NAME", names[name]), LOADER)
        return "## template: jinja\n#cloud-config\n" + text.replace("NAME", "{{ " + name + " }}"), filled

    def user_data(self):
        """The bytes of a user-data, and its parts."""
        parts, texts = [], []
        for _ in range(self.random.choice([1, 1, 2, 3, 4])):
            document, kind = self.document(), self.random.random()
            header = self.mergers() if self.chance(0.2) else ""
            if kind < 0.08:
                texts.append(("#!/bin/sh\necho a: 1\n", "x-shellscript", header))
                continue
            if kind < 0.12:
                texts.append((self.random.choice(["#cloud-config\n- a\n", "#cloud-config\na: [1\n", "#cloud-config\n"]), "cloud-config", header))
                continue
            if kind < 0.16:
                texts.append(("\ufeff#cloud-config\na: 1\n", "plain", header))
                continue
            if kind < 0.3:
                text, document = self.template(document)
                texts.append((text, "jinja2", header))
            else:
                texts.append(("#cloud-config\n" + yaml.safe_dump(document), "cloud-config", header))
            parts.append((document, header))
        if len(texts) == 1 and not texts[0][2] and self.chance(0.8):
            data = texts[0][0].encode()
        elif self.chance(0.4):
            data = self.archive(texts).encode()
        else:
            data = self.message(texts)
        return self.packed(data), parts

    def archive(self, texts):
        members = []
        for at, (text, kind, header) in enumerate(texts):
            member = {"content": text, "type": f"text/{kind}"}
            if kind != "plain" and self.chance(0.4):
                del member["type"]
            if self.chance(0.5):
                member["filename"] = f"{at}.cfg"
            if header:
                member["Merge-Type"] = header
            members.append(member)
        return "#cloud-config-archive\n" + yaml.safe_dump(members, allow_unicode=True)

    def message(self, texts):
        outer = MIMEMultipart()
        inner = outer
        for at, (text, kind, header) in enumerate(texts):
            if self.chance(0.2):
                inner = MIMEMultipart()
                outer.attach(inner)
            part = MIMEText(text, kind, self.random.choice(["us-ascii", "utf-8"]) if text.isascii() else "utf-8")
            if header:
                part["Merge-Type"] = header
            if self.chance(0.5):
                part.add_header("Content-Disposition", "attachment", filename=f"{at}.cfg")
            inner.attach(part)
        # Headers are not folded: cloud-init takes a line break in one for a part of it.
        return outer.as_string(maxheaderlen=0).encode()

    def packed(self, data):
        if self.chance(0.2):
            data = gzip.compress(data)
        return base64.b64encode(data) if self.chance(0.1) else data

    def machine(self):
        """The files of a machine, and what the model reads."""
        files, read = {}, {"built-in.yml": {}, "cloud.cfg": {}, "cloud.cfg.d": {}}
        for name, share in (("user-data", 0.95), ("vendor-data", 0.8), ("vendor-data2", 0.4)):
            read[name] = []
            if self.chance(share):
                files[name], read[name] = self.user_data()
        for name, share in (("cloud.cfg", 0.9), ("built-in.yml", 0.3)):
            if self.chance(share):
                read[name] = self.document(0.1)
                files[name] = yaml.safe_dump(read[name]).encode()
        if self.chance(0.1) and "cloud.cfg" in files:
            read["cloud.cfg"]["conf_d"] = self.random.choice(["", None, "/etc/x"])
            files["cloud.cfg"] = yaml.safe_dump(read["cloud.cfg"]).encode()
        for name in self.random.sample(["05_a.cfg", "10_b.cfg", "90_c.cfg"], self.random.randint(0, 3)):
            read["cloud.cfg.d"][name] = self.document(0.1)
            files["cloud.cfg.d/" + name] = yaml.safe_dump(read["cloud.cfg.d"][name]).encode()
        files["cloud.cfg.d/README"] = b"no: configuration\n"
        files["instance-data.json"] = json.dumps(self.instance()).encode()
        return files, read


def told(binary, folder):
    run = subprocess.run([binary, "cloud-init", folder, "--format", "json", "-q"], capture_output=True, check=False)
    if run.returncode == 2:
        return "refused", run.stderr.decode()
    assert run.returncode == 0, run.stderr.decode()
    return "resolved", yaml.load(json.loads(run.stdout)["text"], LOADER)


def meant(read):
    try:
        return "resolved", comes_to(read)
    except Unmergeable:
        return "refused", None


def main(binary, count=1000, start=0):
    differences = refused = empty = 0
    for seed in range(int(start), int(start) + int(count)):
        files, read = Generator(seed).machine()
        folder = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
        try:
            (folder / "cloud.cfg.d").mkdir()
            for name, data in files.items():
                (folder / name).write_bytes(data)
            (status, result), (expected, model) = told(binary, folder), meant(read)
        finally:
            shutil.rmtree(folder)
        refused += expected == "refused"
        empty += model == {}
        if status != expected or status == "resolved" and repr(sorted_keys(result)) != repr(sorted_keys(model)):
            differences += 1
            if differences <= 5:
                print(f"seed {seed}: {status}, meant was {expected}\n  told:  {result}\n  meant: {model}")
    print(f"{count} machines, {refused} to be refused, {empty} with nothing: {differences} differ")
    return 1 if differences else 0


def sorted_keys(value):
    """Values whose types count: True is not 1."""
    if isinstance(value, dict):
        return sorted(((repr(key), sorted_keys(item)) for key, item in value.items()), key=lambda pair: pair[0])
    return [sorted_keys(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
