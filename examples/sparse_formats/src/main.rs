//! One matrix in a dozen sparse encodings: the bytes of each, and the times to build it and to multiply with it.
//!
//! ```sh
//! cargo run --release -p sparse_formats -- matrix.mtx
//! ```
//!
//! Without a file, the matrix describes a grid of 256 by 256 points, in which each point depends on itself and the eight around it.

mod draw;
mod formats;

use clap::Parser;
use formats::{FORMATS, Measured};
use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use tensor_layout::sparse::files::MarketReader;

/// Stores a matrix in a dozen sparse encodings, and compares them.
#[derive(Parser)]
struct Arguments {
    /// A Matrix Market file, such as `examples/sparse_formats/karate.mtx`. Without one, a grid.
    file: Option<PathBuf>,
    /// The number of times that each multiplication is repeated; the best time counts.
    #[arg(long, default_value_t = 20)]
    repeat: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { file, repeat } = Arguments::parse();
    let (shape, entries) = match &file {
        Some(file) => {
            let reader = MarketReader::<_, f64>::new(BufReader::new(File::open(file)?))?;
            let shape = reader.shape();
            let (field, symmetry) = (reader.field().name(), reader.symmetry().name());
            println!("{}: {} by {}, {field} {symmetry}", file.display(), shape[0], shape[1]);
            (shape, reader.collect::<Result<Vec<_>, _>>()?)
        }
        None => {
            println!("a grid of {SIDE} by {SIDE} points: {0} by {0}", SIDE * SIDE);
            ([SIDE * SIDE; 2], grid())
        }
    };
    println!("{} entries\n", entries.len());
    println!("{}", draw::draw(shape, &entries));

    let mut x = zeros(shape[1])?;
    x.iter_mut().enumerate().for_each(|(j, x)| *x = 1.0 + (j % 7) as f64);
    // Each sum, and the sum of the absolute values of its terms, which bounds the rounding error.
    let (mut expected, mut sizes) = (zeros(shape[0])?, zeros(shape[0])?);
    for ([i, j], value) in &entries {
        expected[*i] += value * x[*j];
        sizes[*i] += (value * x[*j]).abs();
    }
    println!("{:<22} {:>10} {:>10} {:>14}  encoding", "", "bytes", "build", "multiply");
    for format in FORMATS {
        print!("{:<22} ", format.name);
        match (format.measure)(shape, &entries, &x, repeat) {
            Ok(Measured { bytes, build, multiply, y }) => {
                // If terms overflow or are NaN, the sum depends on their order.
                let is_close = |(a, (b, size)): (&f64, (&f64, &f64))| {
                    (a - b).abs() <= 1e-9 * size || !size.is_finite()
                };
                if !y.iter().zip(expected.iter().zip(&sizes)).all(is_close) {
                    return Err(format!("{} gives another product", format.name).into());
                }
                let each = multiply.as_secs_f64() * 1e9 / entries.len().max(1) as f64;
                println!(
                    "{bytes:>10} {:>7.1} us {each:>6.2} ns/entry  {}",
                    build.as_secs_f64() * 1e6,
                    (format.text)()
                );
            }
            Err(error) => println!("does not fit: {error}"),
        }
    }
    println!("\nAll products agree.");
    if file.is_none() {
        println!(
            "\nNext: give a matrix of your own, `-- matrix.mtx`, such as one of https://sparse.tamu.edu; draw an encoding,\n\
             `layout show '(i, j) -> (i : dense, j : compressed)'`; run kernels that a macro writes for each encoding,\n\
             `cargo run --release --example sparse_kernels`."
        );
    }
    Ok(())
}

/// The number of points along a side of the grid.
const SIDE: usize = 256;

/// The matrix of a difference equation on a square grid, which has nine diagonals.
fn grid() -> Vec<([usize; 2], f64)> {
    let near = |i: usize| i.saturating_sub(1)..(i + 2).min(SIDE);
    let mut entries = Vec::new();
    for (i, j) in (0..SIDE).flat_map(|i| (0..SIDE).map(move |j| (i, j))) {
        for (k, l) in near(i).flat_map(|k| near(j).map(move |l| (k, l))) {
            let value = if (i, j) == (k, l) { 8.0 } else { -1.0 };
            entries.push(([i * SIDE + j, k * SIDE + l], value));
        }
    }
    entries
}

/// A vector of zeros, or an error if memory for it cannot be allocated.
fn zeros(len: usize) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut zeros = Vec::new();
    if zeros.try_reserve_exact(len).is_err() {
        return Err(format!("no memory for a vector of {len} elements").into());
    }
    zeros.resize(len, 0.0);
    Ok(zeros)
}
