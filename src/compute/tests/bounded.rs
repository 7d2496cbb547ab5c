//! Compares arrays with a bounded dimension with arrays of exactly their size.

use super::*;
use crate::movement::PackError;
use half::bf16;

type Keys<const BOUND: usize> = Tiled<
    crate::BF16,
    Shape2<BOUND, 70>,
    Order2<1, 0>,
    (Tile2<8, 128>, Tile2<2, 1>),
    (Bounded<1>,),
>;
type Wide<const BOUND: usize> =
    Tiled<F32, Shape2<BOUND, 70>, Order2<1, 0>, (Tile2<8, 128>,), (Bounded<1>,)>;
type Columns = Tiled<F32, Shape2<40, 70>, Order2<0, 1>, (Tile2<8, 16>,), (Bounded<3>,)>;
type Same = layout!(BF16 [13, 70] {1, 0} [8, 128][2, 1]);
type SameWide = layout!(F32 [13, 70] {1, 0} [8, 128]);

/// Thirteen rows of finite numbers; rows past the size, and padding, are NaN.
fn arrays() -> (Packed<Keys<40>>, Packed<Same>) {
    let random = &mut Random(61);
    let values: Vec<bf16> =
        (0..13 * 70).map(|_| bf16::from_f32(random.below(200) as f32 / 8.0 - 9.0)).collect();
    let mut keys = Packed::<Keys<40>>::zeroed().unwrap();
    keys.as_bytes_mut().fill(0xFF);
    keys.set_len(0, 0).unwrap();
    keys.push_rows(&values[..5 * 70]).unwrap();
    keys.append_rows(&<layout!(BF16 [8, 70] {0, 1})>::pack(&values[5 * 70..]).unwrap()).unwrap();
    (keys, Same::pack(&values).unwrap())
}

/// Compares with the array of exactly that size.
fn check<L, M>(bounded: &Packed<L>, exact: &Packed<M>)
where
    L: Layout<Index = [usize; 2]>,
    M: Layout<Index = [usize; 2], Element = <L as Layout>::Element>,
{
    assert_eq!((bounded.dims(), bounded.len(0)), (exact.dims(), exact.len(0)));
    let equal = bounded
        .indexed_iter()
        .zip(exact.indexed_iter())
        .all(|((i, x), (j, y))| i == j && bits::<L>(x) == bits::<M>(y));
    assert!(equal && bounded.iter().len() == exact.iter().len());
    assert_eq!(bounded.unpack(), exact.unpack());
    let text = |debug: String| debug.split(", layout").next().unwrap().to_owned();
    assert_eq!(text(format!("{bounded:#?}")), text(format!("{exact:#?}")));
}

#[test]
fn all_computing_takes_the_size_of_run_time() {
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        let (keys, same) = arrays();
        check(&keys, &same);
        check(&keys.clone(), &same);
        check(&keys.map(|x| -x), &same.map(|x| -x));
        check(&(&keys * &keys), &(&same * &same));
        let wide = keys.convert::<Wide<40>>(bf16::to_f32);
        let same_wide = same.convert::<SameWide>(bf16::to_f32);
        check(&wide, &same_wide);
        check(&wide.relayout::<Columns>(), &same_wide);
        for dims in subsets(2) {
            assert_eq!(keys.sum(&dims), same.sum(&dims));
            assert_eq!(keys.mean(&dims), same.mean(&dims));
            assert_eq!(
                (keys.max(&dims), keys.argmax(&dims)),
                (same.max(&dims), same.argmax(&dims))
            );
            assert_eq!(
                (keys.min(&dims), keys.argmin(&dims)),
                (same.min(&dims), same.argmin(&dims))
            );
            assert_eq!(
                keys.fold(&dims, 0, |n, _| n + 1, |a, b| a + b),
                same.fold(&dims, 0, |n, _| n + 1, |a, b| a + b)
            );
        }
        assert_eq!(keys.total(), same.total());
        for dim in 0..2 {
            check(&wide.softmax(dim), &same_wide.softmax(dim));
            check(&keys.cumulative_sum(dim), &same.cumulative_sum(dim));
            let values: Vec<f32> = (0..same.len(dim)).map(|i| i as f32).collect();
            let add = |x: f32, y: f32| x + y;
            check(
                &wide.zip_broadcast(&[dim], &values, add),
                &same_wide.zip_broadcast(&[dim], &values, add),
            );
            check(&wide.rms_norm(dim, &values, 0.5), &same_wide.rms_norm(dim, &values, 0.5));
        }
        type Part = layout!(BF16 [4, 30] {1, 0} [8, 128][2, 1]);
        assert_eq!(keys.slice::<Part>([9, 40]), same.slice::<Part>([9, 40]));
        type Rows = Keys<3>;
        check(
            &keys.gather_rows::<Rows>(&[12, 0]),
            &same.gather_rows::<layout!(BF16 [2, 70] {1, 0})>(&[12, 0]),
        );
        let mut runs = 0;
        wide.for_each_run(|[row, column], run| {
            runs += run.len();
            assert!(run.iter().zip(column..).all(|(x, j)| *x == same_wide.get([row, j])));
        });
        assert_eq!(runs, 13 * 70);
    }
}

