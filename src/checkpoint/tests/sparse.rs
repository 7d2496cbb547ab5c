//! Sparse tensors in checkpoints.

use super::*;
use crate::checkpoint::sparse::stored_bytes;
use crate::sparse::formats::{Coo, Csr};
use crate::sparse::{Encoding, SparseArray, SparseTensor, SparseTensorRef, StoredSparseSpec};
use crate::{DType, sparse_encoding, sparse_tensor};
use safetensors::tensor::TensorView;

type Rows = SparseTensor<Csr<u32, u16>, f32>;
sparse_encoding! {
    type Blocks = (i, j) -> (
        i floordiv 2 : dense, j floordiv 4 : compressed, i mod 2 : dense, j mod 4 : dense
    ), posWidth = 32, crdWidth = 32;
    type Diagonals = (i, j) -> (j - i : compressed, i : range), crdWidth = 32;
    type Batched = (b, i, j) -> (b : batch, i : dense, j : compressed);
}

const SIZES: [usize; 2] = [6, 8];
const TWO_OF_FOUR: &str =
    "(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2";

/// Numbers of which at most two of four are not zero.
fn dense() -> Vec<f32> {
    let number = |at: usize| match at % 8 {
        1 | 3 | 6 => at as f32 - 20.5,
        4 if at.is_multiple_of(3) => 1.0,
        // A mask leaves zeros of either sign.
        2 => -0.0,
        _ => 0.0,
    };
    (0..SIZES[0] * SIZES[1]).map(number).collect()
}

fn halves() -> Vec<bf16> {
    dense().into_iter().map(bf16::from_f32).collect()
}

fn rows() -> Rows {
    Rows::from_dense(SIZES, &dense()).unwrap()
}

fn write<E: Encoding, T: StoredElement>(file: &Temporary, tensor: &SparseTensor<E, T>) {
    let mut writer = Writer::create(&file.0, [("w", stored_sparse(tensor).unwrap())]).unwrap();
    writer.write_sparse("w", tensor).unwrap();
    writer.finish().unwrap();
}

/// Writes a tensor and compares all ways to read it.
fn comes_back<E: Encoding, T: StoredElement>(tensor: &SparseTensor<E, T>) {
    let file = Temporary::new("sparse-back");
    write(&file, tensor);
    for in_memory in [false, true] {
        let checkpoint = Checkpoint::options().in_memory(in_memory).open(&file.0).unwrap();
        let bytes = checkpoint.bytes("w").unwrap().as_ptr_range();
        let found = checkpoint.get::<SparseTensor<E, T>>("w").unwrap();
        assert!(*found == *tensor, "{}", E::SPEC);
        // Nothing is copied.
        let values = found.values().as_ptr_range();
        assert!(values.is_empty() || bytes.contains(&values.start.cast()));
        assert!(values.is_empty() || values.end.cast() <= bytes.end);
        for level in 0..E::SPEC.levels().len() {
            let positions = found.positions(level).as_ptr().cast();
            assert!(found.positions(level).is_empty() || bytes.contains(&positions));
        }
        let dynamic = checkpoint.get_sparse::<T>("w").unwrap();
        assert!(dynamic == tensor.clone().into(), "{}", E::SPEC);
        let all = crate::movement::host::bytes_of(&tensor.to_dense().unwrap()).to_vec();
        assert_eq!(checkpoint.dense_bytes("w").unwrap(), all, "{}", E::SPEC);
        let text = checkpoint.stored_spec("w").unwrap().to_string();
        assert_eq!(text.parse::<StoredSpec>().unwrap().to_string(), text);
    }
}

