//! Layers that are joined by the rules of a system, or by a caller's own.

use crate::layers::cloud_init::{Entry, Header};
use crate::layers::reading::Reading;
use crate::layers::values::{self, Layer, Supplied};
use crate::layers::{cloud_init, datum, heat, own};
use crate::report::mask::Mask;
use crate::text::error::{Error, nearest, visible};
use crate::text::named::NamedText;

/// The rules by which layers are joined.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum MergeRules<'r> {
    /// Those of a file of a caller's own, as `docs/merge-rules.md` has it.
    Own(NamedText<'r>),
    /// Those of a preset: `overlay`, `helm`, `compose`, `spring` or `hiera`.
    Preset(PresetRules<'r>),
    /// Those of cloud-init, as `docs/cloud-init.md` has them.
    CloudInit(CloudInitRules),
    /// Those of Heat, as `docs/heat.md` has them.
    Heat(HeatRules<'r>),
    /// Those of Datum, as `docs/datum.md` has them; the most specific layer is the first.
    Datum(DatumRules<'r>),
}

/// Rules that come with yamlift, by their name.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct PresetRules<'r> {
    /// The name of the preset.
    pub name: &'r str,
    /// What becomes of lists, before what the preset says: a word of `docs/merge-rules.md`, or `PATH=WORD`.
    pub lists: Vec<String>,
    /// The profiles whose documents count, for `spring`; a word with commas names several.
    pub profiles: Vec<String>,
}

/// What is to be known about the parts of a user-data, or the levels of a configuration, of cloud-init.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CloudInitRules {
    /// Whether the document of cloud-init counts, or what it does.
    pub reading: Reading,
    /// How the layers reach cloud-init.
    pub entry: Entry,
    /// Headers of parts.
    pub headers: Vec<Header>,
}

/// What is to be known besides Heat's environments.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct HeatRules<'r> {
    /// Whether the document of Heat counts, or what it does.
    pub reading: Reading,
    /// A map from the names of parameters to their types.
    pub types: Option<NamedText<'r>>,
    /// Templates that declare parameters, the root template last.
    pub templates: Vec<NamedText<'r>>,
    /// The environment that the request itself carries.
    pub params: Option<NamedText<'r>>,
}

/// What is to be known besides Datum's layers.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct DatumRules<'r> {
    /// Whether the document of Datum counts, or what it does.
    pub reading: Reading,
    /// The file with `lookup_options` and `default_lookup_options`.
    pub options: Option<NamedText<'r>>,
    /// The path to look up; every key at the top without one.
    pub key: Option<String>,
}

/// What layers have come to.
#[derive(Debug)]
pub struct Merged(values::Merged);

impl Merged {
    /// The text, with the comments of the layers.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// What was passed over, one line each: `file:line: what`.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.0.warnings
    }

    /// Who supplied each value, and by which rule, in the order of the text; without what the mask hides.
    #[must_use]
    pub fn supplied(&self, mask: &Mask) -> Vec<Supplied> {
        self.0.supplied(&mask.knowing(&[&self.0.text]))
    }
}

/// Joins layers by the rules of a system or of a caller's own: what no rule touches stays as it is written, and comments
/// come along. Layers without a name are called `layer 1`, `layer 2` and so on. Feature `layers`.
///
/// ```
/// use yamlift::{Mask, MergeRules, NamedText};
/// let rules = MergeRules::Own("yamlift: 1\nlists: append\n".into());
/// let layers = [
///     NamedText::new("base.yml", "port: 80\ntags: [a]  # all\n"),
///     NamedText::new("site.yml", "tags: [b]\n# of this site\nhost: web\n"),
/// ];
/// let merged = yamlift::merge(&layers, &rules)?;
/// assert_eq!(merged.text(), "port: 80\ntags: [a, b]  # all\n# of this site\nhost: web\n");
/// let host = merged.supplied(&Mask::default()).into_iter().find(|value| value.path == "host").unwrap();
/// assert_eq!((host.file.as_deref(), host.line), (Some("site.yml"), 3));
/// # Ok::<(), yamlift::Error>(())
/// ```
///
/// # Errors
/// A layer that cannot be read, rules that are not as their page has them, and values that these refuse to join.
pub fn merge(layers: &[NamedText<'_>], rules: &MergeRules<'_>) -> Result<Merged, Error> {
    let layers = numbered(layers);
    let merged = match rules {
        MergeRules::Own(rules) => own::merge(&layers, &layer(*rules, "rules"), &own::Given::default()),
        MergeRules::Preset(rules) => preset(&layers, rules),
        MergeRules::CloudInit(rules) => cloud_init(layers, rules),
        MergeRules::Heat(rules) => {
            let template = |(at, text): (usize, &NamedText<'_>)| layer(*text, &format!("template {}", at + 1));
            let options = heat::Options {
                reading: rules.reading,
                types: rules.types.map(|types| layer(types, "types")),
                templates: rules.templates.iter().enumerate().map(template).collect(),
                params: rules.params.map(|params| layer(params, "params")),
                // Texts are nowhere.
                places: None,
            };
            heat::merge(&layers, &options)
        }
        MergeRules::Datum(rules) => {
            let strategies = rules.options.map(|options| layer(options, "options"));
            let options = datum::Options { reading: rules.reading, strategies, key: rules.key.clone() };
            datum::merge(&layers, &options)
        }
    };
    merged.map(Merged)
}

fn preset(layers: &[Layer], rules: &PresetRules<'_>) -> Result<values::Merged, Error> {
    let unknown = || {
        let names: Vec<_> = own::presets().collect();
        Error::input(format!("`{}` is no preset", visible(rules.name))).help(nearest(rules.name, &names))
    };
    let text = own::preset(rules.name).ok_or_else(unknown)?;
    let given = own::Given { lists: rules.lists.clone(), profiles: rules.profiles.clone() };
    own::merge(layers, &Layer { name: rules.name.to_owned(), text: text.to_owned() }, &given)
}

fn cloud_init(layers: Vec<Layer>, rules: &CloudInitRules) -> Result<values::Merged, Error> {
    let options = cloud_init::Options {
        reading: rules.reading,
        entry: rules.entry,
        headers: rules.headers.clone(),
        // What a part includes is not read from a disk that the caller did not name.
        open: None,
        purpose: cloud_init::Purpose::Merge,
    };
    cloud_init::merge(layers.into_iter().map(|layer| (layer.name, layer.text.into_bytes())).collect(), &options)
}

fn layer(text: NamedText<'_>, name: &str) -> Layer {
    let (name, text) = text.or(name);
    Layer { name: name.to_owned(), text: text.to_owned() }
}

/// Texts as layers; those without a name are called by their numbers.
pub(super) fn numbered(texts: &[NamedText<'_>]) -> Vec<Layer> {
    texts.iter().enumerate().map(|(at, text)| layer(*text, &format!("layer {}", at + 1))).collect()
}
