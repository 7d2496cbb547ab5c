//! Building and conversion: seconds of the fastest of three runs, and the growth of the memory of the process.
//!
//! `cargo bench -p sparse-bench --bench convert -- [words]` prints the rows whose names contain the words. `convert.py` in the same
//! folder prints the same rows for scipy, with the same matrices: run both on the same machine, one after the other.
//!
//! Each writes the file that it reads, with its own default number of digits. `CONVERT_MTX=FILE.mtx` adds a row of reading the same
//! file to both.
//!
//! Both ask Linux for huge pages for the arrays of results, and numpy also for those of the entries. The lists of entries here have
//! pages of 4 KiB, as those of a program do.

use std::io::Write;
use std::time::Instant;
use tensor_layout::sparse::files::Symmetry;
use tensor_layout::sparse::formats::{Coo, Csc, Csr};
use tensor_layout::sparse::{Duplicates, SparseTensor};
use tensor_layout::sparse_encoding;

sparse_encoding! {
    type Bsr = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense),
        posWidth = 32, crdWidth = 32;
}

type Rows = Csr<u32, u32>;
type Columns = Csc<u32, u32>;
type Entries = Coo<u32, u32>;
type Entry = ([usize; 2], f64);

/// Rows and columns of the scattered matrix: a power of two.
const SIZE: u64 = 1 << 20;

/// Entry `number` of the entries that are scattered over all rows and columns: a bijection of numbers of 40 bits, so no index
/// occurs twice.
fn scattered(number: u64) -> Entry {
    let bits = SIZE * SIZE - 1;
    let mut hash = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) & bits;
    hash ^= hash >> 21;
    hash = hash.wrapping_mul(0xBF58_476D_1CE4_E5B9) & bits;
    hash ^= hash >> 17;
    ([(hash / SIZE) as usize, (hash % SIZE) as usize], 1.0 + number as f64)
}

/// Entries in nine diagonals, row by row.
fn band(rows: usize) -> Vec<Entry> {
    let row = |i: usize| (i.saturating_sub(4)..(i + 5).min(rows)).map(move |j| [i, j]);
    (0..rows).flat_map(row).map(|[i, j]| ([i, j], 1.0 + (i + j) as f64)).collect()
}

/// A line of `/proc/self/status`, in kB; 0 on systems without it.
fn status(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_ascii_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

/// Prints the fastest of three runs, and the largest growth of the memory.
fn row<T>(words: &[String], name: &str, mut run: impl FnMut() -> T) {
    if !words.iter().all(|word| name.contains(word.as_str())) {
        return;
    }
    let (mut best, mut most) = (f64::MAX, 0);
    for _ in 0..3 {
        // Resets the peak.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let before = status("VmRSS");
        let start = Instant::now();
        let made = run();
        best = best.min(start.elapsed().as_secs_f64());
        most = most.max(status("VmHWM").saturating_sub(before));
        drop(made);
    }
    println!("| {name} | {best:.3} | {} |", most / 1024);
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--") && word != "table")
        .collect();
    println!("| | s | MB |\n|---|---|---|");
    let shape = [SIZE as usize; 2];
    let entries: Vec<Entry> = (0..10_000_000).map(scattered).collect();
    row(&words, "from_coo, 10M scattered", || {
        SparseTensor::<Rows, f64>::from_coo(shape, &entries, Duplicates::Sum).unwrap()
    });
    let rows = SparseTensor::<Rows, f64>::from_coo(shape, &entries, Duplicates::Sum).unwrap();
    drop(entries);
    row(&words, "csr->csc, 10M scattered", || rows.convert::<Columns>().unwrap());
    row(&words, "csr->coo, 10M scattered", || rows.convert::<Entries>().unwrap());
    row(&words, "insert one entry, 10M scattered", || {
        rows.with_entries(&[scattered(10_000_000)], Duplicates::Sum).unwrap()
    });
    let path = std::env::temp_dir().join("convert.mtx");
    row(&words, "write mtx, 10M scattered", || {
        let file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
        rows.write_matrix_market(file, Symmetry::General).unwrap();
    });
    drop(rows);
    row(&words, "read mtx, 10M scattered", || {
        let file = std::io::BufReader::with_capacity(1 << 20, std::fs::File::open(&path).unwrap());
        SparseTensor::<Rows, f64>::read_matrix_market(file, Duplicates::Sum).unwrap()
    });
    let _ = std::fs::remove_file(&path);
    if let Ok(path) = std::env::var("CONVERT_MTX") {
        row(&words, "read mtx, CONVERT_MTX", || {
            let file =
                std::io::BufReader::with_capacity(1 << 20, std::fs::File::open(&path).unwrap());
            SparseTensor::<Rows, f64>::read_matrix_market(file, Duplicates::Sum).unwrap()
        });
    }

    let shape = [555_556; 2];
    let entries = band(shape[0]);
    row(&words, "from_coo, 5M band", || {
        SparseTensor::<Rows, f64>::from_coo(shape, &entries, Duplicates::Sum).unwrap()
    });
    let rows = SparseTensor::<Rows, f64>::from_coo(shape, &entries, Duplicates::Sum).unwrap();
    drop(entries);
    row(&words, "csr->csc, 5M band", || rows.convert::<Columns>().unwrap());
    row(&words, "csr->coo, 5M band", || rows.convert::<Entries>().unwrap());
    row(&words, "csr->bsr, 5M band", || rows.convert::<Bsr>().unwrap());
    let _ = std::io::stdout().flush();
}
