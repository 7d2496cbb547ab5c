//! All elements of an array as the numbers with which kernels compute.

use super::HostArray;
use super::elements::{Computed, Kind};
use crate::sharding::run::RunError;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::dtype::DType;

/// The elements of an array. Narrow floating-point types are computed in `f32`, and rounded once. Kernels for which time matters
/// read elements by [blocks](super::kernels::blocks) instead.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    Single(Vec<f32>),
    Double(Vec<f64>),
    /// Integers and booleans. They wrap around when they are stored.
    Integer(Vec<i128>),
}

/// One element.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    Single(f32),
    Double(f64),
    Integer(i128),
}

impl Number {
    /// Writes the number as one element, converted to `dtype` as `convert` does.
    pub(super) fn write(self, dtype: DType, bytes: &mut [u8]) {
        match self {
            Self::Single(number) => f32::write(&[number], dtype, bytes),
            Self::Double(number) => f64::write(&[number], dtype, bytes),
            Self::Integer(number) => i128::write(&[number], dtype, bytes),
        }
    }
}

impl Numbers {
    /// Element `at`.
    pub(super) fn at(&self, at: usize) -> Number {
        match self {
            Self::Single(numbers) => Number::Single(numbers[at]),
            Self::Double(numbers) => Number::Double(numbers[at]),
            Self::Integer(numbers) => Number::Integer(numbers[at]),
        }
    }

    /// Replaces element `at` by a number of the same kind.
    pub(super) fn set(&mut self, at: usize, number: Number) {
        match (self, number) {
            (Self::Single(numbers), Number::Single(number)) => numbers[at] = number,
            (Self::Double(numbers), Number::Double(number)) => numbers[at] = number,
            (Self::Integer(numbers), Number::Integer(number)) => numbers[at] = number,
            // Bodies are checked: they return numbers of the kind of the elements.
            _ => {}
        }
    }

    /// The elements of an array of a known type.
    pub(super) fn of(array: &HostArray) -> Self {
        fn all<N: Computed>(array: &HostArray) -> Vec<N> {
            let bytes = array.as_bytes();
            let mut numbers = vec![N::ZERO; bytes.len() / array.width()];
            N::read(array.dtype(), bytes, &mut numbers);
            numbers
        }
        match Kind::of(array.dtype()) {
            Kind::Single => Self::Single(all(array)),
            Kind::Double => Self::Double(all(array)),
            Kind::Integer | Kind::Wide => Self::Integer(all(array)),
        }
    }

    /// The same floating-point numbers in double precision.
    pub(super) fn doubled(self) -> Self {
        match self {
            Self::Single(numbers) => Self::Double(numbers.into_iter().map(f64::from).collect()),
            others => others,
        }
    }

    /// The first number, repeated `count` times.
    pub(super) fn repeated(self, count: usize) -> Self {
        match self {
            Self::Single(numbers) => Self::Single(numbers[..1].repeat(count)),
            Self::Double(numbers) => Self::Double(numbers[..1].repeat(count)),
            Self::Integer(numbers) => Self::Integer(numbers[..1].repeat(count)),
        }
    }

    /// An array of these elements, converted to `dtype` as `convert` does.
    pub(super) fn store(self, dtype: DType, dims: &[usize]) -> Result<HostArray, RunError> {
        let mut array = HostArray::zeroed(dtype, dims)?;
        let bytes = array.as_bytes_mut()?;
        match self {
            Self::Single(numbers) => f32::write(&numbers, dtype, bytes),
            Self::Double(numbers) => f64::write(&numbers, dtype, bytes),
            Self::Integer(numbers) => i128::write(&numbers, dtype, bytes),
        }
        Ok(array)
    }
}
