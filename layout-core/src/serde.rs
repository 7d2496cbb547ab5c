//! Layouts, encodings and shardings in the data formats of serde: each is serialized as its canonical text, a string.
//!
//! Deserializing fails if parsing the text fails, with the same message.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Reads the text of a `T`.
struct Text<T> {
    what: &'static str,
    value: PhantomData<T>,
}

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text of {}", self.what)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($Type:ty: $what:literal;)*) => { $(
        /// Serializes the canonical text.
        impl Serialize for $Type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        /// Deserializes any text that `FromStr` accepts.
        impl<'de> Deserialize<'de> for $Type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text { what: $what, value: PhantomData })
            }
        }
    )* };
}
as_text! {
    crate::TiledSpec: "an array with its layout, such as `f32[3,5]{1,0:T(2,2)}`";
    crate::Shape: "a shape, such as `(f32[3,5]{1,0}, s32[])`";
}
#[cfg(feature = "sparse")]
as_text! {
    crate::SparseEncoding: "an encoding, such as `(i, j) -> (i : dense, j : compressed)`";
    crate::sparse::SparseTensorSpec: "a sparse tensor type";
}
#[cfg(feature = "sharding")]
as_text! {
    crate::Mesh: "a mesh, such as `<[\"data\"=2, \"model\"=4]>`";
    crate::TensorSharding: "a sharding, such as `<@mesh, [{\"data\"}, {}]>`";
    crate::OpShardingRule: "a sharding rule, such as `([i, k],[k, j])->([i, j]) {i=8, j=16, k=32}`";
}
