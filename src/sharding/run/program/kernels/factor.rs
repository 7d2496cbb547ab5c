//! The operands of a product as batches of matrices, which the kernels of packed arrays read in place.

use crate::compute::DotDimensionNumbers;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::tiled::{Draft, List, Tile, TiledSpec};

/// The largest number of rows for which a product takes about as long as reading its right operand, so that the order of the
/// elements of this operand matters.
const FEW_ROWS: usize = 64;

/// The smallest number of elements of an operand that is kept in another order.
const KEPT: usize = 1 << 12;

/// A product of row-major arrays of these sizes.
pub(super) struct Product {
    pub(super) a: Vec<usize>,
    pub(super) b: Vec<usize>,
    pub(super) c: Vec<usize>,
    batch: [Vec<usize>; 2],
    contracting: [Vec<usize>; 2],
    right: Option<Right>,
}

/// The right operand of a product as a batch of matrices.
struct Right {
    /// Its dimensions: the batch, if there is one, the inner dimension, and the columns.
    at: [Option<usize>; 3],
    /// The number of rows of the left operand.
    rows: usize,
}

impl Product {
    /// The product of two arrays, as a product of matrices if their dimensions allow that.
    pub(super) fn of(
        a: &[usize],
        b: &[usize],
        c: &[usize],
        numbers: &DotDimensionNumbers<'_>,
    ) -> Self {
        Self::of_matrices(a, b, numbers).unwrap_or_else(|| Self {
            a: a.to_vec(),
            b: b.to_vec(),
            c: c.to_vec(),
            batch: [numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions]
                .map(<[usize]>::to_vec),
            contracting: [numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions]
                .map(<[usize]>::to_vec),
            right: None,
        })
    }

    fn of_matrices(a: &[usize], b: &[usize], numbers: &DotDimensionNumbers<'_>) -> Option<Self> {
        let (batch, inner) = (numbers.lhs_batching_dimensions, numbers.lhs_contracting_dimensions);
        let a = Merged::of(a, [batch, &free(a, batch, inner), inner])?;
        let (batch, inner) = (numbers.rhs_batching_dimensions, numbers.rhs_contracting_dimensions);
        let b = Merged::of(b, [batch, inner, &free(b, batch, inner)])?;
        let ([batch, rows, inner], [_, _, columns]) = (a.sizes(), b.sizes());
        let c = if a.at[0].is_some() { vec![batch, rows, columns] } else { vec![rows, columns] };
        let list = |dim: Option<usize>| dim.into_iter().collect();
        Some(Self {
            batch: [a.at[0], b.at[0]].map(list),
            contracting: [a.at[2], b.at[1]].map(list),
            right: Some(Right { at: b.at, rows }).filter(|_| inner > 1 && columns > 1),
            a: a.dims,
            b: b.dims,
            c,
        })
    }

    pub(super) fn numbers(&self) -> DotDimensionNumbers<'_> {
        let ([a_batch, b_batch], [a_inner, b_inner]) = (&self.batch, &self.contracting);
        DotDimensionNumbers {
            lhs_batching_dimensions: a_batch,
            rhs_batching_dimensions: b_batch,
            lhs_contracting_dimensions: a_inner,
            rhs_contracting_dimensions: b_inner,
        }
    }

    /// Whether the sizes of paired dimensions agree, and the result has `count` elements.
    pub(super) fn fits(&self, count: usize) -> bool {
        let agrees = |[left, right]: &[Vec<usize>; 2]| {
            let sizes = |dims: &[usize], of: &[usize]| -> Vec<usize> {
                of.iter().map(|dim| dims[*dim]).collect()
            };
            sizes(&self.a, left) == sizes(&self.b, right)
        };
        agrees(&self.batch)
            && agrees(&self.contracting)
            && self.c.iter().product::<usize>() == count
    }

    /// The layout in which the kernels read the right operand fastest; `None` if they already do, or if a copy in it would save
    /// little. An operand whose columns are contiguous would be copied by each product. Pairs of `bf16` and groups of four `s8`
    /// from a column are multiplied together, and a product with few rows would spend most of its time assembling them.
    pub(super) fn form(&self, [left, dtype]: [DType; 2]) -> Option<TiledSpec> {
        let Right { at: [batch, Some(inner), Some(columns)], rows } = *self.right.as_ref()? else {
            return None;
        };
        let (width, sizes) = (dtype.byte_width(), [self.b[inner], self.b[columns]]);
        let has_pairs = left == dtype && matches!(dtype, DType::BF16 | DType::S8);
        let is_paired = has_pairs && rows <= FEW_ROWS && sizes[0] >= 8 && sizes[1] >= 128;
        let is_small = self.b.iter().product::<usize>() < KEPT;
        if is_small || !is_paired && inner < columns {
            return None;
        }
        let order = [Some(columns), Some(inner), batch];
        let order: Vec<_> = order.into_iter().flatten().collect();
        let mut draft = Draft::untiled(dtype, List::of(&self.b)?, List::of(&order)?);
        if is_paired {
            for tile in [[8, 128], [4 / width, 1]] {
                draft.tiles = draft.tiles.push(Tile::of(&tile)?).ok()?;
            }
        }
        draft.validate().ok()
    }
}

