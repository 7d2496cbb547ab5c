//! Arrays that share their elements, and the forms that products keep of them: what one run, iteration or device does never shows in
//! another one.

use super::plain::Plain;
use super::{alone, check_close, inputs, program, run};
use tensor_layout::half::bf16;
use tensor_layout::sharding::Mesh;
use tensor_layout::sharding::run::program::{HostArray, Runner};
use tensor_layout::sharding::run::{RunError, Sharded, Transport, threads};
use tensor_layout::{BF16, S32, mesh, propagate};

fn pod() -> Mesh {
    r#"<["data"=2, "model"=2]>"#.parse().expect("a mesh")
}

/// Runs a program twice with the same arguments, which stay as they were, and once with new arguments.
#[track_caller]
fn check_again(text: &str, arrays: &[Plain], expected: impl Fn(&[Plain]) -> Vec<Plain>) {
    for mesh in [&pod(), &alone(&pod())] {
        let program = program(text, std::slice::from_ref(mesh)).expect("a program");
        let runner = Runner::new(&program).expect("kernels");
        let first = inputs(arrays);
        let other: Vec<_> = arrays.iter().map(|array| array.map(|x| 0.5 - x)).collect();
        let second = inputs(&other);
        let runs = threads::run(mesh.devices(), |transport| {
            let root = |arrays| (transport.device() == 0).then_some(arrays);
            let [first, second] = [root(&first[..]), root(&second[..])];
            let shards = runner.scatter(transport, 0, first)?;
            let before = shards.clone();
            let mut results = Vec::new();
            for _ in 0..2 {
                let found = runner.run(transport, &shards)?;
                results.push(runner.gather(transport, 0, &found)?);
            }
            assert_eq!(shards, before);
            let others = runner.scatter(transport, 0, second)?;
            let found = runner.run(transport, &others)?;
            results.push(runner.gather(transport, 0, &found)?);
            Ok::<_, RunError>(results)
        });
        let found = runs.into_iter().next().expect("a device").expect("results");
        let arrays = [arrays, arrays, &other];
        for (run, (found, arrays)) in found.into_iter().zip(arrays).enumerate() {
            let found = found.expect("the first device has them");
            for (at, (found, expected)) in found.iter().zip(expected(arrays)).enumerate() {
                check_close(found, &expected, &format!("run {run}, result {at} on {mesh}"));
            }
        }
    }
}

#[test]
fn weights_are_read_in_both_orders_in_each_run() {
    let text = r#"
        mesh Pod;
        fn f(x: f32[8,64] [{"data"}, {}], w: f32[64,160] [{}, {"model"}]) {
            let h = dot(x, w);
            let y = dot_general(h, w, lhs_contracting=[1], rhs_contracting=[1]);
            let z = dot_general(tanh(y), w, lhs_contracting=[1], rhs_contracting=[0]);
            return y, z;
        }
    "#;
    let arrays = [Plain::numbers(&[8, 64], 1), Plain::numbers(&[64, 160], 2)];
    check_again(text, &arrays, |arrays| {
        let [x, w] = arrays else { panic!("two arrays") };
        let y = x.dot(w, [1, 0], false).dot(w, [1, 1], false);
        let z = y.map(f64::tanh).dot(w, [1, 0], false);
        vec![y, z]
    });
}

/// Slices, a permutation, all-to-alls, gathers and sums, of operands and of results: the first run plans them for the later ones.
#[test]
fn reshards_move_the_data_of_each_run() {
    let text = r#"
        mesh Pod;
        fn f(a: f32[8,8] [{"data"}, {"model"}], b: f32[8,8] [{}, {"data"}]) {
            let c = reshard(a) [{}, {"model", "data"}];
            let d = reshard(c) [{"model"}, {"data"}];
            let g = reshard(b) [{"model"}, {"data"}];
            let e = add(d, g);
            let p = dot(reshard(e), reshard(b)) [{}, {}], unreduced={"data"};
            let q = reshard(p) [{"data", "model"}, {}];
            let s = reshard(q) [{}, {}];
            let t = reshard(a) [{}, {}];
            let r = mul(reshard(s), reshard(t));
            return c, e, q [{}, {"data"}], r [{"model"}, {}];
        }
    "#;
    let arrays = [Plain::numbers(&[8, 8], 1), Plain::numbers(&[8, 8], 2)];
    check_again(text, &arrays, |arrays| {
        let [a, b] = arrays else { panic!("two arrays") };
        let e = a.zip(b, |a, b| a + b);
        let q = e.dot(b, [1, 0], false);
        vec![a.clone(), e, q.clone(), q.zip(a, |q, a| q * a)]
    });
}

