//! Compares arrays whose layout is only known at run time with those of layout types, and with loops over `get`.

use super::elementwise::mix;
use super::*;
use crate::compute::{Arithmetic, Ordered, Real};
use crate::movement::PackError;
use crate::{BF16, DynPacked, Element, F8E4M3FN, S16, S32};
use layout_core::tiled::TiledSpec;

/// The bytes of a value that the type stores.
pub(super) fn kept<E: Element>(value: E::Host) -> [u8; 16] {
    let mut le = [0; 16];
    value.write_le(&mut le);
    le[0] = E::DTYPE.normalize(le[0]);
    le
}

/// The sum of the halves of the values, which does not depend on the order.
fn step<E: Element>(total: u64, value: E::Host) -> u64 {
    let kept = u128::from_le_bytes(kept::<E>(value));
    total.wrapping_add(kept as u64).wrapping_add((kept >> 64) as u64)
}

fn as_typed<L: Layout>()
where
    Host<L>: Ordered,
{
    type E<L> = <L as Layout>::Element;
    let random = &mut Random(5);
    let (x, y) = (noisy::<L>(random), noisy::<L>(random));
    let [p, q] = [&x, &y].map(|packed| packed.clone().into_dyn().unwrap());
    let text = |values: Vec<Host<L>>| format!("{values:?}");
    assert!(text(p.unpack().unwrap()) == text(x.unpack()), "{}", p.spec());
    let same = |ours: DynPacked<E<L>>, typed: &Packed<L>| {
        let ours = ours.into_packed::<L>().unwrap_or_else(|_| panic!("another layout"));
        assert!(ours == *typed, "{ours:?} is not {typed:?}");
    };
    same(p.map(|x| mix(x, x)).unwrap(), &x.map(|x| mix(x, x)));
    same(p.zip(&q, mix).unwrap(), &x.zip(&y, mix));
    let mut written = p.try_clone().unwrap();
    written.map_in_place(|x| mix(x, x));
    written.zip_in_place(&q, mix).unwrap();
    same(written, &x.map(|x| mix(x, x)).zip(&y, mix));

    for dims in subsets(L::RANK) {
        let sum = |a: u64, b| a.wrapping_add(b);
        assert_eq!(
            p.fold(&dims, 0, step::<E<L>>, sum).unwrap(),
            x.fold(&dims, 0, step::<E<L>>, sum)
        );
        assert_eq!(text(p.max(&dims).unwrap()), text(x.max(&dims)));
        assert_eq!(text(p.min(&dims).unwrap()), text(x.min(&dims)));
        let count: usize = dims.iter().map(|&dim| L::DIMS.as_ref()[dim]).product();
        if count > 0 {
            assert_eq!(p.argmax(&dims).unwrap(), x.argmax(&dims));
            assert_eq!(p.argmin(&dims).unwrap(), x.argmin(&dims));
        }
        let values: Vec<u8> = (0..count).map(|i| i as u8).collect();
        let add = |x: Host<L>, value: u8| mix(x, Host::<L>::from_le(&[value & 1; 16]));
        let mut ours = p.try_clone().unwrap();
        ours.zip_broadcast_in_place(&dims, &values, add).unwrap();
        same(ours, &x.zip_broadcast(&dims, &values, add));
    }
}

#[test]
fn layouts_of_run_time_compute_as_their_types_do() {
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        for_direct!(as_typed);
        for_others!(as_typed);
    }
    forced::set(Cpu::detect(), false);
}

/// An array of random values, with all bits of its padding set.
pub(super) fn noisy_of<E: Element>(spec: &TiledSpec, random: &mut Random) -> DynPacked<E> {
    let mut bytes = reference::pack(spec, &random.values(spec));
    reference::fill_padding(spec, &mut bytes);
    DynPacked::from_bytes(spec, &bytes).unwrap()
}

