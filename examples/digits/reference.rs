//! The same classifier in plain loops over row-major arrays.

use super::load::File;
use super::{DIGITS, HIDDEN, PIXELS, Precision, Result};

pub(crate) struct Reference<P: Precision> {
    pub(crate) weights1: Vec<P::Host>,
    pub(crate) bias1: Vec<f32>,
    pub(crate) weights2: Vec<P::Host>,
    pub(crate) bias2: Vec<f32>,
}

impl<P: Precision> Reference<P> {
    pub(crate) fn load(file: &File) -> Result<Self> {
        let widen = |bias: Vec<P::Host>| bias.into_iter().map(P::widen).collect();
        Ok(Self {
            weights1: P::load(file, "fc1.weight", &[PIXELS, HIDDEN])?,
            bias1: widen(P::load(file, "fc1.bias", &[HIDDEN])?),
            weights2: P::load(file, "fc2.weight", &[HIDDEN, DIGITS])?,
            bias2: widen(P::load(file, "fc2.bias", &[DIGITS])?),
        })
    }

    /// The digit in each image.
    pub(crate) fn digits(&self, pixels: &[P::Host]) -> Vec<usize> {
        pixels.chunks_exact(PIXELS).map(|image| self.digit(image)).collect()
    }

    fn digit(&self, image: &[P::Host]) -> usize {
        let hidden = layer::<P>(image, &self.weights1, &self.bias1);
        let hidden: Vec<P::Host> = hidden.into_iter().map(|x| P::round(x.max(0.0))).collect();
        let logits = layer::<P>(&hidden, &self.weights2, &self.bias2);
        (0..DIGITS).fold(0, |best, digit| if logits[digit] > logits[best] { digit } else { best })
    }
}

/// `x @ weights + bias`.
fn layer<P: Precision>(x: &[P::Host], weights: &[P::Host], bias: &[f32]) -> Vec<f32> {
    let mut sums = vec![0.0; bias.len()];
    for (&x, row) in x.iter().zip(weights.chunks_exact(bias.len())) {
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum += P::widen(x) * P::widen(weight);
        }
    }
    sums.iter().zip(bias).map(|(sum, bias)| sum + bias).collect()
}
