//! What stays with a configuration that is replaced.

use super::*;

#[test]
fn owner_and_mode_stay_and_the_backup_is_the_old_file() {
    let host = Host::new();
    let path = host.path("relay.yml");
    if is_root("the owner stays") {
        chown(&path, Some(1234), Some(2345)).unwrap();
    }
    for wanted in [0o640, 0o600, 0o444, 0o2664, 0o4755] {
        let host = Host::new();
        host.set_mode("relay.yml", wanted);
        let old = fs::metadata(host.path("relay.yml")).unwrap();
        host.assert_upgraded(&[]);
        let new = fs::metadata(host.path("relay.yml")).unwrap();
        assert_eq!((new.mode(), new.uid(), new.gid(), new.nlink()), (old.mode(), old.uid(), old.gid(), 1));
        let kept = fs::metadata(host.path(&host.backups()[0])).unwrap();
        assert_eq!((kept.ino(), kept.mode(), kept.nlink()), (old.ino(), old.mode(), 1));
    }
    let old = fs::metadata(&path).unwrap();
    host.assert_upgraded(&["--no-backup"]);
    let new = fs::metadata(&path).unwrap();
    assert_eq!((new.uid(), new.gid(), host.names().len()), (old.uid(), old.gid(), 1));
}

#[test]
fn a_first_configuration_is_readable_to_nobody_who_cannot_read_the_new_default() {
    for (new_default, installed) in [(0o600, 0o600), (0o400, 0o600), (0o640, 0o640), (0o604, 0o604), (0o750, 0o640)] {
        let host = Host::new();
        host.set_mode("new/relay.yml", new_default);
        fs::remove_file(host.path("relay.yml")).unwrap();
        let output = host.upgrade(&[]);
        assert!(output.status.success(), "{}", stderr(&output));
        let (source, new) = (host.path("new/relay.yml"), host.path("relay.yml"));
        assert_eq!((host.read("relay.yml").as_str(), mode(&new)), (UPDATE, installed), "{new_default:o}");
        assert_eq!(fs::metadata(new).unwrap().gid(), fs::metadata(source).unwrap().gid());
    }
    let host = Host::new();
    if is_root("the group of the new default") {
        chown(host.path("new/relay.yml"), Some(1234), Some(2345)).unwrap();
        host.set_mode("new/relay.yml", 0o640);
        fs::remove_file(host.path("relay.yml")).unwrap();
        assert!(host.upgrade(&[]).status.success());
        let new = fs::metadata(host.path("relay.yml")).unwrap();
        assert_eq!((new.mode() & 0o7777, new.uid(), new.gid()), (0o640, 0, 2345));
    }
}

#[test]
fn lists_and_attributes_stay() {
    let host = Host::new();
    let path = host.path("relay.yml");
    let (acl, note) = (acl(), b"kept by hand");
    if !tag(&path, ACL, &acl) || !tag(&path, "user.note", note) {
        return;
    }
    let before = mode(&path);
    host.assert_upgraded(&[]);
    assert_eq!((tag_of(&path, ACL), tag_of(&path, "user.note"), mode(&path)), (acl, note.to_vec(), before));
}

#[test]
fn what_the_directory_hands_down_opens_the_file_to_nobody() {
    let host = Host::new();
    host.set_mode("relay.yml", 0o640);
    if !tag(host.0.path(), "system.posix_acl_default", &acl()) {
        return;
    }
    host.assert_upgraded(&[]);
    assert_eq!((tag_of(&host.path("relay.yml"), ACL), mode(&host.path("relay.yml"))), (Vec::new(), 0o640));
}

#[test]
fn links_stay_however_many() {
    let host = Host::new();
    fs::create_dir_all(host.path("etc/parts")).unwrap();
    fs::rename(host.path("relay.yml"), host.path("etc/parts/relay.yml")).unwrap();
    symlink("etc/parts", host.path("parts")).unwrap();
    symlink("parts/../parts/relay.yml", host.path("second.yml")).unwrap();
    symlink(host.path("second.yml"), host.path("relay.yml")).unwrap();
    host.assert_upgraded(&[]);
    assert!(host.path("relay.yml").is_symlink() && host.path("second.yml").is_symlink());
    assert!(!host.path("etc/parts/relay.yml").is_symlink());
    assert_eq!(contents(&host.path("etc/parts")).len(), 2);
}

#[test]
fn an_owner_that_cannot_be_kept_is_refused_or_left_behind_with_its_rights() {
    let host = Host::new();
    fs::set_permissions(host.0.path(), Permissions::from_mode(0o777)).unwrap();
    host.set_mode("relay.yml", 0o664);
    let Some(refused) = as_other(&host, &[]) else { return };
    let what = "relay.yml: its owner and metadata cannot be kept: its owner 0:0";
    assert!(
        stderr(&refused).contains(what) && stderr(&refused).contains("--allow-metadata-loss"),
        "{}",
        stderr(&refused)
    );
    assert_eq!((host.read("relay.yml").as_str(), host.names().len()), (CURRENT, 1));
    let done = as_other(&host, &["--allow-metadata-loss"]).unwrap();
    assert!(done.status.success() && stderr(&done).contains("not carried over"), "{}", stderr(&done));
    let new = fs::metadata(host.path("relay.yml")).unwrap();
    assert_eq!((new.mode() & 0o7777, new.uid(), new.gid()), (0o644, 4321, 4321), "the group gets what all have");
    assert_eq!(host.read("relay.yml"), UPGRADED);
}
