//! Sparse tensors of which each device has a part.

use super::*;
use crate::DType;
use crate::sharding::ShardedSparseLayout;
use crate::sparse::SparseTensor;
use crate::sparse::formats::Csr;
use crate::{mesh, sharded, sparse_tensor};
use safetensors::tensor::TensorView;

mesh! { Pod = ["data" = 2, "model" = 4] }

const SIZES: [usize; 2] = [8, 16];

type Format = Csr<u32, u16>;
type Split = sharded!(bf16[8,16] Format @ Pod [{"model"}, {"data"}]);
type Whole = sparse_tensor!(bf16[8,16] Format);
type Columns = sharded!(bf16[8,16] TwoOfFour @ Pod [{}, {"model"}]);

/// At most two of four numbers are not zero, and parts have different numbers of these.
fn values() -> Vec<bf16> {
    let number = |at: usize| match (at % 4, at * at % 7) {
        (0 | 3, 1 | 2) => at as f32 - 60.0,
        _ => 0.0,
    };
    (0..SIZES[0] * SIZES[1]).map(number).map(bf16::from_f32).collect()
}

fn write_plain(file: &Temporary) {
    let bytes: Vec<u8> = values().iter().flat_map(|value| value.to_le_bytes()).collect();
    let view = TensorView::new(safetensors::Dtype::BF16, SIZES.to_vec(), &bytes).unwrap();
    let all = [("a", view.clone()), ("b", view)];
    fs::write(&file.0, safetensors::serialize(all, None).unwrap()).unwrap();
}

const RULES: &str = r#"
    a = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 16 @ ["data"=2, "model"=4] [{"model"}, {"data"}]
    b = 2:4 @ ["data"=2, "model"=4] [{}, {"model"}]
"#;

