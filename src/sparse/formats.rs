//! The formats of matrices that other crates have too, as types.

use super::typed::Encoded;
use super::types::{Compressed, Dense, Dim, Level, Nonunique, Rank, Singleton};

/// Compressed sparse rows: `(i, j) -> (i : dense, j : compressed)`.
pub type Csr<P = usize, C = usize> =
    Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, Compressed>), P, C>;

/// Compressed sparse columns: `(i, j) -> (j : dense, i : compressed)`.
pub type Csc<P = usize, C = usize> =
    Encoded<Rank<2>, (Level<Dim<1>, Dense>, Level<Dim<0>, Compressed>), P, C>;

/// Sorted entries: `(i, j) -> (i : compressed(nonunique), j : singleton)`.
pub type Coo<P = usize, C = usize> =
    Encoded<Rank<2>, (Level<Dim<0>, Nonunique<Compressed>>, Level<Dim<1>, Singleton>), P, C>;
