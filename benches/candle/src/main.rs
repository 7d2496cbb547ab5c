//! A Llama in candle, with the measurements of `llm --measure`: `compare.py` prints both in one table.
//!
//! ```sh
//! cargo run --release -- write DIR             # a model of random weights and the sizes of SmolLM 135M
//! cargo run --release -- write DIR tinyllama   # and of TinyLlama 1.1B
//! cargo run --release -- run DIR f32 256 64    # reads 256 tokens, then writes 64; f32, f16 or bf16
//! ```

use candle_core::{D, DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::llama::{Cache, Llama, LlamaConfig};
use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", folder] => write(Path::new(folder), &SMOLLM),
        ["write", folder, "tinyllama"] => write(Path::new(folder), &TINYLLAMA),
        ["run", folder, dtype, prompt, tokens] => {
            let dtype = match *dtype {
                "f32" => DType::F32,
                "f16" => DType::F16,
                "bf16" => DType::BF16,
                other => return Err(format!("`{other}` is not f32, f16 or bf16").into()),
            };
            run(Path::new(folder), dtype, prompt.parse()?, tokens.parse()?)
        }
        _ => Err("write `write DIR`, or `run DIR f32 256 64`".into()),
    }
}

/// Reads a prompt in one pass, then writes tokens one by one, always the likeliest.
fn run(folder: &Path, dtype: DType, prompt: usize, tokens: usize) -> Result<()> {
    let device = Device::Cpu;
    let start = Instant::now();
    let config: LlamaConfig = serde_json::from_slice(&std::fs::read(folder.join("config.json"))?)?;
    let config = config.into_config(false);
    let weights = [folder.join("model.safetensors")];
    // SAFETY: nothing writes the file while the program runs.
    let weights = unsafe { VarBuilder::from_mmaped_safetensors(&weights, dtype, &device)? };
    let model = Llama::load(weights, &config)?;
    let mut cache = Cache::new(true, dtype, &config, &device)?;
    let started = start.elapsed();

    let ids: Vec<u32> = (0..prompt).map(|i| ((31 * i + 1) % config.vocab_size) as u32).collect();
    let start = Instant::now();
    let input = Tensor::new(&ids[..], &device)?.unsqueeze(0)?;
    let mut logits = model.forward(&input, 0, &mut cache)?;
    let reading = start.elapsed();

    let mut writing = Duration::ZERO;
    for written in 0..tokens {
        let token = logits.argmax(D::Minus1)?;
        let start = Instant::now();
        logits = model.forward(&token.unsqueeze(1)?, prompt + written, &mut cache)?;
        writing += start.elapsed();
    }
    let rate = |count: usize, time: Duration| count as f64 / time.as_secs_f64();
    eprintln!("start:   {started:.1?}");
    eprintln!("prompts: {prompt} tokens, {:.0} each second", rate(prompt, reading));
    eprintln!("written: {tokens} tokens, {:.1} each second", rate(tokens, writing));
    Ok(())
}

/// The sizes of a model.
struct Sizes {
    vocabulary: usize,
    width: usize,
    heads: usize,
    keys: usize,
    hidden: usize,
    layers: usize,
    tied: bool,
}

const SMOLLM: Sizes = Sizes {
    vocabulary: 49152,
    width: 576,
    heads: 9,
    keys: 3,
    hidden: 1536,
    layers: 30,
    tied: true,
};
const TINYLLAMA: Sizes = Sizes {
    vocabulary: 32000,
    width: 2048,
    heads: 32,
    keys: 4,
    hidden: 5632,
    layers: 22,
    tied: false,
};

/// Writes a model of random weights.
fn write(folder: &Path, sizes: &Sizes) -> Result<()> {
    let &Sizes { vocabulary, width, heads, keys, hidden, layers, tied } = sizes;
    let head = width / heads;
    std::fs::create_dir_all(folder)?;
    let config = serde_json::json!({
        "model_type": "llama", "hidden_act": "silu", "torch_dtype": "bfloat16",
        "vocab_size": vocabulary, "hidden_size": width, "intermediate_size": hidden,
        "num_hidden_layers": layers, "num_attention_heads": heads, "num_key_value_heads": keys,
        "max_position_embeddings": 2048, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
        "tie_word_embeddings": tied, "bos_token_id": 0, "eos_token_id": 0,
    });
    std::fs::write(folder.join("config.json"), serde_json::to_string_pretty(&config)?)?;
    let matrix = |rows: usize, columns: usize| {
        Tensor::randn(0_f32, 0.02, (rows, columns), &Device::Cpu)?.to_dtype(DType::BF16)
    };
    let norm = || Tensor::ones(width, DType::BF16, &Device::Cpu);
    let mut tensors = HashMap::new();
    tensors.insert("model.embed_tokens.weight".to_owned(), matrix(vocabulary, width)?);
    tensors.insert("model.norm.weight".to_owned(), norm()?);
    if !tied {
        tensors.insert("lm_head.weight".to_owned(), matrix(vocabulary, width)?);
    }
    for layer in 0..layers {
        for (name, tensor) in [
            ("input_layernorm", norm()?),
            ("post_attention_layernorm", norm()?),
            ("self_attn.q_proj", matrix(width, width)?),
            ("self_attn.k_proj", matrix(keys * head, width)?),
            ("self_attn.v_proj", matrix(keys * head, width)?),
            ("self_attn.o_proj", matrix(width, width)?),
            ("mlp.gate_proj", matrix(hidden, width)?),
            ("mlp.up_proj", matrix(hidden, width)?),
            ("mlp.down_proj", matrix(width, hidden)?),
        ] {
            tensors.insert(format!("model.layers.{layer}.{name}.weight"), tensor);
        }
    }
    candle_core::safetensors::save(&tensors, folder.join("model.safetensors"))?;
    Ok(())
}
