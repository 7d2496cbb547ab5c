//! The element types of operations that were read from MLIR, which must be those that StableHLO infers from operands. Those in the
//! library's own programs are inferred where they are read.

use super::Instruction;
use crate::dtype::{DType, Kind};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The element types of the tensors of an operation.
struct Types {
    operands: Vec<DType>,
    results: Vec<DType>,
}

impl Instruction<'_> {
    /// The reason why the element types of its tensors contradict each other; `name` is its name without a dialect.
    pub(super) fn refused_elements(&self, name: &str) -> Option<String> {
        let of = |values: &[usize]| values.iter().map(|at| self.values()[*at].dtype).collect();
        let types = Types { operands: of(self.operands()), results: of(self.results()) };
        types.check(name, self.attributes().word("type", "FFT")).err()
    }
}

/// The type of the parts of a complex number, and any other type itself.
const fn real_of(dtype: DType) -> DType {
    match dtype {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        other => other,
    }
}

/// The complex numbers whose parts have a type.
const fn complex_of(real: DType) -> DType {
    if matches!(real, DType::F64) { DType::C128 } else { DType::C64 }
}

fn expect(what: &str, at: usize, found: Option<&DType>, expected: DType) -> Result<(), String> {
    match found {
        Some(found) if *found == expected => Ok(()),
        Some(found) => Err(format!("{what} {at} has elements of type `{found}`, not `{expected}`")),
        None => Err(format!("it has no {what} {at}")),
    }
}

impl Types {
    /// Checks an operation. `transform` is the kind of a Fourier transform.
    fn check(&self, name: &str, transform: &str) -> Result<(), String> {
        let (taken, made) = (self.operands.len(), self.results.len());
        match name {
            // Their results have types of their own.
            "bitcast_convert" | "constant" | "convert" | "convolution" | "custom_call" | "dot"
            | "dot_general" | "iota" => Ok(()),
            "abs" | "imag" | "real" => self.made(real_of(self.operand(0)?)),
            "all_reduce" | "collective_permute" | "sort" => {
                (0..made).try_for_each(|at| self.are(self.operand(at)?, &[], &[at]))
            }
            "compare" => {
                self.are(self.operand(0)?, &[1], &[])?;
                self.made(DType::PRED)
            }
            "complex" => {
                self.are(self.operand(0)?, &[1], &[])?;
                self.made(complex_of(self.operand(0)?))
            }
            "dynamic_slice" => {
                self.made(self.operand(0)?)?;
                self.indices(1..taken)
            }
            "dynamic_update_slice" => {
                self.are(self.operand(0)?, &[1], &[0])?;
                self.indices(2..taken)
            }
            "fft" => {
                let real = real_of(self.operand(0)?);
                let [from, to] = match transform {
                    "RFFT" => [real, complex_of(real)],
                    "IRFFT" => [complex_of(real), real],
                    _ => [complex_of(real); 2],
                };
                self.are(from, &[0], &[])?;
                self.made(to)
            }
            "gather" => {
                self.made(self.operand(0)?)?;
                self.indices(1..2)
            }
            "is_finite" => self.made(DType::PRED),
            "partition_id" => self.made(DType::U32),
            "reduce" | "reduce_window" => {
                let all = |at: usize| self.are(self.operand(at)?, &[made + at], &[at]);
                (0..made).try_for_each(all)
            }
            "rng_bit_generator" => self.made(self.operand(0)?),
            "scatter" => {
                let all = |at: usize| self.are(self.operand(at)?, &[made + 1 + at], &[at]);
                (0..made).try_for_each(all)?;
                self.indices(made..made + 1)
            }
            "select" => {
                self.are(DType::PRED, &[0], &[])?;
                self.are(self.operand(1)?, &[2], &[0])
            }
            "top_k" => {
                self.made(self.operand(0)?)?;
                (1..made).try_for_each(|at| self.are(DType::S32, &[], &[at]))
            }
            // All other tensors have one type.
            _ => {
                let (all, results): (Vec<_>, Vec<_>) = ((0..taken).collect(), (0..made).collect());
                let first = self.operands.first().or(self.results.first());
                first.map_or(Ok(()), |first| self.are(*first, &all, &results))
            }
        }
    }

    /// Checks that these operands and results have this type.
    fn are(&self, expected: DType, operands: &[usize], results: &[usize]) -> Result<(), String> {
        operands
            .iter()
            .try_for_each(|at| expect("operand", *at, self.operands.get(*at), expected))?;
        results.iter().try_for_each(|at| expect("result", *at, self.results.get(*at), expected))
    }

    /// The type of an operand.
    fn operand(&self, at: usize) -> Result<DType, String> {
        self.operands.get(at).copied().ok_or_else(|| format!("it has no operand {at}"))
    }

    /// Checks that the first result has this type.
    fn made(&self, expected: DType) -> Result<(), String> {
        self.are(expected, &[], &[0])
    }

    /// Checks that these operands are integers.
    fn indices(&self, mut operands: core::ops::Range<usize>) -> Result<(), String> {
        operands.try_for_each(|at| {
            let found = self.operand(at)?;
            match found.kind() {
                Kind::Signed | Kind::Unsigned => Ok(()),
                _ => Err(format!(
                    "operand {at} has elements of type `{found}`, but indices are integers"
                )),
            }
        })
    }
}
