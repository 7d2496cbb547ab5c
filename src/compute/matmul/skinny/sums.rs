//! The sums of a product of few rows on their way to the result.

use super::super::grid::Word;
use super::super::panels::MAX_ROWS;
use super::SkinnyProduct;
use core::ops::Range;
use layout_core::dtype::DType;

impl SkinnyProduct<'_> {
    /// The number by which the sums of a row of `A` are too large if 128 is added to the elements of `B`. If `A` is unsigned, 128
    /// is subtracted instead.
    pub(super) fn excess<'w>(&self, row: impl Iterator<Item = &'w u32>) -> i32 {
        let elements = row.flat_map(|word| word.to_le_bytes());
        match self.plan.kernel.elements[0] {
            DType::U8 => elements
                .fold(0_i32, |sum, element| sum.wrapping_add(element.into()))
                .wrapping_mul(-128),
            _ => elements
                .fold(0_i32, |sum, element| sum.wrapping_add((element as i8).into()))
                .wrapping_mul(128),
        }
    }

    /// Writes the sums of some columns to `c`, after subtracting their excess.
    pub(super) fn write(
        &self,
        columns: Range<usize>,
        sums: &[Word],
        excess: &[i32; MAX_ROWS],
        c: &mut [Word],
    ) {
        let (grid, pitch) = (&self.product.c, self.pitch);
        let (sums, shift) = sums.split_at(self.rows * pitch);
        for (row, sums) in sums.chunks(pitch).take(self.product.a.rows).enumerate() {
            let mut column = columns.start;
            while column < columns.end {
                let run = grid.run(column, columns.end - column);
                let first = column - columns.start;
                let to = &mut c[grid.offset(row, column)..][..run];
                if self.product.adds {
                    add(self.plan.kernel.elements[0], to, &sums[first..][..run]);
                } else {
                    to.copy_from_slice(&sums[first..][..run]);
                }
                if self.shifts() {
                    for (to, shift) in to.iter_mut().zip(&shift[first..][..run]) {
                        let [sum, shift] = [*to, *shift].map(i32::from_le_bytes);
                        *to = sum.wrapping_sub(shift).to_le_bytes();
                    }
                }
                if let Some(&excess) = excess.get(row).filter(|excess| **excess != 0) {
                    for to in &mut *to {
                        *to = i32::from_le_bytes(*to).wrapping_sub(excess).to_le_bytes();
                    }
                }
                column += run;
            }
        }
    }
}

/// Adds sums; their type follows from the element type.
fn add(element: DType, to: &mut [Word], sums: &[Word]) {
    match element {
        DType::F64 => {
            let to = to.as_flattened_mut().as_chunks_mut::<8>().0;
            for (to, sum) in to.iter_mut().zip(sums.as_flattened().as_chunks().0) {
                *to = (f64::from_le_bytes(*to) + f64::from_le_bytes(*sum)).to_le_bytes();
            }
        }
        DType::S8 | DType::U8 | DType::S16 => {
            for (to, sum) in to.iter_mut().zip(sums) {
                let [a, b] = [*to, *sum].map(i32::from_le_bytes);
                *to = a.wrapping_add(b).to_le_bytes();
            }
        }
        _ => {
            for (to, sum) in to.iter_mut().zip(sums) {
                *to = (f32::from_le_bytes(*to) + f32::from_le_bytes(*sum)).to_le_bytes();
            }
        }
    }
}
