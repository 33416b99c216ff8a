//! What only the order of lines shows.

use crate::{Options, upgrade};

#[test]
fn tabs_behind_a_block_scalar_stay() {
    let text = "a: |\n  text\n\t\t\t\nb: 1\n";
    assert_eq!(upgrade(text, text, &Options::default()).unwrap().text(), text);
}

#[test]
fn tabs_behind_a_key_of_which_something_stands_stay() {
    for text in ["? \"\"\n\t# note\n", "? &x\n\t# note\n", "? !t\n\t\n", "? a\n\t# note\n"] {
        assert_eq!(upgrade(text, text, &Options::default()).unwrap().text(), text);
    }
}

#[test]
fn a_line_in_brackets_that_starts_with_a_tab_stays_behind_a_blank() {
    let (current, update) = ("    hosts: [\n  \t web,\n  \t# spare\n  \t]\n", "  hosts: [\n  ]\n  port: 80\n");
    let done = upgrade(current, update, &Options::default()).unwrap();
    assert_eq!(done.text(), "  hosts: [\n \t web,\n\t# spare\n \t]\n  port: 80\n");
}
