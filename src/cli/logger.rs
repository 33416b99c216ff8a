//! `-v`: what is decided, on standard error. A logger is thirty lines; a crate for it would be a dependency.

use log::{LevelFilter, Log, Metadata, Record};

use super::output;
use crate::text::error::visible;

struct Logger;

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("yamlift")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            output::tell(&(visible(&record.args().to_string()) + "\n"));
        }
    }

    fn flush(&self) {}
}

/// Starts logging: warnings, and decisions where these are asked for.
pub(crate) fn start(level: LevelFilter) {
    log::set_max_level(level);
    // A program that uses this as a library may have a logger of its own.
    let _ = log::set_logger(&Logger);
}
