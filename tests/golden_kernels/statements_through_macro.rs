//! Semirings, witnesses and functions of several statements again, computed by functions that the macro generates. Like those
//! of [`crate::through_macro`], they are in a separate file.

use crate::golden::{is_same, values_of};
use crate::macro_statements::KERNELS;
use crate::rows::{numbers, rows, text};
use crate::tensors::entries;
use crate::through_macro::{compare_or_bless, function, name};
use serde_json::Value;
use std::collections::BTreeMap;
use tensor_layout::sparse::{Duplicates, Encoding, SparseTensor};
use tensor_layout::sparsify::{Dense, Evaluate};

/// The operands of a row.
pub(crate) struct Operands<'a>(&'a [Value]);

impl Operands<'_> {
    fn operand(&self, name: &str) -> &Value {
        self.0.iter().find(|operand| text(operand, "name") == name).expect("an operand")
    }

    pub(crate) fn sparse<E: Encoding, T: Evaluate>(&self, name: &str) -> SparseTensor<E, T> {
        let operand = self.operand(name);
        let index = |numbers: &[usize]| {
            let mut index = E::Index::default();
            index.as_mut().copy_from_slice(numbers);
            index
        };
        let entries = entries(operand).into_iter();
        let entries: Vec<_> = entries.map(|(at, value)| (index(&at), T::from_f64(value))).collect();
        let shape = index(&numbers(&operand["shape"]));
        SparseTensor::from_coo(shape, &entries, Duplicates::Error).expect("a tensor")
    }

    pub(crate) fn dense<T: Evaluate, const RANK: usize>(&self, name: &str) -> Dense<T, RANK> {
        let operand = self.operand(name);
        let shape = numbers(&operand["shape"]).try_into().expect("as many sizes");
        let values = entries(operand).into_iter().map(|(_, value)| T::from_f64(value)).collect();
        Dense::new(shape, values).expect("all values")
    }
}

/// The values of an output in row-major order; `None` if an element is not stored.
pub(crate) type Stored = Vec<Option<f64>>;

/// The return value of a function: one output or several.
pub(crate) trait Outputs {
    fn stored(self) -> Vec<Stored>;
}

macro_rules! numbers {
    ($($T:ty, $number:expr;)*) => { $(
        impl Outputs for $T {
            fn stored(self) -> Vec<Stored> {
                let number: fn($T) -> f64 = $number;
                vec![vec![Some(number(self))]]
            }
        }
    )* };
}

numbers! {
    bool, |value| f64::from(u8::from(value));
    i64, |value| value as f64;
    f64, |value| value;
}

impl<T: Outputs, const RANK: usize> Outputs for Dense<T, RANK> {
    fn stored(self) -> Vec<Stored> {
        vec![self.into_values().into_iter().flat_map(|value| value.stored().concat()).collect()]
    }
}

impl<E: Encoding, T: Evaluate + Outputs> Outputs for SparseTensor<E, T> {
    fn stored(self) -> Vec<Stored> {
        let shape = self.shape();
        let shape = shape.as_ref();
        let mut values = vec![None; shape.iter().product()];
        for (index, value) in self.to_coo() {
            let at = index.as_ref().iter().zip(shape).fold(0, |at, (x, size)| at * size + x);
            values[at] = value.stored()[0][0];
        }
        // The result of a kernel must be a valid tensor.
        Self::assemble(self.disassemble()).expect("a valid tensor");
        vec![values]
    }
}

impl<A: Outputs, B: Outputs> Outputs for (A, B) {
    fn stored(self) -> Vec<Stored> {
        [self.0.stored(), self.1.stored()].concat()
    }
}

/// The source of a kernel and of its entry in the table.
fn source(text: &str, operands: &[Value]) -> [String; 2] {
    let name = name(text);
    let arguments: Vec<String> = (operands.iter())
        .map(|operand| match operand["enc"].is_string() {
            true => format!("&o.sparse({})", operand["name"]),
            false => format!("&o.dense({})", operand["name"]),
        })
        .collect();
    let arguments = arguments.join(", ");
    [function(text, &name), format!("({name:?}, |o| Ok({name}({arguments})?.stored())),")]
}

#[test]
fn every_row() {
    let mut sources = BTreeMap::new();
    let mut missing = Vec::new();
    for row in rows("sparse_statements", 229) {
        let (text, operands) = (text(&row, "text"), row["operands"].as_array().expect("operands"));
        let name = name(text);
        sources.insert(name.clone(), source(text, operands));
        let Some((_, run)) = KERNELS.iter().find(|(known, _)| *known == name) else {
            missing.push(text.to_string());
            continue;
        };
        let outputs = run(&Operands(operands)).unwrap_or_else(|error| panic!("{text}: {error}"));
        let expected = row["outputs"].as_array().expect("outputs");
        assert_eq!(outputs.len(), expected.len(), "{text}");
        for (found, expected) in outputs.iter().zip(expected) {
            let expected = values_of(expected);
            assert!(is_same(found, &expected), "{text}\n{found:?}\n{expected:?}");
        }
    }
    let uses = "use crate::statements_through_macro::{Operands, Outputs, Stored};
use tensor_layout::sparsify::KernelError;";
    let run = "fn(&Operands<'_>) -> Result<Vec<Stored>, KernelError>";
    compare_or_bless("macro_statements", uses, run, &sources, (KERNELS.len(), &missing));
}
