//! Products with sparse tensors that 8 devices share, which must equal those of one process. The values are small integers, so
//! that sums are exact in any order.

use crate::checks::Pod;
use tensor_layout::half::bf16;
use tensor_layout::sharding::ShardedSparseLayout;
use tensor_layout::sharding::run::{Sharded, ShardedBlocks, ShardedTensor, Transport};
use tensor_layout::sparse::{BlockTensor, Duplicates, ShapedTensor, SparseScalar};
use tensor_layout::sparsify::Dense;
use tensor_layout::{sharded, sparse_encoding, sparse_kernel, tiled};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Dia = (i, j) -> (j - i : compressed, i : range);
    type Bsr = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense);
    type Tiles = (i, j) -> (i floordiv 8 : dense, j floordiv 128 : compressed, i mod 8 : dense, j mod 128 : dense);
}

sparse_kernel! {
    fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn spmv_dia(a: Dia<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn spmv_bsr(a: Bsr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn spmv_tiles(a: Tiles<bf16>[i, j], x: Dense<bf16>[j]) -> y: Dense<bf16>[i] { y[i] += a[i, j] * x[j] }
    fn spmm(a: Csr<f64>[i, j], b: Dense<f64>[j, k]) -> c: Dense<f64>[i, k] { c[i, k] += a[i, j] * b[j, k] }
}

/// A third of the elements.
fn entries([rows, columns]: [usize; 2]) -> Vec<([usize; 2], f64)> {
    let all = (0..rows).flat_map(|i| (0..columns).map(move |j| [i, j]));
    let some = all.filter(|[i, j]| (i * 7 + j * 5 + i * j) % 3 == 0);
    some.map(|[i, j]| ([i, j], ((i * 3 + j) % 11) as f64 - 5.0)).collect()
}

/// The whole tensor, and the shard of this device, scattered from device 3.
fn scattered<L, T>(transport: &mut T, convert: fn(f64) -> L::Value) -> (Whole<L>, ShardedTensor<L>)
where
    L: ShardedSparseLayout<
            Encoding: tensor_layout::sparse::Encoding<Index = [usize; 2]>,
            Value: tensor_layout::sharding::run::SparseMessage,
        >,
    T: Transport,
{
    let dims = L::shards().dims().to_vec();
    let entries = entries([dims[0], dims[1]]);
    let entries: Vec<_> = entries.into_iter().map(|(at, value)| (at, convert(value))).collect();
    let whole = Whole::<L>::from_coo(&entries, Duplicates::Error).expect("entries that fit");
    let given = (transport.device() == 3).then_some(&*whole);
    let own = ShardedTensor::<L>::scatter(transport, 3, given).expect("a shard");
    // Each device has the entries of its slice, and nothing else.
    let device = transport.device();
    let slice = L::slice(device).expect("a device");
    let inside = |[i, j]: [usize; 2]| slice[0].contains(&i) && slice[1].contains(&j);
    let expected: Vec<_> = whole.to_coo().into_iter().filter(|entry| inside(entry.0)).collect();
    let mut found = own.local().to_coo();
    found.iter_mut().for_each(|(at, _)| *at = L::global(device, *at).expect("an element"));
    assert_eq!(sorted(found), sorted(expected), "device {device} of {}", L::SHARDING);
    assert_eq!(Some(own.local().shape()), L::local_shape(device));
    // All of them together make up the whole tensor.
    for root in [0, 7] {
        let gathered = own.gather(transport, root).expect("a tensor");
        assert_eq!(gathered.as_ref(), (device == root).then_some(&whole));
    }
    (whole, own)
}

type Whole<L> = ShapedTensor<
    <L as ShardedSparseLayout>::Encoding,
    <L as ShardedSparseLayout>::Value,
    <L as ShardedSparseLayout>::Shape,
>;

fn sorted<T: SparseScalar>(mut entries: Vec<([usize; 2], T)>) -> Vec<([usize; 2], T)> {
    entries.sort_by_key(|entry| entry.0);
    entries
}

fn vector(len: usize) -> Vec<f64> {
    (0..len).map(|at| (at % 7) as f64 - 2.0).collect()
}

/// Rows split over all devices: each computes rows of the result.
fn rows<T: Transport>(transport: &mut T) {
    type Rows = sharded!(f64[64,48] Csr @ Pod [{"x", "y"}, {}]);
    type Result = sharded!(f64[64] @ Pod [{"x", "y"}]);
    type Results = sharded!(f64[64,5] @ Pod [{"x", "y"}, {}]);
    let (whole, own) = scattered::<Rows, T>(transport, |value| value);
    let x = vector(48);
    let y = spmv(own.local(), &x).expect("sizes that agree");
    let y = Sharded::<Result>::new(<tiled!(f64[8])>::pack(y.values()).expect("8 rows"));
    let gathered = y.gather(transport, 0).expect("all rows");
    let expected = (transport.device() == 0).then(|| spmv(&whole, &x).expect("sizes that agree"));
    assert_eq!(gathered, expected.map(Dense::into_values));

    let b = Dense::new([48, 5], vector(48 * 5)).expect("as many values");
    let c = spmm(own.local(), &b).expect("sizes that agree");
    let c = Sharded::<Results>::new(<tiled!(f64[8,5])>::pack(c.values()).expect("8 rows"));
    let gathered = c.gather(transport, 0).expect("all rows");
    let expected = (transport.device() == 0).then(|| spmm(&whole, &b).expect("sizes that agree"));
    assert_eq!(gathered, expected.map(Dense::into_values));
}

/// Columns split over all devices: each computes a part of every sum.
fn columns<T: Transport>(transport: &mut T) {
    type Columns = sharded!(f64[64,48] Bsr @ Pod [{}, {"y", "x"}]);
    type Parts = sharded!(f64[64] @ Pod [{}], unreduced={"x", "y"});
    type Sum = sharded!(f64[64] @ Pod [{}]);
    let (whole, own) = scattered::<Columns, T>(transport, |value| value);
    let x = vector(48);
    let slice = Columns::slice(transport.device()).expect("a device");
    let y = spmv_bsr(own.local(), &x[slice[1].clone()]).expect("sizes that agree");
    let y = Sharded::<Parts>::new(<tiled!(f64[64])>::pack(y.values()).expect("all rows"));
    let sum: Sharded<Sum> = y.reshard(transport).expect("a sum");
    assert_eq!(sum.local().unpack(), spmv_bsr(&whole, &x).expect("sizes that agree").values());
}

/// Rows split over one axis and columns over the other, in an encoding of diagonals.
fn both<T: Transport>(transport: &mut T) {
    type Both = sharded!(f64[64,48] Dia @ Pod [{"y"}, {"x"}]);
    type Parts = sharded!(f64[64] @ Pod [{"y"}], unreduced={"x"});
    type Sum = sharded!(f64[64] @ Pod [{}]);
    let (whole, own) = scattered::<Both, T>(transport, |value| value);
    let x = vector(48);
    let slice = Both::slice(transport.device()).expect("a device");
    let y = spmv_dia(own.local(), &x[slice[1].clone()]).expect("sizes that agree");
    let y = Sharded::<Parts>::new(<tiled!(f64[16])>::pack(y.values()).expect("16 rows"));
    let sum: Sharded<Sum> = y.reshard(transport).expect("a sum");
    assert_eq!(sum.local().unpack(), spmv_dia(&whole, &x).expect("sizes that agree").values());
}

/// Rows that 8 devices cannot share evenly, and copies along an axis.
fn uneven<T: Transport>(transport: &mut T) {
    type Uneven = sharded!(f64[61,47] Csr @ Pod [{"x", "y"}, {}], padded);
    type Result = sharded!(f64[61] @ Pod [{"x", "y"}], padded);
    let (whole, own) = scattered::<Uneven, T>(transport, |value| value);
    let last = own.local().shape();
    assert_eq!(last, if transport.device() == 7 { [5, 47] } else { [8, 47] });
    let x = vector(47);
    let mut y = spmv(own.local(), &x).expect("sizes that agree").into_values();
    y.resize(8, 0.0);
    let y = Sharded::<Result>::new(<tiled!(f64[8])>::pack(&y).expect("8 rows"));
    let gathered = y.gather(transport, 0).expect("all rows");
    let expected = (transport.device() == 0).then(|| spmv(&whole, &x).expect("sizes that agree"));
    assert_eq!(gathered, expected.map(Dense::into_values));
    // Two devices have the whole tensor, six have nothing.
    type Few = sharded!(f64[2,9] Csr @ Pod [{"y"}, {}], padded);
    let (_, own) = scattered::<Few, T>(transport, |value| value);
    let held = usize::from(transport.device() % 4 < 2);
    assert_eq!(own.local().shape(), [held, 9]);
}

/// Tiled, sparse and sharded: blocks of one tile each, packed on each device.
fn tiles<T: Transport>(transport: &mut T) {
    type Rows = sharded!(bf16[64,512] Tiles @ Pod [{"y", "x"}, {}]);
    type Tile = tiled!(bf16[8,128]{1,0:T(8,128)(2,1)});
    type Result = sharded!(bf16[64] @ Pod [{"y", "x"}]);
    let (whole, own) = scattered::<Rows, T>(transport, bf16::from_f64);
    let packed = BlockTensor::<Tiles, Tile>::pack(own.local()).expect("values that fit");
    assert_eq!(packed.blocks().len(), 4);
    let given = (transport.device() == 5).then_some(&*whole);
    let blocks = ShardedBlocks::<Rows, Tile>::scatter(transport, 5, given).expect("a shard");
    let bytes = |tensor: &BlockTensor<Tiles, Tile>| -> Vec<Vec<u8>> {
        tensor.blocks().iter().map(|block| block.as_bytes().to_vec()).collect()
    };
    assert_eq!(bytes(blocks.local()), bytes(&packed));
    let gathered = blocks.gather(transport, 2).expect("a tensor");
    assert_eq!(gathered.as_ref(), (transport.device() == 2).then_some(&whole));
    let x: Vec<_> = vector(512).into_iter().map(bf16::from_f64).collect();
    let y = spmv_tiles(&packed.unpack(), &x).expect("sizes that agree");
    let y = Sharded::<Result>::new(<tiled!(bf16[8])>::pack(y.values()).expect("8 rows"));
    let gathered = y.gather(transport, 0).expect("all rows");
    let expected =
        (transport.device() == 0).then(|| spmv_tiles(&whole, &x).expect("sizes that agree"));
    assert_eq!(gathered, expected.map(Dense::into_values));
}

pub(crate) fn run<T: Transport>(transport: &mut T) {
    rows(transport);
    columns(transport);
    both(transport);
    uneven(transport);
    tiles(transport);
}
