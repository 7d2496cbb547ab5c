//! Element types as zero-sized marker types, named as XLA prints them, and the host type of each.

pub mod ef57;
mod host;
mod narrow;

use host::Sealed;
pub use host::{Element, HostValue, PackingOf, Width};
use layout_core::dtype::DType;
pub(crate) use narrow::narrow_f8e4m3fn;
use num_complex::Complex;

macro_rules! markers {
    ($($Marker:ident $name:literal $bits:literal $kind:ident $Host:ty;)*) => { $(
        #[doc = concat!("The ", $bits, "-bit element type `", $name, "` as a type. Its values on the host are of the type [`Element::Host`].")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $Marker;

        impl Sealed for $Marker {}

        #[diagnostic::do_not_recommend]
        impl Element for $Marker {
            type Host = $Host;
            const DTYPE: DType = DType::$Marker;
            // `pred` and types narrower than a byte have a whole byte unless a layout packs them with `E(n)`.
            type Packing = <Width<{ if $bits < 8 { 8 } else { $bits } }> as PackingOf>::Packing;
        }
    )* };
}
layout_core::__element_types! { markers }

#[cfg(test)]
mod tests {
    use super::*;
    use layout_core::dtype::PaddingValue;

    fn padding<E: Element>(value: PaddingValue) -> E::Host {
        let bits = E::DTYPE.padding_bits(value).expect("the type has this value");
        E::Host::from_le(&bits.to_le_bytes())
    }

    #[test]
    fn padding_values_are_the_types_own() {
        use PaddingValue::{Highest, Lowest, One, Zero};
        macro_rules! floats { ($($E:ident)*) => { $(
            assert_eq!(padding::<$E>(One).to_f32(), 1.0, stringify!($E));
            assert!(padding::<$E>(Lowest).to_f32() <= <$E as Element>::Host::MIN.to_f32(), stringify!($E));
            assert!(padding::<$E>(Highest).to_f32() >= <$E as Element>::Host::MAX.to_f32(), stringify!($E));
        )* } }
        floats!(F16 BF16 F8E5M2 F8E4M3 F8E4M3FN F8E4M3B11FNUZ F8E3M4 F8E5M2FNUZ F8E4M3FNUZ F8E8M0FNU F4E2M1FN F6E3M2FN F6E2M3FN);
        assert_eq!(
            [Zero, One, Lowest, Highest].map(padding::<F32>),
            [0.0, 1.0, f32::NEG_INFINITY, f32::INFINITY]
        );
        assert_eq!(
            [Zero, One, Lowest, Highest].map(padding::<F64>),
            [0.0, 1.0, f64::NEG_INFINITY, f64::INFINITY]
        );
        assert_eq!([Zero, One, Lowest, Highest].map(padding::<S16>), [0, 1, i16::MIN, i16::MAX]);
        assert_eq!([Zero, One, Lowest, Highest].map(padding::<U64>), [0, 1, 0, u64::MAX]);
        assert_eq!(padding::<C64>(One), num_complex::Complex::new(1.0, 0.0));
        assert_eq!(DType::S4.padding_bits(Lowest), Some(0b1000));
        assert_eq!(DType::C128.padding_bits(Lowest), None);
        assert_eq!(DType::F8E8M0FNU.padding_bits(Zero), None);
        assert_eq!(DType::S1.padding_bits(One), None);
    }
}
