//! What is secret is in no report, diff or error, and always in the file.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "what was tried is told")]

mod common;
mod folder;

use std::fs;
use std::process::Output;

use common::{contents, yamlift};
use folder::folder_of;
use tempfile::TempDir;

const OLD: &str = "db:\n  user: app\n  password: changeme0\n  dsn: pg://old-secret-dsn\nport: 80\n";
const MINE: &str = "db:\n  user: app\n  password: hunter2-mine\n  dsn: pg://my-secret-dsn\nport: 80\n";
const NEW: &str = "db:\n  user: app\n  password: changeme1\n  dsn: pg://new-secret-dsn\n  api_key: |\n    line-of-key\n    # other-line\nport: 81\noauth: {client: me, token: tok}\n";
const SECRETS: [&str; 9] = [
    "changeme0",
    "changeme1",
    "hunter2-mine",
    "line-of-key",
    "other-line",
    "tok}",
    "old-secret-dsn",
    "my-secret-dsn",
    "new-secret-dsn",
];

fn folder() -> TempDir {
    folder_of(&[("config.yml", MINE), ("new.yml", NEW), ("old.yml", OLD)])
}

fn run(dir: &TempDir, words: &[&str]) -> Output {
    yamlift(dir.path()).args(words).output().unwrap()
}

fn leaked(output: &Output) -> Vec<&'static str> {
    let said = String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap();
    SECRETS.into_iter().filter(|secret| said.contains(secret)).collect()
}

#[test]
fn nothing_that_is_printed_shows_a_secret_and_the_file_has_all_of_them() {
    let base = ["upgrade", "config.yml", "new.yml", "-b", "--secret", "db/dsn", "--base", "old.yml"];
    let ways: [&[&str]; 7] = [
        &["--dry-run"],
        &["--dry-run", "-v"],
        &["--dry-run", "--format", "json"],
        &["--on-conflict", "fail"],
        &["--diff"],
        &["--diff", "--on-conflict", "update"],
        &["--sparse", "--diff", "--format", "json"],
    ];
    for way in ways {
        let dir = folder();
        let output = run(&dir, &[&base[..], way].concat());
        assert_eq!(leaked(&output), [""; 0], "{way:?}\n{}", String::from_utf8_lossy(&output.stdout));
        let written = &contents(dir.path())["config.yml"];
        assert!(!String::from_utf8_lossy(written).contains("***"), "{way:?}");
    }
}

