//! Products of few rows with block-scaled weights on one thread, compared with reading the same number of bytes in the same run,
//! and of many rows, compared with the product with weights of `bf16`. `cargo bench -p dense-bench --bench quantized -- WORDS` runs
//! the rows whose names contain all words, or with the word `many` those of many rows, or with `2:4` those of weights with two of
//! each four stored; with `--features tensor-layout/parallel` ours run on all threads.

use std::hint::black_box;
use std::time::Duration;
use tensor_layout::half::bf16;
use tensor_layout::quantized::QuantizedLayout;
use tensor_layout::sparse::{SparseTensor, formats::TwoOfFour};
use tensor_layout::{Packed, Product, quantized, tiled};

#[path = "../harness/race.rs"]
mod race;
#[path = "../harness/read.rs"]
mod read;

use race::Runner;

/// A product of `m` rows of ones, into an existing array.
fn product<'a, Q: QuantizedLayout>(m: usize) -> Runner<'a> {
    let bytes = vec![0x38; Q::BYTES];
    let x = vec![1.0_f32; m * Q::SPEC.columns()];
    let mut y = vec![0.0; m * Q::SPEC.rows()];
    let weights = quantized::QuantizedArray::<Q>::from_bytes(&bytes).expect("memory");
    let run = move || {
        weights.as_dyn().matmul_into(black_box(&x), &mut y).expect("sized");
    };
    (format!("{m} rows"), Box::new(run))
}

/// A product of one row of `bf16`.
fn narrow<'a, Q: QuantizedLayout>() -> Runner<'a> {
    let (bytes, x) = (vec![0x38; Q::BYTES], vec![bf16::ONE; Q::SPEC.columns()]);
    let mut y = vec![0.0; Q::SPEC.rows()];
    let weights = quantized::QuantizedArray::<Q>::from_bytes(&bytes).expect("memory");
    let run = move || {
        weights.as_dyn().matmul_into(black_box(&x), &mut y).expect("sized");
    };
    ("1 of bf16".to_owned(), Box::new(run))
}

/// A product of one row that is quantized, `None` if the layout has none.
fn quantized_row<'a, Q: QuantizedLayout>() -> Option<Runner<'a>> {
    let (bytes, x) = (vec![0x38; Q::BYTES], vec![1.0_f32; Q::SPEC.columns()]);
    let mut y = vec![0.0; Q::SPEC.rows()];
    let weights = quantized::QuantizedArray::<Q>::from_bytes(&bytes).expect("memory");
    weights.as_dyn().matmul_s8_into(&x, &mut y).ok()?;
    let run = move || {
        weights.as_dyn().matmul_s8_into(black_box(&x), &mut y).expect("sized");
    };
    Some(("1 of s8".to_owned(), Box::new(run)))
}

fn pack<'a, Q: QuantizedLayout>() -> Runner<'a> {
    let values: Vec<f32> = (0..Q::SPEC.len()).map(|n| (n % 251) as f32 - 125.0).collect();
    let run = move || {
        black_box(quantized::QuantizedArray::<Q>::pack(black_box(&values)).expect("finite"));
    };
    ("pack".to_owned(), Box::new(run))
}

/// A product of 256 rows of `bf16` with weights of `bf16`, in the layout in which weights are stored.
fn plain<'a>() -> Runner<'a> {
    let x = Rows::pack(&vec![bf16::ONE; 256 * 4096]).expect("memory");
    let weights = Plain::pack(&vec![bf16::ONE; 4096 * 4096]).expect("memory");
    let mut y = Packed::<Sums>::zeroed().expect("memory");
    let run = move || Product::of(black_box(&x), &weights.transposed()).write_to(&mut y);
    ("256 of bf16".to_owned(), Box::new(run))
}

