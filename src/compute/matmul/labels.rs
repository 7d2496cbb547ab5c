//! The dimensions of two operands and of their product that are the same, by labels, as in `bqd,bkd->bqk`.

use crate::typed::sizes::assert_same_sizes;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::{List, TiledSpec};

/// The label of each dimension of an array.
pub(super) type Labelled = List<u8, MAX_RANK>;

/// The letters of the dimensions of a product, which [`einsum!`](crate::einsum!) reads from its text.
///
/// A label of all three arrays is a batch dimension. A label of only the operands is summed over, and a label of one operand
/// and the product is free. All dimensions of batches of matrices but the last two are batch dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Labels {
    pub(super) a: Labelled,
    pub(super) b: Labelled,
    pub(super) c: Labelled,
    /// The labels of batch dimensions, in the order of the product.
    pub(super) batch: Labelled,
}

/// The layout and the sizes of an operand.
#[derive(Clone, Copy)]
pub(super) struct Sized<'a> {
    pub(super) spec: &'a TiledSpec,
    pub(super) sizes: &'a [usize],
}

/// The label of the rows of matrices.
const ROW: u8 = u8::MAX;
/// The label of their inner dimension.
const INNER: u8 = u8::MAX - 1;
/// The label of their columns.
const COLUMN: u8 = u8::MAX - 2;

impl Labels {
    /// The labels of texts such as `bqd`, `bkd` and `bqk`, which must have been checked.
    pub const fn new(a: &[u8], b: &[u8], c: &[u8]) -> Self {
        let (a, b, c) = (list(a), list(b), list(c));
        let (mut batch, mut i) = (List::new(0), 0);
        while i < c.len() {
            let label = c.as_slice()[i];
            if position(&a, label).is_some() && position(&b, label).is_some() {
                batch = pushed(batch, label);
            }
            i += 1;
        }
        Self { a, b, c, batch }
    }

    /// The labels of the product with the operands exchanged.
    pub(super) const fn exchanged(self) -> Self {
        Self { a: self.b, b: self.a, ..self }
    }

    /// Whether the most minor dimension of the product belongs only to the first operand.
    pub(super) const fn is_column_major(&self, product: &TiledSpec) -> bool {
        let [minor, ..] = product.minor_to_major() else { return false };
        let label = self.c.as_slice()[*minor];
        position(&self.a, label).is_some() && position(&self.b, label).is_none()
    }

    /// The labels of products of matrices, in batches if there are more than two dimensions.
    pub(super) const fn of_matrices(a_rank: usize, b_rank: usize) -> Self {
        let rank = if a_rank > b_rank { a_rank } else { b_rank };
        Self {
            a: matrix(a_rank, ROW, INNER),
            b: matrix(b_rank, INNER, COLUMN),
            c: matrix(rank, ROW, COLUMN),
            batch: leading(rank),
        }
    }

    /// The number of indices of a label, according to the operands. In the batch, an operand of size 1 is paired with all
    /// indices of the other.
    ///
    /// # Panics
    /// If it is a bounded dimension of both operands, with different sizes.
    #[track_caller]
    pub(super) fn size(&self, label: u8, a: Sized<'_>, b: Sized<'_>) -> usize {
        let of = |labels: &Labelled, operand: Sized<'_>| {
            let dim = position(labels, label)?;
            let bounded = operand.spec.draft().bounded >> dim & 1 == 1;
            Some((operand.spec.dims()[dim], operand.sizes[dim], bounded))
        };
        match (of(&self.a, a), of(&self.b, b)) {
            (Some((1, one, _)), Some((bound, size, _)))
            | (Some((bound, size, _)), Some((1, one, _)))
                if bound != 1 =>
            {
                // The current size of a dimension of bound 1 can be 0: there is then nothing to pair.
                size * one
            }
            (Some((_, a, a_bounded)), Some((_, b, b_bounded))) => {
                if a_bounded && b_bounded {
                    assert_same_sizes(&[a], &[b]);
                }
                a.min(b)
            }
            (Some((_, size, _)), None) | (None, Some((_, size, _))) => size,
            (None, None) => 1,
        }
    }

    /// The sizes of the dimensions of an array, according to the operands; a batch dimension of size 1 keeps that size.
    #[track_caller]
    pub(super) fn sizes(
        &self,
        labels: &Labelled,
        dims: &[usize],
        a: Sized<'_>,
        b: Sized<'_>,
    ) -> [usize; MAX_RANK] {
        let mut sizes = [1; MAX_RANK];
        for ((size, label), dim) in sizes.iter_mut().zip(labels.as_slice()).zip(dims) {
            *size = self.size(*label, a, b).min(*dim);
        }
        sizes
    }
}

/// The dimension of an array that has this label.
pub(super) const fn position(labels: &Labelled, label: u8) -> Option<usize> {
    let mut dim = 0;
    while dim < labels.len() {
        if labels.as_slice()[dim] == label {
            return Some(dim);
        }
        dim += 1;
    }
    None
}

const fn list(labels: &[u8]) -> Labelled {
    let mut list = List::new(0);
    let mut i = 0;
    while i < labels.len() {
        list = pushed(list, labels[i]);
        i += 1;
    }
    list
}

pub(super) const fn pushed<T: Copy>(list: List<T, MAX_RANK>, item: T) -> List<T, MAX_RANK> {
    match list.push(item) {
        Ok(list) => list,
        Err(_) => panic!("an array has 16 dimensions at most"),
    }
}

/// The labels of a batch of matrices.
const fn matrix(rank: usize, row: u8, column: u8) -> Labelled {
    pushed(pushed(leading(rank), row), column)
}

/// The labels of the batch dimensions, which are 0, 1, 2 and so on.
const fn leading(rank: usize) -> Labelled {
    let mut labels = List::new(0);
    while labels.len() + 2 < rank {
        labels = pushed(labels, labels.len() as u8);
    }
    labels
}
