//! Laws of gaps, tried on all small gaps in every kind of neighbourhood, and on the gaps of files that people wrote.

mod kinds;
mod laws;
mod reader;
mod walk;
