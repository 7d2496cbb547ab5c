use super::*;
use crate::cpu::unfenced;
use crate::typed::{PackedMut, PackedRef};
use crate::{BF16, S16};
use half::bf16;

/// Another value of the same type that depends on both: the bytes of one, rotated and multiplied, combined with those of the
/// other.
pub(super) fn mix<T: HostValue>(x: T, y: T) -> T {
    let [a, b] = [x, y].map(|value| {
        let mut le = [0; 16];
        value.write_le(&mut le);
        u128::from_le_bytes(le)
    });
    let rotated = a >> 8 | a << (8 * (size_of::<T>() - 1));
    T::from_le(&(rotated.wrapping_mul(3) ^ b).to_le_bytes())
}

/// The bytes of a value that a type narrower than a byte stores.
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
    let (mut shared_map, mut shared_zip) = (x.clone(), x.clone());
    shared_map.par_map_in_place(|x| mix(x, x));
    x.as_ref().par_zip_into(y.as_ref(), &mut shared_zip.as_mut(), mix);
    let mut converted = Packed::<L>::zeroed().unwrap();
    x.par_convert_into(&mut converted.as_mut(), |x| mix(x, x));
    for index in indices::<L>() {
        let (x, y) = (x.get(index), y.get(index));
        for result in [&mapped, &map, &shared_map, &converted] {
            assert_eq!(
                bits::<L>(result.get(index)),
                kept::<L>(mix(x, x)),
                "{index:?} of {mapped:?}"
            );
        }
        for result in [&zipped, &zip, &written, &shared_zip] {
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
    // Stored in the caches, and streamed past them.
    for (cpu, stream) in Cpu::all().into_iter().flat_map(|cpu| [(cpu, false), (cpu, true)]) {
        forced::set(cpu, stream);
        for_direct!(check);
        check::<layout!(C64 [9, 40] {1, 0} [8, 16])>();
        assert!(!unfenced::get(), "streamed without a fence");
    }
    for_others!(check);
}

/// Lines are streamed if the destination is aligned to them, and all elements are written either way.
#[test]
fn any_alignment_is_written_past_the_caches() {
    type L = layout!(F32 [1100] {0});
    let x: Vec<f32> = (0..1100).map(|i| i as f32).collect();
    for cpu in Cpu::all() {
        forced::set(cpu, true);
        for first in 0..17 {
            let mut buffer = vec![-1.0; 1200];
            let to = &mut PackedMut::<L>::from_elements(&mut buffer[first..first + 1100]).unwrap();
            PackedRef::<L>::from_elements(&x).unwrap().convert_into(to, |x| x + 1.0);
            assert!(to.as_elements().iter().zip(&x).all(|(y, x)| *y == x + 1.0));
            assert!(buffer[..first].iter().chain(&buffer[first + 1100..]).all(|x| *x == -1.0));
        }
    }
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

/// Compares arrays of one shape, in layouts and element types that have nothing else in common, with loops over `get`.
fn check_apart<L: Layout, M, T>()
where
    M: Layout<Shape = <L as Layout>::Shape, Index = L::Index>,
    T: Layout<Shape = <L as Layout>::Shape, Index = L::Index>,
    Host<L>: Into<i64>,
    Host<M>: Into<i64>,
    Host<T>: TryFrom<i64>,
{
    let random = &mut Random(31);
    let (x, y) = (noisy::<L>(random), noisy::<M>(random));
    // Values that fit every type.
    let small = |value: i64| Host::<T>::try_from(value.rem_euclid(7)).unwrap_or_else(|_| panic!());
    let back = |value: i64| value.rem_euclid(7);
    let converted = x.convert::<T>(|x| small(x.into()));
    let mut written = Packed::<T>::zeroed().unwrap();
    x.as_ref().convert_into(&mut written.as_mut(), |x| small(x.into()));
    let mut zipped = noisy::<T>(random);
    x.as_ref().zip_into(y.as_ref(), &mut zipped.as_mut(), |x, y| small(x.into() + 3 * y.into()));
    let mut in_place = x.clone();
    in_place
        .zip_in_place(&y, |x, y| if y.into() % 2 == 0 { x } else { Host::<L>::from_le(&[0; 16]) });
    let kept = x.zip(&y, |x, y| if y.into() % 2 == 0 { x } else { Host::<L>::from_le(&[0; 16]) });
    for index in indices::<L>() {
        let (a, b): (i64, i64) = (x.get(index).into(), y.get(index).into());
        for result in [&converted, &written] {
            assert_eq!(bits::<T>(result.get(index)), bits::<T>(small(a)), "{index:?}");
        }
        assert_eq!(bits::<T>(zipped.get(index)), bits::<T>(small(back(a + 3 * b))), "{index:?}");
        let expected = if b % 2 == 0 { a } else { 0 };
        assert_eq!((in_place.get(index).into(), kept.get(index).into()), (expected, expected));
    }
}

#[test]
fn arrays_of_different_layouts_meet_in_windows() {
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        check_apart::<
            layout!(S32 [37, 200] {1, 0} [8, 128]),
            layout!(S8 [37, 200] {1, 0} [8, 128][4, 1]),
            layout!(S16 [37, 200] {0, 1} [8, 128][2, 1]),
        >();
        check_apart::<
            Tiled<
                S4,
                Shape2<19, 70>,
                Order2<1, 0>,
                (Tile2<8, 128>, Tile2<8, 1>),
                (ElementBits<4>,),
            >,
            layout!(S32 [19, 70] {0, 1}),
            layout!(S8 [19, 70] {1, 0} [5, 7]),
        >();
        check_apart::<
            layout!(S8 [70, 600] {1, 0} [8, 128][4, 1]),
            layout!(S16 [70, 600] {0, 1} [8, 128][2, 1]),
            Tiled<
                S4,
                Shape2<70, 600>,
                Order2<1, 0>,
                (Tile2<8, 128>, Tile2<8, 1>),
                (ElementBits<4>,),
            >,
        >();
        check_apart::<
            layout!(S8 [3, 5, 9] {1, 0, 2} [2, 4]),
            layout!(S16 [3, 5, 9] {2, 1, 0} [3, 4][2, 1]),
            layout!(S32 [3, 5, 9] {0, 1, 2}),
        >();
    }
    type Empty = layout!(S32 [0, 10] {1, 0} [8, 128]);
    check_apart::<Empty, layout!(S8 [0, 10] {0, 1}), layout!(S16 [0, 10] {1, 0})>();
}

#[test]
fn converting_to_the_layout_of_the_tpu_pairs_rows() {
    type Wide = layout!(F32 [1000, 300] {1, 0} [8, 128]);
    type Pairs = layout!(BF16 [1000, 300] {1, 0} [8, 128][2, 1]);
    let wide = noisy::<Wide>(&mut Random(32));
    let pairs = wide.convert::<Pairs>(bf16::from_f32);
    let expected: Vec<bf16> = wide.unpack().into_iter().map(bf16::from_f32).collect();
    assert!(pairs.unpack().iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()));
}
