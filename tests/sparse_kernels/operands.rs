//! The contents of a statement's operands, as tensors and arrays of any element type.

use crate::random::{duplicates, encoding};
use std::collections::BTreeMap;
use tensor_layout::sparse::{Encoding, SparseEncoding, SparseTensor};
use tensor_layout::sparsify::{Dense, Evaluate};

/// The contents of an operand: every element, if it is dense.
#[derive(Debug)]
pub(crate) struct Operand {
    pub(crate) shape: Vec<usize>,
    pub(crate) entries: Vec<(Vec<usize>, f64)>,
}

#[derive(Debug)]
pub(crate) struct Operands(pub(crate) BTreeMap<&'static str, Operand>);

impl Operands {
    pub(crate) fn sparse<E: Encoding, T: Evaluate>(&self, name: &str) -> SparseTensor<E, T> {
        let Operand { shape, entries } = &self.0[name];
        let index = |numbers: &[usize]| {
            let mut index = E::Index::default();
            index.as_mut().copy_from_slice(numbers);
            index
        };
        let entry = |(at, value): &(Vec<usize>, f64)| (index(at), T::from_f64(*value));
        let entries: Vec<_> = entries.iter().map(entry).collect();
        let tensor = SparseTensor::from_coo(index(shape), &entries, duplicates(&E::SPEC));
        tensor.expect("entries that can be stored")
    }

    pub(crate) fn dense<T: Evaluate, const RANK: usize>(&self, name: &str) -> Dense<T, RANK> {
        let Operand { shape, entries } = &self.0[name];
        let values = entries.iter().map(|entry| T::from_f64(entry.1)).collect();
        Dense::new(shape.as_slice().try_into().expect("as many sizes"), values).expect("all values")
    }
}

/// An encoding in braces.
pub(crate) fn braced(text: &str) -> SparseEncoding {
    encoding(text.trim_matches(['{', '}']).trim())
}