#[test]
fn what_is_past_the_size_is_out_of_the_array() {
    let (mut keys, same) = arrays();
    let error = PackError::Window { dim: 0, layout: <Keys<40> as Layout>::SPEC.into() };
    type Part = layout!(BF16 [4, 30] {1, 0});
    assert_eq!(keys.try_slice::<Part>([10, 0]).unwrap_err(), error);
    assert_eq!(
        keys.update_rows(13, &Packed::<layout!(BF16 [1, 70] {1, 0})>::filled(bf16::ONE))
            .unwrap_err(),
        error
    );
    assert_eq!(keys.as_ref().unpack_window([13, 0], [1, 1], &mut [bf16::ONE]).unwrap_err(), error);
    assert_eq!(keys.as_mut().pack_window([13, 0], [1, 1], &[bf16::ONE]).unwrap_err(), error);
    assert_eq!(keys.set_len(0, 41).unwrap_err(), error);
    assert_eq!(keys.push_rows(&[bf16::ONE; 28 * 70]).unwrap_err(), error);
    assert!(keys.set_len(1, 69).is_err() && keys.push_rows(&[bf16::ONE; 71]).is_err());
    assert!(Packed::<Keys<40>>::with_sizes([41, 70]).is_err());
    check(&keys, &same);
    let (longer, mut shorter) = (keys.clone(), keys.clone());
    shorter.set_len(0, 12).unwrap();
    assert!(
        longer != shorter
            && shorter == {
                let mut again = longer.clone();
                again.set_len(0, 12).unwrap();
                again
            }
    );
}

#[test]
#[should_panic(expected = "index [13, 0] is out of bounds: the sizes are [13, 70]")]
fn an_element_past_the_size() {
    arrays().0.get([13, 0]);
}

#[test]
#[should_panic(expected = "the arrays differ in size: [13, 70] and [12, 70]")]
fn arrays_of_different_sizes_do_not_meet() {
    let (keys, mut shorter) = (arrays().0, arrays().0);
    shorter.set_len(0, 12).unwrap();
    let _ = &keys + &shorter;
}

