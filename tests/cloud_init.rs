//! `yamlift cloud-init` as its users call it: what a machine ends up with, where it comes from, and what is refused.
//!
//! `testdata/cloud-init/image` is a machine, and `testdata/cloud-init/results` holds what it comes to; `tests/models/run` holds random
//! machines against a model of the rules.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use common::{contents, yamlift};
use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

const OVERRIDE: &str = "#cloud-config\ntimezone: Asia/Tokyo\nvendor_data: {enabled: false}\n";

fn home(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cloud-init").join(path)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &copied) } else { fs::write(&copied, fs::read(&path).unwrap()).unwrap() }
    }
}

/// A directory with the machine of the test data, `image`, and files for changes.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        copy(&home("image"), &dir.path().join("image"));
        Self(dir)
    }

    /// The machine with another user-data.
    fn given(user_data: impl AsRef<[u8]>) -> Self {
        let machine = Self::new();
        machine.write("image/user-data", user_data);
        machine
    }

    fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(file), bytes).unwrap();
    }

    fn remove(&self, file: &str) {
        fs::remove_file(self.0.path().join(file)).unwrap();
    }

    /// The status, standard output and standard error of a run.
    fn run(&self, words: &[&str]) -> (i32, String, String) {
        let output = yamlift(self.0.path()).arg("cloud-init").args(words).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn printed(&self, words: &[&str]) -> String {
        let (status, printed, told) = self.run(words);
        assert_eq!(status, 0, "{words:?}: {told}");
        printed
    }

    /// What a run says that is refused.
    fn refused(&self, words: &[&str]) -> String {
        let (status, printed, told) = self.run(words);
        assert_eq!((status, printed.as_str()), (2, ""), "{words:?}: {told}");
        assert!(told.contains("\n help: "), "no way out: {told}");
        told
    }
}

fn packed(text: &[u8]) -> Vec<u8> {
    let mut to = GzEncoder::new(Vec::new(), Compression::best());
    to.write_all(text).unwrap();
    to.finish().unwrap()
}

#[test]
fn a_machine_comes_to_what_the_rules_say() {
    let machine = Machine::new();
    let there = contents(&machine.0.path().join("image"));
    let expected = fs::read_to_string(home("results/image.yml")).unwrap();
    let (status, printed, told) = machine.run(&["image"]);
    assert_eq!((status, printed.as_str()), (0, expected.as_str()));
    let script = "text/x-shellscript is no cloud-config, and is passed over";
    assert!(told.contains(&format!("image/user-data#part-003:33: {script}")), "{told}");
    assert!(told.contains(&format!("image/vendor-data#register.sh:24: {script}")), "{told}");
    let files =
        ["--user-data", "image/user-data", "--vendor-data", "image/vendor-data", "--cloud-cfg", "image/cloud.cfg"];
    let others = ["--conf-d", "image/cloud.cfg.d", "--instance-data", "image/instance-data.json"];
    assert_eq!(machine.printed(&[&files[..], &others].concat()), expected);
    assert_eq!(contents(&machine.0.path().join("image")), there);
}

