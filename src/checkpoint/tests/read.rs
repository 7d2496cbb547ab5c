//! Arrays that are read back, files of other programs, and missing tensors.

use super::*;
use crate::BF16;
use crate::typed::PackedRef;
use safetensors::SafeTensors;

#[test]
fn arrays_come_back_and_are_aligned() {
    let file = Temporary::new("back");
    write(&file);
    for in_memory in [false, true] {
        let checkpoint = Checkpoint::options().in_memory(in_memory).open(&file.0).unwrap();
        assert_eq!(checkpoint.names().count(), 4);
        for (name, spec, bytes) in tensors() {
            assert_eq!(checkpoint.spec(name).unwrap(), &spec);
            let found = checkpoint.bytes(name).unwrap();
            assert_eq!(found, bytes);
            assert_eq!(found.as_ptr().addr() % ALIGNMENT, 0);
        }
        assert_eq!(checkpoint.get::<Rows>("rows").unwrap().get([2, 3]), 13.0);
        assert_eq!(checkpoint.get::<Nibbles>("nibbles").unwrap().get([2, 4]), 6);
        assert_eq!(checkpoint.rows::<BF16>("weights", 3..5).unwrap(), weights()[390..650]);
        checkpoint.verify().unwrap();
        checkpoint.prefetch("weights").unwrap();
    }
}

#[test]
fn the_last_array_may_end_anywhere() {
    let file = Temporary::new("last");
    let rows = Ragged::pack(&values()).unwrap();
    let mut writer = Writer::create(&file.0, [("a", Ragged::SPEC), ("b", Ragged::SPEC)]).unwrap();
    writer.write("b", rows.as_bytes()).unwrap();
    writer.write("a", rows.as_bytes()).unwrap();
    writer.finish().unwrap();
    let bytes = fs::read(&file.0).unwrap();
    assert_eq!(SafeTensors::deserialize(&bytes).unwrap().len(), 3, "one gap");
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    checkpoint.verify().unwrap();
    assert_eq!(checkpoint.get::<Ragged>("b").unwrap().unpack(), values());
    let none: [(&str, TiledSpec); 0] = [];
    Writer::create(&file.0, none).unwrap().finish().unwrap();
    assert_eq!(Checkpoint::open(&file.0).unwrap().names().count(), 0);
}

#[test]
fn other_tools_open_the_file() {
    let file = Temporary::new("tools");
    write(&file);
    let bytes = fs::read(&file.0).unwrap();
    let read = SafeTensors::deserialize(&bytes).unwrap();
    let rows = read.tensor("rows").unwrap();
    assert_eq!((rows.dtype(), rows.shape()), (safetensors::Dtype::F32, &[2, 3, 2, 2][..]));
    assert_eq!(rows.data(), tensors()[0].2);
    let nibbles = read.tensor("nibbles").unwrap();
    assert_eq!((nibbles.dtype(), nibbles.shape()), (safetensors::Dtype::U8, &[8][..]));
}

#[test]
fn a_plain_file_is_a_checkpoint_of_row_major_arrays() {
    let file = Temporary::new("plain");
    let bytes: Vec<u8> = values().iter().flat_map(|value| value.to_le_bytes()).collect();
    let view = safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![3, 5], &bytes);
    fs::write(&file.0, safetensors::serialize([("w", view.unwrap())], None).unwrap()).unwrap();
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    assert_eq!(checkpoint.get::<Ragged>("w").unwrap().unpack(), values());
    let moved = checkpoint.get_or_relayout::<Rows>("w").unwrap();
    assert!(matches!(moved, Loaded::Moved(_)));
    assert_eq!(moved.as_ref().unpack(), values());
    assert!(matches!(checkpoint.get_or_relayout::<Ragged>("w").unwrap(), Loaded::Mapped(_)));
}

