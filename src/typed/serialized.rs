//! Arrays in the data formats of serde, with the feature `serde`.
//!
//! An array is a struct of three fields: `layout`, its canonical text; `sizes`, its size in each dimension; and `values`, the bytes
//! of its elements in row-major order, without padding, as [`DynLayout::pack_bytes`] accepts them. Bytes instead of numbers
//! preserve every bit of every element type, even in JSON, which has no NaN. Row-major order has no padding, and programs without
//! support for tiles can read it.

use super::packed::Packed;
use crate::element::Element;
use crate::movement::run_time::allocate;
use crate::movement::{DynLayout, PackError};
use crate::typed::{DynPacked, Layout, PackedRef};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::TiledSpec;
use serde::de::{self, Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

/// The largest number of bytes for which memory is allocated before they are read, whatever length the data claims.
const AT_FIRST: usize = 1 << 16;

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Packed", deny_unknown_fields)]
struct Array {
    layout: Box<TiledSpec>,
    sizes: Vec<usize>,
    values: Bytes,
}

/// Bytes, serialized as a byte string in formats that have one.
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BytesVisitor;

        impl<'de> Visitor<'de> for BytesVisitor {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the bytes of the elements")
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Bytes, A::Error> {
                let len = sequence.size_hint().unwrap_or(0).min(AT_FIRST);
                let mut bytes = Vec::with_capacity(len);
                while let Some(byte) = sequence.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }

        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

impl Array {
    fn of(layout: &TiledSpec, sizes: &[usize], packed: &[u8]) -> Result<Self, PackError> {
        let len = sizes.iter().product::<usize>() * layout.dtype().byte_width();
        let mut values = allocate(layout, len)?;
        let first = [0; MAX_RANK];
        layout.unpack_window_bytes(&first[..sizes.len()], sizes, packed, &mut values)?;
        Ok(Self { layout: (*layout).into(), sizes: sizes.to_vec(), values: Bytes(values) })
    }

    fn into_dyn<E: Element, D: de::Error>(self) -> Result<DynPacked<E>, D> {
        let Self { layout, sizes, values: Bytes(values) } = self;
        // Checked before memory for the elements is allocated. The layout may add padding.
        let len = sizes.iter().try_fold(layout.dtype().byte_width(), |len, n| len.checked_mul(*n));
        if sizes.len() != layout.rank() || len != Some(values.len()) {
            return Err(D::custom(format!(
                "an array of `{layout}` that holds {sizes:?} indices does not have {} bytes of elements",
                values.len()
            )));
        }
        let mut packed = DynPacked::zeroed(&layout).map_err(D::custom)?;
        packed.set_dims(&sizes).map_err(D::custom)?;
        if sizes == layout.dims() {
            layout.pack_bytes(&values, packed.as_bytes_mut())
        } else {
            let first = [0; MAX_RANK];
            let first = &first[..sizes.len()];
            layout.pack_window_bytes(first, &sizes, &values, packed.as_bytes_mut())
        }
        .map_err(D::custom)?;
        Ok(packed)
    }
}

/// Serializes a struct of `layout`, the canonical text of the layout, `sizes`, and `values`, the bytes of the elements in
/// row-major order without padding.
impl<L: Layout> Serialize for PackedRef<'_, L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let array = Array::of(&<L as Layout>::SPEC, self.sizes(), self.as_bytes());
        array.map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// Serializes the array as [`PackedRef`] does.
///
/// ```
/// use tensor_layout::{DynPacked, F32, Layout, Packed, tiled};
/// type Rows = tiled!(f32[1,2]{1,0:T(8,128)});
/// let packed = Rows::pack(&[0.5, 1.0])?;
/// let text = serde_json::to_string(&packed)?;
/// assert_eq!(text, r#"{"layout":"f32[1,2]{1,0:T(8,128)}","sizes":[1,2],"values":[0,0,0,63,0,0,128,63]}"#);
/// assert_eq!(serde_json::from_str::<Packed<Rows>>(&text)?, packed);
/// assert_eq!(serde_json::from_str::<DynPacked<F32>>(&text)?.get(&[0, 1]), 1.0);
///
/// let error = serde_json::from_str::<Packed<tiled!(f32[1,2])>>(&text).unwrap_err().to_string();
/// assert_eq!(error, "the layout of the array is `f32[1,2]{1,0:T(8,128)}`, not `f32[1,2]{1,0}`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<L: Layout> Serialize for Packed<L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().serialize(serializer)
    }
}

/// Deserializes an array; fails if its layout is not `L`.
impl<'de, L: Layout> Deserialize<'de> for Packed<L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let array = Array::deserialize(deserializer)?;
        let (found, layout) = (&array.layout, <L as Layout>::SPEC);
        if **found != layout {
            return Err(D::Error::custom(format!(
                "the layout of the array is `{found}`, not `{layout}`"
            )));
        }
        let packed = array.into_dyn::<<L as Layout>::Element, D::Error>()?.into_packed();
        packed.map_err(|_| D::Error::custom("the layout changed while the array was read"))
    }
}

/// Serializes the array as [`PackedRef`] does.
impl<E: Element> Serialize for DynPacked<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let array = Array::of(self.spec(), self.dims(), self.as_bytes());
        array.map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// Deserializes an array of any layout of the element type.
///
/// The layout comes with the data and says how much memory the array takes: with large tiles or bounds, much more than its elements.
/// A program that reads data that it does not trust deserializes a [`Packed`] array, whose layout it chooses.
impl<'de, E: Element> Deserialize<'de> for DynPacked<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Array::deserialize(deserializer)?.into_dyn()
    }
}