#[test]
fn each_value_is_told_by_its_level_and_part_and_no_secret_is() {
    let machine = Machine::new();
    let told = machine.printed(&["image", "--explain"]);
    assert_eq!(told, fs::read_to_string(home("results/image-explained.txt")).unwrap());
    let json = machine.printed(&["image", "--explain", "--format", "json"]);
    for text in [told, json, machine.printed(&["image", "--diff", "image"])] {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[test]
fn another_user_data_is_shown_by_values() {
    let machine = Machine::new();
    machine.write("new.yml", OVERRIDE);
    let told = machine.printed(&["image", "--user-data", "new.yml", "--diff", "image"]);
    assert!(told.starts_with("    ~ timezone        Europe/Zurich → Asia/Tokyo\n"), "{told}");
    assert!(told.contains("    - chpasswd        ***\n") && told.contains("    - package_update  true\n"), "{told}");
    assert!(told.ends_with("\n8 values change.\n"), "{told}");
    assert_eq!(machine.printed(&["image", "--diff", "image"]), "Nothing changes.\n");
}

#[test]
fn vendor_data_are_turned_off_by_the_user_or_the_system() {
    let off = "warning: image/vendor-data: is passed over: `vendor_data` is off";
    let machine = Machine::given(OVERRIDE);
    let (_, printed, told) = machine.run(&["image"]);
    assert!(told.contains(off) && !printed.contains("mirror.example.net"), "{told}{printed}");
    let machine = Machine::new();
    machine.write("image/cloud.cfg.d/99_off.cfg", "vendor_data: {enabled: no}\n");
    let (_, printed, told) = machine.run(&["image"]);
    assert!(told.contains(off) && !printed.contains("mirror.example.net"), "{told}{printed}");
    machine.write("image/cloud.cfg.d/99_off.cfg", "vendor_data: {prefix: /bin/nice}\n");
    assert!(machine.printed(&["image"]).contains("mirror.example.net"));
}

#[test]
fn levels_lie_over_each_other_in_the_order_of_cloud_init() {
    let machine = Machine::given("#cloud-config\na: user\n");
    machine.write("image/vendor-data2", "#cloud-config\na: two\nb: two\n");
    machine.write("image/vendor-data", "#cloud-config\na: one\nb: one\nc: one\n");
    machine.write("image/cloud.cfg.d/99.cfg", "a: 99\nb: 99\nc: 99\nd: 99\n");
    machine.write("image/cloud.cfg.d/05_logging.cfg", "d: 5\ne: 5\n");
    machine.write("image/cloud.cfg", "e: main\nf: main\n");
    machine.write("image/built-in.yml", "f: built in\ng: built in\n");
    machine.remove("image/cloud.cfg.d/90_datasource.cfg");
    let expected = "#cloud-config\nf: main\na: user\nb: two\nc: one\nd: 99\ne: 5\ng: built in\n";
    let sorted = |text: &str| text.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>();
    let printed = machine.printed(&["image"]);
    assert_eq!(sorted(&printed), sorted(expected), "{printed}");
}

#[test]
fn what_is_packed_or_encoded_is_read() {
    let plain = fs::read(home("image/user-data")).unwrap();
    let expected = fs::read_to_string(home("results/image.yml")).unwrap();
    let gzip = packed(&plain);
    assert_eq!(Machine::given(&gzip).printed(&["image"]), expected);
    let encoded = "I2Nsb3VkLWNvbmZpZwp0aW1lem9uZTogVVRDCg==\n";
    let (status, printed, told) = Machine::given(encoded).run(&["image"]);
    assert!(status == 0 && printed.contains("timezone: UTC"), "{printed}");
    assert!(told.contains("image/user-data: is base64, and read decoded"), "{told}");
}

#[test]
fn a_bomb_is_refused() {
    let told = Machine::given(packed(&vec![b'a'; 50 << 20])).refused(&["image"]);
    assert!(told.contains("image/user-data: is too much when it is unpacked"), "{told}");
}

#[test]
fn templates_are_filled_in_as_cloud_init_does() {
    let tries = [
        ("{{ v1.region }}", "zrh"),
        ("{{ region }} {{ local_hostname }}", "zrh web01"),
        ("{{ ds.meta_data.instance_id }}", "i-4711"),
        ("{{ v1.nothing }}", "CI_MISSING_JINJA_VAR/nothing"),
        ("{{ nothing | default('none') }}", "none"),
        ("{% if nothing is defined %}a{% else %}b{% endif %}", "b"),
        ("{{ v1.region.upper() }}", "ZRH"),
        ("{{ ds.meta_data.extra }}", "['nginx', 'certbot']"),
        ("{{ v1.region == 'zrh' }}", "True"),
        ("{% for x in ds.meta_data.extra %}{{ loop.index }}{{ x }} {% endfor %}", "1nginx 2certbot"),
    ];
    for (template, expected) in tries {
        let machine = Machine::given(format!("## template: jinja\n#cloud-config\nx: {template}\n"));
        let printed = machine.printed(&["image"]);
        assert!(printed.lines().any(|line| line.trim_end() == format!("x: {expected}")), "{template}: {printed}");
    }
    let (_, _, told) = Machine::given("## template: jinja\n#cloud-config\nx: {{ nothing }}\n").run(&["image"]);
    assert!(told.contains("image/user-data (rendered): the instance data have no `nothing`"), "{told}");
}

#[test]
fn templates_that_cannot_be_filled_in_are_told_with_their_place() {
    let start = "## template: jinja\n#cloud-config\n";
    let tries = [
        ("x: {{ v1.region | unknown }}\n", "image/user-data:3:1: the template cannot be filled in"),
        ("x: {% for %}\n", "image/user-data:3:1: the template cannot be filled in"),
        ("{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}", "does more than"),
        (
            "{% set a = 'x' * 100000 %}{% for i in range(30) %}{% set a = a ~ a %}{{ a }}{{ a * 99 }}{% endfor %}",
            "does more than",
        ),
        ("{% macro m(n) %}{{ m(n) }}{{ m(n) }}{% endmacro %}{{ m(1) }}", "the template"),
    ];
    for (template, said) in tries {
        let told = Machine::given(format!("{start}{template}")).refused(&["image"]);
        assert!(told.contains(said), "{template}: {told}");
    }
    let machine = Machine::given(format!("{start}x: {{{{ nothing.inside }}}}\n"));
    let (status, printed, told) = machine.run(&["image"]);
    assert!(status == 0 && !printed.contains("x:"), "{printed}");
    assert!(told.contains("image/user-data:3: this part is passed over"), "{told}");
    machine.remove("image/instance-data.json");
    assert!(machine.refused(&["image"]).contains("--instance-data FILE"));
    machine.write("image/instance-data.json", "{\"v1\": }");
    assert!(machine.refused(&["image"]).contains("image/instance-data.json:1:8: the instance data are not JSON"));
}

/// Names inside of names that all have a second one are more with every step.
#[test]
fn instance_data_that_multiply_are_refused() {
    let machine = Machine::new();
    let data = format!("{}1{}", "{\"a-b\": ".repeat(60), "}".repeat(60));
    machine.write("image/instance-data.json", data);
    assert!(machine.refused(&["image"]).contains("are more than 200000 values"));
}

#[test]
fn what_cloud_init_ignores_is_told() {
    let tries = [
        (
            "\u{feff}#cloud-config\nx: 1\n",
            "image/user-data:1: is passed over: before its first line is a byte-order mark",
        ),
        ("x: 1\n", "image/user-data:1: is passed over: it does not start with #cloud-config"),
        ("#cloud-config\nx:\t1\n", "image/user-data:2: this part is passed over: a tab stands between words"),
        ("#cloud-config\nx: [1,\t2]\n", "image/user-data:2: this part is passed over: a tab stands between words"),
        ("#cloud-config\n- x\n", "this part is passed over: a part has to be a map"),
        ("#cloud-config\nx: [1\n", "this part is passed over"),
        ("#!/bin/sh\nx: 1\n", "image/user-data:1: text/x-shellscript is no cloud-config, and is passed over"),
    ];
    for (text, said) in tries {
        let (status, printed, told) = Machine::given(text).run(&["image"]);
        assert!(told.contains(&format!("warning: {said}")) || told.contains(said), "{text:?}: {told}");
        assert!(status == 0 && !printed.contains("x:"), "{text:?}: {printed}");
    }
    let quoted = Machine::given("#cloud-config\nx: \"a\tb\"\ny: |\n  a\tb\n# a\tb\n");
    assert!(quoted.printed(&["image"]).contains("x: \"a\tb\""));
}

#[test]
fn includes_stay_below_their_root() {
    let machine = Machine::given("#include\nfile:///etc/passwd\n");
    assert!(machine.refused(&["image"]).contains("--include-root DIR allows"));
    let told = machine.refused(&["image", "--include-root", "image"]);
    assert!(told.contains("`/etc/passwd` cannot be read"), "{told}");
    machine.write("image/user-data", "#include\nmore.cfg\n");
    machine.write("image/more.cfg", "#cloud-config\nx: more\n");
    assert!(machine.printed(&["image", "--include-root", "image"]).contains("x: more"));
}

#[test]
fn a_schema_is_held_against_the_machine() {
    let machine = Machine::new();
    let schema = "{\"$schema\": \"http://json-schema.org/draft-04/schema#\", \"properties\": {\"timezone\": {\"type\": \"integer\"}, \
                  \"packages\": {\"items\": {\"pattern\": \"^[j-n]\"}}, \"chpasswd\": {\"type\": \"string\"}}}";
    machine.write("schema.json", schema);
    let told = machine.refused(&["image", "--schema", "schema.json"]);
    assert!(told.contains("image/user-data#base.cfg:9:1: `timezone` is not as the schema has it"), "{told}");
    assert!(told.contains("image/user-data#site.cfg (rendered):4:"), "{told}");
    assert!(told.contains("`chpasswd` is not as the schema has it") && !told.contains("hunter2"), "{told}");
    machine.write("schema.json", "{\"properties\": {\"timezone\": {\"type\": \"string\"}}}");
    assert_eq!(machine.printed(&["image", "--schema", "schema.json"]), machine.printed(&["image"]));
    machine.write("schema.json", "{\"$ref\": \"http://example.org/schema.json\"}");
    assert!(machine.refused(&["image", "--schema", "schema.json"]).contains("nothing is fetched"));
}

#[test]
fn what_is_no_machine_is_refused() {
    let machine = Machine::new();
    fs::create_dir(machine.0.path().join("empty")).unwrap();
    assert!(machine.refused(&["empty"]).contains("empty: none of a machine's files"));
    assert!(machine.refused(&["nowhere"]).contains("nowhere: is no directory"));
    assert!(machine.refused(&[]).contains("name a directory"));
}

/// `merge --entry levels` once dropped what had parts.
#[test]
fn levels_of_a_merge_may_have_parts() {
    let machine = Machine::new();
    let text = "#cloud-config-archive\n- filename: a.cfg\n  content: |\n    #cloud-config\n    x: 1\n";
    machine.write("user", text);
    machine.write("system", "x: 2\ny: 2\n");
    for reading in [&["--as-shipped"][..], &[]] {
        let words = ["merge", "--rules", "cloud-init", "--entry", "levels", "user", "system"];
        let output = yamlift(machine.0.path()).args(words).args(reading).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && printed.contains("x: 1\n") && printed.contains("y: 2\n"), "{printed}");
    }
}
