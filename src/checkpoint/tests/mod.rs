//! Round trips, files of others, and files that are wrong.

mod quantized;
mod sparse;

use super::*;
use crate::movement::DynLayout;
use crate::typed::{Layout, PackedRef};
use crate::{BF16, tiled, tpu};
use half::bf16;
use layout_core::tiled::TiledSpec;
use safetensors::SafeTensors;
use std::fs;
use std::path::PathBuf;

pub(super) type Rows = tiled!(f32[3,5]{1,0:T(2,2)});
type Ragged = tiled!(f32[3,5]{1,0});
type Nibbles = tiled!(s4[3,5]{1,0:E(4)});
type Weights = tpu!(bf16[20, 130]);

/// A file in the directory of temporary files, removed at the end.
pub(super) struct Temporary(pub(super) PathBuf);

impl Temporary {
    pub(super) fn new(name: &str) -> Self {
        let name = format!("tensor-layout-{}-{name}.safetensors", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn partial(&self) -> PathBuf {
        self.0.with_added_extension("partial")
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        let _ = fs::remove_file(self.partial());
    }
}

fn values() -> Vec<f32> {
    (0..15).map(|n| n as f32).collect()
}

fn weights() -> Vec<bf16> {
    (0..20 * 130).map(|n| bf16::from_f32(n as f32)).collect()
}

pub(super) fn tensors() -> Vec<(&'static str, TiledSpec, Vec<u8>)> {
    let nibbles: Vec<i8> = (0..15).map(|n| n - 8).collect();
    let (rows, ragged) = (Rows::pack(&values()).unwrap(), Ragged::pack(&values()).unwrap());
    let nibbles = Nibbles::pack(&nibbles).unwrap();
    let weights = Weights::pack(&weights()).unwrap();
    vec![
        ("rows", Rows::SPEC, rows.as_bytes().to_vec()),
        ("nibbles", Nibbles::SPEC, nibbles.as_bytes().to_vec()),
        ("a \"ragged\" one", Ragged::SPEC, ragged.as_bytes().to_vec()),
        ("weights", Weights::SPEC, weights.as_bytes().to_vec()),
    ]
}

fn announced() -> Vec<(&'static str, TiledSpec)> {
    tensors().into_iter().map(|(name, spec, _)| (name, spec)).collect()
}

fn write(file: &Temporary) {
    let mut writer = Writer::create(&file.0, announced()).unwrap();
    for (name, _, bytes) in tensors() {
        for part in bytes.chunks(100) {
            writer.append(name, part).unwrap();
        }
    }
    writer.finish().unwrap();
}

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
         help: `get_or_relayout` moves it into this layout; pack the file anew to map it instead"
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

#[test]
fn no_changed_byte_goes_unnoticed() {
    let file = Temporary::new("changed");
    write(&file);
    let whole = fs::read(&file.0).unwrap();
    let data = 8 + u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
    let tensors = tensors();
    let mut accepted = 0;
    // All of the header, and some of the data.
    for at in (0..data).chain((data..whole.len()).step_by(7)) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&file.0, &bytes).unwrap();
        let Ok(checkpoint) = Checkpoint::open(&file.0) else { continue };
        let Ok(()) = checkpoint.verify() else { continue };
        // What fills a gap does not matter, nor a digit of a name that fills one.
        accepted += 1;
        assert_eq!(checkpoint.names().count(), tensors.len(), "byte {at}");
        for (name, spec, bytes) in &tensors {
            assert_eq!(checkpoint.spec(name).unwrap(), spec, "byte {at}");
            assert_eq!(checkpoint.bytes(name).unwrap(), bytes, "byte {at}");
        }
    }
    assert!(accepted < 40, "{accepted} changes are accepted");
    for len in [0, 7, 8, 100, data - 1, data, whole.len() - 1] {
        fs::write(&file.0, &whole[..len]).unwrap();
        assert!(Checkpoint::open(&file.0).is_err(), "{len} bytes");
    }
}

