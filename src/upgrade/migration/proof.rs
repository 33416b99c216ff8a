//! A migration file that is held against the defaults before it ships.

use crate::text::error::Error;
use crate::text::named::NamedText;
use crate::upgrade::migration::Migration;

impl Migration {
    /// Finds all that is wrong with the steps of a migration file, each with its place: against the new default, and against
    /// the old one where that is given. With `from`, only the steps for who comes from that version are looked at.
    ///
    /// ```
    /// let file = "yamlift: 1\nsteps:\n- version: 2\n  move: {port: http/prot}\n";
    /// let migration = yamlift::Migration::read("2.0.yml", file)?;
    /// let findings = migration.check("http: {port: 80}\n", Some("port: 80\n".into()), None)?;
    /// let place = findings[0].place().map(|place| (place.line, place.column));
    /// assert_eq!((findings[0].file(), place), (Some("2.0.yml"), Some((4, 16))));
    /// # Ok::<(), yamlift::Error>(())
    /// ```
    ///
    /// # Errors
    /// A default that is not valid YAML, and a `from` that is not a version.
    pub fn check<'t>(
        &self,
        update: impl Into<NamedText<'t>>,
        base: Option<NamedText<'t>>,
        from: Option<&str>,
    ) -> Result<Vec<Error>, Error> {
        self.prove(from, base.map(|base| base.or("base")), update.into().or("update"))
    }
}
