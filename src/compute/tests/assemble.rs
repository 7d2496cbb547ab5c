use super::*;
use crate::movement::PackError;

/// An array of known values in a layout, with garbage in its padding.
fn check_slices<
    L: Layout,
    M: Layout<Element = <L as Layout>::Element, Rank = L::Rank, Index = L::Index>,
>() {
    let random = &mut Random(51);
    let (whole, part) = (noisy::<L>(random), noisy::<M>(random));
    let mut first = L::Index::default();
    for (first, (size, part)) in
        first.as_mut().iter_mut().zip(L::DIMS.as_ref().iter().zip(M::DIMS.as_ref()))
    {
        *first = random.below(size - part + 1);
    }
    let slice = whole.slice::<M>(first);
    let mut updated = whole.clone();
    updated.update_slice(first, &part).unwrap();
    for index in indices::<M>() {
        let within = plus::<L>(index, first.as_ref());
        assert_eq!(bits::<M>(slice.get(index)), bits::<L>(whole.get(within)), "{index:?}");
        assert_eq!(bits::<L>(updated.get(within)), bits::<M>(part.get(index)), "{index:?}");
    }
    let mut restored = updated.clone();
    restored.update_slice(first, &slice).unwrap();
    assert_eq!(restored.as_bytes(), whole.as_bytes(), "nothing else changes, padding included");
}

#[test]
fn slices_are_read_and_written() {
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        check_slices::<
            layout!(F32 [60, 300] {1, 0} [8, 128]),
            layout!(F32 [17, 130] {0, 1} [8, 128]),
        >();
        check_slices::<
            layout!(BF16 [33, 130] {1, 0} [8, 128][2, 1]),
            layout!(BF16 [5, 13] {1, 0} [8, 128][2, 1]),
        >();
        check_slices::<
            layout!(S32 [5, 9, 130] {2, 1, 0} [4, 128]),
            layout!(S32 [5, 1, 70] {1, 0, 2}),
        >();
        check_slices::<
            Tiled<
                S4,
                Shape2<19, 70>,
                Order2<1, 0>,
                (Tile2<8, 128>, Tile2<8, 1>),
                (ElementBits<4>,),
            >,
            layout!(S4 [3, 69] {1, 0} [8, 128]),
        >();
        check_slices::<
            Tiled<F32, Shape3<4, 5, 6>, Order3<2, 1, 0>, (Tile3<{ Tile::COMBINE }, 3, 4>,)>,
            layout!(F32 [2, 5, 3] {2, 1, 0}),
        >();
        check_slices::<layout!(U8 [600, 700] {1, 0} [32, 128][4, 1]), layout!(U8 [500, 300] {0, 1})>(
        );
    }
    check_slices::<layout!(F32 [3, 4] {1, 0}), layout!(F32 [0, 4] {1, 0})>();
}

#[test]
fn parts_lie_within_the_array() {
    type L = layout!(F32 [3, 4] {1, 0} [8, 128]);
    type M = layout!(F32 [2, 2] {1, 0});
    let (mut whole, part) = (Packed::<L>::filled(1.0), Packed::<M>::filled(2.0));
    for (first, dim) in [([2, 0], 0), ([0, 3], 1), ([usize::MAX, 0], 0)] {
        let error = Err(PackError::Window { dim, layout: <L as Layout>::SPEC.into() });
        assert_eq!(whole.try_slice::<M>(first), error.clone().map(|()| part.clone()));
        assert_eq!(whole.update_slice(first, &part), error);
    }
    assert_eq!(
        whole
            .update_rows(2, &Packed::<layout!(F32 [2, 4] {1, 0})>::filled(2.0))
            .unwrap_err()
            .to_string(),
        "the window reaches out of dimension 0 of the layout `f32[3,4]{1,0:T(8,128)}`"
    );
    assert_eq!(whole, Packed::filled(1.0));
}

#[test]
#[should_panic(expected = "the window reaches out of dimension 1")]
fn a_slice_that_reaches_out_of_the_array() {
    let _ = Packed::<layout!(F32 [3, 4] {1, 0})>::filled(1.0)
        .slice::<layout!(F32 [1, 2] {1, 0})>([0, 3]);
}

#[test]
fn arrays_are_joined_along_any_dimension() {
    let random = &mut Random(52);
    let a = noisy::<layout!(BF16 [9, 30] {1, 0} [8, 128][2, 1])>(random);
    let b = noisy::<layout!(BF16 [4, 30] {0, 1} [8, 128])>(random);
    let c = noisy::<layout!(BF16 [9, 7] {0, 1})>(random);
    type Below = layout!(BF16 [13, 30] {1, 0} [8, 128][2, 1]);
    type Beside = layout!(BF16 [9, 37] {1, 0} [4, 16]);
    let below = a.concatenate::<0, _, Below>(&b);
    let beside = a.concatenate::<1, _, Beside>(&c);
    for [i, j] in indices::<Below>() {
        let expected = if i < 9 { a.get([i, j]) } else { b.get([i - 9, j]) };
        assert_eq!(below.get([i, j]).to_bits(), expected.to_bits());
    }
    for [i, j] in indices::<Beside>() {
        let expected = if j < 30 { a.get([i, j]) } else { c.get([i, j - 30]) };
        assert_eq!(beside.get([i, j]).to_bits(), expected.to_bits());
    }
}

