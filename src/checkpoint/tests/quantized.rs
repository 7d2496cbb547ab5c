//! Block-scaled arrays in checkpoints.
#![allow(clippy::type_complexity, reason = "layouts are types")]

use super::super::*;
use super::{Rows, Temporary, tensors};
use crate::quantized::pack_into;
use crate::{quantized, tiled};
use half::bf16;
use safetensors::SafeTensors;
use std::fs;

/// Numbers of both signs and many magnitudes.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|n| ((n * 37 % 101) as f32 - 50.0) * 0.01 * (1 + n / 64) as f32).collect()
}

type Blocks = quantized!(q8_0[6,64]);

fn write_blocks(file: &Temporary) -> Vec<u8> {
    let blocks = Blocks::pack(&numbers(6 * 64)).unwrap();
    let announced = [("w", StoredSpec::from(Blocks::SPEC)), ("rows", Rows::SPEC.into())];
    let mut writer = Writer::create(&file.0, announced).unwrap();
    let error = writer.write("w", &blocks.as_bytes()[1..]).unwrap_err().to_string();
    assert!(error.starts_with("tensor `w`: packed array has 407 bytes, but the layout"), "{error}");
    for part in blocks.as_bytes().chunks(100) {
        writer.append("w", part).unwrap();
    }
    writer.write("rows", &tensors()[0].2).unwrap();
    writer.finish().unwrap();
    blocks.as_bytes().to_vec()
}

#[test]
fn block_scaled_arrays_are_mapped() {
    let file = Temporary::new("blocks");
    let bytes = write_blocks(&file);
    let tools = fs::read(&file.0).unwrap();
    let read = SafeTensors::deserialize(&tools).unwrap();
    let tensor = read.tensor("w").unwrap();
    assert_eq!((tensor.dtype(), tensor.shape()), (safetensors::Dtype::U8, &[408][..]));
    let (_, metadata) = SafeTensors::read_metadata(&tools).unwrap();
    let metadata = metadata.metadata().clone().unwrap();
    assert_eq!(metadata["layout.w"], "s8[6,64] by f16[1,32] in blocks");

    for in_memory in [false, true] {
        let checkpoint = Checkpoint::options().in_memory(in_memory).open(&file.0).unwrap();
        let blocks = checkpoint.get::<Blocks>("w").unwrap();
        assert_eq!(blocks.as_bytes(), bytes);
        // Not a copy.
        let found = checkpoint.bytes("w").unwrap();
        assert_eq!(blocks.as_bytes().as_ptr_range(), found.as_ptr_range());
        assert_eq!(found.as_ptr().addr() % ALIGNMENT, 0);
        let dynamic = checkpoint.get_quantized("w").unwrap();
        assert_eq!(dynamic.unpack(), blocks.as_dyn().unpack());
        assert_eq!(checkpoint.get::<Rows>("rows").unwrap().get([2, 3]), 13.0);
    }
}