/// A value in every form; `@` stands for the secret.
const FORMS: [&str; 54] = [
    "password: @\n",
    "password: \"@\"  # note\n",
    "password: '@'\n",
    "password: |\n  one @\n\n  two @\n",
    "password: >-\n  one @\n  two @\n",
    "password:\n  @\n",
    "password: one\n  @\n",
    "password: \"one\n  @\"\n",
    "password: &p @\ncopy: *p\n",
    "password: !!str @\n",
    "passwords: [@, {one: @}]\n",
    "passwords:\n- @\n- one: @\n",
    "db: {name: app, password: @}\n",
    "db: {name: app,\n  password: \"@\"}\n",
    "secrets:\n  db:\n    main: @\n    # not @ any more\n  other: [\n    @,\n  ]\n",
    "users:\n- name: ann\n  api-key: @\n- name: bob\n  api-key: @\n",
    "password:\n  assword@\n",
    "password:\n  pass\n  @\n",
    "pwd: @\n",
    "db_pwd: @\n",
    "passphrase: @\n",
    "keyPassphrase: '@'\n",
    "SMTP_PASS: @\n",
    "accessKey: @\n",
    "credentials: {user: ann, key: @}\n",
    "authorization: Bearer @\n",
    "wifi_psk: @\n",
    "db_url: postgres://app:@@db.example.org:5432/app?x=1\n",
    "cache: {url: \"redis://:@@cache/0\", size: 3}\n",
    "urls:\n- http://a.example.org\n- amqp://u:@@mq/v\n",
    "options: --verbose --password=@ --port=80\n",
    "dsn: Server=db;User=a;Password=@;Port=1\n",
    "hook: https://example.org/in?token=@&page=2\n",
    "environment:\n- PORT=80\n- DB_PASSWORD=@\n",
    "env:\n- name: DB_PASSWORD\n  value: @\n- name: PORT\n  value: 80\n",
    "env: [{name: DB_PASSWORD, value: @}]\n",
    "command:\n- run\n- --password\n- @\n",
    "? password\n: @\n",
    "? 'password'\n: |\n  @\n  @\n",
    "db:\n  ? api_key\n  :\n  - @\n",
    "# password: @\nhost: a\n",
    "#password: @\nhost: a\n",
    "host: a  # token: @\n",
    "db:\n  # secrets:\n  #   main: @\n  #   others:\n  #   - @\n  host: a\n",
    "db:\n  #private_key: |\n  #  @\n  #\n  #  @\n  host: a\n",
    "host: a\n# db: postgres://app:@@db\n",
    "script: |\n  #!/bin/sh\n  export DB_PASSWORD=@\n  curl -H 'Authorization: @'\n",
    "config: |\n  [db]\n  password = @\n",
    "json: '{\"password\": \"@\", \"port\": 80}'\n",
    "base: &b @\ncopy:\n  password: *b\n",
    "kind: Secret\ndata:\n  main: @\nstringData: {other: @}\n",
    "schema: deckhand/Passphrase/v1\nmetadata: {name: x}\ndata: @\n",
    "schema: example/Any/v1\nmetadata:\n  storagePolicy: encrypted\ndata:\n  deep:\n  - one: @\n",
    "db: {password: \"one\n  @\", port: 80}\n",
];

/// A form with a secret in it; behind the one in a URL an `@` stays.
fn filled(form: &str, secret: &str) -> String {
    form.replace("@@", "@\0").replace('@', secret).replace('\0', "@")
}

#[test]
fn no_form_of_a_secret_is_printed() {
    let ways: [&[&str]; 7] = [
        &["--diff"],
        &["--dry-run", "--comments", "update"],
        &["--diff", "-v"],
        &["--format", "json", "--diff"],
        &["--base", "old.yml", "--diff"],
        &["--base", "old.yml", "--on-conflict", "fail"],
        &["--base", "old.yml", "--on-conflict", "update", "--format", "json"],
    ];
    let (mut runs, mut leaks) = (0, Vec::new());
    for form in FORMS {
        let text = |secret: &str| format!("port: 80\n{}", filled(form, secret));
        for (mine, new) in [(text("my-own-hunter2"), text("hunter2-new")), ("port: 1\n".into(), text("hunter2-new"))] {
            for way in ways {
                let dir = folder_of(&[("config.yml", &mine), ("new.yml", &new), ("old.yml", &text("hunter2-old"))]);
                let output = run(&dir, &[&["upgrade", "config.yml", "new.yml"], way].concat());
                let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
                assert!(matches!(output.status.code(), Some(0 | 3)), "{form}: {said}");
                runs += 1;
                leaks.extend(said.contains("hunter2").then(|| format!("{form} with {way:?}:\n{said}")));
            }
        }
    }
    println!("figures: runs with secrets\t{runs}");
    println!("figures: secrets leaked\t{}", leaks.len());
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
}

#[test]
fn an_explanation_shows_no_secret() {
    let dir = folder();
    for path in ["db/password", "db/dsn", "db", "oauth/token", "db/api_key"] {
        let words = ["explain", "config.yml", "new.yml", path, "--base", "old.yml", "--secret", "db/dsn"];
        assert_eq!(leaked(&run(&dir, &words)), [""; 0], "{path}");
    }
}

