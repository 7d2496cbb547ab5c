//! The package that is being compiled, and its files.

use layout_core::TiledSpec;
use std::path::{Path, PathBuf};

/// The directory of its `Cargo.toml`.
pub(crate) fn directory() -> Result<PathBuf, &'static str> {
    let directory = std::env::var("CARGO_MANIFEST_DIR");
    directory.map(PathBuf::from).map_err(|_| "Cargo does not say where the package is")
}

/// The listing `LAYOUTS.md`, with the sizes that rustc knows and the macros do not.
pub(crate) struct Kept {
    pub(crate) file: PathBuf,
    text: String,
}

impl Kept {
    /// The listing of a package; empty if there is none.
    pub(crate) fn read(package: &Path) -> Self {
        let file = package.join("LAYOUTS.md");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        Self { file, text }
    }

    /// The rest of the row that starts with the path of a layout.
    pub(crate) fn row(&self, path: &str) -> Option<&str> {
        let start = format!("| `{path}` |");
        self.text.lines().find_map(|line| line.strip_prefix(&start))
    }

    /// The layout with this name in a source file; `None` if there are several.
    pub(crate) fn layout(&self, name: &str, file: &Path) -> Option<TiledSpec> {
        let mut found = self.text.lines().filter_map(|line| {
            let mut cells = line.split('|').map(|cell| cell.trim().trim_matches('`')).skip(1);
            let (path, notation) = (cells.next()?, cells.next()?);
            let (location, _line) = cells.nth(3)?.rsplit_once(':')?;
            (path.rsplit("::").next() == Some(name) && file.ends_with(location)).then_some(notation)
        });
        let notation = found.next()?;
        if found.next().is_some() { None } else { notation.parse().ok() }
    }
}