#[test]
fn block_scaled_arrays_have_the_errors_of_others() {
    let file = Temporary::new("blocks-wrong");
    write_blocks(&file);
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    let stored = "tensor `w` is `s8[6,64] by f16[1,32] in blocks`, not";
    type Other = quantized!(q4_0[6,64]);
    type Longer = quantized!(q8_0[7,64]);
    type Tiled = tiled!(f32[6,64]);
    let read =
        "help: read it as `quantized!(s8[6,64] by f16[1,32] in blocks)`, or pack the file again";
    for (error, expected) in [
        (
            checkpoint.get::<Other>("w").map(drop),
            format!("{stored} `s4[6,64] by f16[1,32] in blocks`\n{read}"),
        ),
        (checkpoint.get::<Tiled>("w").map(drop), format!("{stored} `f32[6,64]{{1,0}}`\n{read}")),
        (
            checkpoint.get_or_relayout::<Tiled>("w").map(drop),
            format!("{stored} `f32[6,64]{{1,0}}`\n{read}"),
        ),
        (
            checkpoint.get::<Longer>("w").map(drop),
            format!(
                "{stored} `s8[7,64] by f16[1,32] in blocks`\nhelp: the shapes differ; give the tensor's own, `s8[6,64]`"
            ),
        ),
        (
            checkpoint.get::<quantized!(q8_0[3,32])>("rows").map(drop),
            "tensor `rows` is `f32[3,5]{1,0:T(2,2)}`, not `s8[3,32] by f16[1,32] in blocks`\n\
             help: the shapes differ; give the tensor's own, `f32[3,5]`"
                .into(),
        ),
        (
            checkpoint.get_quantized("rows").map(drop),
            "tensor `rows` is `f32[3,5]{1,0:T(2,2)}`, which is not block-scaled\n\
             help: pack the file with a rule for it, `rows = q8_0`"
                .into(),
        ),
        (
            checkpoint.rows::<crate::F32>("w", 0..1).map(drop),
            "tensor `w` is block-scaled, `s8[6,64] by f16[1,32] in blocks`\nhelp: `get` takes its type, \
             `quantized!(s8[6,64] by f16[1,32] in blocks)`, and `get_quantized` any"
                .into(),
        ),
    ] {
        assert_eq!(error.unwrap_err().to_string(), expected);
    }
    let whole = fs::read(&file.0).unwrap();
    let data = 8 + u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
    let mut damaged = whole.clone();
    damaged[data + 3] ^= 1;
    fs::write(&file.0, damaged).unwrap();
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    let error = checkpoint.get::<Blocks>("w").unwrap_err();
    assert!(matches!(error, CheckpointError::Checksum { .. }), "{error}");
    assert!(matches!(checkpoint.get_quantized("w"), Err(CheckpointError::Checksum { .. })));

    // Another layout with the same number of bytes, and one with more.
    let text = std::str::from_utf8(&whole[8..data]).unwrap();
    for (to, reason) in [
        ("s8[3,128] by f16[1,32] in blocks", ""),
        ("s8[6,96] by f16[1,32] in blocks", "takes 612 bytes, but it has 408 in the file"),
        ("s8[6,64] by f16[1,33] in blocks", "its layout `s8[6,64] by f16[1,33]"),
    ] {
        let header = text.replacen("s8[6,64] by f16[1,32] in blocks", to, 1);
        let header = &format!("{header} ")[..text.len()];
        fs::write(&file.0, [&whole[..8], header.as_bytes(), &whole[data..]].concat()).unwrap();
        match Checkpoint::open(&file.0) {
            Err(error) => {
                assert!(!reason.is_empty() && error.to_string().contains(reason), "{error}")
            }
            Ok(checkpoint) => {
                assert_eq!(reason, "");
                let error = checkpoint.get::<quantized!(q8_0[3,128])>("w").unwrap_err();
                assert!(matches!(error, CheckpointError::Checksum { .. }), "{error}");
            }
        }
    }
}

/// Writes `[outer, 6, columns]` as each of three types, row-major, without padding to 64 bytes.
fn write_plain(file: &Temporary, values: &[f32], dims: &[usize]) {
    use safetensors::Dtype;
    use safetensors::tensor::TensorView;
    let f32s: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
    let bf16s: Vec<u8> = values.iter().flat_map(|x| bf16::from_f32(*x).to_le_bytes()).collect();
    let f16s: Vec<u8> = values.iter().flat_map(|x| half::f16::from_f32(*x).to_le_bytes()).collect();
    let view = |dtype, bytes| TensorView::new(dtype, dims.to_vec(), bytes).unwrap();
    let all = [
        ("f32", view(Dtype::F32, &f32s)),
        ("bf16", view(Dtype::BF16, &bf16s)),
        ("f16", view(Dtype::F16, &f16s)),
        ("flags", TensorView::new(Dtype::BOOL, vec![32], &[0; 32]).unwrap()),
    ];
    fs::write(&file.0, safetensors::serialize(all, None).unwrap()).unwrap();
}

