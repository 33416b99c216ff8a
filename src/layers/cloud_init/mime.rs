//! The parts of a MIME message (RFC 2045, 2046).

use std::rc::Rc;

use mail_parser::{Encoding, Message, MessageParser, MessagePart, MimeHeaders as _, PartType};

use super::part::{Field, Outer, Raw, decoded, inside};
use crate::text::error::{Error, Place};

/// All parts of a message that are no containers, in order.
///
/// # Errors
/// What is no message, or cannot be decoded.
pub(super) fn parts(name: &str, bytes: &[u8]) -> Result<Vec<Raw>, Error> {
    let no_message = || Error::input("there is `MIME-Version:`, and yet no MIME message").in_file(name);
    let message = MessageParser::default().parse(bytes).ok_or_else(no_message)?;
    let text: Rc<str> = String::from_utf8_lossy(bytes).into();
    let breaks = memchr::memchr_iter(b'\n', bytes).collect();
    let mut walk = Walk { name, bytes, breaks, text: &text, raws: Vec::new() };
    walk.message(&message)?;
    Ok(walk.raws)
}

struct Walk<'w> {
    name: &'w str,
    bytes: &'w [u8],
    /// Where its lines end.
    breaks: Vec<usize>,
    text: &'w Rc<str>,
    raws: Vec<Raw>,
}

impl Walk<'_> {
    fn message(&mut self, message: &Message<'_>) -> Result<(), Error> {
        message.parts.iter().try_for_each(|part| match &part.body {
            PartType::Multipart(_) => Ok(()),
            PartType::Message(inner) if part.encoding == Encoding::None => self.message(inner),
            PartType::Message(inner) => {
                let name = decoded(&inside(self.name, part.attachment_name(), self.raws.len() + 1));
                self.raws.extend(parts(&name, inner.raw_message())?);
                Ok(())
            }
            _ => self.part(part),
        })
    }

    fn part(&mut self, part: &MessagePart<'_>) -> Result<(), Error> {
        let name = inside(self.name, part.attachment_name(), self.raws.len() + 1);
        let plain = part.encoding == Encoding::None;
        let encoded = part.content_transfer_encoding().is_some_and(|encoding| {
            ["base64", "quoted-printable"].iter().any(|known| encoding.eq_ignore_ascii_case(known))
        });
        // What is not encoded may do without the boundary at its end.
        if part.is_encoding_problem && encoded {
            let place = Place { line: self.line(part.raw_header_offset()), column: 1 };
            let what = "cannot be decoded as its Content-Transfer-Encoding says";
            return Err(Error::input(what).at(place, self.text).in_file(&name));
        }
        let body = if plain { self.slice(part.raw_body_offset(), part.raw_end_offset()) } else { part.contents() };
        let above = self.line(part.raw_body_offset()) - 1;
        let raw = Raw {
            name: if plain { name } else { decoded(&name) },
            bytes: body.to_vec(),
            declared: content_type(part),
            headers: part.headers().iter().map(|header| self.field(header)).collect(),
            outer: plain.then(|| Outer { text: Rc::clone(self.text), above }),
        };
        self.raws.push(raw);
        Ok(())
    }

    /// A header with its name as it is written: cloud-init compares it so.
    fn field(&self, header: &mail_parser::Header<'_>) -> Field {
        let text = |from, to| String::from_utf8_lossy(self.slice(from, to)).trim().to_owned();
        let name = text(header.offset_field(), header.offset_start());
        let value = text(header.offset_start(), header.offset_end());
        let line = Some(self.line(header.offset_field()));
        Field { name: name.trim_end_matches(':').trim_end().to_owned(), value, line }
    }

    fn slice(&self, from: u32, to: u32) -> &[u8] {
        let [from, to] = [from, to].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        self.bytes.get(from..to).unwrap_or_default()
    }

    /// The line of a byte, from 1.
    fn line(&self, at: u32) -> usize {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        self.breaks.partition_point(|&end| end < at) + 1
    }
}

/// `text/plain` where there is none (RFC 2045 §5.2).
fn content_type(part: &MessagePart<'_>) -> String {
    let kind = part.content_type().and_then(|kind| Some(format!("{}/{}", kind.ctype(), kind.subtype()?)));
    kind.map_or_else(|| "text/plain".to_owned(), |kind| kind.to_ascii_lowercase())
}
