use super::super::element::SparseElement;
use super::super::encoding::SparseEncoding;
use super::super::width::{Coordinate, Position};
use super::Storage;
use core::fmt::{self, Write};

impl<P: Position, C: Coordinate, T: SparseElement> Storage<P, C, T> {
    /// Writes the text of MLIR's `sparse_tensor.print`.
    pub fn print(&self, encoding: &SparseEncoding, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |f: &mut fmt::Formatter<'_>, number: i64| write!(f, "{number}");
        let size = |f: &mut fmt::Formatter<'_>, size: usize| write!(f, "{size}");
        let batches = self.batches.max(1);
        writeln!(f, "---- Sparse Tensor ----")?;
        writeln!(f, "nse = {}", self.parts.values.len() / batches)?;
        f.write_str("dim = ")?;
        list(f, self.shape().iter().copied(), size)?;
        f.write_str("\nlvl = ")?;
        list(f, self.extents.iter().map(|extent| extent.size), size)?;
        f.write_char('\n')?;
        for (level, parts) in self.parts.levels.iter().enumerate() {
            let spec = &encoding.levels()[level];
            if spec.format.has_positions() && !encoding.is_padded(level) {
                write!(f, "pos[{level}] : ")?;
                let positions = &parts.positions;
                self.batched(f, positions.len(), |at| positions[at].get() as i64, number)?;
            }
            if spec.format.has_coordinates() && encoding.home(level).level == level {
                write!(f, "crd[{level}] : ")?;
                let count = self.counts[level] * self.batches * encoding.home(level).stride;
                self.batched(f, count, |at| C::get(&parts.coordinates, at), number)?;
            }
        }
        f.write_str("values : ")?;
        let values = &self.parts.values;
        self.batched(f, values.len(), |at| values[at], |f, value| value.write(f))?;
        f.write_str("----\n")
    }

    /// Writes a line: one list, or one for each batch.
    fn batched<N>(
        &self,
        f: &mut fmt::Formatter<'_>,
        len: usize,
        item: impl Fn(usize) -> N,
        write: impl Fn(&mut fmt::Formatter<'_>, N) -> fmt::Result,
    ) -> fmt::Result {
        if self.batches == 1 {
            list(f, (0..len).map(item), write)?;
            return f.write_char('\n');
        }
        let stride = len / self.batches.max(1);
        // Any number of batches can be empty.
        let batches = if len == 0 { self.batches.min(1) } else { self.batches };
        f.write_str("( ")?;
        for batch in 0..batches {
            list(f, (batch * stride..(batch + 1) * stride).map(&item), &write)?;
        }
        f.write_str(" )\n")
    }
}

fn list<N>(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = N>,
    write: impl Fn(&mut fmt::Formatter<'_>, N) -> fmt::Result,
) -> fmt::Result {
    f.write_str("( ")?;
    for (at, item) in items.enumerate() {
        f.write_str(if at > 0 { ", " } else { "" })?;
        write(f, item)?;
    }
    f.write_str(" )")
}
