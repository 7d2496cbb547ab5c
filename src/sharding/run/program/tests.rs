//! What arrays keep: the forms that products make of them.

use super::{HostArray, Runner};
use crate::element::{BF16, F32, S32};
use crate::sharding::run::threads;
use alloc::vec::Vec;
use half::bf16;
use layout_core::sharding::program::Program;

/// Runs a program on one device, as often as `runs` says.
fn run(text: &str, inputs: &[HostArray], runs: usize) -> Vec<HostArray> {
    let mesh = r#"<["x"=1]>"#.parse().expect("a mesh");
    let program = Program::new(text, &mesh).expect("a program");
    let runner = Runner::new(&program).expect("kernels");
    let mut results = threads::run(1, |transport| {
        let runs = (0..runs).map(|_| runner.run(transport, inputs).expect("results"));
        let mut runs: Vec<_> = runs.collect();
        assert!(runs.windows(2).all(|pair| pair[0] == pair[1]));
        runs.pop().expect("a run")
    });
    results.pop().expect("a device")
}

fn single(dims: &[usize]) -> HostArray {
    let values: Vec<_> =
        (0..dims.iter().product::<usize>()).map(|n| (n % 19) as f32 / 19.0).collect();
    HostArray::new::<F32>(dims, &values).expect("an array")
}

fn narrow(dims: &[usize]) -> HostArray {
    let values: Vec<_> =
        (0..dims.iter().product()).map(|n: usize| bf16::from_f32((n % 7) as f32)).collect();
    HostArray::new::<BF16>(dims, &values).expect("an array")
}

#[test]
fn a_weight_is_packed_once_for_each_order_in_which_products_read_it() {
    let text = "mesh Pod; fn f(x: f32[4,64], w: f32[64,128]) {
        let h = dot(x, w);
        let y = dot_general(h, w, lhs_contracting=[1], rhs_contracting=[1]);
        let z = dot_general(tanh(h), w, lhs_contracting=[1], rhs_contracting=[1]);
        return y, z;
    }";
    let (x, w) = (single(&[4, 64]), single(&[64, 128]));
    run(text, &[x.clone(), w.clone()], 3);
    // In the order of its rows it is read in place.
    assert_eq!((x.forms(), w.forms()), (0, 1));
    let (text, x, w) = (text.replace("f32", "bf16"), narrow(&[4, 64]), narrow(&[64, 128]));
    run(&text, &[x.clone(), w.clone()], 3);
    // Columns of 64 elements are too short for tiles, but not for rows of 128.
    assert_eq!((x.forms(), w.forms()), (0, 2));
}

#[test]
fn an_array_that_a_loop_reads_is_packed_once() {
    let text = "mesh Pod; fn f(x: f32[4,64], w: f32[64,64], n: s32[], one: s32[]) {
        let (left, y, same) = while (k = n, h = reshard(x), own = reshard(w)) cond {
            return compare(k, one, direction=GE);
        } do {
            let next = dot_general(h, own, lhs_contracting=[1], rhs_contracting=[1]);
            return sub(k, one), tanh(next), own;
        };
        return y, same;
    }";
    let scalar = |value| HostArray::new::<S32>(&[], &[value]).expect("a scalar");
    let w = single(&[64, 64]);
    let found = run(text, &[single(&[4, 64]), w.clone(), scalar(5), scalar(1)], 2);
    assert_eq!(w.forms(), 1);
    // The result is the argument itself.
    assert_eq!(found[1].forms(), 1);
}

#[test]
fn an_array_that_is_computed_in_each_run_is_not_packed() {
    let text = "mesh Pod; fn f(x: f32[4,64], w: f32[64,64]) {
        let v = tanh(w);
        let y = dot_general(x, v, lhs_contracting=[1], rhs_contracting=[1]);
        return y, v;
    }";
    let found = run(text, &[single(&[4, 64]), single(&[64, 64])], 2);
    assert_eq!(found[1].forms(), 0);
}

#[test]
fn a_write_removes_the_forms_of_the_array_alone() {
    let text = "mesh Pod; fn f(x: f32[4,64], w: f32[64,64]) {
        let y = dot_general(x, w, lhs_contracting=[1], rhs_contracting=[1]);
        return y;
    }";
    let (x, mut w) = (single(&[4, 64]), single(&[64, 64]));
    let first = run(text, &[x.clone(), w.clone()], 1);
    let copy = w.clone();
    w.as_bytes_mut().expect("memory").fill(0);
    assert_eq!((w.forms(), copy.forms()), (0, 1));
    let zero = run(text, &[x.clone(), w.clone()], 1);
    assert!(zero[0].as_bytes().iter().all(|byte| *byte == 0));
    assert_eq!(run(text, &[x, copy.clone()], 1), first);
    // A unique array is written in place, and loses its form too.
    assert_eq!(w.forms(), 1);
    let before = w.as_bytes().as_ptr();
    w.as_bytes_mut().expect("memory").fill(1);
    assert_eq!((w.forms(), w.as_bytes().as_ptr()), (0, before));
}

#[test]
fn a_reshape_and_an_argument_that_is_returned_share_their_bytes() {
    let text = "mesh Pod; fn f(w: f32[64,64]) {
        let flat = reshape(w, [4096]);
        return flat, w;
    }";
    let w = single(&[64, 64]);
    let found = run(text, core::slice::from_ref(&w), 1);
    assert!(found.iter().all(|array| array.as_bytes().as_ptr() == w.as_bytes().as_ptr()));
    assert_eq!((found[0].dims(), found[1].dims()), (&[4096][..], &[64, 64][..]));
}
