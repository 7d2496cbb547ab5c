//! Compares logits with those that `reference.py` computes in plain numpy.
#![allow(missing_docs, reason = "tests")]

use llm::{Activations, Folder, Formats, Llama, Result, Row, Shared, Split, Weights};
use std::fs;
use std::path::{Path, PathBuf};
use tensor_layout::checkpoint::{Checkpoint, Writer};
use tensor_layout::half::bf16;
use tensor_layout::{BF16 as BF16Element, DType, F32, TiledSpec};

/// A folder that is removed when it is dropped.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("llm-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The largest difference from the reference, as a fraction of the largest logit of the token. Weights, activations, keys and
/// values have the 8 bits of bf16; the additional difference that blocks of 8 and 4 bits cause depends on the weights.
const BF16: (Formats, f64) = (formats(Weights::Bf16, Activations::Bf16), 0.015);
/// Compared with the reference for pruned weights.
const TWO_OF_FOUR: (Formats, f64) = (formats(Weights::TwoOfFour, Activations::Bf16), 0.015);
const TRAINED: [(Formats, f64); 8] = [
    BF16,
    TWO_OF_FOUR,
    (formats(Weights::Q8, Activations::Bf16), 0.015),
    (formats(Weights::Q8, Activations::S8), 0.015),
    (formats(Weights::S8, Activations::Bf16), 0.015),
    (formats(Weights::S8, Activations::S8), 0.015),
    (formats(Weights::Q4, Activations::Bf16), 0.12),
    (formats(Weights::Q4, Activations::S8), 0.12),
];
/// Independent weights are the worst case of quantization: their rounding errors do not cancel.
const RANDOM: [(Formats, f64); 8] = [
    BF16,
    TWO_OF_FOUR,
    (formats(Weights::Q8, Activations::Bf16), 0.06),
    (formats(Weights::Q8, Activations::S8), 0.06),
    (formats(Weights::S8, Activations::Bf16), 0.06),
    (formats(Weights::S8, Activations::S8), 0.06),
    (formats(Weights::Q4, Activations::Bf16), 0.75),
    (formats(Weights::Q4, Activations::S8), 0.75),
];

const fn formats(weights: Weights, activations: Activations) -> Formats {
    Formats { weights, activations }
}

/// The sizes of a model with random weights: vocabulary, width, query heads, key heads, size of a head, hidden, layers.
type Sizes = [usize; 7];

/// Numbers from -1 to 1: SplitMix64, begun with the FNV-1a hash of a name.
fn random(name: &str) -> impl Iterator<Item = f64> {
    let hash = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    let mut state = name.bytes().fold(0xCBF2_9CE4_8422_2325, hash);
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits: u64 = state;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ bits >> 31) >> 40) as f64 / f64::from(1 << 23) - 1.0
    })
}

