use super::*;

/// Another value of the same type that depends on both: its bytes are added to those of a number.
fn add<T: HostValue>(x: T, n: u8) -> T {
    let mut le = [0; 16];
    x.write_le(&mut le);
    le[0] = le[0].wrapping_add(n);
    T::from_le(&le)
}

fn check<L: Layout>() {
    let spec = <L as Layout>::SPEC;
    let before = noisy::<L>(&mut Random(9));
    for dims in subsets(L::RANK) {
        let sizes: Vec<usize> = dims.iter().map(|&dim| spec.dims()[dim]).collect();
        let values: Vec<u8> = (0..sizes.iter().product()).map(|n: usize| (n * 7) as u8).collect();
        let mut expected = before.as_bytes().to_vec();
        for index in indices::<L>() {
            let at: Vec<usize> = dims.iter().map(|&dim| index.as_ref()[dim]).collect();
            let mut le = [0; 16];
            add(before.get(index), values[reference::position(&sizes, &at)]).write_le(&mut le);
            le[0] = spec.dtype().normalize(le[0]);
            let (bits, value) = (spec.stored_bits(), u128::from_le_bytes(le));
            crate::movement::element::store(&mut expected, bits, L::offset(index), value);
        }
        let after = before.zip_broadcast(&dims, &values, add);
        assert!(after.as_bytes() == expected, "{spec} with {dims:?}, padding as it was");
    }
}

#[test]
fn each_element_meets_the_value_at_its_index() {
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        for_direct!(check);
        for_others!(check);
    }
}

#[test]
#[should_panic(expected = "2 values are given, but dimensions [1] have 3 indices")]
fn a_row_that_is_too_short() {
    let mut rows = Packed::<layout!(F32 [2, 3] {1, 0})>::zeroed().unwrap();
    rows.zip_broadcast_in_place(&[1], &[1.0, 2.0], |x, y| x + y);
}

#[test]
#[should_panic(expected = "dimension 0 is given twice")]
fn a_dimension_that_is_given_twice() {
    let rows = Packed::<layout!(F32 [2, 3] {1, 0})>::zeroed().unwrap();
    rows.zip_broadcast(&[0, 0], &[1.0; 4], |x, y| x + y);
}

#[test]
#[should_panic(expected = "the dimensions of a broadcast are in ascending order")]
fn dimensions_in_another_order() {
    let square = Packed::<layout!(F32 [2, 2] {1, 0})>::zeroed().unwrap();
    square.zip_broadcast(&[1, 0], &[1.0, 2.0, 3.0, 4.0], |x, y| x + y);
}

#[test]
#[should_panic(expected = "the dimensions of a broadcast are in ascending order")]
fn dimensions_in_another_order_at_run_time() {
    let mut square = Packed::<layout!(F32 [2, 2] {1, 0})>::zeroed().unwrap().into_dyn().unwrap();
    let _ = square.zip_broadcast_in_place(&[1, 0], &[1.0, 2.0, 3.0, 4.0], |x, y| x + y);
}