#[test]
fn what_a_migration_file_calls_secret_is_not_shown_anywhere() {
    let dir = folder();
    fs::write(dir.path().join("migration.yml"), "yamlift: 1\nsecret: [\"**/dsn\"]\n").unwrap();
    let words = ["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--migration", "migration.yml", "--dry-run"];
    let output = yamlift(dir.path()).args(words).output().unwrap();
    let leaked = leaked(&output);
    assert_eq!(leaked, [""; 0]);
    let shown = run(&dir, &[&words[..], &["--show-secrets"]].concat());
    let leaked = self::leaked(&shown);
    assert!(!leaked.iter().any(|secret| secret.ends_with("dsn")), "{leaked:?}");
    assert!(leaked.contains(&"hunter2-mine"), "what only looks secret is shown to who asks for it");
}

#[test]
fn an_error_shows_no_secret() {
    let dir = folder();
    for line in ["password: \"hunter2-mine", "api_key: {hunter2-mine", "token: *hunter2-mine"] {
        fs::write(dir.path().join("config.yml"), format!("port: 80\n{line}\n")).unwrap();
        let refused = run(&dir, &["upgrade", "config.yml", "new.yml"]);
        assert_eq!(refused.status.code(), Some(2), "{line}");
        assert_eq!(leaked(&refused), [""; 0], "{line}: {}", String::from_utf8_lossy(&refused.stderr));
    }
}

#[test]
fn no_error_shows_what_stands_at_a_secret_path() {
    let texts: [&[u8]; 5] = [
        b"db:\n  dsn: \"hunter2\nport: 80\n",
        b"db:\n  dsn: hunter2\n  dsn: hunter2\n",
        b"db: {user: app, 'dsn': hunter2\n",
        b"db:\n  dsn: |\n    hunter2\n    hunter2\x07\n",
        b"db:\n  dsn: hunter2\xff\n",
    ];
    for text in texts {
        for name in ["config.yml", "new.yml", "old.yml"] {
            let dir = folder();
            fs::write(dir.path().join(name), text).unwrap();
            let words = ["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--secret", "db/dsn"];
            let output = yamlift(dir.path()).args(words).output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.code() == Some(2) && said.starts_with(&format!("error: {name}:")), "{said}");
            assert!(!said.contains("hunter2"), "{said}");
        }
    }
}

