//! The forward pass, on packed arrays.

use crate::Result;
use crate::attention::Cache;
use crate::config::{Config, Dims};
use crate::rotary::Rotary;
use tensor_layout::checkpoint::Checkpoint;
use tensor_layout::half::bf16;
use tensor_layout::{BF16, Packed, PackedRef, Product, matmul, tiled};

/// Rows of a block of the next tokens of a few texts.
const FEW: usize = 8;
/// Rows of a block of a prompt.
const MANY: usize = 64;

/// Weights of a product, as checkpoints have them: a row for each output. The rows are contiguous in tiles of columns, so
/// that the transposed matrix, by which tokens are multiplied, is `bf16[I,O]{1,0:T(8,128)(2,1)}`: what kernels read as it
/// lies.
pub(crate) type Weights<const O: usize, const I: usize> = tiled!(bf16[O,I]{0,1:T(8,128)(2,1)});
/// Numbers of up to `R` tokens, a row for each. They have no tiles: most often there is one row, and a tile has eight.
pub(crate) type Acts<const R: usize, const N: usize> = tiled!(f32[<=R,N]);
/// The same, rounded: the left operand of products.
pub(crate) type Rounded<const R: usize, const N: usize> = tiled!(bf16[<=R,N]);

/// A token to read, and the text that it is the next one of.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The number of the text.
    pub text: usize,
    /// The token.
    pub token: usize,
}

/// A model, and what it remembers of the texts that it reads.
pub trait Llama {
    /// Reads tokens; those of a text follow each other. Returns the logits of what comes after the rows `wanted`, whose
    /// numbers ascend, one after the other.
    ///
    /// # Errors
    /// If a text becomes longer than the caches, there is no such token, or there is no memory.
    fn read(&mut self, rows: &[Row], wanted: &[usize]) -> Result<Vec<f32>>;

    /// Forgets all texts.
    fn forget(&mut self);

    /// The longest text, in tokens.
    fn context(&self) -> usize;
}

/// The weights of a layer, where they lie in the file.
struct Layer<'a, const D: usize, const Q: usize, const K: usize, const H: usize> {
    attention_scale: Vec<f32>,
    queries: PackedRef<'a, Weights<Q, D>>,
    keys: PackedRef<'a, Weights<K, D>>,
    values: PackedRef<'a, Weights<K, D>>,
    outputs: PackedRef<'a, Weights<D, Q>>,
    hidden_scale: Vec<f32>,
    gate: PackedRef<'a, Weights<H, D>>,
    up: PackedRef<'a, Weights<H, D>>,
    down: PackedRef<'a, Weights<D, H>>,
}

/// A Llama of a vocabulary `V`, width `D`, `Q` numbers in all query heads and `K` in all key heads, of `HEAD` each, hidden
/// width `H`, and with room for texts of `T` tokens.
pub(crate) struct Model<
    'a,
    const V: usize,
    const D: usize,
    const Q: usize,
    const K: usize,
    const HEAD: usize,
    const H: usize,
    const T: usize,
> {
    embeddings: PackedRef<'a, Weights<V, D>>,
    layers: Vec<Layer<'a, D, Q, K, H>>,
    scale: Vec<f32>,
    head: PackedRef<'a, Weights<V, D>>,
    epsilon: f64,
    rotary: Rotary,
    /// Of each text, those of each layer.
    caches: Vec<Vec<Cache<HEAD, T>>>,
}

impl<
    'a,
    const V: usize,
    const D: usize,
    const Q: usize,
    const K: usize,
    const HEAD: usize,
    const H: usize,
    const T: usize,
