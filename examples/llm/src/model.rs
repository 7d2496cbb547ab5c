//! The forward pass, on packed arrays.

use crate::Result;
use crate::attention::Cache;
use crate::config::Config;
use crate::devices::Device;
use crate::rotary::Rotary;
use crate::weights::{Activations, Format, Matrix, Table};
use tensor_layout::checkpoint::{Checkpoint, Manifest};
use tensor_layout::half::bf16;
use tensor_layout::{Packed, PackedRef, checkpoint, tiled};

/// The number of rows of a block of the next tokens of a few texts.
pub(crate) const FEW: usize = 8;
/// The number of rows of a block of a prompt.
const MANY: usize = 64;
/// The number of queries of one token that are multiplied together by the keys that they share.
const QUERIES: usize = 4;

/// The scales of a norm.
pub(crate) type Scale<const N: usize> = tiled!(bf16[N]);
/// The features of up to `R` tokens, with one row for each token. The layout has no tiles: usually there is one row, and a tile has
/// eight.
pub(crate) type Acts<const R: usize, const N: usize> = tiled!(f32[<=R,N]);
/// The same features, rounded: the left operand of products.
pub(crate) type Rounded<const R: usize, const N: usize> = tiled!(bf16[<=R,N]);

/// A token to read, and the text that it continues.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The number of the text.
    pub text: usize,
    /// The token.
    pub token: usize,
}

/// A model, with the keys and values of the texts that it has read.
pub trait Llama {
    /// Reads tokens; the tokens of one text are in order. Returns the logits of the tokens that follow the rows `wanted`, one row
    /// of logits after the other. The numbers in `wanted` must ascend.
    ///
    /// # Errors
    /// If a text becomes longer than the caches, if a token does not exist, or if memory cannot be allocated.
    fn read(&mut self, rows: &[Row], wanted: &[usize]) -> Result<Vec<f32>>;

    /// Forgets all texts.
    fn forget(&mut self);

    /// The longest text, in tokens.
    fn context(&self) -> usize;
}

checkpoint! {
    /// Views of all weights in the mapped file.
    struct Stored<'a, F: Format, const V: usize, const D: usize, const Q: usize, const K: usize, const H: usize> {
        #[name = "model.embed_tokens.weight"]
        embeddings: F::Table<'a, V, D>,
        #[name = "model.layers"]
        layers: Vec<Layer<'a, F, D, Q, K, H>>,
        #[name = "model.norm.weight"]
        scale: Scale<D>,
        /// Absent if the embeddings are used instead.
        #[name = "lm_head.weight"]
        head: Option<F::Table<'a, V, D>>,
    }

    /// Views of the weights of a layer.
    struct Layer<'a, F: Format, const D: usize, const Q: usize, const K: usize, const H: usize> {
        #[name = "input_layernorm.weight"]
        attention_scale: Scale<D>,
        #[name = "self_attn.q_proj.weight"]
        queries: F::Array<'a, Q, D>,
        #[name = "self_attn.k_proj.weight"]
        keys: F::Array<'a, K, D>,
        #[name = "self_attn.v_proj.weight"]
        values: F::Array<'a, K, D>,
        #[name = "self_attn.o_proj.weight"]
        outputs: F::Array<'a, D, Q>,
        #[name = "post_attention_layernorm.weight"]
        hidden_scale: Scale<D>,
        #[name = "mlp.gate_proj.weight"]
        gate: F::Array<'a, H, D>,
        #[name = "mlp.up_proj.weight"]
        up: F::Array<'a, H, D>,
        #[name = "mlp.down_proj.weight"]
        down: F::Array<'a, D, H>,
    }
}

/// A Llama model with a vocabulary of `V` tokens, width `D`, `Q` features in all query heads and `K` in all key heads, `HEAD` in
/// each head, hidden width `H`, and room for texts of `T` tokens. If devices share the model, `V`, `Q`, `K` and `H` are the sizes
/// on one device.
pub(crate) struct Model<
    'a,
    F: Format,
    const V: usize,
    const D: usize,
    const Q: usize,
    const K: usize,
    const HEAD: usize,
    const H: usize,
    const T: usize,
