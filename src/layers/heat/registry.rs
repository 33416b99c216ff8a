//! The paths of templates in `resource_registry`, as they have to be read from another place.
//!
//! Heat's client takes a path for one beside the file of the environment that has it, or below the `base_url` of the
//! registry or of a resource in it. So a registry that is made of several files needs paths seen from where it will be, or
//! whole URLs. Nothing else in an environment is a path to the client: what looks like one in a parameter stays.

use super::{Spot, error_in};
use crate::layers::values::{Layer, Value};
use crate::text::budget::Budget;
use crate::text::error::{Error, visible};

/// How many copies of a path there are until it is written.
const COPIES: usize = 4;

const BASE: &str = "base_url";
/// Keys whose values are words, though they stand where paths do.
const WORDS: [&str; 2] = ["hooks", "restricted_actions"];

/// Where the environments are, and where the result will be.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    /// The directory of the result, as an absolute path with `/` between its steps.
    pub(crate) output: String,
    /// The same of each environment, in their order.
    pub(crate) environments: Vec<String>,
    /// Whether the result has URLs in the place of paths.
    pub(crate) are_urls: bool,
}

/// What paths are relative to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Base {
    /// `https://example.org`, or nothing for files.
    site: Option<String>,
    steps: Vec<String>,
}

impl Base {
    /// What a path below it takes in memory.
    fn size(&self) -> usize {
        let steps = self.steps.iter().map(|step| step.len() + size_of::<String>());
        steps.sum::<usize>() + self.site.as_ref().map_or(0, String::len)
    }
}

impl Places {
    /// Lets the paths of an environment be seen from the place of the result.
    ///
    /// # Errors
    /// A `base_url` that is no URL, and one that makes paths of gigabytes.
    pub(super) fn rebase(&self, root: &mut Value<'_>, number: usize, layers: &[Layer]) -> Result<(), Error> {
        let Some(registry) = root.get_mut("resource_registry").filter(|registry| registry.is_map()) else {
            return Ok(());
        };
        let base = Base { site: None, steps: steps(&quoted(self.environments.get(number).map_or("", String::as_str))) };
        let base = taken(registry, layers)?.unwrap_or(base);
        let budget = Budget::of(layers.get(number).map_or(0, |layer| layer.text.len()));
        self.paths(registry, &base, (layers, &budget))?;
        let Some(resources) = registry.get_mut("resources") else { return Ok(()) };
        for at in 0..resources.children().len() {
            if let Some(resource) = resources.child_mut(at).filter(|resource| resource.is_map()) {
                let base = taken(resource, layers)?.unwrap_or_else(|| base.clone());
                self.paths(resource, &base, (layers, &budget))?;
            }
        }
        Ok(())
    }

    fn paths(&self, map: &mut Value<'_>, base: &Base, (layers, budget): (&[Layer], &Budget)) -> Result<(), Error> {
        let output = steps(&quoted(&self.output));
        for at in 0..map.children().len() {
            let Some(entry) = map.child_mut(at).filter(|entry| !WORDS.contains(&entry.name())) else { continue };
            let Some(text) = entry.as_text(super::SCHEMA).filter(|text| is_path(text)).map(str::to_owned) else {
                continue;
            };
            budget.take(COPIES * (base.size() + text.len())).map_err(|why| {
                let error = error_in(layers, Spot::of(entry), &format!("the paths here are too long: {why}"));
                error.help("write a shorter `base_url`")
            })?;
            let seen = self.seen(base, &text, &output);
            if seen != text {
                let mut made = entry.with_text(seen);
                made.by(&format!("written there as {}", visible(&text)));
                entry.replace(made);
            }
        }
        Ok(())
    }