#[test]
fn tensors_of_all_kinds_come_back_without_a_copy() {
    comes_back(&rows());
    comes_back(&SparseTensor::<Csr, bf16>::from_dense(SIZES, &halves()).unwrap());
    comes_back(&SparseTensor::<Coo<u8, u8>, f32>::from_dense(SIZES, &dense()).unwrap());
    comes_back(&SparseTensor::<TwoOfFour, bf16>::from_dense(SIZES, &halves()).unwrap());
    comes_back(&SparseTensor::<Blocks, f32>::from_dense(SIZES, &dense()).unwrap());
    comes_back(&SparseTensor::<Diagonals, f32>::from_dense(SIZES, &dense()).unwrap());
    let batched = SparseTensor::<Batched, f32>::from_dense([2, 3, 8], &dense()).unwrap();
    comes_back(&batched);
    let integers: Vec<i16> = dense().iter().map(|x| *x as i16).collect();
    comes_back(&SparseTensor::<Csr<u64, u32>, i16>::from_dense(SIZES, &integers).unwrap());
    comes_back(&Rows::from_dense([0, 4], &[]).unwrap());
    comes_back(&Rows::from_dense([3, 4], &[0.0; 12]).unwrap());
    // A group of an odd number of rows leaves slots of the last byte of coordinates empty.
    let odd = [1.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 4.0, 0.0, 0.0, 5.0, 6.0];
    comes_back(&SparseTensor::<TwoOfFour, f32>::from_dense([3, 4], &odd).unwrap());
}

#[test]
fn another_tensor_is_told() {
    let file = Temporary::new("sparse-wrong");
    write(&file, &rows());
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    let stored = checkpoint.stored_spec("w").unwrap().to_string();
    assert!(stored.ends_with(">> with 7 positions(1), 20 coordinates(1), 20 values"), "{stored}");
    let wrong = |error: CheckpointError, help: &str| {
        let error = error.to_string();
        assert!(error.starts_with(&format!("tensor `w` is `{stored}`, not `")), "{error}");
        assert!(error.ends_with(help), "{error}");
    };
    use std::format;
    let encodings =
        "the encodings differ; read it in its own and `convert` it, or pack the file again";
    wrong(checkpoint.get::<SparseTensor<Csr, f32>>("w").unwrap_err(), encodings);
    wrong(checkpoint.get::<SparseTensor<Coo<u32, u16>, f32>>("w").unwrap_err(), encodings);
    let values = "the values differ; read them as `f32` and `cast` them to `i32`";
    wrong(checkpoint.get::<SparseTensor<Csr<u32, u16>, i32>>("w").unwrap_err(), values);
    wrong(checkpoint.get_sparse::<u32>("w").unwrap_err(), values);
    type Other = sparse_tensor!(tensor<6x9xf32, #sparse_tensor.encoding<{
        map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 16
    }>>);
    wrong(checkpoint.get::<Other>("w").unwrap_err(), "the sizes differ; give the tensor's own");
    type Open = sparse_tensor!(tensor<6x?xf32, #sparse_tensor.encoding<{
        map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 16
    }>>);
    assert_eq!(checkpoint.get::<Open>("w").unwrap().get([0, 1]), -19.5);
    type Tiled = tiled!(f32[6,8]);
    let error = checkpoint.get::<Tiled>("w").unwrap_err().to_string();
    assert!(error.contains("help: read it as a sparse tensor, `sparse_tensor!(tensor<6x8xf32"));
    for error in
        [checkpoint.rows::<crate::F32>("w", 0..1).unwrap_err(), checkpoint.spec("w").unwrap_err()]
    {
        assert!(matches!(error, CheckpointError::Sparse { .. }), "{error}");
    }
    assert!(checkpoint.get_or_relayout::<Tiled>("w").is_err());
    assert!(checkpoint.get_quantized("w").is_err());
}

/// Opens a tensor in the stored form of [`rows`], with changed arrays and their checksum.
fn changed(change: impl FnOnce(&StoredSparseSpec, &mut Vec<u8>)) -> CheckpointError {
    let file = Temporary::new("sparse-changed");
    let (spec, mut bytes) = stored_bytes("w", &rows()).unwrap();
    change(&spec, &mut bytes);
    let mut writer = Writer::create(&file.0, [("w", spec)]).unwrap();
    writer.write("w", &bytes).unwrap();
    writer.finish().unwrap();
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    checkpoint.verify().unwrap();
    let error = checkpoint.get::<Rows>("w").unwrap_err();
    for other in
        [checkpoint.get_sparse::<f32>("w").unwrap_err(), checkpoint.dense_bytes("w").unwrap_err()]
    {
        assert_eq!(error.to_string(), other.to_string());
    }
    error
}

