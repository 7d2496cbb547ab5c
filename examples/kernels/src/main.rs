//! Runs the kernels, and prints how long they take.
//!
//! ```sh
//! cargo run --release -p kernels
//! ```

use kernels::model::{BATCH, HIDDEN, WIDTH};
use kernels::{int8, layer_norm, mlp};
use std::hint::black_box;
use std::time::{Duration, Instant};
use tensor_layout::{PackError, Packed, Product};

/// The number of runs, of which the fastest is reported. Without optimization, there are as many as fit in `LIMIT`.
const RUNS: u32 = 50;
const LIMIT: Duration = Duration::from_secs(1);

fn main() -> Result<(), PackError> {
    println!("{BATCH} rows of {WIDTH} numbers, {HIDDEN} hidden numbers each\n");

    let mut rows =
        Packed::<layer_norm::Rows>::try_from_fn(|[i, j]| ((i * 31 + j * 7) % 97) as f32)?;
    let (scale, shift) = ([1.0; WIDTH], [0.0; WIDTH]);
    line(
        "layer norm over tiles",
        layer_norm::Rows::SPEC,
        fastest(|| {
            layer_norm::layer_norm(black_box(&mut rows), &scale, &shift, 1e-5);
        }),
    );
    line(
        "  the library's, for any layout",
        "",
        fastest(|| {
            black_box(&mut rows).layer_norm_in_place(1, &scale, &shift, 1e-5);
        }),
    );

    let (mlp, acts) = mlp::example()?;
    let (mut hidden, mut outputs) = (Packed::zeroed()?, Packed::zeroed()?);
    line(
        "fused MLP",
        mlp::Hidden::SPEC,
        fastest(|| {
            mlp.forward(black_box(&acts), &mut hidden, &mut outputs);
        }),
    );

    let (weights, acts8) = (int8::weights(&mlp.weights1)?, int8::activations(&acts)?);
    line(
        "product of int8 with scales",
        int8::W1Int8::SPEC,
        fastest(|| {
            int8::multiply(black_box(&acts8), &weights, &mut hidden);
        }),
    );
    line(
        "  the same in bf16",
        kernels::model::W1::SPEC,
        fastest(|| {
            Product::of(black_box(&acts), &mlp.weights1).write_to(&mut hidden);
        }),
    );

    println!(
        "\nLook next at src/layer_norm.rs, a kernel by hand; at examples/kernels/LAYOUTS.md, what each layout takes; and at\n\
         its pictures: `cargo doc --open -p kernels`."
    );
    Ok(())
}

fn line(name: &str, layout: impl ToString, time: Duration) {
    println!("{name:<32} {:<36} {:>9.1} us", layout.to_string(), time.as_secs_f64() * 1e6);
}

fn fastest(mut run: impl FnMut()) -> Duration {
    let first = Instant::now();
    let mut fastest = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        run();
        fastest = start.elapsed().min(fastest);
        if first.elapsed() > LIMIT {
            break;
        }
    }
    fastest
}