/// An argument that is updated in a loop, and the updated array in a product: neither the argument nor its packed form may change
/// with it.
#[test]
fn an_update_in_a_loop_does_not_change_the_argument() {
    let text = r#"
        mesh Pod;
        fn f(x: f32[2,64], w: f32[80,64], new: f32[1,64], zero: s32[], one: s32[], n: s32[]) {
            let before = dot_general(x, w, lhs_contracting=[1], rhs_contracting=[1]);
            let (i, cache, sums) = while (k = zero, own = reshard(w), sum = reshard(before)) cond {
                return compare(k, n, direction=LT);
            } do {
                let changed = dynamic_update_slice(own, new, k, zero);
                let added = dot_general(x, changed, lhs_contracting=[1], rhs_contracting=[1]);
                return add(k, one), changed, add(reshard(sum), reshard(added));
            };
            let after = dot_general(x, w, lhs_contracting=[1], rhs_contracting=[1]);
            return before, cache, sums, after;
        }
    "#;
    let arrays =
        [Plain::numbers(&[2, 64], 1), Plain::numbers(&[80, 64], 2), Plain::numbers(&[1, 64], 3)];
    let [x, w, new] = &arrays;
    let product = |w: &Plain| x.dot(w, [1, 1], false);
    let (mut cache, mut sums) = (w.clone(), product(w));
    for row in 0..3 {
        cache.values[row * 64..][..64].copy_from_slice(&new.values);
        sums = sums.zip(&product(&cache), |sum, added| sum + added);
    }
    let mut arguments = inputs(&arrays);
    for scalar in [0, 1, 3] {
        arguments.push(HostArray::new::<S32>(&[], &[scalar]).expect("a scalar"));
    }
    for mesh in [pod(), alone(&pod())] {
        let before = arguments.clone();
        for _ in 0..2 {
            let found = run(text, &mesh, &arguments);
            assert_eq!(arguments, before);
            let expected = [&product(w), &cache, &sums, &product(w)];
            for (found, expected) in found.iter().zip(expected) {
                check_close(found, expected, "a result");
            }
        }
    }
}

/// Devices that are threads may be given the same array.
#[test]
fn devices_share_an_array_that_one_of_them_writes_over() {
    let text = r#"
        mesh Pod;
        fn f(x: f32[3,256], w: f32[256,48]) {
            let y = dot(x, w);
            let scaled = mul(w, w);
            return y, scaled, add(scaled, w);
        }
    "#;
    let arrays = [Plain::numbers(&[3, 256], 1), Plain::numbers(&[256, 48], 2)];
    let arguments = inputs(&arrays);
    let mesh = pod();
    let program = program(text, std::slice::from_ref(&mesh)).expect("a program");
    let runner = Runner::new(&program).expect("kernels");
    let results = threads::run(mesh.devices(), |transport| {
        let first = runner.run(transport, &arguments).expect("results");
        let second = runner.run(transport, &arguments).expect("results");
        assert_eq!(first, second);
        first
    });
    let [x, w] = &arrays;
    let scaled = w.map(|x| x * x);
    let expected = [x.dot(w, [1, 0], false), scaled.clone(), scaled.zip(w, |a, b| a + b)];
    for found in results {
        for (found, expected) in found.iter().zip(&expected) {
            check_close(found, expected, "a result of a device");
        }
    }
    assert_eq!(arguments, inputs(&arrays));
}

/// Products of narrow weights by few rows, which are packed in pairs, are those of weights that are packed anew each time.
#[test]
fn narrow_weights_give_the_same_bits_in_each_run() {
    let text = r#"
        mesh Pod;
        fn f(x: bf16[4,72], w: bf16[72,272] [{}, {"model"}]) {
            let kept = dot(x, w);
            let fresh = dot(x, mul(w, convert(sub(reshard(w), reshard(w)), type=bf16)));
            return kept, fresh;
        }
    "#;
    let values = |count: usize| -> Vec<_> {
        (0..count).map(|n| bf16::from_f32((n % 23) as f32 / 16.0 - 0.5)).collect()
    };
    let x = HostArray::new::<BF16>(&[4, 72], &values(4 * 72)).expect("an array");
    let w = HostArray::new::<BF16>(&[72, 272], &values(72 * 272)).expect("an array");
    let plain = |array: &HostArray| Plain {
        dims: array.dims().to_vec(),
        values: array.values::<BF16>().expect("bf16").iter().map(|x| x.to_f64()).collect(),
    };
    let expected = plain(&x).dot(&plain(&w), [1, 0], false);
    for mesh in [pod(), alone(&pod())] {
        let found = run(text, &mesh, &[x.clone(), w.clone()]);
        assert_eq!(found, run(text, &mesh, &[x.clone(), w.clone()]));
        let products = found[0].values::<BF16>().expect("bf16");
        for (found, expected) in products.iter().zip(&expected.values) {
            let error = (found.to_f64() - expected).abs();
            assert!(error <= 0.01 * (1.0 + expected.abs()), "{found}, not {expected}");
        }
        assert!(found[1].values::<BF16>().expect("bf16").iter().all(|x| x.to_f32() == 0.0));
    }
}

