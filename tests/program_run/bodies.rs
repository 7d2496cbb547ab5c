//! Operations with bodies, in the library's own notation.

use super::plain::Plain;
use super::{alone, check_close, inputs};
use tensor_layout::sharding::Mesh;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::run::program::{HostArray, Runner};
use tensor_layout::sharding::run::{Transport, threads};
use tensor_layout::{PRED, S32};

const MESH: &str = r#"<["data"=2, "model"=2]>"#;

fn integers(dims: &[usize], values: &[i32]) -> HostArray {
    HostArray::new::<S32>(dims, values).expect("an array")
}

/// The results of a program with these statements, on the mesh and on one device.
fn both(parameters: &str, statements: &str, inputs: &[HostArray]) -> [Vec<HostArray>; 2] {
    let mesh: Mesh = MESH.parse().expect("a mesh");
    let text = format!("mesh Pod; fn f({parameters}) {{ {statements} }}");
    [mesh.clone(), alone(&mesh)].map(|mesh| {
        let program = Program::new(&text, &mesh).unwrap_or_else(|error| panic!("{error}"));
        let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
        runner.run_on_threads(inputs).unwrap_or_else(|error| panic!("{error}"))
    })
}

/// Loops count down, and may run zero times; the values of the condition are its own.
#[test]
fn loops() {
    let x = Plain::numbers(&[4, 4], 1);
    for rounds in [0, 1, 3] {
        let [one, zero, n] = [1, 0, rounds].map(|value| integers(&[], &[value]));
        let arguments = [inputs(std::slice::from_ref(&x)), vec![n, zero, one]].concat();
        let found = both(
            r#"x: f32[4,4] [{"data"}, {"model"}], n: s32[], zero: s32[], one: s32[]"#,
            "let (i, y) = while (k = n, h = x) cond {
                 let more = compare(k, zero, direction=GT);
                 return more;
             } do {
                 let k2 = sub(k, one);
                 let t = transpose(reshard(h), [1, 0]);
                 let p = dot(reshard(h), reshard(t));
                 return k2, reshard(p);
             };
             return y, i;",
            &arguments,
        );
        let mut expected = x.clone();
        for _ in 0..rounds {
            expected = expected.dot(&expected.transpose(&[1, 0]), [1, 0], false);
        }
        for found in found {
            check_close(&found[0], &expected, &format!("after {rounds} rounds"));
            assert_eq!(found[1].values::<S32>(), Some(vec![0]));
        }
    }
}

/// The last body applies to all numbers that have none; a truth value chooses between two.
#[test]
fn branches() {
    let x = Plain::numbers(&[4, 4], 1);
    let parameters = r#"x: f32[4,4] [{"data"}, {}], n: s32[], p: pred[]"#;
    let statements =
        "let y = case (n) { return tanh(x); } { let m = neg(x); return m; } { return x; };
                      let z = case (p) { return y; } { let d = add(y, y); return d; };
                      let b = optimization_barrier(z);
                      return b;";
    for (number, truth) in [(0, true), (1, false), (2, true), (7, false), (-1, true)] {
        let truth_value = HostArray::new::<PRED>(&[], &[truth]).expect("an array");
        let arguments =
            [inputs(std::slice::from_ref(&x)), vec![integers(&[], &[number]), truth_value]];
        let expected = match number {
            0 => x.map(f64::tanh),
            1 => x.map(|x| -x),
            _ => x.clone(),
        };
        let expected = if truth { expected } else { expected.map(|x| x + x) };
        for found in both(parameters, statements, &arguments.concat()) {
            check_close(&found[0], &expected, &format!("branch {number}"));
        }
    }
}

#[test]
fn functions() {
    let mesh: Mesh = MESH.parse().expect("a mesh");
    let text = r#"mesh Pod;
        fn layer(a: f32[4,8], w: f32[8,8] [{}, {"model"}]) {
            let h = dot(reshard(a), w);
            return tanh(h);
        }
        fn net(x: f32[4,8] [{"data"}, {}], u: f32[8,8], v: f32[8,8]) {
            let a = layer(x, u);
            let b = layer(a, v);
            return b;
        }"#;
    let arrays =
        [1, 2, 3].map(|seed| Plain::numbers(if seed == 1 { &[4, 8] } else { &[8, 8] }, seed));
    let layer = |x: &Plain, w: &Plain| x.dot(w, [1, 0], false).map(f64::tanh);
    let expected = layer(&layer(&arrays[0], &arrays[1]), &arrays[2]);
    let program = Program::new(text, &mesh).unwrap_or_else(|error| panic!("{error}"));
    let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
    let found = runner.run_on_threads(&inputs(&arrays)).unwrap_or_else(|error| panic!("{error}"));
    check_close(&found[0], &expected, "two layers");
}

/// A manual computation sees its device's part; a free axis splits that further, and devices with different coordinates along
/// the manual axis never mix. Devices receive the bytes that the plan states.
#[test]
fn manual_computations() {
    let x = Plain::numbers(&[8, 8], 1);
    let text = r#"mesh Pod;
        fn f(x: f32[8,8] [{"data"}, {}]) {
            let y = manual {"data"} (a = reshard(x) [{"data"}, {}]) {
                let c = constrain(reshard(a)) [{"model"}, {}];
                let e = tanh(c) [{"model"}, {}];
                let t = constrain(reshard(e)) [{}, {"model"}];
                let s = reduce(t, [0]);
                return reshard(s) [{"data"}];
            };
            return y;
        }"#;
    let mesh: Mesh = MESH.parse().expect("a mesh");
    let program = Program::new(text, &mesh).unwrap_or_else(|error| panic!("{error}"));
    let runner = Runner::new(&program).unwrap_or_else(|error| panic!("{error}"));
    let inputs = inputs(std::slice::from_ref(&x));
    let found = threads::run(4, |transport| {
        let own = (transport.device() == 0).then_some(&inputs[..]);
        let shards = runner.scatter(transport, 0, own).expect("shards");
        let before = transport.received();
        let outputs = runner.run(transport, &shards).expect("results");
        let received = transport.received() - before;
        (received, runner.gather(transport, 0, &outputs).expect("results"))
    });
    // Each half of the rows is summed separately.
    let half = |rows: core::ops::Range<usize>| {
        Plain::from_fn(&[8], |at| rows.clone().map(|row| x.at(&[row, at[0]]).tanh()).sum())
    };
    let halves = [half(0..4), half(4..8)].map(|half| half.values).concat();
    let expected = Plain { dims: vec![16], values: halves };
    check_close(&found[0].1.as_ref().expect("the first device has it")[0], &expected, "sums");
    let planned: u128 = program.collectives().iter().map(|traffic| traffic.bytes).sum();
    let received: Vec<_> = found.iter().map(|(received, _)| u128::from(*received)).collect();
    assert_eq!(received, vec![planned; 4], "{:?}", program.collectives());
}
