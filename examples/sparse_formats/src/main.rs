//! One matrix in a dozen sparse encodings: what each takes, how long it takes to build, and how long to multiply.
//!
//! ```sh
//! cargo run --release -p sparse_formats -- matrix.mtx
//! ```

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
    /// A Matrix Market file.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/karate.mtx"))]
    file: PathBuf,
    /// How often each multiplication is repeated; the best time counts.
    #[arg(long, default_value_t = 20)]
    repeat: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { file, repeat } = Arguments::parse();
    let reader = MarketReader::<_, f64>::new(BufReader::new(File::open(&file)?))?;
    let shape = reader.shape();
    println!(
        "{}: {} by {}, {} {}",
        file.display(),
        shape[0],
        shape[1],
        reader.field().name(),
        reader.symmetry().name()
    );
    let entries = reader.collect::<Result<Vec<_>, _>>()?;
    println!("{} entries\n", entries.len());
    println!("{}", draw::draw(shape, &entries));

    let mut x = zeros(shape[1])?;
    x.iter_mut().enumerate().for_each(|(j, x)| *x = 1.0 + (j % 7) as f64);
    // Each sum, and that of its terms without signs, to which the rounding errors are relative.
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
                // Where terms overflow or are not numbers, the sum depends on their order.
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
    Ok(())
}

/// A vector of zeros, if there is memory for it.
fn zeros(len: usize) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut zeros = Vec::new();
    if zeros.try_reserve_exact(len).is_err() {
        return Err(format!("no memory for a vector of {len} elements").into());
    }
    zeros.resize(len, 0.0);
    Ok(zeros)
}
