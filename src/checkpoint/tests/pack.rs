//! Packing by rules.

use super::*;
use crate::BF16;
use crate::movement::DynLayout;
use crate::sparse::SparseTensor;
use safetensors::tensor::TensorView;

#[test]
fn files_are_packed_by_rules() {
    let (plain, packed) = (Temporary::new("from"), Temporary::new("to"));
    let bytes: Vec<u8> = weights().iter().flat_map(|value| value.to_le_bytes()).collect();
    let view = |shape: &[usize]| {
        let len = shape.iter().product::<usize>() * 2;
        let dtype = safetensors::Dtype::BF16;
        safetensors::tensor::TensorView::new(dtype, shape.to_vec(), &bytes[..len]).unwrap()
    };
    let all = [("w1", view(&[20, 130])), ("norm", view(&[130])), ("none", view(&[0, 4]))];
    fs::write(&plain.0, safetensors::serialize(all, None).unwrap()).unwrap();
    let rules: Rules = "norm = row-major\nw* = {0,1:T(8,128)(2,1)}".parse().unwrap();
    let mut last = (0, 0);
    let packer = Packer::new(rules.clone()).progress(|done, all| last = (done, all));
    let summary = packer.pack(&plain.0, &packed.0).unwrap();
    assert_eq!((summary.tensors, summary.resumed, summary.read), (3, 0, 20 * 130 * 2 + 260));
    assert_eq!(last, (summary.written, summary.written));
    let checkpoint = Checkpoint::open(&packed.0).unwrap();
    let spec = checkpoint.spec("w1").unwrap();
    assert_eq!(spec.to_string(), "bf16[20,130]{0,1:T(8,128)(2,1)}");
    assert_eq!(spec.unpack::<BF16>(checkpoint.bytes("w1").unwrap()).unwrap(), weights());
    assert_eq!(checkpoint.spec("norm").unwrap().to_string(), "bf16[130]{0}");
    assert_eq!(checkpoint.bytes("norm").unwrap(), &bytes[..260]);

    // A packed file can also be a source, and nothing is written if a rule does not apply to its tensor.
    let again = Temporary::new("again");
    Packer::new(Rules::default()).pack(&packed.0, &again.0).unwrap();
    let again = Checkpoint::open(&again.0).unwrap();
    assert_eq!(again.get::<Weights>("w1").unwrap().unpack(), weights());
    let wrong: Rules = "* = bf16[20,130]{1,0}".parse().unwrap();
    assert!(Packer::new(wrong).pack(&plain.0, &packed.0).is_err());
    assert!(!packed.partial().exists());
}

/// Files of the same shapes, of which one was written later, have the same header.
#[test]
fn a_run_continues_only_with_its_sources_and_rules() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::{Duration, SystemTime};
    let (plain, packed) = (Temporary::new("changing"), Temporary::new("continued"));
    let write_plain = |value: f32, age| {
        let bytes = value.to_le_bytes().repeat(16);
        let view = TensorView::new(safetensors::Dtype::F32, vec![16], &bytes).unwrap();
        let all = [("a", view.clone()), ("b", view)];
        fs::write(&plain.0, safetensors::serialize(all, None).unwrap()).unwrap();
        let file = fs::File::options().write(true).open(&plain.0).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(age)).unwrap();
    };
    let rules = |text: &str| text.parse::<Rules>().unwrap();
    // A process that shares the work with no other one is alone.
    let packer = |text| Packer::new(rules(text)).share(0, 1);
    let pack = |text| packer(text).pack(&plain.0, &packed.0).unwrap();
    let stop = |text| {
        // After one of the two tensors.
        let packer = packer(text).progress(|_, _| panic!("the run is interrupted"));
        let run = catch_unwind(AssertUnwindSafe(|| packer.pack(&plain.0, &packed.0)));
        assert!(run.is_err() && packed.partial().exists());
    };
    let first = || {
        let checkpoint = Checkpoint::open(&packed.0).unwrap();
        let spec = *checkpoint.spec("a").unwrap();
        (spec.unpack::<BF16>(checkpoint.bytes("a").unwrap()).unwrap()[0], checkpoint)
    };
    write_plain(1.0, 1);
    stop("* = row-major as bf16");
    let summary = pack("* = row-major as bf16");
    assert_eq!((summary.resumed, first().0), (1, bf16::ONE));
    let whole = fs::read(&packed.0).unwrap();
    // The same bytes as without an interruption.
    pack("* = row-major as bf16");
    assert!(fs::read(&packed.0).unwrap() == whole);

    stop("* = row-major as bf16");
    write_plain(2.0, 2);
    let summary = pack("* = row-major as bf16");
    let (value, checkpoint) = first();
    assert_eq!((summary.resumed, value), (0, bf16::from_f32(2.0)));
    checkpoint.verify().unwrap();

    stop("* = row-major as bf16");
    assert_eq!(pack("* = {0} as bf16").resumed, 0);

    let packer = Packer::new(rules("* = row-major")).share(2, 2);
    let error = packer.pack(&plain.0, &packed.0).unwrap_err().to_string();
    assert!(error.contains("there is no process 2 among 2"), "{error}");
}

