//! The time of reading memory once.

use super::race::Runner;
use std::hint::black_box;
use tensor_layout::{DynLayout, TiledSpec, U64};

/// The time of reading this number of bytes, which is the limit of a product of one row. They are in memory of the library, with huge
/// pages, as its arrays are.
pub(crate) fn read<'a>(bytes: usize) -> Runner<'a> {
    let words = bytes.div_ceil(8);
    let spec: TiledSpec = format!("u64[{words}]").parse().expect("a layout");
    let b = spec.unpack::<U64>(&vec![1; 8 * words]).expect("enough memory");
    let run = move || {
        // The number of independent sums.
        let mut sums = [0_u64; 32];
        for chunk in black_box(&b).as_chunks::<32>().0 {
            for (sum, x) in sums.iter_mut().zip(chunk) {
                *sum ^= x;
            }
        }
        black_box(sums);
    };
    ("reading B".to_owned(), Box::new(run))
}
