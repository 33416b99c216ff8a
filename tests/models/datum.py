#!/usr/bin/env python3
"""A model of `yamlift datum`: random repositories, resolved by the rules of docs/datum.md, and compared with the command.

    python3 tests/models/datum.py BINARY [REPOSITORIES [SEED]]
    python3 tests/models/datum.py --hold ROOT RESULTS

With --hold it resolves the repository ROOT itself, and holds the files RESULTS/NODE.yml against that.

Needs PyYAML. It knows values only, no comments; keys are compared in small letters, for their case does not matter.
"""

import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class Refused(Exception):
    """The command has to say no."""


class Node:
    """A value that knows the layer it was read in; a map is a list of pairs."""

    def __init__(self, kind, value, layer):
        self.kind, self.value, self.layer = kind, value, layer

    @staticmethod
    def read(value, layer):
        if isinstance(value, dict):
            return Node("map", [(str(key), Node.read(item, layer)) for key, item in value.items()], layer)
        if isinstance(value, list):
            return Node("list", [Node.read(item, layer) for item in value], layer)
        return Node("scalar", value, layer)

    def get(self, name):
        if self.kind != "map":
            return None
        return next((value for key, value in self.value if key.lower() == name.lower()), None)

    def plain(self):
        if self.kind == "map":
            return {key.lower(): value.plain() for key, value in self.value}
        if self.kind == "list":
            return [item.plain() for item in self.value]
        return self.value

    def is_null(self):
        return self.kind == "scalar" and self.value is None


def kind_of(node):
    if node.kind == "list":
        return "maps" if node.value and all(item.kind == "map" for item in node.value) else "bases"
    return node.kind


def as_text(node):
    if node.kind != "scalar" or node.value is None:
        return None
    return str(node.value)


def same_key(node):
    """Two items are equal where this is: a number and its text are, true and 'true' are not."""
    if node.kind == "scalar":
        if node.value is None:
            return ("null",)
        if isinstance(node.value, bool):
            return ("bool", node.value)
        return ("text", str(node.value))
    if node.kind == "list":
        return ("list", tuple(same_key(item) for item in node.value))
    return ("map", tuple(sorted((key.lower(), same_key(value)) for key, value in node.value)))


class Strategy:
    def __init__(self, hash, bases, maps, prefix, tuples=(), named=False, first=False):
        self.hash, self.bases, self.maps, self.prefix = hash, bases, maps, prefix
        self.tuples, self.named, self.first = list(tuples), named, first

    @staticmethod
    def read(said):
        if isinstance(said, str):
            word = said.lower()
            if word in ("mostspecific", "first"):
                return Strategy("first", "first", "first", None, first=True)
            if word in ("hash", "mergetopkeys"):
                return Strategy("hash", "first", "first", "--")
            if word in ("deep", "mergerecursively"):
                return Strategy("deep", "unique", "deep", "--", ["Name", "Version"])
            if word == "unique":
                return Strategy("first", "unique", "first", "--")
            raise AssertionError(said)
        said = {key.lower(): value for key, value in said.items()}
        options = said.get("merge_options", {})
        word = lambda key, words: words[said[key].lower()] if key in said else None
        hash = word("merge_hash", {"mostspecific": "first", "hash": "hash", "deep": "deep"}) or "hash"
        bases = word("merge_basetype_array", {"mostspecific": "first", "unique": "unique", "sum": "sum", "add": "sum"})
        maps = word(
            "merge_hash_array",
            {"mostspecific": "first", "sum": "sum", "uniquekeyvaltuples": "unique", "deeptuple": "deep"},
        )
        named = "knockout_prefix" in options
        prefix = options.get("knockout_prefix", "--") or None
        return Strategy(hash, bases, maps, prefix, options.get("tuple_keys", []), named)

    def inside(self):
        return Strategy("deep", self.bases, self.maps, self.prefix, self.tuples, self.named)

    def marked(self, text):
        if self.prefix and isinstance(text, str) and text.lower().startswith(self.prefix.lower()):
            return text[len(self.prefix) :]
        return None


