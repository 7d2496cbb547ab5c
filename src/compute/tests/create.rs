use super::*;

fn check<L: Layout>() {
    let spec = <L as Layout>::SPEC;
    let packed = noisy::<L>(&mut Random(11));
    let all = indices::<L>();
    assert_eq!((packed.iter().len(), packed.indexed_iter().len()), (all.len(), all.len()));
    let values: Vec<_> = packed.indexed_iter().map(|(i, x)| (i, bits::<L>(x))).collect();
    let expected: Vec<_> = all.iter().map(|&i| (i, bits::<L>(packed.get(i)))).collect();
    assert_eq!(values, expected, "{spec}");
    let unindexed: Vec<_> = (&packed).into_iter().map(bits::<L>).collect();
    assert!(unindexed.iter().eq(expected.iter().map(|(_, x)| x)), "{spec}");

    let (mut calls, mut sum) = (0, vec![0; L::RANK]);
    let copy = Packed::<L>::from_fn(|index| {
        calls += 1;
        sum.iter_mut().zip(index.as_ref()).for_each(|(sum, i)| *sum += i);
        packed.get(index)
    });
    assert_eq!((calls, copy == packed), (all.len(), true), "{spec}");
    let mut padding = copy.as_bytes().to_vec();
    reference::fill_padding(&spec, &mut padding);
    assert_eq!(padding, packed.as_bytes(), "{spec}");

    if let Some(&index) = all.last() {
        let value = packed.get(index);
        let filled = Packed::<L>::filled(value);
        assert!(filled.iter().all(|x| bits::<L>(x) == bits::<L>(value)), "{spec}");
    }
}

#[test]
fn elements_come_from_functions_and_go_to_iterators() {
    for_direct!(check);
    for_others!(check);
    check::<layout!(C64 [9, 40] {1, 0} [8, 16])>();
}

#[test]
fn a_value_that_does_not_fit_keeps_its_low_bits() {
    type Nibbles = Tiled<S4, Shape1<3>, Order1<0>, (), (ElementBits<4>,)>;
    assert_eq!(Packed::<Nibbles>::filled(9).unpack(), [-7; 3]);
    assert_eq!(Packed::<Nibbles>::from_fn(|[i]| i as i8 + 7).unpack(), [7, -8, -7]);
}