    /// A path as it is to be written in the result.
    fn seen(&self, base: &Base, text: &str, output: &[String]) -> String {
        let is_beside = base.site.is_none() && base.steps == output;
        if !self.are_urls && (text.starts_with('/') && base.site.is_none() || is_beside) {
            return text.to_owned();
        }
        let target = if text.starts_with('/') { steps(text) } else { below(base.steps.clone(), text) };
        match &base.site {
            Some(site) => format!("{site}/{}", target.join("/")),
            None if self.are_urls => format!("file:///{}", target.join("/")),
            None => relative(output, &target),
        }
    }
}

/// Takes the `base_url` out of a map: what it was for is done.
fn taken(map: &mut Value<'_>, layers: &[Layer]) -> Result<Option<Base>, Error> {
    let Some(url) = map.position(BASE).and_then(|at| map.remove(at)) else { return Ok(None) };
    let text = url.scalar().map_or("", |scalar| &*scalar.text);
    let parts = text.split_once("://").filter(|(scheme, _)| is_scheme(scheme));
    let Some((scheme, rest)) = parts else {
        let error = error_in(layers, Spot::of(&url), "`base_url` has to be a URL");
        return Err(error.help("write it like file:///srv/templates, or leave it out to have paths beside this file"));
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let is_file = scheme.eq_ignore_ascii_case("file") && host.is_empty();
    Ok(Some(Base { site: (!is_file).then(|| format!("{scheme}://{host}")), steps: steps(path) }))
}

/// Whether the client takes a text for a path: no `OS::Heat::Stack`, and no URL.
fn is_path(text: &str) -> bool {
    let is_url = text.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme));
    !text.is_empty() && !text.contains("::") && !is_url
}

/// What stands before the colon of a URL (RFC 3986 §3.1).
fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c))
}

fn steps(path: &str) -> Vec<String> {
    below(Vec::new(), path)
}

/// The steps of a path below a directory, without `.` and `..` (RFC 3986 §5.2.4).
fn below(mut steps: Vec<String>, path: &str) -> Vec<String> {
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => _ = steps.pop(),
            name => steps.push(name.to_owned()),
        }
    }
    steps
}

fn relative(from: &[String], to: &[String]) -> String {
    let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    let path = up.chain(to[common..].iter().map(String::as_str)).collect::<Vec<_>>().join("/");
    // A colon in the first step would make a scheme of it.
    if path.split('/').next().is_some_and(|step| step.contains(':')) { format!("./{path}") } else { path }
}

/// A path as it stands in a URL (RFC 3986 §2.3).
fn quoted(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let quote = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(quote).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(environment: &str, output: &str, text: &str) -> String {
        let places = Places { output: output.into(), environments: Vec::new(), are_urls: false };
        let base = Base { site: None, steps: steps(&quoted(environment)) };
        places.seen(&base, text, &steps(&quoted(output)))
    }

    #[test]
    fn a_path_is_seen_from_the_place_of_the_result() {
        assert_eq!(seen("/srv/envs", "/srv", "a.yaml"), "envs/a.yaml");
        assert_eq!(seen("/srv/envs", "/srv/out", "../templates/./a.yaml"), "../templates/a.yaml");
        assert_eq!(seen("/srv/envs", "/srv/envs", "./x/../a.yaml"), "./x/../a.yaml");
        assert_eq!(seen("/srv/envs", "/srv/out", "/etc/a.yaml"), "/etc/a.yaml");
        assert_eq!(seen("/srv/my envs", "/srv", "a.yaml"), "my%20envs/a.yaml");
        assert_eq!(seen("/srv", "/", "../../../a.yaml"), "a.yaml");
        assert_eq!(seen("/", "/srv", "x:y/a.yaml"), "../x:y/a.yaml");
        assert_eq!(seen("/", "/", "x"), "x");
    }

    #[test]
    fn what_is_no_path_is_told() {
        for text in ["OS::Heat::None", "http://example.org/a.yaml", "file:///a", "", "mailto:x"] {
            assert!(!is_path(text), "{text}");
        }
        for text in ["a.yaml", "./a", "/a", "2x:y", "a/b:c"] {
            assert!(is_path(text), "{text}");
        }
    }
}
