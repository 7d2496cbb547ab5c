//! Small models: the MLP of the README, its gradient, and an attention block.

use super::check;
use super::plain::Plain;

const POD: &str = r#"<["data"=2, "model"=4]>"#;

#[test]
fn an_mlp() {
    let text = r#"
        mesh Pod;
        fn mlp(x: f32[8,16] [{"data"}, {}], w1: f32[16,32] [{}, {"model"}], w2: f32[32,16]) {
            let h = dot(x, w1);
            let y = dot(tanh(h), w2);
            return y;
        }
    "#;
    let (x, w1, w2) =
        (Plain::numbers(&[8, 16], 1), Plain::numbers(&[16, 32], 2), Plain::numbers(&[32, 16], 3));
    let y = x.dot(&w1, [1, 0], false).map(f64::tanh).dot(&w2, [1, 0], false);
    check(text, POD, &[x, w1, w2], &[y]);
}

/// The gradient of half the sum of squares of `mlp(x) - t`, with data and model parallelism; the gradient of `w1` is also
/// checked by finite differences.
#[test]
fn an_mlp_with_gradient() {
    let text = r#"
        mesh Pod;
        fn step(x: f32[8,16] [{"data"}, {}], w1: f32[16,32] [{}, {"model"}], w2: f32[32,16] [{"model"}, {}],
                t: f32[8,16] [{"data"}, {}], rate: f32[]) {
            let h = dot(x, w1);
            let g = tanh(h);
            let y = dot(g, w2);
            let dy = sub(y, t);
            let loss = reduce(mul(dy, dy), [0, 1]);
            let dw2 = dot_general(g, dy, lhs_contracting=[0], rhs_contracting=[0]);
            let dg = dot_general(dy, w2, lhs_contracting=[1], rhs_contracting=[1]);
            let dh = sub(dg, mul(dg, mul(g, g)));
            let dw1 = dot_general(x, dh, lhs_contracting=[0], rhs_contracting=[0]);
            let w1_new = sub(w1, mul(broadcast_in_dim(rate, [16, 32], []), dw1));
            let w2_new = sub(w2, mul(broadcast_in_dim(rate, [32, 16], []), dw2));
            return loss, dw1, dw2, w1_new, w2_new;
        }
    "#;
    let arrays = [
        Plain::numbers(&[8, 16], 1),
        Plain::numbers(&[16, 32], 2),
        Plain::numbers(&[32, 16], 3),
        Plain::numbers(&[8, 16], 4),
        Plain { dims: vec![], values: vec![0.125] },
    ];
    let [x, w1, w2, t, _] = &arrays;
    let loss = |w1: &Plain| {
        let y = x.dot(w1, [1, 0], false).map(f64::tanh).dot(w2, [1, 0], false);
        y.zip(t, |y, t| (y - t) * (y - t))
    };
    let g = x.dot(w1, [1, 0], false).map(f64::tanh);
    let dy = g.dot(w2, [1, 0], false).zip(t, |y, t| y - t);
    let dw2 = g.dot(&dy, [0, 0], false);
    let dg = dy.dot(w2, [1, 1], false);
    let dw1 = x.dot(&dg.zip(&g, |dg, g| dg * (1.0 - g * g)), [0, 0], false);
    for at in [0, 77, 511] {
        let moved = |by: f64| {
            let mut w1 = w1.clone();
            w1.values[at] += by;
            0.5 * loss(&w1).values.iter().sum::<f64>()
        };
        let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        assert!((slope - dw1.values[at]).abs() < 1e-6, "{slope} and {}", dw1.values[at]);
    }
    let step = |w: &Plain, dw: &Plain| w.zip(dw, |w, dw| w - 0.125 * dw);
    let expected =
        [loss(w1).sum(1).sum(0), dw1.clone(), dw2.clone(), step(w1, &dw1), step(w2, &dw2)];
    check(text, POD, &arrays, &expected);
}