fn any_layouts<E: Element>(random: &mut Random) {
    let dims = random.dims();
    let [a, b, c] = [(); 3].map(|()| random.layout(E::DTYPE, &dims));
    let (x, y) = (noisy_of::<E>(&a, random), noisy_of::<E>(&b, random));
    let moved = x.relayout(&c).unwrap();
    let zipped = x.zip(&y, mix).unwrap();
    let converted: DynPacked<E> = x.convert(&c, |x| mix(x, x)).unwrap();
    let mut written = x.try_clone().unwrap();
    written.zip_in_place(&y, mix).unwrap();
    let dim = random.below(dims.len().max(1));
    let over: Vec<usize> = (0..dims.len()).filter(|other| *other != dim).collect();
    let mut totals = vec![0; if dims.is_empty() { 1 } else { dims[dim] }];
    for index in reference::indices(&dims) {
        let (x, y) = (x.get(&index), y.get(&index));
        assert_eq!(kept::<E>(moved.get(&index)), kept::<E>(x), "{index:?} of {a} in {c}");
        let (zip, map) = (kept::<E>(mix(x, y)), kept::<E>(mix(x, x)));
        assert_eq!(kept::<E>(zipped.get(&index)), zip, "{index:?} of {a} and {b}");
        assert_eq!(kept::<E>(written.get(&index)), zip, "{index:?} of {a} and {b}");
        assert_eq!(kept::<E>(converted.get(&index)), map, "{index:?} of {a} in {c}");
        let total = &mut totals[index.get(dim).copied().unwrap_or(0)];
        *total = step::<E>(*total, x);
    }
    let sums = x.fold(&over, 0, step::<E>, u64::wrapping_add).unwrap();
    assert_eq!(sums, totals, "over {over:?} of {a}");
}

#[test]
fn layouts_of_run_time_compute_each_element() {
    let random = &mut Random(8);
    for _ in 0..40 {
        any_layouts::<F32>(random);
        any_layouts::<BF16>(random);
        any_layouts::<S8>(random);
        any_layouts::<S4>(random);
        any_layouts::<PRED>(random);
        any_layouts::<F8E4M3FN>(random);
    }
}

#[test]
fn sums_means_and_variances_are_those_of_the_type() {
    type Rows = layout!(F32 [60, 300] {1, 0} [8, 128]);
    let x = Packed::<Rows>::from_fn(|[i, j]| ((i * 7 + j * 3) % 32) as f32);
    let p = x.clone().into_dyn().unwrap();
    for dims in subsets(2) {
        assert_eq!(p.sum(&dims).unwrap(), x.sum(&dims));
        assert_eq!(p.mean(&dims).unwrap(), x.mean(&dims));
        assert_eq!(p.var(&dims).unwrap(), x.var(&dims));
    }
    assert_eq!(p.total().unwrap(), x.total());
}

fn along_each_dimension<L: Layout>()
where
    Host<L>: Real<Compute = f32> + Ordered<Wide = f32> + Arithmetic,
{
    let mut x = noisy::<L>(&mut Random(9));
    x.map_in_place(|x| {
        let wide = Host::<L>::widen(x);
        Host::<L>::narrow(if wide.abs() < 9.0 { wide } else { 0.5 })
    });
    let p = x.clone().into_dyn().unwrap();
    for dim in 0..L::RANK {
        let scale: Vec<f32> = (0..L::DIMS.as_ref()[dim]).map(|i| i as f32 / 8.0).collect();
        let pairs = [
            (p.softmax(dim), x.softmax(dim)),
            (p.layer_norm(dim, &scale, &scale, 1e-5), x.layer_norm(dim, &scale, &scale, 1e-5)),
            (p.rms_norm(dim, &scale, 1e-5), x.rms_norm(dim, &scale, 1e-5)),
            (p.cumulative_sum(dim), x.cumulative_sum(dim)),
        ];
        for (ours, typed) in pairs {
            let ours = ours.unwrap().into_packed::<L>().expect("the layout");
            assert!(ours == typed, "{ours:?} is not {typed:?}");
        }
    }
}

#[test]
fn normalizations_and_cumulative_sums_are_those_of_the_type() {
    along_each_dimension::<layout!(F32 [20, 130] {1, 0} [8, 128])>();
    along_each_dimension::<layout!(BF16 [9, 70] {0, 1} [8, 128][2, 1])>();

    let spec: TiledSpec = "f32[<=9,4]{1,0:T(8,128)}".parse().unwrap();
    let mut x = DynPacked::<F32>::pack(&spec, &[1.0; 36]).unwrap();
    x.set_len(0, 2).unwrap();
    assert_eq!(x.softmax(0).unwrap().unpack().unwrap(), [0.5; 8]);
    assert_eq!(x.cumulative_sum(0).unwrap().sum(&[1]).unwrap(), [4.0, 8.0]);
}

