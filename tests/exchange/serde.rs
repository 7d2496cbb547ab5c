//! Arrays, layouts, encodings and shardings in the data formats of serde.

use serde::{Deserialize, Serialize};
use serde_json::{from_str, to_string};
use std::fmt;
use tensor_layout::half::bf16;
use tensor_layout::{
    DynPacked, F32, Mesh, Packed, S4, SparseEncoding, TensorSharding, TiledSpec, tiled,
};

type Pairs = tiled!(bf16[3,5]{1,0:T(8,128)(2,1)});
type Keys = tiled!(f32[<=9,2]{1,0:T(8,128)});
type Nibbles = tiled!(s4[3]{0:E(4)});
type Bits = tiled!(pred[3]);

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

#[test]
fn encodings_and_shardings_are_their_text() {
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
