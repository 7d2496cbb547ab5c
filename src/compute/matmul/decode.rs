//! Converts the elements of an operand to those of its panels: `bf16` to `f32`, `s4` to `s8`, `f8e4m3fn` to `bf16`. Every value
//! of the narrower type is also a value of the wider type.

use crate::cpu::{Cpu, Instructions, for_cpu};
use half::{bf16, f16};
use layout_core::dtype::float::{widen_bf16, widen_f16};
use layout_core::dtype::{DType, Kind};
use microfloat::*;

/// For each byte with an element, the element of a panel, in the low bits.
pub(super) type Table = [u32; 256];

/// The conversion of stored elements to those of panels.
#[derive(Clone, Copy)]
pub(super) enum Decode<'a> {
    /// They are unchanged.
    Keep,
    /// By a table, for types of up to 8 bits.
    Bytes(&'a Table),
    /// Signed integers of up to 8 bits as elements of a panel. Vectors take several at a time, a table would take one.
    Signed {
        /// The high bits of a byte that do not belong to the integer.
        unused: u32,
        panel: DType,
    },
    /// `bf16` as `f32`.
    Bf16,
    /// `f16` as `f32`.
    F16,
}

impl<'a> Decode<'a> {
    /// The conversion from elements of one type to those of another that is at least as wide; writes the table that it needs.
    pub(super) fn of(from: DType, to: DType, table: &'a mut Option<Table>) -> Self {
        if from == to {
            return Self::Keep;
        }
        match from {
            DType::BF16 => Self::Bf16,
            DType::F16 => Self::F16,
            _ if from.kind() == Kind::Signed => {
                Self::Signed { unused: 8 - from.bits().min(8) as u32, panel: to }
            }
            _ => Self::Bytes(
                table.insert(core::array::from_fn(|byte| element(number(from, byte as u8), to))),
            ),
        }
    }

