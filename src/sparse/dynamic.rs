use super::tensor::SparseTensor;
use super::typed::Encoding;
use alloc::boxed::Box;
use alloc::vec::Vec;
use layout_core::sparse::storage::{LevelParts, Parts, Storage};
use layout_core::sparse::{
    AssembleError, Coordinate, DynSparseTensor, Position, SparseElement, SparseEncoding,
};

/// The reason why a tensor with an encoding that is only known at run time does not have the encoding of a type.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, DynSparseTensor, FromDynamicError, SparseTensor, formats::Csr};
/// let csc = "(i, j) -> (j : dense, i : compressed)".parse()?;
/// let columns = DynSparseTensor::from_coo(csc, &[2, 3], &[([0, 1], 5.0)], Duplicates::Error)?;
/// let error = SparseTensor::<Csr, f64>::try_from(columns).err();
/// assert!(matches!(error, Some(FromDynamicError::Encoding { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FromDynamicError {
    /// It has another encoding.
    #[error("the tensor has the encoding `{found}`, not `{expected}`")]
    Encoding {
        /// The encoding of the type.
        expected: Box<SparseEncoding>,
        /// The encoding of the tensor.
        found: Box<SparseEncoding>,
    },
    /// A position or a coordinate does not fit the width of the encoding.
    #[error("level {level}: {number} does not fit the {bits} bits that the encoding gives {what}")]
    Width {
        /// The level.
        level: usize,
        /// Positions or coordinates.
        what: &'static str,
        /// The number.
        number: i64,
        /// The width.
        bits: usize,
    },
    /// The arrays are not a tensor of the encoding.
    #[error("{0}")]
    Arrays(Box<AssembleError>),
}

/// The tensor with its encoding as a value. The values are moved; positions and coordinates are widened to the width of a
/// pointer.
///
/// ```
/// use tensor_layout::sparse::{DynSparseTensor, SparseTensor, formats::{Coo, Csr}};
/// let typed = SparseTensor::<Csr<u32, u32>, f64>::from_dense([2, 2], &[1.0, 0.0, 0.0, 2.0]).unwrap();
/// let dynamic = DynSparseTensor::from(typed.clone());
/// assert_eq!(dynamic.coordinates(1), [0, 1]);
/// assert_eq!(SparseTensor::<Csr<u32, u32>, f64>::try_from(dynamic.clone()).unwrap(), typed);
/// assert!(SparseTensor::<Coo, f64>::try_from(dynamic).is_err());
/// ```
impl<E: Encoding, T: SparseElement> From<SparseTensor<E, T>> for DynSparseTensor<T> {
    fn from(tensor: SparseTensor<E, T>) -> Self {
        widened(&E::SPEC, tensor.storage)
    }
}

/// A tensor whose positions and coordinates are as wide as a pointer.
pub(crate) fn widened<P: Position, C: Coordinate, T: SparseElement>(
    encoding: &SparseEncoding,
    storage: Storage<P, C, T>,
) -> DynSparseTensor<T> {
    let levels = storage.parts.levels.iter().enumerate().map(|(level, arrays)| {
        let stride = encoding.home(level).stride;
        // Several coordinates can share a word, and the last word need not be full.
        let stored = match arrays.coordinates.is_empty() {
            true => 0,
            false => storage.counts[level] * storage.batches * stride,
        };
        let coordinate = |at| C::get(&arrays.coordinates, at) as isize;
        LevelParts {
            positions: arrays.positions.iter().map(|position| position.get()).collect(),
            coordinates: (0..stored).map(coordinate).collect(),
        }
    });
    let levels = levels.collect();
    let Parts { shape, values, .. } = storage.parts;
    match DynSparseTensor::assemble(*encoding, Parts { shape, levels, values }) {
        Ok(tensor) => tensor,
        Err(rejected) => panic!("the arrays of a tensor are one: {rejected}"),
    }
}

/// The tensor with its encoding as a type. The values are moved, and all arrays are checked.
impl<E: Encoding, T: SparseElement> TryFrom<DynSparseTensor<T>> for SparseTensor<E, T> {
    type Error = FromDynamicError;

    fn try_from(tensor: DynSparseTensor<T>) -> Result<Self, FromDynamicError> {
        if *tensor.encoding() != E::SPEC {
            let (expected, found) = (Box::new(E::SPEC), Box::new(*tensor.encoding()));
            return Err(FromDynamicError::Encoding { expected, found });
        }
        let Parts { shape, levels, values } = tensor.disassemble();
        let levels = levels.into_iter().enumerate().map(|(level, arrays)| {
            let width = |what, number, bits| FromDynamicError::Width { level, what, number, bits };
            let position = |number: usize| {
                let position = E::Position::new(number);
                position.ok_or_else(|| width("positions", number as i64, E::Position::BITS))
            };
            let positions: Result<_, _> = arrays.positions.into_iter().map(position).collect();
            let mut coordinates = Vec::new();
            for (at, coordinate) in arrays.coordinates.into_iter().enumerate() {
                if !E::Coordinate::push(&mut coordinates, at, coordinate as i64) {
                    return Err(width("coordinates", coordinate as i64, E::Coordinate::BITS));
                }
            }
            Ok(LevelParts { positions: positions?, coordinates })
        });
        let parts = Parts { shape, levels: levels.collect::<Result<_, _>>()?, values };
        Self::assemble(parts).map_err(|rejected| FromDynamicError::Arrays(Box::new(rejected.error)))
    }
}
