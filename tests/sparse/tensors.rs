//! Operations on tensors beyond access to their arrays: insertion, pruning, slices, packed blocks.

use crate::encodings::*;
use proptest::prelude::*;
use tensor_layout::half::{bf16, f16};
use tensor_layout::num_complex::Complex;
use tensor_layout::sparse::{
    BlockTensor, BuildError, Duplicates, Inserter, SliceRange, SparseElement, SparseTensor,
};
use tensor_layout::{Packed, sparse_encoding, tiled};

#[test]
fn insertion_in_order_and_in_any_order() {
    let mut inserter: Inserter<Csc, i64> = SparseTensor::inserter([3, 3]);
    for (index, value) in [([2, 0], 1), ([0, 1], 2), ([1, 1], 3)] {
        inserter.insert(index, value).expect("in order");
    }
    let error = inserter.insert([0, 0], 4).unwrap_err();
    assert_eq!(error, BuildError::Order { entry: 3, index: vec![0, 0] });
    assert!(inserter.insert_any([0, 3], 4).is_err());
    inserter.insert_any([0, 0], 4).expect("in any order");
    assert_eq!(inserter.len(), 4);
    let tensor = inserter.finish(Duplicates::Error).expect("a matrix");
    assert_eq!((tensor.positions(1), tensor.values()), (&[0, 2, 4, 4][..], &[4, 1, 2, 3][..]));
    let more =
        tensor.with_entries(&[([2, 2], 5), ([2, 0], 10)], Duplicates::Sum).expect("a matrix");
    assert_eq!(more.values(), [4, 11, 2, 3, 5]);
    // Entry 4 is the first that is added.
    let outside = tensor.with_entries(&[([2, 3], 1)], Duplicates::Sum);
    assert!(matches!(outside, Err(BuildError::OutOfBounds { entry: 4, .. })));
    let listed = tensor.convert::<SortedCoo>().expect("a matrix");
    assert!(listed.with_entries(&[([3, 0], 1)], Duplicates::Sum).is_err());
    let longer = listed.with_entries(&[([2, 1], 1), ([2, 2], 5)], Duplicates::Error);
    assert_eq!(longer.expect("a matrix").values(), [4, 2, 3, 1, 1, 5]);
    let mut changed = more;
    *changed.get_mut([1, 1]).expect("a stored entry") = 7;
    assert_eq!((changed.get([1, 1]), changed.get_mut([1, 0])), (7, None));
}

#[test]
fn indices_out_of_bounds_are_not_multiplied() {
    let mut inserter: Inserter<Linear, i64> = SparseTensor::inserter([4, 16]);
    inserter.insert([0, 1], 1).expect("in order");
    let error = inserter.insert([usize::MAX, 1], 1).unwrap_err();
    assert!(matches!(error, BuildError::OutOfBounds { entry: 1, .. }));
    // Within bounds that no linearized level can have.
    let mut inserter: Inserter<Linear, i64> = SparseTensor::inserter([usize::MAX, 16]);
    assert!(matches!(inserter.insert([usize::MAX - 1, 1], 1), Err(BuildError::Shape(_))));
    assert!(matches!(inserter.insert_any([usize::MAX - 1, 1], 1), Err(BuildError::Shape(_))));
}

/// Prunes `dense` and compares the result with values kept one by one: the `n` largest of each group, the first ones if equal.
fn prune<E, T>(dense: &[T], n: usize, m: usize, larger: impl Fn(T, T) -> bool)
where
    E: tensor_layout::sparse::Encoding<Index = [usize; 1]>,
    T: SparseElement,
{
    let pruned = SparseTensor::<E, T>::from_dense_pruned([dense.len()], dense).expect("a vector");
    let found = pruned.to_dense().expect("memory");
    for (group, found) in dense.chunks(m).zip(found.chunks(m)) {
        let kept = |at: usize| {
            let before = |other: &usize| {
                larger(group[*other], group[at])
                    || (*other < at && !larger(group[at], group[*other]))
            };
            (0..group.len()).filter(before).count() < n
        };
        for at in 0..group.len() {
            // Zeros are not stored, and then have no sign.
            let stored = kept(at) && !group[at].is_zero();
            let expected = if stored { group[at] } else { T::ZERO };
            assert_eq!(format!("{:?}", found[at]), format!("{expected:?}"), "{group:?}");
        }
    }
}

