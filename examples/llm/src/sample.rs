//! Choosing the next token.

/// How tokens are chosen.
#[derive(Clone, Debug)]
pub struct Sampler {
    temperature: f32,
    top_p: f32,
    state: u64,
}

impl Sampler {
    /// Chooses the likeliest token if the temperature is 0; otherwise chooses at random among the likeliest tokens that together
    /// have the probability `top_p`.
    pub fn new(temperature: f32, top_p: f32, seed: u64) -> Self {
        Self { temperature, top_p, state: seed }
    }

    /// The next token, given the logits of all tokens.
    pub fn choose(&mut self, logits: &[f32]) -> usize {
        let mut order: Vec<usize> = (0..logits.len()).collect();
        let likelier = |a: &usize, b: &usize| logits[*b].total_cmp(&logits[*a]).then(a.cmp(b));
        if self.temperature <= 0.0 {
            return order.into_iter().min_by(likelier).unwrap_or_default();
        }
        order.sort_unstable_by(likelier);
        let largest = order.first().map_or(0.0, |first| logits[*first]);
        let weight = |token: &usize| ((logits[*token] - largest) / self.temperature).exp();
        let weights: Vec<f32> = order.iter().map(weight).collect();
        let total: f32 = weights.iter().sum();
        let mut sum = 0.0;
        let enough = weights.iter().position(|weight| {
            sum += weight;
            sum >= self.top_p * total
        });
        let kept = enough.map_or(order.len(), |last| last + 1);
        let sum: f32 = weights[..kept].iter().sum();
        let mut left = self.random() * sum;
        let chosen = weights[..kept].iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        order[chosen.unwrap_or(kept - 1)]
    }

    /// A random number from 0 to 1, from Steele's SplitMix64.
    fn random(&mut self) -> f32 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ bits >> 31) >> 40) as f32 / (1 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::Sampler;

    #[test]
    fn the_likeliest_token_is_chosen_at_temperature_0() {
        assert_eq!(Sampler::new(0.0, 1.0, 0).choose(&[0.0, 3.0, -1.0, 3.0]), 1);
    }

    #[test]
    fn tokens_come_as_often_as_their_probabilities_say() {
        let logits = [0.0, 2.0_f32.ln(), 5.0_f32.ln()];
        let count = |mut sampler: Sampler| {
            let mut counts = [0; 3];
            (0..8000).for_each(|_| counts[sampler.choose(&logits)] += 1);
            counts
        };
        for (count, expected) in
            count(Sampler::new(1.0, 1.0, 1)).into_iter().zip([1000, 2000, 5000])
        {
            assert!(i32::abs(count - expected) < 150, "{count}, not {expected}");
        }
        // The likeliest token has 5/8, which is less than 0.7; with the 2/8 of the next one it is enough.
        let counts = count(Sampler::new(1.0, 0.7, 1));
        assert!(counts[0] == 0 && i32::abs(counts[1] - 8000 * 2 / 7) < 150, "{counts:?}");
        // Half the temperature squares the probabilities: they become 1/30, 4/30 and 25/30.
        let counts = count(Sampler::new(0.5, 1.0, 1));
        assert!(i32::abs(counts[2] - 8000 * 25 / 30) < 150, "{counts:?}");
    }
}
