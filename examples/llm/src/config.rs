//! `config.json`, as Hugging Face writes it for Llama.

use crate::Result;
use serde::Deserialize;
use std::fmt;
use std::path::Path;

/// The settings of a model that the forward pass needs.
#[derive(Clone, Debug, Deserialize)]
pub struct Config {
    hidden_size: usize,
    intermediate_size: usize,
    vocab_size: usize,
    num_attention_heads: usize,
    num_key_value_heads: Option<usize>,
    head_dim: Option<usize>,
    /// The number of layers.
    #[serde(rename = "num_hidden_layers")]
    pub layers: usize,
    /// The number that is added to the mean of the squares before its square root is taken.
    #[serde(rename = "rms_norm_eps", default = "epsilon")]
    pub epsilon: f64,
    /// The base of the wavelengths of the rotary embedding.
    #[serde(rename = "rope_theta", default = "theta")]
    pub theta: f64,
    /// How the wavelengths are stretched for long texts.
    #[serde(rename = "rope_scaling")]
    pub scaling: Option<Scaling>,
    /// The settings of the rotary embedding in the form that later versions of the file use.
    rope_parameters: Option<Rope>,
    /// Whether the logits are products with the embeddings.
    #[serde(rename = "tie_word_embeddings", default)]
    pub tied: bool,
    /// The token that begins a text.
    #[serde(rename = "bos_token_id")]
    pub begin: Option<usize>,
    #[serde(rename = "eos_token_id")]
    end: Option<Tokens>,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    mlp_bias: bool,
    hidden_act: Option<String>,
    model_type: Option<String>,
}

/// The stretching of wavelengths in Llama 3.1.
#[derive(Clone, Debug, Deserialize)]
pub struct Scaling {
    #[serde(alias = "type")]
    rope_type: String,
    /// The factor by which long wavelengths are stretched.
    #[serde(default)]
    pub factor: f64,
    /// Wavelengths longer than the original context divided by this number are stretched by the whole factor.
    #[serde(default)]
    pub low_freq_factor: f64,
    /// Wavelengths shorter than the original context divided by this number are not stretched.
    #[serde(default)]
    pub high_freq_factor: f64,
    /// The context before stretching, in tokens.
    #[serde(default, rename = "original_max_position_embeddings")]
    pub original_context: f64,
}

/// The base of the wavelengths, and how they are stretched.
#[derive(Clone, Debug, Deserialize)]
struct Rope {
    rope_theta: f64,
    #[serde(flatten)]
    scaling: Scaling,
}

/// One token, or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Tokens {
    One(usize),
    Several(Vec<usize>),
}

/// The sizes of a model, which are part of its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dims {
    /// The number of tokens in the vocabulary.
    pub vocabulary: usize,
    /// The number of features of a token between layers.
    pub width: usize,
    /// The number of features of all query heads together.
    pub queries: usize,
    /// The number of features of all key heads together.
    pub keys: usize,
    /// The number of features of one head.
    pub head: usize,
    /// The number of features between the two products of SwiGLU.
    pub hidden: usize,
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file does not exist, or if it does not describe a Llama model that this program supports.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("`{}`: {error}", path.display()))?;
        Ok(Self::parse(&text).map_err(|reason| format!("`{}`: {reason}", path.display()))?)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut config: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if let Some(rope) = config.rope_parameters.take() {
            (config.theta, config.scaling) = (rope.rope_theta, Some(rope.scaling));
        }
        config.scaling = config.scaling.filter(|scaling| scaling.rope_type != "default");
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), String> {
        let Dims { queries, keys, head, .. } = self.dims();
        if self.model_type.as_deref().is_some_and(|kind| kind != "llama") {
            return Err("only models of the type `llama` are read".into());
        }
        if self.attention_bias || self.mlp_bias {
            return Err("products with a bias are not computed here".into());
        }
        if self.hidden_act.as_deref().is_some_and(|function| function != "silu") {
            return Err("the activation must be `silu`".into());
        }
        if head == 0 || !head.is_multiple_of(2) || keys == 0 || !queries.is_multiple_of(keys) {
            return Err("heads must have an even size, and queries be a multiple of keys".into());
        }
        match &self.scaling {
            Some(scaling) if scaling.rope_type != "llama3" => {
                Err(format!("rotary embeddings of type `{}` are not computed", scaling.rope_type))
            }
            _ => Ok(()),
        }
    }

    /// The sizes that determine the type of the model.
    pub fn dims(&self) -> Dims {
        let heads = self.num_attention_heads;
        let head = self.head_dim.unwrap_or(self.hidden_size / heads.max(1));
        Dims {
            vocabulary: self.vocab_size,
            width: self.hidden_size,
            queries: heads.saturating_mul(head),
            keys: self.num_key_value_heads.unwrap_or(heads).saturating_mul(head),
            head,
            hidden: self.intermediate_size,
        }
    }

    /// Whether a token ends a text.
    pub fn ends(&self, token: usize) -> bool {
        match &self.end {
            None => false,
            Some(Tokens::One(end)) => *end == token,
            Some(Tokens::Several(ends)) => ends.contains(&token),
        }
    }
}

