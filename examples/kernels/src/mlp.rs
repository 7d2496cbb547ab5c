//! A fused multilayer perceptron: two products, whose biases and activation are applied to the sums before these are rounded
//! and written.
//!
//! Without fusion, the hidden activations would be written in `f32`, read, changed, written, read and rounded. Here they are
//! written once, in `bf16`.

use crate::model::{Acts, BATCH, HIDDEN, W1, W2, WIDTH};
use tensor_layout::half::bf16;
use tensor_layout::{Packed, Product};

tensor_layout::layouts! {
    /// The hidden activations.
    pub type Hidden = tpu!(bf16[BATCH, HIDDEN]);
    /// The result of the second product.
    pub type Outputs = tpu!(f32[BATCH, WIDTH]);
}

/// The weights and biases of both layers.
#[derive(Debug)]
pub struct Mlp {
    /// The weights of the first layer.
    pub weights1: Packed<W1>,
    /// The biases of the first layer.
    pub bias1: Vec<f32>,
    /// The weights of the second layer.
    pub weights2: Packed<W2>,
    /// The biases of the second layer.
    pub bias2: Vec<f32>,
}

impl Mlp {
    /// `gelu(acts * weights1 + bias1) * weights2 + bias2`
    pub fn forward(
        &self,
        acts: &Packed<Acts>,
        hidden: &mut Packed<Hidden>,
        outputs: &mut Packed<Outputs>,
    ) {
        let first = Product::of(acts, &self.weights1).column_bias(&self.bias1);
        first.activation(gelu).write_to(hidden);
        Product::of(hidden, &self.weights2).column_bias(&self.bias2).write_to(outputs);
    }
}

/// The approximation of GELU with a hyperbolic tangent.
pub fn gelu(x: f32) -> f32 {
    let slope = (2.0 / std::f32::consts::PI).sqrt();
    0.5 * x * (1.0 + (slope * (x + 0.044_715 * x * x * x)).tanh())
}

/// An example with small weights.
///
/// # Errors
/// If memory for it cannot be allocated.
pub fn example() -> Result<(Mlp, Packed<Acts>), tensor_layout::PackError> {
    let small =
        |i: usize, j: usize| bf16::from_f32((((i * 13 + j * 29) % 31) as f32 - 15.0) / 64.0);
    let mlp = Mlp {
        weights1: Packed::<W1>::try_from_fn(|[i, j]| small(i, j))?,
        bias1: (0..HIDDEN).map(|j| (j % 7) as f32 / 8.0).collect(),
        weights2: Packed::<W2>::try_from_fn(|[i, j]| small(j, i))?,
        bias2: (0..WIDTH).map(|j| (j % 3) as f32).collect(),
    };
    Ok((mlp, Packed::<Acts>::try_from_fn(|[i, j]| small(j, i + 3))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_plain_loops_compute() {
        let (mlp, acts) = example().expect("memory");
        let mut hidden = Packed::zeroed().expect("memory");
        let mut outputs = Packed::zeroed().expect("memory");
        mlp.forward(&acts, &mut hidden, &mut outputs);

        let rows = |numbers: Vec<bf16>| numbers.iter().map(|x| x.to_f32()).collect::<Vec<_>>();
        let (acts, weights1) = (rows(acts.unpack()), rows(mlp.weights1.unpack()));
        let weights2 = rows(mlp.weights2.unpack());
        for i in [0, BATCH - 1] {
            let hidden: Vec<_> = (0..HIDDEN)
                .map(|j| {
                    let terms = (0..WIDTH).map(|k| acts[i * WIDTH + k] * weights1[k * HIDDEN + j]);
                    bf16::from_f32(gelu(terms.sum::<f32>() + mlp.bias1[j])).to_f32()
                })
                .collect();
            for j in 0..WIDTH {
                let terms = (0..HIDDEN).map(|k| hidden[k] * weights2[k * WIDTH + j]);
                let expected = terms.sum::<f32>() + mlp.bias2[j];
                let computed = outputs.get([i, j]);
                // A hidden activation near the middle of two bf16 numbers may have been rounded the other way.
                assert!(
                    (computed - expected).abs() <= 0.02 * (1.0 + expected.abs()),
                    "{computed} is not {expected}"
                );
            }
        }
    }
}
