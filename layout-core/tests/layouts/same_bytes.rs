//! The comparison of two layouts, checked against every element of random pairs.

use super::random::{Random, indices, spec};
use layout_core::TiledSpec;
use layout_core::parts::Agreement;
use layout_core::tiled::{Draft, List, Tile};

fn difference_by_hand(a: &TiledSpec, b: &TiledSpec) -> Option<usize> {
    let (x, y) = (indices(a.dims()), indices(b.dims()));
    x.iter().zip(&y).position(|(x, y)| a.offset(x) != b.offset(y))
}

#[test]
fn first_difference_is_the_first() {
    let mut random = Random::new(7);
    let (mut same, mut late) = (0, 0);
    for round in 0..60_000 {
        let elements = random.pick(&[1, 2, 6, 8, 12, 16, 24, 30, 36, 48, 60, 64]);
        let combine = round % 2 == 0;
        let (x, y) = (random.factors(elements), random.factors(elements));
        let a = spec(random.layout(&x, combine));
        let b = spec(random.layout(&y, combine));
        let expected = difference_by_hand(&a, &b);
        assert_eq!(a.map().first_difference(b.map()), expected, "{a} {b}");
        assert_eq!(b.map().first_difference(a.map()), expected, "{b} {a}");
        match a.agreement(&b, random.below(8)) {
            Agreement::All => assert_eq!(expected, None, "{a} {b}"),
            Agreement::Before(number) => assert_eq!(expected, Some(number), "{a} {b}"),
            Agreement::AtLeast(number) => {
                assert!(expected.is_none_or(|expected| expected >= number), "{a} {b}");
            }
        }
        assert_eq!(a.agreement(&a, 0), Agreement::All, "{a}");
        same += usize::from(expected.is_none() && elements > 1);
        late += usize::from(expected.is_some_and(|number| number > elements / 2));
    }
    println!("{same} {late}");
}

/// All orders of the numbers below `len`.
fn orders(len: usize) -> Vec<Vec<usize>> {
    if len == 0 {
        return vec![vec![]];
    }
    let longer = |order: Vec<usize>| {
        (0..len).map(move |at| {
            let mut longer = order.clone();
            longer.insert(at, len - 1);
            longer
        })
    };
    orders(len - 1).into_iter().flat_map(longer).collect()
}

/// Whether an array of `dims` has an order, with the tiles of `draft`, in which each element has the offset that it has in `spec`.
fn can_align(spec: &TiledSpec, draft: Draft, dims: &[usize]) -> bool {
    orders(dims.len()).iter().any(|order| {
        let mut draft: Draft = draft;
        (draft.dims, draft.padded) = (List::of(dims).unwrap(), None);
        draft.minor_to_major = List::of(order).unwrap();
        draft.validate().is_ok_and(|other| difference_by_hand(spec, &other).is_none())
    })
}

#[test]
fn an_aligned_layout_is_found_wherever_there_is_one() {
    let mut random = Random::new(17);
    let mut found = 0;
    for round in 0..4000 {
        let elements = random.pick(&[2, 4, 6, 8, 12, 16, 24, 36]);
        let mut reshaped = random.factors(elements);
        for _ in 0..random.below(3) {
            reshaped.insert(random.below(reshaped.len() + 1), 1);
        }
        reshaped.truncate(5);
        if reshaped.iter().product::<usize>() != elements {
            continue;
        }
        let dims = random.factors(elements);
        let spec = spec(random.layout(&dims, round % 4 == 0));
        let tiled = *spec.draft();
        let plain = Draft { tiles: List::new(Tile::new(0)), tail_alignment: 1, ..tiled };
        let expected = can_align(&spec, tiled, &reshaped) || can_align(&spec, plain, &reshaped);
        let aligned = spec.align_layout(&reshaped);
        assert_eq!(aligned.is_some(), expected, "{spec} to {reshaped:?}: {aligned:?}");
        if let Some(aligned) = aligned {
            assert_eq!(difference_by_hand(&spec, &aligned), None, "{spec} to {aligned}");
            found += 1;
        }
    }
    assert!(found > 400, "{found}");
}