class Options:
    def __init__(self, definition):
        self.default = Strategy.read(definition.get("default_lookup_options", "MostSpecific"))
        self.names, self.patterns = {}, []
        for key, said in definition.get("lookup_options", {}).items():
            if key.startswith("^"):
                how = "all" if key == "^.*" else "pattern"
                self.patterns.append((re.compile(key, re.IGNORECASE), Strategy.read(said), how))
            else:
                self.names[key.replace("/", "\\").lower()] = Strategy.read(said)

    def of(self, path):
        if path.lower() in self.names:
            return self.names[path.lower()], "name"
        for pattern, strategy, how in self.patterns:
            if pattern.match(path):
                return strategy, how
        return self.default, "default"

    def below(self, strategy, path, is_map):
        """The strategy inside of a map that is joined by another; None takes the most specific value."""
        own, how = self.of(path)
        deep = strategy.hash == "deep"
        if how == "name":
            return own
        if how == "pattern":
            return own if deep or not is_map else None
        if how == "all" and not deep:
            return own if not is_map else None
        return strategy if deep else None


class Merge:
    def __init__(self, options):
        self.options = options

    def lookup(self, path, found):
        found = [value for value in found if value is not None and not value.is_null()]
        if not found:
            return None
        strategy, _ = self.options.of(path)
        if strategy.first:
            return found[0]
        result = found[0]
        for general in found[1:]:
            result = self.fold(result, general, path, strategy)
        return self.clean(result, path, strategy)

    def fold(self, a, b, path, strategy):
        kinds = kind_of(a), kind_of(b)
        empty = lambda node: node.kind == "list" and not node.value
        if kinds == ("bases", "maps") and empty(a) or kinds == ("maps", "bases") and empty(b):
            kinds = "maps", "maps"
        if kinds == ("map", "map") and strategy.hash != "first":
            return self.join(a, b, path, strategy)
        if kinds == ("bases", "bases"):
            if strategy.bases == "unique":
                return Node("list", self.unique(a.value, b.value, strategy), a.layer)
            if strategy.bases == "sum":
                return Node("list", self.sum(a.value, b.value, strategy), a.layer)
        if kinds == ("maps", "maps"):
            if strategy.maps == "sum":
                knocked = self.knocked(a.value, strategy)
                return Node("list", a.value + [item for item in b.value if not knocked(item)], a.layer)
            if strategy.maps == "unique":
                return Node("list", self.unique_tuples(a.value, b.value, strategy), a.layer)
            if strategy.maps == "deep":
                return Node("list", self.deep_tuples(a.value, b.value, path, strategy), a.layer)
        return a

    def unique(self, specific, general, strategy):
        gone = {("text", strategy.marked(item.value)) for item in specific if strategy.marked(item.value) is not None}
        items, places = [], {}
        for item in general:
            if same_key(item) not in gone and same_key(item) not in places:
                places[same_key(item)] = len(items)
                items.append(item)
        theirs = len(items)
        for item in specific:
            at = places.get(same_key(item))
            if at is None:
                places[same_key(item)] = len(items)
                items.append(item)
            elif at < theirs:
                items[at] = item
        return items

    def sum(self, specific, general, strategy):
        marks = [strategy.marked(item.value) for item in specific]
        gone = {mark.lower() for mark in marks if mark is not None}
        stays = lambda item: as_text(item) is None or as_text(item).lower() not in gone
        return [item for item in specific + general if stays(item)]

    def knocked(self, items, strategy):
        sets = []
        for item in items:
            marks = {}
            for key in strategy.tuples:
                value = item.get(key)
                mark = strategy.marked(value.value) if value is not None and value.kind == "scalar" else None
                if mark is not None:
                    marks[key] = mark.lower()
            if marks:
                sets.append(marks)

        def is_hit(item):
            text = lambda key: as_text(item.get(key) or Node("scalar", None, None))
            fits = lambda marks: all(text(key) is not None and text(key).lower() == mark for key, mark in marks.items())
            return any(fits(marks) for marks in sets)

        return is_hit

    def match(self, x, y, keys):
        one = False
        for key in keys:
            a, b = x.get(key), y.get(key)
            if (a is None) != (b is None):
                return False
            if a is None:
                continue
            one = True
            if isinstance(a.value, str) and as_text(b) is not None:
                if a.value.lower() != as_text(b).lower():
                    return False
            elif same_key(a) != same_key(b):
                return False
        return one

    def need_tuples(self, specific, general, strategy):
        if not strategy.tuples and specific and general:
            raise Refused("no tuple_keys")

    def unique_tuples(self, specific, general, strategy):
        self.need_tuples(specific, general, strategy)
        knocked, items = self.knocked(specific, strategy), []
        for item in specific + [item for item in general if not knocked(item)]:
            if not any(self.match(known, item, strategy.tuples) for known in items):
                items.append(item)
        return items

    def deep_tuples(self, specific, general, path, strategy):
        self.need_tuples(specific, general, strategy)
        knocked, items, left = self.knocked(specific, strategy), list(specific), []
        for other in general:
            if knocked(other):
                continue
            same = [at for at, item in enumerate(specific) if self.match(item, other, strategy.tuples)]
            for at in same:
                items[at] = self.join(items[at], other, path, strategy.inside())
            if not same:
                left.append(other)
        return items + left

    def join(self, a, b, path, strategy):
        names = {key.lower() for key, _ in a.value}
        knocked = {strategy.marked(name) for name in names} - {None}
        entries = []
        for key, value in a.value:
            other = b.get(key)
            if other is not None and key.lower() not in knocked and value.kind != "scalar":
                below = self.options.below(strategy, f"{path}\\{key}", value.kind == "map")
                if below is not None:
                    value = self.fold(value, other, f"{path}\\{key}", below)
            entries.append((key, value))
        for key, value in b.value:
            name = key.lower()
            if name in names or name in knocked:
                continue
            mark = strategy.marked(name)
            if mark is not None and mark not in names:
                value = Node("scalar", None, value.layer)
            entries.append((key, value))
        return Node("map", entries, a.layer)

    def clean(self, node, path, strategy):
        kind = kind_of(node)
        if kind == "map":
            return self.clean_map(node, path, strategy)
        if kind == "bases" and strategy.bases != "first" and (strategy.bases or strategy.named):
            gone, kept = {}, []
            for item in node.value:
                mark = strategy.marked(item.value)
                known = gone.setdefault(item.layer, set())
                if mark is not None:
                    known.add(("text", mark))
                elif same_key(item) not in known:
                    kept.append(item)
            return Node("list", kept, node.layer)
        if kind == "maps" and strategy.maps != "first" and (strategy.maps or strategy.named):
            is_mark = lambda value: value is not None and value.kind == "scalar" and strategy.marked(value.value) is not None
            items = [item for item in node.value if not any(is_mark(item.get(key)) for key in strategy.tuples)]
            inside = strategy.inside() if strategy.maps == "deep" else strategy
            return Node("list", [self.clean_map(item, path, inside) for item in items], node.layer)
        return node

    def clean_map(self, node, path, strategy):
        if strategy.hash == "first":
            return node
        entries = []
        for key, value in node.value:
            if strategy.marked(key) is not None:
                continue
            if value.kind != "scalar":
                below = self.options.below(strategy, f"{path}\\{key}", value.kind == "map")
                if below is not None:
                    value = self.clean(value, f"{path}\\{key}", below)
            entries.append((key, value))
        return Node("map", entries, node.layer)


