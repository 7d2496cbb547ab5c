use super::check;
use super::reference::Random;

#[test]
fn any_layout_of_any_array_agrees_with_the_reference() {
    let mut random = Random(1);
    for _ in 0..800 {
        let (dtype, dims) = (random.dtype(), random.dims());
        let (layout, other) = (random.layout(dtype, &dims), random.layout(dtype, &dims));
        check(&layout, &other, &mut random);
    }
}

/// Few enough for a run under Valgrind.
#[test]
fn a_few_small_arrays_agree_with_the_reference() {
    let mut random = Random(3);
    for _ in 0..24 {
        let (dtype, dims) = (random.dtype(), random.dims());
        let (layout, other) = (random.layout(dtype, &dims), random.layout(dtype, &dims));
        check(&layout, &other, &mut random);
    }
}