#[test]
fn an_index_names_files_beside_it() {
    let (file, packed) = (Temporary::new("part"), Temporary::new("indexed"));
    write(&file);
    let index = file.0.with_extension("index.json");
    let name = file.0.file_name().unwrap().to_str().unwrap();
    let text = format!(r#"{{"weight_map":{{"rows":"{name}","nibbles":"{name}"}}}}"#);
    fs::write(&index, &text).unwrap();
    let summary = Packer::new(Rules::default()).pack(&index, &packed.0).unwrap();
    assert_eq!(summary.tensors, 2);
    let checkpoint = Checkpoint::open(&packed.0).unwrap();
    assert_eq!(checkpoint.names().collect::<Vec<_>>(), ["nibbles", "rows"]);
    for wrong in ["/etc/passwd", "../x", "", "a/b"] {
        fs::write(&index, format!(r#"{{"weight_map":{{"rows":"{wrong}"}}}}"#)).unwrap();
        let error = Packer::new(Rules::default()).pack(&index, &packed.0).unwrap_err();
        assert!(error.to_string().contains("beside the index"), "{error}");
    }
    fs::remove_file(index).unwrap();
}

#[test]
fn rules_that_cannot_be_read_are_told() {
    for (text, error) in [
        ("\n*.weight", "line 2: expected a pattern and a rule, as in `*.weight = tpu!`"),
        ("= tpu!", "line 1: expected a pattern and a rule, as in `*.weight = tpu!`"),
        (
            "a = b",
            "line 1: `b` is not a rule\nhelp: write `tpu!`, `row-major`, a layout, `{1,0:T(8,128)}`, a block-scaled format, `q8_0`, or an encoding, `2:4` or `(i, j) -> (i : dense, j : compressed)`",
        ),
    ] {
        assert_eq!(text.parse::<Rules>().unwrap_err().to_string(), error);
    }
}

#[test]
fn numbers_are_rounded_before_they_are_stored() {
    let (plain, packed) = (Temporary::new("wide"), Temporary::new("rounded"));
    // Ties, subnormal numbers, and numbers that are not finite.
    let values: Vec<f32> = (0..32 * 48_u32)
        .map(|n| match n {
            0 => f32::NAN,
            1 => f32::NEG_INFINITY,
            2 => f32::MAX,
            3 => 1e-40,
            _ => f32::from_bits(0x3F80_8000 + (n << 15)),
        })
        .collect();
    let expected: Vec<bf16> = values.iter().copied().map(bf16::from_f32).collect();
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let halves: Vec<u8> =
        values.iter().flat_map(|value| half::f16::from_f32(*value).to_le_bytes()).collect();
    let integers: Vec<u8> = (0..32 * 48).map(|n| n as u8).collect();
    let view = |dtype, bytes| TensorView::new(dtype, vec![32, 48], bytes).unwrap();
    let wide = view(safetensors::Dtype::F32, &bytes);
    let all = [
        ("tiles", wide.clone()),
        ("parts", wide.clone()),
        ("pruned", wide.clone()),
        ("csr", wide),
        ("halves", view(safetensors::Dtype::F16, &halves)),
        ("integers", view(safetensors::Dtype::I8, &integers)),
    ];
    fs::write(&plain.0, safetensors::serialize(all, None).unwrap()).unwrap();
    let rules: Rules = r#"
        parts = row-major as bf16 @ ["a"=2] [{}, {"a"}]
        pruned = 2:4 pruned as bf16
        csr = csr as bf16
        * = {0,1:T(8,128)(2,1)} as bf16
    "#
    .parse()
    .unwrap();
    let spec = rules.spec("tiles", crate::DType::F32, &[32, 48]).unwrap();
    assert_eq!(spec.to_string(), "bf16[32,48]{0,1:T(8,128)(2,1)}");
    let summary = Packer::new(rules).pack(&plain.0, &packed.0).unwrap();
    assert_eq!(summary.read, 32 * 48 * (4 * 4 + 2 + 1));
    let checkpoint = Checkpoint::open(&packed.0).unwrap();
    let dense = |name: &str| checkpoint.dense_bytes(name).unwrap();
    let rounded: Vec<u8> = expected.iter().flat_map(|value| value.to_le_bytes()).collect();
    for name in ["tiles", "parts", "csr"] {
        assert!(dense(name) == rounded, "{name}");
    }
    let pruned = SparseTensor::<TwoOfFour, bf16>::from_dense_pruned([32, 48], &expected).unwrap();
    let bytes = crate::checkpoint::sparse::stored_bytes("pruned", &pruned).unwrap().1;
    assert!(checkpoint.bytes("pruned").unwrap() == bytes);
    assert_eq!(checkpoint.spec("halves").unwrap().dtype(), crate::DType::BF16);
    assert_eq!(checkpoint.spec("integers").unwrap().to_string(), "s8[32,48]{0,1:T(8,128)(2,1)}");
    assert_eq!(dense("integers"), integers);
}
