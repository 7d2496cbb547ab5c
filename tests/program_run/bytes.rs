//! Devices receive the bytes that the plan states.

use super::plain::Plain;
use super::{inputs, program};
use std::slice;
use tensor_layout::DType;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::run::program::{HostArray, Runner};
use tensor_layout::sharding::run::{self, Transport, threads};
use tensor_layout::sharding::{Mesh, TensorSharding};

/// The bytes that each device receives while a program runs, and the bytes that its plan states.
pub(crate) fn received(text: &str, mesh: &Mesh, inputs: &[HostArray]) -> (Vec<u64>, u64) {
    received_over(text, slice::from_ref(mesh), inputs)
}

/// The same for a program over meshes with as many devices.
pub(crate) fn received_over(text: &str, meshes: &[Mesh], inputs: &[HostArray]) -> (Vec<u64>, u64) {
    let program = program(text, meshes).expect("a program");
    let runner = Runner::new(&program).expect("all operations have kernels");
    let received = threads::run(meshes[0].devices(), |transport| {
        let root = (transport.device() == 0).then_some(inputs);
        let shards = runner.scatter(transport, 0, root).expect("shards");
        let before = transport.received();
        runner.run(transport, &shards).expect("results");
        transport.received() - before
    });
    let planned: u128 = program.collectives().iter().map(|traffic| traffic.bytes).sum();
    (received, u64::try_from(planned).expect("a few bytes"))
}

#[test]
fn an_mlp_adds_up_its_parts_and_no_more() {
    let mesh: Mesh = r#"<["data"=2, "model"=4]>"#.parse().expect("a mesh");
    let arrays = [[8, 16], [16, 32], [32, 16]].map(|dims| Plain::numbers(&dims, 1));
    let text = r#"
        mesh Pod;
        fn mlp(x: f32[8,16] [{"data"}, {}], w1: f32[16,32] [{}, {"model"}], w2: f32[32,16]) {
            let y = dot(tanh(dot(x, w1)), w2);
            return y;
        }
    "#;
    // An all-reduce of 4 x 16 elements over four devices.
    let (found, planned) = received(text, &mesh, &inputs(&arrays));
    assert_eq!((found, planned), (vec![384; 8], 2 * 4 * 64 * 3 / 4));
}

/// A reshard by an all-to-all, a permutation of devices, and partial sums that stay partial and are reduced at the end.
#[test]
fn reshards_move_what_they_say() {
    let mesh: Mesh = r#"<["x"=2, "y"=4]>"#.parse().expect("a mesh");
    let arrays = [[16, 16], [16, 16]].map(|dims| Plain::numbers(&dims, 1));
    let text = r#"
        mesh Ring;
        fn f(a: f32[16,16] [{"y"}, {"x"}], b: f32[16,16] [{"x"}, {"y"}]) {
            let c = reshard(a) [{}, {"y", "x"}];
            let d = dot(reshard(c), reshard(b)) [{}, {"x"}], unreduced={"y"};
            let e = add(d, d) [{}, {"x"}], unreduced={"y"};
            let f = reshard(e) [{"x", "y"}, {}];
            return f;
        }
    "#;
    let program = Program::new(text, &mesh).expect("a program");
    let (found, planned) = received(text, &mesh, &inputs(&arrays));
    assert!(planned > 0, "{:?}", program.collectives());
    // Devices that a permutation maps to themselves receive less.
    assert_eq!(found.iter().max(), Some(&planned), "{:?}", program.collectives());
    assert_eq!(found.iter().filter(|&&bytes| bytes == planned).count(), 4);
}

/// Elements of four bits travel two to a byte and arrive unchanged, even if their number is odd.
#[test]
fn elements_of_four_bits_travel_packed() {
    let mesh: Mesh = r#"<["x"=4]>"#.parse().expect("a mesh");
    let sharding = |text: &str| text.parse::<TensorSharding>().expect("a sharding");
    let (split, whole) = (sharding(r#"<@mesh, [{"x"}, {}]>"#), sharding("<@mesh, [{}, {}]>"));
    let columns = sharding(r#"<@mesh, [{}, {"x"}]>"#);
    for (dims, to) in [([4, 16], &whole), ([4, 3], &whole), ([8, 8], &columns)] {
        let len = dims[0] * dims[1];
        let values: Vec<u8> = (0..len).map(|n| ((n * 5 % 16) as i8 - 8) as u8).collect();
        let found = threads::run(4, |transport| {
            let part = len / 4 * transport.device()..len / 4 * (transport.device() + 1);
            let of = (DType::S4, &dims[..]);
            let there = run::reshard(transport, &mesh, (&split, to), of, &values[part]);
            let there = there.expect("another shard");
            let back = run::reshard(transport, &mesh, (to, &whole), of, &there).expect("all of it");
            (there.len(), transport.received(), back)
        });
        for (len, received, back) in found {
            assert_eq!(back, values);
            // Three parts, of 16, 3 and 4 elements. The last devices then collect three parts of 16.
            let expected = match dims {
                [4, 16] => (64, 24),
                [4, 3] => (12, 6),
                _ => (16, 6 + 24),
            };
            assert_eq!((len, received), expected);
        }
    }
}