#[test]
fn rules_quantize_and_give_back() {
    let (plain, packed, back) =
        (Temporary::new("q-from"), Temporary::new("q-to"), Temporary::new("q-back"));
    // 1.1 MB of f32: more than one slab.
    let dims = [4, 66, 1024];
    let values = numbers(4 * 66 * 1024);
    write_plain(&plain, &values, &dims);
    let sources = [
        ("f32", values.clone()),
        ("bf16", values.iter().map(|x| bf16::from_f32(*x).to_f32()).collect()),
        ("f16", values.iter().map(|x| half::f16::from_f32(*x).to_f32()).collect()),
    ];
    for rule in [
        "q8_0",
        "Q4_0",
        "mxfp4",
        "nvfp4",
        "nvfp4_gguf",
        "s8[..] by f32[1,1,256] in planes",
        "f8e4m3fn[4,66,1024] by f16[1,1,64] in blocks",
    ] {
        let rules: Rules = format!("flags = row-major\n* = {rule}").parse().unwrap();
        let mut last = (0, 0);
        let packer = Packer::new(rules.clone()).progress(|done, all| last = (done, all));
        let summary = packer.pack(&plain.0, &packed.0).unwrap();
        assert_eq!(last, (summary.written, summary.written));
        let checkpoint = Checkpoint::open(&packed.0).unwrap();
        Packer::new("* = row-major".parse().unwrap()).pack(&packed.0, &back.0).unwrap();
        let plain_again = Checkpoint::open(&back.0).unwrap();
        for (name, values) in &sources {
            let found = checkpoint.get_quantized(name).unwrap();
            let mut bytes = vec![0; found.spec().bytes()];
            pack_into(found.spec(), values, &mut bytes).unwrap();
            assert!(checkpoint.bytes(name).unwrap() == bytes, "{rule} {name}");
            let unpacked = plain_again.rows::<crate::F32>(name, 0..4).unwrap();
            assert!(unpacked == found.unpack(), "{rule} {name}");
        }
        // A tensor that is already packed is unchanged.
        Packer::new(rules).pack(&packed.0, &back.0).unwrap();
        let again = Checkpoint::open(&back.0).unwrap();
        for (name, _) in &sources {
            assert!(again.bytes(name).unwrap() == checkpoint.bytes(name).unwrap(), "{rule} {name}");
        }
    }
    // From one format to another, and from blocks to tiles.
    Packer::new("flags = row-major\n* = q8_0".parse().unwrap()).pack(&plain.0, &packed.0).unwrap();
    let rules = "flags = row-major\nf32 = q4_0\n* = {1,2,0:T(8,128)}".parse().unwrap();
    Packer::new(rules).pack(&packed.0, &back.0).unwrap();
    let (first, second) =
        (Checkpoint::open(&packed.0).unwrap(), Checkpoint::open(&back.0).unwrap());
    let halves = first.get_quantized("f16").unwrap().unpack();
    assert!(second.rows::<crate::F32>("f16", 0..4).unwrap() == halves);
    let numbers = first.get_quantized("f32").unwrap().unpack();
    let spec = *second.get_quantized("f32").unwrap().spec();
    let mut bytes = vec![0; spec.bytes()];
    pack_into(&spec, &numbers, &mut bytes).unwrap();
    assert!(second.bytes("f32").unwrap() == bytes);
}

