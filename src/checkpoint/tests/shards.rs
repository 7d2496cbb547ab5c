//! Tensors of which each device has a part.

use super::*;

crate::mesh! { Pod = ["data" = 2, "model" = 4] }
crate::mesh! { Line = ["model" = 4] }

#[test]
fn each_device_has_its_part_bit_for_bit() {
    use crate::sharding::ShardedLayout;
    type W = crate::sharded!(bf16[20,132]{1,0:T(8,128)(2,1)} @ Pod [{"data"}, {"model"}]);
    type Rows = crate::sharded!(bf16[20,132] @ Pod [{"model"}, {}]);
    type Other = crate::sharded!(bf16[20,132] @ Line [{"model"}, {}]);
    let (plain, packed) = (Temporary::new("whole"), Temporary::new("split"));
    let values: Vec<bf16> = (0..20 * 132).map(bf16::from_bits).collect();
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let view = |shape: &[usize]| {
        let len = shape.iter().product::<usize>() * 2;
        let dtype = safetensors::Dtype::BF16;
        safetensors::tensor::TensorView::new(dtype, shape.to_vec(), &bytes[..len]).unwrap()
    };
    let all = [("w", view(&[20, 132])), ("rows", view(&[20, 132])), ("norm", view(&[132]))];
    fs::write(&plain.0, safetensors::serialize(all, None).unwrap()).unwrap();
    let rules: Rules = r#"
        w = bf16[20,132]{1,0:T(8,128)(2,1)} @ <["data"=2, "model"=4]> [{"data"}, {"model"}]
        rows = row-major @ ["data"=2,"model"=4] [{"model", ?}, {}]
        norm = row-major
    "#
    .parse()
    .unwrap();
    let summary = Packer::new(rules).pack(&plain.0, &packed.0).unwrap();
    assert_eq!((summary.tensors, summary.read), (8 + 4 + 1, 20 * 132 * 4 + 264));
    for device in 0..8 {
        let checkpoint = Checkpoint::open_for(&packed.0, device).unwrap();
        assert_eq!(checkpoint.names().collect::<Vec<_>>(), ["norm", "rows", "w"]);
        let w = checkpoint.get_shard::<W>("w").unwrap();
        let rows = checkpoint.get::<<Rows as ShardedLayout>::Local>("rows").unwrap();
        for bytes in [w.as_bytes(), rows.as_bytes()] {
            assert_eq!(bytes.as_ptr().addr() % ALIGNMENT, 0);
        }
        let slices = [W::slice(device).unwrap(), Rows::slice(device).unwrap()];
        for (slices, local) in slices.iter().zip([w.unpack(), rows.unpack()]) {
            let rows = slices[0].clone();
            let expected = rows.flat_map(|row| slices[1].clone().map(move |at| row * 132 + at));
            assert!(expected.map(|at| values[at]).eq(local), "device {device}");
        }
        checkpoint.verify().unwrap();
        assert_eq!(checkpoint.bytes("norm").unwrap(), &bytes[..264]);
    }
    let checkpoint = Checkpoint::open_for(&packed.0, 5).unwrap();
    assert!(checkpoint.sharding("norm").unwrap().is_none());
    assert_eq!(
        checkpoint.get_shard::<Other>("rows").unwrap_err().to_string(),
        "tensor `rows` is split by `<mesh<[\"data\"=2, \"model\"=4]>, [{\"model\"}, {}]>`, not \
         `<mesh<[\"model\"=4]>, [{\"model\"}, {}]>`\n\
         help: write the sharding of the file, or pack the file again"
    );
    let error = checkpoint.get_shard::<Rows>("norm").unwrap_err().to_string();
    assert!(error.starts_with("tensor `norm` is not split, not `<mesh"), "{error}");
    let error = Checkpoint::open_for(&packed.0, 8).unwrap_err();
    assert!(matches!(error, CheckpointError::Device { device: 8, .. }), "{error}");
    let text = error.to_string();
    let end = "in which device 8 does not exist\nhelp: the last device is 7";
    assert!(text.ends_with(end), "{text}");

    // If no device is given, the parts have names of their own.
    let checkpoint = Checkpoint::open(&packed.0).unwrap();
    assert_eq!(checkpoint.names().len(), 13);
    assert_eq!(checkpoint.spec("w@7").unwrap(), &<W as ShardedLayout>::Local::SPEC);
    assert!(matches!(checkpoint.bytes("w"), Err(CheckpointError::Sharded { .. })));
    // A split tensor is assembled and packed again.
    assert_eq!(checkpoint.dense_bytes("w").unwrap(), bytes);
    let error = Checkpoint::open_for(&packed.0, 1).unwrap().dense_bytes("w@1").unwrap_err();
    assert!(matches!(error, CheckpointError::Missing { .. }), "{error}");
    let back = Temporary::new("whole-again");
    let rules: Rules = r#"
        rows = tpu! @ ["a"=3, "b"=2] [{"b"}, {"a"}]
        * = row-major
    "#
    .parse()
    .unwrap();
    assert_eq!(Packer::new(rules).pack(&packed.0, &back.0).unwrap().tensors, 6 + 1 + 1);
    let back = Checkpoint::open(&back.0).unwrap();
    assert_eq!(back.spec("w").unwrap().to_string(), "bf16[20,132]{1,0}");
    assert_eq!(back.bytes("w").unwrap(), bytes);
    assert_eq!(
        (back.dense_bytes("rows").unwrap(), back.bytes("norm").unwrap()),
        (bytes.clone(), &bytes[..264])
    );
    other_shardings_are_refused(&packed);
}

