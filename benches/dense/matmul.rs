//! Matrix products on one thread, compared with those of other crates in the same run: operations per second, the fraction of the
//! peak of the CPU's multiply-add instructions, and the ratio of the fastest peer's time to ours.
//! `cargo bench -p dense-bench --bench matmul -- WORDS` runs the rows whose names contain all words; with `--features parallel`
//! ours run on all threads. With `TENSOR_LAYOUT_BLAS=libopenblas.so.0`, or the library of MKL, that library is another peer.

use std::hint::black_box;
use std::time::Duration;
use tensor_layout::{
    Host, Layout, MatmulElement, Packed, half::bf16, matmul_into, tiled, types::Shape2,
};

#[path = "matmul/blas.rs"]
#[cfg(unix)]
mod blas;
#[path = "../harness/library.rs"]
#[cfg(unix)]
mod library;
#[path = "matmul/mixed.rs"]
mod mixed;
#[path = "../harness/peak.rs"]
mod peak;
#[path = "matmul/peers.rs"]
mod peers;
#[path = "../harness/race.rs"]
mod race;
#[path = "../harness/read.rs"]
mod read;

use race::Runner;

/// The rows to print.
struct Table {
    words: Vec<String>,
    /// The peaks of products of `f32`, `bf16` and `s8`.
    peaks: [f64; 3],
}

impl Table {
    fn wants(&self, name: &str) -> bool {
        self.words.iter().all(|word| name.contains(word.as_str()))
    }

    /// Prints a row: `ours` ways come first, the others are peers.
    fn row(
        &self,
        name: &str,
        operations: usize,
        peak: f64,
        ours: usize,
        runners: &mut [Runner<'_>],
    ) {
        let times = race::race(runners, Duration::from_millis(1500));
        let peer = times[ours..].iter().copied().fold(f64::INFINITY, f64::min);
        println!("{name}");
        for ((way, _), time) in runners.iter().zip(&times) {
            let rate = operations as f64 / time;
            print!(
                "  {way:<24} {time:>12.0} ns {rate:>8.1} G/s {:>6.3} of the peak",
                rate * 1e9 / peak
            );
            if peer.is_finite() {
                print!(" {:>6.2} of the best peer", peer / time);
            }
            println!();
        }
    }
}

/// A product of packed matrices, all elements one.
fn product<'a, A, B, C, E, const M: usize, const K: usize, const N: usize>(
    name: &str,
    one: Host<A>,
) -> Runner<'a>
where
    A: Layout<Shape = Shape2<M, K>, Element = E>,
    B: Layout<Shape = Shape2<K, N>, Element = E>,
    C: Layout<Shape = Shape2<M, N>, Element = E::Sum>,
    E: MatmulElement,
{
    let a = A::pack(&vec![one; M * K]).expect("sized");
    let b = B::pack(&vec![one; K * N]).expect("sized");
    let mut sums = Packed::<C>::zeroed().expect("memory");
    let run = move || matmul_into(black_box(&a), black_box(&b), &mut sums);
    (name.to_owned(), Box::new(run))
}

