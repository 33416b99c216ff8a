//! Paths: `server/ports[2]`, `@1/kind` in the second document, and how they are printed.
//!
//! Left out: how a path that a user typed finds a node, see [`find`](mod@crate::yaml::find).

use std::fmt::{self, Write as _};

/// One step down into a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// The value of a key.
    Key(String),
    /// An item of a list, from 0.
    Item(usize),
    /// A document of a file with several, from 0.
    Document(usize),
}

/// Where a value stands. Printed in the form that the tool reads again.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Path(pub(crate) Vec<Step>);

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Item(index) => write!(f, "[{index}]")?,
                Step::Document(index) => write!(f, "@{index}")?,
                Step::Key(name) => {
                    f.write_str(if at > 0 { "/" } else { "" })?;
                    write_name(f, name)?;
                }
            }
        }
        Ok(())
    }
}

impl Path {
    /// The path as it is printed, made at once and not grown step by step.
    pub(crate) fn text(&self) -> String {
        let length = |step: &Step| if let Step::Key(name) = step { name.len() + 1 } else { "[000]".len() };
        let mut text = String::with_capacity(self.0.iter().map(length).sum());
        let _ = write!(text, "{self}");
        text
    }
}

fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    let plain = !name.is_empty() && !name.starts_with(['"', '\'']) && !name.contains(['/', '[']);
    if plain && !name.chars().any(char::is_control) {
        return f.write_str(name);
    }
    f.write_char('"')?;
    for c in name.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// The way down to a node while a tree is walked; it becomes a [`Path`] only where something is told about the node.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Trail<'t> {
    /// A document; `Some` where the file has several.
    Document(Option<usize>),
    Key(&'t Trail<'t>, &'t str),
    Item(&'t Trail<'t>, usize),
}

impl Trail<'_> {
    /// How many steps it has.
    fn length(&self) -> usize {
        let above = |trail: &&Self| match **trail {
            Trail::Document(_) => None,
            Trail::Key(above, _) | Trail::Item(above, _) => Some(above),
        };
        std::iter::successors(Some(self), above).count()
    }

    pub(crate) fn path(&self) -> Path {
        let mut steps = Vec::with_capacity(self.length());
        let mut trail = self;
        loop {
            let (above, step) = match trail {
                Trail::Document(at) => {
                    steps.extend(at.map(Step::Document));
                    steps.reverse();
                    return Path(steps);
                }
                Trail::Key(above, name) => (above, Step::Key((*name).to_owned())),
                Trail::Item(above, at) => (above, Step::Item(*at)),
            };
            steps.push(step);
            trail = above;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_it_reads() {
        let path = Path(vec![Step::Key("q/r".into()), Step::Item(2), Step::Key("a.b".into())]);
        assert_eq!(path.to_string(), "\"q/r\"[2]/a.b");
    }
}
