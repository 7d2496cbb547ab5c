//! Products with steps before their sums are rounded.

use crate::compute::{MatmulElement, Product, RowReduction};
use crate::element::*;
use crate::movement::tests::reference::Random;
use crate::typed::types::Shape2;
use crate::typed::{Host, Layout, Packed};
use crate::{tiled, tpu};
use half::bf16;

const M: usize = 45;
const K: usize = 30;
const N: usize = 170;

/// Every step, in any layouts, on numbers that are exact in `bf16`.
fn check<A, B, C, D, E>(of: fn(f32) -> Host<A>, to: fn(f32) -> Host<C>, add: fn(f32) -> Host<D>)
where
    A: Layout<Shape = Shape2<M, K>, Element = E>,
    B: Layout<Shape = Shape2<K, N>, Element = E>,
    C: Layout<Shape = Shape2<M, N>, Element: crate::RoundedFrom<E::Sum>>,
    D: Layout<Shape = Shape2<M, N>, Element: crate::RoundedFrom<E::Sum>>,
    E: MatmulElement,
    <E::Sum as crate::Sum>::Number: PartialOrd,
{
    let mut random = Random(12);
    let mut numbers =
        |count: usize| -> Vec<f32> { (0..count).map(|_| random.below(3) as f32 - 1.0).collect() };
    let (a, b, c) = (numbers(M * K), numbers(K * N), numbers(M * N));
    let (rows, columns) = (numbers(M), numbers(N));
    let (row_bias, column_bias) = (numbers(M), numbers(N));
    let a_packed = A::pack(&a.iter().map(|x| of(*x)).collect::<Vec<_>>()).unwrap();
    let b_packed = B::pack(&b.iter().map(|x| of(*x)).collect::<Vec<_>>()).unwrap();
    let c_packed = D::pack(&c.iter().map(|x| add(*x)).collect::<Vec<_>>()).unwrap();
    let product: Packed<C> = Product::of(&a_packed, &b_packed)
        .scale(2.0)
        .row_scales(&rows)
        .column_scales(&columns)
        .plus_scaled(3.0, &c_packed)
        .row_bias(&row_bias)
        .column_bias(&column_bias)
        .activation(|x| if x < 0.0.into() { 0.0.into() } else { x })
        .packed();
    let plain: Packed<C> = Product::of(&a_packed, &b_packed).packed();
    let expected = |steps: bool| -> Vec<Host<C>> {
        let element = |at: usize| {
            let (i, j) = (at / N, at % N);
            let sum: f32 = (0..K).map(|k| a[i * K + k] * b[k * N + j]).sum();
            if !steps {
                return to(sum);
            }
            let scaled = 2.0 * rows[i] * columns[j] * sum;
            to((scaled + 3.0 * c[at] + row_bias[i] + column_bias[j]).max(0.0))
        };
        (0..M * N).map(element).collect()
    };
    assert_eq!(product.unpack(), expected(true));
    check_rows::<A, B, C>(
        &a_packed,
        &b_packed,
        |i, reduce| {
            let sum = |j: usize| (0..K).map(|k| a[i * K + k] * b[k * N + j]).sum::<f32>();
            (0..N).map(|j| 2.0 * sum(j) + column_bias[j]).map(f64::from).reduce(reduce).unwrap()
        },
        &column_bias,
    );
    assert_eq!(product.as_bytes(), C::pack(&expected(true)).unwrap().as_bytes());
    assert_eq!(plain.unpack(), expected(false));
}

/// The results for each row.
fn check_rows<A, B, C>(
    a: &Packed<A>,
    b: &Packed<B>,
    expected: impl Fn(usize, fn(f64, f64) -> f64) -> f64,
    bias: &[f32],
) where
    A: Layout<Shape = Shape2<M, K>, Element: MatmulElement<B::Element>>,
    B: Layout<Shape = Shape2<K, N>>,
    C: Layout<
            Shape = Shape2<M, N>,
            Element: crate::RoundedFrom<<A::Element as MatmulElement<B::Element>>::Sum>,
        >,
{
    let product = Product::of(a, b).scale(2.0).column_bias(bias);
    for reduction in [RowReduction::Max, RowReduction::Sum] {
        let reduce = match reduction {
            RowReduction::Max => f64::max,
            _ => |a, b| a + b,
        };
        let (c, rows) = product.packed_with_rows::<C>(reduction);
        assert!(c == product.packed::<C>());
        assert_eq!(rows, (0..M).map(|i| expected(i, reduce)).collect::<Vec<_>>());
    }
}

#[test]
fn rows_of_batches_and_of_no_elements() {
    let a = Packed::<tpu!(bf16[3,2,4])>::from_fn(|[x, i, _]| bf16::from_f32((x * 2 + i) as f32));
    let b = Packed::<tpu!(bf16[4,5])>::filled(bf16::ONE);
    let (_, sums) = Product::of(&a, &b).packed_with_rows::<tpu!(f32[3,2,5])>(RowReduction::Sum);
    assert_eq!(sums, [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
    let none = Packed::<tiled!(bf16[4,0])>::zeroed().unwrap();
    let matrix = Packed::<tiled!(bf16[2,4])>::zeroed().unwrap();
    let (_, most) =
        Product::of(&matrix, &none).packed_with_rows::<tiled!(f32[2,0])>(RowReduction::Max);
    assert_eq!(most, [f64::NEG_INFINITY; 2]);
    let nan =
        Packed::<tiled!(bf16[2,4])>::from_fn(|[i, _]| if i == 0 { bf16::NAN } else { bf16::ONE });
    let (_, most) = Product::of(&nan, &b).packed_with_rows::<tiled!(f32[2,5])>(RowReduction::Max);
    assert!(most[0].is_nan() && most[1] == 4.0);
}

#[test]
fn all_steps_in_one_pass() {
    type RowMajor = tiled!(f32[45,170]);
    type Columns = tiled!(f32[45,170]{0,1:T(8,128)});
    check::<tpu!(f32[45,30]), tpu!(f32[30,170]), tpu!(f32[45,170]), RowMajor, F32>(
        |x| x,
        |x| x,
        |x| x,
    );
    check::<tpu!(bf16[45,30]), tpu!(bf16[30,170]), tpu!(bf16[45,170]), Columns, BF16>(
        bf16::from_f32,
        bf16::from_f32,
        |x| x,
    );
    check::<tpu!(bf16[45,30]), tiled!(bf16[30,170]), Columns, tpu!(bf16[45,170]), BF16>(
        bf16::from_f32,
        |x| x,
        bf16::from_f32,
    );
    check::<tpu!(s8[45,30]), tpu!(s8[30,170]), tpu!(s8[45,170]), tpu!(s32[45,170]), S8>(
        |x| x as i8,
        |x| x as i8,
        |x| x as i32,
    );
}

#[test]
fn integers_stay_exact() {
    type Square = tiled!(s8[2,2]);
    type Sums = tiled!(s32[2,2]);
    let a = Square::pack(&[1, 0, 0, 1]).unwrap();
    let c = Sums::pack(&[(1 << 24) + 1, i32::MAX, i32::MIN, -5]).unwrap();
    let sums = Product::of(&a, &a).plus(&c).packed::<Sums>();
    assert_eq!(sums.unpack(), [(1 << 24) + 2, i32::MAX, i32::MIN, -4]);
}

#[test]
#[should_panic(expected = "there are 3 row scales, but the product has 2 rows")]
fn a_list_of_another_length() {
    let a = Packed::<tiled!(f32[2,2])>::zeroed().unwrap();
    let _ = Product::of(&a, &a).row_scales(&[1.0; 3]);
}
