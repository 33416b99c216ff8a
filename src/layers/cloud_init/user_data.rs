//! The parts of one user-data, each merged into those before it.
//!
//! Who says how a part is merged: the part itself, in its body or its headers. Where it says nothing, the document has it
//! that the last part before it that did decides, and without one `list()+dict()+str()`. Really nothing is handed on, and
//! the default is `dict(replace)+list()+str()`. (By the letter of the document a part decides on what comes after it only;
//! then all that really works would not: what a part says of itself holds in both.)

use std::collections::HashSet;
use std::path::Path;

use super::explode::Exploded;
use super::mergers::{Mergers, Named, Reader};
use super::part::{Fault, Field, Kind, Part, is_marker, quoted};
use super::walk::Walk;
use super::{Options, patch};
use crate::layers::values::{Layer, Merged, Schema, Style, Value, join_behind};
use crate::text::budget::Budget;
use crate::text::error::Error;
use crate::yaml::tree::Line;

const HEADERS: [&str; 2] = ["Merge-Type", "X-Merge-Type"];
const DOCUMENTED: &str = "list()+dict()+str()";
const SHIPPED: &str = "dict(replace)+list()+str()";

/// Merges the parts that files hold, in their order.
///
/// # Errors
/// Files that cannot be taken apart. As it is shipped parts that cannot be merged are passed over, else they are errors.
pub(super) fn merge(files: Vec<(String, Vec<u8>)>, options: &Options<'_>) -> Result<Merged, Error> {
    let mut exploded = Exploded::new(options);
    for (name, bytes) in files {
        exploded.file(Path::new(&name), bytes)?;
    }
    let Exploded { mut parts, warnings, .. } = exploded;
    let mut sum = Sum { warnings, ..Sum::new(options, &parts) };
    sum.give_headers(&mut parts)?;
    let layers: Vec<Layer> = parts.iter().map(|part| part.layer.clone()).collect();
    sum.parts(parts.iter().zip(&layers).enumerate())?;
    let value = sum.value.unwrap_or_else(|| Value::map().document());
    let mut merged = Merged::of(&[value], &sum.below, sum.style, &layers)?;
    merged.text = marked(merged.text, sum.style);
    merged.warnings = sum.warnings;
    Ok(merged)
}

/// A user-data starts with what it is; members of an archive need not.
fn marked(text: String, style: Style) -> String {
    if is_marker(text.trim_start()) || style.bom {
        return text;
    }
    format!("#cloud-config{}{text}", style.common)
}

/// What the parts up to now come to.
pub(super) struct Sum<'a, 'o> {
    options: &'o Options<'o>,
    pub(super) value: Option<Value<'a>>,
    pub(super) below: Vec<Line<'a>>,
    style: Style,
    /// What the last part named that named any mergers, and where.
    before: Option<(Vec<Named>, String)>,
    pub(super) warnings: Vec<String>,
    /// What patches may still copy.
    budget: Budget,
}

impl<'a, 'o> Sum<'a, 'o> {
    /// Nothing yet, where these parts are to come.
    pub(super) fn new(options: &'o Options<'o>, parts: &[Part]) -> Self {
        let budget = Budget::of(parts.iter().map(|part| part.layer.text.len()).sum());
        let (value, below, style) = (None, Vec::new(), Style::default());
        Self { options, value, below, style, before: None, warnings: Vec::new(), budget }
    }

