#!/usr/bin/env python3
"""A model of `yamlift layer --site`: random repositories, rendered by the rules of docs/deckhand.md, and compared with the command.

    python3 tests/models/deckhand.py BINARY [REPOSITORIES [SEED]]

Each repository is rendered twice: by Deckhand's document, and with --as-shipped, where values that substitutions take are
shared as Python shares them. What is shared depends on which of two documents is rendered first where none needs the other;
where that decides, the second comparison is left out, and counted.

Needs PyYAML. It knows values only, no comments.
"""

import copy
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
LAYERS = ["global", "type", "site"]


class Refused(Exception):
    """The command has to say no."""


MISSING = object()


def steps(path):
    """`.a.b[0]` as its keys and numbers."""
    return [int(number) if number else key for key, number in re.findall(r"\.([A-Za-z]\w*)|\[(\d+)\]", path)]


def find(data, path):
    for step in steps(path):
        if isinstance(step, int):
            data = data[step] if isinstance(data, list) and step < len(data) else MISSING
        else:
            data = data[step] if isinstance(data, dict) and step in data else MISSING
        if data is MISSING:
            return MISSING
    return data


def is_value(value, shipped):
    return value is not MISSING and not (shipped and value is None)


def put(data, path, value, shipped):
    """Writes a value where a path leads to, or makes the place for it. Returns the data, which are another for the root."""
    way = steps(path)
    if not way:
        return value
    if find(data, path) is MISSING:
        if shipped and any(isinstance(a, int) and (at == 0 or isinstance(way[at - 1], int)) for at, a in enumerate(way)):
            raise Refused("Deckhand cannot make this way")
        make(data, way)
    last = data
    for step in way[:-1]:
        last = last[step]
    if shipped and isinstance(way[-1], int) and isinstance(value, list):
        if not value:
            raise Refused("an empty list has no first item")
        value = value[0]
    last[way[-1]] = value
    return data


def make(data, way):
    for at, step in enumerate(way):
        following = [] if at + 1 < len(way) and isinstance(way[at + 1], int) else {}
        if isinstance(step, int):
            if not isinstance(data, list):
                raise Refused("no list")
            while len(data) <= step:
                data.append({})
        else:
            if not isinstance(data, dict):
                raise Refused("no map")
            data.setdefault(step, following)
        data = data[step]


def deep_merge(into, other):
    for key, value in other.items():
        if key in into and isinstance(into[key], dict) and isinstance(value, dict):
            deep_merge(into[key], value)
        else:
            into[key] = value


def delete_equal(data, value):
    """The first value that is equal, depth first."""
    items = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    for key, item in items:
        if item == value:
            del data[key]
            return True
        if delete_equal(item, value):
            return True
    return False


class Document:
    def __init__(self, raw):
        self.raw = raw
        metadata = raw["metadata"]
        definition = metadata.get("layeringDefinition", {})
        self.schema, self.name = raw["schema"], metadata["name"]
        self.layer = definition.get("layer")
        self.is_abstract = definition.get("abstract") is True
        self.is_replacement = metadata.get("replacement") is True
        self.is_control = metadata["schema"].startswith("metadata/Control")
        self.labels, self.selector = metadata.get("labels", {}), definition.get("parentSelector", {})
        self.actions, self.substitutions = definition.get("actions", []), metadata.get("substitutions", [])
        self.parent = self.replaced_by = None
        self.data = copy.deepcopy(raw.get("data"))


