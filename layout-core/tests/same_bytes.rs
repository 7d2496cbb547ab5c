//! The comparison of two layouts against every element, on random pairs.

mod random;

use layout_core::TiledSpec;
use random::{Random, indices, spec};

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
        same += usize::from(expected.is_none() && elements > 1);
        late += usize::from(expected.is_some_and(|number| number > elements / 2));
    }
    println!("{same} {late}");
}
