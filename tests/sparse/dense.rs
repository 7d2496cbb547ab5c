//! Tensors of row-major arrays, whole or pruned.

use proptest::prelude::*;
use tensor_layout::sparse::formats::{Coo, Csc, Csr};
use tensor_layout::sparse::{Duplicates, Encoding, SparseTensor};
use tensor_layout::sparse_encoding;

sparse_encoding! {
    type Dcsr = (i, j) -> (i : compressed, j : compressed);
    type Blocks = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense);
    type Batches = (i, j) -> (i : batch, j : compressed);
    type Linear = (i, j) -> (i : compressed(nonunique), j : singleton(soa));
    // The elements of a group follow one another, also row by row.
    type ByRows = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]);
    // The same, but four rows are stored together.
    type ByFourRows = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : dense, i mod 4 : dense, j mod 4 : structured[2, 4]);
    // The elements of a group are in different rows.
    type ByColumns = (i, j) -> (j : dense, i floordiv 4 : dense, i mod 4 : structured[2, 4]);
    // They are apart, but have the same first coordinate.
    type ByMiddle = (i, j, k) -> (i : dense, j floordiv 4 : dense, k : dense, j mod 4 : structured[2, 4]);
}

/// The nonzero values with their indices, in row-major order.
fn entries(shape: [usize; 2], dense: &[f32]) -> Vec<([usize; 2], f32)> {
    let index = |at: usize| [at / shape[1], at % shape[1]];
    let nonzero = dense.iter().enumerate().filter(|(_, value)| **value != 0.0);
    nonzero.map(|(at, value)| (index(at), *value)).collect()
}

fn whole<E: Encoding<Index = [usize; 2]>>(shape: [usize; 2], dense: &[f32]) {
    let built = SparseTensor::<E, f32>::from_dense(shape, dense).expect("it fits");
    let listed = SparseTensor::from_coo(shape, &entries(shape, dense), Duplicates::Error);
    assert!(built == listed.expect("it fits"), "{} {shape:?} {dense:?}", E::SPEC);
}

/// Compares a pruned array with the two largest values of each group, found one by one.
fn pruned<E: Encoding, G: PartialEq>(
    shape: E::Index,
    dense: &[f32],
    group: impl Fn(E::Index) -> G,
) {
    let found = SparseTensor::<E, f32>::from_dense_pruned(shape, dense).expect("it fits");
    let found = found.to_dense().expect("memory");
    let index = |at: usize| {
        let (mut index, mut rest) = (E::Index::default(), at);
        for (x, size) in index.as_mut().iter_mut().zip(shape.as_ref()).rev() {
            (*x, rest) = (rest % size, rest / size);
        }
        index
    };
    for (at, x) in dense.iter().enumerate() {
        let larger = (0..dense.len()).filter(|other| {
            let y = dense[*other];
            let is_larger = y.abs() > x.abs() || y.abs() == x.abs() && *other < at;
            group(index(*other)) == group(index(at)) && is_larger
        });
        let expected = if larger.count() < 2 { *x } else { 0.0 };
        assert_eq!(found[at], expected, "{} {:?} {at} {dense:?}", E::SPEC, shape.as_ref());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_array_is_stored_whole_or_pruned(
        shape in (0..9usize, 0..9usize, 0..4usize),
        values in prop::collection::vec(prop_oneof![Just(0.0), (-3..4i8).prop_map(f32::from)], 300),
    ) {
        let (i, j, k) = shape;
        let dense = &values[..i * j];
        whole::<Csr>([i, j], dense);
        whole::<Csc>([i, j], dense);
        whole::<Coo>([i, j], dense);
        whole::<Dcsr>([i, j], dense);
        whole::<Blocks>([i, j], dense);
        whole::<Batches>([i, j], dense);
        whole::<Linear>([i, j], dense);
        pruned::<ByRows, _>([i, j], dense, |[i, j]| (i, j / 4));
        pruned::<ByFourRows, _>([i, j], dense, |[i, j]| (i, j / 4));
        pruned::<ByColumns, _>([i, j], dense, |[i, j]| (j, i / 4));
        pruned::<ByMiddle, _>([i, j, k], &values[..i * j * k], |[i, j, k]| (i, j / 4, k));
    }
}

#[test]
fn a_zero_keeps_its_sign() {
    fn check<E: Encoding<Index = [usize; 2]>>() {
        let tensor = SparseTensor::<E, f64>::from_coo([1, 2], &[([0, 1], -0.0)], Duplicates::Error);
        let dense = tensor.expect("a matrix").to_dense().expect("memory");
        assert!(dense[0].is_sign_positive() && dense[1].is_sign_negative(), "{}", E::SPEC);
    }
    check::<Csr>();
    check::<Blocks>();
}
