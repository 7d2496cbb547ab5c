//! What is done to the sums of a product before they are rounded.

use super::decode::{Decode, Table};
use super::entry;
use super::output::{Number, number_type};
use super::panels::Matrix;
use crate::movement::PackError;
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::tiled::TiledSpec;

/// Changes numbers of a row, from a column on.
pub(super) trait Epilogue<N>: Sync {
    /// Changes the numbers of row `row` from column `column` on.
    fn apply(&self, row: usize, column: usize, numbers: &mut [N]);
}

/// The last step.
pub trait Activation<N>: Sync {
    /// Whether it changes nothing.
    #[doc(hidden)]
    const IS_SAME: bool = false;
    /// The number to be rounded.
    #[doc(hidden)]
    fn activate(&self, number: N) -> N;
}

impl<N, F: Fn(N) -> N + Sync> Activation<N> for F {
    #[inline(always)]
    fn activate(&self, number: N) -> N {
        self(number)
    }
}

/// No activation.
#[derive(Clone, Copy, Debug)]
pub struct Same;

impl<N> Activation<N> for Same {
    const IS_SAME: bool = true;

    #[inline(always)]
    fn activate(&self, number: N) -> N {
        number
    }
}

/// A packed matrix that is added, times a number.
#[derive(Clone, Copy)]
pub(super) struct Addend<'a> {
    pub(super) scale: f32,
    pub(super) spec: &'a TiledSpec,
    pub(super) bytes: &'a [u8],
}

/// What is done to each number, in this order.
pub(super) struct Steps<'a, F> {
    pub(super) scale: Option<f32>,
    pub(super) row_scales: Option<&'a [f32]>,
    pub(super) column_scales: Option<&'a [f32]>,
    pub(super) addend: Option<Addend<'a>>,
    pub(super) row_bias: Option<&'a [f32]>,
    pub(super) column_bias: Option<&'a [f32]>,
    pub(super) activation: F,
}

impl Steps<'_, Same> {
    pub(super) const fn new() -> Self {
        Self {
            scale: None,
            row_scales: None,
            column_scales: None,
            addend: None,
            row_bias: None,
            column_bias: None,
            activation: Same,
        }
    }
}

/// What an addend needs to be read: a table of its elements, and a copy if they are not in rows.
pub(super) type Room = Option<(Option<Table>, Vec<u8>)>;

impl<'a, F> Steps<'a, F> {
    /// The same steps with another activation.
    pub(super) fn with<G>(self, activation: G) -> Steps<'a, G> {
        let Self { scale, row_scales, column_scales, addend, row_bias, column_bias, .. } = self;
        Steps { scale, row_scales, column_scales, addend, row_bias, column_bias, activation }
    }

    /// Whether there is nothing to be done.
    pub(super) fn is_empty<N>(&self) -> bool
    where
        F: Activation<N>,
    {
        let Self { scale, row_scales, column_scales, addend, row_bias, column_bias, .. } = self;
        let numbers = [row_scales, column_scales, row_bias, column_bias];
        F::IS_SAME && scale.is_none() && addend.is_none() && numbers.iter().all(|x| x.is_none())
    }

    /// The steps with the addend as a matrix.
    pub(super) fn ready<'b>(&'b self, room: &'b mut Room) -> Result<Ready<'b, F>, PackError> {
        let addend = match &self.addend {
            None => None,
            Some(addend) => {
                let (table, copy) = room.insert((None, Vec::new()));
                let to = number_type(addend.spec.dtype());
                let decode = Decode::of(addend.spec.dtype(), to, table);
                let matrix = entry::rows((addend.spec, addend.bytes), copy, to, decode)?;
                Some((addend.scale, matrix, to))
            }
        };
        Ok(Ready { steps: self, addend })
    }
}

/// Steps that are ready to be taken.
pub(super) struct Ready<'a, F> {
    steps: &'a Steps<'a, F>,
    addend: Option<(f32, Matrix<'a>, DType)>,
}

impl<N: Number, F: Activation<N>> Epilogue<N> for Ready<'_, F> {
    fn apply(&self, row: usize, column: usize, numbers: &mut [N]) {
        let steps = self.steps;
        let len = numbers.len();
        let row_scale = steps.row_scales.map(|scales| scales[row]);
        for scale in [steps.scale, row_scale].into_iter().flatten() {
            numbers.iter_mut().for_each(|x| *x = *x * scale.into());
        }
        if let Some(scales) = steps.column_scales {
            for (x, scale) in numbers.iter_mut().zip(&scales[column..][..len]) {
                *x = *x * (*scale).into();
            }
        }
        if let Some((scale, matrix, dtype)) = &self.addend {
            matrix.each_element(row, column..column + len, |i, bits| {
                let number = N::of_bits(bits, *dtype);
                numbers[i] = numbers[i] + number * (*scale).into();
            });
        }
        if let Some(bias) = steps.row_bias {
            numbers.iter_mut().for_each(|x| *x = *x + bias[row].into());
        }
        if let Some(bias) = steps.column_bias {
            for (x, bias) in numbers.iter_mut().zip(&bias[column..][..len]) {
                *x = *x + (*bias).into();
            }
        }
        numbers.iter_mut().for_each(|x| *x = steps.activation.activate(*x));
    }
}
