//! Sparse encodings.

tensor_layout::layouts! {
    /// Rows of sorted columns.
    pub type Csr = sparse_encoding!((i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32);
    /// Blocks of 2 by 2.
    pub type Bsr = sparse_encoding!((i, j) -> (
        i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense
    ));
    /// Two of every four values, with two bits to say which.
    pub type TwoOfFour = sparse_encoding!((i, j) -> (
        i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]
    ), crdWidth = 2);
    /// Entries one after the other.
    pub type Coo = sparse_encoding!((i, j) -> (i : compressed(nonunique), j : singleton(soa)));
}