#[test]
fn damage_and_later_versions_are_told() {
    let file = Temporary::new("damage");
    write(&file);
    let whole = fs::read(&file.0).unwrap();
    let mut bytes = whole.clone();
    let data = 8 + u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
    bytes[data + 3] ^= 0x80;
    fs::write(&file.0, &bytes).unwrap();
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    let error = checkpoint.get::<Rows>("rows").unwrap_err();
    assert!(matches!(error, CheckpointError::Checksum { .. }), "{error}");
    assert!(checkpoint.verify().is_err());
    let unchecked = Checkpoint::options().verify(Verify::OnRequest).open(&file.0).unwrap();
    assert_eq!(unchecked.get::<Rows>("rows").unwrap().get([0, 0]).to_bits(), 0x8000_0000);

    let later = String::from_utf8_lossy(&whole[8..data]).replacen(":\"1\"", ":\"2\"", 1);
    let later = [&whole[..8], later.as_bytes(), &whole[data..]].concat();
    fs::write(&file.0, later).unwrap();
    assert!(matches!(Checkpoint::open(&file.0), Err(CheckpointError::Version { .. })));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_cut_off_is_noticed() {
    let file = Temporary::new("shrunk");
    write(&file);
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    fs::File::options().write(true).open(&file.0).unwrap().set_len(100).unwrap();
    let error = checkpoint.get::<Rows>("rows").unwrap_err();
    assert!(matches!(error, CheckpointError::Shrunk { actual: 100, .. }), "{error}");
}

#[test]
fn a_writer_writes_what_is_announced_and_nothing_else() {
    let file = Temporary::new("writer");
    let twice = [("a", Rows::SPEC), ("a", Rows::SPEC)];
    assert!(Writer::create(&file.0, twice).is_err());
    for reserved in ["__metadata__", "__padding__.0"] {
        assert!(Writer::create(&file.0, [(reserved, Rows::SPEC)]).is_err());
    }
    let unbounded: TiledSpec = "f32[?,5]".parse().unwrap();
    assert!(Writer::create(&file.0, [("a", unbounded)]).is_err());
    assert!(!file.partial().exists());

    let mut writer = Writer::create(&file.0, announced()).unwrap();
    let rows = &tensors()[0].2;
    assert!(writer.write("other", rows).is_err());
    assert!(writer.write("rows", &rows[1..]).is_err());
    writer.append("rows", &rows[..10]).unwrap();
    assert!(writer.append("nibbles", &[0; 8]).is_err(), "`rows` is not complete");
    assert!(writer.append("rows", rows).is_err(), "too long");
    writer.append("rows", &rows[10..]).unwrap();
    assert!(writer.append("rows", &[]).is_err(), "twice");
    assert!(Writer::create(&file.0, announced()).is_err(), "it is locked");
    assert!(writer.finish().is_err(), "the others are missing");
    assert!(!file.0.exists() && !file.partial().exists());
}

#[test]
fn an_interrupted_writer_is_gone_on_with() {
    let file = Temporary::new("resume");
    let mut writer = Writer::create(&file.0, announced()).unwrap();
    writer.write("rows", &tensors()[0].2).unwrap();
    writer.write("weights", &tensors()[3].2).unwrap();
    writer.append("nibbles", &[0; 3]).unwrap();
    writer.keep();
    drop(writer);
    // What the system loses is written again.
    let mut bytes = fs::read(file.partial()).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(file.partial(), bytes).unwrap();

    let mut writer = Writer::resume(&file.0, announced()).unwrap();
    let written: Vec<_> = tensors().iter().map(|(name, ..)| writer.is_written(name)).collect();
    assert_eq!(written, [true, false, false, false]);
    for (name, _, bytes) in &tensors()[1..] {
        writer.write(name, bytes).unwrap();
    }
    writer.finish().unwrap();
    Checkpoint::open(&file.0).unwrap().verify().unwrap();

    let mut writer = Writer::create(&file.0, announced()).unwrap();
    writer.keep();
    drop(writer);
    let writer = Writer::resume(&file.0, [("rows", Ragged::SPEC)]).unwrap();
    assert!(!writer.is_written("rows"), "another file is started anew");
}

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

    // A packed file is a source as well, and nothing starts if a rule does not fit.
    let again = Temporary::new("again");
    Packer::new(Rules::default()).pack(&packed.0, &again.0).unwrap();
    let again = Checkpoint::open(&again.0).unwrap();
    assert_eq!(again.get::<Weights>("w1").unwrap().unpack(), weights());
    let wrong: Rules = "* = bf16[20,130]{1,0}".parse().unwrap();
    assert!(Packer::new(wrong).pack(&plain.0, &packed.0).is_err());
    assert!(!packed.partial().exists());
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
        (
            "a = b",
            "line 1: `b` is not a rule\nhelp: write `tpu!`, `row-major`, a layout, `{1,0:T(8,128)}`, a block-scaled format, `q8_0`, or an encoding, `(i, j) -> (i : dense, j : compressed)`",
        ),
    ] {
        assert_eq!(text.parse::<Rules>().unwrap_err().to_string(), error);
    }
}

