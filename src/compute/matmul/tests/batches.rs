//! Products of batches of matrices, as types.

use crate::compute::{
    MatmulElement, MatrixShape, Product, ProductOf, RoundedFrom, matmul, matmul_into,
};
use crate::movement::tests::reference::{Random, indices, position};
use crate::typed::{Host, Layout, Packed, SameShape};
use crate::{tiled, tpu};
use half::bf16;

/// The position in an operand of a batch of an element of a matrix.
fn at(dims: &[usize], batch: &[usize], element: [usize; 2]) -> usize {
    let own = dims.len() - 2;
    let batch = &batch[batch.len() - own..];
    let index: Vec<usize> = dims
        .iter()
        .zip(batch)
        .map(|(dim, i)| if *dim == 1 { 0 } else { *i })
        .chain(element)
        .collect();
    position(dims, &index)
}

/// All steps, with numbers for each matrix and with numbers for all of them.
fn check<A, B, C, D>(
    of: fn(f32) -> Host<A>,
    b_of: fn(f32) -> Host<B>,
    to: fn(f32) -> Host<C>,
    add: fn(f32) -> Host<D>,
) where
    A: Layout<Element: MatmulElement<B::Element>, Shape: MatrixShape<B::Shape>>,
    B: Layout,
    C: ProductOf<A, B>
        + Layout<
            Shape: SameShape<<A::Shape as MatrixShape<B::Shape>>::Product>,
            Element: RoundedFrom<<A::Element as MatmulElement<B::Element>>::Sum>,
        >,
    D: Layout<
            Shape: SameShape<<A::Shape as MatrixShape<B::Shape>>::Product>,
            Element: RoundedFrom<<A::Element as MatmulElement<B::Element>>::Sum>,
        >,
    <<A::Element as MatmulElement<B::Element>>::Sum as crate::Sum>::Number: PartialOrd,
{
    let (a_dims, b_dims, c_dims) = (A::DIMS, B::DIMS, C::DIMS);
    let (a_dims, b_dims, c_dims) = (a_dims.as_ref(), b_dims.as_ref(), c_dims.as_ref());
    let (own, inner) = (c_dims.len() - 2, a_dims[a_dims.len() - 1]);
    let (count, [m, n]) = (c_dims[..own].iter().product::<usize>(), [c_dims[own], c_dims[own + 1]]);
    let mut random = Random(31);
    let mut numbers =
        |count: usize| -> Vec<f32> { (0..count).map(|_| random.below(3) as f32 - 1.0).collect() };
    let a = numbers(a_dims.iter().product());
    let b = numbers(b_dims.iter().product());
    let c = numbers(c_dims.iter().product());
    let (rows, columns) = (numbers(count * m), numbers(n));
    let (row_bias, column_bias) = (numbers(m), numbers(count * n));
    let a_packed = A::pack(&a.iter().map(|x| of(*x)).collect::<Vec<_>>()).unwrap();
    let b_packed = B::pack(&b.iter().map(|x| b_of(*x)).collect::<Vec<_>>()).unwrap();
    let c_packed = D::pack(&c.iter().map(|x| add(*x)).collect::<Vec<_>>()).unwrap();
    let expected = |steps: bool| -> Vec<Host<C>> {
        indices(c_dims)
            .map(|index| {
                let (batch, i, j) = (&index[..own], index[own], index[own + 1]);
                let sum: f32 = (0..inner)
                    .map(|k| a[at(a_dims, batch, [i, k])] * b[at(b_dims, batch, [k, j])])
                    .sum();
                if !steps {
                    return to(sum);
                }
                let matrix = position(&c_dims[..own], batch);
                let scaled = 2.0 * rows[matrix * m + i] * columns[j] * sum;
                let added = scaled + 3.0 * c[position(c_dims, &index)] + row_bias[i];
                to((added + column_bias[matrix * n + j]).max(0.0))
            })
            .collect()
    };
    let product: Packed<C> = Product::of(&a_packed, &b_packed)
        .scale(2.0)
        .row_scales(&rows)
        .column_scales(&columns)
        .plus_scaled(3.0, &c_packed)
        .row_bias(&row_bias)
        .column_bias(&column_bias)
        .activation(|x| if x < 0.0.into() { 0.0.into() } else { x })
        .packed();
    assert_eq!(product.unpack(), expected(true));
    assert_eq!(product.as_bytes(), C::pack(&expected(true)).unwrap().as_bytes());
    let plain: Packed<C> = matmul(&a_packed, &b_packed);
    assert_eq!(plain.unpack(), expected(false));
    let mut twice = plain.try_clone().unwrap();
    matmul_into(&a_packed, &b_packed, &mut twice);
    assert_eq!(twice, plain);
}

