//! The names on which programs rely, each with its signature: the types, their constants and functions, and the macros.

use std::fmt::Display;
use std::str::FromStr;
use tensor_layout::sharding::propagation::{self, Graph, Strategy};
use tensor_layout::sharding::{MeshType, ShardedLayout};
use tensor_layout::sparse::{BuildError, Duplicates, Encoding, SparseTensor};
use tensor_layout::tiled::Problem;
use tensor_layout::typenum::{U2, Unsigned};
use tensor_layout::{
    DType, Host, Layout, Mesh, OpShardingRule, PackError, Packed, PackedMut, PackedRef, SparseEncoding,
    TensorSharding, TiledSpec,
};
use tensor_layout::{
    einsum, mesh, propagate, sharded, sharding_rule, sparse_encoding, sparse_kernel, sparse_tensor, tiled,
    tpu,
};

fn layout<L: Layout>(index: L::Index, row_major: &[Host<L>], bytes: &mut [u8], values: &mut [Host<L>])
where
    L::Rank: Unsigned,
    L::Packing: Unsigned,
    L::Index: AsRef<[usize]> + Copy,
{
    let _: (usize, usize, usize, L::Index, TiledSpec) = (L::RANK, L::LEN, L::BYTES, L::DIMS, L::SPEC);
    let offset: usize = L::offset(index);
    // SAFETY: the checked function has accepted the index.
    assert_eq!(unsafe { L::offset_unchecked(index) }, offset);
    let _: Option<L::Index> = L::index(offset);
    let packed: Result<Packed<L>, PackError> = L::pack(row_major);
    let _: Result<(), PackError> = L::pack_into(row_major, bytes);
    let _: Result<(), PackError> = L::unpack_into(bytes, values);
    let mut packed = packed.expect("a value for each element");
    let _: (&[u8], Vec<Host<L>>) = (packed.as_bytes(), packed.unpack());
    packed.set(index, packed.get(index));
}

fn relayout<L: Layout, M>(packed: &Packed<L>) -> Packed<M>
where
    M: Layout<Element = L::Element, Shape = L::Shape>,
{
    packed.relayout::<M>()
}

fn text<T: FromStr + Display + PartialEq>() {}

fn encoding<E: Encoding<Index = [usize; 2]>>() -> Result<(), BuildError>
where
    E::Levels: Unsigned,
{
    let _: SparseEncoding = E::SPEC;
    let entries = [([0, 1], 2.0)];
    let tensor = SparseTensor::<E, f64>::from_coo([2, 3], &entries, Duplicates::Error)?;
    let _: (&[E::Position], &[f64]) = (tensor.positions(1), tensor.values());
    let _ = tensor.coordinates(1);
    assert_eq!((tensor.get([0, 1]), tensor.iter().count()), (2.0, 1));
    let dense: Vec<f64> = tensor.to_dense().expect("memory");
    let again = SparseTensor::<E, f64>::from_dense([2, 3], &dense)?.convert::<Csr>()?;
    let tensor = SparseTensor::<E, f64>::assemble(tensor.disassemble()).expect("a valid tensor");
    assert_eq!(tensor.to_coo(), again.to_coo());
    Ok(())
}

fn split<S: ShardedLayout>()
where
    S::Global: Layout,
    S::Local: Layout,
    S::Mesh: MeshType,
{
    let _: TensorSharding = S::SHARDING;
}

sparse_encoding! { pub type Csr = (i, j) -> (i : dense, j : compressed); }
sparse_kernel! {
    fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
}
mesh! { pub Pod = ["data" = 2, "model" = 4] }
propagate! {
    mesh Pod;
    fn block(x: f32[8,16] [{"data"}, {"model"}]) {
        let y = tanh(x);
        return y;
    }
}
tensor_layout::layouts! { type Rows = tiled!(f32[8,16]{1,0}); }
type Sparse = sparse_tensor!(f64[2,3] Csr);
type Split = sharded!(f32[8,16] @ Pod [{"data"}, {"model"}]);

fn main() {
    type Fig1 = tiled!(F32[3,5]<1,0:T(2,2)>);
    const _: () = assert!(Fig1::LEN == 24 && Fig1::BYTES == 96);
    const SPEC: TiledSpec = Fig1::SPEC;
    const OF_DRAFT: Result<TiledSpec, Problem> = (*SPEC.draft()).validate();
    const NUMBERS: (usize, usize, usize) = (SPEC.len(), SPEC.bytes(), SPEC.offset(&[2, 3]));
    assert_eq!((NUMBERS, OF_DRAFT), ((24, 96, 17), Ok(SPEC)));
    assert_eq!((SPEC.index(17).unwrap().as_ref(), Fig1::index(17)), (&[2, 3][..], Some([2, 3])));
    assert_eq!(SPEC.physical_index(&[2, 3]).as_ref(), [1, 1, 0, 1]);
    let _: Option<TiledSpec> = TiledSpec::tpu_default(DType::BF16, &[1000, 384]);
    let values = [1.0; 15];
    layout::<Fig1>([2, 3], &values, &mut [0; 96], &mut [0.0; 15]);
    let packed = Fig1::pack(&values).unwrap();
    let rows: Packed<tiled!(f32[3,5]{1,0})> = relayout(&packed);
    assert_eq!(packed.tiles::<4>().count(), 6);
    let _ = PackedRef::<Fig1>::new(packed.as_bytes()).unwrap();
    let _ = PackedMut::<Fig1>::new(&mut [0; 0]).is_err();
    let products: Packed<tiled!(f32[3,3]{1,0})> = einsum!("ij,kj->ik", rows, rows);
    assert_eq!(products.get([2, 0]), 5.0);

    fn _bound<L: Layout<Rank = U2, Packing = U2>>() {}
    _bound::<tpu!(bf16[1000,384])>();

    text::<TiledSpec>();
    text::<SparseEncoding>();
    text::<Mesh>();
    text::<TensorSharding>();
    text::<OpShardingRule>();
    encoding::<Csr>().unwrap();
    assert_eq!(Sparse::empty().unwrap().shape(), [2, 3]);
    let a = SparseTensor::<Csr, f64>::from_coo([1, 1], &[([0, 0], 2.0)], Duplicates::Error).unwrap();
    assert_eq!(spmv(&a, &[3.0]).unwrap().values(), [6.0]);

    split::<Split>();
    let _ = Split::locate([7, 15]);
    let _: OpShardingRule = sharding_rule!((i j) k -> i j k, i=2, j=4);
    assert_eq!(block::y::SHARDING.to_string(), r#"<@Pod, [{"data", ?}, {"model", ?}]>"#);
    let strategies =
        [Strategy::Basic, Strategy::Aggressive, Strategy::OpPriority, Strategy::UserPriority];
    let _: (fn(&mut Graph, Strategy), _) = (propagation::propagate, strategies);
    let _: Option<Rows> = None;
}