mesh! { Ring = ["model" = 2] }

propagate! {
    run;
    mesh Ring;
    fn step(x: f32[4,96]{1,0:T(8,128)}, w: f32[96,96]{1,0:T(8,128)} [{}, {"model"}]) {
        let y = dot(x, w);
        let w_new = add(w, w);
        return y, w_new;
    }
}

/// A shard keeps the form that a program takes until it is written to.
#[test]
fn a_typed_shard_is_written_to_between_runs() {
    let (x, w) = (Plain::numbers(&[4, 96], 1), Plain::numbers(&[96, 96], 2));
    let values = |array: &Plain| array.values.iter().map(|x| *x as f32).collect::<Vec<_>>();
    let (root_x, root_w) = (values(&x), values(&w));
    let found = threads::run(2, |transport| {
        let is_first = transport.device() == 0;
        let x = Sharded::<step::x>::scatter(transport, 0, is_first.then_some(&root_x))?;
        let mut w = Sharded::<step::w>::scatter(transport, 0, is_first.then_some(&root_w))?;
        let (first, doubled) = step::run(transport, &x, &w)?;
        let kept = w.to_host()?;
        let copy = w.clone();
        assert_eq!(kept.as_bytes().as_ptr(), copy.to_host()?.as_bytes().as_ptr());
        w.local_mut().map_in_place(|x| x * 4.0);
        let (second, _) = step::run(transport, &x, &w)?;
        let (third, _) = step::run(transport, &x, &copy)?;
        assert_eq!(kept.as_bytes().as_ptr(), copy.to_host()?.as_bytes().as_ptr());
        assert_eq!(first.local(), third.local());
        assert_eq!(doubled.local().get([1, 1]), 2.0 * copy.local().get([1, 1]));
        Ok::<_, RunError>((first.gather(transport, 0)?, second.gather(transport, 0)?))
    });
    let [first, second] = match &found[0] {
        Ok((Some(first), Some(second))) => [first, second],
        other => panic!("{other:?}"),
    };
    let expected = x.dot(&w, [1, 0], false);
    for ((first, second), expected) in first.iter().zip(second).zip(&expected.values) {
        assert!((f64::from(*first) - expected).abs() < 1e-4, "{first}, not {expected}");
        assert!((f64::from(*second) - 4.0 * expected).abs() < 4e-4, "{second}, not 4 times");
    }
}

/// Arrays that repeat one element, as operands on each side of each operation that reads them so.
#[test]
fn one_element_is_repeated() {
    let text = r#"
        mesh Pod padded;
        fn f(x: f32[5,3] [{"data"}, {}], c: f32[]) {
            let all = broadcast_in_dim(c, [5, 3], []);
            let more = add(all, all);
            let a = sub(x, all);
            let b = sub(all, x);
            let p = compare(x, all, direction=LT);
            let s = select(p, all, x);
            let t = select(p, x, all);
            let u = select(compare(all, all, direction=EQ), x, more);
            let wide = broadcast_in_dim(c, [5, 3], []);
            let k = clamp(c, x, more);
            let total = reduce(b, [0, 1]);
            return a, b, s, t, u, k, more, wide, total;
        }
    "#;
    let arrays = [Plain::numbers(&[5, 3], 1), Plain { dims: vec![], values: vec![0.125] }];
    let x = &arrays[0];
    let (c, of) = (0.125, |f: fn(f64) -> f64| x.map(f));
    let constant = |value: f64| Plain { dims: vec![5, 3], values: vec![value; 15] };
    let expected = [
        of(|x| x - 0.125),
        of(|x| 0.125 - x),
        of(|x| x.max(0.125)),
        of(|x| x.min(0.125)),
        x.clone(),
        of(|x| x.clamp(0.125, 0.25)),
        constant(2.0 * c),
        constant(c),
        of(|x| 0.125 - x).sum(1).sum(0),
    ];
    super::check(text, r#"<["data"=2, "model"=2]>"#, &arrays, &expected);
}
