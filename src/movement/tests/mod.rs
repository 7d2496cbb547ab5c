//! Compares every path through the kernels with a reference that packs element by element, bit by bit.

mod errors;
mod fixed;
#[cfg(feature = "parallel")]
mod parallel;
mod random;
pub(crate) mod reference;
mod truth;
mod typed;
mod windows;

use crate::DType;
use crate::cpu::{Cpu, forced, unfenced};
use crate::movement::{DynLayout, Mover};
use layout_core::tiled::TiledSpec;
use reference::{Random, draft};

fn spec(dtype: DType, dims: &[usize], minor_to_major: &[usize], tiles: &[&[usize]]) -> TiledSpec {
    draft(dtype, dims, minor_to_major, tiles).validate().unwrap()
}

/// A buffer in which the bytes before and after the middle must not change.
struct Guarded {
    bytes: Vec<u8>,
    start: usize,
    len: usize,
}

impl Guarded {
    const GUARD: usize = 40;
    const CANARY: u8 = 0xA5;

    /// `len` bytes that start `past` bytes after a multiple of 16.
    fn new(len: usize, past: usize) -> Self {
        let bytes = vec![Self::CANARY; len + 2 * Self::GUARD];
        let start =
            Self::GUARD - 16 + (past.wrapping_sub(bytes.as_ptr().addr() + Self::GUARD)) % 16;
        Self { bytes, start, len }
    }

    fn middle(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..][..self.len]
    }

    /// The middle, after checking the bytes around it.
    fn checked(self) -> Vec<u8> {
        let (before, rest) = self.bytes.split_at(self.start);
        let (middle, after) = rest.split_at(self.len);
        assert!(!unfenced::get(), "streamed without a fence");
        assert!(before.iter().chain(after).all(|&byte| byte == Self::CANARY), "wrote outside");
        middle.to_vec()
    }
}

/// Calls a generic function for the element type that a value names.
macro_rules! for_type {
    ($dtype:expr, $function:ident($($argument:expr),*)) => {
        for_type!($dtype, $function($($argument),*), PRED S1 S2 S4 S8 S16 S32 S64 U1 U2 U4 U8 U16 U32 U64 F16 BF16 F32
            F64 F8E5M2 F8E4M3 F8E4M3FN F8E4M3B11FNUZ F8E3M4 F8E5M2FNUZ F8E4M3FNUZ F8E8M0FNU F4E2M1FN F6E3M2FN F6E2M3FN
            C64 C128)
    };
    ($dtype:expr, $function:ident $arguments:tt, $($E:ident)*) => {
        match $dtype { $( $crate::DType::$E => $function::<$crate::$E> $arguments, )* }
    };
}
use for_type;

/// Makes the kernels run with one of the available instruction sets, streaming or not.
fn on_random_cpu(random: &mut Random) {
    let cpus = Cpu::all();
    forced::set(cpus[random.below(cpus.len())], random.below(2) == 1);
}

/// Checks everything that must hold for one layout, and for relayout to another layout of the same array, on any CPU, streaming
/// or not.
fn check(spec: &TiledSpec, other: &TiledSpec, random: &mut Random) {
    on_random_cpu(random);
    let row_major = random.values(spec);
    let packed = reference::pack(spec, &row_major);
    let past = random.below(16);

    let mut guarded = Guarded::new(packed.len(), past);
    spec.pack_bytes(&row_major, guarded.middle()).unwrap();
    assert!(guarded.checked() == packed, "pack {spec}");

    let mut guarded = Guarded::new(row_major.len(), past);
    spec.unpack_bytes(&packed, guarded.middle()).unwrap();
    assert!(guarded.checked() == row_major, "unpack {spec}");

    let mut noisy = packed.clone();
    reference::fill_padding(spec, &mut noisy);
    let mut unpacked = vec![0; row_major.len()];
    spec.unpack_bytes(&noisy, &mut unpacked).unwrap();
    assert!(unpacked == row_major, "unpack {spec} with other padding");

    let mut guarded = Guarded::new(other.storage_bytes(), past);
    spec.relayout_bytes(&noisy, other, guarded.middle()).unwrap();
    assert!(guarded.checked() == reference::pack(other, &row_major), "{spec} to {other}");

    check_movers(spec, other, &row_major, &noisy, past);
    for_type!(spec.dtype(), check_type(spec, &row_major, &packed, random));
}

/// The same through movers that run twice, with the same result each time.
fn check_movers(spec: &TiledSpec, other: &TiledSpec, row_major: &[u8], noisy: &[u8], past: usize) {
    let pack = Mover::for_pack(spec).unwrap();
    let unpack = Mover::for_unpack(spec).unwrap();
    let relayout = Mover::for_relayout(spec, other).unwrap();
    for _ in 0..2 {
        let mut guarded = Guarded::new(spec.storage_bytes(), past);
        pack.run_bytes(row_major, guarded.middle()).unwrap();
        assert!(guarded.checked() == reference::pack(spec, row_major), "{pack:?}");

        let mut guarded = Guarded::new(row_major.len(), past);
        unpack.run_bytes(noisy, guarded.middle()).unwrap();
        assert!(guarded.checked() == row_major, "{unpack:?}");

        let mut guarded = Guarded::new(other.storage_bytes(), past);
        relayout.run_bytes(noisy, guarded.middle()).unwrap();
        assert!(guarded.checked() == reference::pack(other, row_major), "{relayout:?}");
    }
}

/// The same through the host type.
fn check_type<E: crate::Element>(
    spec: &TiledSpec,
    bytes: &[u8],
    packed: &[u8],
    random: &mut Random,
) {
    use crate::HostValue;
    let width = spec.dtype().byte_width();
    let values: Vec<E::Host> = bytes.chunks(width).map(E::Host::from_le).collect();
    let bytes_of = |values: &[E::Host]| {
        let mut bytes = vec![0; values.len() * width];
        for (bytes, value) in bytes.chunks_mut(width).zip(values) {
            value.write_le(bytes);
        }
        bytes
    };
    assert!(spec.pack::<E>(&values).unwrap() == packed, "pack {spec}");
    assert!(bytes_of(&spec.unpack::<E>(packed).unwrap()) == bytes, "unpack {spec}");
    let mut moved = vec![0xFF; packed.len()];
    Mover::for_pack(spec).unwrap().run::<E>(&values, &mut moved).unwrap();
    assert!(moved == packed, "pack {spec}");
    let mut moved = values.clone();
    moved.reverse();
    Mover::for_unpack(spec).unwrap().run::<E>(packed, &mut moved).unwrap();
    assert!(bytes_of(&moved) == bytes, "unpack {spec}");

    if let Some(index) = random.index(spec.dims()) {
        let position = reference::position(spec.dims(), &index);
        let element = spec.get::<E>(packed, &index).unwrap();
        assert_eq!(bytes_of(&[element]), bytes[position * width..][..width], "{spec} at {index:?}");

        // With the value of another element there, the array must equal the packed changed array.
        let mut values = values;
        values[position] = values[random.below(values.len())];
        let mut changed = packed.to_vec();
        spec.set::<E>(&mut changed, &index, values[position]).unwrap();
        assert!(changed == spec.pack::<E>(&values).unwrap(), "{spec} at {index:?}");
    }
}
