//! `propagate! { run; .. }`: programs that run on typed shards.

use super::plain::Plain;
use tensor_layout::sharding::run::{RunError, Sharded, Transport, threads};
use tensor_layout::sharding::{MeshType, ShardedLayout};
use tensor_layout::{Host, Layout, mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    run;
    mesh Pod;
    /// An "attribute" of the module, which is not part of the program.
    #[allow(unused)]
    pub(crate) fn mlp(
        x: f32[8,16]{1,0:T(2,4)} [{"data"}, {}],
        w1: f32[16,32] [{}, {"model"}],
        r#type: f32[32,16],
    ) {
        let h = dot(x, w1);
        let y = dot(tanh(h), r#type);
        return y, h, x [{}, {"data"}];
    }
}

propagate! {
    mesh Pod;
    run;
    const N = 8;
    fn scaled(x: f32[N,{N / 2}] [{"data"}, {"model"}]) {
        return tanh(x);
    }
}

propagate! {
    file "tests/golden/program_run/mlp_grad.mlir";
    run;
    reshard = shardy;
}

mesh! { Ring = ["data" = 4, "model" = 2] }

propagate! {
    run;
    file "tests/golden/program_run/mlp_grad.mlir";
    pub mod other;
    mesh Ring;
    arg1 [{"model"}, {}];
    reshard = shardy;
}

fn numbers<L: ShardedLayout>(seed: usize) -> Vec<f32> {
    let dims = <L::Global as Layout>::DIMS;
    Plain::numbers(dims.as_ref(), seed).values.into_iter().map(|x| x as f32).collect()
}

/// This device's shard of an array that the first device has.
fn shard<L, T: Transport>(transport: &mut T, seed: usize) -> Sharded<L>
where
    L: ShardedLayout,
    L::Global: Layout<Element = tensor_layout::F32>,
{
    let array: Vec<Host<L::Global>> = numbers::<L>(seed);
    let own = (transport.device() == 0).then_some(&array);
    Sharded::scatter(transport, 0, own).expect("a shard")
}

fn plain<L: ShardedLayout>(seed: usize) -> Plain {
    let dims = <L::Global as Layout>::DIMS;
    let values = numbers::<L>(seed).into_iter().map(f64::from).collect();
    Plain { dims: dims.as_ref().to_vec(), values }
}

fn dot(x: &Plain, y: &Plain) -> Plain {
    x.dot(y, [1, 0], false)
}

#[track_caller]
fn check(found: &[f32], expected: &Plain) {
    assert_eq!(found.len(), expected.values.len());
    for (found, expected) in found.iter().zip(&expected.values) {
        assert!((f64::from(*found) - expected).abs() < 1e-4, "{found}, not {expected}");
    }
}

#[test]
fn a_program_of_the_library_takes_and_returns_types() {
    let found = threads::run(Pod::MESH.devices(), |transport| {
        let x = shard::<mlp::x, _>(transport, 1);
        let (w1, w2) = (shard(transport, 2), shard(transport, 3));
        // The argument's layout has tiles; the results are row-major, sharded as they are returned.
        let (y, h, x) = mlp::run(transport, &x, &w1, &w2)?;
        let whole = (y.gather(transport, 0)?, h.gather(transport, 0)?, x.gather(transport, 0)?);
        Ok::<_, RunError>((x.to_host()?, whole))
    });
    let found: Vec<_> = found.into_iter().map(|one| one.expect("it runs")).collect();
    assert!(found.iter().all(|(x, _)| x.dims() == [8, 8]));
    let (y, h, x) = &found[0].1;
    let expected = dot(&plain::<mlp::x>(1), &plain::<mlp::w1>(2));
    check(h.as_ref().expect("the first device has it"), &expected);
    let expected = dot(&expected.map(f64::tanh), &plain::<mlp::r#type>(3));
    check(y.as_ref().expect("the first device has it"), &expected);
    assert_eq!(*x.as_ref().expect("the first device has it"), numbers::<mlp::x>(1));
}

#[test]
fn a_program_with_numbers_returns_one_type() {
    let found = threads::run(Pod::MESH.devices(), |transport| {
        let x = shard::<scaled::x, _>(transport, 1);
        let y: Sharded<_> = scaled::run(transport, &x).expect("it runs");
        y.gather(transport, 0).expect("a result")
    });
    let expected = plain::<scaled::x>(1).map(f64::tanh);
    check(found[0].as_ref().expect("the first device has it"), &expected);
}

/// The loss of the program in the file.
fn loss() -> Plain {
    let [b1, w1, w2] =
        [plain::<mlp_grad::arg0>(1), plain::<mlp_grad::arg1>(2), plain::<mlp_grad::arg2>(3)];
    let [x, t] = [plain::<mlp_grad::arg3>(4), plain::<mlp_grad::arg4>(5)];
    let sum = dot(&x, &w1).zip(&b1.broadcast(&[8, 32], &[1]), |a, b| a + b);
    let difference = dot(&sum.map(|x| x.max(0.0)), &w2).zip(&t, |a, b| a - b);
    let loss = difference.values.iter().map(|x| x * x).sum::<f64>() / 128.0;
    Plain { dims: vec![], values: vec![loss] }
}

#[test]
fn a_program_in_a_file_takes_and_returns_types() {
    let found = threads::run(8, |transport| {
        let (b1, w1, w2) = (shard(transport, 1), shard(transport, 2), shard(transport, 3));
        let (x, t) = (shard(transport, 4), shard(transport, 5));
        let results = mlp_grad::run(transport, &b1, &w1, &w2, &x, &t).expect("it runs");
        let loss = results.0.gather(transport, 0).expect("a result");
        (loss, results.1.gather(transport, 0).expect("a result"))
    });
    check(found[0].0.as_ref().expect("the loss"), &loss());
    assert_eq!(found[0].1.as_ref().expect("a gradient").len(), 32);
}

#[test]
fn a_mesh_and_shardings_beside_a_file_hold_when_it_runs() {
    let found = threads::run(Ring::MESH.devices(), |transport| {
        let (b1, w1, w2) =
            (shard(transport, 1), shard::<other::arg1, _>(transport, 2), shard(transport, 3));
        assert_eq!(w1.local().unpack().len(), 8 * 32);
        let (x, t) = (shard::<other::arg3, _>(transport, 4), shard(transport, 5));
        assert_eq!(x.local().unpack().len(), 2 * 16);
        let results = other::run(transport, &b1, &w1, &w2, &x, &t).expect("it runs");
        results.0.gather(transport, 0).expect("a result")
    });
    check(found[0].as_ref().expect("the loss"), &loss());
}

#[test]
fn an_array_of_another_size_is_not_a_shard() {
    let array = tensor_layout::sharding::run::program::HostArray::new::<tensor_layout::F32>(
        &[2],
        &[1.0, 2.0],
    );
    let error =
        Sharded::<scaled::x>::from_host(&array.expect("an array")).err().expect("another size");
    assert_eq!(error.to_string(), "`f32[4,1]{1,0}`: expected an array f32[4, 1], found f32[2]");
}
