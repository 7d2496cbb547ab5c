//! Products of two element types, with a third as the result.
use tensor_layout::{BF16, F32, Layout, MatmulElement, Packed, ProductOf, matmul, matmul_into, try_matmul, tiled, tpu, types::Shape2};

type A = tpu!(bf16[20,30]);
type B = tpu!(bf16[30,40]);

/// The result can have any type that sums can have.
fn sums<L, M, C, E>(a: &Packed<L>, b: &Packed<M>) -> Packed<C>
where
    L: Layout<Element = E, Shape = Shape2<20, 30>>,
    M: Layout<Element = E, Shape = Shape2<30, 40>>,
    C: Layout<Element = E::Sum, Shape = Shape2<20, 40>>,
    E: MatmulElement,
{
    matmul(a, b)
}

fn squares<const N: usize>(a: &Packed<tiled!(f32[N,N])>) -> Packed<tiled!(f32[N,N])> {
    matmul(a, a)
}

/// The one bound that a product of any layouts needs.
fn linear<A: Layout, B: Layout, C: ProductOf<A, B>>(a: &Packed<A>, b: &Packed<B>) -> Packed<C> {
    let mut c: Packed<C> = try_matmul(a, b).unwrap();
    matmul_into(a, b, &mut c);
    matmul_into(a, b, &mut c.as_mut());
    matmul(a, b)
}

fn is<E: MatmulElement<Right, Sum = F32>, Right: tensor_layout::Element>() {}

fn main() {
    let (a, b) = (Packed::<A>::zeroed().unwrap(), Packed::<B>::zeroed().unwrap());
    let rounded = matmul::<_, _, tpu!(bf16[20,40])>(&a, &b);
    let wide = Packed::<tiled!(f32[40,50])>::zeroed().unwrap();
    let mut c = Packed::<tiled!(f16[20,50]{0,1})>::zeroed().unwrap();
    matmul_into(&rounded, &wide, &mut c);
    let _: Packed<tiled!(f32[20,40])> = sums(&a, &b);
    let _: Packed<tiled!(f32[20,40])> = linear(&a, &b);
    let batch = Packed::<tiled!(s8[5,30,40])>::zeroed().unwrap();
    let _: Packed<tiled!(bf16[5,20,40])> = linear(&a, &batch);
    let _ = squares::<3>(&Packed::zeroed().unwrap());
    is::<BF16, F32>();
}