class Repository:
    """A folder is a dict, a file whatever it holds."""

    def __init__(self, definition, tree):
        self.definition, self.tree = definition, tree

    def nodes(self, folder=None, above="AllNodes"):
        folder = self.tree["AllNodes"] if folder is None else folder
        for name, inside in folder.items():
            if name.endswith(".yml"):
                yield name[:-4], above, inside
            else:
                yield from self.nodes(inside, name)

    def step(self, value, name):
        """One step of a path, with the file that it leads into."""
        for own, inside in value.items():
            if own.removesuffix(".yml").lower() == name.lower():
                return own.endswith(".yml"), inside
        return False, None

    def folder(self, folder, where):
        entries = []
        for name, inside in sorted(folder.items()):
            at = f"{where}/{name}"
            value = Node.read(inside, at) if name.endswith(".yml") else self.folder(inside, at)
            if not value.is_null():
                entries.append((name.removesuffix(".yml"), value))
        return Node("map", entries, None)

    def find(self, path):
        value, where = self.tree, ""
        for at, name in enumerate(path):
            is_file, value = self.step(value, name)
            where += f"/{name.lower()}"
            if value is None:
                return None
            if is_file:
                node = Node.read(value, where)
                for name in path[at + 1 :]:
                    node = node.get(name)
                    if node is None or node.is_null():
                        return None
                return None if node.is_null() else node
        return self.folder(value, where)

    def fact(self, name, node, folder, own, left=8):
        if name.lower() == "name":
            return node
        value = next((value for key, value in own.items() if key.lower() == name.lower()), None)
        if value is None:
            return node if name.lower() == "nodename" else None
        text = str(value)
        known = re.fullmatch(r"\[x=\s*\{?\s*(\$\S+?)\s*\}?\s*=\]", text)
        if known is None:
            return text
        if known[1] == "$File.Directory.BaseName":
            return folder
        return self.fact(known[1].removeprefix("$Node."), node, folder, own, left - 1)

    def layers(self, node, folder, own):
        found = []
        for path in self.definition["ResolutionPrecedence"]:
            steps, lacking = [], False
            for step in re.split(r"[\\/]", path):
                parts = re.split(r"\$\(\$Node\.(\w+)\)", step)
                for at in range(1, len(parts), 2):
                    fact = self.fact(parts[at], node, folder, own)
                    lacking = lacking or fact is None
                    if not lacking and (fact in ("", ".", "..") or re.search(r"[\\/]", fact)):
                        raise Refused("a fact that is no name")
                    parts[at] = fact or ""
                steps.append("".join(parts))
                if lacking:
                    break
            layer = None if lacking else self.find(steps)
            if layer is not None:
                if layer.kind != "map":
                    raise Refused("a layer that is no map")
                found.append(layer)
        return found

    def rsop(self, node, folder, own):
        merge = Merge(Options(self.definition))
        layers = self.layers(node, folder, own)
        lookup = lambda name: merge.lookup(name, [layer.get(name) for layer in layers])
        configurations = lookup("Configurations")
        if configurations is None:
            names = {}
            for layer in layers:
                for key, _ in layer.value:
                    names.setdefault(key.lower(), key)
            found = {name: lookup(key) for name, key in names.items()}
            return {name: None if value is None else value.plain() for name, value in found.items()}
        result = Node.read(own, None).plain()
        result["configurations"] = configurations.plain()
        for name in configurations.value:
            value = lookup(name.value)
            result[name.value.lower()] = {} if value is None else value.plain()
        lcm = lookup(self.definition.get("DscLocalConfigurationManagerKeyName", "LcmConfig"))
        if lcm is not None:
            result[self.definition.get("DscLocalConfigurationManagerKeyName", "LcmConfig").lower()] = lcm.plain()
        return result


