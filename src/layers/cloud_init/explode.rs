//! Files → parts: what each of them is decides what is made of it, and some hold others.
//!
//! A file may be packed with gzip; it is a MIME message where `MIME-Version:` stands near its start. Of a part, what its
//! content type does not say its first line does. An archive has members, an include names files that may be any of this
//! again. What is left are the parts that cloud-init hands to the handler for their type.

use std::path::{Path, PathBuf};

use mail_parser::decoders::base64::base64_decode;

use super::part::{Fault, Kind, Part, Raw, decoded};
use super::size::Size;
use super::{Options, Purpose, archive, include, mime, template};
use crate::text::encoding;
use crate::text::error::{Error, visible};

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
const BOM: &[u8] = "\u{feff}".as_bytes();
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

impl<'o> Exploded<'o> {
    pub(super) fn new(options: &'o Options<'o>) -> Self {
        let (parts, warnings, within) = (Vec::new(), Vec::new(), Vec::new());
        Self { options, parts, warnings, within, size: Size::default() }
    }

    /// Adds the parts of a file.
    ///
    /// # Errors
    /// What cannot be unpacked, decoded, found or read.
    pub(super) fn file(&mut self, path: &Path, bytes: Vec<u8>) -> Result<(), Error> {
        let name = path.display().to_string();
        let bytes = self.unpacked(&name, bytes)?;
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

    /// What is in a file that is packed, or encoded in whole as some data sources have it.
    fn unpacked(&mut self, name: &str, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        let decoded = if self.options.purpose.is_machine() { base64_of_user_data(&bytes) } else { None };
        if decoded.is_some() {
            self.warnings
                .push(format!("{name}: is base64, and read decoded as some data sources do; others leave it as it is"));
        }
        let bytes = decoded.unwrap_or(bytes);
        if is_packed(&bytes) { self.size.unpacked(name, &bytes) } else { Ok(bytes) }
    }

    /// Adds a file that is a configuration as a whole.
    ///
    /// # Errors
    /// What is no text, and a template that cannot be filled in.
    pub(super) fn plain(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), Error> {
        self.size.count(name, bytes.len())?;
        let is_template = self.options.purpose.is_machine() && marker(&bytes) == Some(JINJA);
        let text = encoding::decode(name, bytes, encoding::LIMIT)?;
        let part = Part::whole(name, text);
        let part = if is_template { self.filled(&part)? } else { Some(part) };
        self.parts.extend(part.map(|part| Part { kind: Kind::Config, ..part }));
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
        let marked = self.marker(&raw.bytes).filter(|_| VAGUE.contains(&raw.declared.as_str()));
        let kind = marked.unwrap_or(&raw.declared).to_owned();
        if kind == ARCHIVE {
            let archive = part(raw, Kind::Config)?;
            match archive::members(&archive, self.options, &mut self.warnings) {
                Ok(members) => {
                    members.iter().try_for_each(|member| self.size.count(member.name(), member.layer.text.len()))?;
                    members.into_iter().try_for_each(|member| self.member(member))?;
                }
                Err(error) if self.options.reading.is_shipped() => self.warnings.push(archive.skipped(&error)),
                Err(error) => return Err(error),
            }
        } else if INCLUDES.contains(&kind.as_str()) {
            include::read(&part(raw, Kind::Config)?, self)?;
        } else {
            let part = self.known(raw, kind)?;
            self.parts.extend(part);
        }
        Ok(())
    }

    /// What is no cloud-config is kept as bytes nobody reads.
    fn known(&mut self, raw: Raw, kind: String) -> Result<Option<Part>, Error> {
        match kind.as_str() {
            CONFIG => part(raw, Kind::Config).map(Some),
            PATCH => part(raw, Kind::Patch).map(Some),
            JINJA => self.template(raw),
            NO_TYPE if raw.bytes.trim_ascii().is_empty() => part(raw, Kind::Config).map(Some),
            NO_TYPE if self.options.purpose.is_machine() || self.is_hidden(&raw.bytes) => {
                self.warnings.push(format!("{}:1: {}", raw.name, no_marker(&raw.bytes)));
                Ok(None)
            }
            NO_TYPE => {
                let part = part(raw, Kind::Config)?;
                let what = "there is no #cloud-config in the first line: cloud-init reads this as such only where a MIME type \
                            says so";
                self.warnings.push(part.warning(&Fault::new(what, 1)));
                Ok(Some(part))
            }
            _ => part(Raw { bytes: Vec::new(), ..raw }, Kind::Other(kind)).map(Some),
        }
    }

    /// What the first line of a text says that it is. Really it is not seen behind a byte-order mark.
    fn marker(&self, bytes: &[u8]) -> Option<&'static str> {
        marker(bytes).filter(|_| !(self.options.reading.is_shipped() && bytes.starts_with(BOM)))
    }

