//! Elements as numbers, and plain loops over them.

use tensor_layout::{Host, HostValue, Layout, half, microfloat};

/// A value that `f64` represents exactly.
pub(crate) trait Number: Copy {
    fn number(self) -> f64;
}

macro_rules! number {
    ($($T:ty: $x:ident => $number:expr;)*) => { $(
        impl Number for $T {
            fn number(self) -> f64 {
                let $x = self;
                $number
            }
        }
    )* };
}
number! {
    bool: x => f64::from(u8::from(x));
    i8: x => x.into();
    i16: x => x.into();
    i32: x => x.into();
    i64: x => x as f64;
    u8: x => x.into();
    u16: x => x.into();
    u32: x => x.into();
    u64: x => x as f64;
    f32: x => x.into();
    f64: x => x;
    half::f16: x => x.to_f64();
    half::bf16: x => x.to_f64();
    microfloat::f8e4m3fn: x => x.to_f32().into();
    microfloat::f4e2m1fn: x => x.to_f32().into();
}

/// The little-endian bytes of a value.
pub(crate) fn bytes<H: HostValue>(value: H) -> Vec<u8> {
    let mut bytes = vec![0; size_of::<H>()];
    value.write_le(&mut bytes);
    bytes
}

/// For each result of a reduction over the dimensions whose bits are set in `passed`, row-major, its elements, row-major.
pub(crate) fn groups<L: Layout>(passed: usize, row_major: &[Host<L>]) -> Vec<Vec<Host<L>>> {
    let dims = L::SPEC.dims().to_vec();
    let kept = |dim: usize| passed >> dim & 1 == 0;
    let results = (0..dims.len()).filter(|dim| kept(*dim)).map(|dim| dims[dim]).product();
    let mut groups = vec![Vec::new(); results];
    for (index, value) in crate::document::indices(&dims).zip(row_major) {
        let position = (0..dims.len())
            .filter(|dim| kept(*dim))
            .fold(0, |position, dim| position * dims[dim] + index[dim]);
        groups[position].push(*value);
    }
    groups
}

/// The dimensions whose bits are set.
pub(crate) fn dims(passed: usize, rank: usize) -> Vec<usize> {
    (0..rank).filter(|dim| passed >> dim & 1 == 1).collect()
}