#[test]
fn arrays_that_are_no_tensor_are_told() {
    let at = |spec: &StoredSparseSpec, array, number: usize| {
        spec.range(array).start + number * spec.width(array)
    };
    let positions = SparseArray::Positions(1);
    let coordinates = SparseArray::Coordinates(1);
    for (array, number, value, message) in [
        (positions, 0, 1, "tensor `w`: level 1: segment 0"),
        (positions, 3, 0, "tensor `w`: level 1: segment"),
        (positions, 6, 19, "tensor `w`: level 1: segment"),
        (positions, 6, 21, "tensor `w`: level 1: segment"),
        (positions, 2, 255, "tensor `w`: level 1: segment"),
        (coordinates, 0, 8, "coordinate 8"),
        (coordinates, 1, 1, "coordinate 1"),
        (coordinates, 1, 0, "coordinate 0"),
    ] {
        let error = changed(|spec, bytes| bytes[at(spec, array, number)] = value).to_string();
        assert!(error.contains(message), "{array} {number}: {error}");
        assert!(error.ends_with("help: pack the file again"), "{error}");
    }
    // The largest number of 16 bits is not read as a negative one, as the largest number of 64 bits would be.
    let error = changed(|spec, bytes| bytes[at(spec, coordinates, 5)..][..2].fill(0xFF));
    assert!(error.to_string().contains("coordinate 65535"), "{error}");

    // Lengths that do not match.
    let file = Temporary::new("sparse-lengths");
    let (spec, _) = stored_bytes("w", &rows()).unwrap();
    for (levels, values) in [
        ([(0, 0), (6, 20)], 20),
        ([(0, 0), (7, 19)], 20),
        ([(0, 0), (7, 20)], 19),
        ([(1, 0), (7, 20)], 20),
        ([(0, 6), (7, 20)], 20),
    ] {
        let spec = StoredSparseSpec::new(*spec.tensor(), &levels, values).unwrap();
        let mut writer = Writer::create(&file.0, [("w", spec)]).unwrap();
        writer.write("w", &std::vec![0; spec.bytes()]).unwrap();
        writer.finish().unwrap();
        let checkpoint = Checkpoint::open(&file.0).unwrap();
        let error = checkpoint.get::<Rows>("w").unwrap_err();
        assert!(matches!(error, CheckpointError::SparseArrays { .. }), "{levels:?}: {error}");
        assert!(checkpoint.dense_bytes("w").is_err());
    }
}

#[test]
fn no_changed_byte_gives_other_values() {
    let file = Temporary::new("sparse-flips");
    let tensor = SparseTensor::<TwoOfFour, bf16>::from_dense(SIZES, &halves()).unwrap();
    let (spec, bytes) = stored_bytes("w", &tensor).unwrap();
    let (_, others) = stored_bytes("r", &rows()).unwrap();
    let announced = [("w", spec), ("r", stored_sparse(&rows()).unwrap())];
    let mut writer = Writer::create(&file.0, announced).unwrap();
    writer.write("w", &bytes).unwrap();
    writer.write("r", &others).unwrap();
    writer.finish().unwrap();
    let whole = fs::read(&file.0).unwrap();
    let mut accepted = 0;
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&file.0, &bytes).unwrap();
        for verify in [Verify::FirstUse, Verify::OnRequest] {
            let options = Checkpoint::options().verify(verify).in_memory(true);
            let Ok(checkpoint) = options.open(&file.0) else { continue };
            let found = checkpoint.get::<SparseTensor<TwoOfFour, bf16>>("w");
            let others = checkpoint.get::<Rows>("r");
            if verify == Verify::FirstUse {
                accepted += usize::from(found.is_ok() && others.is_ok());
                assert!(found.is_err() || *found.unwrap() == tensor, "byte {at}");
                assert!(others.is_err() || *others.unwrap() == rows(), "byte {at}");
            } else {
                // Whatever the arrays contain, they can be read.
                let _ = found.map(|found| found.to_dense());
                let _ = others.map(|others| others.to_dense());
                let _ = (checkpoint.dense_bytes("w"), checkpoint.dense_bytes("r"));
            }
        }
    }
    // The bytes between tensors.
    assert!(accepted < 200, "{accepted} changes are accepted");
    for len in 0..whole.len() {
        fs::write(&file.0, &whole[..len]).unwrap();
        assert!(Checkpoint::options().in_memory(true).open(&file.0).is_err(), "{len} bytes");
    }
}

