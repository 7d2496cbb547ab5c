//! Golden results of numpy, and of MLIR's sparsifier for the statements that it compiles.

use crate::rows::{numbers, rows, text};
use crate::tensors::{entries, flat};
use serde_json::{Map, Value};
use tensor_layout::sparse::{Duplicates, DynSparseTensor, SparseEncoding};
use tensor_layout::sparsify::{AnyOperand, DynOperand, Evaluate, SparseKernel};

fn encoding(tensor: &Value) -> Option<SparseEncoding> {
    let text = tensor.get("enc")?.as_str()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{text}: {error}")))
}

/// `A(i,j)` in the form of a signature and of a statement, and its name.
fn accesses(expr: &str) -> Vec<(String, String)> {
    let mut accesses = Vec::new();
    let mut rest = expr;
    while let Some((before, after)) = rest.split_once('(') {
        let name = before.rsplit(|c: char| !c.is_alphanumeric()).next().expect("a name");
        let (indices, after) = after.split_once(')').expect("a closing parenthesis");
        accesses.push((name.to_string(), indices.to_string()));
        rest = after;
    }
    accesses
}

/// The kernel of a row, in this crate's notation.
pub(crate) fn kernel(row: &Value, tensors: &Map<String, Value>) -> (String, Vec<String>) {
    let expr = text(row, "expr");
    let accesses = accesses(expr);
    let ((output, output_indices), inputs) = accesses.split_first().expect("an output");
    let operand = |name: &str, indices: &str, tensor: &Value| {
        let ty = match (encoding(tensor), indices) {
            (Some(encoding), _) => format!("{{{encoding}}}<f64>"),
            (None, "") => return format!("{name}: f64"),
            (None, _) => "Dense<f64>".to_string(),
        };
        format!("{name}: {ty}[{indices}]")
    };
    let parameters: Vec<String> =
        inputs.iter().map(|(name, indices)| operand(name, indices, &tensors[name])).collect();
    let output = operand(output, output_indices, &row["out"]);
    let statement = expr.replace("s()", "s").replace('(', "[").replace(')', "]");
    let text = format!("fn f({}) -> {output} {{ {statement} }}", parameters.join(", "));
    (text, inputs.iter().map(|(name, _)| name.clone()).collect())
}

fn operand(tensor: &Value) -> DynOperand<f64> {
    let (shape, entries) = (numbers(&tensor["shape"]), entries(tensor));
    match encoding(tensor) {
        Some(encoding) => {
            let tensor = DynSparseTensor::from_coo(encoding, &shape, &entries, Duplicates::Error);
            tensor.expect("a tensor").into()
        }
        None => {
            let mut values = vec![0.0; shape.iter().product()];
            for (index, value) in entries {
                let at = index.iter().zip(&shape).fold(0, |at, (x, size)| at * size + x);
                values[at] = value;
            }
            DynOperand::dense(&shape, values).expect("as many values")
        }
    }
}

/// All values of an output in row-major order.
fn dense(output: &DynOperand<f64>) -> Vec<f64> {
    match output {
        DynOperand::Scalar(value) => vec![*value],
        DynOperand::Dense { values, .. } => values.clone(),
        DynOperand::Tiled { .. } => dense(&output.unpacked()),
        DynOperand::Sparse(tensor) => {
            let shape = tensor.shape();
            let mut values = vec![0.0; shape.iter().product()];
            for (index, value) in tensor.to_coo() {
                values[index.iter().zip(shape).fold(0, |at, (x, size)| at * size + x)] = value;
            }
            values
        }
    }
}

#[test]
fn every_row() {
    for row in rows("sparse_kernels", 270) {
        let tensors = row["tensors"].as_object().expect("tensors");
        let (text, names) = kernel(&row, tensors);
        let kernel: SparseKernel = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        let operands: Vec<_> = names.iter().map(|name| operand(&tensors[name])).collect();
        let output = kernel.run(&operands).unwrap_or_else(|e| panic!("{text}: {e}\n{kernel}"));
        let mut expected = Vec::new();
        flat(&row["numpy"], &mut expected);
        assert_eq!(dense(&output), expected, "{text}\n{kernel}");
        assert_eq!(output.shape(), numbers(&row["out"]["shape"]), "{text}");
    }
}