type Grid = tiled!(f32[2,3]);

crate::checkpoint! {
    struct Layer<const N: usize> {
        #[name = "attn.wq"]
        queries: tiled!(f32[2,N]),
        norm: tiled!(f32[N]),
    }

    struct Layers {
        r#in: Grid,
        layers: Vec<Layer<'a, 3>>,
        #[name = "layers.{}.attn.wq"]
        queries: [Grid; 2],
        #[name = "moe.{}.expert.{}.w"]
        experts: [Vec<Grid>; 2],
        #[name = ""]
        flat: Top<'a>,
        missing: Option<Grid>,
        absent: Option<Vec<Grid>>,
        #[nested]
        #[name = "layers.{}.norm"]
        sums: [Sum<3>; 2],
    }

    struct Top<'file> {
        #[name = "norm"]
        moved: Loaded<'file, tiled!(f32[3]{0:T(128)})>,
    }
}

/// What is computed as it is loaded.
struct Sum<const N: usize>(f32);

impl<'a, const N: usize> Manifest<'a> for Sum<N> {
    fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
        let row: PackedRef<'a, tiled!(f32[N])> = loader.find(name)?;
        Some(Self(row.as_elements().iter().sum()))
    }
}

/// A file of tensors of zeros.
fn zeros(file: &Temporary, tensors: &[(&str, TiledSpec)]) -> Checkpoint {
    let mut writer = Writer::create(&file.0, tensors.iter().copied()).unwrap();
    for (name, spec) in tensors {
        writer.write(name, &vec![0; spec.storage_bytes()]).unwrap();
    }
    writer.finish().unwrap();
    Checkpoint::open(&file.0).unwrap()
}

fn model() -> Vec<(&'static str, TiledSpec)> {
    let (grid, row) = (Grid::SPEC, <tiled!(f32[3])>::SPEC);
    vec![
        ("in", grid),
        ("norm", row),
        ("layers.0.attn.wq", grid),
        ("layers.0.norm", row),
        ("layers.1.attn.wq", grid),
        ("layers.1.norm", row),
        ("moe.0.expert.0.w", grid),
        ("moe.0.expert.1.w", grid),
        ("moe.1.expert.0.w", grid),
        ("moe.1.expert.01.w", grid),
        ("missing_not", grid),
    ]
}

#[test]
fn manifests_load_all_fields() {
    let file = Temporary::new("manifest");
    let checkpoint = zeros(&file, &model());
    let all = Layers::load(&checkpoint).unwrap();
    assert_eq!((all.layers.len(), all.queries.len()), (2, 2));
    assert_eq!(all.experts.each_ref().map(Vec::len), [2, 1]);
    assert!(all.missing.is_none() && all.absent.is_none());
    let same = |view: PackedRef<'_, Grid>, name: &str| {
        assert_eq!(view.as_bytes().as_ptr_range(), checkpoint.bytes(name).unwrap().as_ptr_range());
    };
    same(all.r#in, "in");
    same(all.layers[1].queries, "layers.1.attn.wq");
    same(all.queries[1], "layers.1.attn.wq");
    same(all.experts[0][1], "moe.0.expert.1.w");
    assert_eq!(all.layers[1].norm.unpack(), [0.0; 3]);
    assert!(matches!(all.flat.moved, Loaded::Moved(_)));
    assert_eq!(all.sums.map(|sum| sum.0), [0.0, 0.0]);
    let layer = Layer::<3>::load_from(&checkpoint, "layers.1").unwrap();
    same(layer.queries, "layers.1.attn.wq");
}

