//! Operators take arrays and references to them; the bounds on shardings hold for every order of axes and for batches.
use tensor_layout::sharding::run::{RunError, Sharded};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 2, "model" = 4, "one" = 1] }

type X = sharded!(f32[8,16] @ Pod [{"data"}, {}]);
type Open = sharded!(f32[8,16] @ Pod [{"data", ?}p1, {?}]);
type H = sharded!(f32[8,16] @ Pod [{}, {"model", "data"}]);
type W = sharded!(f32[16,32] @ Pod [{"model", "data"}, {"one"}]);
type Parts = sharded!(f32[8,32] @ Pod [{}, {"one"}], unreduced={"data", "model"});
type Batch = sharded!(f32[2,8,16] @ Pod [{"data"}, {}, {"model"}]);
type Matrix = sharded!(f32[16,4] @ Pod [{"model"}, {}]);
type Sums = sharded!(f32[2,8,4] @ Pod [{"data"}, {}, {}], unreduced={"model"});

fn added(x: Sharded<X>, y: Sharded<Open>) -> Sharded<X> {
    (&x + &y) * x.clone() - &y + y
}

fn same<L: tensor_layout::sharding::ShardedLayout<Global: tensor_layout::Layout<Element = tensor_layout::F32>>>(
    x: &Sharded<L>,
) -> Sharded<L> {
    x + x
}

fn main() -> Result<(), RunError> {
    assert_eq!(same(&added(Sharded::filled(2.0)?, Sharded::filled(3.0)?)).local().get([0, 0]), 20.0);
    let parts: Sharded<Parts> = Sharded::<H>::filled(1.0)?.matmul(&Sharded::<W>::filled(1.0)?).local()?;
    assert_eq!(parts.local().get([0, 0]), 2.0);
    let doubled: Sharded<Parts> = &parts + &parts;
    assert_eq!(doubled.local().get([7, 31]), 4.0);
    let sums: Sharded<Sums> = Sharded::<Batch>::filled(1.0)?.matmul(&Sharded::<Matrix>::filled(0.5)?).local()?;
    assert_eq!(sums.local().get([0, 7, 3]), 2.0);
    Ok(())
}
