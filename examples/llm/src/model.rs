//! The forward pass, on packed arrays.

use crate::Result;
use crate::attention::{Cache, Memory, Tokens};
use crate::config::Config;
use crate::devices::Device;
use crate::parallel::both;
use crate::rotary::Rotary;
use crate::weights::{Activations, Format, Matrix, Table};
use tensor_layout::checkpoint::{Checkpoint, Manifest};
use tensor_layout::compute::Float;
use tensor_layout::half::bf16;
use tensor_layout::{Packed, PackedRef, checkpoint, tiled};

/// The largest number of tokens that are read together. Weights that are not bf16 are converted once for each block of a prompt.
pub(crate) const ROWS: usize = 256;
/// The largest number of rows of logits that are computed together.
const LOGITS: usize = 16;

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
    /// If a text becomes longer than the caches, if a text or a token does not exist, or if memory cannot be allocated. In the last
    /// case, some tokens may have been read; otherwise, none has.
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

/// The arrays of the layers for a block of tokens. They are kept for the next block, because zeroing new ones takes time.
struct Block<const D: usize, const Q: usize, const K: usize, const H: usize> {
    /// The features of the tokens, to which each layer adds.
    acts: Packed<Acts<ROWS, D>>,
    /// Features that were normalized, or that are added to others.
    features: Packed<Acts<ROWS, D>>,
    normal: Packed<Rounded<ROWS, D>>,
    queries: Packed<Acts<ROWS, Q>>,
    keys: Packed<Acts<ROWS, K>>,
    values: Packed<Acts<ROWS, K>>,
    attended: Packed<Rounded<ROWS, Q>>,
    gate: Packed<Acts<ROWS, H>>,
    up: Packed<Acts<ROWS, H>>,
    hidden: Packed<Rounded<ROWS, H>>,
}

impl<const D: usize, const Q: usize, const K: usize, const H: usize> Block<D, Q, K, H> {
    fn new() -> Result<Self> {
        Ok(Self {
            acts: Packed::zeroed()?,
            features: Packed::zeroed()?,
            normal: Packed::zeroed()?,
            queries: Packed::zeroed()?,
            keys: Packed::zeroed()?,
            values: Packed::zeroed()?,
            attended: Packed::zeroed()?,
            gate: Packed::zeroed()?,
            up: Packed::zeroed()?,
            hidden: Packed::zeroed()?,
        })
    }

    /// Changes the number of tokens.
    fn set_len(&mut self, len: usize) -> Result<()> {
        self.acts.set_len(0, len)?;
        self.features.set_len(0, len)?;
        self.normal.set_len(0, len)?;
        self.queries.set_len(0, len)?;
        self.keys.set_len(0, len)?;
        self.values.set_len(0, len)?;
        self.attended.set_len(0, len)?;
        self.gate.set_len(0, len)?;
        self.up.set_len(0, len)?;
        self.hidden.set_len(0, len)?;
        Ok(())
    }