#[test]
fn manifests_report_all_mismatches_at_once() {
    let file = Temporary::new("mismatches");
    let mut tensors = model();
    tensors[0].1 = <tiled!(f32[2,4])>::SPEC;
    tensors.extend([
        ("layers.3.norm", Grid::SPEC),
        ("layers.3.attn.wq", Grid::SPEC),
        ("missing", Rows::SPEC),
        ("absent.0.x", Grid::SPEC),
    ]);
    let checkpoint = zeros(&file, &tensors);
    let error = Layers::load(&checkpoint).err().unwrap();
    let text = error.to_string();
    let CheckpointError::Mismatches { errors } = error else { panic!("{text}") };
    let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
    let firsts: Vec<_> = errors.iter().map(|error| error.lines().next().unwrap()).collect();
    assert_eq!(
        firsts,
        [
            "tensor `in` is `f32[2,4]{1,0}`, not `f32[2,3]{1,0}`",
            // There are three layers, so those up to 2 are asked for.
            "there is no tensor `layers.2.attn.wq`",
            "there is no tensor `layers.2.norm`",
            "the list has 2 elements, but the file also has `layers.3.attn.wq`",
            "tensor `missing` is `f32[3,5]{1,0:T(2,2)}`, not `f32[2,3]{1,0}`",
            "there is no tensor `absent.0`",
            "the list has 2 elements, but the file also has `layers.3.norm`",
        ]
    );
    assert!(
        text.starts_with("the checkpoint is not the one that the program expects: 7 errors\n\n")
    );
    assert!(errors.iter().all(|error| text.contains(error)), "{text}");
    // One error is that error.
    let error = Layer::<3>::load_from(&checkpoint, "layers.3").err().unwrap();
    assert!(matches!(error, CheckpointError::Layout { .. }), "{error}");
}

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
         help: write the sharding of the file, or pack the file anew"
    );
    let error = checkpoint.get_shard::<Rows>("norm").unwrap_err().to_string();
    assert!(error.starts_with("tensor `norm` is not split, not `<mesh"), "{error}");
    let error = Checkpoint::open_for(&packed.0, 8).unwrap_err();
    assert!(matches!(error, CheckpointError::Device { device: 8, .. }), "{error}");

    // Without a device the parts have names of their own, and are not packed again.
    let checkpoint = Checkpoint::open(&packed.0).unwrap();
    assert_eq!(checkpoint.names().len(), 13);
    assert_eq!(checkpoint.spec("w@7").unwrap(), &<W as ShardedLayout>::Local::SPEC);
    assert!(matches!(checkpoint.bytes("w"), Err(CheckpointError::Sharded { .. })));
    let error = Packer::new(Rules::default()).pack(&packed.0, &plain.0).unwrap_err();
    assert!(error.to_string().contains("tensor `rows` is split: pack"), "{error}");
    other_shardings_are_refused(&packed);
}

/// Changes the metadata of a file of which the tensor `rows` is split in four.
fn other_shardings_are_refused(file: &Temporary) {
    let whole = fs::read(&file.0).unwrap();
    let data = 8 + u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
    let header = std::str::from_utf8(&whole[8..data]).unwrap();
    let text = r#"[{\"model\"}, {}]"#;
    for (from, to, reason) in [
        (text, r#"[{\"modal\"}, {}]"#, "unknown axis"),
        (text, r#"[{}, {\"data\"}]"#, "has 2 parts, but 4 are there"),
        (text, r#"[{\"data\"}, {}]"#, "has 2 parts, but 4 are there"),
        (text, r#"[{\"model\"}    ]"#, "another rank"),
        (text, r#"[{\"model\"},{} ]"#, "not in canonical form"),
        ("sharding.rows", "sharding.rowz", "its first part is not there"),
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
            // What opens is found out by the checksums.
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
}
