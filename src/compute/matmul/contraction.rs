//! Products of arrays of any rank, as batches of products of matrices.

use super::entry;
use super::epilogue::Epilogue;
use super::labels::{Labelled, Labels, Sized, position, pushed};
use super::matrices::{Matrices, Roles, clear_past};
use super::micro_kernel::MicroKernel;
use super::small::Small;
use super::types::Sum;
use crate::movement::run_time::allocate;
use crate::movement::{DynLayout, PackError};
use alloc::vec::Vec;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::{List, TiledSpec};

/// The number of products of words from which threads share a batch.
#[cfg(feature = "parallel")]
const PARALLEL: usize = 1 << 20;

/// A product of arrays in two layouts, written in a third layout.
#[derive(Clone, Copy)]
pub(super) struct Contraction {
    pub(super) labels: Labels,
    a: Matrices,
    b: Matrices,
    c: Matrices,
    /// Each product of matrices, if it is small.
    small: Option<Small>,
}

/// An operand of a product.
#[derive(Clone, Copy)]
pub(super) struct Array<'a> {
    pub(super) spec: &'a TiledSpec,
    /// The sizes; only the first ones, one for each dimension, are used.
    pub(super) sizes: [usize; MAX_RANK],
    pub(super) bytes: &'a [u8],
}

impl<'a> Array<'a> {
    pub(super) fn new(spec: &'a TiledSpec, reached: &[usize], bytes: &'a [u8]) -> Self {
        let mut sizes = [0; MAX_RANK];
        sizes[..reached.len()].copy_from_slice(reached);
        Self { spec, sizes, bytes }
    }

    pub(super) fn sized(&self) -> Sized<'_> {
        Sized { spec: self.spec, sizes: &self.sizes[..self.spec.rank()] }
    }
}

/// The labels of a product by their role, in the order of the product or, for inner labels, of the first operand. In
/// `bqd,bkd->bqk`, `q` are the rows, `d` is the inner dimension and `k` are the columns; `b` is the batch.
struct Sorted {
    rows: Labelled,
    inner: Labelled,
    columns: Labelled,
}

const fn sorted(labels: &Labels) -> Sorted {
    let none = List::new(0);
    let (mut sorted, mut i) = (Sorted { rows: none, inner: none, columns: none }, 0);
    while i < labels.c.len() {
        let label = labels.c.as_slice()[i];
        if position(&labels.batch, label).is_some() {
        } else if position(&labels.a, label).is_some() {
            sorted.rows = pushed(sorted.rows, label);
        } else {
            sorted.columns = pushed(sorted.columns, label);
        }
        i += 1;
    }
    let mut i = 0;
    while i < labels.a.len() {
        let label = labels.a.as_slice()[i];
        if position(&labels.b, label).is_some() && position(&labels.c, label).is_none() {
            sorted.inner = pushed(sorted.inner, label);
        }
        i += 1;
    }
    sorted
}

impl Contraction {
    /// The product of arrays in two layouts, written in a third layout, from the labels of their dimensions.
    pub(super) const fn new(a: &TiledSpec, b: &TiledSpec, c: &TiledSpec, labels: Labels) -> Self {
        let Sorted { rows, inner, columns } = sorted(&labels);
        let batch = labels.batch;
        let a = Matrices::of(a, Roles::of(&labels.a, &batch, &rows, &inner));
        let b = Matrices::of(b, Roles::of(&labels.b, &batch, &inner, &columns));
        let c = Matrices::of(c, Roles::of(&labels.c, &batch, &rows, &columns));
        let small = Small::of(&a.matrix, &b.matrix, &c.matrix);
        Self { labels, a, b, c, small }
    }

    /// The matrices of an array with the dimensions of the product. If `copied`, each has its elements in rows.
    pub(super) const fn addend(labels: &Labels, spec: &TiledSpec, copied: bool) -> Matrices {
        let Sorted { rows, columns, .. } = sorted(labels);
        let roles = Roles::of(&labels.c, &labels.batch, &rows, &columns);
        if copied { Matrices::copied(spec, roles) } else { Matrices::of(spec, roles) }
    }

