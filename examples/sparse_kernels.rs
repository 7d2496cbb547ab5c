//! Kernels that `sparse_kernel!` generates for one matrix in several encodings: the time of each, and whether the results agree.
//!
//! `cargo run --release --example sparse_kernels [matrix.mtx]`
//!
//! Without a file the matrix is the graph of a grid of 256 by 256 vertices, each joined to the eight around it.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::time::Instant;
use tensor_layout::sparse::{BuildError, Duplicates, Encoding, SparseTensor};
use tensor_layout::sparsify::{Dense, KernelError};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Csc = (i, j) -> (j : dense, i : compressed);
    type Coo = (i, j) -> (i : compressed(nonunique), j : singleton);
    type Bsr = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense);
    type Dia = (i, j) -> (j - i : compressed, i : range);
}

sparse_kernel! {
    fn rows_times_x(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = a[i, j] * x[j] }
    fn columns_times_x(a: Csc<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = a[i, j] * x[j] }
    fn entries_times_x(a: Coo<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = a[i, j] * x[j] }
    fn blocks_times_x(a: Bsr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = a[i, j] * x[j] }
    fn diagonals_times_x(a: Dia<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = a[i, j] * x[j] }
    /// The number of paths from one vertex to another through a third.
    fn paths(a: Csr<f64>[i, k], b: Csr<f64>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, k] * b[k, j] }
    /// Those paths that an edge closes: each triangle counts six times.
    fn closed(a: Csr<f64>[i, j], p: Csr<f64>[i, j]) -> s: f64 { s += a[i, j] * p[i, j] }
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1);
    let matrix: SparseTensor<Csr, f64> = match &file {
        Some(file) => {
            SparseTensor::read_matrix_market(BufReader::new(File::open(file)?), Duplicates::Error)?
        }
        None => grid(256)?,
    };
    let [rows, columns] = matrix.shape();
    let name = file.as_deref().unwrap_or("a grid of 256 by 256 vertices");
    println!("{name}: {rows} by {columns}, {} entries\n", matrix.number_of_entries());

    let x: Vec<f64> = (0..columns).map(|j| 1.0 + (j % 7) as f64).collect();
    let mut expected = vec![0.0; rows];
    matrix.for_each(|[i, j], value| expected[i] += value * x[j]);
    println!("{:<20} {:<44} {:>12}", "kernel", "encoding", "time");
    times_x("rows_times_x", &matrix, |a| rows_times_x(a, &x), &expected)?;
    times_x("columns_times_x", &matrix.convert::<Csc>()?, |a| columns_times_x(a, &x), &expected)?;
    times_x("entries_times_x", &matrix.convert::<Coo>()?, |a| entries_times_x(a, &x), &expected)?;
    times_x("blocks_times_x", &matrix.convert::<Bsr>()?, |a| blocks_times_x(a, &x), &expected)?;
    times_x(
        "diagonals_times_x",
        &matrix.convert::<Dia>()?,
        |a| diagonals_times_x(a, &x),
        &expected,
    )?;

    if rows == columns {
        let paths = timed("paths", map::<Csr>(), || paths(&matrix, &matrix))?;
        let closed = timed("closed", map::<Csr>(), || closed(&matrix, &paths))?;
        println!(
            "\n{} pairs have a vertex between them, and {} triangles close.",
            paths.number_of_entries(),
            closed / 6.0
        );
    }
    println!("All products agree.");
    if file.is_none() {
        println!(
            "\nNext: give a matrix of your own, `-- examples/sparse_formats/karate.mtx`; see what other encodings take,\n\
             `cargo run --release -p sparse_formats`; read how a kernel is scheduled, in the guide's page on sparse kernels."
        );
    }
    Ok(())
}

/// The graph of a square grid, in which each vertex is joined to the eight around it.
fn grid(side: usize) -> Result<SparseTensor<Csr, f64>, BuildError> {
    let mut edges = Vec::new();
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        for k in i.saturating_sub(1)..(i + 2).min(side) {
            for l in j.saturating_sub(1)..(j + 2).min(side) {
                if (i, j) != (k, l) {
                    edges.push(([i * side + j, k * side + l], 1.0));
                }
            }
        }
    }
    SparseTensor::from_coo([side * side; 2], &edges, Duplicates::Error)
}

/// Measures a product with a vector, and compares the result.
fn times_x<E: Encoding>(
    name: &str,
    matrix: &SparseTensor<E, f64>,
    kernel: impl Fn(&SparseTensor<E, f64>) -> Result<Dense<f64, 1>, KernelError>,
    expected: &[f64],
) -> Result<(), KernelError> {
    let y = timed(name, map::<E>(), || kernel(matrix))?;
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
    assert!(y.values().iter().zip(expected).all(close), "{name} gives another product");
    Ok(())
}

/// Prints the best of twenty runs.
fn timed<T>(
    name: &str,
    map: String,
    run: impl Fn() -> Result<T, KernelError>,
) -> Result<T, KernelError> {
    let mut best = f64::MAX;
    for _ in 0..20 {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:<20} {map:<44} {:>9.2} us", best * 1e6);
    run()
}

/// The level map of an encoding, as written in the macro.
fn map<E: Encoding>() -> String {
    let text = E::SPEC.to_string();
    let map = text.split_once("-> ").map_or(text.as_str(), |(_, levels)| levels);
    map.trim_end_matches(" }>").chars().take(44).collect()
}