#[test]
fn only_packed_files_have_gaps() {
    let file = Temporary::new("gaps");
    let view = || safetensors::tensor::TensorView::new(safetensors::Dtype::U8, vec![2], &[3, 4]);
    let names = ["__padding__.0", "__padding__of_images", "w"];
    let all = names.map(|name| (name, view().unwrap()));
    fs::write(&file.0, safetensors::serialize(all, None).unwrap()).unwrap();
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    assert_eq!(checkpoint.names().collect::<Vec<_>>(), names);
    assert_eq!(checkpoint.bytes("__padding__of_images").unwrap(), [3, 4]);
}

/// The number of bits of the other dimensions overflows.
#[test]
fn arrays_without_elements_have_any_sizes() {
    let (file, packed) = (Temporary::new("empty"), Temporary::new("empty-sparse"));
    let (most, half) = (1 << (usize::BITS - 4), 1 << (usize::BITS / 2 - 2));
    let long = TiledSpec::row_major(crate::DType::F32, &[most, 0]).unwrap();
    let longer = TiledSpec::row_major(crate::DType::BF16, &[0, half, half]).unwrap();
    let rows = Ragged::pack(&values()).unwrap();
    let announced = [("long", long), ("longer", longer), ("rows", Ragged::SPEC)];
    let mut writer = Writer::create(&file.0, announced).unwrap();
    writer.write("long", &[]).unwrap();
    writer.write("longer", &[]).unwrap();
    writer.write("rows", rows.as_bytes()).unwrap();
    writer.finish().unwrap();
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    checkpoint.verify().unwrap();
    assert_eq!(checkpoint.spec("long").unwrap(), &long);
    assert!(checkpoint.dense_bytes("long").unwrap().is_empty());
    assert!(checkpoint.dense_bytes("longer").unwrap().is_empty());
    assert_eq!(checkpoint.rows::<BF16>("longer", 0..0).unwrap(), []);
    assert_eq!(checkpoint.get::<Ragged>("rows").unwrap().unpack(), values());
    let rules: Rules = "long = csc \n * = row-major".parse().unwrap();
    Packer::new(rules).pack(&file.0, &packed.0).unwrap();
    let checkpoint = Checkpoint::open(&packed.0).unwrap();
    assert!(checkpoint.dense_bytes("long").unwrap().is_empty());
    assert_eq!(checkpoint.spec("longer").unwrap(), &longer);
}

#[test]
fn what_is_asked_for_must_be_there() {
    let file = Temporary::new("wrong");
    write(&file);
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    let text = |error: CheckpointError| error.to_string();
    fn view<'a, L: Layout>(checkpoint: &'a Checkpoint, name: &str) -> Result<PackedRef<'a, L>> {
        checkpoint.get::<L>(name)
    }
    assert_eq!(
        text(view::<Rows>(&checkpoint, "row").unwrap_err()),
        "there is no tensor `row`\nhelp: did you mean `rows`?"
    );
    assert_eq!(
        text(view::<Ragged>(&checkpoint, "rows").unwrap_err()),
        "tensor `rows` is `f32[3,5]{1,0:T(2,2)}`, not `f32[3,5]{1,0}`\n\
         help: `get_or_relayout` moves it into this layout; pack the file again to map it instead"
    );
    type Halves = tiled!(bf16[3,5]{1,0:T(2,2)});
    assert_eq!(
        text(view::<Halves>(&checkpoint, "rows").unwrap_err()),
        "tensor `rows` is `f32[3,5]{1,0:T(2,2)}`, not `bf16[3,5]{1,0:T(2,2)}`\n\
         help: the element types differ; read it as `f32` and convert it to `bf16`"
    );
    let refused = checkpoint.get_or_relayout::<Halves>("rows").unwrap_err();
    assert!(matches!(refused, CheckpointError::Layout { .. }));
    for rows in [std::ops::Range { start: 3, end: 2 }, 0..21, 20..22] {
        assert!(checkpoint.rows::<BF16>("weights", rows).is_err());
    }
    assert_eq!(checkpoint.rows::<BF16>("weights", 20..20).unwrap(), []);
    assert!(checkpoint.rows::<crate::F32>("weights", 0..1).is_err());
}