/// Changes the metadata of a file in which the tensor `rows` is split into four parts.
fn other_shardings_are_refused(file: &Temporary) {
    let whole = fs::read(&file.0).unwrap();
    let data = 8 + u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
    let header = std::str::from_utf8(&whole[8..data]).unwrap();
    let text = r#"[{\"model\"}, {}]"#;
    for (from, to, reason) in [
        (text, r#"[{\"modal\"}, {}]"#, "unknown axis"),
        (text, r#"[{}, {\"data\"}]"#, "has 2 parts, but the file has 4"),
        (text, r#"[{\"data\"}, {}]"#, "has 2 parts, but the file has 4"),
        (text, r#"[{\"model\"}    ]"#, "another rank"),
        (text, r#"[{\"model\"},{} ]"#, "not in canonical form"),
        ("sharding.rows", "sharding.rowz", "its first part is missing"),
        ("sharding.rows", "SHARDING.rows", ""),
        (text, r#"[{}, {\"model\"}]"#, ""),
    ] {
        let mut changed = header.replacen(from, to, 1);
        assert_ne!(changed, header);
        while changed.len() < header.len() {
            changed.push(' ');
        }
        let changed = changed.get(..header.len()).unwrap();
        fs::write(&file.0, [&whole[..8], changed.as_bytes(), &whole[data..]].concat()).unwrap();
        match Checkpoint::open(&file.0) {
            Err(error) => {
                assert!(!reason.is_empty() && error.to_string().contains(reason), "{to}: {error}");
            }
            // If the file opens, the checksums detect the change.
            Ok(checkpoint) => {
                assert_eq!(reason, "", "{to}");
                let error = checkpoint.bytes("rows@0").unwrap_err();
                assert!(matches!(error, CheckpointError::Checksum { .. }), "{to}: {error}");
            }
        }
    }
}

#[test]
fn shardings_that_do_not_fit_are_told() {
    for (rule, error) in [
        ("tpu! @ [\"a\"=2]", "the sharding ``: "),
        ("tpu! @ x [{}]", "the mesh `x [{}]`: "),
        ("tpu! @ [\"a\"=2] [{\"b\"}]", "\"b\""),
        ("tpu! @ [\"a\"=4] [{\"a\"}]", "tensor `w`: "),
        ("tpu! @ [\"a\"=2] [{\"a\"}, {}]", "tensor `w`: "),
        ("tpu! @ [\"a\"=2] [{}], unreduced={\"a\"}", "partial sums are not stored"),
        ("f32[3]{0} @ [\"a\"=2] [{\"a\"}]", "tensor `w` is `f32[6]`, not `f32[3]{0}`"),
    ] {
        let found = format!("w = {rule}").parse::<Rules>();
        let found = found.and_then(|rules| rules.spec("w", crate::DType::F32, &[6]));
        let found = found.unwrap_err().to_string();
        assert!(found.contains(error), "{rule}: {found}");
    }
    type W = crate::sharded!(f32[4] @ Line [{"model"}]);
    let file = Temporary::new("announced");
    let split = || Contents::sharded::<W>();
    for twice in [
        vec![("w", split()), ("w", split())],
        vec![("w", split()), ("w", Ragged::SPEC.into())],
        vec![("w", split()), ("w@3", Ragged::SPEC.into())],
    ] {
        let error = Writer::create(&file.0, twice).err().unwrap().to_string();
        assert!(error.contains("is announced twice"), "{error}");
    }
    // The file could not be opened: every `w@..` counts as a part of `w`.
    for name in ["w@4", "w@x", "w@"] {
        let all = [(name, Ragged::SPEC.into()), ("w", split())];
        let error = Writer::create(&file.0, all).err().unwrap().to_string();
        assert!(error.contains("would be a part of tensor `w`, which has 4 parts"), "{error}");
    }
}

#[test]
fn parts_of_unequal_sizes_and_partial_sums_are_not_stored() {
    type Padded = crate::sharded!(f32[10,4] @ Line [{"model"}, {}], padded);
    type Empty = crate::sharded!(f32[0,4] @ Line [{"model"}, {}], padded);
    type Sums = crate::sharded!(f32[12,4] @ Pod [{"model"}, {}], unreduced={"data"});
    let file = Temporary::new("unstorable");
    for (contents, reason) in [
        (Contents::sharded::<Padded>(), "its sharding is `padded`"),
        (Contents::sharded::<Empty>(), "its sharding is `padded`"),
        (Contents::sharded::<Sums>(), "it has unreduced axes, but partial sums are not stored"),
    ] {
        let error = Writer::create(&file.0, [("w", contents)]).err().unwrap().to_string();
        let start = format!("tensor `w` cannot be stored: {reason}");
        assert!(error.starts_with(&start) && error.contains("\nhelp: "), "{error}");
        assert!(!file.partial().exists());
    }

    // Nor is a stored tensor read as one of them. A `padded` sharding that divides the tensor is like any other.
    type Whole = crate::sharded!(f32[12,4] @ Line [{"model"}, {}], padded);
    type PodRows = crate::sharded!(f32[12,4] @ Pod [{"model"}, {}]);
    let announced =
        [("line", Contents::sharded::<Whole>()), ("pod", Contents::sharded::<PodRows>())];
    let mut writer = Writer::create(&file.0, announced).unwrap();
    for name in ["line", "pod"] {
        for part in 0..4 {
            let local = <tiled!(f32[3,4])>::pack(&[part as f32; 12]).unwrap();
            writer.write(&format!("{name}@{part}"), local.as_bytes()).unwrap();
        }
    }
    writer.finish().unwrap();
    let checkpoint = Checkpoint::open_for(&file.0, 3).unwrap();
    assert_eq!(checkpoint.get_shard::<Whole>("line").unwrap().unpack(), [3.0; 12]);
    assert_eq!(checkpoint.get_shard::<PodRows>("pod").unwrap().unpack(), [3.0; 12]);
    let error = checkpoint.get_shard::<Padded>("line").unwrap_err().to_string();
    assert!(error.starts_with("tensor `line` is `f32[12,4]{1,0}`, not `f32[10,4]"), "{error}");
    let error = checkpoint.get_shard::<Sums>("pod").unwrap_err();
    assert!(matches!(error, CheckpointError::Sharding { .. }), "{error}");
    assert!(error.to_string().contains("unreduced={\"data\"}"), "{error}");
}

#[test]
fn a_size_that_no_larger_one_divides_has_no_proposal() {
    let rules: Rules = r#"* = row-major @ ["model"=4] [{"model"}]"#.parse().unwrap();
    let error = rules.spec("w", crate::DType::F32, &[usize::MAX]).unwrap_err().to_string();
    assert!(
        error.contains("help: write `padded`") || error.contains("(help: write `padded`"),
        "{error}"
    );
    let error = rules.spec("w", crate::DType::F32, &[6]).unwrap_err().to_string();
    assert!(error.contains("use a size of 8, or write `padded`"), "{error}");
}