/// Writes a model with random weights.
fn write(folder: &Path, sizes: Sizes, tied: bool, config: &str) {
    let [vocabulary, width, query_heads, key_heads, head, hidden, layers] = sizes;
    let (queries, keys) = (query_heads * head, key_heads * head);
    let mut shapes = vec![
        ("model.embed_tokens.weight".to_owned(), vec![vocabulary, width]),
        ("model.norm.weight".to_owned(), vec![width]),
    ];
    if !tied {
        shapes.push(("lm_head.weight".to_owned(), vec![vocabulary, width]));
    }
    for layer in 0..layers {
        for (part, shape) in [
            ("input_layernorm", vec![width]),
            ("post_attention_layernorm", vec![width]),
            ("self_attn.q_proj", vec![queries, width]),
            ("self_attn.k_proj", vec![keys, width]),
            ("self_attn.v_proj", vec![keys, width]),
            ("self_attn.o_proj", vec![width, queries]),
            ("mlp.gate_proj", vec![hidden, width]),
            ("mlp.up_proj", vec![hidden, width]),
            ("mlp.down_proj", vec![width, hidden]),
        ] {
            shapes.push((format!("model.layers.{layer}.{part}.weight"), shape));
        }
    }
    let spec = |shape: &[usize]| TiledSpec::row_major(DType::BF16, shape).unwrap();
    let announced = shapes.iter().map(|(name, shape)| (name.as_str(), spec(shape)));
    let mut writer = Writer::create(folder.join("model.safetensors"), announced).unwrap();
    for (name, shape) in &shapes {
        // Norms are about 1, and products keep the magnitude of their operands.
        let (start, factor) = match shape[..] {
            [_, columns] => (0.0, (3.0 / columns as f64).sqrt()),
            _ => (1.0, 0.5),
        };
        let values =
            random(name).take(shape.iter().product()).map(|x| bf16::from_f64(start + factor * x));
        let mut packed = vec![0; spec(shape).storage_bytes()];
        for (to, value) in packed.as_chunks_mut::<2>().0.iter_mut().zip(values) {
            *to = value.to_le_bytes();
        }
        writer.write(name, &packed).unwrap();
    }
    writer.finish().unwrap();
    let config = format!(
        r#"{{"vocab_size": {vocabulary}, "hidden_size": {width}, "num_attention_heads": {query_heads},
            "num_key_value_heads": {key_heads}, "head_dim": {head}, "intermediate_size": {hidden},
            "num_hidden_layers": {layers}, "tie_word_embeddings": {tied}, {config}}}"#
    );
    fs::write(folder.join("config.json"), config).unwrap();
}

/// Compares the logits of two texts with the reference: those of a whole model, and those of a model that four threads share.
fn check(
    folder: &Path,
    name: &str,
    texts: [&[usize]; 2],
    formats: Formats,
    bound: f64,
) -> Result<()> {
    let weights = formats.weights;
    let opened = Folder::open(folder)?;
    let checkpoint = opened.checkpoint(weights, |_, _| {})?;
    let mut model = llm::open(&opened.config, &checkpoint, formats, 2)?;
    check_model(&mut *model, &opened, name, texts, formats, bound)?;
    // The only model whose heads cannot be shared by four devices.
    if name == "own" {
        return Ok(());
    }
    let mut model = shared(&opened, formats, 2)?;
    check_model(&mut model, &opened, &format!("{name}, shared"), texts, formats, bound)
}

/// A model that four threads share.
fn shared(folder: &Folder, formats: Formats, texts: usize) -> Result<Shared> {
    let split: Split = "model=4".parse()?;
    let packed = folder.pack(formats.weights, Some(split), |_, _| {})?;
    Shared::start(folder, &packed, formats, split, texts)
}

