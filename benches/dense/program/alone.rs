//! Programs on one device, compared with the same computations by hand.

use super::{TEXT, inputs, values};
use std::hint::black_box;
use std::time::{Duration, Instant};
use tensor_layout::half::bf16;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::run::program::{HostArray, Runner};
use tensor_layout::sharding::run::threads;
use tensor_layout::{BF16, F32, Layout, Packed, matmul, tiled, tpu};

type Rows<const M: usize, const N: usize> = tiled!(f32[M,N]);
type Array<const M: usize, const N: usize> = Packed<Rows<M, N>>;

/// A step that trains two layers.
const STEP: &str = r#"
    mesh Pod;
    fn step(x: f32[512,1024] [{"data"}, {}], w1: f32[1024,4096] [{}, {"model"}], w2: f32[4096,1024] [{"model"}, {}],
            t: f32[512,1024] [{"data"}, {}], rate: f32[]) {
        let h = dot(x, w1);
        let g = tanh(h);
        let y = dot(g, w2);
        let dy = sub(y, t);
        let loss = reduce(mul(dy, dy), [0, 1]);
        let dw2 = dot_general(g, dy, lhs_contracting=[0], rhs_contracting=[0]);
        let dg = dot_general(dy, w2, lhs_contracting=[1], rhs_contracting=[1]);
        let dh = sub(dg, mul(dg, mul(g, g)));
        let dw1 = dot_general(x, dh, lhs_contracting=[0], rhs_contracting=[0]);
        let w1_new = sub(w1, mul(broadcast_in_dim(rate, [1024, 4096], []), dw1));
        let w2_new = sub(w2, mul(broadcast_in_dim(rate, [4096, 1024], []), dw2));
        return loss, w1_new, w2_new;
    }
"#;

/// Two layers of narrow weights for eight rows.
const NARROW: &str = r#"
    mesh Pod;
    fn layers(x: bf16[8,1024] [{"data"}, {}], w1: bf16[1024,4096] [{}, {"model"}], w2: bf16[4096,1024] [{"model"}, {}]) {
        let y = dot(dot(x, w1), w2);
        return y;
    }
"#;

/// The number of operations of a program of tiny arrays.
const TINY: usize = 1000;

/// The number of runs of each work, of which the fastest counts.
const RUNS: usize = 9;

/// The fastest of alternating runs of a program and of the same computation by hand.
fn fastest<R>(text: &str, by_hand: impl Fn() -> R + Sync) -> [Duration; 2] {
    let mesh = r#"<["data"=1, "model"=1]>"#.parse().expect("a mesh");
    let program = Program::new(text, &mesh).expect("a program");
    let runner = Runner::new(&program).expect("all operations have kernels");
    let inputs = inputs(&program);
    let fastest = threads::run(1, |transport| {
        let mut fastest = [Duration::MAX; 2];
        for _ in 0..RUNS {
            let start = Instant::now();
            black_box(runner.run(transport, &inputs).expect("results"));
            let middle = Instant::now();
            black_box(by_hand());
            let times = [middle - start, middle.elapsed()];
            fastest = [fastest[0].min(times[0]), fastest[1].min(times[1])];
        }
        fastest
    });
    fastest[0]
}

fn array<const M: usize, const N: usize>() -> Array<M, N> {
    Array::pack(&values(M * N).collect::<Vec<_>>()).expect("memory")
}

fn gradient() -> [Duration; 2] {
    let (x, w1, w2) = (array::<512, 1024>(), array::<1024, 4096>(), array::<4096, 1024>());
    fastest(TEXT, || {
        let mut h: Array<512, 4096> = matmul(&x, &w1);
        h.map_in_place(f32::tanh);
        let y: Array<512, 1024> = matmul(&h, &w2);
        let d2: Array<4096, 1024> = matmul(&h.transposed(), &y);
        let dh: Array<512, 4096> = matmul(&y, &w2.transposed());
        let d1: Array<1024, 4096> = matmul(&x.transposed(), &dh);
        (d1, d2)
    })
}