#[test]
fn variables_with_such_names_are_not_shown() {
    let dir = folder();
    fs::write(dir.path().join("new.yml"), "db: {dsn: #{db_password}\n}\nport: 80\n").unwrap();
    let output = run(&dir, &["upgrade", "fresh.yml", "new.yml", "-e", "db_password=hunter2-mine", "--diff"]);
    assert_eq!(leaked(&output), [""; 0], "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn variables_that_fill_a_secret_are_not_shown() {
    let dir = folder();
    fs::write(dir.path().join("new.yml"), "db: {dsn: #{conn}\n}\nurl: http://app:#{word}@h\nport: #{port}\n").unwrap();
    let files = ["upgrade", "fresh.yml", "new.yml", "--dry-run", "--secret", "db/dsn"];
    let values = ["-e", "conn=my-secret-dsn", "-e", "word=tok}", "-e", "port=81"];
    for format in ["text", "json", "html"] {
        let output = run(&dir, &[&files[..], &values, &["--format", format]].concat());
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!((leaked(&output), output.status.code()), (Vec::new(), Some(0)), "{told}");
        assert!(told.contains("81"), "{told}");
    }
}

#[test]
fn who_asks_for_it_sees_what_only_a_name_made_secret() {
    let dir = folder();
    let output = run(&dir, &["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--dry-run", "--show-secrets"]);
    assert!(leaked(&output).contains(&"hunter2-mine"));
}

#[test]
fn an_outline_shows_no_secret_unless_it_is_asked_to() {
    for form in FORMS.iter().filter(|form| !form.starts_with('#')) {
        let dir = folder_of(&[("config.yml", &filled(form, "hunter2-mine"))]);
        let told = [&[][..], &["--show-secrets"]].map(|words| run(&dir, &[&["outline", "config.yml"], words].concat()));
        let [masked, shown] = told.map(|output| String::from_utf8([output.stdout, output.stderr].concat()).unwrap());
        assert!(!masked.contains("hunter2"), "{form}\n{masked}");
        assert!(shown.contains("hunter2") || form.contains('#'), "{form}\n{shown}");
        assert_eq!(masked.lines().count(), shown.lines().count());
    }
}

#[test]
fn an_outline_shows_no_value_of_what_is_commented_out() {
    for form in FORMS.iter().filter(|form| form.starts_with('#')) {
        let dir = folder_of(&[("config.yml", &format!("port: 80\n{}", filled(form, "hunter2-mine")))]);
        for words in [&["outline", "config.yml"][..], &["outline", "config.yml", "--show-secrets"]] {
            let output = run(&dir, words);
            let told = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(told.contains("port: 80"), "{form}\n{told}");
            assert!(!told.contains("hunter2"), "{form}\n{told}");
        }
    }
}

#[test]
fn what_a_secret_has_besides_is_shown() {
    let (old, new) = (
        "token_ttl: 111\npassword_file: /run/one\n",
        "token_ttl: 222\npassword_file: /run/two\nsecretName: three\nurl: https://host:8080/x\n",
    );
    let dir = folder_of(&[("config.yml", old), ("new.yml", new), ("old.yml", old)]);
    let output = run(&dir, &["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--diff"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(!said.contains("***"), "{said}");
}

#[test]
fn a_merge_explains_and_compares_without_secrets() {
    let rules = "yamlift: 1\n";
    for form in FORMS {
        let (one, two) = (filled(form, "hunter2-one"), filled(form, "hunter2-two"));
        let dir = folder_of(&[("rules.yml", rules), ("one.yml", &one), ("two.yml", &two)]);
        for way in [&["--explain"][..], &["--explain", "--format", "json"], &["--diff"]] {
            let output = run(&dir, &[&["merge", "--rules", "rules.yml", "one.yml", "two.yml"], way].concat());
            let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(output.status.success() && !said.contains("hunter2"), "{form} {way:?}\n{said}");
        }
    }
}

/// A document that takes a secret of another one, as a whole and in a text, and one that inherits from that.
const DOCUMENTS: &str = "\
schema: deckhand/LayeringPolicy/v1
metadata: {schema: metadata/Control/v1, name: policy}
data: {layerOrder: [global, site]}
---
schema: deckhand/Passphrase/v1
metadata: {schema: metadata/Document/v1, name: main, storagePolicy: cleartext, layeringDefinition: {layer: site}}
data: @
---
schema: example/Account/v1
metadata: {schema: metadata/Document/v1, name: all, storagePolicy: encrypted, layeringDefinition: {layer: site}}
data: {deep: [@, {pin: 4711}]}
---
schema: example/Parent/v1
metadata:
  schema: metadata/Document/v1
  name: parent
  labels: {name: parent}
  layeringDefinition: {abstract: true, layer: global}
  substitutions:
  - src: {schema: deckhand/Passphrase/v1, name: main, path: .}
    dest: [{path: .plain}, {path: .url, pattern: HERE}]
  - src: {schema: example/Account/v1, name: all, path: '.deep[1].pin'}
    dest: {path: .code}
data:
  plain: none
  url: go HERE now
  code: none
  port: 80
---
schema: example/Parent/v1
metadata:
  schema: metadata/Document/v1
  name: child
  layeringDefinition: {layer: site, parentSelector: {name: parent}, actions: [{method: merge, path: .}]}
data: {host: visible}
";

#[test]
fn secrets_of_deckhand_stay_secret_in_the_documents_that_they_are_put_into() {
    let dir = folder_of(&[("now.yml", &DOCUMENTS.replace('@', "s3same"))]);
    fs::create_dir(dir.path().join("before")).unwrap();
    let before = DOCUMENTS.replace('@', "0pen").replace("4711", "0815").replace("port: 80", "port: 81");
    fs::write(dir.path().join("before/then.yml"), before).unwrap();
    for way in [&["--explain"][..], &["--explain", "--format", "json"], &["--diff", "before"]] {
        let output = run(&dir, &[&["layer", "now.yml"], way].concat());
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.success() && said.contains("80"), "{said}");
        for secret in ["s3same", "0pen", "4711", "0815"] {
            assert!(!said.contains(secret), "{way:?}\n{said}");
        }
        let shown = run(&dir, &[&["layer", "now.yml", "--show-secrets"], way].concat());
        assert!(String::from_utf8(shown.stdout).unwrap().contains("s3same"));
    }
    let rendered = String::from_utf8(run(&dir, &["layer", "now.yml"]).stdout).unwrap();
    assert!(rendered.contains("s3same") && !rendered.contains("***"), "the documents themselves are never masked");
}

#[test]
fn an_error_in_a_secret_document_does_not_show_it() {
    let broken = DOCUMENTS.replace("data: @", "data: \"s3same");
    let dir = folder_of(&[("now.yml", &broken)]);
    let said = String::from_utf8(run(&dir, &["layer", "now.yml"]).stderr).unwrap();
    assert!(said.starts_with("error: now.yml:") && !said.contains("s3same"), "{said}");
}

#[test]
fn a_secret_path_is_one_in_every_document() {
    let text = |dsn: &str| format!("a: 1\n---\ndb: {{dsn: {dsn}}}\n");
    let dir = folder_of(&[("config.yml", &text("one-hunter2")), ("new.yml", &(text("two-hunter2") + "b: 1\n"))]);
    let output = run(&dir, &["upgrade", "config.yml", "new.yml", "--secret", "db/dsn", "--dry-run", "-v"]);
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success() && !said.contains("hunter2"), "{said}");
}

#[test]
fn a_diff_tells_that_a_secret_differs_and_not_what_it_is() {
    let old = "db:\n  host: a\n  password: hunter2-old\n  token: hunter2-same\n";
    let new = old.replace("-old", "-new");
    let dir = folder_of(&[("config.yml", old), ("new.yml", &new)]);
    let upgrade = run(&dir, &["upgrade", "config.yml", "new.yml", "--base", "config.yml", "--dry-run"]);
    let merge = run(&dir, &["merge", "--rules", "cloud-init", "--entry", "conf-d", "config.yml", "new.yml", "--diff"]);
    for output in [upgrade, merge] {
        let shown = String::from_utf8(output.stdout).unwrap();
        let lines = "   host: a\n-  password: ***\n+  password: *** (changed)\n   token: ***\n";
        assert!(shown.contains(lines) && !shown.contains("hunter2"), "{shown}");
    }
}

#[test]
fn a_secret_that_moves_is_shown_at_neither_end() {
    let pairs = [
        ("login: hunter2-mine\n", "smtp:\n  password: x\n", "login=smtp/password"),
        ("dsn: hunter2-mine\n", "store:\n  dsn: x\n", "dsn=store/dsn"),
        ("api:\n  token: hunter2-mine\n", "auth:\n  key: x\n", "api/token=auth/key"),
        ("login: hunter2-mine\nsmtp:\n  password: mine\n", "smtp:\n  password: x\n", "login=smtp/password"),
    ];
    let ways: [&[&str]; 5] = [
        &["--dry-run"],
        &["--dry-run", "--diff=values"],
        &["--dry-run", "--format", "json"],
        &["--dry-run", "--format", "markdown"],
        &["--on-conflict", "fail"],
    ];
    for (mine, new, moved) in pairs {
        for way in ways {
            let dir = folder_of(&[("config.yml", mine), ("new.yml", new)]);
            let words = ["upgrade", "config.yml", "new.yml", "-b", "--secret", "store/dsn", "--move", moved];
            let output = run(&dir, &[&words[..], way].concat());
            let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(!said.contains("hunter2"), "{moved} {way:?}\n{said}");
        }
    }
}