/// An operand whose elements have the type in its signature.
fn any(operand: &Value) -> AnyOperand {
    fn build<T: Evaluate>(operand: &Value) -> AnyOperand
    where
        AnyOperand: From<DynOperand<T>> + From<DynSparseTensor<T>>,
    {
        let shape = numbers(&operand["shape"]);
        let entries = entries(operand).into_iter();
        let entries: Vec<_> = entries.map(|(at, value)| (at, T::from_f64(value))).collect();
        let Some(encoding) = operand["enc"].as_str() else {
            let values = entries.into_iter().map(|(_, value)| value).collect();
            return DynOperand::dense(&shape, values).expect("all values").into();
        };
        let encoding = encoding.trim_matches(['{', '}']).parse().expect("an encoding");
        let tensor = DynSparseTensor::from_coo(encoding, &shape, &entries, Duplicates::Error);
        tensor.expect("a tensor").into()
    }
    match text(operand, "element") {
        "bool" => build::<bool>(operand),
        "i64" => build::<i64>(operand),
        "f32" => build::<f32>(operand),
        "i32" => build::<i32>(operand),
        "u32" => build::<u32>(operand),
        "u8" => build::<u8>(operand),
        _ => build::<f64>(operand),
    }
}

/// The values of an output in row-major order; `None` if an element is not stored.
fn stored(output: &AnyOperand) -> Vec<Option<f64>> {
    fn values<T: Evaluate + Default>(
        output: &DynOperand<T>,
        number: fn(T) -> f64,
    ) -> Vec<Option<f64>> {
        let full = |values: &[T]| values.iter().map(|value| Some(number(*value))).collect();
        match output {
            DynOperand::Scalar(value) => full(&[*value]),
            DynOperand::Dense { values, .. } => full(values),
            DynOperand::Tiled { .. } => panic!("not packed"),
            DynOperand::Sparse(tensor) => {
                let shape = tensor.shape();
                let mut values = vec![None; shape.iter().product()];
                for (index, value) in tensor.to_coo() {
                    let at = index.iter().zip(shape).fold(0, |at, (x, size)| at * size + x);
                    values[at] = Some(number(value));
                }
                values
            }
        }
    }
    match output {
        AnyOperand::Bool(output) => values(output, |value| f64::from(u8::from(value))),
        AnyOperand::I64(output) => values(output, |value| value as f64),
        AnyOperand::F64(output) => values(output, |value| value),
        other => panic!("{other:?}"),
    }
}

/// The values of an output as numpy computes them.
pub(crate) fn values_of(expected: &Value) -> Vec<Option<f64>> {
    expected["values"].as_array().expect("values").iter().map(Value::as_f64).collect()
}

pub(crate) fn is_same(found: &[Option<f64>], values: &[Option<f64>]) -> bool {
    // A float read from JSON may differ in its last bit.
    let near = |(a, b): (&Option<f64>, &Option<f64>)| match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-15 * b.abs(),
        _ => a == b,
    };
    found.len() == values.len() && found.iter().zip(values).all(near)
}

#[test]
fn every_semiring_and_every_function_of_several_statements() {
    for row in rows("sparse_statements", 229) {
        let text = text(&row, "text");
        let kernel: SparseKernel = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        let operands: Vec<_> =
            row["operands"].as_array().expect("operands").iter().map(any).collect();
        let outputs = kernel.run_all(&operands).unwrap_or_else(|e| panic!("{text}: {e}\n{kernel}"));
        let expected = row["outputs"].as_array().expect("outputs");
        assert_eq!(outputs.len(), expected.len(), "{text}");
        for (output, expected) in outputs.iter().zip(expected) {
            let (found, values) = (stored(output), values_of(expected));
            assert!(is_same(&found, &values), "{text}\n{kernel}{found:?}\n{values:?}");
        }
    }
}
