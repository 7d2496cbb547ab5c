//! Products that are added to existing elements.

use super::super::epilogue::Epilogue;
use super::super::micro_kernel::MicroKernel;
use super::super::types::{self, MatmulElement, RoundedFrom};
use super::mixed::{Value, numbers};
use super::{LAYOUTS, eager, entry, spec, twin};
use crate::compute::Product;
use crate::element::*;
use crate::movement::DynLayout;
use crate::movement::tests::reference::{Random, fill_padding};
use crate::tiled;
use crate::typed::Packed;
use layout_core::dtype::DType;

/// Adds one to each number.
pub(super) struct One;

impl Epilogue<f32> for One {
    fn apply(&self, _: usize, _: usize, _: usize, numbers: &mut [f32]) {
        numbers.iter_mut().for_each(|x| *x += 1.0);
    }
}

impl Epilogue<f64> for One {
    fn apply(&self, _: usize, _: usize, _: usize, numbers: &mut [f64]) {
        numbers.iter_mut().for_each(|x| *x += 1.0);
    }
}

/// Random products with every kernel, added to elements of a third type; padding does not change.
fn check<A: Value + MatmulElement<A>, C: Value + RoundedFrom<A::Sum>>()
where
    One: Epilogue<<A::Sum as types::Sum>::Number>,
{
    let mut random = Random(15);
    let mut kernels = Vec::new();
    MicroKernel::each([A::DTYPE; 2], |kernel| kernels.extend(eager(kernel)));
    kernels.extend(twin::kernel([A::DTYPE; 2]));
    for kernel in kernels {
        let shallow = MicroKernel { depth: if kernel.tiles.is_some() { 20 } else { 4 }, ..kernel };
        for (round, kernel) in [kernel, kernel, kernel, shallow, shallow].into_iter().enumerate() {
            let [m, k, n] = match round {
                0 => [3, 20, 300],
                3 => [70, 30, 50],
                _ => core::array::from_fn(|_| random.below(50)),
            };
            let layouts: [&str; 3] = core::array::from_fn(|_| LAYOUTS[random.below(LAYOUTS.len())]);
            let layouts =
                if round == 0 { ["{1,0}", "{1,0:T(8,128)}", layouts[2]] } else { layouts };
            let (a, b) = (numbers(&mut random, m * k, true), numbers(&mut random, k * n, true));
            let c = numbers(&mut random, m * n, true);
            let [a_spec, b_spec] = [[m, k, 0], [k, n, 1]]
                .map(|[rows, columns, i]| spec(A::DTYPE, rows, columns, layouts[i]));
            let c_spec = spec(C::DTYPE, m, n, layouts[2]);
            let host = |x: &[f64]| -> Vec<_> { x.iter().map(|x| A::of(*x)).collect() };
            let mut a_packed = a_spec.pack::<A>(&host(&a)).unwrap();
            let mut b_packed = b_spec.pack::<A>(&host(&b)).unwrap();
            fill_padding(&a_spec, &mut a_packed);
            fill_padding(&b_spec, &mut b_packed);
            let host: Vec<_> = c.iter().map(|x| C::of(*x)).collect();
            for (before, epilogue) in [(1.0, false), (1.0, true), (-2.0, false)] {
                let mut c_packed = c_spec.pack::<C>(&host).unwrap();
                fill_padding(&c_spec, &mut c_packed);
                let steps: Option<&dyn Epilogue<_>> = if epilogue { Some(&One) } else { None };
                entry::multiply::<A::Sum>(
                    kernel,
                    [m, k, n],
                    (&a_spec, &a_packed),
                    (&b_spec, &b_packed),
                    (&c_spec, &mut c_packed),
                    Some(before),
                    steps.map(|steps| (steps, 0)),
                )
                .unwrap();
                let element = |at: usize| {
                    let (i, j) = (at / n, at % n);
                    let sum = (0..k).fold(0.0, |sum, x| sum + a[i * k + x] * b[x * n + j]);
                    C::of(f64::from(before) * c[at] + sum + f64::from(u8::from(epilogue)))
                };
                let expected: Vec<_> = (0..m * n).map(element).collect();
                let mut expected = c_spec.pack::<C>(&expected).unwrap();
                fill_padding(&c_spec, &mut expected);
                let text = || format!("{a_spec} * {b_spec} + {before} {c_spec} with {kernel:?}");
                assert!(c_packed == expected, "{}", text());
            }
        }
    }
}

#[test]
fn products_are_added_to_what_there_is() {
    check::<F32, F32>();
    check::<F64, F64>();
    check::<BF16, F32>();
    check::<BF16, BF16>();
    check::<S8, S32>();
    check::<S8, S8>();
    check::<F32, F8E4M3FN>();
}

/// The product is first added to a copy: of a matrix in nested tiles, and of an array whose matrices are not contiguous.
#[test]
fn padding_of_arrays_that_are_copied_does_not_change() {
    macro_rules! check {
        ($A:ty, $C:ty) => {{
            let ones = Packed::<$A>::filled(1.0);
            let packed = |value: f32| {
                let mut bytes = Packed::<$C>::filled(value).as_bytes().to_vec();
                fill_padding(&<$C>::SPEC, &mut bytes);
                Packed::<$C>::from_bytes(&bytes).unwrap()
            };
            for (beta, scale) in [(1.0, 1.0), (0.5, 1.0), (1.0, 2.0)] {
                let mut c = packed(10.0);
                Product::of(&ones, &ones).scale(scale).add_to_scaled(beta, &mut c);
                let expected = packed(10.0 * beta + 3.0 * scale);
                assert_eq!(c.as_bytes(), expected.as_bytes(), "{}", <$C>::SPEC);
            }
        }};
    }
    check!(tiled!(f32[3,3]), tiled!(f32[3,3]{1,0:T(4,4)(2,2)}));
    check!(tiled!(f32[3,3]), tiled!(f32[3,3]{0,1:T(4,4)}));
    check!(tiled!(f32[2,3,3]), tiled!(f32[2,3,3]{2,0,1:T(4,4)}));
}

#[test]
fn sums_of_integers_wrap_in_any_layout() {
    let ones = spec(DType::S8, 3, 3, "{1,0}");
    let one = ones.pack::<S8>(&[1; 9]).unwrap();
    for layout in LAYOUTS {
        let sums = spec(DType::S32, 3, 3, layout);
        let mut c = sums.pack::<S32>(&[i32::MAX; 9]).unwrap();
        let kernel = MicroKernel::choose([DType::S8; 2]);
        let (a, c_array) = ((&ones, &one[..]), (&sums, &mut c[..]));
        entry::multiply::<S32>(kernel, [3; 3], a, a, c_array, Some(1.0), None).unwrap();
        assert_eq!(sums.unpack::<S32>(&c).unwrap(), [i32::MIN + 2; 9], "{sums}");
    }
}
