//! For `pred`, every nonzero stored value is true, however it is moved.

use super::reference::{Random, fill_padding, indices, position};
use super::{Guarded, on_random_cpu};
use crate::movement::DynLayout;
use crate::movement::element::load;
use crate::{DType, PRED};
use layout_core::tiled::TiledSpec;

/// Storage of random bits, and its values in row-major order.
fn random_bits(spec: &TiledSpec, random: &mut Random) -> (Vec<u8>, Vec<bool>) {
    let byte = |random: &mut Random| [0, 1, 2, 0x80, random.below(256) as u8][random.below(5)];
    let mut packed: Vec<u8> = (0..spec.storage_bytes()).map(|_| byte(random)).collect();
    fill_padding(spec, &mut packed);
    let truth = |index: Vec<usize>| load(&packed, spec.stored_bits(), spec.offset(&index)) != 0;
    let values = indices(spec.dims()).map(truth).collect();
    (packed, values)
}

fn check(from: &TiledSpec, to: &TiledSpec, random: &mut Random) {
    on_random_cpu(random);
    let (packed, values) = random_bits(from, random);
    assert!(from.unpack::<PRED>(&packed).unwrap() == values, "unpack {from}");
    let mut moved = Guarded::new(to.storage_bytes(), 0);
    from.relayout_bytes(&packed, to, moved.middle()).unwrap();
    let moved = moved.checked();
    let same = |bytes: &[u8], what: &str| {
        for (index, value) in indices(from.dims()).zip(&values) {
            assert!(to.get::<PRED>(bytes, &index).unwrap() == *value, "{what} {from} to {to}");
        }
        assert!(to.unpack::<PRED>(bytes).unwrap() == values, "{what} {from} to {to}");
    };
    same(&moved, "move");
    for (index, value) in indices(from.dims()).zip(&values) {
        assert!(from.get::<PRED>(&packed, &index).unwrap() == *value, "get {from} {index:?}");
    }
    let whole = (vec![0; from.rank()], from.dims());
    let mut moved = Guarded::new(to.storage_bytes(), 0);
    from.relayout_window_bytes((&whole.0, whole.1), &packed, to, moved.middle()).unwrap();
    same(&moved.checked(), "move a window of");

    let first: Vec<usize> = from.dims().iter().map(|&size| random.below(size + 1)).collect();
    let shape: Vec<usize> =
        from.dims().iter().zip(&first).map(|(size, first)| size - first).collect();
    let mut rows = Guarded::new(shape.iter().product(), 0);
    from.unpack_window_bytes(&first, &shape, &packed, rows.middle()).unwrap();
    for (index, byte) in indices(&shape).zip(rows.checked()) {
        let index: Vec<usize> = index.iter().zip(&first).map(|(i, first)| i + first).collect();
        assert!(byte == u8::from(values[position(from.dims(), &index)]), "a window of {from}");
    }
}

#[test]
fn every_value_but_zero_is_true_however_it_moves() {
    let mut random = Random(21);
    for _ in 0..600 {
        let dims = random.dims();
        let (from, to) = (random.layout(DType::PRED, &dims), random.layout(DType::PRED, &dims));
        check(&from, &to, &mut random);
    }
}

#[test]
fn bytes_are_true_in_the_bits_of_a_tile() {
    let mut random = Random(22);
    for (from, to) in [
        ("pred[4]{0}", "pred[4]{0:T(32)E(1)}"),
        ("pred[4]{0:E(2)}", "pred[4]{0:E(1)}"),
        ("pred[4]{0:E(16)}", "pred[4]{0}"),
        ("pred[64,300]{1,0}", "pred[64,300]{1,0:T(32,128)(32,1)E(1)}"),
        ("pred[64,300]{1,0}", "pred[64,300]{1,0:T(8,128)(4,1)E(2)}"),
        ("pred[5,1000]{1,0}", "pred[5,1000]{1,0:E(1)}"),
        ("pred[5,1000]{1,0}", "pred[5,1000]{0,1:E(4)}"),
    ] {
        let [from, to]: [TiledSpec; 2] = [from, to].map(|text| text.parse().unwrap());
        check(&from, &to, &mut random);
        check(&to, &from, &mut random);
    }
}
