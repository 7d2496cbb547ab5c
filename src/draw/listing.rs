//! The table of all layouts of a crate, and the files that it is kept in.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use layout_core::draw::{Quoted, Row};

/// All layouts of a crate, as `layouts_listing!` gives them.
///
/// ```
/// use tensor_layout::{TiledSpec, draw::{Listing, Row}};
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
/// let listing = Listing::new([Row::new("Figure1", "src/lib.rs:7", &spec)]);
/// assert!(listing.markdown().ends_with("| `Figure1` | `f32[3,5]{1,0:T(2,2)}` | (3,5) | 96 | 37.5 % | src/lib.rs:7 |\n"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Listing {
    rows: Vec<Row>,
}

impl Listing {
    /// A listing of rows, in their order.
    pub fn new(rows: impl IntoIterator<Item = Row>) -> Self {
        Self { rows: rows.into_iter().collect() }
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// A table in Markdown.
    pub fn markdown(&self) -> String {
        let rows = self.rows.iter().map(|row| row.markdown(&format!("`{}`", row.path)));
        Row::TITLES.to_string() + &rows.collect::<String>()
    }

    /// A JSON array with an object for each layout.
    pub fn json(&self) -> String {
        let row = |row: &Row| {
            let bytes = row.bytes.map_or("null".into(), |bytes| bytes.to_string());
            format!(
                "  {{\"path\": {}, \"notation\": {}, \"shape\": {}, \"device_shape\": {}, \"bytes\": {bytes}, \"padding\": {}, \"defined\": {}}}",
                Quoted(&row.path),
                Quoted(&row.notation),
                Quoted(&row.shape),
                Quoted(&row.device_shape),
                Quoted(&row.padding),
                Quoted(&row.defined),
            )
        };
        let rows: Vec<_> = self.rows.iter().map(row).collect();
        format!("[\n{}\n]\n", rows.join(",\n"))
    }

    /// Compares the listing with the files `LAYOUTS.md` and `LAYOUTS.json` in a directory. With `BLESS=1` in the
    /// environment it writes them first.
    ///
    /// # Errors
    /// If a file is missing, cannot be written, or differs from the listing.
    #[cfg(feature = "std")]
    pub fn check(&self, directory: impl AsRef<std::path::Path>) -> Result<(), String> {
        for (name, text) in [("LAYOUTS.md", self.markdown()), ("LAYOUTS.json", self.json())] {
            let file = directory.as_ref().join(name);
            let failed = |error: std::io::Error| format!("{}: {error}", file.display());
            if std::env::var_os("BLESS").is_some_and(|bless| bless == "1") {
                std::fs::write(&file, &text).map_err(failed)?;
            }
            let kept = std::fs::read_to_string(&file)
                .map_err(|error| failed(error) + "; `BLESS=1` writes it")?;
            if kept == text {
                continue;
            }
            let changed = text.lines().find(|line| !kept.lines().any(|kept| kept == *line));
            let changed = changed.unwrap_or("a layout was removed, or their order has changed");
            return Err(format!(
                "{} is stale; `BLESS=1` rewrites it. First change: {changed}",
                file.display()
            ));
        }
        Ok(())
    }
}