fn step() -> [Duration; 2] {
    let (x, w1, w2) = (array::<512, 1024>(), array::<1024, 4096>(), array::<4096, 1024>());
    let (t, rate) = (array::<512, 1024>(), black_box(0.125));
    fastest(STEP, || {
        let mut g: Array<512, 4096> = matmul(&x, &w1);
        g.map_in_place(f32::tanh);
        let mut dy: Array<512, 1024> = matmul(&g, &w2);
        dy.zip_in_place(&t, |y, t| y - t);
        let loss: f64 = dy.fold(&[0, 1], 0.0, |sum, dy| sum + f64::from(dy * dy), |a, b| a + b)[0];
        let mut w2_new: Array<4096, 1024> = matmul(&g.transposed(), &dy);
        let mut dh: Array<512, 4096> = matmul(&dy, &w2.transposed());
        dh.zip_in_place(&g, |dg, g| dg - dg * (g * g));
        let mut w1_new: Array<1024, 4096> = matmul(&x.transposed(), &dh);
        w1_new.zip_in_place(&w1, |dw, w| w - rate * dw);
        w2_new.zip_in_place(&w2, |dw, w| w - rate * dw);
        (loss, w1_new, w2_new)
    })
}

fn narrow() -> [Duration; 2] {
    fn array<L: Layout<Element = BF16>>() -> Packed<L> {
        let count = L::DIMS.as_ref().iter().product();
        Packed::pack(&values(count).map(bf16::from_f32).collect::<Vec<_>>()).expect("memory")
    }
    let x = array::<tpu!(bf16[8,1024])>();
    let (w1, w2) = (array::<tpu!(bf16[1024,4096])>(), array::<tpu!(bf16[4096,1024])>());
    fastest(NARROW, || {
        let h = matmul::<_, _, tpu!(bf16[8,4096])>(&x, &w1);
        matmul::<_, _, tpu!(bf16[8,1024])>(&h, &w2)
    })
}

/// Many operations on eight elements.
fn tiny() -> [Duration; 2] {
    let mut text = String::from("mesh Pod; fn f(x: f32[8] [{\"data\"}]) {\n");
    for at in 0..TINY {
        let of = if at == 0 { "x".to_string() } else { format!("v{}", at - 1) };
        text += &format!("let v{at} = add({of}, x);\n");
    }
    text += &format!("return v{}; }}", TINY - 1);
    let x: Vec<f32> = values(8).collect();
    fastest(&text, || {
        let mut v = x.clone();
        for _ in 0..TINY {
            v = v.iter().zip(&x).map(|(v, x)| v + x).collect();
        }
        v
    })
}

/// Many operations on eight elements, each of which takes a part of one operand on each of four devices.
fn slices() -> [Duration; 2] {
    let mut text = String::from("mesh Pod; fn f(x: f32[8] [{}], y: f32[8] [{\"data\"}]) {\n");
    for at in 0..TINY {
        let of = if at == 0 { "y".to_string() } else { format!("v{}", at - 1) };
        text += &format!("let v{at} = add({of}, reshard(x));\n");
    }
    text += &format!("return v{}; }}", TINY - 1);
    let mesh = r#"<["data"=4]>"#.parse().expect("a mesh");
    let program = Program::new(&text, &mesh).expect("a program");
    let runner = Runner::new(&program).expect("all operations have kernels");
    let x: Vec<f32> = values(8).collect();
    let mut fastest = [Duration::MAX; 2];
    for _ in 0..RUNS {
        let start = Instant::now();
        threads::run(4, |transport| {
            let inputs = [(8, &x[..]), (2, &x[..2])]
                .map(|(size, values)| HostArray::new::<F32>(&[size], values).expect("it fits"));
            black_box(runner.run(transport, &inputs).expect("results"));
        });
        let middle = Instant::now();
        for device in 0..4 {
            let mut v = x[..2].to_vec();
            for _ in 0..TINY {
                v = v.iter().zip(&black_box(&x)[2 * device..]).map(|(v, x)| v + x).collect();
            }
            black_box(v);
        }
        let times = [middle - start, middle.elapsed()];
        fastest = [fastest[0].min(times[0]), fastest[1].min(times[1])];
    }
    fastest
}

/// A function that returns the times of a program and of the computation by hand.
type Timed = fn() -> [Duration; 2];

/// Prints each program, with its time and its time relative to the computation by hand.
pub(crate) fn table() {
    let works: [(&str, Timed); 5] = [
        ("perceptron with its gradient", gradient),
        ("training step of two layers", step),
        ("two layers of bf16, 8 rows", narrow),
        ("1000 additions of 8 elements", tiny),
        ("1000 additions of slices, 4 devices", slices),
    ];
    println!("| program | ms | of the time by hand |");
    println!("|---|---|---|");
    for (name, work) in works {
        let [program, by_hand] = work().map(|time| time.as_secs_f64());
        println!("| {name} | {:.3} | {:.2} |", program * 1e3, program / by_hand);
    }
}