#[test]
fn arrays_that_are_not_aligned_are_copied_or_told() {
    let file = Temporary::new("sparse-unaligned");
    write(&file, &rows());
    // One space less at the end of the header.
    let mut bytes = fs::read(&file.0).unwrap();
    let len = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    assert_eq!(bytes.remove(8 + len as usize - 1), b' ');
    bytes[..8].copy_from_slice(&(len - 1).to_le_bytes());
    fs::write(&file.0, bytes).unwrap();
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    let error = checkpoint.get::<Rows>("w").unwrap_err().to_string();
    assert!(error.contains("not aligned"), "{error}");
    assert!(checkpoint.get_sparse::<f32>("w").unwrap() == rows().into());
}

/// Writes the array as existing tools do.
fn write_plain(file: &Temporary, values: &[bf16]) {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let sizes = std::vec![SIZES[0], values.len() / SIZES[0]];
    let view = TensorView::new(safetensors::Dtype::BF16, sizes, &bytes).unwrap();
    let all = [("a.w", view.clone()), ("b.w", view)];
    fs::write(&file.0, safetensors::serialize(all, None).unwrap()).unwrap();
}

fn pack(from: &Temporary, to: &Temporary, rules: &str) -> Result<Checkpoint> {
    Packer::new(rules.parse()?).pack(&from.0, &to.0)?;
    let checkpoint = Checkpoint::open(&to.0)?;
    checkpoint.verify()?;
    Ok(checkpoint)
}

#[test]
fn files_are_packed_into_encodings_and_back() {
    let (plain, packed, again) = (
        Temporary::new("sparse-from"),
        Temporary::new("sparse-to"),
        Temporary::new("sparse-again"),
    );
    write_plain(&plain, &halves());
    let blocks = "#sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 4 : compressed, \
        i mod 2 : dense, j mod 4 : dense), posWidth = 32, crdWidth = 32 }> # blocks of 2 by 4";
    let rules = std::format!("a.* = {TWO_OF_FOUR}\n* = {blocks}");
    let checkpoint = pack(&plain, &packed, &rules).unwrap();
    let structured = checkpoint.get::<SparseTensor<TwoOfFour, bf16>>("a.w").unwrap();
    assert_eq!(structured.to_dense().unwrap(), halves());
    assert_eq!(structured.values().len(), SIZES[0] * SIZES[1] / 2);
    let blocked = checkpoint.get::<SparseTensor<Blocks, bf16>>("b.w").unwrap();
    assert!(*blocked == SparseTensor::from_dense(SIZES, &halves()).unwrap());

    // Other encodings, row-major, tiled and block-scaled.
    let csr = "(i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 16";
    let rules = std::format!("a.* = {csr}\n* = {{0,1:T(2,4)}}");
    let other = pack(&packed, &again, &rules).unwrap();
    let found = other.get::<SparseTensor<Csr<u32, u16>, bf16>>("a.w").unwrap();
    assert_eq!(found.to_dense().unwrap(), halves());
    type Columns = tiled!(bf16[6,8]{0,1:T(2,4)});
    assert_eq!(other.get::<Columns>("b.w").unwrap().unpack(), halves());
    // A tensor that already has the encoding is copied unchanged.
    let same = pack(&packed, &again, &std::format!("a.* = {TWO_OF_FOUR}\n* = row-major")).unwrap();
    assert_eq!(same.bytes("a.w").unwrap(), checkpoint.bytes("a.w").unwrap());
    let plain_again = pack(&packed, &again, "* = row-major").unwrap();
    assert_eq!(plain_again.rows::<crate::BF16>("b.w", 0..6).unwrap(), halves());
}

#[test]
fn sparse_tensors_are_quantized_as_dense_ones_are() {
    let (plain, packed) = (Temporary::new("sparse-wide"), Temporary::new("sparse-csr"));
    let (one, other) = (Temporary::new("sparse-q8"), Temporary::new("dense-q8"));
    write_plain(&plain, &halves().repeat(8));
    pack(&plain, &packed, "* = (i, j) -> (i : dense, j : compressed)").unwrap();
    let sparse = pack(&packed, &one, "* = q8_0").unwrap();
    let dense = pack(&plain, &other, "* = q8_0").unwrap();
    assert_eq!(sparse.bytes("a.w").unwrap(), dense.bytes("a.w").unwrap());
    assert!(sparse.get_quantized("a.w").unwrap().unpack().iter().any(|x| *x != 0.0));
}