/// The dimensions of an operand that are neither in the batch nor summed over.
fn free(dims: &[usize], batch: &[usize], contracting: &[usize]) -> Vec<usize> {
    (0..dims.len()).filter(|dim| !batch.contains(dim) && !contracting.contains(dim)).collect()
}

/// An array whose dimensions are merged by their roles: the batch, the rows and the columns of its matrices.
struct Merged {
    /// The sizes, in the order of storage.
    dims: Vec<usize>,
    /// The dimension of each role; `None` for a batch of one matrix.
    at: [Option<usize>; 3],
}

impl Merged {
    /// Merges the dimensions of each role; `None` unless they follow each other in storage, in this order.
    fn of(dims: &[usize], roles: [&[usize]; 3]) -> Option<Self> {
        // A dimension of size 1 does not separate its neighbours.
        let before = |dim: usize| dims[..dim].iter().filter(|size| **size != 1).count();
        let starts = roles.map(|role| {
            let real: Vec<_> =
                role.iter().filter(|dim| dims[**dim] != 1).map(|dim| before(*dim)).collect();
            let follows = real.windows(2).all(|pair| pair[1] == pair[0] + 1);
            follows.then(|| real.first().copied())
        });
        let [Some(batch), Some(rows), Some(columns)] = starts else { return None };
        // If there are no rows, they come first; if there are no columns, they come last.
        let keys = [batch, Some(rows.unwrap_or(0)), Some(columns.unwrap_or(usize::MAX))];
        let mut order: Vec<usize> = (0..3).filter(|role| keys[*role].is_some()).collect();
        order.sort_by_key(|role| keys[*role]);
        let size = |role: usize| roles[role].iter().map(|dim| dims[*dim]).product();
        Some(Self {
            dims: order.iter().map(|role| size(*role)).collect(),
            at: [0, 1, 2].map(|role| order.iter().position(|other| *other == role)),
        })
    }