#[test]
fn parts_of_an_array_are_quantized() {
    let (plain, packed) = (Temporary::new("q-whole"), Temporary::new("q-split"));
    let values = numbers(8 * 256);
    write_plain(&plain, &values, &[8, 256]);
    let rules: Rules = r#"
        flags = row-major
        * = nvfp4[8,256] @ ["data"=2, "model"=4] [{"data"}, {"model"}]
    "#
    .parse()
    .unwrap();
    Packer::new(rules).pack(&plain.0, &packed.0).unwrap();
    type Part = quantized!(nvfp4[4,64]);
    for device in 0..8 {
        let checkpoint = Checkpoint::open_for(&packed.0, device).unwrap();
        let (row, column) = (device / 4 * 4, device % 4 * 64);
        let part: Vec<f32> =
            (row..row + 4).flat_map(|row| values[row * 256 + column..][..64].to_vec()).collect();
        let part = Part::pack(&part).unwrap();
        assert_eq!(checkpoint.get::<Part>("f32").unwrap().as_bytes(), part.as_bytes());
    }
}

#[test]
fn long_rows_of_an_array_without_elements_take_no_memory() {
    let file = Temporary::new("no-rows");
    let spec: StoredSpec = "q8_0[0,70368744177664]".parse().unwrap();
    let mut writer = Writer::create(&file.0, [("w", spec)]).unwrap();
    writer.write("w", &[]).unwrap();
    writer.finish().unwrap();
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    assert!(checkpoint.dense_bytes("w").unwrap().is_empty());
}

#[test]
fn rules_that_do_not_quantize_are_told() {
    use crate::DType;
    for (rule, dtype, dims, error) in [
        (
            "q8_0",
            DType::S32,
            &[2, 32][..],
            "tensor `w` is `s32[2,32]`\nhelp: block-scaled arrays are packed from",
        ),
        ("q8_0", DType::F32, &[2, 33], "tensor `w`, layout `q8_0[2,33]`: "),
        ("q8_0", DType::F32, &[], "tensor `w`, layout `q8_0[]`: "),
        ("q8_0[2,64]", DType::F32, &[2, 32], "tensor `w` is `f32[2,32]`, not `s8[2,64] by f16"),
        ("s8[..] by f16[1,32]", DType::F32, &[32], "but its block 2 sizes"),
        ("s8[..] by f17[1,32]", DType::F32, &[2, 32], "unknown type of scales `f17`"),
    ] {
        let rules: Rules = format!("w = {rule}").parse().unwrap();
        let found = rules.spec("w", dtype, dims).unwrap_err().to_string();
        assert!(found.contains(error), "{rule}: {found}");
    }
    let (plain, packed) = (Temporary::new("q-nan"), Temporary::new("q-none"));
    let mut values = numbers(2 * 130 * 1024);
    values[2 * 130 * 1024 - 7] = f32::NAN;
    write_plain(&plain, &values, &[2, 130, 1024]);
    let rules: Rules = "f32 = q8_0\n* = row-major".parse().unwrap();
    let error = Packer::new(rules).pack(&plain.0, &packed.0).unwrap_err().to_string();
    let expected = "tensor `f32`: the value at position 266233 of the row-major array is not finite, so its block of `s8[2,130,1024]";
    assert!(error.starts_with(expected), "{error}");
}

crate::checkpoint! {
    struct Both {
        w: quantized!(q8_0[6,64]),
        #[name = "w"]
        by_name: Blocks,
        none: Option<quantized!(q4_0[6,64])>,
    }

    struct Wrong {
        w: quantized!(q4_0[6,64]),
        #[name = "rows"]
        by_name: Blocks,
    }
}

#[test]
fn manifests_have_block_scaled_fields() {
    let file = Temporary::new("q-manifest");
    let bytes = write_blocks(&file);
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    let all = Both::load(&checkpoint).unwrap();
    assert_eq!((all.w.as_bytes(), all.by_name.as_bytes()), (&bytes[..], &bytes[..]));
    assert!(all.none.is_none());
    let Err(CheckpointError::Mismatches { errors }) = Wrong::load(&checkpoint) else {
        panic!("both fields are wrong")
    };
    assert_eq!(errors.len(), 2);
}
