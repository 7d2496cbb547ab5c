use super::reference::{self, Random, indices};
use super::{Cpu, Guarded, for_type, forced};
use crate::movement::{DynLayout, PackError};
use crate::typed::types::*;
use crate::typed::{Host, Packed, PackedMut, PackedRef, Tiled};
use crate::types::{ElementBits, One, PaddedTo, TailAlignment};
use crate::{BF16, C128, Element, F32, HostValue, Layout, PRED, S4, S8};
use layout_core::tiled::Tile;

/// Checks that a type and its spec have the same results, and that these agree with the reference.
fn agrees<L: Layout, M>()
where
    M: Layout<Element = <L as Layout>::Element, Shape = <L as Layout>::Shape, Index = L::Index>,
{
    let spec = <L as Layout>::SPEC;
    let width = spec.dtype().byte_width();
    let mut bytes = Random(4).values(&spec);
    if spec.dtype().bits() >= 16 {
        // No NaN, because it would not be equal to itself.
        bytes.iter_mut().for_each(|byte| *byte &= 0x3F);
    }
    let values: Vec<Host<L>> = bytes.chunks(width).map(Host::<L>::from_le).collect();

    let packed = L::pack(&values).unwrap();
    assert!(packed.as_bytes() == reference::pack(&spec, &bytes), "{spec}");
    assert_eq!(packed.as_bytes().as_ptr().addr() % Packed::<L>::ALIGN, 0);
    assert!(packed.unpack() == values, "{spec}");
    let moved = packed.relayout::<M>();
    assert!(moved.as_bytes() == M::pack(&values).unwrap().as_bytes(), "{spec}");

    let mut copy = moved.relayout::<L>();
    assert_eq!((&copy, packed.clone().as_bytes()), (&packed, packed.as_bytes()));
    assert_eq!(Packed::from_bytes(packed.as_bytes()).as_ref(), Ok(&packed));
    for (index, value) in indices(spec.dims()).zip(&values) {
        let mut at = L::Index::default();
        at.as_mut().copy_from_slice(&index);
        assert_eq!(packed.get(at), *value, "{spec} at {index:?}");
        // Any other value that occurs in the array.
        if let Some(other) = values.iter().find(|other| *other != value) {
            copy.set(at, *other).unwrap();
            assert!(copy != packed && copy.get(at) == *other, "{spec} at {index:?}");
            copy.set(at, *value).unwrap();
        }
    }
    assert_eq!(copy.as_bytes(), packed.as_bytes(), "setting touches nothing else");
    reference::fill_padding(&spec, copy.as_bytes_mut());
    assert!(copy == packed, "padding does not count");
}

#[test]
fn tiles_agree_with_their_specs_on_every_cpu() {
    type Shape = Shape2<16, 128>;
    type Rows = Order2<1, 0>;
    type Tiles<const N: usize> = (Tile2<8, 128>, Tile2<N, 1>);
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        agrees::<
            Tiled<F32, Shape2<8, 128>, Rows, (Tile2<8, 128>,)>,
            Tiled<F32, Shape2<8, 128>, Rows>,
        >();
        agrees::<Tiled<BF16, Shape, Rows, Tiles<2>>, Tiled<BF16, Shape, Rows>>();
        agrees::<Tiled<BF16, Shape, Rows, Tiles<4>>, Tiled<BF16, Shape, Rows>>();
        agrees::<Tiled<BF16, Shape, Rows, Tiles<8>>, Tiled<BF16, Shape, Rows>>();
        agrees::<Tiled<S8, Shape, Rows, Tiles<2>>, Tiled<S8, Shape, Rows>>();
        agrees::<Tiled<S8, Shape, Rows, Tiles<4>>, Tiled<S8, Shape, Rows>>();
        agrees::<Tiled<S8, Shape, Rows, Tiles<8>>, Tiled<S8, Shape, Rows>>();
    }
}

#[test]
fn types_agree_with_their_specs() {
    type Shape = Shape2<19, 37>;
    type Rows = Order2<1, 0>;
    type Columns = Order2<0, 1>;
    type Pairs = (Tile2<8, 16>, Tile2<2, 1>);
    type Eights = (Tile2<8, 16>, Tile2<8, 1>);
    agrees::<Tiled<F32, Shape, Rows, (Tile2<8, 16>,)>, Tiled<F32, Shape, Columns>>();
    agrees::<Tiled<BF16, Shape, Rows, Pairs>, Tiled<BF16, Shape, Columns, Pairs>>();
    agrees::<Tiled<C128, Shape, Columns>, Tiled<C128, Shape, Rows, (Tile2<3, 5>,)>>();
    agrees::<Tiled<PRED, Shape, Rows, Pairs>, Tiled<PRED, Shape, Rows, Eights, (ElementBits<1>,)>>(
    );
    agrees::<
        Tiled<S4, Shape, Rows, Eights, (ElementBits<4>, TailAlignment<1000>)>,
        Tiled<S4, Shape, Rows, Pairs, (PaddedTo<Shape2<20, 40>, One>,)>,
    >();
    agrees::<
        Tiled<S8, Shape, Rows, (Tile3<{ Tile::COMBINE }, 3, 4>,)>,
        Tiled<S8, Shape, Rows, Pairs, (ElementBits<32>,)>,
    >();
    agrees::<Tiled<F32, Shape0, Order0, (Tile1<128>,)>, Tiled<F32, Shape0, Order0>>();
    agrees::<Tiled<F32, Shape2<0, 3>, Rows, Pairs>, Tiled<F32, Shape2<0, 3>, Rows>>();
}