/// The same with block-scaled weights.
fn many<'a, Q: QuantizedLayout>() -> Runner<'a> {
    let (bytes, x) = (vec![0x38; Q::BYTES], vec![bf16::ONE; 256 * 4096]);
    let weights = quantized::QuantizedArray::<Q>::from_bytes(&bytes).expect("memory");
    let mut y = vec![0.0; 256 * 4096];
    let run = move || {
        weights.as_dyn().matmul_into(black_box(&x), &mut y).expect("sized");
    };
    (Q::SPEC.to_string(), Box::new(run))
}

type Rows = tiled!(bf16[256,4096]);
type Plain = tiled!(bf16[4096,4096]{0,1:T(8,128)(2,1)});
type Sums = tiled!(f32[256,4096]);

/// Many rows with each format.
fn many_rows() {
    let mut runners = vec![
        plain(),
        many::<quantized!(q8_0[4096,4096])>(),
        many::<quantized!(q4_0[4096,4096])>(),
        many::<quantized!(mxfp4[4096,4096])>(),
        many::<quantized!(mxfp8[4096,4096])>(),
    ];
    let times = race::race(&mut runners, Duration::from_millis(3000));
    for ((name, _), time) in runners.iter().zip(&times) {
        println!("  {name:<48} {time:>12.0} ns {:>6.2} of bf16", times[0] / time);
    }
}

fn layout<Q: QuantizedLayout>(words: &[String]) {
    let name = Q::SPEC.preset().map_or_else(|| Q::SPEC.to_string(), |preset| preset.to_string());
    let name = format!("{name} {:?}", Q::SPEC.dims());
    if !words.iter().all(|word| name.contains(word.as_str())) {
        return;
    }
    let mut runners = vec![
        read::read(Q::BYTES),
        product::<Q>(1),
        narrow::<Q>(),
        product::<Q>(4),
        product::<Q>(16),
        pack::<Q>(),
    ];
    runners.extend(quantized_row::<Q>());
    let times = race::race(&mut runners, Duration::from_millis(1500));
    println!("{name}");
    for ((way, _), time) in runners.iter().zip(&times) {
        let speed = Q::BYTES as f64 / time;
        println!(
            "  {way:<12} {time:>12.0} ns {speed:>6.1} GB/s {:>6.2} of reading",
            times[0] / time
        );
    }
}

/// Weights with two of each four stored, compared with reading their bytes and with the product with all of them.
fn two_of_four<const ROWS: usize>() {
    const COLUMNS: usize = 4096;
    let dense: Vec<_> =
        (0..ROWS * COLUMNS).map(|n| bf16::from_f32((n * 37 % 101) as f32)).collect();
    let weights = SparseTensor::<TwoOfFour, bf16>::from_dense_pruned([ROWS, COLUMNS], &dense);
    let weights = weights.expect("memory");
    let run = |m: usize| -> Runner<'_> {
        let (x, mut y) = (vec![bf16::ONE; m * COLUMNS], vec![0.0; m * ROWS]);
        let weights = &weights;
        let run = move || weights.matmul_into(black_box(&x), &mut y).expect("sized");
        (format!("{m} of bf16"), Box::new(run))
    };
    let mut runners = vec![read::read(weights.bytes()), run(1), run(4), run(256)];
    if ROWS == 4096 {
        runners.push(plain());
    }
    let times = race::race(&mut runners, Duration::from_millis(1500));
    println!("2:4 [{ROWS}, {COLUMNS}]");
    for ((way, _), time) in runners.iter().zip(&times) {
        println!("  {way:<12} {time:>12.0} ns {:>6.2} of reading", times[0] / time);
    }
}

fn main() {
    let words: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if words.iter().any(|word| word == "many") {
        return many_rows();
    }
    if words.is_empty() || words.iter().any(|word| word == "2:4") {
        two_of_four::<4096>();
        two_of_four::<14336>();
    }
    macro_rules! layouts {
        ($($preset:ident)*) => { $(
            layout::<quantized!($preset[4096, 4096])>(&words);
            layout::<quantized!($preset[14336, 4096])>(&words);
        )* };
    }
    layouts! { q8_0 q4_0 mxfp4_gguf mxfp4 mxfp8 mxfp8_e5m2 nvfp4 nvfp4_gguf }
}
