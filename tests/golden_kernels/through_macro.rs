//! Every golden row again, computed by functions that the macro generates. The functions, one for each statement with its
//! encodings, are in a separate file, which `BLESS=1 cargo test --test golden_kernels` writes.

use crate::golden::kernel;
use crate::macro_kernels::KERNELS;
use crate::rows::{numbers, rows};
use crate::tensors::{entries, flat};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;
use tensor_layout::sparse::{Duplicates, Encoding, SparseTensor};
use tensor_layout::sparsify::{Dense, KernelError};

/// The operands of a row.
pub(crate) struct Tensors<'a>(&'a Map<String, Value>);

impl Tensors<'_> {
    pub(crate) fn sparse<E: Encoding>(&self, name: &str) -> SparseTensor<E, f64> {
        let tensor = &self.0[name];
        let index = |numbers: &[usize]| {
            let mut index = E::Index::default();
            index.as_mut().copy_from_slice(numbers);
            index
        };
        let entries: Vec<_> =
            entries(tensor).iter().map(|(at, value)| (index(at), *value)).collect();
        let shape = index(&numbers(&tensor["shape"]));
        SparseTensor::from_coo(shape, &entries, Duplicates::Error).expect("a tensor")
    }

    pub(crate) fn dense<const RANK: usize>(&self, name: &str) -> Dense<f64, RANK> {
        let tensor = &self.0[name];
        let shape = numbers(&tensor["shape"]).try_into().expect("as many sizes");
        let mut dense = Dense::filled(shape, 0.0).expect("memory");
        for (index, value) in entries(tensor) {
            dense[index.try_into().expect("as many coordinates")] = value;
        }
        dense
    }
}

/// The result of a kernel: its shape, and all values in row-major order.
pub(crate) type Output = Result<(Vec<usize>, Vec<f64>), KernelError>;

pub(crate) fn number(value: Result<f64, KernelError>) -> Output {
    Ok((Vec::new(), vec![value?]))
}

pub(crate) fn array<const RANK: usize>(array: Result<Dense<f64, RANK>, KernelError>) -> Output {
    let array = array?;
    Ok((array.shape().to_vec(), array.into_values()))
}

pub(crate) fn tensor<E: Encoding>(tensor: Result<SparseTensor<E, f64>, KernelError>) -> Output {
    let tensor = tensor?;
    let values = tensor.to_dense().expect("memory");
    let shape = tensor.shape().as_ref().to_vec();
    // The result of a kernel must be a valid tensor.
    SparseTensor::<E, f64>::assemble(tensor.disassemble()).expect("a valid tensor");
    Ok((shape, values))
}

/// The name of the function for a kernel: a hash of its text.
pub(crate) fn name(text: &str) -> String {
    // FNV-1a.
    let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    format!("k{hash:016x}")
}

/// The source of a kernel with the given name, and its encodings in the notation of the macro.
pub(crate) fn function(text: &str, name: &str) -> String {
    text.replacen("fn f(", &format!("fn {name}("), 1)
        .replace("#sparse_tensor.encoding<{ map = ", "")
        .replace(" }>}", "}")
}

/// The source of a kernel and of its entry in the table.
fn source(text: &str, row: &Value, tensors: &Map<String, Value>, names: &[String]) -> [String; 2] {
    let name = name(text);
    let sparse = |tensor: &Value| tensor.get("enc").is_some();
    let arguments: Vec<String> = (names.iter())
        .map(|name| match sparse(&tensors[name]) {
            true => format!("&t.sparse({name:?})"),
            false => format!("&t.dense({name:?})"),
        })
        .collect();
    let into = match (sparse(&row["out"]), numbers(&row["out"]["shape"]).is_empty()) {
        (true, _) => "tensor",
        (_, true) => "number",
        _ => "array",
    };
    [function(text, &name), format!("({name:?}, |t| {into}({name}({}))),", arguments.join(", "))]
}

#[test]
fn every_row() {
    let mut sources = BTreeMap::new();
    let mut missing = Vec::new();
    for row in rows("sparse_kernels", 270) {
        let tensors = row["tensors"].as_object().expect("tensors");
        let (text, names) = kernel(&row, tensors);
        let name = name(&text);
        sources.insert(name.clone(), source(&text, &row, tensors, &names));
        let Some((_, run)) = KERNELS.iter().find(|(known, _)| *known == name) else {
            missing.push(text);
            continue;
        };
        let (shape, values) =
            run(&Tensors(tensors)).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut expected = Vec::new();
        flat(&row["numpy"], &mut expected);
        assert_eq!(values, expected, "{text}");
        assert_eq!(shape, numbers(&row["out"]["shape"]), "{text}");
    }
    let uses = "use crate::through_macro::{Output, Tensors, array, number, tensor};";
    compare_or_bless(
        "macro_kernels",
        uses,
        "fn(&Tensors<'_>) -> Output",
        &sources,
        (KERNELS.len(), &missing),
    );
}

/// With `BLESS=1`, writes a file of kernels and the table of their functions; otherwise fails if the file differs.
pub(crate) fn compare_or_bless(
    file: &str,
    uses: &str,
    run: &str,
    sources: &BTreeMap<String, [String; 2]>,
    (known, missing): (usize, &[String]),
) {
    if std::env::var_os("BLESS").is_none() {
        assert!(missing.is_empty(), "{} kernels are missing: run with BLESS=1", missing.len());
        assert_eq!(known, sources.len(), "kernels without a row: run with BLESS=1");
        return;
    }
    let mut text = format!(
        "//! Written by `BLESS=1 cargo test --test golden_kernels`.\n
{uses}\nuse tensor_layout::sparse_kernel;\n
sparse_kernel! {{\n",
    );
    for [function, _] in sources.values() {
        let _ = writeln!(text, "    {function}");
    }
    let _ = writeln!(text, "}}\n\npub(crate) type Run = {run};\n");
    text.push_str("pub(crate) const KERNELS: &[(&str, Run)] = &[\n");
    for [_, entry] in sources.values() {
        let _ = writeln!(text, "    {entry}");
    }
    text.push_str("];\n");
    let path = format!("{}/tests/golden_kernels/{file}.rs", env!("CARGO_MANIFEST_DIR"));
    std::fs::write(path, text).expect("the file can be written");
}
