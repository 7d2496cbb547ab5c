//! Memory for the arrays of sparse tensors.

use crate::cpu::request_huge_pages;
use layout_core::sparse::storage::Memory;

/// Memory for arrays that are read and written in large parts: large arrays have huge pages.
pub(crate) const MEMORY: Memory = Memory::new(request_huge_pages);

#[cfg(all(test, feature = "std", target_os = "linux"))]
mod tests {
    use crate::cpu::is_requested;
    use crate::sparse::formats::{Coo, Csc, Csr};
    use crate::sparse::types::*;
    use crate::sparse::{Appender, Duplicates, Encoded, Encoding, SparseTensor};
    use std::vec::Vec;

    /// The number of entries of a matrix whose values take eight megabytes.
    const ENTRIES: usize = 1 << 20;

    /// Whether huge pages were requested for the middle of an array.
    fn is_large<T>(array: &[T]) -> bool {
        is_requested(array[array.len() / 2..].as_ptr().addr())
    }

    fn check<E: Encoding>(tensor: &SparseTensor<E, f64>, level: usize) {
        assert_eq!(tensor.number_of_entries(), ENTRIES);
        assert!(is_large(tensor.values()) && is_large(tensor.coordinates(level)), "{}", E::SPEC);
    }

    #[test]
    fn large_results_have_huge_pages() {
        let shape = [ENTRIES / 4; 2];
        let sorted: Vec<_> = (0..ENTRIES).map(|n| ([n / 4, n % 4 * 1000], 1.0)).collect();
        let reversed: Vec<_> = sorted.iter().rev().copied().collect();
        let rows = SparseTensor::<Csr, f64>::from_coo(shape, &sorted, Duplicates::Error).unwrap();
        check(&rows, 1);
        let list = SparseTensor::<Coo, f64>::from_coo(shape, &reversed, Duplicates::Error);
        check(&list.unwrap(), 0);
        check(&SparseTensor::<Csr, f64>::from_coo(shape, &reversed, Duplicates::Error).unwrap(), 1);
        check(&rows.convert::<Csc>().unwrap(), 1);
        check(&rows.convert::<Coo>().unwrap(), 0);
        type Pairs = Encoded<
            Rank<2>,
            (
                Level<Floordiv<Dim<0>, 2>, Dense>,
                Level<Floordiv<Dim<1>, 1>, Compressed>,
                Level<Mod<Dim<0>, 2>, Dense>,
                Level<Mod<Dim<1>, 1>, Dense>,
            ),
        >;
        let blocks = rows.convert::<Pairs>().unwrap();
        assert!(is_large(blocks.values()), "half as many coordinates");
        assert_eq!(blocks.convert::<Csr>().unwrap(), rows);
        let mut appender = Appender::<Csr, f64, 2>::new(shape).unwrap();
        for row in 0..shape[0] {
            let entries = (0..4).map(|n| n * 1000);
            let appended = appender.segment([row, 0], 4, |segment| {
                entries.clone().try_for_each(|column| segment.push(column, 1.0))
            });
            appended.unwrap();
        }
        check(&appender.finish().unwrap(), 1);
        let (upper, lower) = sorted.split_at(ENTRIES / 2);
        let [mut upper, lower] = [upper, lower].map(|part| {
            SparseTensor::<Csr, f64>::from_coo(shape, part, Duplicates::Error).unwrap()
        });
        upper.merge(lower, |a, b| a + b).unwrap();
        assert_eq!(upper, rows);
        check(&upper, 1);
    }
}
