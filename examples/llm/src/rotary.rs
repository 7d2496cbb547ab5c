//! Rotary position embedding.

use crate::config::{Config, Scaling};
use std::f64::consts::TAU;

/// The cosines and sines of all positions.
pub(crate) struct Rotary {
    /// For each position, the cosine and the sine of the angle of each pair of features in a head.
    turns: Vec<(f32, f32)>,
    pairs: usize,
}

impl Rotary {
    pub(crate) fn new(config: &Config, positions: usize) -> Self {
        let pairs = config.dims().head / 2;
        let frequencies: Vec<f64> = (0..pairs)
            .map(|pair| {
                let frequency = config.theta.powf(-(pair as f64) / pairs as f64);
                config.scaling.as_ref().map_or(frequency, |scaling| stretch(frequency, scaling))
            })
            .collect();
        let turns = (0..positions)
            .flat_map(|position| frequencies.iter().map(move |f| (position as f64 * f).sin_cos()))
            .map(|(sin, cos)| (cos as f32, sin as f32))
            .collect();
        Self { turns, pairs }
    }

    /// Rotates a head: features `i` and `i + HEAD / 2` are the coordinates of a point in the plane.
    pub(crate) fn turn(&self, position: usize, head: &mut [f32]) {
        let turns = &self.turns[position * self.pairs..][..self.pairs];
        let (low, high) = head.split_at_mut(self.pairs);
        for ((a, b), (cos, sin)) in low.iter_mut().zip(high).zip(turns) {
            (*a, *b) = (*a * cos - *b * sin, *b * cos + *a * sin);
        }
    }
}

/// A frequency according to the rule of Llama 3.1: long waves are stretched, short ones are not, and those between them are
/// interpolated.
fn stretch(frequency: f64, scaling: &Scaling) -> f64 {
    let Scaling { factor, low_freq_factor: low, high_freq_factor: high, .. } = *scaling;
    let waves = scaling.original_context * frequency / TAU;
    let share = ((waves - low) / (high - low)).clamp(0.0, 1.0);
    frequency * (share + (1.0 - share) / factor)
}
