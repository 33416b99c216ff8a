//! All pages are in the table of contents, stay among themselves, and say of each command that is not run why.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{home, pages};

/// What commands of the pages may need that the tests cannot give them.
const TOOLS: [&str; 9] = ["ansible", "cargo", "docker", "dpkg", "git", "helm", "jq", "kubectl", "unzip"];

/// What stands above the commands that are run elsewhere.
const ELSEWHERE: [&str; 2] = ["<!-- run by .ci/run -->", "<!-- run by tests/datum.rs -->"];

/// Blocks with commands that are not run.
const SCRIPTS: [&str; 4] = ["```console,ignore", "```sh", "```bash", "```shell"];

/// The targets of all links of a text, without those into the web and those in comments.
fn links(text: &str) -> Vec<&str> {
    let parts = text.split("<!--").enumerate();
    let parts = parts.map(|(at, part)| if at == 0 { part } else { part.split_once("-->").unwrap().1 });
    let targets = parts.flat_map(|part| part.split("](").skip(1)).filter_map(|rest| Some(rest.split_once(')')?.0));
    targets.filter(|target| !target.contains("://")).collect()
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let summary = fs::read_to_string(home().join("docs/SUMMARY.md")).unwrap();
    let listed = links(&summary);
    let docs = home().join("docs");
    let pages: Vec<_> = pages().iter().filter_map(|page| Some(page.strip_prefix(&docs).ok()?.to_owned())).collect();
    assert!(pages.len() > 30, "the book has next to no pages");
    let lacking: Vec<_> = pages
        .iter()
        .filter(|page| *page != Path::new("SUMMARY.md") && !listed.iter().any(|link| Path::new(link) == page.as_path()))
        .collect();
    assert!(lacking.is_empty(), "docs/SUMMARY.md does not have {lacking:?}");
}

/// A link out of the folder would lead nowhere in the book that is built.
#[test]
fn no_page_of_the_book_links_to_a_file_outside_of_it() {
    let docs = home().join("docs");
    for page in pages().iter().filter(|page| page.starts_with(&docs)) {
        let depth = page.strip_prefix(&docs).unwrap().components().count() - 1;
        let text = fs::read_to_string(page).unwrap();
        let outside: Vec<_> = links(&text).into_iter().filter(|link| link.matches("../").count() > depth).collect();
        assert!(outside.is_empty(), "{} links to {outside:?}", page.display());
    }
}

/// The lines of a page, each with the fence of the block that it is in; that of prose is empty.
fn in_blocks(page: &str) -> Vec<(&str, &str)> {
    let mut block = "";
    let lines = page.lines().map(|line| {
        if line.starts_with("```") {
            block = if block.is_empty() { line } else { "" };
        }
        (block, line)
    });
    lines.collect()
}

#[test]
fn every_command_that_is_not_run_says_what_it_needs() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for pair in in_blocks(&text).windows(2) {
            let [(_, above), (block, line)] = pair else { unreachable!() };
            if SCRIPTS.contains(block) && line == block {
                let needs = above.strip_prefix("<!-- not run: needs ").and_then(|rest| rest.strip_suffix(" -->"));
                let is_told = ELSEWHERE.contains(above) || needs.is_some_and(|tool| TOOLS.contains(&tool));
                assert!(is_told, "{}: what does the command below {above:?} need?", page.display());
            }
        }
    }
}

#[test]
fn every_command_is_in_a_block_of_which_is_said_whether_it_is_run() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for (block, line) in in_blocks(&text) {
            let is_code = !block.is_empty() || line.starts_with("    ");
            let is_known = block == "```console" || SCRIPTS.contains(&block);
            let line_of_command = line.trim_start_matches(['$', ' ']);
            // A dependency in a manifest is none.
            let is_command = line_of_command.starts_with("yamlift ") && !line_of_command.starts_with("yamlift = ");
            assert!(!is_code || is_known || !is_command, "{}: put `{line}` into a block of console", page.display());
            // trycmd passes over programs that it does not know.
            let is_run = ["$ yamlift ", "$ cat "].iter().any(|start| line.starts_with(start));
            assert!(
                block != "```console" || !line.starts_with("$ ") || is_run,
                "{}: `{line}` is not run",
                page.display()
            );
        }
    }
}

/// All commands of the program, as their help lists them: `upgrade`, `migration`, `migration check`.
fn commands(above: &str) -> Vec<String> {
    let help = help(above);
    let Some((_, list)) = help.split_once("Commands:\n") else { return Vec::new() };
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty() && *name != "help").map(|name| format!("{above} {name}"));
    names.map(|name| name.trim().to_owned()).flat_map(|name| [vec![name.clone()], commands(&name)].concat()).collect()
}

/// A section for each command that the page about commands does not have.
pub(crate) fn lacking_commands(page: &str) -> String {
    let sections = commands("").into_iter().map(|name| {
        let call = format!("```console\n$ yamlift {name} --help\n");
        (call.clone(), format!("\n## yamlift {name}\n\n{call}```\n"))
    });
    sections.filter(|(call, _)| !page.contains(call)).map(|(_, section)| section).collect()
}

#[test]
fn every_command_of_the_program_has_its_help_on_the_page() {
    assert!(commands("").len() > 10, "{:?}", commands(""));
    let lacking = lacking_commands(&fs::read_to_string(home().join("docs/commands.md")).unwrap());
    assert!(lacking.is_empty(), "docs/commands.md lacks these, which TRYCMD=overwrite puts there: {lacking}");
}

/// What a command prints for `--help`.
fn help(command: &str) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_yamlift")).args(command.split_whitespace()).arg("--help").output().unwrap();
    assert!(output.status.success(), "there is no command `yamlift {command}`");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands in the middle of a text, each with its words: `yamlift upgrade --dry-run CONFIG DEFAULT`.
fn mentioned(text: &str) -> Vec<Vec<&str>> {
    let prose = text.split("\n```").step_by(2);
    let code = prose.flat_map(|part| part.split('`').skip(1).step_by(2));
    code.filter_map(|code| Some(code.strip_prefix("yamlift ")?.split_whitespace().collect())).collect()
}

#[test]
fn every_command_in_the_middle_of_a_text_has_the_options_that_it_names() {
    let mut helps = BTreeMap::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for words in mentioned(&text).iter().filter(|words| words[0].starts_with(char::is_lowercase)) {
            let length = if words[0] == "migration" { 2 } else { 1 };
            let command = words[..length.min(words.len())].join(" ");
            let known = helps.entry(command.clone()).or_insert_with(|| help(&command));
            for option in words.iter().filter(|word| word.starts_with("--")) {
                let name = option.split('=').next().unwrap();
                assert!(known.contains(name), "{}: `yamlift {command}` has no {name}", page.display());
            }
        }
    }
    assert!(helps.len() > 8, "next to no command is named: {:?}", helps.keys());
}
