//! Elements of weights as small integers, for dot products of bytes.

use super::lanes::Tables;
use layout_core::DType;
use layout_core::quantized::QuantizedSpec;

/// The meaning of the codes of a layout.
#[derive(Clone, Copy)]
pub(super) struct Integers {
    /// The unsigned numbers of the codes of half bytes.
    pub(super) halves: [u8; 16],
    /// The difference between these and the integers.
    pub(super) excess: i32,
    /// The value of the integer 1.
    pub(super) unit: f32,
}

impl Integers {
    /// `None` if the elements are not small integers times a unit.
    pub(super) fn of(spec: &QuantizedSpec, tables: &Tables) -> Option<Self> {
        let (excess, unit) = match spec.element() {
            DType::S8 => return Some(Self { halves: [0; 16], excess: 128, unit: 1.0 }),
            DType::S4 => (8, 1.0),
            // 0, 0.5, 1, 1.5, 2, 3, 4 and 6
            DType::F4E2M1FN => (12, 0.5),
            _ => return None,
        };
        let halves = tables.nibbles.map(|number| (number / unit + excess as f32) as u8);
        Some(Self { halves, excess, unit })
    }
}