#[test]
fn batches_of_equal_sizes_and_of_one() {
    type Residual = tiled!(f32[4,21,33]{0,2,1});
    check::<tpu!(f32[4,21,17]), tpu!(f32[4,17,33]), tpu!(f32[4,21,33]), Residual>(
        |x| x,
        |x| x,
        |x| x,
        |x| x,
    );
    check::<tpu!(bf16[4,21,17]), tpu!(bf16[1,17,33]), tpu!(bf16[4,21,33]), Residual>(
        bf16::from_f32,
        bf16::from_f32,
        bf16::from_f32,
        |x| x,
    );
    check::<tpu!(s8[21,17]), tpu!(s8[4,17,33]), tpu!(s32[4,21,33]), Residual>(
        |x| x as i8,
        |x| x as i8,
        |x| x as i32,
        |x| x,
    );
    check::<tpu!(bf16[2,1,9,17]), tpu!(s8[1,3,17,33]), tpu!(bf16[2,3,9,33]), tpu!(bf16[2,3,9,33])>(
        bf16::from_f32,
        |x| x as i8,
        bf16::from_f32,
        bf16::from_f32,
    );
    // Batches that are not contiguous, columns that are, and matrices in tiles of three dimensions.
    check::<
        tiled!(f32[4,21,17]{0,2,1}),
        tiled!(f32[4,17,33]{1,2,0:T(8,128)}),
        tiled!(f32[4,21,33]{2,1,0:T(2,4,8)}),
        tiled!(f32[4,21,33]{2,0,1}),
    >(|x| x, |x| x, |x| x, |x| x);
    check::<tiled!(f64[2,3,5]), tiled!(f64[5,4]), tiled!(f64[2,3,4]), tiled!(f32[2,3,4])>(
        |x| x.into(),
        |x| x.into(),
        |x| x.into(),
        |x| x,
    );
}

#[test]
fn batches_of_run_time_sizes() {
    type A = tiled!(f32[<=5,<=20,<=30]{2,1,0:T(8,128)});
    type B = tiled!(f32[<=5,<=30,40]{2,1,0:T(8,128)});
    type C = tiled!(f32[<=5,<=20,40]{2,1,0:T(8,128)});
    type Fixed = tiled!(bf16[5,20,40]{2,1,0:T(8,128)(2,1)});
    let noise = |bytes: &mut [u8]| bytes.fill(0xFF);
    for [batch, m, k] in [[5, 20, 30], [3, 7, 11], [0, 4, 4], [2, 0, 3], [4, 3, 0]] {
        let mut a = Packed::<A>::with_sizes([batch, m, k]).unwrap();
        let mut b = Packed::<B>::with_sizes([batch, k, 40]).unwrap();
        noise(a.as_bytes_mut());
        noise(b.as_bytes_mut());
        let value = |x: [usize; 3]| ((x[0] * 5 + x[1] * 3 + x[2]) % 7) as f32 - 3.0;
        indices(&[batch, m, k])
            .for_each(|i| a.set([i[0], i[1], i[2]], value([i[0], i[1], i[2]])).unwrap());
        indices(&[batch, k, 40])
            .for_each(|i| b.set([i[0], i[1], i[2]], value([i[1], i[2], i[0]])).unwrap());
        let sum = |i: &[usize]| -> f32 {
            (0..k).fold(0.0, |sum, x| sum + value([i[0], i[1], x]) * value([x, i[2], i[0]]))
        };
        let c: Packed<C> = matmul(&a, &b);
        assert_eq!(c.dims(), [batch, m, 40]);
        assert_eq!(c.unpack(), indices(&[batch, m, 40]).map(|i| sum(&i)).collect::<Vec<_>>());
        let mut fixed = Packed::<Fixed>::zeroed().unwrap();
        noise(fixed.as_bytes_mut());
        Product::of(&a, &b).scale(0.5).write_to(&mut fixed);
        let expected = Packed::<Fixed>::from_fn(|[x, i, j]| {
            bf16::from_f32(if x < batch && i < m { sum(&[x, i, j]) * 0.5 } else { 0.0 })
        });
        assert!(fixed.as_bytes() == expected.as_bytes(), "{batch} x {m} x {k}");
    }
}

#[test]
#[should_panic(expected = "there are 7 row scales, but the product has 3 rows")]
fn scales_for_another_batch() {
    let a = Packed::<tiled!(f32[2,3,4])>::zeroed().unwrap();
    let b = Packed::<tiled!(f32[4,4])>::zeroed().unwrap();
    let _ = Product::of(&a, &b).row_scales(&[1.0; 7]);
}