    /// Normalizes the features of tokens to a mean square of 1, scales and rounds them.
    fn normalize(&mut self, scale: &PackedRef<'_, Scale<D>>, epsilon: f64) {
        let scale: Vec<f32> = scale.as_elements().iter().copied().map(bf16::to_f32).collect();
        self.acts.par_convert_into(&mut self.features.as_mut(), |x| x);
        self.features.rms_norm_in_place(1, &scale, epsilon);
        self.features.par_convert_into(&mut self.normal.as_mut(), bf16::from_f32);
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
    attention: Memory<HEAD, T>,
    block: Block<D, Q, K, H>,
    logits: Packed<Acts<LOGITS, V>>,
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
            attention: Memory::default(),
            block: Block::new()?,
            logits: Packed::zeroed()?,
            stored,
            device,
            activations,
        })
    }

    /// The number of tokens in the vocabulary, including those on other devices.
    fn vocabulary(&self) -> usize {
        V * self.device.as_ref().map_or(1, Device::count)
    }

    /// Checks that all tokens and texts exist, and that the caches have room for them.
    fn check(&self, rows: &[Row]) -> Result<()> {
        let vocabulary = self.vocabulary();
        // The lengths of the texts with their new tokens.
        let len = |caches: &Vec<Cache<HEAD, T>>| caches.first().map_or(0, Cache::len);
        let mut lens: Vec<usize> = self.caches.iter().map(len).collect();
        let texts = lens.len();
        for Row { text, token } in rows {
            if *token >= vocabulary {
                return Err(format!("token {token} does not exist: there are {vocabulary}").into());
            }
            let Some(len) = lens.get_mut(*text) else {
                return Err(format!("text {text} does not exist: there are {texts}").into());
            };
            if *len == T {
                return Err(format!(
                    "the text is longer than the {T} tokens that there is room for"
                )
                .into());
            }
            *len += 1;
        }
        Ok(())
    }

    /// Writes the embeddings of some tokens to the block.
    fn embed(&mut self, tokens: &[usize]) -> Result<()> {
        let acts = self.block.acts.as_elements_mut();
        let Some(device) = &mut self.device else {
            return self.stored.embeddings.gather(tokens, acts);
        };
        // Each row is zero on all devices but one, so the sum over the devices is the row.
        let first = device.number() * V;
        let here = |token: &usize| token.checked_sub(first).filter(|row| *row < V);
        let rows: Vec<usize> = tokens.iter().map(|token| here(token).unwrap_or(0)).collect();
        self.stored.embeddings.gather(&rows, acts)?;
        for (token, row) in tokens.iter().zip(acts.chunks_exact_mut(D)) {
            if here(token).is_none() {
                row.fill(0.0);
            }
        }
        device.sum(&mut acts[..tokens.len() * D])
    }

    /// Reads the tokens of a block.
    fn read_block(&mut self, rows: &[Row], wanted: &[usize]) -> Result<Vec<f32>> {
        let to = self.activations;
        let tokens: Vec<usize> = rows.iter().map(|row| row.token).collect();
        self.block.set_len(rows.len())?;
        self.embed(&tokens)?;
        let block = &mut self.block;
        for (number, layer) in self.stored.layers.iter().enumerate() {
            block.normalize(&layer.attention_scale, self.epsilon);
            let Block { normal, queries, keys, values, attended, .. } = block;
            let (a, (b, c)) = both(
                || layer.queries.product(normal, to, queries),
                || {
                    both(
                        || layer.keys.product(normal, to, keys),
                        || layer.values.product(normal, to, values),
                    )
                },
            );
            a.and(b).and(c)?;
            let mut first = 0;
            for text in rows.chunk_by(|a, b| a.text == b.text) {
                let end = first + text.len();
                let tokens = Tokens {
                    rotary: &self.rotary,
                    queries: &queries.as_elements()[first * Q..end * Q],
                    keys: &keys.as_elements()[first * K..end * K],
                    values: &values.as_elements()[first * K..end * K],
                };
                let attended = &mut attended.as_elements_mut()[first * Q..end * Q];
                self.caches[text[0].text][number].attend(&self.attention, &tokens, attended)?;
                first = end;
            }
            let sums = (&mut block.acts, &mut block.features);
            add_product(&layer.outputs, &block.attended, to, sums, &mut self.device)?;

            block.normalize(&layer.hidden_scale, self.epsilon);
            let Block { acts, normal, gate, up, hidden, features, .. } = block;
            let (a, b) =
                both(|| layer.gate.product(normal, to, gate), || layer.up.product(normal, to, up));
            a.and(b)?;
            let swiglu = |gate: f32, up: f32| bf16::from_f32(gate / (1.0 + Float::exp(-gate)) * up);
            gate.as_ref().par_zip_into(up.as_ref(), &mut hidden.as_mut(), swiglu);
            add_product(&layer.down, hidden, to, (acts, features), &mut self.device)?;
        }
        self.logits_after(wanted)
    }

    /// The logits of the tokens that follow some rows of the block, from the features after the last layer.
    fn logits_after(&mut self, wanted: &[usize]) -> Result<Vec<f32>> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        self.block.normalize(&self.stored.scale, self.epsilon);
        let mut logits = Vec::new();
        for wanted in wanted.chunks(LOGITS) {
            let last = self.block.normal.gather_rows::<Rounded<LOGITS, D>>(wanted);
            self.logits.set_len(0, wanted.len())?;
            self.head.product(&last, self.activations, &mut self.logits)?;
            logits.extend_from_slice(&self.logits.as_elements()[..wanted.len() * V]);
        }
        match &mut self.device {
            None => Ok(logits),
            Some(device) => device.columns(V * device.count(), &logits),
        }
    }
}

/// Adds the product of some activations and the transposed weights; if devices share the model, adds the sum of their products.
/// `term` has the shape of `sums`; its elements are overwritten.
fn add_product<const R: usize, const O: usize, const I: usize>(
    weights: &impl Matrix<O, I>,
    acts: &Packed<Rounded<R, I>>,
    to: Activations,
    (sums, term): (&mut Packed<Acts<R, O>>, &mut Packed<Acts<R, O>>),
    device: &mut Option<Device>,
) -> Result<()> {
    let Some(device) = device else { return weights.add_product(acts, to, (sums, term)) };
    weights.product(acts, to, term)?;
    let len = term.len(0) * O;
    device.sum(&mut term.as_elements_mut()[..len])?;
    sums.zip_in_place(term, |sum, term| sum + term);
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
        self.check(rows)?;
        let mut logits = Vec::new();
        for (number, rows) in rows.chunks(ROWS).enumerate() {
            let first = number * ROWS;
            let inside = |row: &&usize| (first..first + rows.len()).contains(*row);
            let wanted: Vec<usize> = wanted.iter().filter(inside).map(|row| row - first).collect();
            logits.extend(self.read_block(rows, &wanted)?);
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