sparse_encoding! {
    type TwoOfFour = (i) -> (i floordiv 4 : dense, i mod 4 : structured[2, 4]);
    type TwoOf64 = (i) -> (i floordiv 64 : dense, i mod 64 : structured[2, 64]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_largest_values_are_kept(
        integers in prop::collection::vec(
            prop_oneof![any::<i64>(), (-2..3i64).prop_map(|x| x + (1 << 53)), Just(i64::MIN), Just(i64::MAX)], 128),
        floats in prop::collection::vec(
            prop_oneof![any::<f64>(), Just(f64::NAN), Just(-f64::NAN), Just(f64::INFINITY), (-3..4i32).prop_map(f64::from)], 128),
        numbers in prop::collection::vec(
            ((-99..99i32), (-99..99i32), prop_oneof![Just(0), Just(-500), Just(500)]), 128),
    ) {
        let larger = |a: i64, b: i64| i128::from(a).abs() > i128::from(b).abs();
        prune::<TwoOfFour, i64>(&integers, 2, 4, larger);
        prune::<TwoOf64, i64>(&integers, 2, 64, larger);
        let larger = |a: f64, b: f64| a.abs() > b.abs() || (a.is_nan() && !b.is_nan());
        prune::<TwoOfFour, f64>(&floats, 2, 4, larger);
        prune::<TwoOf64, f64>(&floats, 2, 64, larger);
        // Squares far below or far above every number.
        let scale = |(re, im, exponent)| {
            let scale = 2f64.powi(exponent);
            Complex::new(f64::from(re) * scale, f64::from(im) * scale)
        };
        let larger = |a: Complex<f64>, b: Complex<f64>| {
            let scaled = |x: Complex<f64>| [0, 1, 2].map(|at| {
                let unit = x * 2f64.powi(500 * (1 - at));
                if unit.re.abs() < 100.0 && unit.im.abs() < 100.0 { unit.norm_sqr() } else { f64::INFINITY }
            });
            scaled(a).into_iter().zip(scaled(b)).any(|(a, b)| a > b)
        };
        let numbers: Vec<_> = numbers.into_iter().map(scale).collect();
        prune::<TwoOfFour, Complex<f64>>(&numbers, 2, 4, larger);
        prune::<TwoOf64, Complex<f64>>(&numbers, 2, 64, larger);
    }
}

#[test]
fn two_of_four_by_magnitude_or_by_check() {
    let dense: Vec<f32> = vec![1.0, -4.0, 2.0, 3.0, 0.0, 5.0, 0.0, 0.0];
    let error = SparseTensor::<Nv24, f32>::from_dense([1, 8], &dense).unwrap_err();
    assert_eq!(
        error.to_string(),
        "level 2: entry 2 is one too many: 2 of 4 coordinates can be stored"
    );
    let pruned = SparseTensor::<Nv24, f32>::from_dense_pruned([1, 8], &dense).expect("a matrix");
    assert_eq!(pruned.to_dense().expect("memory"), [0.0, -4.0, 0.0, 3.0, 0.0, 5.0, 0.0, 0.0]);
    // Two bits each: 1, 3, and 0, 1, of which the first is padding.
    assert_eq!(pruned.coordinates(2), [0b01_00_11_01]);
    assert_eq!(pruned.values(), [-4.0, 3.0, 0.0, 5.0]);
    // In a block that the dimension does not fill, the part outside is padding.
    let ragged = SparseTensor::<Nv24, f32>::from_dense([1, 6], &[0.0, 1.0, 0.0, 2.0, 0.0, 3.0]);
    let ragged = ragged.expect("a matrix");
    assert_eq!(ragged.to_dense().expect("memory"), [0.0, 1.0, 0.0, 2.0, 0.0, 3.0]);
}

#[test]
fn widths_that_do_not_suffice_are_errors() {
    sparse_encoding! {
        type Narrow = (i, j) -> (i : dense, j : compressed), posWidth = 8, crdWidth = 16;
    }
    let entries: Vec<_> = (0..300).map(|j| ([0, j], 1.0f64)).collect();
    let error = SparseTensor::<Narrow, f64>::from_coo([1, 300], &entries, Duplicates::Error);
    assert_eq!(error.unwrap_err().to_string(), "level 1: position 300 does not fit 8 bits");
    let error = SparseTensor::<Dcsc, f64>::from_coo([300, 2], &[], Duplicates::Error).unwrap_err();
    assert_eq!(
        error.to_string(),
        "coordinates of 8 bits cannot hold those of this level, which go up to 299"
    );
    sparse_encoding! { type Diagonals = (i, j) -> (j - i : compressed, i : range), crdWidth = 8; }
    let error = SparseTensor::<Diagonals, f64>::from_coo([300, 1], &[], Duplicates::Error);
    assert_eq!(
        error.unwrap_err().to_string(),
        "coordinates of 8 bits cannot hold those of this level, which go down to -299"
    );
    let error = SparseTensor::<Linear, f64>::from_coo([3, 17], &[], Duplicates::Error).unwrap_err();
    assert_eq!(
        error.to_string(),
        "this level distinguishes 16 values of `d1`, but the dimension has size 17"
    );
    let error = SparseTensor::<Csr, f64>::from_coo([2, 2], &[([0, 2], 1.0)], Duplicates::Error);
    assert_eq!(
        error.unwrap_err().to_string(),
        "entry 0 at [0, 2] is out of bounds of the array of shape [2, 2]"
    );
    let error = SparseTensor::<Dense, f64>::from_coo([1 << 40, 1 << 40], &[], Duplicates::Error);
    assert!(matches!(error, Err(BuildError::OutOfMemory { .. })));
    let error = SparseTensor::<Csr, f64>::from_dense([2, 2], &[1.0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "the array has 3 elements, but its shape says 4");
}

#[test]
fn blocks_must_divide_where_the_encoding_says_so() {
    sparse_encoding! {
        type Exact = (i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense), padded = false;
    }
    let entries = [([4, 0], 1)];
    assert_eq!(
        SparseTensor::<Exact, i32>::from_coo([5, 3], &entries, Duplicates::Error)
            .unwrap_err()
            .to_string(),
        "blocks of 2 do not divide `d0`, which has size 5, and the encoding is not padded"
    );
    let padded = SparseTensor::<Mixed, i32>::from_coo([5, 3], &entries, Duplicates::Error);
    let padded = padded.expect("a matrix");
    assert_eq!((padded.level_sizes(), padded.values()), (vec![3, 3, 2], &[1, 0][..]));
    assert_eq!(padded.to_coo(), entries);
}

#[test]
fn slices_are_views() {
    let entries: Vec<_> = (0..64).filter(|n| n % 3 != 0).map(|n| ([n / 16, n % 16], n)).collect();
    let parent = SparseTensor::<Csr, u64>::from_coo(
        [4, 16],
        &entries.iter().map(|(index, n)| (*index, *n as u64)).collect::<Vec<_>>(),
        Duplicates::Error,
    )
    .expect("a matrix");
    let ranges = |stride| {
        [SliceRange { offset: 0, size: 4, stride: 1 }, SliceRange { offset: 0, size: 8, stride }]
    };
    let slice = parent.slice_as::<CsrSlice>(&ranges(2)).expect("a slice");
    assert_eq!(slice.shape(), [4, 8]);
    for i in 0..4 {
        for j in 0..8 {
            assert_eq!(slice.get([i, j]), parent.get([i, 2 * j]));
        }
    }
    let own = slice.to_tensor::<Dcsc>().expect("a matrix");
    assert!(own.to_coo().iter().all(|([i, j], value)| parent.get([*i, 2 * j]) == *value));
    assert_eq!(own.number_of_entries(), slice.to_coo().len());
    let error = parent.slice_as::<CsrSlice>(&ranges(3)).err().expect("out of bounds").to_string();
    assert_eq!(error, "dimension 1: a slice of 8 from 0 with stride 3 is not within 16");
    let other = [SliceRange { offset: 0, size: 3, stride: 1 }, ranges(1)[1]];
    let error = parent.slice_as::<CsrSlice>(&other).err().expect("another size").to_string();
    assert_eq!(error, "dimension 0: the encoding says size 4, not 3");
    let huge = [SliceRange { offset: 1, size: usize::MAX, stride: usize::MAX }, ranges(1)[1]];
    assert!(parent.slice(&huge).is_err());
    let owned = SparseTensor::<CsrSlice, f32>::from_coo([4, 8], &[], Duplicates::Error);
    assert_eq!(owned.unwrap_err(), BuildError::Slice);
}

#[test]
fn a_block_level_holds_tiles() {
    type Blocks = sparse_encoding!((i, j) -> (i floordiv 8 : dense, j floordiv 128 : compressed, i mod 8 : dense, j mod 128 : dense));
    type Tile = tiled!(bf16[8,128]{1,0:T(8,128)(2,1)});
    type Weights = BlockTensor<Blocks, Tile>;

    let value = |i: usize, j: usize| bf16::from_f32((i * 7 + j % 11) as f32);
    let indices = [[3, 5], [9, 300], [9, 301], [15, 383]];
    let entries = indices.map(|[i, j]| ([i, j], value(i, j)));
    let sparse = SparseTensor::<Blocks, bf16>::from_coo([16, 384], &entries, Duplicates::Error);
    let sparse = sparse.expect("a matrix");
    let weights = Weights::pack(&sparse).expect("packed blocks");
    assert_eq!((weights.positions(1), weights.coordinates(1)), (&[0, 1, 2][..], &[0, 2][..]));
    assert_eq!(weights.blocks().len(), 2);
    let block: &Packed<Tile> = weights.block(1);
    assert_eq!((block.get([1, 300 - 256]), block.get([7, 127])), (value(9, 300), value(15, 383)));
    assert_eq!(block.as_bytes().as_ptr().addr() % 64, 0);
    let direct = Tile::pack(&sparse.values()[1024..]).expect("a packed block");
    assert_eq!(block.as_bytes(), direct.as_bytes());
    assert_eq!(weights.unpack(), sparse);
}

#[test]
fn all_element_types() {
    fn check<T: SparseElement>(values: [T; 2], text: &str) {
        let dense = [values[0], T::ZERO, T::ZERO, values[1]];
        let matrix = SparseTensor::<Dcsr, T>::from_dense([2, 2], &dense).expect("a matrix");
        assert_eq!(matrix.values(), values);
        assert_eq!(matrix.to_dense().expect("memory"), dense);
        let printed = matrix.to_string();
        let last = printed.lines().rev().nth(1).expect("the line of the values");
        assert_eq!(last, format!("values : ( {text} )"));
    }
    check([bf16::ONE, bf16::NEG_ONE], "1, -1");
    check([f16::ONE, f16::MIN], "1, -65504");
    check([1.5f32, -2.0], "1.5, -2");
    check([1.5f64, -2.0], "1.5, -2");
    check([1i8, -2], "1, -2");
    check([1i16, -2], "1, -2");
    check([1i32, -2], "1, -2");
    check([1i64, -2], "1, -2");
    check([Complex::new(511.13f32, 2.0), Complex::new(1.0, 0.0)], "( 511.13, 2 ), ( 1, 0 )");
    check([Complex::new(5.0f64, 4.0), Complex::new(8.0, 6.0)], "( 5, 4 ), ( 8, 6 )");
}