class Site:
    """The documents of a site, rendered."""

    def __init__(self, raw, shipped, backwards=False):
        self.shipped, self.backwards = shipped, backwards
        self.documents = [Document(document) for document in raw]
        for document in self.documents:
            if document.layer is not None and document.layer not in LAYERS:
                raise Refused("no such layer")
        for document in self.documents:
            if document.selector and document.layer:
                document.parent = self.parent(document)
        self.replace()
        self.sources = self.find_sources()
        for document in self.order():
            if not document.is_control:
                self.render(document)
        self.hold_to_schemas()

    def parent(self, child):
        matching = lambda other: all(other.labels.get(key) == value for key, value in child.selector.items())
        all_matching = [other for other in self.documents if other is not child and other.layer and matching(other)]
        rank = lambda document: LAYERS.index(document.layer)
        proper = [other for other in all_matching if other.schema == child.schema and rank(other) < rank(child)]
        if len(proper) < len(all_matching) and (self.shipped or not proper):
            raise Refused("a stray label")
        if not proper:
            return None
        nearest = max(map(rank, proper))
        in_nearest = [other for other in proper if rank(other) == nearest]
        displaced = len({rank(other) for other in proper}) - 1
        if len(in_nearest) > 1 or self.shipped and len(proper) - displaced != 1:
            raise Refused("several parents")
        return in_nearest[0]

    def replace(self):
        names = set()
        for document in self.documents:
            name = (document.schema, document.name)
            same = document.parent and (document.parent.schema, document.parent.name) == name
            if document.is_replacement:
                if not same:
                    raise Refused("nothing to replace")
                document.parent.replaced_by = document
            elif same:
                raise Refused("the name of its parent")
            elif not document.is_control:
                if name in names:
                    raise Refused("a name twice")
                names.add(name)

    def find_sources(self):
        sources = {}
        for document in self.documents:
            source = document.replaced_by or document
            if source is not document and document.is_replacement and not document.is_abstract:
                raise Refused("a replacement is replaced")
            if self.shipped and not document.is_abstract or not source.is_abstract:
                sources[(document.schema, document.name)] = source
        return sources

    def needs(self, document):
        parent = document.parent
        if parent and parent.replaced_by and parent.replaced_by is not document:
            parent = parent.replaced_by
        found = [parent] if parent else []
        for substitution in document.substitutions:
            source = self.sources.get((substitution["src"]["schema"], substitution["src"]["name"]))
            found += [source] if source else []
        return found

    def order(self):
        done, now, order = set(), set(), []

        def visit(document):
            if id(document) in done:
                return
            if id(document) in now:
                raise Refused("a circle")
            now.add(id(document))
            for needed in self.needs(document):
                visit(needed)
            done.add(id(document))
            order.append(document)

        for document in reversed(self.documents) if self.backwards else self.documents:
            visit(document)
        return order

    def render(self, document):
        if document.parent and document.actions:
            work = copy.deepcopy(document.parent.data)
            work = {} if work is None else work
            own = copy.deepcopy(document.data)
            own = {} if own is None else own
            for action in document.actions:
                work = self.act(action["method"], action["path"], work, own)
            document.data = work
        for substitution in document.substitutions:
            self.substitute(document, substitution)
        if document.is_replacement:
            document.parent.data = {} if document.data is None else document.data

    def act(self, method, path, work, own):
        if method == "delete":
            return self.delete(path, work)
        if method == "merge" and path.endswith("]") and not self.shipped:
            path = path[: path.rindex("[")]
            mine, there = find(own, path), find(work, path)
            if not isinstance(mine, list):
                raise Refused("nothing to append")
            if isinstance(there, list):
                there.extend(copy.deepcopy(mine))
                return work
            return put(work, path, copy.deepcopy(mine), False)
        mine, there = find(own, path), find(work, path)
        if not is_value(mine, self.shipped):
            raise Refused("the child has nothing there")
        mine = copy.deepcopy(mine)
        if method == "merge" and isinstance(mine, dict) and isinstance(there, dict):
            deep_merge(there, mine)
            return work
        return put(work, path, mine, self.shipped)

    def delete(self, path, work):
        if path == ".":
            return {}
        there = find(work, path)
        if not is_value(there, self.shipped):
            raise Refused("nothing to delete")
        if self.shipped:
            delete_equal(work, there)
            return work
        way = steps(path)
        holder = find(work, path[: path.rindex("[" if isinstance(way[-1], int) else ".")] or ".")
        del holder[way[-1]]
        return work

    def substitute(self, document, substitution):
        src, dests = substitution["src"], substitution["dest"]
        source = self.sources.get((src["schema"], src["name"]))
        if source is None:
            raise Refused("no source")
        value = find(source.data, src["path"]) if isinstance(source.data, dict) else source.data
        if value is MISSING or value is None:
            raise Refused("nothing to take")
        # The engine puts values into a map that it makes for nothing, and forgets it.
        is_lost = document.data is None and self.shipped
        for dest in dests if isinstance(dests, list) else [dests]:
            if document.data is None:
                document.data = {}
            self.put_one(document, src, value, dest)
            if is_lost:
                document.data = None

    def put_one(self, document, src, value, dest):
        value = copy.copy(value) if self.shipped and not src.get("deepcopy") else copy.deepcopy(value)
        if "pattern" in src:
            if not isinstance(value, str):
                raise Refused("a pattern for no text")
            match = re.search(src["pattern"], value)
            value = match.group(src.get("match_group", 0)) if match else value
        path, data = dest["path"], document.data
        if not path.startswith("."):
            raise Refused("a path without a dot")
        if self.shipped and path == "." and "pattern" not in dest and not isinstance(value, dict) and not value:
            raise Refused("nothing to put")
        if "pattern" not in dest:
            if path == "." and isinstance(data, dict) and isinstance(value, dict):
                data.update(value)
            else:
                document.data = put(data, path, value, self.shipped)
            return
        if isinstance(value, (dict, list)) and not self.shipped:
            raise Refused("no text to put")
        there = find(data, path)
        if there is MISSING:
            if not (self.shipped and "recurse" in dest):
                raise Refused("no text there")
            # What is missing on the way is made all the same.
            put(data, path, {}, True)
            return
        if "recurse" in dest:
            self.below(there, dest, str(value), dest["recurse"]["depth"])
            if isinstance(there, (dict, list)):
                return
        if not isinstance(there, str):
            raise Refused("no text there")
        document.data = put(data, path, re.sub(dest["pattern"], str(value), there), self.shipped)

    def below(self, data, dest, text, depth):
        if depth == 0 or not isinstance(data, (dict, list)):
            return
        for key, item in list(data.items() if isinstance(data, dict) else enumerate(data)):
            if isinstance(item, str) and dest["pattern"] in item:
                data[key] = re.sub(dest["pattern"], text, item)
            else:
                self.below(item, dest, text, depth - 1)

    def rendered(self):
        return [one for one in self.documents if not one.is_abstract and not one.replaced_by]

    def hold_to_schemas(self):
        schemas = {}
        for document in self.documents:
            if document.schema.startswith("deckhand/DataSchema/"):
                schemas.setdefault(document.name, document.data)
        for document in self.documents:
            if document.schema in schemas and not document.is_abstract:
                data = {} if document.data is None else document.data
                if not fits(schemas[document.schema], data):
                    raise Refused("a schema")