/// Arrays without tiles, with some dimensions shorter than their bounds, compared with plain loops. Storage past their sizes is
/// NaN.
fn check_untiled<L: Layout<Element = F32, Index = [usize; 3]>>()
where
    Packed<L>: Clone,
{
    let random = &mut Random(97);
    for _ in 0..40 {
        let mut array = Packed::<L>::zeroed().unwrap();
        for value in array.as_elements_mut() {
            *value = f32::NAN;
        }
        let bounded = L::SPEC.draft().bounded;
        let sizes: [usize; 3] = core::array::from_fn(|dim| match bounded >> dim & 1 {
            1 => random.below(L::DIMS[dim] + 1),
            _ => L::DIMS[dim],
        });
        for (dim, size) in sizes.iter().enumerate() {
            array.set_len(dim, *size).unwrap();
        }
        let count: usize = sizes.iter().product();
        let values: Vec<f32> = (0..count).map(|_| random.below(64) as f32 - 32.0).collect();
        let [_, rows, columns] = sizes;
        for (number, value) in values.iter().enumerate() {
            let (plane, rest) = (number / (rows * columns), number % (rows * columns));
            array.set([plane, rest / columns, rest % columns], *value).unwrap();
        }
        let text = format!("{} {sizes:?}", L::SPEC);
        let plain = |f: &dyn Fn(f32) -> f32| values.iter().map(|x| f(*x)).collect::<Vec<_>>();
        assert_eq!(array.map(|x| 2.0 * x).unpack(), plain(&|x| 2.0 * x), "{text}");
        assert_eq!(array.zip(&array, |x, y| x * y).unpack(), plain(&|x| x * x), "{text}");
        assert_eq!(array.convert::<L>(|x| x + 1.0).unpack(), plain(&|x| x + 1.0), "{text}");
        let mut shared = array.clone();
        shared.par_map_in_place(|x| x - 1.0);
        assert_eq!(shared.unpack(), plain(&|x| x - 1.0), "{text}");
        array.par_convert_into(&mut shared.as_mut(), |x| x + 2.0);
        assert_eq!(shared.unpack(), plain(&|x| x + 2.0), "{text}");
        array.as_ref().par_zip_into(array.as_ref(), &mut shared.as_mut(), |x, y| x * y);
        assert_eq!(shared.unpack(), plain(&|x| x * x), "{text}");
        let mut changed = array.clone();
        changed.map_in_place(|x| -x);
        assert_eq!(changed.unpack(), plain(&|x| -x), "{text}");
        changed.zip_in_place(&array, |x, y| x + 3.0 * y);
        assert_eq!(changed.unpack(), plain(&|x| 2.0 * x), "{text}");
        for dim in 0..3 {
            // The first of the elements before each one along the dimension, and the distance between them.
            let stride: usize = sizes[dim + 1..].iter().product();
            let before = |at: usize| (0..=at / stride % sizes[dim]).map(move |n| at - n * stride);
            let sums = (0..count).map(|at| before(at).map(|at| values[at]).sum::<f32>());
            let mut changed = array.clone();
            changed.cumulative_sum_in_place(dim);
            assert_eq!(changed.unpack(), sums.collect::<Vec<_>>(), "{text} along {dim}");
        }
    }
}

#[test]
fn arrays_without_tiles_take_the_size_of_run_time() {
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        check_untiled::<Tiled<F32, Shape3<5, 6, 37>, Order3<2, 1, 0>, (), (Bounded<1>,)>>();
        check_untiled::<Tiled<F32, Shape3<5, 6, 37>, Order3<2, 1, 0>, (), (Bounded<4>,)>>();
        check_untiled::<Tiled<F32, Shape3<5, 6, 37>, Order3<2, 1, 0>, (), (Bounded<5>,)>>();
        check_untiled::<Tiled<F32, Shape3<5, 6, 37>, Order3<2, 1, 0>, (), (Bounded<7>,)>>();
        check_untiled::<Tiled<F32, Shape3<5, 36, 7>, Order3<1, 2, 0>, (), (Bounded<3>,)>>();
        check_untiled::<Tiled<F32, Shape3<1, 36, 1>, Order3<0, 1, 2>, (), (Bounded<6>,)>>();
    }
}

/// A matrix whose rows have a current size of their own.
type Both<const ROWS: usize> =
    Tiled<F32, Shape2<ROWS, 7>, Order2<1, 0>, (Tile2<8, 128>,), (Bounded<3>,)>;

#[test]
fn rows_of_other_current_sizes_do_not_meet() {
    let mut cache = Packed::<Both<8>>::filled(1.0);
    cache.set_len(0, 3).unwrap();
    cache.set_len(1, 5).unwrap();
    for columns in [4, 5, 6] {
        let mut rows = Packed::<Both<2>>::zeroed().unwrap();
        rows.as_bytes_mut().fill(0xFF);
        rows.set_len(1, columns).unwrap();
        let fits = columns == 5;
        let (mut updated, mut appended) = (cache.clone(), cache.clone());
        let (update, append) = (updated.update_rows(1, &rows), appended.append_rows(&rows));
        let joined = std::panic::catch_unwind(|| cache.concatenate::<0, _, Both<10>>(&rows));
        if fits {
            assert!(update.is_ok() && append.is_ok());
            assert_eq!(joined.unwrap().dims(), [5, 5]);
            continue;
        }
        for (result, array) in [(update, updated), (append, appended)] {
            assert!(matches!(result, Err(PackError::Sizes { .. })), "{columns}: {result:?}");
            assert_eq!(array, cache);
        }
        assert!(joined.is_err(), "{columns}");
    }
}