#[test]
fn what_has_no_room_is_told() {
    let (plain, packed) = (Temporary::new("sparse-full"), Temporary::new("sparse-none"));
    let mut values = halves();
    values[8..11].fill(bf16::ONE);
    write_plain(&plain, &values);
    let error = pack(&plain, &packed, &std::format!("* = {TWO_OF_FOUR}")).unwrap_err();
    assert!(error.to_string().contains("2 of 4 coordinates can be stored"), "{error}");
    assert!(!packed.0.exists());
    for (rule, dtype, dims, error) in [
        ("(i, j) -> (i : dense)", DType::F32, &[2, 2][..], "encoding `(i, j) -> (i : dense)`: 1:"),
        (
            "(i, j) -> (i : dense, j : compressed)",
            DType::U8,
            &[2, 2],
            "help: sparse tensors are of",
        ),
        ("(i, j) -> (i : dense, j : compressed)", DType::F32, &[2], "2 dimensions"),
    ] {
        let rules: Rules = std::format!("* = {rule}").parse().unwrap();
        let found = rules.sparse("w", dtype, dims).unwrap_err().to_string();
        assert!(found.contains(error), "{rule}: {found}");
    }
    let rules: Rules = std::format!("* = {TWO_OF_FOUR}").parse().unwrap();
    assert!(rules.spec("w", DType::F32, &[2, 4]).is_err());
    assert_eq!(rules.sparse("w", DType::F32, &[2, 4]).unwrap().unwrap().sizes().len(), 2);
    let split: Rules =
        std::format!("* = {TWO_OF_FOUR} @ [\"x\"=2] [{{\"x\"}}, {{}}]").parse().unwrap();
    let error = split.contents("w", DType::F32, &[2, 4]).unwrap_err().to_string();
    assert!(error.contains("of a size that is not known without its elements"), "{error}");
    assert!(Rules::default().sparse("w", DType::F32, &[2]).unwrap().is_none());
}

#[test]
fn a_writer_writes_the_tensor_that_was_announced() {
    let file = Temporary::new("sparse-writer");
    let mut writer = Writer::create(&file.0, [("w", stored_sparse(&rows()).unwrap())]).unwrap();
    assert!(writer.write("w", &[0; 10]).is_err());
    let other = Rows::from_dense([2, 2], &[1.0; 4]).unwrap();
    let error = writer.write_sparse("w", &other).unwrap_err().to_string();
    assert!(error.contains("tensor `w` is `tensor<2x2xf32"), "{error}");
    writer.write_sparse("w", &rows()).unwrap();
    writer.finish().unwrap();
    assert!(*Checkpoint::open(&file.0).unwrap().get::<Rows>("w").unwrap() == rows());
}

crate::checkpoint! {
    #[derive(Debug)]
    struct Layer<T: Debug> {
        w: SparseTensor<Csr<u32, u16>, f32>,
        #[name = "w"]
        by_name: Rows,
        #[name = "w"]
        with_sizes: sparse_tensor!(tensor<6x8xf32, #sparse_tensor.encoding<{
            map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 16
        }>>),
        none: Option<Rows>,
        #[nested]
        other: Option<Nothing<T>>,
    }

    struct Wrong {
        w: SparseTensor<Csr, f32>,
        #[name = "w"]
        tiled: tiled!(f32[6,8]),
    }
}

use core::fmt::Debug;

/// A field that never exists.
#[derive(Debug)]
struct Nothing<T>(core::marker::PhantomData<T>);

impl<'a, T> Manifest<'a> for Nothing<T> {
    fn find(_: &mut crate::checkpoint::Loader<'a>, _: &str) -> Option<Self> {
        None
    }
}

#[test]
fn manifests_have_sparse_fields() {
    let file = Temporary::new("sparse-manifest");
    write(&file, &rows());
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    let layer: Layer<'_, u8> = Layer::load(&checkpoint).unwrap();
    let fields: [SparseTensorRef<'_, _, _>; 3] = [layer.w, layer.by_name, layer.with_sizes];
    assert!(fields.iter().all(|field| **field == rows()));
    assert!(layer.none.is_none() && layer.other.is_none());
    let Err(CheckpointError::Mismatches { errors }) = Wrong::load(&checkpoint) else {
        panic!("both fields are wrong")
    };
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert!(errors[0].contains("the encodings differ"), "{errors:?}");
    assert!(errors[1].contains("read it as a sparse tensor"), "{errors:?}");
}
