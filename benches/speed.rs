//! How long an upgrade takes, as a ratio to what cannot be avoided: the reference parser has to see three texts.
//!
//! `cargo bench` prints for files of several sizes the median time of an upgrade, and its ratio to three bare event
//! passes of saphyr-parser over the same three texts. Both are timed in turns in one run, so that a noisy machine
//! disturbs both alike.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints, and stops where it cannot go on")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use saphyr_parser::Parser;
use yamlift::{Options, upgrade};

fn main() {
    println!("{:>10} {:>12} {:>12} {:>7}", "bytes", "upgrade", "3 passes", "ratio");
    for sections in [4, 40, 400, 1_040] {
        let (current, update) = (config(sections, 0), config(sections, 1));
        let result = upgrade(&current, &update, &Options::default()).expect("the generated files are valid");
        let runs = if sections > 100 { 15 } else { 101 };
        let (mut upgrades, mut passes) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            upgrades.push(timed(|| drop(black_box(upgrade(&current, &update, &Options::default())))));
            passes.push(timed(|| [&current, &update, result.text()].into_iter().for_each(events)));
        }
        let (upgrade, passes) = (median(upgrades), median(passes));
        let ratio = upgrade.as_secs_f64() / passes.as_secs_f64();
        println!("{:>10} {upgrade:>12.3?} {passes:>12.3?} {ratio:>7.2}", current.len());
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn events(text: &str) {
    Parser::new_from_str(text).map_while(Result::ok).for_each(|event| drop(black_box(event)));
}

/// A configuration of so many sections; release 1 has other comments, values and indentation than 0, and new keys.
fn config(sections: usize, release: usize) -> String {
    let mut out = String::from("# The configuration of a service.\n# Every key is explained above it.\n\n");
    let deep = " ".repeat(2 + 2 * release);
    for at in 0..sections {
        let _ = write!(
            out,
            "# Section {at}: how the service talks to its peers (release {release}).\nsection-{at}:\n\
             {deep}# Whether it is on at all.\n{deep}enabled: true\n{deep}# Where to listen.\n\
             {deep}address: \"127.0.0.1:{port}\"  # loopback only\n{deep}limits: {{connections: 100, rate: {at}}}\n\
             {deep}banner: |\n{deep}  Welcome to section {at}.\n{deep}  Please behave.\n\
             {deep}tags:\n{deep}  - alpha\n{deep}  - beta\n{deep}# The peers.\n{deep}peers:\n",
            port = 8000 + at,
        );
        for peer in 0..6 {
            let _ = write!(
                out,
                "{deep}  - name: peer-{peer}\n{deep}    host: peer-{peer}.section-{at}.example.org\n\
                 {deep}    # in seconds\n{deep}    timeout: {}\n",
                30 + peer,
            );
            if release == 1 {
                let _ = writeln!(out, "{deep}    retries: 3");
            }
        }
        if release == 1 {
            let _ = write!(out, "{deep}# New in this release.\n{deep}metrics:\n{deep}  port: {}\n", 9000 + at);
        }
        out.push('\n');
    }
    out
}
