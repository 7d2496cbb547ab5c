use super::*;
use crate::typed::PackedMut;
use crate::{BF16, S16};
use half::bf16;

/// Another value of the same type that depends on both: the host's bytes, exchanged.
fn mix<T: HostValue>(x: T, y: T) -> T {
    let (mut a, mut b) = ([0; 16], [0; 16]);
    x.write_le(&mut a);
    y.write_le(&mut b);
    a[..size_of::<T>()].rotate_left(1);
    a.iter_mut().zip(b).for_each(|(a, b)| *a = a.wrapping_mul(3) ^ b);
    T::from_le(&a)
}

/// What a type narrower than a byte keeps of a value.
fn kept<L: Layout>(value: Host<L>) -> [u8; 16] {
    let mut le = bits::<L>(value);
    le[0] = <L as Layout>::SPEC.dtype().normalize(le[0]);
    le
}

fn check<L: Layout>() {
    let random = &mut Random(3);
    let (x, y) = (noisy::<L>(random), noisy::<L>(random));
    let mapped = x.map(|x| mix(x, x));
    let zipped = x.zip(&y, mix);
    let (mut map, mut zip) = (x.clone(), x.clone());
    map.map_in_place(|x| mix(x, x));
    zip.zip_in_place(&y, mix);
    let mut written = Packed::<L>::zeroed().unwrap();
    x.as_ref().zip_into(y.as_ref(), &mut written.as_mut(), mix);
    for index in indices::<L>() {
        let (x, y) = (x.get(index), y.get(index));
        for result in [&mapped, &map] {
            assert_eq!(
                bits::<L>(result.get(index)),
                kept::<L>(mix(x, x)),
                "{index:?} of {mapped:?}"
            );
        }
        for result in [&zipped, &zip, &written] {
            assert_eq!(
                bits::<L>(result.get(index)),
                kept::<L>(mix(x, y)),
                "{index:?} of {zipped:?}"
            );
        }
    }
}

#[test]
fn maps_and_zips_compute_each_element() {
    for_direct!(check);
    for_others!(check);
    check::<layout!(C64 [9, 40] {1, 0} [8, 16])>();
}

#[test]
fn convert_goes_between_element_types() {
    type Of<E> = Tiled<E, Shape2<37, 200>, Order2<1, 0>, (Tile2<8, 128>, Tile2<2, 1>)>;
    let x = noisy::<Of<BF16>>(&mut Random(4));
    let wide = x.convert::<Of<F32>>(bf16::to_f32);
    let back = wide.convert::<Of<BF16>>(bf16::from_f32);
    let negative = x.convert::<Of<PRED>>(|x| x < bf16::ZERO);
    let count = negative.convert::<Of<S16>>(i16::from);
    for index in indices::<Of<BF16>>() {
        let x = x.get(index);
        assert_eq!(wide.get(index).to_bits(), x.to_f32().to_bits());
        assert_eq!(back.get(index).to_f32().to_bits(), x.to_f32().to_bits());
        assert_eq!(
            (negative.get(index), count.get(index)),
            (x < bf16::ZERO, i16::from(x < bf16::ZERO))
        );
    }
}

#[test]
fn results_that_do_not_fit_keep_their_low_bits() {
    type Nibbles = Tiled<S4, Shape1<3>, Order1<0>, (), (ElementBits<4>,)>;
    let x = Nibbles::pack(&[7, -8, 1]).unwrap();
    assert_eq!(x.map(|x| x + 1).unpack(), [-8, -7, 2]);
}

#[test]
fn views_are_written_in_place() {
    type L = layout!(F32 [3] {0});
    #[repr(align(4))]
    struct Bytes([u8; 12]);
    let mut bytes = Bytes([0; 12]);
    let mut view = PackedMut::<L>::new(&mut bytes.0).unwrap();
    view.map_in_place(|x| x + 1.0);
    view.as_elements_mut()[2] = 4.0;
    assert_eq!(view.unpack(), [1.0, 1.0, 4.0]);
}
