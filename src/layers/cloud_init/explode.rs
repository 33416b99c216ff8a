//! Files → parts: what each of them is decides what is made of it, and some hold others.
//!
//! A file may be packed with gzip; it is a MIME message where `MIME-Version:` stands near its start. Of a part, what its
//! content type does not say its first line does. An archive has members, an include names files that may be any of this
//! again. What is left are the parts that cloud-init hands to the handler for their type.

use std::path::{Path, PathBuf};

use super::part::{Fault, Kind, Part, Raw, decoded};
use super::size::Size;
use super::{Options, archive, include, mime};
use crate::text::encoding;
use crate::text::error::Error;

/// What the first line of a text makes it, the longest first.
const MARKERS: [(&str, &str); 10] = [
    ("#cloud-config-archive", ARCHIVE),
    ("#cloud-config-jsonp", PATCH),
    ("## template: jinja", JINJA),
    ("#cloud-boothook", "text/cloud-boothook"),
    ("#cloud-config", CONFIG),
    ("#part-handler", "text/part-handler"),
    ("#include-once", INCLUDES[1]),
    ("#upstart-job", "text/upstart-job"),
    ("#include", INCLUDES[0]),
    ("#!", "text/x-shellscript"),
];
const ARCHIVE: &str = "text/cloud-config-archive";
pub(super) const CONFIG: &str = "text/cloud-config";
const PATCH: &str = "text/cloud-config-jsonp";
const JINJA: &str = "text/jinja2";
const INCLUDES: [&str; 2] = ["text/x-include-url", "text/x-include-once-url"];
/// What may stand before a JSON Patch.
pub(super) const PATCH_MARKERS: [&str; 2] = [MARKERS[2].0, MARKERS[1].0];
/// A file that is no MIME message.
const NO_TYPE: &str = "text/x-not-multipart";
/// Types of which the first line of the text tells more.
const VAGUE: [&str; 3] = ["text/plain", NO_TYPE, "text/x-shellscript"];
const PACKED: [&str; 8] = [
    "application/gzip",
    "application/gzip-compressed",
    "application/gzipped",
    "application/x-compress",
    "application/x-compressed",
    "application/x-gunzip",
    "application/x-gzip",
    "application/x-gzip-compressed",
];
/// How much of a file cloud-init searches for `MIME-Version:`.
const NEAR: usize = 4096;

/// The parts of files, in order.
pub(super) struct Exploded<'o> {
    pub(super) options: &'o Options<'o>,
    pub(super) parts: Vec<Part>,
    /// What was passed over.
    pub(super) warnings: Vec<String>,
    /// The files that are being read, each included by the one before it.
    pub(super) within: Vec<PathBuf>,
    pub(super) size: Size,
}

