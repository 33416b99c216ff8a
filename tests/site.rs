//! `yamlift layer --site` as its users call it: which documents a site has, a change in the layer of a type, schemas,
//! secrets, and what is refused. `testdata/deckhand/harbour-site` is the repository.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{contents, yamlift};
use tempfile::TempDir;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &copied) } else { fs::write(&copied, fs::read(&path).unwrap()).unwrap() }
    }
}

/// The repository twice: `before`, and `after` for changes.
struct Harbour(TempDir);

impl Harbour {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/deckhand/harbour-site");
        copy(&home, &dir.path().join("before"));
        copy(&home, &dir.path().join("after"));
        Self(dir)
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn write(&self, file: &str, text: &str) {
        fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        fs::write(self.path(file), text).unwrap();
    }

    /// Changes a text in a file that has it.
    fn change(&self, file: &str, old: &str, new: &str) {
        let text = fs::read_to_string(self.path(file)).unwrap();
        assert!(text.contains(old), "{file} has no {old}");
        fs::write(self.path(file), text.replacen(old, new, 1)).unwrap();
    }

    /// The status, standard output and standard error of a run.
    fn layer(&self, words: &[&str]) -> (i32, String, String) {
        let output = yamlift(self.0.path()).arg("layer").args(words).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// What a run prints that has nothing to warn of.
    fn printed(&self, words: &[&str]) -> String {
        let (status, out, errors) = self.layer(words);
        assert_eq!((status, errors.as_str()), (0, ""));
        out
    }

    /// What a run says that is refused, and writes nothing.
    fn refused(&self, words: &[&str]) -> String {
        let there = contents(self.0.path());
        let (status, out, errors) = self.layer(words);
        assert_eq!((status, out.as_str()), (2, ""), "{errors}");
        assert_eq!(contents(self.0.path()), there);
        errors
    }
}

fn names(documents: &str) -> Vec<&str> {
    documents.lines().filter_map(|line| line.strip_prefix("  name: ")).collect()
}

#[test]
fn a_site_has_its_own_documents_those_of_its_type_and_the_global_ones() {
    let harbour = Harbour::new();
    let east = harbour.printed(&["after", "--site", "east"]);
    assert_eq!(names(&east), ["layering-policy", "harbour/Crane/v1", "crane-east", "quay", "East", "radio", "east"]);
    assert!(east.contains("    # Ships of the new class are wide\n    metres: 70\n    unit: m\n"), "{east}");
    let west = harbour.printed(&["after", "--site", "west"]);
    assert_eq!(names(&west), ["layering-policy", "harbour/Crane/v1", "crane-west", "west"]);
    assert!(west.contains("    metres: 20\n") && !west.contains("checks"), "{west}");
}

#[test]
fn a_change_in_a_type_shows_at_its_sites_and_is_explained() {
    let harbour = Harbour::new();
    harbour.change("after/type/large/crane.yaml", "metres: 70", "metres: 75");
    let diff = harbour.printed(&["after", "--site", "east", "--diff", "before"]);
    assert!(diff.starts_with("--- [harbour/Crane/v1] crane-east (site)\n"), "{diff}");
    assert!(diff.contains("-    metres: 70\n+    metres: 75\n"), "{diff}");
    assert_eq!(harbour.printed(&["after", "--site", "west", "--diff", "before"]), "");
    let told = harbour.printed(&["after", "--site", "east", "--explain", "--only", "harbour/Crane/v1"]);
    let line = "  .reach.metres = 75\n      after/type/large/crane.yaml:21  type crane-large  merge . by crane-large\n";
    assert!(told.contains(line), "{told}");
    let tree = harbour.printed(&["after", "--site", "west", "--tree"]);
    assert!(tree.contains("    └── crane-small (type, abstract)  after/type/small/crane.yaml:2\n"), "{tree}");
}

#[test]
fn a_revision_takes_its_folders_and_common_only() {
    let harbour = Harbour::new();
    for folder in ["after/global", "after/type/large"] {
        let path = harbour.path(folder);
        fs::rename(&path, harbour.path("moved")).unwrap();
        fs::create_dir(&path).unwrap();
        fs::rename(harbour.path("moved"), path.join("v1.0")).unwrap();
    }
    harbour.write(
        "after/global/common/policy.yaml",
        &fs::read_to_string(harbour.path("after/global/v1.0/layering-policy.yaml")).unwrap(),
    );
    fs::remove_file(harbour.path("after/global/v1.0/layering-policy.yaml")).unwrap();
    harbour.write("after/global/v2.0/other.yaml", "not: [yaml\n");
    harbour.write("after/type/large/v2.0/other.yaml", "not: [yaml\n");
    harbour.change("after/site/east/site-definition.yaml", "site_type: large", "site_type: large\n  revision: v1.0");
    assert_eq!(harbour.printed(&["after", "--site", "east", "--diff", "before"]).matches("+++ [").count(), 1);
}

#[test]
fn another_repository_supplies_what_the_first_has_not() {
    let harbour = Harbour::new();
    let whole = harbour.printed(&["after", "--site", "east"]);
    for folder in ["global", "type"] {
        fs::create_dir_all(harbour.path("shared")).unwrap();
        fs::rename(harbour.path("after").join(folder), harbour.path("shared").join(folder)).unwrap();
    }
    let repositories =
        "site_type: large\n  repositories: {shared: {url: 'https://git.example.org/shared', revision: v3}}";
    for directory in ["after", "before"] {
        harbour.change(&format!("{directory}/site/east/site-definition.yaml"), "site_type: large", repositories);
    }
    let (status, _, errors) = harbour.layer(&["after", "--site", "east"]);
    assert_eq!(status, 2);
    assert!(
        errors.contains(
            "warning: after/site/east/site-definition.yaml: the site takes from other repositories (`shared`)"
        ),
        "{errors}"
    );
    let both = harbour.printed(&["after", "shared", "--site", "east"]);
    assert_eq!(names(&both).len(), names(&whole).len());
    for folder in ["global", "type"] {
        fs::remove_dir_all(harbour.path("before").join(folder)).unwrap();
    }
    assert_eq!(harbour.printed(&["after", "shared", "--site", "east", "--diff", "before"]), "");
}

#[test]
fn what_pegleg_does_not_read_is_left_out() {
    let harbour = Harbour::new();
    let whole = harbour.printed(&["after", "--site", "east"]);
    harbour.write("after/site/east/.draft.yaml", "not: [yaml\n");
    harbour.write("after/site/east/tools/deep/template.yaml", "not: [yaml\n");
    harbour.write("after/site/east/notes.txt", "not: [yaml\n");
    assert_eq!(harbour.printed(&["after", "--site", "east"]), whole);
    harbour.write("after/site/east/late.yml", "not: [yaml\n");
    let (status, out, errors) = harbour.layer(&["after", "--site", "east"]);
    assert_eq!((status, out), (0, whole));
    assert_eq!(
        errors,
        "warning: after/site/east/late.yml is left out: of a site only files whose names end with .yaml count\n"
    );
}

#[test]
fn a_site_or_a_type_that_is_not_there_is_told_with_those_that_are() {
    let harbour = Harbour::new();
    let told = harbour.refused(&["after", "--site", "est", "-o", "rendered.yaml"]);
    assert_eq!(told, "error: after: there is no site `est`\n help: did you mean `east`? There are: east, west\n");
    let told = harbour.refused(&["after", "--site", "../site/east"]);
    assert!(told.contains("there are: east, west"), "{told}");
    let told = harbour.refused(&["after/type", "--site", "east"]);
    assert!(told.contains("name the directory that has `global`, `type` and `site`"), "{told}");
    harbour.change("after/site/east/site-definition.yaml", "site_type: large", "site_type: largest");
    let told = harbour.refused(&["after", "--site", "east"]);
    assert!(
        told.starts_with("error: after/site/east/site-definition.yaml:12:14: there is no type `largest`\n"),
        "{told}"
    );
    assert!(told.ends_with(" help: did you mean `large`? There are: large, small\n"), "{told}");
    for (old, new, why) in [
        ("site_type: largest", "site_type: ../large", "12:3: `site_type` is not the name of one folder"),
        ("site_type: ../large", "kind: large", "this site has no type"),
        ("pegleg/SiteDefinition/v1", "pegleg/Site/v1", "this is no definition of a site"),
    ] {
        harbour.change("after/site/east/site-definition.yaml", old, new);
        let told = harbour.refused(&["after", "--site", "east"]);
        assert!(told.contains(why) && told.contains(" help: "), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_another_place_of_the_repository_only() {
    let harbour = Harbour::new();
    let link = harbour.path("after/site/east/linked");
    std::os::unix::fs::symlink(harbour.path("before/site/west"), &link).unwrap();
    let told = harbour.refused(&["after", "--site", "east"]);
    assert!(told.contains("after/site/east/linked: is a link that leads out of `after`"), "{told}");
}

#[test]
fn what_a_schema_refuses_is_told_where_it_was_written() {
    let harbour = Harbour::new();
    harbour.change("after/type/large/crane.yaml", "metres: 70", "metres: 95");
    harbour.change("after/site/east/secrets/radio.yaml", "salt-and-tar-77", "secret7");
    let told = harbour.refused(&["after", "--site", "east", "-o", "rendered.yaml"]);
    let expected = "\
error: after/type/large/crane.yaml:21:5: [harbour/Crane/v1] crane-east has at `.reach.metres` what its schema refuses: this value is greater than the maximum of 80
 21 |     metres: 95
    |     ^
   it is there by: merge . by crane-large
 help: the schema is in after/global/schemas/crane.yaml:2
";
    assert!(told.contains(expected), "{told}");
    assert!(
        told.contains(
            "error: after/site/east/secrets/radio.yaml:10:1: [harbour/Crane/v1] crane-east has at `.radio.passphrase`"
        ),
        "{told}"
    );
    assert!(told.contains("shorter than 8 characters") && !told.contains("secret7"), "{told}");
    // What others inherit from is held to nothing, and a site of another type has not got these values.
    harbour.change("after/type/small/crane.yaml", "metres: 20", "metres: 20\n  mode: asleep");
    harbour.printed(&["after", "--site", "west"]);
    assert!(harbour.printed(&["after", "--site", "east", "--ignore-schemas"]).contains("metres: 95"));
}

#[test]
fn what_lacks_a_key_is_told_where_its_map_was_written() {
    let harbour = Harbour::new();
    harbour.change("after/global/software/crane.yaml", "    metres: 45\n", "");
    harbour.change("after/type/small/crane.yaml", "metres: 20", "length: 20");
    let told = harbour.refused(&["after", "--site", "west"]);
    let what = "after/global/software/crane.yaml:14:3: [harbour/Crane/v1] crane-west has at `.reach` what its schema refuses: \
                \"metres\" is a required property\n";
    assert!(told.contains(what), "{told}");
}

#[test]
fn a_schema_that_is_none_or_would_fetch_another_is_refused_at_its_place() {
    let harbour = Harbour::new();
    harbour.change("after/global/schemas/crane.yaml", "maximum: 80", "maximum: many");
    let told = harbour.refused(&["after", "--site", "east"]);
    assert!(
        told.starts_with(
            "error: after/global/schemas/crane.yaml:17:11: [deckhand/DataSchema/v1] harbour/Crane/v1 is no"
        ),
        "{told}"
    );
    for elsewhere in ["file:///etc/passwd", "http://127.0.0.1:9/schema"] {
        harbour.change(
            "before/global/schemas/crane.yaml",
            "      enum: [",
            &format!("      $ref: {elsewhere}\n      enum: ["),
        );
        let told = harbour.refused(&["before", "--site", "east"]);
        assert!(told.contains(":20:7: ") && told.contains("nothing is fetched"), "{told}");
        harbour.change("before/global/schemas/crane.yaml", &format!("      $ref: {elsewhere}\n"), "");
    }
}

#[test]
fn a_schema_that_would_take_for_ever_is_refused() {
    let harbour = Harbour::new();
    let deep = (0..60).fold("1".to_owned(), |deep, _| format!("{{a: {deep}}}"));
    harbour.change(
        "after/site/east/cranes.yaml",
        "  motd: This is QUAY",
        &format!("  motd: This is QUAY\n  deep: {deep}"),
    );
    let below = "{properties: {a: {$ref: '#/properties/deep'}}}";
    let schema = format!("  properties:\n    deep: {{anyOf: [{below}, {below}]}}\n");
    harbour.change("after/global/schemas/crane.yaml", "  properties:\n", &schema);
    let told = harbour.refused(&["after", "--site", "east"]);
    assert!(told.contains("takes more steps over these data than can be done"), "{told}");
}

#[test]
fn secrets_are_hidden_wherever_they_are() {
    let harbour = Harbour::new();
    for schema in
        ["Certificate", "CertificateAuthority", "CertificateAuthorityKey", "CertificateKey", "PrivateKey", "PublicKey"]
    {
        let text = format!(
            "schema: deckhand/{schema}/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: {schema}\n  layeringDefinition: {{layer: site}}\n  storagePolicy: cleartext\ndata: |\n  first-{schema}\n  second-{schema}\n"
        );
        harbour.write(&format!("after/site/east/secrets/{schema}.yaml"), &text);
    }
    harbour.change("after/site/east/secrets/radio.yaml", "salt-and-tar-77", "salt-and-tar-78");
    for words in [&["after", "--site", "east", "--explain"][..], &["after", "--site", "east", "--diff", "before"]] {
        let printed = harbour.printed(words);
        assert!(printed.contains("***"), "{printed}");
        for secret in ["salt-and", "first-", "second-"] {
            assert!(!printed.contains(secret), "{printed}");
        }
    }
    assert!(harbour.printed(&["after", "--site", "east", "--explain", "--show-secrets"]).contains("salt-and-tar-78"));
    harbour.change("after/site/east/cranes.yaml", "path: .address.crane", "path: .salt-and-tar-78");
    let told = harbour.refused(&["after", "--site", "east"]);
    assert!(!told.lines().next().unwrap().contains("salt-and-tar-78"), "{told}");
}

#[test]
fn what_is_redacted_has_hashes_for_secrets_and_what_is_made_of_them() {
    let harbour = Harbour::new();
    harbour.change("after/site/east/secrets/radio.yaml", "salt-and-tar-77", "salt-and-tar-77  # was salt-and-tar-76");
    harbour.change("after/site/east/cranes.yaml", "motd: This is QUAY", "motd: This is QUAY\n  # was salt-and-tar-75");
    let printed = harbour.printed(&["after", "--site", "east", "--redact"]);
    assert!(!printed.contains("salt-and-tar") && !printed.contains("\n  motd:"), "{printed}");
    // hashlib.sha256(json.dumps("salt-and-tar-77").encode()).hexdigest(), and of a path
    let radio = "  storagePolicy: encrypted\ndata: 777c52d311619dbb62123edb81f006cb3595e92a166c4a2da2cea6687ec680b2\n";
    assert!(printed.contains(radio), "{printed}");
    assert!(printed.contains("path: 86a881569926a330ab9e9d98b9db7d366ea7910e0eaa9ed81e8208c456d03f6f\n"), "{printed}");
    assert_eq!(printed.matches("storagePolicy: encrypted").count(), 2);
    assert!(printed.contains("    crane: 10.7.0.9\n"), "{printed}");
    assert_eq!(
        harbour.printed(&["before", "--site", "west", "--redact"]),
        harbour.printed(&["before", "--site", "west"])
    );
}

/// What each of many documents writes below what all share is put into all of them, and takes the place of what was there.
#[test]
fn many_documents_share_what_they_take() {
    use std::fmt::Write as _;
    let harbour = Harbour::new();
    let mut text = String::from(
        "schema: harbour/Chart/v1\nmetadata: {name: chart, layeringDefinition: {layer: site}}\ndata:\n  sea:\n    depths:\n",
    );
    (0..60).for_each(|at| writeln!(text, "      d{at}: {at}").unwrap());
    for at in 0..300 {
        let from = "src: {schema: harbour/Chart/v1, name: chart, path: .sea}, dest: {path: .sea}";
        let name = "src: {schema: harbour/Quay/v1, name: quay, path: .name}";
        writeln!(
            text,
            "---\nschema: harbour/Buoy/v1\nmetadata:\n  name: b{at}\n  layeringDefinition: {{layer: site}}\n  \
             substitutions: [{{{from}}}, {{{name}, dest: {{path: .sea.depths.d{}}}}}]\ndata: {{}}",
            at % 60
        )
        .unwrap();
    }
    harbour.write("after/site/east/buoys.yaml", &text);
    let printed = harbour.printed(&["after", "--site", "east", "--as-shipped", "--only", "harbour/Buoy/v1"]);
    assert_eq!(printed.matches("      d59: East\n").count(), 300);
}