    /// Writes `count` elements of a panel, of `size` bytes each. The stored ones are `step` elements apart in `bytes`.
    #[inline]
    pub(super) fn read(self, bytes: &[u8], step: usize, count: usize, size: usize, to: &mut [u8]) {
        let to = &mut to[..count * size];
        let (cpu, how) = (Cpu::detect(), self);
        for_cpu!(
            cpu,
            decode(how: Decode<'_>, bytes: &[u8], step: usize, size: usize, to: &mut [u8])
        );
    }
}

/// Converts elements, `step` apart, to as many elements of `size` bytes as `to` has.
#[inline(always)]
fn decode<I: Instructions>(
    _: I,
    how: Decode<'_>,
    bytes: &[u8],
    step: usize,
    size: usize,
    to: &mut [u8],
) {
    match (how, size) {
        (Decode::Keep, 1) => each::<1, 1>(bytes, step, to, |x| x),
        (Decode::Keep, 2) => each::<2, 2>(bytes, step, to, |x| x),
        (Decode::Keep, 8) => each::<8, 8>(bytes, step, to, |x| x),
        (Decode::Keep, _) => each::<4, 4>(bytes, step, to, |x| x),
        (Decode::Bytes(table), 1) => {
            each::<1, 1>(bytes, step, to, |[x]| [table[usize::from(x)] as u8])
        }
        (Decode::Bytes(table), 2) => {
            each::<1, 2>(bytes, step, to, |[x]| (table[usize::from(x)] as u16).to_le_bytes())
        }
        (Decode::Bytes(table), _) => {
            each::<1, 4>(bytes, step, to, |[x]| table[usize::from(x)].to_le_bytes())
        }
        (Decode::Signed { unused, panel: DType::BF16 }, _) => {
            // The low half of an integer of 8 bits is zero.
            let bits = |x| ((signed(x, unused) as f32).to_bits() >> 16) as u16;
            each::<1, 2>(bytes, step, to, |[x]| bits(x).to_le_bytes());
        }
        (Decode::Signed { unused, .. }, 1) => {
            each::<1, 1>(bytes, step, to, |[x]| [signed(x, unused) as u8])
        }
        (Decode::Signed { unused, .. }, 2) => {
            each::<1, 2>(bytes, step, to, |[x]| (signed(x, unused) as i16).to_le_bytes())
        }
        (Decode::Signed { unused, .. }, _) => {
            each::<1, 4>(bytes, step, to, |[x]| (signed(x, unused) as f32).to_le_bytes())
        }
        (Decode::Bf16, _) => {
            each::<2, 4>(bytes, step, to, |x| widen_bf16(bf16::from_le_bytes(x)).to_le_bytes())
        }
        (Decode::F16, _) => {
            each::<2, 4>(bytes, step, to, |x| widen_f16(f16::from_le_bytes(x)).to_le_bytes())
        }
    }
}

/// Converts elements of `N` bytes, `step` apart, to elements of `M` bytes.
#[inline(always)]
fn each<const N: usize, const M: usize>(
    bytes: &[u8],
    step: usize,
    to: &mut [u8],
    f: impl Fn([u8; N]) -> [u8; M],
) {
    let (from, to) = (bytes.as_chunks::<N>().0, to.as_chunks_mut::<M>().0);
    // Loops, because the closures of `for_each` are compiled without the instructions of the CPU.
    match step {
        1 => {
            for (to, from) in to.iter_mut().zip(from) {
                *to = f(*from);
            }
        }
        2 => each_of::<N, M, 2>(from, to, f),
        4 => each_of::<N, M, 4>(from, to, f),
        _ => {
            for (to, from) in to.iter_mut().zip(from.iter().step_by(step)) {
                *to = f(*from);
            }
        }
    }
}

/// Converts the first of each `STEP` elements.
#[inline(always)]
fn each_of<const N: usize, const M: usize, const STEP: usize>(
    from: &[[u8; N]],
    to: &mut [[u8; M]],
    f: impl Fn([u8; N]) -> [u8; M],
) {
    let (groups, rest) = from.as_chunks::<STEP>();
    for (to, from) in to.iter_mut().zip(groups) {
        *to = f(from[0]);
    }
    if let (Some(to), Some(from)) = (to.get_mut(groups.len()), rest.first()) {
        *to = f(*from);
    }
}

/// The integer in a byte, without the high bits that do not belong to it.
#[inline(always)]
fn signed(byte: u8, unused: u32) -> i32 {
    // In 32 bits, because vectors have no shifts of bytes.
    i32::from(byte) << (24 + unused) >> (24 + unused)
}

/// The value of an element in a byte, of a type of up to 8 bits that is not a signed integer.
fn number(dtype: DType, byte: u8) -> f32 {
    let unused = 8 - dtype.bits().min(8) as u32;
    macro_rules! floats {
        ($($Marker:ident $Float:ident)*) => {
            match dtype {
                $(DType::$Marker => $Float::from_bits(byte << unused >> unused).to_f32(),)*
                _ => (byte << unused >> unused).into(),
            }
        };
    }
    floats! {
        F8E5M2 f8e5m2 F8E4M3 f8e4m3 F8E4M3FN f8e4m3fn F8E4M3B11FNUZ f8e4m3b11fnuz F8E3M4 f8e3m4 F8E5M2FNUZ f8e5m2fnuz
        F8E4M3FNUZ f8e4m3fnuz F8E8M0FNU f8e8m0fnu F4E2M1FN f4e2m1fn F6E3M2FN f6e3m2fn F6E2M3FN f6e2m3fn
    }
}

/// The bytes of the `bf16` that is the value of a byte of a type of 8 bits.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(super) fn bf16_of_byte(dtype: DType, byte: u8) -> [u8; 2] {
    let x = if dtype == DType::S8 { f32::from(byte as i8) } else { number(dtype, byte) };
    (element(x, DType::BF16) as u16).to_le_bytes()
}

/// The bits of a number that is a value of the type of a panel.
fn element(x: f32, to: DType) -> u32 {
    match to {
        DType::F32 => x.to_bits(),
        DType::BF16 => x.to_bits() >> 16,
        _ => (x as i32).cast_unsigned(),
    }
}