class Generator:
    WORDS = ["ant", "Bee", "cat", "--ant", "--Bee", "owl", "1", 1, 2, True, False, "true"]
    KEYS = ["alpha", "Beta", "gamma", "--alpha", "--Beta", "delta"]
    TOPS = ["Web", "Disk", "Users", "Net"]

    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, options):
        return self.random.choice(options)

    def chance(self, part):
        return self.random.random() < part

    def key(self, name):
        return name.swapcase() if self.chance(0.06) and not name.startswith("--") else name

    def scalar(self):
        return None if self.chance(0.06) else self.pick(self.WORDS)

    def item(self):
        item = {}
        for key, part in [("Name", 0.95), ("Version", 0.3), ("alpha", 0.5), ("Beta", 0.3), ("--alpha", 0.06)]:
            if self.chance(part):
                names = ["ant", "ANT", "bee", "--ant", "1", 1]
                item[key] = self.pick(names) if key in ("Name", "Version") else self.value(1, key)
        return item or {"Name": "ant"}

    def value(self, depth=3, key=""):
        """A value; most of those under one key are of one kind, so that layers meet."""
        usual = {"alpha": "list", "Beta": "map", "delta": "maps", "Web": "map", "Disk": "map", "Users": "maps", "Net": "list"}
        kind = self.pick(["map", "list", "maps", "scalar"])
        if key in usual and self.chance(0.8):
            kind = usual[key]
        if kind == "map" and depth:
            keys = self.random.sample(self.KEYS, self.random.randint(0, 5))
            return {self.key(key): self.value(depth - 1, key) for key in keys}
        if kind == "list":
            return [self.scalar() for _ in range(self.random.randint(0, 5))]
        if kind == "maps" and depth:
            return [self.item() for _ in range(self.random.randint(0, 4))]
        return self.scalar()

    def strategy(self):
        words = ["MostSpecific", "First", "hash", "MergeTopKeys", "deep", "MergeRecursively", "Unique", "DEEP"]
        if self.chance(0.4):
            return self.pick(words)
        said = {}
        if self.chance(0.7):
            said["merge_hash"] = self.pick(["MostSpecific", "hash", "deep"])
        if self.chance(0.7):
            said[self.pick(["merge_baseType_array", "merge_basetype_array"])] = self.pick(
                ["MostSpecific", "Unique", "Sum", "Add"]
            )
        options = {}
        if self.chance(0.8):
            said["merge_hash_array"] = self.pick(["MostSpecific", "Sum", "UniqueKeyValTuples", "DeepTuple"])
            options["tuple_keys"] = self.pick([["Name"], ["Name", "Version"], ["name"], []] if self.chance(0.2) else [["Name"]])
        if self.chance(0.5):
            options["knockout_prefix"] = self.pick(["--", "--", ""])
        if options:
            said["merge_options"] = options
        return said or "hash"

    def layer(self):
        layer = {self.key(top): self.value(3, top) for top in self.TOPS if self.chance(0.7)}
        if self.chance(0.4):
            layer["Configurations"] = self.random.sample(self.TOPS + ["Nowhere"], self.random.randint(1, 4))
        if self.chance(0.3):
            layer["LcmConfig"] = self.value(2)
        return layer

    def file_or_folder(self):
        if self.chance(0.75):
            return ".yml", self.layer()
        return "", {f"{top}.yml": value for top, value in self.layer().items()}

    def repository(self):
        tree = {"AllNodes": {"Pilot": {}, "Live": {}}, "Roles": {}, "Sites": {}, "Base": {}}
        for at in range(self.random.randint(1, 4)):
            own = {} if self.chance(0.7) else self.layer()
            folder = self.pick(["Pilot", "Live"])
            if self.chance(0.5):
                own["NodeName"] = self.pick([f"node{at}", "[x={ $Node.Name }=]"])
            own["Environment"] = self.pick([folder, "[x={ $File.Directory.BaseName } =]"])
            for key, names in [("Role", ["Gate", "crane", "None"]), ("Site", ["East", "west"])]:
                if self.chance(0.9):
                    own[key] = self.pick(names) if self.chance(0.997) else self.pick(["../x", "a/b", ".."])
            tree["AllNodes"][folder][f"node{at}.yml"] = own
        for store, names in [("Roles", ["Gate", "Crane"]), ("Sites", ["East", "West"]), ("Base", ["All"])]:
            for name in names:
                if self.chance(0.9):
                    end, value = self.file_or_folder()
                    tree[store][name + end] = value
        if self.chance(0.3):
            tree["Base"]["Parts.yml"] = {"Small": self.layer(), "Large": {"Inner": self.layer()}}
        definition = {"ResolutionPrecedence": self.precedence()}
        if self.chance(0.6):
            stores = [{"StoreName": name, "StoreProvider": "Datum::File", "StoreOptions": {"Path": f"./{name}"}} for name in tree]
            definition["DatumStructure"] = stores
        if self.chance(0.8):
            definition["default_lookup_options"] = self.strategy()
        definition["lookup_options"] = self.options()
        return Repository(definition, tree)

    def precedence(self):
        middle = ["Roles\\$($Node.Role)", "Sites/$($Node.Site)", "Base\\All", "Base\\Parts\\Small", "base\\parts\\Large\\Inner"]
        self.random.shuffle(middle)
        return ["AllNodes\\$($Node.Environment)\\$($Node.NodeName)"] + middle[: self.random.randint(2, 5)]

    def options(self):
        paths = self.TOPS + ["Configurations", "Web\\alpha", "Web/Beta", "Disk\\alpha\\gamma", "Users\\delta", "net"]
        patterns = ["^Web\\\\.*", "^D", "^.*", "^Net\\\\alpha$"]
        chosen = self.random.sample(paths, self.random.randint(2, 8))
        options, known = {}, set()
        for path in chosen + [pattern for pattern in patterns if self.chance(0.12)]:
            if path.lower() not in known:
                known.add(path.lower())
                options[path] = self.strategy()
        if self.chance(0.6) and "Configurations" not in options:
            options["Configurations"] = "Unique"
        return options


