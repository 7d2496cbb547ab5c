//! Arguments and constants of programs that are called as items and variables of the functions that run them.

use tensor_layout::sharding::MeshType;
use tensor_layout::sharding::run::{Sharded, Transport, threads};
use tensor_layout::{mesh, propagate};

mesh! { pub Pod = ["data" = 2] }

propagate! {
    run;
    mesh Pod;
    const outputs = 4;
    const transport = 2;
    const argument0 = 8;
    fn written(MLIR: f32[outputs] [{"data"}], runner: f32[4], run: f32[4], PROGRAM: f32[4], argument0_: f32[4], Pod_: f32[4]) {
        let a = add(MLIR, runner);
        let b = add(a, run);
        let c = add(b, PROGRAM);
        let d = add(c, argument0_);
        return add(d, Pod_);
    }
}

propagate! {
    run;
    mesh Pod;
    fn free(runner: f32[4] [{"data"}], transport: f32[4], outputs: f32[4]) {
        let a = add(runner, transport);
        return a, outputs;
    }
}

propagate! {
    run;
    file "tests/models/names.mlir";
}

fn main() {
    let sums = threads::run(Pod::MESH.devices(), |devices| {
        let own = |value: f32| (devices.device() == 0).then(|| vec![value; 4]);
        let (one, two) = (own(1.0), own(2.0));
        let one = Sharded::<written::runner>::scatter(devices, 0, one.as_ref()).expect("shards");
        let two = Sharded::<written::MLIR>::scatter(devices, 0, two.as_ref()).expect("shards");
        let sum = written::run(devices, &two, &one, &one, &one, &one, &one).expect("it runs");
        sum.gather(devices, 0).expect("a result")
    });
    assert_eq!(sums[0].as_deref(), Some(&[7.0; 4][..]));
    free::runner().expect("a runner");
    names::runner().expect("a runner");
}