/// Compares the logits of two texts with the reference: each text alone and both at once, with the prompt in one block, in two, and
/// token by token. A difference may be at most `bound` times the largest logit.
fn check_model(
    model: &mut dyn Llama,
    folder: &Folder,
    name: &str,
    texts: [&[usize]; 2],
    formats: Formats,
    bound: f64,
) -> Result<()> {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/logits.safetensors");
    let golden = Checkpoint::open(golden)?;
    let reference = name.trim_end_matches(", shared");
    let pruned = if formats.weights == Weights::TwoOfFour { ", 2:4" } else { "" };
    let compare = |text: usize, row: usize, found: &[f32], how: &str| {
        let expected =
            golden.rows::<F32>(&format!("{reference}{pruned}.{text}"), row..row + 1).unwrap();
        assert_eq!(found.len(), expected.len());
        let largest = expected.iter().fold(0.0, |max, x| f64::max(max, f64::from(x.abs())));
        for (x, y) in found.iter().zip(&expected) {
            let difference = f64::from(x - y).abs() / largest;
            assert!(
                difference < bound,
                "{name}, {formats:?}, text {text}, {how}: {x}, not {y}, after token {row}: {difference} of the largest"
            );
        }
    };
    let vocabulary = folder.config.dims().vocabulary;
    for (text, tokens) in texts.iter().enumerate() {
        for step in [1, 5, tokens.len()] {
            model.forget();
            for (number, part) in tokens.chunks(step).enumerate() {
                let rows: Vec<Row> = part.iter().map(|&token| Row { text, token }).collect();
                let wanted: Vec<usize> = (0..rows.len()).collect();
                let logits = model.read(&rows, &wanted)?;
                for (row, logits) in (number * step..).zip(logits.chunks(vocabulary)) {
                    compare(text, row, logits, &format!("{step} tokens at once"));
                }
            }
        }
    }
    // Both texts: first all tokens of each except the last three, text by text, then the rest one by one.
    model.forget();
    let (mut rows, mut wanted) = (Vec::new(), Vec::new());
    for (text, tokens) in texts.iter().enumerate() {
        rows.extend(tokens[..tokens.len() - 3].iter().map(|&token| Row { text, token }));
        wanted.push(rows.len() - 1);
    }
    let logits = model.read(&rows, &wanted)?;
    for (text, logits) in logits.chunks(vocabulary).enumerate() {
        compare(text, texts[text].len() - 4, logits, "both at once");
    }
    for left in (1..=3).rev() {
        let row = |text: usize| Row { text, token: texts[text][texts[text].len() - left] };
        let logits = model.read(&[row(0), row(1)], &[0, 1])?;
        for (text, logits) in logits.chunks(vocabulary).enumerate() {
            compare(text, texts[text].len() - left, logits, "one by one");
        }
    }
    Ok(())
}

/// Compares a model of random weights.
fn check_random(name: &str, sizes: Sizes, tied: bool, config: &str, bounds: &[(Formats, f64)]) {
    let folder = Temporary::new(name);
    write(&folder.0, sizes, tied, config);
    let tokens = |text: usize, count: usize| -> Vec<usize> {
        (0..count).map(|i| (7 * i * i + 11 * text + 3) % sizes[0]).collect()
    };
    for &(formats, bound) in bounds {
        check(&folder.0, name, [&tokens(0, 13), &tokens(1, 9)], formats, bound).unwrap();
    }
}

#[test]
fn two_heads_share_their_keys() {
    let config = r#""rope_theta": 10000.0, "rms_norm_eps": 1e-5"#;
    check_random("one", [64, 32, 4, 2, 8, 48, 3], false, config, &[BF16, TWO_OF_FOUR]);
}

#[test]
fn all_heads_share_their_keys_and_waves_are_stretched() {
    let config = r#""rope_theta": 500.0, "rms_norm_eps": 1e-6, "rope_scaling": {"rope_type": "llama3", "factor": 4.0,
        "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 64}"#;
    check_random("shared", [96, 48, 4, 1, 16, 80, 2], true, config, &[BF16, TWO_OF_FOUR]);
}

#[test]
fn each_head_has_its_keys() {
    let config = r#""rope_theta": 500000.0, "rms_norm_eps": 1e-5"#;
    check_random("own", [130, 64, 2, 2, 32, 96, 2], false, config, &RANDOM);
}

#[test]
fn the_model_of_the_example() {
    let folder = Temporary::new("model");
    for file in ["config.json", "model.safetensors"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("model").join(file);
        fs::copy(from, folder.0.join(file)).unwrap();
    }
    let texts = [&b"\n127+456=583"[..], b"\na red cat"]
        .map(|text| text.iter().map(|byte| usize::from(*byte)).collect::<Vec<_>>());
    for (formats, bound) in TRAINED {
        check(&folder.0, "model", [&texts[0], &texts[1]], formats, bound).unwrap();
    }
}

/// The logits of a text, token by token.
fn logits(folder: &Path, weights: Weights, tokens: &[usize]) -> Vec<f32> {
    let folder = Folder::open(folder).unwrap();
    let checkpoint = folder.checkpoint(weights, |_, _| {}).unwrap();
    let mut model = llm::open(&folder.config, &checkpoint, weights, 1).unwrap();
    tokens.iter().flat_map(|&token| model.read(&[Row { text: 0, token }], &[0]).unwrap()).collect()
}