def fits(schema, data):
    """The few words of a schema that are used here."""
    kinds = {"object": dict, "array": list, "string": str}
    if "type" in schema:
        is_integer = isinstance(data, int) and not isinstance(data, bool)
        if not (is_integer if schema["type"] == "integer" else isinstance(data, kinds[schema["type"]])):
            return False
    if "enum" in schema and data not in schema["enum"]:
        return False
    if "maximum" in schema and isinstance(data, int) and not isinstance(data, bool) and data > schema["maximum"]:
        return False
    if isinstance(data, dict):
        if any(key not in data for key in schema.get("required", [])):
            return False
        return all(fits(part, data[key]) for key, part in schema.get("properties", {}).items() if key in data)
    return True


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names, self.replaced = {}, set()

    def chance(self, part):
        return self.random.random() < part

    def one(self, *words):
        return self.random.choice(words)

    def scalar(self):
        return self.one(1, 2, 7, True, False, "x", "say NAME", "NAME and NAME", "other", "", 1.5, *([None] if self.chance(0.3) else []))

    def value(self, depth=2):
        if depth == 0 or self.chance(0.3):
            return self.scalar()
        if self.chance(0.25):
            return [self.value(depth - 1) for _ in range(self.random.randint(0, 3))]
        return self.map(depth - 1)

    def map(self, depth=2):
        keys = self.random.sample(["a", "b", "c", "d"], self.random.randint(1, 4))
        return {key: self.value(depth) for key in keys}

    def path(self, data=None):
        """Mostly one that is there."""
        text = ""
        while self.chance(0.75 if not text else 0.45):
            if isinstance(data, list) and data and self.chance(0.8):
                step = self.random.randrange(len(data) + (1 if self.chance(0.1) else 0))
                text, data = text + f"[{step}]", data[step] if step < len(data) else None
            elif isinstance(data, dict) and data and self.chance(0.97):
                key = self.one(*data)
                text, data = text + "." + key, data[key]
            elif isinstance(data, dict) or self.chance(0.01):
                key = self.one("a", "b", "e")
                text, data = text + "." + key, None
            else:
                break
        return text or "."

    def document(self, layer, schema, parents, sources):
        number = self.names[layer] = self.names.get(layer, 0) + 1
        data = self.map() if self.chance(0.95) else self.one(None, "text", [1, 2])
        definition = {"layer": layer, "abstract": layer != "site" and self.chance(0.6)}
        metadata = {"schema": "metadata/Document/v1", "name": f"{layer}-{number}", "layeringDefinition": definition}
        if layer != "site" or self.chance(0.2):
            metadata["labels"] = {"name": metadata["name"]}
            if self.chance(0.05):
                metadata["labels"]["group"] = "all"
        parent = self.one(*parents) if parents and self.chance(0.85) else None
        if parent:
            self.child(metadata, definition, parent, data)
        if sources and self.chance(0.45):
            metadata["substitutions"] = [
                self.substitution(self.one(*sources), data) for _ in range(self.random.randint(1, 3))
            ]
        return {"schema": parent["schema"] if parent and self.chance(0.98) else schema, "metadata": metadata, "data": data}

    def child(self, metadata, definition, parent, data):
        definition["parentSelector"] = {"name": parent["metadata"]["name"]}
        if self.chance(0.02):
            definition["parentSelector"] = {"group": "all"}
        if self.chance(0.06) and id(parent) not in self.replaced:
            self.replaced.add(id(parent))
            metadata["name"], metadata["replacement"] = parent["metadata"]["name"], True
        definition["actions"] = []
        for _ in range(self.random.randint(0 if self.chance(0.1) else 1, 3)):
            method = self.one("merge", "merge", "merge", "merge", "merge", "replace", "delete")
            look = parent["data"] if method == "delete" else data
            definition["actions"].append({"method": method, "path": self.path(look) if self.chance(0.6) else "."})
            if method == "delete" and definition["actions"][-1]["path"] == "." and self.chance(0.9):
                definition["actions"].pop()

    def substitution(self, source, data):
        look = source["data"]
        path = next((path for path in [self.path(look) for _ in range(4)] if find(look, path) not in (MISSING, None)), ".")
        src = {"schema": source["schema"], "name": source["metadata"]["name"], "path": path}
        value = find(look, src["path"]) if isinstance(look, dict) else look
        if isinstance(value, str) and self.chance(0.3):
            src["pattern"] = self.one("NAME", "(a)(n)d", "s.y", "none")
            if src["pattern"].startswith("(") and self.chance(0.7):
                src["match_group"] = self.one(1, 2)
        if self.chance(0.2):
            src["deepcopy"] = True
        dest = self.dest(value, data)
        other = self.dest(value, data) if self.chance(0.15) else None
        # Two places of one substitution, one inside of the other, are the one case in which sharing is not done alike.
        is_inside = other and (other["path"].startswith(dest["path"]) or dest["path"].startswith(other["path"]))
        return {"src": src, "dest": [dest, other] if other and not is_inside else dest}

    def dest(self, value, data):
        if isinstance(data, dict) and self.chance(0.25) and not isinstance(value, (dict, list)):
            texts = [path for path in self.texts(data, "")]
            if texts and self.chance(0.8):
                return {"path": self.one(*texts), "pattern": self.one("NAME", "o+")}
            return {"path": self.path(data), "pattern": "NAME", "recurse": {"depth": self.one(-1, 0, 1, 2)}}
        if isinstance(value, dict) and value and isinstance(data, dict) and self.chance(0.5):
            # Known to those that come after it, so that they write below it.
            data.setdefault("d", {})
            if not isinstance(data["d"], dict):
                data["d"] = {}
            data["d"] = {**data["d"], **{key: item for key, item in copy.deepcopy(value).items()}}
            return {"path": ".d"}
        return {"path": self.path(data) if self.chance(0.7) else self.one(".e.b", ".e.c", ".f[1]", ".g")}

    def texts(self, data, path):
        for key, item in data.items():
            if isinstance(item, str):
                yield f"{path}.{key}"
            elif isinstance(item, dict):
                yield from self.texts(item, f"{path}.{key}")

    def schema_document(self, about):
        properties = {"a": {"maximum": self.one(5, 20)}, "b": {"type": self.one("object", "string", "integer")}}
        schema = {"$schema": "http://json-schema.org/schema#", "type": "object", "properties": properties}
        if self.chance(0.3):
            schema["required"] = ["a"]
        return {"schema": "deckhand/DataSchema/v1", "metadata": {"schema": "metadata/Control/v1", "name": about}, "data": schema}

    def repository(self):
        """The files of a repository, and the documents of its site `east` in their order."""
        policy = {
            "schema": "deckhand/LayeringPolicy/v1",
            "metadata": {"schema": "metadata/Control/v1", "name": "policy"},
            "data": {"layerOrder": LAYERS},
        }
        documents = {"global": [policy], "type": [], "site": []}
        if self.chance(0.25):
            documents["global"].append(self.schema_document("example/A/v1"))
        parents, sources = [], []
        for layer, most in [("global", 4), ("type", 3), ("site", 5)]:
            above = list(parents)
            for _ in range(self.random.randint(1, most)):
                document = self.document(layer, self.one("example/A/v1", "example/B/v1"), above, sources)
                documents[layer].append(document)
                (parents.append(document) if layer != "site" else None)
                if not document["metadata"]["layeringDefinition"]["abstract"]:
                    sources.append(document)
        return self.laid_out(documents)

    def laid_out(self, documents):
        definition = {
            "schema": "pegleg/SiteDefinition/v1",
            "metadata": {"schema": "metadata/Document/v1", "name": "east", "layeringDefinition": {"layer": "site"}},
            "data": {"site_type": "large"},
        }
        folders = {"global": ["global"], "type": ["type/large"], "site": ["site/east"]}
        files, order, broken = {}, [], "not: [yaml"
        if self.chance(0.3):
            definition["data"]["revision"] = "v1.0"
            files["global/v1.0/readme.yaml"] = "# It is here\n"
            folders = {**folders, "global": ["global/common", "global/v1.0"], "type": ["type/large/common", "type/large/v1.0"]}
        for layer, places in folders.items():
            parts = {place: [] for place in places}
            for document in documents[layer]:
                parts[self.one(*places)].append(document)
            for place, part in parts.items():
                order += self.files(files, place, part)
        files["site/east/site-definition.yaml"] = [definition]
        order.append(definition)
        outside = ["type/small/a.yaml", "site/west/a.yaml", f"{folders['global'][0]}/tools/a.yaml", "site/east/.a.yaml", "site/east/a.txt"]
        if len(folders["global"]) > 1:
            outside += ["global/v2.0/a.yaml", "type/large/v2.0/a.yaml", "global/a.yaml"]
        files.update({name: broken for name in outside if self.chance(0.5)})
        return files, order

    def files(self, files, place, documents):
        documents = list(documents)
        for number in range(len(documents)):
            if not documents:
                break
            many = self.random.randint(1, len(documents))
            folder = self.one("", "deep/") if number == 0 else "deep/"
            files[f"{place}/{folder}{number:02}.yaml"] = documents[:many]
            documents = documents[many:]
        # Folders and files in the order of their names, digits before letters.
        names = sorted((name for name in files if name.startswith(place + "/")), key=lambda name: name.split("/"))
        return [document for name in names if isinstance(files[name], list) for document in files[name]]


