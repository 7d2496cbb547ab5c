//! The length of each array, as a formula of the sizes of the dimensions and the numbers of entries of the levels.

use super::example::{COORDINATES, POSITIONS};
use crate::parts::Form;
use crate::sparse::{LevelExpr, LevelFormat, SparseEncoding};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Names of the sizes of the dimensions `i`, `j`, ..
const SIZES: [&str; crate::sparse::MAX_RANK] = ["I", "J", "K", "L", "M", "N", "O", "P"];
/// The name of the number of entries of a level.
const ENTRIES: &str = "nnz";

/// The arrays and their lengths. `nnz` is the number of entries of the last compressed level, which are blocks if dense levels
/// follow; `nnz0` is the number of entries of level 0. After batch levels, they are the numbers of one batch.
pub(super) fn sizes(encoding: &SparseEncoding) -> Vec<(&'static str, String)> {
    let mut sizes = Vec::new();
    // Each batch has arrays of its own, one after another in memory.
    let (mut batches, mut positions) = (Product::default(), Product::default());
    let levels = encoding.levels();
    let counted = |format: &LevelFormat| format.has_positions();
    let last = levels.iter().rposition(|level| counted(&level.format));
    for (at, level) in levels.iter().enumerate() {
        match level.format {
            LevelFormat::Batch => batches.0.push(extent(&level.expr)),
            LevelFormat::Dense | LevelFormat::Range => positions.0.push(extent(&level.expr)),
            LevelFormat::Singleton => sizes.push((COORDINATES[at], positions.text())),
            LevelFormat::Structured { n, .. } => {
                positions.0.push(n.to_string());
                sizes.push((COORDINATES[at], positions.text()));
            }
            // One coordinate for each slot, since rows are padded.
            _ if encoding.is_padded(at) => sizes.push((COORDINATES[at], positions.text())),
            LevelFormat::Compressed | LevelFormat::LooseCompressed | LevelFormat::Delta { .. } => {
                let parents = positions.text();
                sizes.push((
                    POSITIONS[at],
                    match level.format {
                        LevelFormat::LooseCompressed => format!("2*{parents} + 1"),
                        _ => format!("{parents} + 1"),
                    },
                ));
                let entries =
                    if last == Some(at) { ENTRIES.into() } else { format!("{ENTRIES}{at}") };
                positions = Product(Vec::from([entries]));
                sizes.push((COORDINATES[at], positions.text()));
            }
        }
    }
    sizes.push(("values", positions.text()));
    if !batches.0.is_empty() {
        let all = batches.text();
        sizes.iter_mut().for_each(|(_, size)| *size = times(&all, size));
    }
    sizes
}

/// `B*nnz`, or `B*(I + 1)` for a sum.
fn times(batches: &str, size: &str) -> String {
    match size {
        "1" => batches.into(),
        _ if size.contains(' ') => format!("{batches}*({size})"),
        _ => format!("{batches}*{size}"),
    }
}

/// A product of sizes.
#[derive(Default)]
struct Product(Vec<String>);

impl Product {
    fn text(&self) -> String {
        let factors: Vec<_> =
            self.0.iter().map(String::as_str).filter(|factor| *factor != "1").collect();
        if factors.is_empty() { "1".into() } else { factors.join("*") }
    }
}

/// The number of coordinates of a level, for an array of size `I` by `J`.
fn extent(expr: &LevelExpr) -> String {
    let (form, div, modulus) = match expr {
        LevelExpr::Count { slots, .. } => return slots.to_string(),
        LevelExpr::Part { form, div, modulus } => (form, *div, *modulus),
    };
    if let Some(modulus) = modulus {
        return modulus.to_string();
    }
    let size = match form.terms() {
        1 => form.first().map_or("0", |dim| SIZES[dim]).to_string(),
        _ => diagonals(form),
    };
    if div > 1 { format!("ceil({size}/{div})") } else { size }
}

/// The number of values of a sum of dimensions: `I + J - 1` for `j - i`.
fn diagonals(form: &Form) -> String {
    let terms = form.coefficients.iter().zip(SIZES).filter(|(coefficient, _)| **coefficient != 0);
    let terms: Vec<_> = terms
        .map(|(coefficient, size)| match coefficient.unsigned_abs() {
            1 => format!("{size} - 1"),
            times => format!("{times}*({size} - 1)"),
        })
        .collect();
    format!("({} + 1)", terms.join(" + "))
}