    /// Whether a byte-order mark hides what a text is.
    fn is_hidden(&self, bytes: &[u8]) -> bool {
        self.marker(bytes).is_none() && marker(bytes).is_some()
    }

    /// Adds a member of an archive, which may be a template.
    fn member(&mut self, member: Part) -> Result<(), Error> {
        let is_template = member.kind == Kind::Other(JINJA.to_owned()) && self.options.purpose.is_machine();
        let member = if is_template { self.filled(&member)? } else { Some(member) };
        self.parts.extend(member);
        Ok(())
    }

    /// A template is what its second line says; to a machine what it is when it is filled in.
    fn template(&mut self, raw: Raw) -> Result<Option<Part>, Error> {
        if self.options.purpose.is_machine() {
            return self.filled(&part(raw, Kind::Other(JINJA.to_owned()))?);
        }
        let rest = raw.bytes.iter().position(|&byte| byte == b'\n').and_then(|at| raw.bytes.get(at + 1..));
        let kind = match rest.and_then(marker) {
            Some(CONFIG) => Kind::Config,
            Some(PATCH) => Kind::Patch,
            _ => return part(Raw { bytes: Vec::new(), ..raw }, Kind::Other(JINJA.to_owned())).map(Some),
        };
        let part = part(raw, kind)?;
        let fault = Fault::new("the template is merged as it stands, cloud-init fills it in first", 1 + part.above());
        self.warnings.push(part.warning(&fault));
        Ok(Some(part))
    }

    /// A template with the data of the instance in it; nothing where cloud-init passes it over.
    fn filled(&mut self, template: &Part) -> Result<Option<Part>, Error> {
        let Purpose::Machine(Some(instance)) = self.options.purpose else {
            let fault = Fault::new("this template is filled in with the data of the instance", template.above() + 1);
            let help = "name them with --instance-data FILE: `cloud-init query --all` prints those of a machine";
            return Err(template.error(&fault.help(help)));
        };
        let filled = match template::fill(&template.layer.text, instance) {
            Ok(filled) => filled,
            Err(unfilled) => {
                let fault = Fault::new(unfilled.what, template.above() + unfilled.line);
                let fault = fault.help("cloud-init has the Jinja of Python; write this in a way that both have");
                let error = template.error(&fault);
                self.warnings.push(unfilled.is_passed_over.then(|| template.skipped(&error)).ok_or(error)?);
                return Ok(None);
            }
        };
        let name = format!("{} (rendered)", template.name());
        for missing in &filled.missing {
            self.warnings.push(format!("{name}: the instance data have no `{}`", visible(missing)));
        }
        self.size.count(&name, filled.text.len())?;
        let kind = match marker(filled.text.as_bytes()) {
            Some(PATCH) => Kind::Patch,
            Some(CONFIG) => Kind::Config,
            other => Kind::Other(other.unwrap_or("a text that does not start with #cloud-config").to_owned()),
        };
        let headers = template.headers.clone();
        Ok(Some(Part { kind, ..Part::whole(&name, filled.text) }.with_headers(headers)))
    }
}

/// Whether a file says that it is more than a configuration: parts, a patch, or what is none at all.
pub(super) fn is_user_data(bytes: &[u8]) -> bool {
    is_packed(bytes) || is_message(bytes) || marker(bytes).is_some_and(|kind| kind != CONFIG)
}

fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// What base64 stands for, where that is a user-data.
fn base64_of_user_data(bytes: &[u8]) -> Option<Vec<u8>> {
    let letters = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=\r\n".contains(byte);
    let decoded = bytes.trim_ascii().iter().all(letters).then(|| base64_decode(bytes.trim_ascii())).flatten()?;
    (is_packed(&decoded) || is_message(&decoded) || marker(&decoded).is_some()).then_some(decoded)
}

/// Why a text is nothing to a machine.
fn no_marker(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(BOM) && marker(bytes).is_some() {
        "is passed over: before its first line is a byte-order mark, and cloud-init does not see what it is"
    } else {
        "is passed over: it does not start with #cloud-config, nor as anything else that cloud-init knows"
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
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes).trim_ascii_start();
    let is = |marker: &str| text.get(..marker.len()).is_some_and(|start| start.eq_ignore_ascii_case(marker.as_bytes()));
    MARKERS.iter().find(|(marker, _)| is(marker)).map(|(_, kind)| *kind)
}

/// A header first, and `MIME-Version:` among what follows.
fn is_message(bytes: &[u8]) -> bool {
    let near = bytes.get(..NEAR).unwrap_or(bytes).to_ascii_lowercase();
    !near.trim_ascii_start().starts_with(b"#") && memchr::memmem::find(&near, b"mime-version:").is_some()
}
