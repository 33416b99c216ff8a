//! Rules that come with yamlift, for systems whose way to merge the words of a rules file can say.

/// The names of the presets and their rules.
const PRESETS: [(&str, &str); 5] = [
    ("overlay", include_str!("presets/overlay.yml")),
    ("helm", include_str!("presets/helm.yml")),
    ("compose", include_str!("presets/compose.yml")),
    ("spring", include_str!("presets/spring.yml")),
    ("hiera", include_str!("presets/hiera.yml")),
];

/// The rules of a preset as the text of a rules file; nothing for a name that none has.
pub(crate) fn preset(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(known, _)| *known == name).map(|(_, rules)| *rules)
}

/// The names of all presets.
pub(crate) fn presets() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}