    /// The sizes of the roles.
    fn sizes(&self) -> [usize; 3] {
        self.at.map(|at| at.map_or(1, |at| self.dims[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::{Product, TiledSpec};
    use crate::compute::{DotDimensionNumbers, dot_general_bytes};
    use crate::element::{F32, HostValue};
    use crate::movement::DynLayout;
    use alloc::vec;
    use alloc::vec::Vec;
    use layout_core::dtype::DType;

    fn below(state: &mut u64, end: usize) -> usize {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 33) as usize % end
    }

    /// A random order of the dimensions of an operand, which are given as the numbers of labels.
    fn shuffled(state: &mut u64, mut labels: Vec<usize>) -> Vec<usize> {
        // Half of the time, the dimensions of a role stay together.
        if below(state, 2) == 0 {
            let by = below(state, labels.len() + 1);
            labels.rotate_left(by);
            return labels;
        }
        for at in (1..labels.len()).rev() {
            labels.swap(at, below(state, at + 1));
        }
        labels
    }

    fn bytes(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn multiply(product: &Product, a: &[f32], b: (&TiledSpec, &[u8]), count: usize) -> Vec<f32> {
        let [a_spec, c_spec] =
            [&product.a, &product.c].map(|dims| TiledSpec::row_major(DType::F32, dims).unwrap());
        let mut c = vec![0; count * 4];
        let (a, c_to) = ((&a_spec, &bytes(a)[..]), (&c_spec, &mut c[..]));
        dot_general_bytes::<F32>(a, b, &product.numbers(), c_to).unwrap();
        c.chunks_exact(4).map(f32::from_le).collect()
    }

    /// Integers, whose sums are exact, so that every order of summation gives the same result.
    #[test]
    fn products_of_random_dimensions_are_sums_over_labels() {
        let (mut state, mut merged, mut kept) = (1, 0, 0);
        for _ in 0..400 {
            let counts: [usize; 4] = core::array::from_fn(|_| below(&mut state, 3));
            let sizes: Vec<usize> =
                (0..counts.iter().sum()).map(|_| [1, 2, 3, 8, 17][below(&mut state, 5)]).collect();
            let mut first = 0;
            let [batch, inner, rows, columns] = counts.map(|count| {
                first += count;
                (first - count..first).collect::<Vec<usize>>()
            });
            let a = shuffled(&mut state, [&batch[..], &rows, &inner].concat());
            let b = shuffled(&mut state, [&batch[..], &inner, &columns].concat());
            let of = |labels: &[usize]| labels.iter().map(|at| sizes[*at]).collect::<Vec<_>>();
            let place = |all: &[usize], labels: &[usize]| -> Vec<usize> {
                labels.iter().filter_map(|at| all.iter().position(|own| own == at)).collect()
            };
            let free = |all: &[usize], labels: &[usize]| -> Vec<usize> {
                all.iter().copied().filter(|at| labels.contains(at)).collect()
            };
            let c = [batch.clone(), free(&a, &rows), free(&b, &columns)].concat();
            let lists = [(&a, &batch), (&b, &batch), (&a, &inner), (&b, &inner)]
                .map(|(all, labels)| place(all, labels));
            let numbers = DotDimensionNumbers {
                lhs_batching_dimensions: &lists[0],
                rhs_batching_dimensions: &lists[1],
                lhs_contracting_dimensions: &lists[2],
                rhs_contracting_dimensions: &lists[3],
            };
            let values = |labels: &[usize], from: usize| -> Vec<f32> {
                let count = of(labels).iter().product::<usize>();
                (0..count).map(|at| ((at * 7 + from) % 11) as f32 - 5.0).collect()
            };
            let (x, y) = (values(&a, 1), values(&b, 4));
            let count = of(&c).iter().product();
            if count * of(&inner).iter().product::<usize>() > 1 << 20 {
                continue;
            }
            let mut expected = vec![0.0; count];
            let mut index = vec![0; sizes.len()];
            loop {
                let at = |labels: &[usize]| {
                    labels.iter().fold(0, |at, label| at * sizes[*label] + index[*label])
                };
                expected[at(&c)] += x[at(&a)] * y[at(&b)];
                let Some(dim) = (0..sizes.len()).rev().find(|dim| index[*dim] + 1 < sizes[*dim])
                else {
                    break;
                };
                index[dim] += 1;
                index[dim + 1..].fill(0);
            }
            let product = Product::of(&of(&a), &of(&b), &of(&c), &numbers);
            assert!(product.fits(count) && !product.fits(count + 1));
            let b_spec = TiledSpec::row_major(DType::F32, &product.b).unwrap();
            assert_eq!(multiply(&product, &x, (&b_spec, &bytes(&y)), count), expected);
            merged += usize::from(product.right.is_some());
            if let Some(form) = product.form([DType::F32; 2]) {
                let mut packed = vec![0; form.storage_bytes()];
                b_spec.relayout_bytes(&bytes(&y), &form, &mut packed).unwrap();
                assert_eq!(multiply(&product, &x, (&form, &packed), count), expected);
                kept += 1;
            }
        }
        assert!(merged > 60 && kept > 2, "{merged} {kept}");
    }
}