> {
    stored: Stored<'a, F, V, D, Q, K, H>,
    /// The weights of the output, from which logits are computed.
    head: F::Table<'a, V, D>,
    epsilon: f64,
    rotary: Rotary,
    /// The caches of each text, one for each layer.
    caches: Vec<Vec<Cache<HEAD, T>>>,
    /// The device, if this is only its part of the model.
    device: Option<Device>,
    activations: Activations,
}

impl<
    'a,
    F: Format,
    const V: usize,
    const D: usize,
    const Q: usize,
    const K: usize,
    const HEAD: usize,
    const H: usize,
    const T: usize,
> Model<'a, F, V, D, Q, K, HEAD, H, T>
{
    /// The model in a checkpoint, or the part of the model that a device has, with room for `texts` texts.
    pub(crate) fn new(
        config: &Config,
        checkpoint: &'a Checkpoint,
        texts: usize,
        activations: Activations,
        device: Option<Device>,
    ) -> Result<Self> {
        let stored = Stored::<F, V, D, Q, K, H>::load(checkpoint)?;
        if stored.layers.len() != config.layers {
            let (expected, found) = (config.layers, stored.layers.len());
            return Err(format!("the weights have {found} layers, not {expected}").into());
        }
        let head = match stored.head {
            _ if config.tied => stored.embeddings,
            Some(head) => head,
            None => F::Table::load_from(checkpoint, "lm_head.weight")?,
        };
        let caches =
            || (0..config.layers).map(|_| Cache::new(K / HEAD)).collect::<Result<Vec<_>>>();
        Ok(Self {
            head,
            epsilon: config.epsilon,
            rotary: Rotary::new(config, T),
            caches: (0..texts).map(|_| caches()).collect::<Result<_>>()?,
            stored,
            device,
            activations,
        })
    }

    /// The number of tokens in the vocabulary, including those on other devices.
    fn vocabulary(&self) -> usize {
        V * self.device.as_ref().map_or(1, Device::count)
    }

    /// The embeddings of some tokens.
    fn embed<const R: usize>(&mut self, tokens: &[usize]) -> Result<Packed<Acts<R, D>>> {
        let Some(device) = &mut self.device else { return self.stored.embeddings.gather(tokens) };
        // Each row is zero on all devices but one, so the sum over the devices is the row.
        let first = device.number() * V;
        let here = |token: &usize| token.checked_sub(first).filter(|row| *row < V);
        let rows: Vec<usize> = tokens.iter().map(|token| here(token).unwrap_or(0)).collect();
        let mut acts = self.stored.embeddings.gather(&rows)?;
        for (token, row) in tokens.iter().zip(acts.as_elements_mut().chunks_exact_mut(D)) {
            if here(token).is_none() {
                row.fill(0.0);
            }
        }
        device.sum(acts.as_elements_mut())?;
        Ok(acts)
    }

    /// Reads up to `R` tokens.
    fn block<const R: usize>(&mut self, rows: &[Row], wanted: &[usize]) -> Result<Vec<f32>> {
        let to = self.activations;
        let tokens: Vec<usize> = rows.iter().map(|row| row.token).collect();
        let mut acts: Packed<Acts<R, D>> = self.embed(&tokens)?;
        for (number, layer) in self.stored.layers.iter().enumerate() {
            let normal = normal(&acts, &layer.attention_scale, self.epsilon);
            let mut queries: Packed<Acts<R, Q>> = layer.queries.product(&normal, to)?;
            let mut keys: Packed<Acts<R, K>> = layer.keys.product(&normal, to)?;
            let values: Packed<Acts<R, K>> = layer.values.product(&normal, to)?;
            let mut attended = Packed::<Rounded<R, Q>>::with_sizes([rows.len(), Q])?;
            let mut first = 0;
            for text in rows.chunk_by(|a, b| a.text == b.text) {
                let end = first + text.len();
                let cache = &mut self.caches[text[0].text][number];
                let attend =
                    if R < QUERIES { Cache::attend::<QUERIES> } else { Cache::attend::<R> };
                attend(
                    cache,
                    &self.rotary,
                    &mut queries.as_elements_mut()[first * Q..end * Q],
                    &mut keys.as_elements_mut()[first * K..end * K],
                    &values.as_elements()[first * K..end * K],
                    &mut attended.as_elements_mut()[first * Q..end * Q],
                )?;
                first = end;
            }
            add_product(&layer.outputs, &attended, to, &mut acts, &mut self.device)?;

            let normal = self::normal(&acts, &layer.hidden_scale, self.epsilon);
            let gate: Packed<Acts<R, H>> = layer.gate.product(&normal, to)?;
            let up: Packed<Acts<R, H>> = layer.up.product(&normal, to)?;
            let hidden = gate.zip(&up, |gate, up| gate / (1.0 + (-gate).exp()) * up);
            let hidden = hidden.convert::<Rounded<R, H>>(bf16::from_f32);
            add_product(&layer.down, &hidden, to, &mut acts, &mut self.device)?;
        }
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let last = normal(&acts, &self.stored.scale, self.epsilon);
        // Most often one row is wanted, so that there need not be room for the logits of all.
        let logits = match wanted {
            [_] => self.logits(&last.gather_rows::<Rounded<1, D>>(wanted))?,
            _ => self.logits(&last.gather_rows::<Rounded<R, D>>(wanted))?,
        };
        match &mut self.device {
            None => Ok(logits),
            Some(device) => device.columns(V * device.count(), &logits),
        }
    }

    /// Those of some rows, one after the other, for the tokens that this device has.
    fn logits<const R: usize>(&self, last: &Packed<Rounded<R, D>>) -> Result<Vec<f32>> {
        let logits = self.head.product(last, self.activations)?;
        Ok(logits.as_elements()[..last.len(0) * V].to_vec())
    }
}

