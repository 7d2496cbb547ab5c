//! Sparse tensors over a mesh: random entries compared with plain filters, and tensors that cannot be split.

use proptest::prelude::*;
use tensor_layout::draw::Draw;
use tensor_layout::sharding::{CutBlock, ShardedSparseLayout};
use tensor_layout::sparse::{BuildError, Duplicates, Encoding, SparseTensor, formats};
use tensor_layout::{mesh, sharded, sparse_encoding, sparse_tensor};

mesh! { Pod = ["x" = 2, "y" = 4] }
mesh! { Ring = ["x" = 2, "y" = 4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0] }

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Dcsc = (i, j) -> (j : compressed, i : compressed);
    type Coo = (i, j) -> (i : compressed(nonunique), j : singleton);
    type Bsr = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense);
    type Dia = (i, j) -> (j - i : compressed, i : range);
    type Ell = [c](i, j) -> (c * 24 * i : dense, i : dense, j : compressed);
    type Delta = (i, j) -> (i : dense, j : delta[2]);
    type Csf = (i, j, k) -> (i : compressed, j : compressed, k : compressed);
}

/// Scatters and gathers: each device must hold the entries of its slice.
fn check<L: ShardedSparseLayout<Value = f64>>(entries: &[(Index<L>, f64)]) {
    let shape = L::shards();
    let mut dims = Index::<L>::default();
    dims.as_mut().copy_from_slice(shape.dims());
    let whole = SparseTensor::<L::Encoding, f64>::from_coo(dims, entries, Duplicates::Sum);
    let whole = whole.expect("entries that fit");
    let locals = L::scatter(&whole).expect("shards that can be stored");
    assert_eq!(locals.len(), 8);
    for (position, local) in locals.iter().enumerate() {
        let device = shape.mesh().device_id(position);
        let slice = L::slice(device).expect("a device");
        assert_eq!(Some(local.shape()), L::local_shape(device));
        let at = |index: Index<L>| {
            let mut inside = index.as_ref().iter().zip(&slice);
            inside.all(|(x, range)| range.contains(x)).then_some(index)
        };
        let mut expected: Vec<_> = (whole.to_coo().into_iter())
            .filter_map(|(index, value)| Some((at(index)?.as_ref().to_vec(), value)))
            .collect();
        let global = |index| L::global(device, index).expect("an element of the tensor");
        let mut found: Vec<_> = (local.to_coo().into_iter())
            .map(|(index, value)| (global(index).as_ref().to_vec(), value))
            .collect();
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        found.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(found, expected, "device {device} of {}", L::SHARDING);
        for (index, _) in local.to_coo() {
            let (first, inner) = L::locate(global(index));
            assert_eq!((L::slice(first), inner), (Some(slice.clone()), index));
        }
    }
    assert_eq!(*L::gather(&locals).expect("a tensor"), whole);
}

type Index<L> = <<L as ShardedSparseLayout>::Encoding as Encoding>::Index;

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_device_has_the_entries_of_its_slice(
        list in prop::collection::vec((0..24_usize, 0..24_usize, 1..9_i32), 0..80),
    ) {
        let entries: Vec<_> = list.iter().map(|(i, j, value)| ([*i, *j], f64::from(*value))).collect();
        check::<sharded!(f64[24,24] Csr @ Pod [{"x", "y"}, {}])>(&entries);
        check::<sharded!(f64[24,24] Csr @ Ring [{"y"}, {"x"}])>(&entries);
        check::<sharded!(f64[24,24] formats::Csc<u32, u32> @ Pod [{}, {"y"}])>(&entries);
        check::<sharded!(f64[24,24] Dcsc @ Pod [{"y":(2)2}, {"y":(1)2, "x"}])>(&entries);
        check::<sharded!(f64[24,24] Coo @ Pod [{"y"}, {"x"}])>(&entries);
        check::<sharded!(f64[24,24] Bsr @ Pod [{"y"}, {"x"}])>(&entries);
        check::<sharded!(f64[24,24] Dia @ Pod [{"y"}, {"x"}])>(&entries);
        check::<sharded!(f64[24,24] Ell @ Pod [{"y"}, {"x"}])>(&entries);
        check::<sharded!(f64[24,24] Delta @ Pod [{"x"}, {"y"}])>(&entries);
        check::<sharded!(tensor<24x24xf64, #CSR> @ Pod [{"x"}, {}])>(&entries);
        let entries: Vec<_> = entries.iter().map(|([i, j], value)| ([i % 23, j % 17], *value)).collect();
        check::<sharded!(f64[23,17] Csr @ Pod [{"x", "y"}, {}], padded)>(&entries);
        check::<sharded!(f64[23,17] Coo @ Pod [{"y"}, {"x"}], padded)>(&entries);
        check::<sharded!(f64[23,17] Dia @ Pod [{"y"}, {"x"}], padded)>(&entries);
        let entries: Vec<_> = list.iter().map(|(i, j, value)| ([i % 8, j % 4, (i + j) % 6], f64::from(*value))).collect();
        check::<sharded!(f64[8,4,6] Csf @ Pod [{"y"}, {}, {"x"}])>(&entries);
    }
}