/// Attention with heads over one axis and the batch over the other; causal, by `iota`.
#[test]
fn an_attention_block() {
    let text = r#"
        mesh Pod;
        fn attention(x: f32[4,6,8] [{"data"}, {}, {}], wq: f32[8,4,2] [{}, {"model"}, {}], wk: f32[8,4,2], wv: f32[8,4,2],
                     wo: f32[4,2,8], least: f32[]) {
            let q = dot_general(x, wq, lhs_contracting=[2], rhs_contracting=[0]);
            let k = dot_general(x, wk, lhs_contracting=[2], rhs_contracting=[0]);
            let v = dot_general(x, wv, lhs_contracting=[2], rhs_contracting=[0]);
            let s = dot_general(q, k, lhs_batch=[0, 2], rhs_batch=[0, 2], lhs_contracting=[3], rhs_contracting=[3]);
            let seen = compare(iota(s32[6,6], 0), iota(s32[6,6], 1), direction=GE);
            let mask = broadcast_in_dim(seen, [4, 4, 6, 6], [2, 3]);
            let e = exp(select(mask, s, broadcast_in_dim(least, [4, 4, 6, 6], [])));
            let z = reduce(e, [3]);
            let p = div(e, broadcast_in_dim(z, [4, 4, 6, 6], [0, 1, 2]));
            let o = dot_general(p, v, lhs_batch=[0, 1], rhs_batch=[0, 2], lhs_contracting=[3], rhs_contracting=[1]);
            let a = transpose(o, [0, 2, 1, 3]);
            let y = dot_general(a, wo, lhs_contracting=[2, 3], rhs_contracting=[0, 1]);
            return add(x, y);
        }
    "#;
    let mut arrays = vec![Plain::numbers(&[4, 6, 8], 1)];
    arrays.extend((2..5).map(|seed| Plain::numbers(&[8, 4, 2], seed)));
    arrays.push(Plain::numbers(&[4, 2, 8], 5));
    arrays.push(Plain { dims: vec![], values: vec![-1e9] });
    let [x, wq, wk, wv, wo] = [0, 1, 2, 3, 4].map(|at| &arrays[at]);
    let [q, k, v] = [wq, wk, wv].map(|w| x.dot(w, [2, 0], false));
    let attended = Plain::from_fn(&[4, 6, 4, 2], |index| {
        let &[b, i, h, d] = &index[..] else { unreachable!("four dimensions") };
        let score =
            |j: usize| -> f64 { (0..2).map(|c| q.at(&[b, i, h, c]) * k.at(&[b, j, h, c])).sum() };
        let weights: Vec<_> = (0..=i).map(|j| score(j).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().enumerate().map(|(j, w)| w / sum * v.at(&[b, j, h, d])).sum()
    });
    let y = attended.reshape(&[4, 6, 8]).dot(&wo.reshape(&[8, 8]), [2, 0], false);
    let expected = x.zip(&y, |x, y| x + y);
    check(text, POD, &arrays, &[expected]);
}

/// JAX's numbers, from `jax.value_and_grad` on 8 host devices: tests/golden/program_run/mlp_grad.py.
#[test]
fn a_step_gives_what_jax_gives() {
    let text = r#"
        mesh Pod;
        fn step(x: f32[8,4] [{"data"}, {}], w1: f32[4,8] [{}, {"model"}], w2: f32[8,4] [{"model"}, {}],
                t: f32[8,4] [{"data"}, {}], two: f32[], rate: f32[]) {
            let g = tanh(dot(x, w1));
            let e = sub(dot(g, w2), t);
            let loss = reduce(mul(e, e), [0, 1]);
            let dy = mul(e, broadcast_in_dim(two, [8, 4], []));
            let dw2 = dot_general(g, dy, lhs_contracting=[0], rhs_contracting=[0]);
            let dg = dot_general(dy, w2, lhs_contracting=[1], rhs_contracting=[1]);
            let dw1 = dot_general(x, sub(dg, mul(dg, mul(g, g))), lhs_contracting=[0], rhs_contracting=[0]);
            let w1_new = sub(w1, mul(broadcast_in_dim(rate, [4, 8], []), dw1));
            let w2_new = sub(w2, mul(broadcast_in_dim(rate, [8, 4], []), dw2));
            return loss, dw1, dw2, w1_new, w2_new;
        }
    "#;
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../golden/program_run/mlp_grad.json"))
            .expect("a golden file");
    let arrays = |key: &str, shapes: &[&[usize]]| -> Vec<Plain> {
        let lists = golden[key].as_array().expect("a list");
        assert_eq!(lists.len(), shapes.len());
        let numbers = |list: &serde_json::Value| -> Vec<f64> {
            let list = list.as_array().expect("a list").iter();
            list.map(|number| number.as_f64().expect("a number")).collect()
        };
        let of = |(list, dims): (&serde_json::Value, &&[usize])| Plain {
            dims: dims.to_vec(),
            values: numbers(list),
        };
        lists.iter().zip(shapes).map(of).collect()
    };
    let mut inputs = arrays("inputs", &[&[8, 4], &[4, 8], &[8, 4], &[8, 4]]);
    inputs.extend([2.0, 0.125].map(|number| Plain { dims: vec![], values: vec![number] }));
    let expected = arrays("outputs", &[&[], &[4, 8], &[8, 4], &[4, 8], &[8, 4]]);
    check(text, POD, &inputs, &expected);
}