def write(folder, files):
    for name, documents in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(documents, str):
            path.write_text(documents)
        else:
            path.write_text(yaml.dump_all(copy.deepcopy(documents), Dumper=DUMPER, sort_keys=False, explicit_start=True))


def told(binary, folder, shipped):
    words = [binary, "layer", folder, "--site", "east", "-q"] + (["--as-shipped"] if shipped else [])
    run = subprocess.run(words, capture_output=True, check=False)
    if run.returncode == 2:
        return "refused", run.stderr.decode()
    assert run.returncode == 0, (run.returncode, run.stderr.decode())
    documents = [document for document in yaml.load_all(run.stdout.decode(), LOADER) if document is not None]
    return "rendered", [[one["schema"], one["metadata"]["name"], one.get("data")] for one in documents]


def meant(order, shipped, backwards=False):
    try:
        site = Site(order, shipped, backwards)
    except Refused as refused:
        return "refused", str(refused)
    try:
        # Without what is shared: comparing would not end where a value contains itself.
        return "rendered", json.loads(json.dumps([[one.schema, one.name, one.data] for one in site.rendered()]))
    except ValueError:
        return "refused", "a value contains itself"


def main(binary, count=1000, start=0):
    documents = differences = refused = left_out = 0
    for seed in range(int(start), int(start) + int(count)):
        files, order = Generator(seed).repository()
        folder = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
        try:
            write(folder, files)
            runs = {shipped: told(binary, folder, shipped) for shipped in [False, True]}
        finally:
            shutil.rmtree(folder)
        for shipped, (status, result) in runs.items():
            expected, model = meant(order, shipped)
            if shipped and meant(order, shipped, True) != (expected, model):
                left_out += 1
                continue
            refused += expected == "refused"
            documents += len(model) if expected == "rendered" else 0
            if status != expected or status == "rendered" and result != model:
                differences += 1
                print(f"seed {seed}{', as shipped' if shipped else ''}: {status}, meant was {expected}")
                if differences <= 5:
                    print("  told: ", result if status == "refused" else json.dumps(result))
                    print("  meant:", json.dumps(model))
    print(
        f"{count} sites twice with {documents} documents, {refused} to be refused, "
        f"{left_out} left out for their order: {differences} differ"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