#[test]
fn each_device_has_its_part() {
    let (plain, packed) = (Temporary::new("sparse-whole"), Temporary::new("sparse-parts"));
    write_plain(&plain);
    let summary = Packer::new(RULES.parse().unwrap()).pack(&plain.0, &packed.0).unwrap();
    assert_eq!(summary.tensors, 8 + 4);
    let whole = SparseTensor::from_dense(SIZES, &values()).unwrap();
    let locals = Split::scatter(&whole).unwrap();
    let lengths: Vec<_> = locals.iter().map(|local| local.values().len()).collect();
    assert!(lengths.iter().any(|len| *len != lengths[0]), "{lengths:?}");
    let structured = SparseTensor::from_dense(SIZES, &values()).unwrap();
    let columns = Columns::scatter(&structured).unwrap();
    for device in 0..8 {
        let checkpoint = Checkpoint::open_for(&packed.0, device).unwrap();
        checkpoint.verify().unwrap();
        let part = checkpoint.get_sparse_shard::<Split>("a").unwrap();
        assert!(*part == *locals[device], "device {device}");
        let part = checkpoint.get_sparse_shard::<Columns>("b").unwrap();
        assert!(*part == *columns[device], "device {device}");
    }
    let checkpoint = Checkpoint::open_for(&packed.0, 3).unwrap();
    let error = checkpoint.get_sparse_shard::<Columns>("a").unwrap_err().to_string();
    assert!(error.starts_with("tensor `a` is split by `<mesh<"), "{error}");

    // The same file, written by a program that has the tensors.
    let written = Temporary::new("sparse-written");
    let announced = [
        ("a", Contents::sharded_sparse::<Split>(&locals).unwrap()),
        ("b", Contents::sharded_sparse::<Columns>(&columns).unwrap()),
    ];
    let parts = announced.each_ref().map(|(_, contents)| contents.clone());
    let mut writer = Writer::create(&written.0, announced).unwrap();
    for part in 0..8 {
        let device = (0..8).find(|device| parts[0].part(*device) == Some(part)).unwrap();
        writer.write_sparse(&format!("a@{part}"), &locals[device]).unwrap();
    }
    for part in 0..4 {
        let device = (0..8).find(|device| parts[1].part(*device) == Some(part)).unwrap();
        writer.write_sparse(&format!("b@{part}"), &columns[device]).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(fs::read(&written.0).unwrap(), fs::read(&packed.0).unwrap());

    // A sparse source has the same result as a dense one.
    let (sparse, again) = (Temporary::new("sparse-csr"), Temporary::new("sparse-again"));
    Packer::new("* = csr".parse().unwrap()).pack(&plain.0, &sparse.0).unwrap();
    Packer::new(RULES.parse().unwrap()).pack(&sparse.0, &again.0).unwrap();
    assert_eq!(fs::read(&again.0).unwrap(), fs::read(&packed.0).unwrap());
}

#[test]
fn parts_must_be_those_of_the_tensor() {
    let whole: Whole = SparseTensor::from_dense(SIZES, &values()).unwrap().try_into().unwrap();
    let mut locals = Split::scatter(&whole).unwrap();
    let last = locals.pop().unwrap();
    let error = Contents::sharded_sparse::<Split>(&locals).unwrap_err().to_string();
    assert!(
        error.contains("the number of local tensors differs from the number of devices"),
        "{error}"
    );
    locals.push(last);
    assert_eq!(Contents::sharded_sparse::<Split>(&locals).unwrap().parts(), 8);

    // A part would end within a group of four numbers, or within a block.
    for (rule, reason) in [
        (r#"2:4 @ ["a"=8] [{}, {"a"}]"#, "shards of 2 along dimension 1"),
        (r#"bsr[4,8] @ ["a"=4] [{"a"}, {}]"#, "shards of 2 along dimension 0"),
        (r#"csr @ ["a"=3] [{"a"}, {}]"#, "tensor `w`: "),
    ] {
        let rules: Rules = format!("w = {rule}").parse().unwrap();
        let error = rules.sparse("w", DType::BF16, &SIZES).unwrap_err().to_string();
        assert!(error.contains(reason), "{rule}: {error}");
    }
}

#[test]
fn parts_of_unequal_sizes_are_not_stored() {
    mesh! { Line = ["model" = 4] }
    type Uneven = sharded!(f32[10,6] Format @ Line [{"model"}, {}], padded);
    let file = Temporary::new("sparse-unequal");
    let whole: sparse_tensor!(f32[10,6] Format) =
        SparseTensor::from_dense([10, 6], &[1.0; 60]).unwrap().try_into().unwrap();
    let contents = Contents::sharded_sparse::<Uneven>(&Uneven::scatter(&whole).unwrap()).unwrap();
    let error = Writer::create(&file.0, [("w", contents)]).err().unwrap().to_string();
    assert!(error.starts_with("tensor `w` cannot be stored: its sharding is `padded`"), "{error}");
    assert!(!file.partial().exists());

    // Nor is a stored tensor read as one of another size.
    type Even = sharded!(f32[12,6] Format @ Line [{"model"}, {}]);
    let whole: sparse_tensor!(f32[12,6] Format) =
        SparseTensor::from_dense([12, 6], &[1.0; 72]).unwrap().try_into().unwrap();
    let locals = Even::scatter(&whole).unwrap();
    let contents = Contents::sharded_sparse::<Even>(&locals).unwrap();
    let mut writer = Writer::create(&file.0, [("w", contents)]).unwrap();
    for (part, local) in locals.iter().enumerate() {
        writer.write_sparse(&format!("w@{part}"), local).unwrap();
    }
    writer.finish().unwrap();
    let checkpoint = Checkpoint::open_for(&file.0, 2).unwrap();
    assert!(*checkpoint.get_sparse_shard::<Even>("w").unwrap() == *locals[2]);
    let error = checkpoint.get_sparse_shard::<Uneven>("w").err().unwrap();
    assert!(matches!(error, CheckpointError::Layout { .. }), "{error}");
}

#[test]
fn encodings_have_names() {
    for (name, expected) in [
        (
            "2:4",
            "(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2",
        ),
        (
            "1:8",
            "(i, j) -> (i : dense, j floordiv 8 : dense, j mod 8 : structured[1, 8]), crdWidth = 8",
        ),
        ("csr", "(i, j) -> (i : dense, j : compressed)"),
        ("csc", "(i, j) -> (j : dense, i : compressed)"),
        (
            "bsr[4, 8]",
            "(i, j) -> (i floordiv 4 : dense, j floordiv 8 : compressed, i mod 4 : dense, j mod 8 : dense)",
        ),
    ] {
        let rules: Rules = format!("w = {name}").parse().unwrap();
        assert_eq!(rules, format!("w = {expected}").parse().unwrap(), "{name}");
        let spec = rules.sparse("w", DType::BF16, &SIZES).unwrap().unwrap();
        assert_eq!(*spec.encoding(), expected.parse().unwrap());
    }
    for wrong in ["2:", "bsr", "bsr[4]", "bsr[4,x]", "2:300"] {
        let found = format!("w = {wrong}").parse::<Rules>();
        assert!(found.and_then(|rules| rules.sparse("w", DType::BF16, &SIZES)).is_err(), "{wrong}");
    }
}