    /// Writes the product to `c` or, given `before`, adds it to `c` multiplied by `before`, as [`entry::multiply`] does: padding is
    /// then unchanged.
    ///
    /// # Errors
    /// If memory for copies and panels cannot be allocated. A part of `c` may then have been written.
    pub(super) fn run<S: Sum>(
        &self,
        a: Array<'_>,
        b: Array<'_>,
        (c_spec, c): (&TiledSpec, &mut [u8]),
        before: Option<f32>,
        epilogue: Option<&dyn Epilogue<S::Number>>,
    ) -> Result<(), PackError> {
        let labels = &self.labels;
        let sizes = |of, spec: &TiledSpec| labels.sizes(of, spec.dims(), a.sized(), b.sized());
        let (a_sizes, b_sizes) = (sizes(&labels.a, a.spec), sizes(&labels.b, b.spec));
        let c_sizes = sizes(&labels.c, c_spec);
        let c_sizes = &c_sizes[..c_spec.rank()];
        let (mut a_copy, mut b_copy) = (Vec::new(), Vec::new());
        let batch = Batch {
            contraction: self,
            kernel: MicroKernel::choose([a.spec.dtype(), b.spec.dtype()]),
            a: self.a.read(a.spec, &a_sizes[..a.spec.rank()], a.bytes, &mut a_copy)?,
            b: self.b.read(b.spec, &b_sizes[..b.spec.rank()], b.bytes, &mut b_copy)?,
            dims: {
                let [rows, inner] = self.a.reached(&a_sizes);
                [rows, inner, self.b.reached(&b_sizes)[1]]
            },
            batch: labels.sizes(&labels.batch, &[usize::MAX; MAX_RANK], a.sized(), b.sized()),
            before,
            epilogue,
        };
        let Some(layout) = &self.c.copy else { return batch.run::<S>(c) };
        let mut copy = allocate::<u8>(layout, layout.storage_bytes())?;
        if before.is_some() {
            c_spec.relayout_bytes(c, layout, &mut copy)?;
        }
        batch.run::<S>(&mut copy)?;
        if before.is_some() {
            let first = &[0; MAX_RANK][..c_spec.rank()];
            return layout.relayout_window_bytes((first, c_sizes), &copy, c_spec, c);
        }
        clear_past(layout, c_sizes, &mut copy);
        layout.relayout_bytes(&copy, c_spec, c)
    }
}

/// The products of a batch whose matrices are contiguous.
struct Batch<'a, N> {
    contraction: &'a Contraction,
    kernel: MicroKernel,
    a: &'a [u8],
    b: &'a [u8],
    /// The rows, the inner dimension and the columns of each product.
    dims: [usize; 3],
    /// The sizes of the batch dimensions.
    batch: [usize; MAX_RANK],
    before: Option<f32>,
    epilogue: Option<&'a dyn Epilogue<N>>,
}

impl<N: Sync> Batch<'_, N> {
    /// Computes all products.
    fn run<S: Sum<Number = N>>(&self, c: &mut [u8]) -> Result<(), PackError> {
        let each = self.contraction.c.bytes();
        if each == 0 {
            return Ok(());
        }
        #[cfg(feature = "parallel")]
        {
            let [rows, inner, columns] = self.dims;
            let products = rows.saturating_mul(inner).saturating_mul(columns);
            if c.len() > each && products.saturating_mul(c.len() / each) >= PARALLEL {
                use rayon::prelude::*;
                let chunks = c.par_chunks_exact_mut(each).enumerate();
                return chunks.try_for_each(|(number, c)| self.matrix::<S>(number, c));
            }
        }
        let mut chunks = c.chunks_exact_mut(each).enumerate();
        chunks.try_for_each(|(number, c)| self.matrix::<S>(number, c))
    }

    /// Computes one matrix, given its number in the memory of the product.
    fn matrix<S: Sum<Number = N>>(&self, number: usize, c: &mut [u8]) -> Result<(), PackError> {
        let Contraction { a, b, c: result, small, .. } = self.contraction;
        let mut index = [0; MAX_RANK];
        // The number of the matrix in a row-major batch.
        let mut at = 0;
        for ((index, size), &(bound, apart)) in
            index.iter_mut().zip(self.batch).zip(result.batch.as_slice())
        {
            *index = number.checked_div(apart).map_or(0, |index| index % bound);
            if *index >= size {
                // Past the end of a bounded dimension.
                if self.before.is_none() {
                    c.fill(0);
                }
                return Ok(());
            }
            at = at * size + *index;
        }
        let [a_bytes, b_bytes] = [(a, self.a), (b, self.b)].map(|(matrices, bytes)| {
            let each = matrices.bytes();
            &bytes[matrices.number(&index) * each..][..each]
        });
        let [rows, inner, columns] = self.dims;
        if let Some(small) = small
            && self.before.is_none()
            && self.epilogue.is_none()
            && a.matrix.dims() == [rows, inner]
            && b.matrix.dims() == [inner, columns]
        {
            small.multiply(a_bytes, b_bytes, c);
            return Ok(());
        }
        entry::multiply::<S>(
            self.kernel,
            self.dims,
            (&a.matrix, a_bytes),
            (&b.matrix, b_bytes),
            (&result.matrix, c),
            self.before,
            self.epilogue.map(|epilogue| (epilogue, at)),
        )
    }
}
