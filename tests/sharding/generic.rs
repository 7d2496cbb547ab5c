//! Split dimensions whose sizes are const generic parameters.

use tensor_layout::sharding::ShardedLayout;
use tensor_layout::{Layout, mesh, sharded, tiled};

mesh! { Pod = ["data" = 2, "model" = 4] }

const ROWS: usize = 64;

/// Weights with any number of columns, split over all devices.
struct Layer<const N: usize>;

impl<const N: usize> Layer<N> {
    fn local() -> [usize; 2] {
        <Self as Weights>::Local::DIMS
    }
}

trait Weights {
    type Local: Layout<Index = [usize; 2]>;
}

impl<const N: usize> Weights for Layer<N> {
    type Local =
        <sharded!(bf16[1024,N]{1,0:T(8,128)(2,1)} @ Pod [{"data"}, {"model"}]) as ShardedLayout>::Local;
}

fn split<const N: usize>(index: [usize; 2]) -> (usize, [usize; 2], [usize; 2]) {
    type Rows<const N: usize> = sharded!(f32[N,128] @ Pod [{"model"}, {}]);
    let (device, local) = <Rows<N>>::locate(index);
    (device, local, <Rows<N> as ShardedLayout>::Local::DIMS)
}

#[test]
fn a_split_dimension_may_be_a_const_generic_parameter() {
    assert_eq!(split::<64>([40, 7]), (2, [8, 7], [16, 128]));
    assert_eq!(split::<8>([7, 7]), (3, [1, 7], [2, 128]));
    assert_eq!((Layer::<4096>::local(), Layer::<512>::local()), ([512, 1024], [512, 128]));
}

#[test]
fn its_local_array_has_the_layout_of_one_of_known_size() {
    type Known = tiled!(bf16[512,128]{1,0:T(8,128)(2,1)});
    type Local = <Layer<512> as Weights>::Local;
    assert_eq!(Local::SPEC, Known::SPEC);
    assert_eq!((Local::LEN, Local::BYTES), (Known::LEN, Known::BYTES));
    let values: Vec<_> = (0..512 * 128).map(|at| half::bf16::from_f32((at % 251) as f32)).collect();
    let (packed, known) = (Local::pack(&values).unwrap(), Known::pack(&values).unwrap());
    assert_eq!(packed.as_bytes(), known.as_bytes());
    assert_eq!(packed.get([300, 77]), known.get([300, 77]));
}

#[test]
fn a_padded_one_is_rounded_up() {
    fn local<const N: usize>() -> usize {
        <sharded!(f32[N] @ Pod [{"data", "model"}], padded) as ShardedLayout>::Local::DIMS[0]
    }
    assert_eq!((local::<64>(), local::<65>()), (8, 9));
}

#[test]
fn sizes_that_are_not_split_and_expressions_stay_as_they_are() {
    type Mixed<const N: usize> = sharded!(f32[N,64,4] @ Pod [{}, {"model"}, {"data"}]);
    fn is<L: ShardedLayout<Local = M>, M>() {}
    is::<Mixed<3>, tiled!(f32[3,16,2])>();
    type Named = sharded!(f32[ROWS,{ROWS * 2}] @ Pod [{"data"}, {"model"}]);
    assert_eq!(<Named as ShardedLayout>::Local::DIMS, [32, 32]);
}
