use super::tensor::SparseTensor;
use super::typed::{Encoded, Encoding};
use super::types::{Dense, Dim, Entries, Format, Level, Rank};
use layout_core::sparse::{Coordinate, Position};

macro_rules! segments {
    ($($outer:literal $inner:literal $name:ident $what:literal $example:literal;)*) => { $(
        impl<F, P, C, A, T> SparseTensor<Encoded<Rank<2>, (Level<Dim<$outer>, Dense>, Level<Dim<$inner>, F>), P, C, A>, T>
        where
            F: Format,
            P: Position,
            C: Coordinate,
            A: Entries,
            Encoded<Rank<2>, (Level<Dim<$outer>, Dense>, Level<Dim<$inner>, F>), P, C, A>: Encoding,
        {
            #[doc = $what]
            ///
            /// ```
            /// use tensor_layout::sparse::{SparseTensor, formats};
            #[doc = $example]
            /// ```
            ///
            /// # Panics
            /// If there is none of this number, as slice indexing does.
            #[inline]
            pub fn $name(&self, number: usize) -> impl Iterator<Item = (usize, &T)> + '_ {
                let (level, size) = (self.level::<1>(), self.level::<0>().size());
                assert!(number < size, "{} {number} is out of bounds of {size}", stringify!($name));
                let values = self.values();
                level.entries(level.below(number)).map(move |(position, other)| (other, &values[position]))
            }
        }
    )* };
}
segments! {
    0 1 row "The stored entries of a row, each as its column and its value, in storage order."
        "let a = SparseTensor::<formats::Csr, f64>::from_dense([2, 3], &[1.0, 0.0, 2.0, 0.0, 3.0, 0.0]).unwrap();\nassert!(a.row(0).eq([(0, &1.0), (2, &2.0)]));";
    1 0 column "The stored entries of a column, each as its row and its value, in storage order."
        "let a = SparseTensor::<formats::Csc, f64>::from_dense([2, 3], &[1.0, 0.0, 2.0, 0.0, 3.0, 0.0]).unwrap();\nassert!(a.column(1).eq([(1, &3.0)]));";
}
