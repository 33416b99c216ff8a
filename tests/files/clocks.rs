//! Backups under clocks and time zones that differ: which is the newest, and which are removed.

use super::*;

/// Upgrades to a default with one more key, in a time zone.
pub(crate) fn upgrade_in(host: &Host, zone: &str, words: &[&str], round: usize) -> String {
    fs::write(host.path("new/relay.yml"), format!("{UPDATE}round_{round}: 1\n")).unwrap();
    let mut command = host.command();
    command.args(["upgrade", "relay.yml", "new/relay.yml"]).args(words).env("TZ", zone);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let told = stdout(&output).lines().find_map(|line| line.trim().strip_prefix("Backup: ")).unwrap().to_owned();
    assert!(Path::new(&told).exists(), "the backup that was told of is gone: {told}, {:?}", host.names());
    told
}

/// 26 hours lie between the first two; others know summer time and parts of an hour.
const ZONES: [&str; 6] =
    ["Pacific/Kiritimati", "Etc/GMT+12", "UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu"];

/// Each zone before each other one.
fn pairs() -> impl Iterator<Item = [&'static str; 2]> {
    let all = ZONES.into_iter().flat_map(|first| ZONES.map(|second| [first, second]));
    all.filter(|[first, second]| first != second)
}

#[test]
fn the_backup_that_was_reported_is_kept_in_every_time_zone() {
    for zones in pairs() {
        let host = Host::new();
        for (round, zone) in zones.into_iter().cycle().take(4).enumerate() {
            let before = host.read("relay.yml");
            let told = upgrade_in(&host, zone, &["--keep-backups", "1"], round);
            assert_eq!(fs::read_to_string(&told).unwrap(), before);
            assert_eq!(host.backups().len(), 1, "{:?}", host.names());
        }
    }
}

#[test]
fn backups_are_named_in_utc() {
    let host = Host::new();
    let told = upgrade_in(&host, ZONES[0], &[], 0);
    let time = told.rsplit_once("relay.yml.").unwrap().1.strip_suffix('Z').unwrap().to_owned();
    let output = Command::new("date").args(["-u", "+%Y%m%d%H%M"]).output().unwrap();
    let now = String::from_utf8(output.stdout).unwrap();
    // A minute may have begun in between.
    let minutes = |digits: &str| digits[8..10].parse::<i32>().unwrap() * 60 + digits[10..12].parse::<i32>().unwrap();
    let apart = (minutes(&now) - minutes(&time)).rem_euclid(24 * 60);
    assert!(time.len() == 14 && apart <= 1, "{time} {now}");
}

#[test]
fn the_newest_backup_comes_back_whatever_its_name_says() {
    for zones in pairs() {
        let host = Host::new();
        upgrade_in(&host, zones[0], &[], 0);
        let second = host.read("relay.yml");
        upgrade_in(&host, zones[1], &[], 1);
        assert!(host.run(&["restore", "relay.yml"]).status.success());
        assert_eq!(host.read("relay.yml"), second);
    }
    // As after a clock that was ahead for a time, and as an earlier release named them in another zone.
    for ahead in ["relay.yml.20991231235959Z", "relay.yml.20991231235959", "relay.yml.99991231235959-3"] {
        let host = Host::new();
        fs::write(host.path(ahead), "wrong: 1\n").unwrap();
        upgrade_in(&host, "UTC", &["--keep-backups", "2"], 0);
        assert!(host.run(&["restore", "relay.yml"]).status.success());
        assert_eq!(host.read("relay.yml"), CURRENT, "{ahead}");
    }
}

fn set_time(path: &Path, seconds: u64) {
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn the_time_of_the_file_decides_and_no_clock_that_was_set_back() {
    let host = Host::new();
    // The later name is of the older file.
    for (name, seconds) in [("relay.yml.20240101000000Z", 1_700_000_200), ("relay.yml.20250101000000Z", 1_700_000_100)]
    {
        fs::write(host.path(name), format!("of: {seconds}\n")).unwrap();
        set_time(&host.path(name), seconds);
    }
    assert!(host.run(&["restore", "relay.yml"]).status.success());
    assert_eq!(host.read("relay.yml"), "of: 1700000200\n");
    // The clock is behind all the backups that are there.
    let host = Host::new();
    fs::write(host.path("relay.yml.20240101000000Z"), "wrong: 1\n").unwrap();
    set_time(&host.path("relay.yml.20240101000000Z"), 4_000_000_000);
    for round in 0..3 {
        let before = host.read("relay.yml");
        upgrade_in(&host, "UTC", &["--keep-backups", "2"], round);
        assert_eq!(host.backups().len(), 2, "{:?}", host.names());
        assert!(host.run(&["restore", "relay.yml"]).status.success());
        assert_eq!(host.read("relay.yml"), before, "round {round}");
    }
}

/// `chown -R` and `cp -a` change other times than that of the content.
#[test]
fn the_order_of_backups_outlives_a_change_of_all_of_them() {
    let host = Host::new();
    for round in 0..3 {
        upgrade_in(&host, "UTC", &[], round);
    }
    let newest = host.read("relay.yml").replace("round_2: 1\n", "");
    for backup in host.backups().into_iter().rev() {
        let mode = mode(&host.path(&backup));
        host.set_mode(&backup, mode);
        sleep_a_tick();
    }
    assert!(host.run(&["restore", "relay.yml"]).status.success());
    assert_eq!(host.read("relay.yml"), newest);
}

fn sleep_a_tick() {
    std::thread::sleep(std::time::Duration::from_millis(15));
}

#[test]
fn copies_and_second_names_are_sorted_alike() {
    let host = Host::new();
    upgrade_in(&host, "UTC", &[], 0);
    // With another hard link it is written in place, and its backup is a copy.
    fs::hard_link(host.path("relay.yml"), host.path("twin.yml")).unwrap();
    upgrade_in(&host, "UTC", &["--in-place"], 1);
    fs::remove_file(host.path("twin.yml")).unwrap();
    let third = host.read("relay.yml");
    upgrade_in(&host, "UTC", &["--keep-backups", "2"], 2);
    assert!(host.run(&["restore", "relay.yml"]).status.success());
    assert_eq!(host.read("relay.yml"), third);
}