def write(folder, tree):
    for name, inside in tree.items():
        if name.endswith(".yml"):
            (folder / name).write_text(yaml.dump(inside, Dumper=DUMPER, sort_keys=False, allow_unicode=True))
        else:
            (folder / name).mkdir()
            write(folder / name, inside)


def small(value):
    """What the command printed, with keys in small letters."""
    if isinstance(value, dict):
        return {str(key).lower(): small(item) for key, item in value.items()}
    return [small(item) for item in value] if isinstance(value, list) else value


def told(binary, folder):
    run = subprocess.run([binary, "datum", folder, "--all", "--format", "json", "-q"], capture_output=True, check=False)
    if run.returncode == 2:
        return "refused", run.stderr.decode()
    assert run.returncode == 0, run.stderr.decode()
    nodes = json.loads(run.stdout)["nodes"]
    return "resolved", {node["node"]: small(yaml.load(node["text"], LOADER)) for node in nodes}


def meant(repository):
    try:
        return "resolved", {name: repository.rsop(name, folder, own) for name, folder, own in repository.nodes()}
    except Refused as refused:
        return "refused", str(refused)


def read(folder):
    tree = {}
    for path in sorted(folder.iterdir()):
        tree[path.name] = read(path) if path.is_dir() else yaml.load(path.read_text(), LOADER)
    return tree


