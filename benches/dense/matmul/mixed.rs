//! Products of few rows whose weights have another type than the rows, compared with reading the bytes of `B`.

use super::race::Runner;
use super::{Table, read};
use std::hint::black_box;
use tensor_layout::types::Shape2;
use tensor_layout::{Layout, MatmulElement, OperandMut, Packed, matmul_into, tiled};

/// An array of equal bytes, which are numbers in every type. An array of zeros would not have memory of its own.
fn filled<L: Layout>() -> Packed<L> {
    let mut packed = Packed::<L>::zeroed().expect("memory");
    packed.view_mut().as_bytes_mut().fill(0x38);
    packed
}

fn product<'a, A, B, C, const M: usize, const K: usize, const N: usize>(name: &str) -> Runner<'a>
where
    A: Layout<Shape = Shape2<M, K>, Element: MatmulElement<B::Element>>,
    B: Layout<Shape = Shape2<K, N>>,
    C: Layout<Shape = Shape2<M, N>, Element = <A::Element as MatmulElement<B::Element>>::Sum>,
{
    let (a, b, mut c) = (filled::<A>(), filled::<B>(), filled::<C>());
    let run = move || matmul_into(black_box(&a), black_box(&b), &mut c);
    (name.to_owned(), Box::new(run))
}

/// A row for each pair of types: `A` is row-major, and `B` is in the tiles of words and row-major.
pub(crate) fn shape<const M: usize, const K: usize, const N: usize>(table: &Table) {
    macro_rules! pairs {
        ($($a:ident x $b:ident $bits:literal [$($tiles:tt)+] -> $c:ident;)*) => { $(
            let name = format!(concat!(stringify!($a), " x ", stringify!($b), " {}x{}x{}"), M, K, N);
            if table.wants(&name) {
                let mut runners = vec![
                    product::<tiled!($a[M,K]), tiled!($b[K,N]{1,0:$($tiles)+}), tiled!($c[M,N]), M, K, N>(
                        concat!("rows x ", stringify!($($tiles)+)),
                    ),
                    product::<tiled!($a[M,K]), tiled!($b[K,N]), tiled!($c[M,N]), M, K, N>("rows x rows"),
                    read::read(K * N * $bits / 8),
                ];
                table.row(&name, 2 * M * K * N, f64::NAN, 2, &mut runners);
            }
        )* };
    }
    pairs! {
        bf16 x s8 8 [T(8,128)(4,1)] -> f32;
        bf16 x u8 8 [T(8,128)(4,1)] -> f32;
        bf16 x f8e4m3fn 8 [T(8,128)(4,1)] -> f32;
        bf16 x f8e5m2 8 [T(8,128)(4,1)] -> f32;
        bf16 x f16 16 [T(8,128)(2,1)] -> f32;
        bf16 x f32 32 [T(8,128)] -> f32;
        f16 x s8 8 [T(8,128)(4,1)] -> f32;
        f16 x f8e4m3fn 8 [T(8,128)(4,1)] -> f32;
        f16 x f16 16 [T(8,128)(2,1)] -> f32;
        f16 x bf16 16 [T(8,128)(2,1)] -> f32;
        f32 x s8 8 [T(8,128)(4,1)] -> f32;
        f32 x u8 8 [T(8,128)(4,1)] -> f32;
        f32 x f8e4m3fn 8 [T(8,128)(4,1)] -> f32;
        f32 x bf16 16 [T(8,128)(2,1)] -> f32;
        f32 x f16 16 [T(8,128)(2,1)] -> f32;
        f8e4m3fn x bf16 16 [T(8,128)(2,1)] -> f32;
        f8e4m3fn x f8e4m3fn 8 [T(8,128)(4,1)] -> f32;
        f8e5m2 x s8 8 [T(8,128)(4,1)] -> f32;
        s8 x bf16 16 [T(8,128)(2,1)] -> f32;
        s8 x f32 32 [T(8,128)] -> f32;
        u8 x s8 8 [T(8,128)(4,1)] -> s32;
        s8 x u8 8 [T(8,128)(4,1)] -> s32;
        u8 x u8 8 [T(8,128)(4,1)] -> s32;
        s4 x s8 8 [T(8,128)(4,1)] -> s32;
        u4 x s8 8 [T(8,128)(4,1)] -> s32;
    }
    macro_rules! nibbles {
        ($($a:ident x $b:ident -> $c:ident;)*) => { $(
            let name = format!(concat!(stringify!($a), " x ", stringify!($b), " {}x{}x{}"), M, K, N);
            if table.wants(&name) {
                let mut runners = vec![
                    product::<tiled!($a[M,K]), tiled!($b[K,N]{1,0:T(64,128)(8,1)E(4)}), tiled!($c[M,N]), M, K, N>(
                        "rows x T(64,128)(8,1)E(4)",
                    ),
                    product::<tiled!($a[M,K]), tiled!($b[K,N]{1,0:E(4)}), tiled!($c[M,N]), M, K, N>("rows x rows of E(4)"),
                    product::<tiled!($a[M,K]), tiled!($b[K,N]{1,0:T(8,128)(4,1)}), tiled!($c[M,N]), M, K, N>(
                        "rows x T(8,128)(4,1)",
                    ),
                    product::<tiled!($a[M,K]), tiled!($b[K,N]), tiled!($c[M,N]), M, K, N>("rows x rows"),
                    read::read(K * N / 2),
                ];
                runners.push({ let (name, run) = read::read(K * N); (name + " of bytes", run) });
                table.row(&name, 2 * M * K * N, f64::NAN, 4, &mut runners);
            }
        )* };
    }
    nibbles! {
        bf16 x s4 -> f32;
        bf16 x u4 -> f32;
        f16 x s4 -> f32;
        f32 x s4 -> f32;
        s8 x s4 -> s32;
        s4 x s4 -> s32;
        u8 x s4 -> s32;
        s8 x u4 -> s32;
    }
}