#[test]
#[should_panic(expected = "3 numbers are given, but dimension 1 has 5 indices")]
fn scales_of_another_length() {
    let spec: TiledSpec = "f32[3,5]".parse().unwrap();
    drop(DynPacked::<F32>::zeroed(&spec).unwrap().rms_norm(1, &[1.0; 3], 0.0));
}

#[test]
fn rows_are_appended_as_to_the_type() {
    type Rows = crate::tiled!(bf16[<=21,3,5]{2,1,0:T(8,128)(2,1)});
    let mut x = Packed::<Rows>::with_sizes([0, 3, 5]).unwrap();
    let mut p = x.clone().into_dyn().unwrap();
    for rows in [2, 0, 9, 1] {
        let more: Vec<_> =
            (0..rows * 15).map(|n| half::bf16::from_f32((n * 7 % 31) as f32)).collect();
        x.push_rows(&more).unwrap();
        p.push_rows(&more).unwrap();
    }
    assert_eq!((p.dims(), p.unpack().unwrap()), (&[12, 3, 5][..], x.unpack()));
    let more = [half::bf16::ONE; 10 * 15];
    assert!(matches!(p.push_rows(&more), Err(PackError::Window { dim: 0, .. })));
    assert!(matches!(p.push_rows(&more[1..]), Err(PackError::RowMajorLength { actual: 149, .. })));
    assert_eq!((p.dims(), p.unpack().unwrap()), (&[12, 3, 5][..], x.unpack()));

    let mut fixed = DynPacked::<BF16>::zeroed(&"bf16[4,15]".parse().unwrap()).unwrap();
    assert!(fixed.push_rows(&more[..15]).is_err());
    assert_eq!(fixed.dims(), [4, 15]);
}

#[test]
fn bounded_dimensions_hold_their_size_of_run_time() {
    let spec: TiledSpec = "s32[<=9,20]{1,0:T(8,128)}".parse().unwrap();
    let exact: TiledSpec = "s32[9,20]{0,1}".parse().unwrap();
    let values: Vec<i32> = (0..180).collect();
    let mut x = DynPacked::<S32>::pack(&spec, &values).unwrap();
    assert!(x.set_len(1, 19).is_err() && x.set_len(0, 10).is_err());
    x.set_len(0, 5).unwrap();
    assert_eq!((x.dims(), x.unpack().unwrap()), (&[5, 20][..], values[..100].to_vec()));
    assert_eq!(x.total().unwrap(), 99 * 50);
    assert_eq!(x.map(|x| -x).unwrap().total().unwrap(), -99 * 50);
    let error = x.relayout(&exact).err().unwrap();
    assert!(matches!(error, PackError::Window { dim: 0, .. }), "{error}");
    let typed = x.into_packed::<Tiled<crate::S32, Shape2<9, 20>, Order2<1, 0>, (Tile2<8, 128>,), (Bounded<1>,)>>();
    assert_eq!(typed.ok().unwrap().dims(), [5, 20]);
}

#[test]
#[should_panic(expected = "index [5, 0] is out of bounds: the sizes are [5, 20]")]
fn an_index_past_the_size_of_run_time_panics() {
    let spec: TiledSpec = "s32[<=9,20]".parse().unwrap();
    let mut x = DynPacked::<S32>::zeroed(&spec).unwrap();
    x.set_len(0, 5).unwrap();
    x.get(&[5, 0]);
}

#[test]
fn arrays_that_do_not_fit_each_other_are_errors() {
    let [spec, other]: [TiledSpec; 2] =
        ["s16[3,5]{1,0:T(2,2)}", "s16[5,3]"].map(|text| text.parse().unwrap());
    let (x, y) =
        (DynPacked::<S16>::zeroed(&spec).unwrap(), DynPacked::<S16>::zeroed(&other).unwrap());
    let error = x.zip(&y, |x, _| x).err().unwrap();
    assert_eq!(
        error.to_string(),
        "arrays of the layouts `s16[3,5]{1,0:T(2,2)}` and `s16[5,3]{1,0}` differ in size"
    );
    assert_eq!(x.convert::<S16>(&other, |x| x).err(), Some(error));
    assert!(matches!(DynPacked::<F32>::zeroed(&spec), Err(PackError::ElementType { .. })));
    assert!(matches!(x.relayout(&other), Err(PackError::Shape { .. })));
    assert!(matches!(DynPacked::<S16>::pack(&spec, &[1]), Err(PackError::RowMajorLength { .. })));
    assert!(x.into_packed::<layout!(S16 [3, 5] {1, 0})>().is_err(), "without tiles");
}

