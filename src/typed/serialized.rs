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
        // Checked before any memory is allocated whose size follows from the text.
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
impl<'de, E: Element> Deserialize<'de> for DynPacked<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Array::deserialize(deserializer)?.into_dyn()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::*;
    use crate::{BF16, F32, PRED, S4, Tiled};
    use half::bf16;
    use serde_json::{from_str, to_string};

    type Pairs = Tiled<BF16, Shape2<3, 5>, Order2<1, 0>, (Tile2<8, 128>, Tile2<2, 1>)>;
    type Keys = Tiled<F32, Shape2<9, 2>, Order2<1, 0>, (Tile2<8, 128>,), (Bounded<1>,)>;
    type Nibbles = Tiled<S4, Shape1<3>, Order1<0>, (), (ElementBits<4>,)>;
    type Bits = Tiled<PRED, Shape1<3>, Order1<0>>;

    #[test]
    fn arrays_are_read_as_they_were_written() {
        let pairs = Packed::<Pairs>::from_fn(|[i, j]| bf16::from_bits((0x7FC0 + i * 5 + j) as u16));
        assert_eq!(from_str::<Packed<Pairs>>(&to_string(&pairs).unwrap()).unwrap(), pairs);
        let nibbles = Nibbles::pack(&[-8, 7, 0]).unwrap();
        assert_eq!(from_str::<Packed<Nibbles>>(&to_string(&nibbles).unwrap()).unwrap(), nibbles);
        let mut keys = Packed::<Keys>::with_sizes([0, 2]).unwrap();
        keys.push_rows(&[1.0, f32::NAN, 3.0, 4.0]).unwrap();
        let text = to_string(&keys).unwrap();
        let read: Packed<Keys> = from_str(&text).unwrap();
        assert_eq!((read.dims(), &read), ([2, 2], &keys));
        let read: DynPacked<F32> = from_str(&text).unwrap();
        assert_eq!((read.dims(), to_string(&read).unwrap()), (&[2, 2][..], text));
    }

    #[test]
    fn wrong_arrays_are_errors() {
        let error = |layout: &str, sizes: &str, values: &str| {
            let text = format!(r#"{{"layout":"{layout}","sizes":{sizes},"values":{values}}}"#);
            from_str::<DynPacked<S4>>(&text).err().unwrap().to_string()
        };
        assert!(
            error("s4[2]{1}", "[2]", "[1,2]").contains("does not exist"),
            "{}",
            error("s4[2]{1}", "[2]", "[1,2]")
        );
        assert_eq!(
            error("s4[1099511627776]", "[1099511627776]", "[1,2]"),
            "an array of `s4[1099511627776]{0}` that holds [1099511627776] indices does not have 2 bytes of elements"
        );
        assert!(error("s4[2]", "[2,1]", "[1,2]").contains("holds [2, 1] indices"));
        assert!(error("s4[2]", "[1]", "[1]").contains("window reaches out of dimension 0"));
        assert!(error("s8[2]", "[2]", "[1,2]").contains("the elements are `s4`"));
        assert!(error("s4[2]", "[2]", "[1,9]").contains("does not fit `s4`"));
        let text = r#"{"layout":"pred[3]","sizes":[3],"values":[0,1,2]}"#;
        assert!(from_str::<Packed<Bits>>(text).is_err());
    }

    #[cfg(all(feature = "sparse", feature = "sharding"))]
    #[test]
    fn encodings_and_shardings_are_their_text() {
        use layout_core::{Mesh, SparseEncoding, TensorSharding};

        fn check<T: Serialize + for<'de> Deserialize<'de> + fmt::Display>(text: &str) {
            let read: T = from_str(&to_string(text).unwrap()).unwrap();
            assert_eq!(to_string(&read).unwrap(), to_string(&format!("{read}")).unwrap());
            assert!(from_str::<T>("\"no\"").is_err() && from_str::<T>("3").is_err());
        }
        check::<TiledSpec>("bf16[1000,384]{1,0:T(8,128)(2,1)}");
        check::<SparseEncoding>(
            "#sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>",
        );
        check::<Mesh>(r#"<["data"=2, "model"=4]>"#);
        check::<TensorSharding>(r#"<@mesh, [{"data"}, {}]>"#);
    }
}
