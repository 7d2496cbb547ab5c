//! The time of reading memory once.

use super::race::Runner;
use std::hint::black_box;

/// The time of reading this number of bytes, which is the limit of a product of one row.
pub(crate) fn read<'a>(bytes: usize) -> Runner<'a> {
    let b = vec![1_u64; bytes.div_ceil(8)];
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
