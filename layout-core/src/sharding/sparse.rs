//! Sparse tensors over a mesh: the encodings that can be cut at the ends of shards.

use crate::sparse::{LevelExpr, LevelFormat, SparseEncoding};
use crate::text::Text;

/// A shard of a sparse tensor that ends within a block, so that the local tensors do not have the blocks of the whole tensor.
///
/// ```
/// use tensor_layout::sharding::CutBlock;
/// let blocks = "(i, j) -> (i floordiv 4 : dense, j : compressed, i mod 4 : dense)".parse()?;
/// assert_eq!(CutBlock::find(&blocks, 0, 8), None);                // shards of 8 rows
/// assert_eq!(CutBlock::find(&blocks, 0, 6), Some(CutBlock { dim: 0, local: 6, level: 0, block: 4 }));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CutBlock {
    /// The dimension that is split.
    pub dim: usize,
    /// Its size in each shard.
    pub local: usize,
    /// The level of the encoding whose blocks are cut.
    pub level: usize,
    /// Shards cut no blocks of that level if their sizes are multiples of this number.
    pub block: usize,
}

impl CutBlock {
    /// The block that shards of size `local` along dimension `dim` cut, if there is one.
    ///
    /// A shift by the size of a shard must not change the remainders that a level stores: blocks of 4 with an inner block of 2,
    /// `i floordiv 4, (i floordiv 2) mod 2, i mod 2`, can be cut after any multiple of 4.
    pub const fn find(encoding: &SparseEncoding, dim: usize, local: usize) -> Option<Self> {
        let levels = encoding.levels();
        let mut level = 0;
        while level < levels.len() {
            if let LevelExpr::Part { form, div, modulus } = levels[level].expr {
                let group = match (modulus, levels[level].format) {
                    (Some(size), _) | (None, LevelFormat::Structured { m: size, .. }) => size,
                    (None, _) => 1,
                };
                let unit = div.saturating_mul(group) as u128;
                let coefficient = form.coefficients[dim].unsigned_abs() as u128;
                let block = unit / gcd(unit, coefficient);
                if coefficient != 0 && !(local as u128).is_multiple_of(block) {
                    return Some(Self { dim, local, level, block: block as usize });
                }
            }
            level += 1;
        }
        None
    }

    /// What is wrong, and what to write instead. `parts` is the number of shards along the dimension.
    pub const fn message(&self, parts: usize) -> Text {
        let Self { dim, local, level, block } = *self;
        let text = Text::new().str("shards of ").num(local).str(" along dimension ").num(dim);
        let text = text.str(" cut the blocks of ").num(block).str(" that level ").num(level);
        let text = text.str(" of the encoding stores");
        let size = local.div_ceil(block).saturating_mul(block).saturating_mul(parts);
        text.str("; use a size of ").num(size).str(", or split the dimension into fewer parts")
    }
}

/// The greatest common divisor; `a` if `b` is 0.
const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::CutBlock;

    fn block(encoding: &str, dim: usize, local: usize) -> Option<usize> {
        CutBlock::find(&encoding.parse().unwrap(), dim, local).map(|cut| cut.block)
    }

    #[test]
    fn only_whole_blocks_can_be_split() {
        let csr = "(i, j) -> (i : dense, j : compressed)";
        assert_eq!(block(csr, 0, 7), None);
        assert_eq!(block(csr, 1, 1), None);
        let bsr = "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)";
        assert_eq!(block(bsr, 0, 3), Some(2));
        assert_eq!(block(bsr, 0, 4), None);
        assert_eq!(block(bsr, 1, 4), Some(3));
        assert_eq!(block(bsr, 1, 9), None);
        let nested =
            "(i) -> (i floordiv 4 : compressed, i floordiv 2 mod 2 : compressed, i mod 2 : dense)";
        assert_eq!(block(nested, 0, 2), Some(4));
        assert_eq!(block(nested, 0, 8), None);
        assert_eq!(block("(i, j) -> (i : dense, j : structured[2, 4])", 1, 6), Some(4));
        assert_eq!(
            block("(i, j) -> (i mod 2 : dense, i floordiv 2 : compressed, j : compressed)", 0, 3),
            Some(2)
        );
    }

    #[test]
    fn a_diagonal_can_be_split_anywhere_and_a_linear_index_where_its_blocks_end() {
        assert_eq!(block("(i, j) -> (j - i : compressed, i : range)", 0, 3), None);
        let linear = "(i, j) -> ((i * 6 + j) floordiv 4 : compressed, (i * 6 + j) mod 4 : dense)";
        assert_eq!(block(linear, 0, 1), Some(2));
        assert_eq!(block(linear, 0, 2), None);
        assert_eq!(block(linear, 1, 2), Some(4));
    }

    #[test]
    fn the_message_says_which_size_fits() {
        let bsr = "(i) -> (i floordiv 4 : compressed, i mod 4 : dense)".parse().unwrap();
        let cut = CutBlock::find(&bsr, 0, 6).unwrap();
        assert_eq!(
            cut.message(8).as_str(),
            "shards of 6 along dimension 0 cut the blocks of 4 that level 0 of the encoding stores; use a size of 64, or split the dimension into fewer parts",
        );
    }
}
