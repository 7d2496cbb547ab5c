//! The graph: read from a file, or generated.

use crate::Result;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use tensor_layout::sparse::{Duplicates, LevelParts, Parts, SparseTensor};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    pub(crate) type Csr = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32;
}

sparse_kernel! {
    fn both_ways(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] {
        c[i, j] = max(a[i, j], b[i, j]) if i != j;
        parallel(i)
    }
}

/// The largest number of edges that start at a vertex of a generated graph.
const EDGES: usize = 6;
/// The largest distance between the numbers of the vertices of a group.
const GROUP: u64 = 16;

/// An undirected graph.
pub(crate) struct Graph {
    /// A one for each edge, in both directions.
    pub(crate) edges: SparseTensor<Csr, f64>,
    /// The number of edges of each vertex.
    pub(crate) degrees: Vec<f64>,
}

/// The entries of a matrix as slices, for the plain loops.
pub(crate) struct Rows<'a> {
    pub(crate) positions: &'a [u32],
    pub(crate) columns: &'a [u32],
    pub(crate) values: &'a [f64],
}

impl<'a> Rows<'a> {
    pub(crate) fn of(matrix: &'a SparseTensor<Csr, f64>) -> Self {
        let (positions, columns) = (matrix.positions(1), matrix.coordinates(1));
        Self { positions, columns, values: matrix.values() }
    }

    /// The positions of the entries of a row.
    pub(crate) fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.positions[row] as usize..self.positions[row + 1] as usize
    }
}

impl Graph {
    /// The graph of a Matrix Market file.
    pub(crate) fn read(file: &Path) -> Result<Self> {
        let reader = BufReader::with_capacity(1 << 20, File::open(file)?);
        let entries = SparseTensor::<Csr, f64>::read_matrix_market(reader, Duplicates::Sum)?;
        Self::of(entries)
    }

    /// A generated graph with groups of neighbours, as in a social network, and a few vertices with thousands of edges.
    pub(crate) fn made(vertices: usize) -> Result<Self> {
        let mut random = Random(1);
        let (mut positions, mut coordinates) = (vec![0u32], Vec::new());
        for from in 0..vertices as u64 {
            let mut row = Vec::with_capacity(EDGES);
            for edge in 0..EDGES {
                let number = random.unit();
                let to = match edge {
                    0..4 => from + 1 + (number * GROUP as f64) as u64,
                    _ => (number.powi(3) * vertices as f64) as u64,
                };
                row.extend((to < vertices as u64).then_some(to as u32));
            }
            row.sort_unstable();
            row.dedup();
            coordinates.append(&mut row);
            positions.push(u32::try_from(coordinates.len())?);
        }
        let values = vec![1.0; coordinates.len()];
        let levels = vec![LevelParts::default(), LevelParts { positions, coordinates }];
        let parts = Parts { shape: vec![vertices; 2], levels, values };
        Self::of(SparseTensor::assemble(parts).map_err(|rejected| rejected.error)?)
    }

    /// The graph with an edge for each entry.
    fn of(entries: SparseTensor<Csr, f64>) -> Result<Self> {
        let [rows, columns] = entries.shape();
        if rows != columns {
            return Err(
                format!("a graph has as many rows as columns, not {rows} and {columns}").into()
            );
        }
        let ones = entries.map(|_| 1.0);
        let edges = both_ways(&ones, &ones.clone().transpose().convert::<Csr>()?)?;
        let degrees = edges.positions(1).windows(2).map(|pair| f64::from(pair[1] - pair[0]));
        Ok(Self { degrees: degrees.collect(), edges })
    }

    pub(crate) fn vertices(&self) -> usize {
        self.degrees.len()
    }

    pub(crate) fn rows(&self) -> Rows<'_> {
        Rows::of(&self.edges)
    }
}

/// The SplitMix64 generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next number, at least 0 and less than 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