/// A product with blocks is the product with the numbers that the blocks represent. So the quantized model and a bf16 model of
/// these numbers differ only by the rounding of the numbers to bf16, and by the error of 0.015 that each model has itself, however
/// much both differ from the original model.
#[test]
fn blocks_are_the_numbers_that_they_unpack_to() {
    let (blocks, unpacked) = (Temporary::new("blocks"), Temporary::new("unpacked"));
    write(&blocks.0, [130, 64, 2, 2, 32, 96, 2], false, r#""rms_norm_eps": 1e-5"#);
    fs::copy(blocks.0.join("config.json"), unpacked.0.join("config.json")).unwrap();
    let tokens: Vec<usize> = (0..13).map(|i| (7 * i * i + 3) % 130).collect();
    for weights in [Weights::Q8, Weights::S8, Weights::Q4] {
        let found = logits(&blocks.0, weights, &tokens);
        let folder = Folder::open(&blocks.0).unwrap();
        let checkpoint = folder.checkpoint(weights, |_, _| {}).unwrap();
        let arrays: Vec<(&str, TiledSpec, Vec<f32>)> = checkpoint
            .names()
            .map(|name| {
                let dims = checkpoint.stored_spec(name).unwrap().dims();
                let spec = TiledSpec::row_major(DType::BF16, dims).unwrap();
                let values = match checkpoint.get_quantized(name) {
                    Ok(array) => array.unpack(),
                    Err(_) => {
                        let norm = checkpoint.rows::<BF16Element>(name, 0..dims[0]).unwrap();
                        norm.into_iter().map(bf16::to_f32).collect()
                    }
                };
                (name, spec, values)
            })
            .collect();
        // Only norms are stored unchanged.
        let tiled = arrays.iter().filter(|(name, ..)| checkpoint.spec(name).is_ok()).count();
        assert_eq!(tiled, 5);
        let announced = arrays.iter().map(|(name, spec, _)| (*name, *spec));
        let mut writer = Writer::create(unpacked.0.join("model.safetensors"), announced).unwrap();
        for (name, _, values) in &arrays {
            let bytes: Vec<u8> =
                values.iter().flat_map(|x| bf16::from_f32(*x).to_le_bytes()).collect();
            writer.write(name, &bytes).unwrap();
        }
        writer.finish().unwrap();
        // Forces the weights to be packed again, independent of the modification times.
        let _ = fs::remove_file(unpacked.0.join("packed.safetensors"));
        let expected = logits(&unpacked.0, Weights::Bf16, &tokens);
        for (found, expected) in found.chunks(130).zip(expected.chunks(130)) {
            let largest = expected.iter().fold(0.0, |max: f32, x| max.max(x.abs()));
            for (x, y) in found.iter().zip(expected) {
                let difference = (x - y).abs() / largest;
                assert!(difference < 0.03, "{weights:?}: {x}, not {y}: {difference}");
            }
        }
    }
}

#[test]
fn sizes_that_are_not_blocks_have_no_block_scaled_formats() {
    let folder = Temporary::new("no-blocks");
    write(&folder.0, [64, 32, 4, 2, 8, 48, 1], true, r#""rms_norm_eps": 1e-5"#);
    let opened = Folder::open(&folder.0).unwrap();
    let error = opened.checkpoint(Weights::Q8, |_, _| {}).unwrap_err().to_string();
    assert!(error.contains("layout `q8_0[32,48]`: "), "{error}");
    let checkpoint = opened.checkpoint(Weights::Bf16, |_, _| {}).unwrap();
    let error = llm::open(&opened.config, &checkpoint, Weights::Q8, 1).err().unwrap().to_string();
    assert!(error.contains("64 32 32 16 8 48 are not all multiples of 32"), "{error}");
    for weights in [Weights::Bf16, Weights::TwoOfFour] {
        let wrong = formats(weights, Activations::S8);
        let error = llm::open(&opened.config, &checkpoint, wrong, 1).err().unwrap().to_string();
        assert!(error.contains("activations are quantized for block-scaled weights"), "{error}");
    }
}

#[test]
fn weights_of_f32_are_rounded() {
    let (narrow, wide) = (Temporary::new("narrow"), Temporary::new("wide"));
    write(&narrow.0, [64, 32, 4, 2, 8, 48, 1], true, r#""rms_norm_eps": 1e-5"#);
    fs::copy(narrow.0.join("config.json"), wide.0.join("config.json")).unwrap();
    let plain = Checkpoint::open(narrow.0.join("model.safetensors")).unwrap();
    let spec = |name| TiledSpec::row_major(DType::F32, plain.spec(name).unwrap().dims()).unwrap();
    let announced = plain.names().map(|name| (name, spec(name)));
    let mut writer = Writer::create(wide.0.join("model.safetensors"), announced).unwrap();
    for name in plain.names() {
        let values = plain.bytes(name).unwrap().as_chunks::<2>().0.iter();
        // The change is so small that rounding removes it.
        let values = values.map(|x| bf16::from_le_bytes(*x).to_f32() * (1.0 + 1e-4));
        let bytes: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
        writer.write(name, &bytes).unwrap();
    }
    writer.finish().unwrap();
    for weights in [Weights::Bf16, Weights::TwoOfFour] {
        assert_eq!(logits(&narrow.0, weights, &[1, 2, 3]), logits(&wide.0, weights, &[1, 2, 3]));
    }
}

#[test]
fn a_text_cannot_outgrow_the_caches() {
    let folder = Temporary::new("long");
    write(&folder.0, [64, 32, 4, 2, 8, 48, 1], true, r#""rms_norm_eps": 1e-5"#);
    let opened = Folder::open(&folder.0).unwrap();
    let checkpoint = opened.checkpoint(Weights::Bf16, |_, _| {}).unwrap();
    let mut model = llm::open(&opened.config, &checkpoint, Weights::Bf16, 1).unwrap();
    let rows = [Row { text: 0, token: 1 }; 41];
    model.read(&rows[..40], &[]).unwrap();
    let error = model.read(&rows[..1], &[]).unwrap_err();
    assert_eq!(error.to_string(), "the text is longer than the 40 tokens that there is room for");
    model.forget();
    assert_eq!(model.read(&rows[..1], &[0]).unwrap().len(), 64);
    let error = model.read(&[Row { text: 0, token: 64 }], &[]).unwrap_err();
    assert_eq!(error.to_string(), "token 64 does not exist: there are 64");
}

#[test]
fn an_error_of_one_text_leaves_the_others_unchanged() {
    let folder = Temporary::new("others");
    write(&folder.0, [64, 32, 4, 2, 8, 48, 1], true, r#""rms_norm_eps": 1e-5"#);
    let opened = Folder::open(&folder.0).unwrap();
    let checkpoint = opened.checkpoint(Weights::Bf16, |_, _| {}).unwrap();
    let mut model = llm::open(&opened.config, &checkpoint, Weights::Bf16, 2).unwrap();
    let row = |text, token| Row { text, token };
    let mut full = vec![row(1, 3); 40];
    full.push(row(0, 1));
    model.read(&full, &[]).unwrap();
    let error = model.read(&[row(0, 2), row(1, 2)], &[]).unwrap_err().to_string();
    assert_eq!(error, "the text is longer than the 40 tokens that there is room for");
    let error = model.read(&[row(0, 2), row(2, 2)], &[]).unwrap_err().to_string();
    assert_eq!(error, "text 2 does not exist: there are 2");
    let found = model.read(&[row(0, 5)], &[0]).unwrap();
    model.forget();
    assert!(model.read(&[row(0, 1)], &[]).unwrap().is_empty());
    assert_eq!(model.read(&[row(0, 5)], &[0]).unwrap(), found);
}

#[test]
fn each_device_maps_its_part() {
    let folder = Temporary::new("parts");
    write(&folder.0, [96, 48, 4, 1, 16, 80, 1], true, r#""rms_norm_eps": 1e-6"#);
    let opened = Folder::open(&folder.0).unwrap();
    let packed = opened.pack(Weights::Bf16, Some("model=4".parse().unwrap()), |_, _| {}).unwrap();
    let whole = Folder::open_packed(&packed, Checkpoint::options()).unwrap();
    for device in 0..4 {
        let part = Folder::open_packed(&packed, Checkpoint::options().device(device)).unwrap();
        let dims = |name: &str| part.spec(&format!("model.{name}.weight")).unwrap().dims().to_vec();
        assert_eq!(dims("embed_tokens"), [24, 48]);
        assert_eq!(dims("layers.0.self_attn.q_proj"), [16, 48]);
        // One key head, which all devices have.
        assert_eq!(dims("layers.0.self_attn.k_proj"), [16, 48]);
        assert_eq!(dims("layers.0.self_attn.o_proj"), [48, 16]);
        assert_eq!(dims("layers.0.mlp.down_proj"), [48, 20]);
        assert_eq!(dims("norm"), [48]);
        // The part is at the same indices in the whole file.
        let name = "model.layers.0.mlp.down_proj.weight";
        assert_eq!(part.bytes(name).unwrap(), whole.bytes(&format!("{name}@{device}")).unwrap());
        assert_eq!(part.names().len(), 11);
    }
    assert_eq!(whole.names().len(), 6 * 4 + 5);
}

#[test]
fn devices_that_share_a_model_fail_together() {
    let folder = Temporary::new("together");
    write(&folder.0, [64, 32, 4, 2, 8, 48, 1], true, r#""rms_norm_eps": 1e-5"#);
    let opened = Folder::open(&folder.0).unwrap();
    let mut model = shared(&opened, Weights::Bf16.into(), 1).unwrap();
    let rows = [Row { text: 0, token: 1 }; 41];
    assert_eq!(model.context(), 40);
    let logits = model.read(&rows[..1], &[0]).unwrap();
    model.forget();
    assert_eq!(model.read(&rows[..1], &[0]).unwrap(), logits);
    let error = model.read(&rows, &[]).unwrap_err();
    assert_eq!(error.to_string(), "the text is longer than the 40 tokens that there is room for");
    let error = model.read(&rows[..1], &[]).unwrap_err();
    assert_eq!(error.to_string(), "a device that shares the model has ended");

    // Heads cannot be divided evenly among three devices.
    for (mesh, reason) in [
        ("model=3", "doesn't divide the size of the full axis 3"),
        ("model=2", "no model of these sizes is compiled in for 2 devices, only for 1 and 4"),
    ] {
        let split: Split = mesh.parse().unwrap();
        let started = opened
            .pack(Weights::Bf16, Some(split), |_, _| {})
            .map_err(|error| error.to_string())
            .and_then(|packed| {
                Shared::start(&opened, &packed, Weights::Bf16, split, 1)
                    .map_err(|error| error.to_string())
            });
        let error = started.err().unwrap();
        assert!(error.contains(reason), "{error}");
    }
    for mesh in ["model=1", "data=4", "4"] {
        assert!(mesh.parse::<Split>().is_err(), "{mesh}");
    }
}

#[test]
fn other_sizes_are_told_the_known_ones() {
    let folder = Temporary::new("unknown");
    write(&folder.0, [64, 32, 4, 2, 8, 40, 1], true, r#""rms_norm_eps": 1e-5"#);
    let opened = Folder::open(&folder.0).unwrap();
    let checkpoint = opened.checkpoint(Weights::Bf16, |_, _| {}).unwrap();
    let Err(error) = llm::open(&opened.config, &checkpoint, Weights::Bf16, 1) else {
        panic!("40 is not 48")
    };
    let text = error.to_string();
    assert!(
        text.starts_with("no model of these sizes is compiled in: 64 32 32 16 8 40\n"),
        "{text}"
    );
    assert!(
        text.contains("\n  32000 2048 2048 256 64 5632 ") && text.contains("TinyLlama 1.1B"),
        "{text}"
    );
    let line = r#"help: add a line to the table in `src/known.rs`, `"NAME": 64 32 32 16 8 40 2048, no_blocks;`"#;
    assert!(text.contains(line), "{text}");

    // The program asks before it packs the weights.
    assert_eq!(llm::check(opened.config.dims(), 1).unwrap_err().to_string(), text);
    let example = Folder::open(concat!(env!("CARGO_MANIFEST_DIR"), "/model")).unwrap();
    assert!(llm::check(example.config.dims(), 4).is_ok());
    let text = llm::check(example.config.dims(), 3).unwrap_err().to_string();
    assert!(
        text.starts_with(
            "no model of these sizes is compiled in for 3 devices, only for 1 and 4\n"
        ),
        "{text}"
    );
}

#[test]
fn a_damaged_packed_checkpoint_can_be_packed_again() {
    let folder = Temporary::new("damaged");
    write(&folder.0, [64, 32, 4, 2, 8, 48, 1], true, r#""rms_norm_eps": 1e-5"#);
    let opened = Folder::open(&folder.0).unwrap();
    let packed = opened.pack(Weights::Bf16, None, |_, _| {}).unwrap();
    fs::File::options().write(true).open(&packed).unwrap().set_len(4096).unwrap();
    let text = opened.checkpoint(Weights::Bf16, |_, _| {}).unwrap_err().to_string();
    assert!(text.contains("truncated") && text.contains("help: delete the file"), "{text}");
    fs::remove_file(&packed).unwrap();
    assert!(opened.checkpoint(Weights::Bf16, |_, _| {}).is_ok());
}

#[test]
fn all_weights_that_are_missing_are_told_at_once() {
    let folder = Temporary::new("layers");
    // The configuration is read before the weights. Its sizes are those in the table, except for the width between the products.
    write(&folder.0, [64, 32, 4, 2, 8, 40, 2], true, r#""rms_norm_eps": 1e-5"#);
    let config = folder.0.join("config.json");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace(r#""intermediate_size": 40"#, r#""intermediate_size": 48"#))
        .unwrap();
    let opened = Folder::open(&folder.0).unwrap();
    let checkpoint = opened.checkpoint(Weights::Bf16, |_, _| {}).unwrap();
    let Err(error) = llm::open(&opened.config, &checkpoint, Weights::Bf16, 1) else {
        panic!("40 is not 48")
    };
    let text = error.to_string();
    for layer in 0..2 {
        for part in ["gate", "up", "down"] {
            assert!(
                text.contains(&format!("`model.layers.{layer}.mlp.{part}_proj.weight` is")),
                "{text}"
            );
        }
    }
    assert!(text.contains(": 6 errors\n"), "{text}");

    write(&folder.0, [64, 32, 4, 2, 8, 48, 2], true, r#""rms_norm_eps": 1e-5"#);
    let text = fs::read_to_string(&config).unwrap();
    let text = text.replace(r#""num_hidden_layers": 2"#, r#""num_hidden_layers": 3"#);
    fs::write(&config, text).unwrap();
    let opened = Folder::open(&folder.0).unwrap();
    let checkpoint = opened.checkpoint(Weights::Bf16, |_, _| {}).unwrap();
    let Err(error) = llm::open(&opened.config, &checkpoint, Weights::Bf16, 1) else {
        panic!("2 is not 3")
    };
    assert_eq!(error.to_string(), "the weights have 2 layers, not 3");
}