def hold(root, results):
    """Results that lie beside a repository are what the model makes of it."""
    tree = read(Path(root))
    _, model = meant(Repository(tree.pop("Datum.yml"), tree))
    there = {path.stem: small(yaml.load(path.read_text(), LOADER)) for path in Path(results).glob("*.yml")}
    for name in sorted(model.keys() | there.keys()):
        if model.get(name) != there.get(name):
            print(f"{name}: {json.dumps(there.get(name))}\n  meant: {json.dumps(model.get(name))}")
    print(f"{root}: {len(model)} nodes, {len(there)} results")
    return 0 if model == there else 1


def main(binary, count=1000, start=0):
    counts = {"resolved": 0, "refused": 0}
    nodes = differences = 0
    for seed in range(int(start), int(start) + int(count)):
        repository = Generator(seed).repository()
        folder = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
        try:
            write(folder, {"Datum.yml": repository.definition, **repository.tree})
            (status, result), (expected, model) = told(binary, folder), meant(repository)
        finally:
            shutil.rmtree(folder)
        counts[expected] += 1
        nodes += len(model) if expected == "resolved" else 0
        if status != expected or status == "resolved" and result != model:
            differences += 1
            print(f"seed {seed}: {status}, meant was {expected}")
            if differences <= 5:
                print("  told: ", json.dumps(result))
                print("  meant:", json.dumps(model))
    print(f"{count} repositories with {nodes} nodes, {counts['refused']} to be refused: {differences} differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(hold(*sys.argv[2:]) if sys.argv[1] == "--hold" else main(*sys.argv[1:]))