    /// Merges parts, each with its layer and the number that this has among all.
    ///
    /// # Errors
    /// What cannot be merged; as it is shipped such a part is passed over.
    pub(super) fn parts<'p>(
        &mut self,
        parts: impl Iterator<Item = (usize, (&'p Part, &'a Layer))>,
    ) -> Result<(), Error> {
        for (number, (part, layer)) in parts {
            let before = self.options.reading.is_shipped().then(|| self.value.clone());
            if let Err(error) = self.add(part, layer, number) {
                let Some(before) = before else { return Err(error) };
                self.warnings.push(part.skipped(&error));
                self.value = before;
            }
        }
        Ok(())
    }

    /// Gives the headers of the command line to their parts.
    fn give_headers(&mut self, parts: &mut [Part]) -> Result<(), Error> {
        let count = parts.len();
        for header in self.options.headers.iter().rev() {
            let Some(part) = parts.get_mut(header.part - 1) else {
                let what = format!("there is no part {} for the header {}", header.part, header.name);
                return Err(Error::input(what).help(format!("the last part is {count}")));
            };
            if !HEADERS.iter().any(|name| name.eq_ignore_ascii_case(&header.name)) {
                self.warnings.push(format!("{}: the header {} has no effect on merging", part.name(), header.name));
            }
            part.headers.insert(0, Field { name: header.name.clone(), value: header.value.clone(), line: None });
        }
        Ok(())
    }

    fn add(&mut self, part: &Part, layer: &'a Layer, number: usize) -> Result<(), Error> {
        match &part.kind {
            Kind::Config => self.config(part, layer, number),
            Kind::Patch => {
                let value = self.value.get_or_insert_with(|| Value::map().document());
                patch::apply(part, number, value, &self.budget)?;
                if value.is_map() || self.options.reading.is_shipped() {
                    return Ok(());
                }
                let what = format!("the patch leaves {} in the place of the configuration", quoted(value));
                Err(part.error(&Fault::new(what, part.above() + 1)))
            }
            Kind::Other(kind) => {
                let what = format!("{kind} is no cloud-config, and is passed over");
                self.warnings.push(part.warning(&Fault::new(what, part.above() + 1)));
                Ok(())
            }
        }
    }

    fn config(&mut self, part: &Part, layer: &'a Layer, number: usize) -> Result<(), Error> {
        let duplicates = self.options.reading.duplicates();
        let document = part.read(layer, number, duplicates)?;
        self.warnings.extend(document.warnings);
        let Some(mut new) = document.value.filter(|value| !value.is_null()) else {
            let fault = Fault::new("this part is passed over: there is nothing in it", part.above() + 1);
            self.warnings.push(part.warning(&fault));
            return Ok(());
        };
        if self.options.reads_as_machine() {
            part.refuse_unreadable(&new)?;
        }
        if !new.is_map() {
            let what = format!("a part has to be a map, and this is {}", new.kind_name(Schema::Yaml11));
            return Err(part.error(&Fault::new(what, new.line())));
        }
        let marker = new.take_first_comments(is_marker);
        if self.value.is_none() {
            new.put_first_comments(marker);
            self.style = layer.style()?;
        }
        let (named, line) = self.named(part, &mut new).map_err(|fault| part.error(&fault))?;
        let mergers = self.mergers(part, &new, named, &part.place(line));
        self.merge(part, new, &mergers).map_err(|fault| part.error(&fault))?;
        join_behind(&mut self.below, &document.below);
        Ok(())
    }

    /// The mergers that a part names, and where: in its body, and behind them those of its header.
    fn named(&mut self, part: &Part, new: &mut Value<'a>) -> Result<(Vec<Named>, Option<usize>), Fault> {
        let mut reader = Reader::new(self.options.reading);
        let mut named = reader.taken_from(new)?;
        if let Some(header) = self.header(part) {
            let of_header = |fault: Fault| Fault { what: format!("{}: {}", header.name, fault.what), ..fault };
            // A header may go on on the next line (RFC 5322 §2.2.3); cloud-init takes the line break for a part of it.
            let unfolded = header.value.replace(['\r', '\n'], "");
            let value = if self.options.reading.is_shipped() { &header.value } else { &unfolded };
            named.extend(reader.text(value, header.line).map_err(of_header)?);
        }
        self.warnings.extend(reader.told.iter().map(|fault| part.warning(fault)));
        Ok((named, reader.line))
    }

    /// As the document has it the first header that is there counts; really the first that is not empty, and only with
    /// its name written like this.
    fn header<'p>(&self, part: &'p Part) -> Option<&'p Field> {
        let find = |name: &&str| {
            let is = |field: &&Field| {
                field.name == **name || self.options.reading.is_documented() && field.name.eq_ignore_ascii_case(name)
            };
            part.headers.iter().find(is)
        };
        let mut found = HEADERS.iter().filter_map(find);
        if self.options.reading.is_shipped() { found.find(|field| !field.value.is_empty()) } else { found.next() }
    }

    /// Decides who says how a part is merged, which itself names these mergers at a place.
    fn mergers(&mut self, part: &Part, new: &Value<'a>, named: Vec<Named>, place: &str) -> Mergers {
        let reading = self.options.reading;
        let documented = reading.is_documented();
        let first = self.value.is_none();
        let own = !named.is_empty();
        if own {
            self.before = Some((named, place.to_owned()));
        }
        match &self.before {
            Some((named, place)) if own && !(documented && first) => {
                Mergers::of(named, reading, format!("as {place} says"))
            }
            Some((named, place)) if documented && !first => {
                Mergers::of(named, reading, format!("as {place} says of what comes after it"))
            }
            _ => {
                self.tell_of_default(part, new);
                Reader::default(if documented { DOCUMENTED } else { SHIPPED }, reading)
            }
        }
    }

    /// What cloud-init itself would do here is the other way round.
    fn tell_of_default(&mut self, part: &Part, new: &Value<'a>) {
        let old = self.value.as_ref().filter(|_| self.options.reading.is_documented());
        let names: HashSet<_> = old.map_or(&[][..], Value::children).iter().map(Value::name).collect();
        if let Some(met) = new.children().iter().find(|entry| names.contains(entry.name())) {
            let what = "nothing says how this part is merged: what is there stays, as cloud-init's document has it; \
                        cloud-init itself lets this part win (--as-shipped)";
            self.warnings.push(part.warning(&Fault::new(what, met.line())));
        }
    }

    fn merge(&mut self, part: &Part, new: Value<'a>, mergers: &Mergers) -> Result<(), Fault> {
        if mergers.dict.is_none() {
            let what = "nothing of this part is merged: no dict() is among the mergers that it has";
            self.warnings.push(part.warning(&Fault::new(what, new.line())));
        }
        let Some(old) = &mut self.value else {
            self.value = Some(if mergers.dict.is_some() { new } else { Value::map().document() });
            return Ok(());
        };
        let mut walk = Walk { mergers, part: part.name(), reading: self.options.reading, told: Vec::new() };
        let done = walk.merge(old, new);
        self.warnings.extend(walk.told.iter().map(|fault| part.warning(fault)));
        done
    }
}