impl fmt::Display for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { vocabulary, width, queries, keys, head, hidden } = self;
        write!(f, "{vocabulary} {width} {queries} {keys} {head} {hidden}")
    }
}

fn epsilon() -> f64 {
    1e-6
}

fn theta() -> f64 {
    10_000.0
}

#[cfg(test)]
mod tests {
    use super::Config;

    const SIZES: &str = r#""hidden_size": 64, "intermediate_size": 96, "vocab_size": 130, "num_attention_heads": 4,
        "num_hidden_layers": 2"#;

    fn parse(more: &str) -> Result<Config, String> {
        Config::parse(&format!("{{{SIZES}{more}}}"))
    }

    #[test]
    fn what_is_not_said_has_its_usual_value() {
        let config = parse("").unwrap();
        assert_eq!(config.dims().to_string(), "130 64 64 64 16 96");
        assert_eq!((config.theta, config.epsilon, config.tied), (10_000.0, 1e-6, false));
        assert!(config.scaling.is_none() && !config.ends(2));
        let config = parse(r#", "num_key_value_heads": 2, "eos_token_id": [2, 3]"#).unwrap();
        assert_eq!((config.dims().keys, config.ends(3), config.ends(4)), (32, true, false));
    }

    #[test]
    fn wavelengths_are_read_from_either_place() {
        let stretched = r#""rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
            "original_max_position_embeddings": 8192"#;
        for text in [
            format!(r#", "rope_theta": 500000.0, "rope_scaling": {{{stretched}}}"#),
            format!(r#", "rope_parameters": {{"rope_theta": 500000.0, {stretched}}}"#),
        ] {
            let config = parse(&text).unwrap();
            let scaling = config.scaling.unwrap();
            assert_eq!((config.theta, scaling.factor), (500_000.0, 8.0));
            assert_eq!(scaling.original_context, 8192.0);
        }
        let plain = r#", "rope_parameters": {"rope_theta": 500.0, "rope_type": "default"}"#;
        let config = parse(plain).unwrap();
        assert!(config.theta == 500.0 && config.scaling.is_none());
    }

    #[test]
    fn what_is_not_computed_is_refused() {
        for (more, reason) in [
            (r#", "model_type": "qwen2""#, "only models of the type `llama` are read"),
            (r#", "attention_bias": true"#, "products with a bias are not computed here"),
            (r#", "hidden_act": "gelu""#, "the activation must be `silu`"),
            (
                r#", "rope_scaling": {"type": "yarn", "factor": 2.0}"#,
                "rotary embeddings of type `yarn` are not computed",
            ),
            (
                r#", "num_key_value_heads": 3"#,
                "heads must have an even size, and queries be a multiple of keys",
            ),
        ] {
            assert_eq!(parse(more).unwrap_err(), reason);
        }
    }
}