> Model<'a, V, D, Q, K, HEAD, H, T>
{
    pub(crate) const DIMS: Dims =
        Dims { vocabulary: V, width: D, queries: Q, keys: K, head: HEAD, hidden: H };

    /// The model in a checkpoint, with room for `texts` texts.
    pub(crate) fn new(config: &Config, checkpoint: &'a Checkpoint, texts: usize) -> Result<Self> {
        let layer = |number: usize| {
            let name = |part: &str| format!("model.layers.{number}.{part}.weight");
            Ok(Layer {
                attention_scale: scale(checkpoint, &name("input_layernorm"), D)?,
                queries: checkpoint.get(&name("self_attn.q_proj"))?,
                keys: checkpoint.get(&name("self_attn.k_proj"))?,
                values: checkpoint.get(&name("self_attn.v_proj"))?,
                outputs: checkpoint.get(&name("self_attn.o_proj"))?,
                hidden_scale: scale(checkpoint, &name("post_attention_layernorm"), D)?,
                gate: checkpoint.get(&name("mlp.gate_proj"))?,
                up: checkpoint.get(&name("mlp.up_proj"))?,
                down: checkpoint.get(&name("mlp.down_proj"))?,
            })
        };
        let layers = (0..config.layers).map(layer).collect::<Result<Vec<_>>>()?;
        let embeddings = checkpoint.get("model.embed_tokens.weight")?;
        let head = if config.tied { embeddings } else { checkpoint.get("lm_head.weight")? };
        let caches =
            || (0..config.layers).map(|_| Cache::new(K / HEAD)).collect::<Result<Vec<_>>>();
        Ok(Self {
            embeddings,
            scale: scale(checkpoint, "model.norm.weight", D)?,
            head,
            epsilon: config.epsilon,
            rotary: Rotary::new(config, T),
            caches: (0..texts).map(|_| caches()).collect::<Result<_>>()?,
            layers,
        })
    }

    /// Reads up to `R` tokens.
    fn block<const R: usize>(&mut self, rows: &[Row], wanted: &[usize]) -> Result<Vec<f32>> {
        let tokens: Vec<usize> = rows.iter().map(|row| row.token).collect();
        let mut acts: Packed<Acts<R, D>> =
            self.embeddings.gather_rows::<Rounded<R, D>>(&tokens).convert(bf16::to_f32);
        for (number, layer) in self.layers.iter().enumerate() {
            let normal = normal(&acts, &layer.attention_scale, self.epsilon);
            let mut queries: Packed<Acts<R, Q>> = matmul(&normal, &layer.queries.transposed());
            let mut keys: Packed<Acts<R, K>> = matmul(&normal, &layer.keys.transposed());
            let values: Packed<Acts<R, K>> = matmul(&normal, &layer.values.transposed());
            let mut attended = Packed::<Rounded<R, Q>>::with_sizes([rows.len(), Q])?;
            let mut first = 0;
            for text in rows.chunk_by(|a, b| a.text == b.text) {
                let end = first + text.len();
                self.caches[text[0].text][number].attend::<R>(
                    &self.rotary,
                    &mut queries.as_elements_mut()[first * Q..end * Q],
                    &mut keys.as_elements_mut()[first * K..end * K],
                    &values.as_elements()[first * K..end * K],
                    &mut attended.as_elements_mut()[first * Q..end * Q],
                )?;
                first = end;
            }
            Product::of(&attended, &layer.outputs.transposed()).add_to(&mut acts);

            let normal = self::normal(&acts, &layer.hidden_scale, self.epsilon);
            let gate: Packed<Acts<R, H>> = matmul(&normal, &layer.gate.transposed());
            let up: Packed<Acts<R, H>> = matmul(&normal, &layer.up.transposed());
            let hidden = gate.zip(&up, |gate, up| gate / (1.0 + (-gate).exp()) * up);
            let hidden = hidden.convert::<Rounded<R, H>>(bf16::from_f32);
            Product::of(&hidden, &layer.down.transposed()).add_to(&mut acts);
        }
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let last = normal(&acts, &self.scale, self.epsilon).gather_rows::<Rounded<R, D>>(wanted);
        let logits: Packed<Acts<R, V>> = matmul(&last, &self.head.transposed());
        Ok(logits.as_elements()[..wanted.len() * V].to_vec())
    }
}

impl<
    const V: usize,
    const D: usize,
    const Q: usize,
    const K: usize,
    const HEAD: usize,
    const H: usize,
    const T: usize,
> Llama for Model<'_, V, D, Q, K, HEAD, H, T>
{
    fn read(&mut self, rows: &[Row], wanted: &[usize]) -> Result<Vec<f32>> {
        if let Some(row) = rows.iter().find(|row| row.token >= V) {
            return Err(format!("token {} does not exist: there are {V}", row.token).into());
        }
        let mut logits = Vec::new();
        let block = match rows.len() {
            0..=1 => 1,
            2..=FEW => FEW,
            _ => MANY,
        };
        for (number, rows) in rows.chunks(block).enumerate() {
            let first = number * block;
            let inside = |row: &&usize| (first..first + rows.len()).contains(*row);
            let wanted: Vec<usize> = wanted.iter().filter(inside).map(|row| row - first).collect();
            logits.extend(match block {
                1 => self.block::<1>(rows, &wanted)?,
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

/// Numbers of the mean square 1, scaled and rounded.
fn normal<const R: usize, const D: usize>(
    acts: &Packed<Acts<R, D>>,
    scale: &[f32],
    epsilon: f64,
) -> Packed<Rounded<R, D>> {
    acts.rms_norm(1, scale, epsilon).convert(bf16::from_f32)
}

/// The scales of a norm.
fn scale(checkpoint: &Checkpoint, name: &str, width: usize) -> Result<Vec<f32>> {
    let scale = checkpoint.rows::<BF16>(name, 0..width)?;
    Ok(scale.into_iter().map(bf16::to_f32).collect())
}