/// `M` has five rows.
fn check_rows<
    L: Layout,
    M: Layout<Element = <L as Layout>::Element, Rank = L::Rank, Index = L::Index>,
>() {
    let random = &mut Random(53);
    let (table, rows) = (noisy::<L>(random), noisy::<M>(random));
    let last = L::DIMS.as_ref()[0] - 1;
    let numbers = [last, 0, 3, 3, last / 2];
    let gathered = table.gather_rows::<M>(&numbers);
    let (first, mut updated) = (last - 4, table.clone());
    updated.update_rows(first, &rows).unwrap();
    for index in indices::<M>() {
        let (mut from, mut to) = (index, index);
        from.as_mut()[0] = numbers[index.as_ref()[0]];
        to.as_mut()[0] += first;
        assert_eq!(bits::<M>(gathered.get(index)), bits::<L>(table.get(from)), "{index:?}");
        assert_eq!(bits::<L>(updated.get(to)), bits::<M>(rows.get(index)), "{index:?}");
    }
    let kept = table.gather_rows::<M>(&[last - 4, last - 3, last - 2, last - 1, last]);
    updated.update_rows(first, &kept).unwrap();
    assert_eq!(updated.as_bytes(), table.as_bytes(), "nothing else changes, padding included");
}

#[test]
fn rows_are_gathered_and_written() {
    check_rows::<layout!(F32 [60, 300] {1, 0} [8, 128]), layout!(F32 [5, 300] {1, 0} [8, 128])>();
    check_rows::<
        layout!(BF16 [33, 130] {1, 0} [8, 128][2, 1]),
        layout!(BF16 [5, 130] {1, 0} [8, 128][2, 1]),
    >();
    check_rows::<layout!(S32 [9, 5, 130] {2, 1, 0} [4, 128]), layout!(S32 [5, 5, 130] {0, 1, 2})>();
    check_rows::<layout!(U8 [40] {0} [8]), layout!(U8 [5] {0})>();
    check_rows::<
        Tiled<S4, Shape2<19, 70>, Order2<1, 0>, (Tile2<8, 128>, Tile2<8, 1>), (ElementBits<4>,)>,
        layout!(S4 [5, 70] {1, 0} [8, 128]),
    >();
    check_rows::<
        Tiled<F32, Shape3<7, 5, 6>, Order3<2, 1, 0>, (Tile3<{ Tile::COMBINE }, 3, 4>,)>,
        layout!(F32 [5, 5, 6] {2, 1, 0}),
    >();
    check_rows::<layout!(F32 [6, 0] {1, 0}), layout!(F32 [5, 0] {1, 0})>();
}

#[test]
fn no_rows_are_gathered_and_written() {
    type Rows = layout!(F32 [3, 4] {1, 0} [8, 128]);
    type NoRows = layout!(F32 [0, 4] {1, 0});
    let mut rows = Packed::<Rows>::filled(1.0);
    let none = rows.gather_rows::<NoRows>(&[]);
    assert!(none.unpack().is_empty());
    rows.update_rows(3, &none).unwrap();
    assert_eq!(rows, Packed::filled(1.0));
    let mut empty = none.clone();
    empty.update_rows(0, &none.gather_rows::<NoRows>(&[])).unwrap();
    type Bounded = crate::tiled!(f32[<=3,4]);
    empty.update_rows(0, &Packed::<Bounded>::with_sizes([0, 4]).unwrap()).unwrap();
}

#[test]
#[should_panic(expected = "row 3 does not exist: the array has 3")]
fn a_row_that_does_not_exist() {
    Packed::<layout!(F32 [3, 4] {1, 0})>::filled(1.0)
        .gather_rows::<layout!(F32 [1, 4] {1, 0})>(&[3]);
}

#[test]
#[should_panic(
    expected = "the array has 1 indices in dimension 0, which `f32[2,4]{1,0}` cannot have"
)]
fn as_many_rows_as_the_layout_has() {
    Packed::<layout!(F32 [3, 4] {1, 0})>::filled(1.0)
        .gather_rows::<layout!(F32 [2, 4] {1, 0})>(&[1]);
}

#[test]
fn the_same_bytes_are_reshaped() {
    type Rows = layout!(BF16 [16, 128] {1, 0} [8, 128][2, 1]);
    type Blocks = layout!(BF16 [2, 8, 128] {2, 1, 0} [8, 128][2, 1]);
    let rows = noisy::<Rows>(&mut Random(54));
    let (bytes, at) = (rows.as_bytes().to_vec(), rows.as_bytes().as_ptr());
    let blocks = rows.reshape::<Blocks>();
    assert_eq!((blocks.as_bytes(), blocks.as_bytes().as_ptr()), (&bytes[..], at));
    assert_eq!(blocks.as_ref().reshape::<Rows>().get([9, 5]), blocks.get([1, 1, 5]));
}