impl Exploded<'_> {
    /// Adds the parts of a file.
    ///
    /// # Errors
    /// What cannot be unpacked, decoded, found or read.
    pub(super) fn file(&mut self, path: &Path, bytes: Vec<u8>) -> Result<(), Error> {
        let name = path.display().to_string();
        let bytes = if bytes.starts_with(&[0x1f, 0x8b]) { self.size.unpacked(&name, &bytes)? } else { bytes };
        self.within.push(path.to_owned());
        if is_message(&bytes) {
            mime::parts(&name, &bytes)?.into_iter().try_for_each(|raw| self.add(raw))?;
        } else {
            let declared = NO_TYPE.to_owned();
            self.add(Raw { name, bytes, declared, headers: Vec::new(), outer: None })?;
        }
        self.within.pop();
        Ok(())
    }

    fn add(&mut self, mut raw: Raw) -> Result<(), Error> {
        if PACKED.contains(&raw.declared.as_str()) {
            // With the content type go all other headers that matter here.
            let name = decoded(&raw.name);
            let bytes = self.size.unpacked(&raw.name, &raw.bytes)?;
            raw = Raw { name, bytes, declared: "text/plain".to_owned(), headers: Vec::new(), outer: None };
        }
        self.size.count(&raw.name, raw.bytes.len())?;
        let marked = marker(&raw.bytes).filter(|_| VAGUE.contains(&raw.declared.as_str()));
        let kind = marked.unwrap_or(&raw.declared).to_owned();
        if kind == ARCHIVE {
            let archive = part(raw, Kind::Config)?;
            match archive::members(&archive, self.options, &mut self.warnings) {
                Ok(members) => {
                    members.iter().try_for_each(|member| self.size.count(member.name(), member.layer.text.len()))?;
                    self.parts.extend(members);
                }
                Err(error) if self.options.reading.is_shipped() => self.warnings.push(archive.skipped(&error)),
                Err(error) => return Err(error),
            }
        } else if INCLUDES.contains(&kind.as_str()) {
            include::read(&part(raw, Kind::Config)?, self)?;
        } else {
            let part = self.known(raw, kind)?;
            self.parts.push(part);
        }
        Ok(())
    }

    /// What is no cloud-config is kept as bytes nobody reads.
    fn known(&mut self, raw: Raw, kind: String) -> Result<Part, Error> {
        match kind.as_str() {
            CONFIG => part(raw, Kind::Config),
            PATCH => part(raw, Kind::Patch),
            JINJA => self.template(raw),
            NO_TYPE if raw.bytes.trim_ascii().is_empty() => part(raw, Kind::Config),
            NO_TYPE => {
                let part = part(raw, Kind::Config)?;
                let what = "there is no #cloud-config in the first line: cloud-init reads this as such only where a MIME type \
                            says so";
                self.warnings.push(part.warning(&Fault::new(what, 1)));
                Ok(part)
            }
            _ => part(Raw { bytes: Vec::new(), ..raw }, Kind::Other(kind)),
        }
    }

    /// A template is what its second line says.
    fn template(&mut self, raw: Raw) -> Result<Part, Error> {
        let rest = raw.bytes.iter().position(|&byte| byte == b'\n').and_then(|at| raw.bytes.get(at + 1..));
        let kind = match rest.and_then(marker) {
            Some(CONFIG) => Kind::Config,
            Some(PATCH) => Kind::Patch,
            _ => return part(Raw { bytes: Vec::new(), ..raw }, Kind::Other(JINJA.to_owned())),
        };
        let part = part(raw, kind)?;
        let fault = Fault::new("the template is merged as it stands, cloud-init fills it in first", 1 + part.above());
        self.warnings.push(part.warning(&fault));
        Ok(part)
    }
}

impl Part {
    /// A text that stands in an archive, with the type that it says or that its first line tells.
    pub(super) fn member(name: &str, text: String, declared: Option<&str>) -> Self {
        let kind = match declared.or_else(|| marker(text.as_bytes())).unwrap_or(CONFIG) {
            CONFIG => Kind::Config,
            PATCH => Kind::Patch,
            other => Kind::Other(other.to_owned()),
        };
        Self { kind, ..Self::whole(name, text) }
    }
}

fn part(raw: Raw, kind: Kind) -> Result<Part, Error> {
    let text = encoding::decode(&raw.name, raw.bytes, encoding::LIMIT)?;
    Ok(Part { kind, outer: raw.outer, ..Part::whole(&raw.name, text) }.with_headers(raw.headers))
}

/// What the first line of a text says that it is.
fn marker(bytes: &[u8]) -> Option<&'static str> {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    let is = |marker: &str| text.get(..marker.len()).is_some_and(|start| start.eq_ignore_ascii_case(marker.as_bytes()));
    MARKERS.iter().find(|(marker, _)| is(marker)).map(|(_, kind)| *kind)
}

/// A header first, and `MIME-Version:` among what follows.
fn is_message(bytes: &[u8]) -> bool {
    let near = bytes.get(..NEAR).unwrap_or(bytes).to_ascii_lowercase();
    !near.trim_ascii_start().starts_with(b"#") && memchr::memmem::find(&near, b"mime-version:").is_some()
}
