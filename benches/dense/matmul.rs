//! Matrix products on one thread: operations a second, and the fraction of what the CPU's multiply-add instructions
//! reach in the same run. `cargo bench -p dense-bench --bench matmul`, with `--features parallel` for all threads.

use criterion::{BenchmarkId, Criterion, Throughput};
use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};
use tensor_layout::{
    Host, Layout, MatmulElement, Packed, half::bf16, matmul_into, tiled, types::Shape2,
};

#[path = "../harness/peak.rs"]
mod peak;

/// Times a product, and prints what its fastest run reached.
fn time(c: &mut Criterion, name: &str, size: usize, peak: f64, mut product: impl FnMut()) {
    let operations = 2 * (size as u64).pow(3);
    let best = Cell::new(Duration::MAX);
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(operations)).sample_size(10);
    group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
        bencher.iter_custom(|iterations| {
            let mut total = Duration::ZERO;
            for _ in 0..iterations {
                let start = Instant::now();
                product();
                let time = start.elapsed();
                best.set(best.get().min(time));
                total += time;
            }
            total
        });
    });
    group.finish();
    if best.get() == Duration::MAX {
        return; // left out
    }
    let reached = operations as f64 / best.get().as_secs_f64();
    println!("best of {name}/{size}: {:.1} G/s, {:.3} of the peak", reached / 1e9, reached / peak);
}

/// A product of layouts, all elements one.
fn layouts<A, B, C, E, const N: usize>(c: &mut Criterion, name: &str, one: Host<A>, peak: f64)
where
    A: Layout<Shape = Shape2<N, N>, Element = E>,
    B: Layout<Shape = Shape2<N, N>, Element = E>,
    C: Layout<Shape = Shape2<N, N>, Element = E::Sum>,
    E: MatmulElement,
{
    let ones = vec![one; N * N];
    let (a, b) = (A::pack(&ones).expect("sized"), B::pack(&ones).expect("sized"));
    let mut sums = Packed::<C>::zeroed().expect("memory");
    time(c, name, N, peak, || matmul_into(black_box(&a), black_box(&b), &mut sums));
}

fn sizes<const N: usize>(c: &mut Criterion) {
    type RowF32<const N: usize> = tiled!(f32[N,N]);
    type TileF32<const N: usize> = tiled!(f32[N,N]{1,0:T(8,128)});
    type RowBf16<const N: usize> = tiled!(bf16[N,N]);
    type TileBf16<const N: usize> = tiled!(bf16[N,N]{1,0:T(8,128)(2,1)});
    type RowS8<const N: usize> = tiled!(s8[N,N]);
    type TileS8<const N: usize> = tiled!(s8[N,N]{1,0:T(8,128)(4,1)});
    type RowS32<const N: usize> = tiled!(s32[N,N]);
    type TileS32<const N: usize> = tiled!(s32[N,N]{1,0:T(8,128)});

    let peak = peak::f32();
    layouts::<RowF32<N>, TileF32<N>, TileF32<N>, _, N>(c, "f32 rows x tiles", 1.0, peak);
    layouts::<TileF32<N>, TileF32<N>, TileF32<N>, _, N>(c, "f32 tiles x tiles", 1.0, peak);
    layouts::<RowF32<N>, RowF32<N>, RowF32<N>, _, N>(c, "f32 rows x rows", 1.0, peak);
    let (a, b, mut sums) = (vec![1.0_f32; N * N], vec![1.0; N * N], vec![0.0; N * N]);
    time(c, "f32 matrixmultiply", N, peak, || {
        let (row, n) = (N as isize, N);
        // SAFETY: three arrays of `N * N` elements, row-major.
        unsafe {
            let (a, b, c) = (black_box(&a).as_ptr(), b.as_ptr(), sums.as_mut_ptr());
            matrixmultiply::sgemm(n, n, n, 1.0, a, row, 1, b, row, 1, 0.0, c, row, 1);
        }
    });
    time(c, "f32 gemm", N, peak, || {
        let (row, n) = (N as isize, N);
        let none = gemm::Parallelism::None;
        // SAFETY: as above.
        unsafe {
            let (a, b, c) = (black_box(&a).as_ptr(), b.as_ptr(), sums.as_mut_ptr());
            gemm::gemm(
                n, n, n, c, 1, row, false, a, 1, row, b, 1, row, 0.0, 1.0, false, false, false,
                none,
            );
        }
    });

    let (one, peak) = (bf16::ONE, peak::bf16());
    layouts::<RowBf16<N>, TileBf16<N>, TileF32<N>, _, N>(c, "bf16 rows x tiles", one, peak);
    layouts::<TileBf16<N>, TileBf16<N>, TileF32<N>, _, N>(c, "bf16 tiles x tiles", one, peak);
    layouts::<RowBf16<N>, RowBf16<N>, RowF32<N>, _, N>(c, "bf16 rows x rows", one, peak);

    let peak = peak::s8();
    layouts::<RowS8<N>, TileS8<N>, TileS32<N>, _, N>(c, "s8 rows x tiles", 1, peak);
    layouts::<TileS8<N>, TileS8<N>, TileS32<N>, _, N>(c, "s8 tiles x tiles", 1, peak);
    layouts::<RowS8<N>, RowS8<N>, RowS32<N>, _, N>(c, "s8 rows x rows", 1, peak);
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    sizes::<256>(&mut criterion);
    sizes::<1024>(&mut criterion);
    sizes::<2048>(&mut criterion);
    criterion.final_summary();
}