fn shape<const M: usize, const K: usize, const N: usize>(table: &Table) {
    type RowF32<const M: usize, const N: usize> = tiled!(f32[M,N]);
    type TileF32<const M: usize, const N: usize> = tiled!(f32[M,N]{1,0:T(8,128)});
    type RowF64<const M: usize, const N: usize> = tiled!(f64[M,N]);
    type TileF64<const M: usize, const N: usize> = tiled!(f64[M,N]{1,0:T(8,128)});
    type RowBf16<const M: usize, const N: usize> = tiled!(bf16[M,N]);
    type TileBf16<const M: usize, const N: usize> = tiled!(bf16[M,N]{1,0:T(8,128)(2,1)});
    type RowS8<const M: usize, const N: usize> = tiled!(s8[M,N]);
    type TileS8<const M: usize, const N: usize> = tiled!(s8[M,N]{1,0:T(8,128)(4,1)});
    type RowS32<const M: usize, const N: usize> = tiled!(s32[M,N]);
    type TileS32<const M: usize, const N: usize> = tiled!(s32[M,N]{1,0:T(8,128)});

    let operations = 2 * M * K * N;
    let named = |element: &str| format!("{element} {M}x{K}x{N}");
    let name = named("f32");
    if table.wants(&name) {
        let mut runners = vec![
            product::<TileF32<M, K>, TileF32<K, N>, TileF32<M, N>, _, M, K, N>(
                "tiles x tiles",
                1.0,
            ),
            product::<RowF32<M, K>, TileF32<K, N>, TileF32<M, N>, _, M, K, N>("rows x tiles", 1.0),
            product::<RowF32<M, K>, RowF32<K, N>, RowF32<M, N>, _, M, K, N>("rows x rows", 1.0),
        ];
        runners.extend(peers::f32([M, K, N]));
        #[cfg(unix)]
        runners.extend(blas::f32([M, K, N]));
        table.row(&name, operations, table.peaks[0], 3, &mut runners);
    }
    let name = named("f64");
    if table.wants(&name) {
        let mut runners = vec![
            product::<TileF64<M, K>, TileF64<K, N>, TileF64<M, N>, _, M, K, N>(
                "tiles x tiles",
                1.0,
            ),
            product::<RowF64<M, K>, RowF64<K, N>, RowF64<M, N>, _, M, K, N>("rows x rows", 1.0),
        ];
        runners.extend(peers::f64([M, K, N]));
        #[cfg(unix)]
        runners.extend(blas::f64([M, K, N]));
        // A vector has half as many elements.
        table.row(&name, operations, table.peaks[0] / 2.0, 2, &mut runners);
    }
    let name = named("bf16");
    if table.wants(&name) {
        let one = bf16::ONE;
        let mut runners = vec![
            product::<TileBf16<M, K>, TileBf16<K, N>, TileF32<M, N>, _, M, K, N>(
                "tiles x tiles",
                one,
            ),
            product::<RowBf16<M, K>, TileBf16<K, N>, TileF32<M, N>, _, M, K, N>(
                "rows x tiles",
                one,
            ),
            product::<RowBf16<M, K>, RowBf16<K, N>, RowF32<M, N>, _, M, K, N>("rows x rows", one),
        ];
        #[cfg(unix)]
        runners.extend(blas::bf16([M, K, N]));
        #[cfg(unix)]
        runners.extend(blas::packed_bf16([M, K, N]));
        runners.extend((M <= 32 && K > 64).then(|| read::read(2 * K * N)));
        table.row(&name, operations, table.peaks[1], 3, &mut runners);
    }
    let name = named("s8");
    if table.wants(&name) {
        let mut runners = vec![
            product::<TileS8<M, K>, TileS8<K, N>, TileS32<M, N>, _, M, K, N>("tiles x tiles", 1),
            product::<RowS8<M, K>, TileS8<K, N>, TileS32<M, N>, _, M, K, N>("rows x tiles", 1),
            product::<RowS8<M, K>, RowS8<K, N>, RowS32<M, N>, _, M, K, N>("rows x rows", 1),
        ];
        #[cfg(unix)]
        runners.extend(blas::bytes([M, K, N]).into_iter().flatten());
        runners.extend((M <= 32 && K > 64).then(|| read::read(K * N)));
        table.row(&name, operations, table.peaks[2], 3, &mut runners);
    }
}

fn main() {
    let words = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let table = Table { words, peaks: [peak::f32(), peak::bf16(), peak::s8()] };
    shape::<8, 8, 8>(&table);
    shape::<16, 16, 16>(&table);
    shape::<32, 32, 32>(&table);
    shape::<64, 64, 64>(&table);
    shape::<1, 4096, 4096>(&table);
    shape::<8, 4096, 4096>(&table);
    shape::<32, 4096, 4096>(&table);
    shape::<256, 256, 256>(&table);
    shape::<1024, 1024, 1024>(&table);
    shape::<2048, 2048, 2048>(&table);
    shape::<4096, 4096, 4096>(&table);
    mixed::shape::<1, 512, 512>(&table);
    mixed::shape::<1, 4096, 4096>(&table);
    mixed::shape::<4, 4096, 4096>(&table);
    mixed::shape::<8, 4096, 4096>(&table);
    mixed::shape::<32, 4096, 4096>(&table);
}
