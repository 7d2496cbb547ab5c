//! The same layer as plain loops over row-major arrays of f64, for all tokens at once.

use super::{EPSILON, HEAD, HEADS, PROMPT, WIDTH, WRITTEN};

const TOKENS: usize = PROMPT + WRITTEN;

pub(crate) struct Weights {
    pub(crate) scale: Vec<f64>,
    /// The matrices of queries, keys, values and outputs.
    pub(crate) matrices: [Vec<f64>; 4],
}

/// Pseudorandom numbers from -1 to 1, the same in each run.
fn random(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    })
}

/// The features of all tokens.
pub(crate) fn tokens() -> Vec<f64> {
    random(1).take(TOKENS * WIDTH).collect()
}

impl Weights {
    pub(crate) fn random() -> Self {
        // With this factor, queries and keys have variance 1, which is about the variance of trained ones.
        let size = (3.0 / WIDTH as f64).sqrt();
        let matrix = |seed| random(seed).map(|x| x * size).take(WIDTH * WIDTH).collect();
        Self {
            scale: random(2).map(|x| 1.0 + 0.5 * x).take(WIDTH).collect(),
            matrices: [3, 4, 5, 6].map(matrix),
        }
    }

    /// The output of the layer for the tokens.
    pub(crate) fn forward(&self, tokens: &[f64]) -> Vec<f64> {
        let normal: Vec<f64> = tokens
            .chunks(WIDTH)
            .flat_map(|token| {
                let mean = token.iter().map(|x| x * x).sum::<f64>() / WIDTH as f64;
                let root = (mean + EPSILON).sqrt();
                token.iter().zip(&self.scale).map(move |(x, scale)| x / root * scale)
            })
            .collect();
        let [queries, keys, values, _] =
            self.matrices.each_ref().map(|matrix| multiply(&normal, matrix));
        let mut heads = vec![0.0; TOKENS * WIDTH];
        for head in 0..HEADS {
            let columns = head * HEAD..(head + 1) * HEAD;
            let part = |rows: &[f64], row: usize| rows[row * WIDTH..][columns.clone()].to_vec();
            for token in 0..TOKENS {
                let query = part(&queries, token);
                let exponentials: Vec<f64> = (0..=token)
                    .map(|other| {
                        let key = part(&keys, other);
                        let score: f64 = query.iter().zip(key).map(|(q, k)| q * k).sum();
                        (score / (HEAD as f64).sqrt()).exp()
                    })
                    .collect();
                let total: f64 = exponentials.iter().sum();
                for (other, exponential) in exponentials.iter().enumerate() {
                    let to = &mut heads[token * WIDTH..][columns.clone()];
                    for (to, value) in to.iter_mut().zip(part(&values, other)) {
                        *to += exponential / total * value;
                    }
                }
            }
        }
        multiply(&heads, &self.matrices[3]).iter().zip(tokens).map(|(x, token)| x + token).collect()
    }
}

/// The product of rows of `WIDTH` numbers and a square matrix.
fn multiply(rows: &[f64], matrix: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; rows.len()];
    for (to, row) in product.chunks_mut(WIDTH).zip(rows.chunks(WIDTH)) {
        for (x, from) in row.iter().zip(matrix.chunks(WIDTH)) {
            to.iter_mut().zip(from).for_each(|(to, y)| *to += x * y);
        }
    }
    product
}
