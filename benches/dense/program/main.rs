//! The speedup of a program on more threads: `cargo bench -p dense-bench --bench program`. Each thread is a device with its part of
//! the weights, and they exchange the data of the plan; the sizes stay the same. With `-- alone`, programs on one device, compared
//! with the same computations by hand.

mod alone;

use std::hint::black_box;
use std::time::{Duration, Instant};
use tensor_layout::half::bf16;
use tensor_layout::sharding::Mesh;
use tensor_layout::sharding::program::{NamedValue, Program};
use tensor_layout::sharding::run::program::{HostArray, Runner};
use tensor_layout::sharding::run::{Transport, threads};
use tensor_layout::{BF16, DType, F32};

/// A multilayer perceptron: its gradient with respect to both weights is three more products.
const TEXT: &str = r#"
    mesh Pod;
    fn step(x: f32[512,1024] [{"data"}, {}], w1: f32[1024,4096] [{}, {"model"}], w2: f32[4096,1024] [{"model"}, {}]) {
        let a = dot(x, w1);
        let h = tanh(a);
        let y = dot(h, w2);
        let d2 = dot_general(h, y, lhs_contracting=[0], rhs_contracting=[0]);
        let dh = dot_general(y, w2, lhs_contracting=[1], rhs_contracting=[1]);
        let d1 = dot_general(x, dh, lhs_contracting=[0], rhs_contracting=[0]);
        return d1, d2;
    }
"#;

/// The number of runs of a program.
const RUNS: usize = 5;

/// The row-major elements of an argument of this size.
fn values(count: usize) -> impl Iterator<Item = f32> {
    (0..count).map(|n| (n % 61) as f32 / 610.0 - 0.05)
}

/// The arguments of a program.
fn inputs(program: &Program) -> Vec<HostArray> {
    let input = |value: &NamedValue| {
        let values = values(value.dims.iter().product());
        match value.dtype {
            DType::BF16 => {
                let narrow: Vec<_> = values.map(bf16::from_f32).collect();
                HostArray::new::<BF16>(&value.dims, &narrow)
            }
            _ => HostArray::new::<F32>(&value.dims, &values.collect::<Vec<_>>()),
        }
    };
    let inputs = program.parameters().iter().map(input);
    inputs.collect::<Result<_, _>>().expect("the sizes fit")
}

/// The fastest run on a mesh, and the bytes that each device receives.
fn fastest(mesh: &str) -> (Duration, u64) {
    let mesh: Mesh = mesh.parse().expect("a mesh");
    let program = Program::new(TEXT, &mesh).expect("a program");
    let runner = Runner::new(&program).expect("all operations have kernels");
    let inputs = inputs(&program);
    let devices = threads::run(mesh.devices(), |transport| {
        let root = (transport.device() == 0).then_some(&inputs[..]);
        let shards = runner.scatter(transport, 0, root).expect("shards");
        let mut fastest = Duration::MAX;
        let before = transport.received();
        for _ in 0..RUNS {
            let start = Instant::now();
            black_box(runner.run(transport, &shards).expect("results"));
            fastest = fastest.min(start.elapsed());
        }
        (fastest, (transport.received() - before) / RUNS as u64)
    });
    // The slowest device determines the time.
    devices.into_iter().max().unwrap_or_default()
}

fn main() {
    if std::env::args().any(|word| word == "alone") {
        return alone::table();
    }
    println!("| threads | data | model | ms | times as fast | bytes received |");
    println!("|---|---|---|---|---|---|");
    let mut alone = None;
    for (data, model) in [(1, 1), (2, 1), (1, 2), (4, 1), (2, 2), (1, 4)] {
        let (time, bytes) = fastest(&format!(r#"<["data"={data}, "model"={model}]>"#));
        let alone = *alone.get_or_insert(time);
        println!(
            "| {} | {data} | {model} | {:.1} | {:.2} | {bytes} |",
            data * model,
            time.as_secs_f64() * 1e3,
            alone.as_secs_f64() / time.as_secs_f64()
        );
    }
}
