//! A row of the table of all layouts of a crate.

use super::facts::bytes;
use super::{Draw, printable};
use alloc::format;
use alloc::string::String;

/// A row of the table of all layouts of a crate.
///
/// ```
/// use tensor_layout::{TiledSpec, draw::Row};
/// let spec: TiledSpec = "bf16[1000,384]{1,0:T(8,128)(2,1)}".parse()?;
/// let row = Row::new("layers::W1", "src/layers.rs:3", &spec);
/// assert_eq!(
///     row.markdown("W1"),
///     "| W1 | `bf16[1000,384]{1,0:T(8,128)(2,1)}` | (1000,384) | 768,000 (750 KiB) | 0 % | src/layers.rs:3 |\n",
/// );
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    /// The path of its alias in the crate: `layers::W1`.
    pub path: String,
    /// The file and the line where it is defined.
    pub defined: String,
    /// The text in the compiler's notation.
    pub notation: String,
    /// The logical shape; empty for an encoding, which has none.
    pub shape: String,
    /// The shape of the part on one device; empty if nothing is sharded.
    pub device_shape: String,
    /// Stored bytes, on one device; `None` for an encoding.
    pub bytes: Option<u64>,
    /// The share of the bytes that is padding; empty if it is not known.
    pub padding: String,
}

impl Row {
    /// The first two lines of a table of rows.
    pub const TITLES: &str = "| layout | notation | shape | bytes | padding | defined |\n\
         |---|---|---|---:|---:|---|\n";

    /// The row of a layout.
    pub fn new(path: &str, defined: &str, subject: &impl Draw) -> Self {
        let facts = subject.facts();
        let text = |name| facts.get(name).map_or(String::new(), |fact| fact.text.clone());
        let bytes = facts.get("bytes per device").or(facts.get("bytes"));
        Self {
            path: path.into(),
            defined: defined.into(),
            notation: subject.notation(),
            shape: text("logical shape"),
            device_shape: text("local shape"),
            bytes: bytes.and_then(|fact| fact.number),
            padding: text("padding"),
        }
    }

    /// The row of a table in Markdown; `name` is the name of the layout.
    pub fn markdown(&self, name: &str) -> String {
        let Self { defined, notation, shape, padding, device_shape, .. } = self;
        let (notation, mut shape) = (printable(notation), shape.clone());
        let mut bytes = self.bytes.map_or(String::new(), bytes);
        if !device_shape.is_empty() {
            shape += &format!(", {device_shape} per device");
            bytes += if bytes.is_empty() { "" } else { " per device" };
        }
        format!("| {name} | `{notation}` | {shape} | {bytes} | {padding} | {defined} |\n")
    }
}
