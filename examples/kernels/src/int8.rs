//! A product of 8-bit integers with scales.
//!
//! Each column of the weights and each row of the activations has a scale with which its largest number becomes 127. Products
//! are summed exactly, as integers, and the scales are applied to the sums before they are written.

use crate::mlp::Hidden;
use crate::model::{Acts, BATCH, HIDDEN, W1, WIDTH};
use tensor_layout::half::bf16;
use tensor_layout::{PackError, Packed, Product};

tensor_layout::layouts! {
    /// Weights in 8 bits, four in a word: half of the bytes of [`W1`].
    pub type W1Int8 = tiled!(s8[WIDTH, HIDDEN]{1,0:T(8,128)(4,1)});
    /// Activations in 8 bits.
    pub type ActsInt8 = tiled!(s8[BATCH, WIDTH]{1,0:T(8,128)(4,1)});
}

/// A matrix of 8-bit integers, and the factor of each of its rows or columns.
#[derive(Debug)]
pub struct Scaled<L: tensor_layout::Layout> {
    /// The integers.
    pub integers: Packed<L>,
    /// The scales.
    pub scales: Vec<f32>,
}

/// The scale of numbers whose largest magnitude is `most`: `most` divided by the scale is 127.
fn scale(most: bf16) -> f32 {
    // For zeros, any scale is correct.
    if most == bf16::ZERO { 1.0 } else { most.to_f32() / 127.0 }
}

/// Weights with a scale for each column.
///
/// # Errors
/// If memory for them cannot be allocated.
pub fn weights(weights: &Packed<W1>) -> Result<Scaled<W1Int8>, PackError> {
    let absolute = weights.try_map(|x| bf16::from_f32(x.to_f32().abs()))?;
    let scales: Vec<_> = absolute.try_max(&[0])?.into_iter().map(scale).collect();
    let integers = Packed::<W1Int8>::try_from_fn(|[i, j]| {
        (weights.get([i, j]).to_f32() / scales[j]).round() as i8
    })?;
    Ok(Scaled { integers, scales })
}

/// Activations with a scale for each row.
///
/// # Errors
/// If memory for them cannot be allocated.
pub fn activations(acts: &Packed<Acts>) -> Result<Scaled<ActsInt8>, PackError> {
    let absolute = acts.try_map(|x| bf16::from_f32(x.to_f32().abs()))?;
    let scales: Vec<_> = absolute.try_max(&[1])?.into_iter().map(scale).collect();
    let integers = Packed::<ActsInt8>::try_from_fn(|[i, j]| {
        (acts.get([i, j]).to_f32() / scales[i]).round() as i8
    })?;
    Ok(Scaled { integers, scales })
}

/// The product of activations and weights, rounded once to `bf16`.
pub fn multiply(acts: &Scaled<ActsInt8>, weights: &Scaled<W1Int8>, product: &mut Packed<Hidden>) {
    Product::of(&acts.integers, &weights.integers)
        .row_scales(&acts.scales)
        .column_scales(&weights.scales)
        .write_to(product);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_near_the_product_in_bf16() {
        let (mlp, acts) = crate::mlp::example().expect("memory");
        let expected: Packed<Hidden> = Product::of(&acts, &mlp.weights1).packed();
        let mut product = Packed::zeroed().expect("memory");
        let (acts, weights) = (activations(&acts), weights(&mlp.weights1));
        multiply(&acts.expect("memory"), &weights.expect("memory"), &mut product);
        let numbers = |product: &Packed<Hidden>| -> Vec<f32> {
            product.unpack().iter().map(|x| x.to_f32()).collect()
        };
        let (product, expected) = (numbers(&product), numbers(&expected));
        let most = expected.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
        for (a, b) in product.iter().zip(&expected) {
            assert!((a - b).abs() <= 0.02 * most, "{a} is not {b} within 2 % of {most}");
        }
        assert_eq!(W1Int8::BYTES * 2, W1::BYTES);
    }
}
