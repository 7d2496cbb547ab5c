//! A sparse encoding in sentences.

use crate::draw::{Explain, NAMES, count};
use crate::sparse::{LevelExpr, LevelFormat, LevelSpec, SparseEncoding, SparseTensorSpec};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Explain for SparseEncoding {
    fn sentences(&self) -> Vec<String> {
        let (rank, levels) = (count(self.rank(), "dimension"), count(self.levels().len(), "level"));
        let names = NAMES[..self.rank()].join(", ");
        let mut sentences = Vec::from([format!(
            "A tensor of {rank} ({names}) is stored in {levels}, outermost first."
        )]);
        for (at, level) in self.levels().iter().enumerate() {
            let expr = level.expr.named(&NAMES);
            let holds = match level.expr {
                LevelExpr::Part { .. } if level.expr.plain().is_some() => {
                    format!("dimension {expr}")
                }
                LevelExpr::Part { .. } => expr.to_string(),
                LevelExpr::Count { .. } => format!("{expr}, the number of an entry in its row"),
            };
            sentences.push(format!("Level {at} holds {holds}: {}.", stores(self, level, at)));
            sentences.extend(properties(level));
        }
        for (what, bits) in [
            ("Positions", self.draft().position_bits),
            ("Coordinates", self.draft().coordinate_bits),
        ] {
            if bits > 0 {
                sentences.push(format!("{what} are stored in {}.", count(bits, "bit")));
            }
        }
        sentences.push("The values of the innermost level are stored in its order.".to_string());
        sentences
    }
}

impl Explain for SparseTensorSpec {
    fn sentences(&self) -> Vec<String> {
        let size = |size: &Option<usize>| size.map_or("?".into(), |size| size.to_string());
        let sizes: Vec<_> = self.sizes().iter().map(size).collect();
        let first = format!(
            "A sparse tensor of {} elements of type {}.",
            sizes.join(" x "),
            self.element()
        );
        [first].into_iter().chain(self.encoding().sentences()).collect()
    }
}

/// The words for how a level stores its coordinates.
fn stores(encoding: &SparseEncoding, level: &LevelSpec, at: usize) -> String {
    match level.format {
        LevelFormat::Dense => {
            "dense, so every coordinate is present and none is stored".to_string()
        }
        LevelFormat::Batch => {
            "batch, so every coordinate is present, and the levels below have separate storage for each".to_string()
        }
        LevelFormat::Range => "range, the coordinates of a diagonal in order, none of them stored".to_string(),
        LevelFormat::Singleton => {
            "singleton, so each entry of the level above has one coordinate, which is stored".to_string()
        }
        LevelFormat::Structured { n, m } => {
            format!("structured, so {n} of every {m} coordinates are present, and their numbers are stored")
        }
        _ if encoding.is_padded(at) => {
            "compressed, with the same number of coordinates for each entry above, filled with padding".to_string()
        }
        LevelFormat::Compressed => {
            "compressed, so only the coordinates of entries are stored, and positions say where those of each \
             entry above begin"
                .to_string()
        }
        LevelFormat::LooseCompressed => {
            "loose_compressed, so only the coordinates of entries are stored, and positions say where those of \
             each entry above begin and end, with gaps between"
                .to_string()
        }
        LevelFormat::Delta { bits } => format!(
            "delta, so each entry stores the gap from the coordinate before it, in {}",
            count(bits, "bit")
        ),
    }
}

/// The sentences about what a level does not guarantee.
fn properties(level: &LevelSpec) -> impl Iterator<Item = String> {
    let properties = level.properties;
    let nonunique =
        properties.nonunique.then_some("A coordinate may be stored several times (nonunique).");
    let nonordered =
        properties.nonordered.then_some("Coordinates may be in any order (nonordered).");
    let soa = properties.soa.then_some("Its coordinates have an array of their own (soa).");
    [nonunique, nonordered, soa].into_iter().flatten().map(String::from)
}