/// Adds the product of some activations and the transposed weights; if devices share the model, adds the sum of their products.
fn add_product<const R: usize, const O: usize, const I: usize>(
    weights: &impl Matrix<O, I>,
    acts: &Packed<Rounded<R, I>>,
    to: Activations,
    sums: &mut Packed<Acts<R, O>>,
    device: &mut Option<Device>,
) -> Result<()> {
    let Some(device) = device else { return weights.add_product(acts, to, sums) };
    let mut part = weights.product(acts, to)?;
    device.sum(part.as_elements_mut())?;
    for (sum, term) in sums.as_elements_mut().iter_mut().zip(part.as_elements()) {
        *sum += term;
    }
    Ok(())
}

impl<
    F: Format,
    const V: usize,
    const D: usize,
    const Q: usize,
    const K: usize,
    const HEAD: usize,
    const H: usize,
    const T: usize,
> Llama for Model<'_, F, V, D, Q, K, HEAD, H, T>
{
    fn read(&mut self, rows: &[Row], wanted: &[usize]) -> Result<Vec<f32>> {
        let vocabulary = self.vocabulary();
        if let Some(row) = rows.iter().find(|row| row.token >= vocabulary) {
            return Err(
                format!("token {} does not exist: there are {vocabulary}", row.token).into()
            );
        }
        if let [_] = rows {
            return self.block::<1>(rows, wanted);
        }
        let mut logits = Vec::new();
        let block = if rows.len() <= FEW { FEW } else { MANY };
        for (number, rows) in rows.chunks(block).enumerate() {
            let first = number * block;
            let inside = |row: &&usize| (first..first + rows.len()).contains(*row);
            let wanted: Vec<usize> = wanted.iter().filter(inside).map(|row| row - first).collect();
            logits.extend(match block {
                FEW => self.block::<FEW>(rows, &wanted)?,
                _ => self.block::<MANY>(rows, &wanted)?,
            });
        }
        Ok(logits)
    }

    fn forget(&mut self) {
        self.caches.iter_mut().flatten().for_each(Cache::clear);
    }

    fn context(&self) -> usize {
        T
    }
}

/// The features of tokens, normalized to a mean square of 1, scaled and rounded.
fn normal<const R: usize, const D: usize>(
    acts: &Packed<Acts<R, D>>,
    scale: &PackedRef<'_, Scale<D>>,
    epsilon: f64,
) -> Packed<Rounded<R, D>> {
    let scale: Vec<f32> = scale.as_elements().iter().copied().map(bf16::to_f32).collect();
    acts.rms_norm(1, &scale, epsilon).convert(bf16::from_f32)
}
