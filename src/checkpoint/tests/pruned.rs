//! Tensors of which only the largest elements of each group are kept.

use super::*;
use crate::DType;
use crate::checkpoint::sparse::stored_bytes;
use crate::sparse::{Encoding, SparseTensor};
use safetensors::tensor::TensorView;

type OneOfEight = Encoded<
    Rank<2>,
    (
        Level<Dim<0>, Dense>,
        Level<Floordiv<Dim<1>, 8>, Dense>,
        Level<Mod<Dim<1>, 8>, Structured<1, 8>>,
    ),
    usize,
    u8,
>;

/// Numbers with ties, zeros of either sign, groups with fewer elements than are kept, infinities and NaN.
fn random(seed: usize, len: usize) -> Vec<f32> {
    let mut state = seed as u32 | 1;
    let number = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        match state >> 28 {
            0..=4 => 0.0,
            5 => -0.0,
            6 if state >> 20 & 15 == 0 => f32::NAN,
            7 if state >> 20 & 15 == 0 => f32::NEG_INFINITY,
            // Few different magnitudes.
            _ => (state >> 24 & 7) as f32 - 4.0,
        }
    };
    (0..len).map(number).collect()
}

fn write_plain<T: StoredElement>(
    file: &Temporary,
    dtype: safetensors::Dtype,
    shape: [usize; 2],
    values: &[T],
) {
    let mut bytes = vec![0; size_of_val(values)];
    for (value, to) in values.iter().zip(bytes.chunks_exact_mut(size_of::<T>())) {
        value.write_le(to);
    }
    let view = TensorView::new(dtype, shape.to_vec(), &bytes).unwrap();
    fs::write(&file.0, safetensors::serialize([("w", view)], None).unwrap()).unwrap();
}

/// The packed bytes compared with those of [`SparseTensor::from_dense_pruned`], for whole tensors, and for parts of rows and of
/// columns.
fn check<E: Encoding<Index = [usize; 2]>, T: StoredElement>(
    rule: &str,
    dtype: safetensors::Dtype,
    shape: [usize; 2],
    values: &[T],
) {
    let (plain, packed) = (Temporary::new("unpruned"), Temporary::new("pruned"));
    write_plain(&plain, dtype, shape, values);
    let pruned = |shape: [usize; 2], values: &[T]| {
        let tensor = SparseTensor::<E, T>::from_dense_pruned(shape, values).unwrap();
        stored_bytes("w", &tensor).unwrap()
    };
    let pack = |from: &Temporary, rule: &str| {
        let rules: Rules = format!("w = {rule}").parse().unwrap();
        Packer::new(rules).pack(&from.0, &packed.0).unwrap();
        let checkpoint = Checkpoint::options().in_memory(true).open(&packed.0).unwrap();
        checkpoint.verify().unwrap();
        checkpoint
    };
    let (spec, bytes) = pruned(shape, values);
    let whole = pack(&plain, rule);
    assert_eq!(*whole.stored_spec("w").unwrap(), StoredSpec::Sparse(spec));
    assert_eq!(whole.bytes("w").unwrap(), bytes, "{rule} {shape:?}");
    whole.get::<SparseTensor<E, T>>("w").unwrap();
    // A tensor that is already pruned is unchanged.
    let again = Temporary::new("pruned-before");
    fs::copy(&packed.0, &again.0).unwrap();
    assert_eq!(pack(&again, rule).bytes("w").unwrap(), bytes);
    let rows = pack(&plain, &format!(r#"{rule} @ ["a"=2] [{{"a"}}, {{}}]"#));
    let columns = pack(&plain, &format!(r#"{rule} @ ["a"=2] [{{}}, {{"a"}}]"#));
    for part in 0..2 {
        let half = &values[part * values.len() / 2..][..values.len() / 2];
        let (_, expected) = pruned([shape[0] / 2, shape[1]], half);
        assert_eq!(rows.bytes(&format!("w@{part}")).unwrap(), expected);
        let half: Vec<T> = values
            .chunks_exact(shape[1])
            .flat_map(|row| &row[part * shape[1] / 2..][..shape[1] / 2])
            .copied()
            .collect();
        let (_, expected) = pruned([shape[0], shape[1] / 2], &half);
        assert_eq!(columns.bytes(&format!("w@{part}")).unwrap(), expected);
    }
}

#[test]
fn the_largest_elements_are_kept() {
    for (seed, shape) in [[2, 8], [4, 16], [26, 24], [2, 400]].into_iter().enumerate() {
        let values = random(seed, shape[0] * shape[1]);
        let halves: Vec<bf16> = values.iter().copied().map(bf16::from_f32).collect();
        let bytes: Vec<i8> = values.iter().map(|x| *x as i8).collect();
        check::<TwoOfFour, bf16>("2:4 pruned", safetensors::Dtype::BF16, shape, &halves);
        check::<TwoOfFour, f32>("2:4 pruned", safetensors::Dtype::F32, shape, &values);
        check::<TwoOfFour, i8>("2:4 pruned", safetensors::Dtype::I8, shape, &bytes);
        if shape[1].is_multiple_of(16) {
            check::<OneOfEight, f32>("1:8 pruned", safetensors::Dtype::F32, shape, &values);
        }
    }
}

#[test]
fn rows_may_end_within_a_group_but_parts_may_not() {
    let (plain, packed) = (Temporary::new("ragged"), Temporary::new("ragged-pruned"));
    let values = random(9, 5 * 11);
    write_plain(&plain, safetensors::Dtype::F32, [5, 11], &values);
    Packer::new("* = 2:4 pruned".parse().unwrap()).pack(&plain.0, &packed.0).unwrap();
    let tensor = SparseTensor::<TwoOfFour, f32>::from_dense_pruned([5, 11], &values).unwrap();
    let checkpoint = Checkpoint::open(&packed.0).unwrap();
    assert!(checkpoint.bytes("w").unwrap() == stored_bytes("w", &tensor).unwrap().1);

    for (rule, dims, reason) in [
        (r#"2:4 pruned @ ["a"=2] [{}, {"a"}]"#, &[4, 12][..], "shards of 6 along dimension 1"),
        ("2:4 pruned", &[4, 4, 4], "encoding `(i, j) -> "),
        ("2:300 pruned", &[4, 4], "`structured[2, 300]`"),
        ("5:4 pruned", &[4, 4], "`structured[5, 4]`"),
    ] {
        let rules: Rules = format!("w = {rule}").parse().unwrap();
        let error = rules.spec("w", DType::BF16, dims).unwrap_err().to_string();
        assert!(error.contains(reason), "{rule}: {error}");
    }
    let error = "w = csr pruned".parse::<Rules>().unwrap_err().to_string();
    assert!(error.contains("`csr pruned` is not a rule"), "{error}");
    let rules: Rules = "w = 2:4 pruned".parse().unwrap();
    let error = rules.spec("w", DType::PRED, &[4, 4]).unwrap_err().to_string();
    assert!(error.contains("sparse tensors are of floats"), "{error}");
}
