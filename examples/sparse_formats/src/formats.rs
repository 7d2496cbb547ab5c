use std::time::{Duration, Instant};
use tensor_layout::sparse::{Duplicates, Encoding, LevelFormat, SparseTensor};
use tensor_layout::sparse_encoding;

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Csr32 = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32;
    type Csc32 = (i, j) -> (j : dense, i : compressed), posWidth = 32, crdWidth = 32;
    type Dcsr32 = (i, j) -> (i : compressed, j : compressed), posWidth = 32, crdWidth = 32;
    type Coo32 = (i, j) -> (i : compressed(nonunique), j : singleton), posWidth = 32, crdWidth = 32;
    type SoaCoo32 = (i, j) -> (i : compressed(nonunique), j : singleton(soa)), posWidth = 32, crdWidth = 32;
    type Loose32 = (i, j) -> (i : dense, j : loose_compressed), posWidth = 32, crdWidth = 32;
    type Delta8 = (i, j) -> (i : dense, j : delta[8]), posWidth = 32, crdWidth = 8;
    type Bsr2 = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense),
        posWidth = 32, crdWidth = 32;
    type Bsr4 = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense),
        posWidth = 32, crdWidth = 32;
    type Dia32 = (i, j) -> (j - i : compressed, i : range), posWidth = 32, crdWidth = 32;
    type Ell32 = [c](i, j) -> (c * 32 * i : dense, i : dense, j : compressed), crdWidth = 32;
    type TwoOfFour = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2;
    type Dense = (i, j) -> (i : dense, j : dense);
}

/// The measurements of one encoding.
pub(crate) struct Measured {
    pub(crate) bytes: usize,
    pub(crate) build: Duration,
    pub(crate) multiply: Duration,
    pub(crate) y: Vec<f64>,
}

type Entries = [([usize; 2], f64)];

/// Measures an encoding: stores the matrix of a shape and entries, and multiplies it with a vector a number of times.
type Measure = fn([usize; 2], &Entries, &[f64], usize) -> Result<Measured, String>;

/// The largest number of elements of a matrix for encodings that have room for all of them: 512 MiB of numbers.
const MOST: usize = 1 << 26;

/// An encoding in the table.
pub(crate) struct Format {
    pub(crate) name: &'static str,
    pub(crate) text: fn() -> String,
    pub(crate) measure: Measure,
}

macro_rules! formats {
    ($($name:literal $E:ident)*) => {
        &[$(Format { name: $name, text: || $E::SPEC.to_string(), measure: measure::<$E> }),*]
    };
}

/// The table.
pub(crate) const FORMATS: &[Format] = formats! {
    "CSR" Csr "CSR, 32 bits" Csr32 "CSC, 32 bits" Csc32 "DCSR, 32 bits" Dcsr32 "COO, 32 bits" Coo32
    "COO, arrays apart" SoaCoo32 "CSR with room" Loose32 "gaps in 8 bits" Delta8 "blocks of 2 by 2" Bsr2
    "blocks of 4 by 4" Bsr4 "diagonals" Dia32 "ELL, 32 slots" Ell32 "2 of 4, 2 bits" TwoOfFour "dense" Dense
};

fn measure<E: Encoding<Index = [usize; 2]>>(
    shape: [usize; 2],
    entries: &Entries,
    x: &[f64],
    repeat: usize,
) -> Result<Measured, String> {
    let has_room = |format| {
        matches!(format, LevelFormat::Dense | LevelFormat::Batch | LevelFormat::Structured { .. })
    };
    if E::SPEC.levels().iter().all(|level| has_room(level.format))
        && shape[0].saturating_mul(shape[1]) > MOST
    {
        return Err(format!("there is room for each of the {} by {} elements", shape[0], shape[1]));
    }
    let start = Instant::now();
    let matrix = SparseTensor::<E, f64>::from_coo(shape, entries, Duplicates::Sum)
        .map_err(|error| error.to_string())?;
    let build = start.elapsed();
    let mut y = vec![0.0; shape[0]];
    let mut multiply = Duration::MAX;
    for _ in 0..repeat.max(1) {
        y.fill(0.0);
        let start = Instant::now();
        multiply_into(&matrix, x, &mut y);
        multiply = multiply.min(start.elapsed());
    }
    Ok(Measured { bytes: matrix.bytes(), build, multiply, y })
}

/// `y += A x`, for any encoding of a matrix.
#[inline(never)]
fn multiply_into<E: Encoding<Index = [usize; 2]>>(
    matrix: &SparseTensor<E, f64>,
    x: &[f64],
    y: &mut [f64],
) {
    matrix.for_each(|[i, j], value| y[i] += value * x[j]);
}