#[test]
fn entries_at_one_index_stay_apart() {
    sparse_encoding! { type Any = (i, j) -> (i : compressed(nonunique), j : singleton(nonunique)); }
    type Rows = sharded!(f64[4,4] Any @ Pod [{"y"}, {}]);
    let entries = [([1, 2], 1.0), ([1, 2], 3.0), ([3, 0], 5.0)];
    let whole =
        SparseTensor::<Any, f64>::from_coo([4, 4], &entries, Duplicates::Keep).expect("entries");
    let locals = Rows::scatter(&whole).expect("shards");
    assert_eq!(locals[5].to_coo(), [([0, 2], 1.0), ([0, 2], 3.0)]);
    assert_eq!(*Rows::gather(&locals).expect("a tensor"), whole);
}

/// A product with a matrix of any number of rows.
fn rows_of<const N: usize>() -> [usize; 2] {
    <sharded!(f64[N,6] Csr @ Pod [{"y"}, {}]) as ShardedSparseLayout>::local_shape(0)
        .expect("a device")
}

#[test]
fn a_split_size_may_be_a_const_generic_parameter() {
    assert_eq!((rows_of::<8>(), rows_of::<64>()), ([2, 6], [16, 6]));
}

#[test]
fn a_tensor_of_other_sizes_is_refused() {
    type Rows = sharded!(f64[8,6] Csr @ Pod [{"y"}, {}]);
    let other =
        SparseTensor::<Csr, f64>::from_coo([8, 7], &[], Duplicates::Error).expect("no entries");
    let error = Rows::scatter(&other).err();
    assert_eq!(error, Some(BuildError::Size { dim: 1, expected: 6, found: 7 }));
    let whole = <sparse_tensor!(f64[8,6] Csr)>::empty().expect("no entries");
    type Uneven = sharded!(f64[7,6] Csr @ Pod [{"y"}, {}], padded);
    let mut locals = Uneven::scatter(
        &SparseTensor::from_coo([7, 6], &[], Duplicates::Error).expect("no entries"),
    )
    .expect("shards");
    locals.swap(3, 0);
    let error = Uneven::gather(&locals).err();
    assert_eq!(error, Some(BuildError::Size { dim: 0, expected: 2, found: 1 }));
    assert_eq!(Rows::scatter(&whole).expect("shards").len(), 8);
}

#[test]
fn what_cuts_a_block_is_known_at_run_time_too() {
    let cut = CutBlock::find(&Bsr::SPEC, 1, 4).expect("blocks of 3");
    assert_eq!((cut.level, cut.block), (1, 3));
    assert!(
        cut.message(4)
            .as_str()
            .ends_with("use a size of 24, or split the dimension into fewer parts")
    );
}

#[test]
fn a_sharded_tensor_is_drawn_with_its_mesh_and_its_encoding() {
    type Rows = sharded!(f64[8,6] Csr @ Pod [{"y"}, {}]);
    let facts = Rows::sharded().facts();
    let text = |name: &str| facts.get(name).map(|fact| fact.text.clone());
    assert_eq!(text("local shape").as_deref(), Some("(2,6)"));
    assert_eq!(text("shards").as_deref(), Some("(4,1)"));
    assert_eq!(text("sizes").as_deref(), Some("8x6"));
    let picture = Rows::sharded().picture();
    // The mesh, the shards, a small matrix, and its arrays.
    assert_eq!(picture.panels.len(), 4);
    assert!(picture.title.starts_with("what of tensor<8x6xf64, "));
}