#[test]
fn views_read_and_write_in_place() {
    type Words = Tiled<F32, Shape2<3, 5>, Order2<1, 0>, (Tile2<2, 2>,)>;
    let mut buffer = Guarded::new(Words::BYTES, 0);
    let values: Vec<f32> = (0..15).map(|n| n as f32).collect();
    Words::pack_into(&values, buffer.middle()).unwrap();
    let mut view = PackedMut::<Words>::new(buffer.middle()).unwrap();
    view.set([2, 3], -1.0).unwrap();
    assert_eq!((view.get([2, 3]), view.get([2, 4])), (-1.0, 14.0));
    assert_eq!(view.unpack()[13..], [-1.0, 14.0]);
    assert_eq!(view.as_bytes_mut().len(), Words::BYTES);
    let bytes = buffer.checked();
    assert_eq!(bytes[17 * 4..][..4], (-1.0_f32).to_le_bytes());

    let packed = Packed::<Words>::from_bytes(&bytes).unwrap();
    let view = PackedRef::<Words>::new(packed.as_bytes()).unwrap();
    let mut row_major = [0.0; 15];
    view.unpack_into(&mut row_major).unwrap();
    assert_eq!(row_major[..], packed.unpack());
    assert_eq!((view.as_bytes(), view == packed.as_ref()), (&bytes[..], true));
    let text = "[[0.0, 1.0, 2.0, 3.0, 4.0],\n [5.0, 6.0, 7.0, 8.0, 9.0],\n [10.0, 11.0, 12.0, -1.0, 14.0]], \
                layout=f32[3,5]{1,0:T(2,2)}";
    assert_eq!((format!("{packed:?}"), format!("{view:?}")), (text.to_owned(), text.to_owned()));
}

#[test]
fn views_check_length_and_alignment() {
    type Words = Tiled<F32, Shape1<3>, Order1<0>>;
    let buffer = Packed::<Words>::zeroed().unwrap();
    let wrong = PackedRef::<Words>::new(&buffer.as_bytes()[1..]).unwrap_err();
    let text = "packed array has 11 bytes, but the layout `f32[3]{0}` takes 12";
    assert_eq!(wrong.to_string(), text);
    assert_eq!(Packed::<Words>::from_bytes(&[0; 11]).unwrap_err(), wrong);

    for past in 0..16 {
        fn view<L: Layout>(past: usize) -> Result<(), PackError> {
            PackedMut::<L>::new(Guarded::new(L::BYTES, past).middle()).map(|_| ())
        }
        type Array<E, A = ()> = Tiled<E, Shape1<3>, Order1<0>, (), A>;
        let aligned = |align| past % align == 0;
        assert_eq!(view::<Array<S4, (ElementBits<4>,)>>(past).is_ok(), aligned(1), "{past}");
        assert_eq!(view::<Array<BF16>>(past).is_ok(), aligned(2), "{past}");
        assert_eq!(view::<Array<PRED, (ElementBits<32>,)>>(past).is_ok(), aligned(4), "{past}");
        assert_eq!(view::<Array<C128>>(past).is_ok(), aligned(8), "{past}");
        if past == 6 {
            let text =
                "packed array starts 2 bytes past a multiple of 4, but `f32` is aligned to 4 bytes";
            assert_eq!(view::<Array<F32>>(past).unwrap_err().to_string(), text);
        }
    }
}

#[test]
fn every_byte_unpacks_to_a_value_of_a_narrow_type() {
    fn narrow<E: Element>() {
        let spec = super::spec(E::DTYPE, &[2, 128], &[1, 0], &[&[2, 64], &[2, 1]]);
        let packed: Vec<u8> = (0..=255).collect();
        let values = spec.unpack::<E>(&packed).unwrap();
        for (value, index) in values.iter().zip(indices(&[2, 128])) {
            let mut byte = [0; 16];
            value.write_le(&mut byte);
            assert_eq!(byte[0], E::DTYPE.normalize(packed[spec.offset(&index)]), "{}", E::DTYPE);
            assert_eq!(spec.get::<E>(&packed, &index).unwrap(), *value);
        }
    }
    for dtype in crate::DType::ALL.into_iter().filter(|dtype| dtype.bits() < 8) {
        for_type!(dtype, narrow());
    }
}

#[test]
#[should_panic(expected = "index [3, 0] is out of bounds of the array of shape [3, 5]")]
fn an_index_out_of_bounds_panics() {
    type Words = Tiled<F32, Shape2<3, 5>, Order2<1, 0>>;
    Packed::<Words>::zeroed().unwrap().get([3, 0]);
}