/// Each pair of layouts has the same offsets in row-major order of its bounds, but not for the sizes that both arrays have.
#[test]
fn arrays_of_equal_sizes_can_have_different_bounds() {
    for ([of_x, of_y], sizes) in [
        (["s32[1,<=7,<=3]", "s32[<=3,7,1]{1,0,2}"], [1, 7, 1]),
        (["s32[1,2,<=2]", "s32[1,<=4,1]{1,2,0}"], [1, 2, 1]),
        (["s32[<=2,<=6,1]", "s32[<=3,<=4,1]"], [2, 3, 1]),
        (["s32[<=4,1,<=3]", "s32[3,1,<=1]{0,2,1:T(4,3)}"], [3, 1, 1]),
    ] {
        let array = |text: &str, first: i32| {
            let mut array = DynPacked::<S32>::zeroed(&text.parse().unwrap()).unwrap();
            array.map_in_place(|_| 1000);
            (0..3).for_each(|dim| array.set_len(dim, sizes[dim]).unwrap());
            let index =
                |at: usize| [at / (sizes[1] * sizes[2]), at / sizes[2] % sizes[1], at % sizes[2]];
            let len = sizes.iter().product::<usize>();
            (0..len).for_each(|at| array.set(&index(at), first + at as i32).unwrap());
            array
        };
        let (mut x, y) = (array(of_x, 0), array(of_y, 10));
        let sums: Vec<i32> = (0..y.unpack().unwrap().len() as i32).map(|at| 10 + 2 * at).collect();
        assert_eq!(x.zip(&y, |x, y| x + y).unwrap().unpack().unwrap(), sums, "{of_x} and {of_y}");
        x.zip_in_place(&y, |x, y| x + y).unwrap();
        assert_eq!(x.unpack().unwrap(), sums, "{of_x} and {of_y}");
    }
}

#[test]
fn products_are_those_of_the_types() {
    type A = layout!(BF16 [20, 70] {1, 0} [8, 128][2, 1]);
    type B = layout!(S8 [70, 33] {0, 1} [8, 128][4, 1]);
    type C = layout!(BF16 [20, 33] {1, 0} [8, 128][2, 1]);
    let a = Packed::<A>::from_fn(|[i, k]| half::bf16::from_f32(((i * 3 + k) % 7) as f32 - 3.0));
    let b = Packed::<B>::from_fn(|[k, j]| ((k * 5 + j) % 9) as i8 - 4);
    let typed: Packed<C> = crate::matmul(&a, &b);
    let (x, y) = (a.into_dyn().unwrap(), b.into_dyn().unwrap());
    let product = x.matmul::<S8, BF16>(&y, &C::SPEC).unwrap();
    assert!(product.into_packed::<C>().ok().unwrap() == typed);

    let bounded: TiledSpec = "bf16[<=64,70]{1,0:T(8,128)(2,1)}".parse().unwrap();
    let result: TiledSpec = "f32[<=64,33]{1,0:T(8,128)}".parse().unwrap();
    let mut rows = DynPacked::<BF16>::zeroed(&bounded).unwrap();
    rows.set_len(0, 2).unwrap();
    rows.map_in_place(|_| half::bf16::ONE);
    let product = rows.matmul::<S8, F32>(&y, &result).unwrap();
    let sums: Vec<f32> = y.sum(&[0]).unwrap().iter().map(|sum| *sum as f32).collect();
    assert_eq!(
        (product.dims(), product.unpack().unwrap()),
        (&[2, 33][..], [&*sums, &sums].concat())
    );

    let turned: TiledSpec = "f32[33,20]".parse().unwrap();
    assert!(matches!(x.matmul::<S8, F32>(&y, &turned), Err(PackError::Sizes { .. })));
    assert!(matches!(x.matmul::<BF16, F32>(&x, &turned), Err(PackError::Sizes { .. })));
}
