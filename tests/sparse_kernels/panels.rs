//! Products from panels of the dense matrix, which are large enough that panels are used instead of the loops of the kernel. In a panel,
//! each sum adds its terms in the order of the columns, each with one rounding; the loops round each product, and may add up each group of
//! columns of which some are stored first. A product must be one of these to the last bit. Sums in `f32` of products of `bf16` may be
//! rounded in another order, so they are tested with whole numbers, whose sums are exact, and with other numbers within the documented
//! bound.

use tensor_layout::half::bf16;
use tensor_layout::sparse::{Duplicates, SparseElement, SparseTensor};
use tensor_layout::sparsify::{DenseRef, SparseKernel, WidenTo};
use tensor_layout::{sparse_encoding, sparse_kernel};

/// Numbers whose sums round.
fn number(n: usize) -> f32 {
    ((n * 7919 + n / 13) % 2003) as f32 / 997.0 - 1.0
}

/// The product of a matrix of entries and a dense matrix, in the order of the columns. `add` adds a product to a sum; the sum of each
/// `group` columns is added to the total, unless groups have only one.
fn product_by<A, W>(
    rows: usize,
    entries: &[([usize; 2], A)],
    b: &[A],
    (columns, group): (usize, usize),
    add: impl Fn(W, W, W) -> W,
) -> Vec<W>
where
    A: SparseElement + WidenTo<W>,
    W: SparseElement + core::ops::AddAssign,
{
    let mut c = vec![W::ZERO; rows * columns];
    for terms in entries.chunk_by(|([i, j], _), ([i1, j1], _)| i == i1 && j / group == j1 / group) {
        for k in 0..columns {
            let total = &mut c[terms[0].0[0] * columns + k];
            let mut sum = if group == 1 { *total } else { W::ZERO };
            for ([_, j], value) in terms {
                sum = add(value.widen_to(), b[j * columns + k].widen_to(), sum);
            }
            if group == 1 {
                *total = sum;
            } else {
                *total += sum;
            }
        }
    }
    c
}

/// A product by the macro and by the interpreter, compared with plain loops, for numbers of columns around those of a panel.
macro_rules! panels {
    ($($test:ident { $($map:tt)* } $T:ident to $W:ident $of:expr, $stored:expr, [$rows:literal $inner:literal by $group:literal] $compare:ident;)*) => { $(
        #[test]
        fn $test() {
            sparse_encoding! { type Format = $($map)*; }
            sparse_kernel! {
                fn product(a: Format<$T>[i, j], b: Dense<$T>[j, k]) -> c: Dense<$W>[i, k] { c[i, k] = a[i, j] * b[j, k] }
            }
            sparse_kernel! {
                fn in_parallel(a: Format<$T>[i, j], b: Dense<$T>[j, k]) -> c: Dense<$W>[i, k] {
                    c[i, k] = a[i, j] * b[j, k];
                    parallel(i)
                }
            }
            let text = concat!(
                "fn f(a: Format<", stringify!($T), ">[i, j], b: Dense<", stringify!($T), ">[j, k]) -> c: Dense<",
                stringify!($W), ">[i, k] { c[i, k] = a[i, j] * b[j, k] }",
            );
            let encoding = stringify!($($map)*).parse().expect("an encoding");
            let kernel = SparseKernel::parse(text, &[("Format", encoding)]).expect("a kernel");
            assert!(kernel.to_string().contains("// from panels of `b`"), "{kernel}");
            let stored: fn(usize, usize) -> bool = $stored;
            let entries: Vec<([usize; 2], $T)> = (0..$rows * $inner)
                .map(|n| [n / $inner, n % $inner])
                .filter(|[i, j]| stored(*i, *j))
                .map(|[i, j]| ([i, j], $of(number(i * $inner + j))))
                .collect();
            let a = SparseTensor::<Format, $T>::from_coo([$rows, $inner], &entries, Duplicates::Error);
            let a = a.expect("a matrix");
            for columns in [16, 31, 32, 64, 65, 100, 129, 577] {
                let b: Vec<$T> = (0..$inner * columns).map(|n| $of(number(3 * n + 1))).collect();
                let b = DenseRef::new([$inner, columns], &b).expect("all values");
                let c = product(&a, b).expect("sizes agree");
                let parallel = in_parallel(&a, b).expect("sizes agree");
                panels!(@$compare $W: c.values(), (&entries, b.values()), [$rows, columns, $group]);
                if parallel != c {
                    panels!(@$compare $W: parallel.values(), (&entries, b.values()), [$rows, columns, $group]);
                }
            }
        }
    )* };
    (@same $W:ident: $c:expr, ($entries:expr, $b:expr), [$rows:expr, $columns:expr, $group:expr]) => {
        let by = |group, add: fn($W, $W, $W) -> $W| -> Vec<$W> {
            product_by($rows, $entries, $b, ($columns, group), add)
        };
        let is = |sums: Vec<$W>| sums.iter().zip($c).all(|(sum, c)| sum.to_bits() == c.to_bits());
        let panels = is(by(1, $W::mul_add));
        assert!(panels || [1, $group].iter().any(|group| is(by(*group, |a, b, sum| sum + a * b))));
    };
    // Each product of two `bf16` is exact, and each of at most 64 additions is rounded by at most 2^-24 of the terms so far.
    (@near $W:ident: $c:expr, ($entries:expr, $b:expr), [$rows:expr, $columns:expr, $group:expr]) => {
        let sums = |f: fn(f64) -> f64| {
            let (entries, b) = (wide($entries, f), doubles($b, f));
            product_by($rows, &entries, &b, ($columns, $group), |a: f64, b: f64, sum| sum + a * b)
        };
        let (exact, sizes) = (sums(|x| x), sums(f64::abs));
        for ((sum, exact), size) in $c.iter().zip(exact).zip(sizes) {
            let error = (f64::from(*sum) - exact).abs();
            assert!(error <= 64.0 * size / f64::from(1 << 24), "{sum} is not near {exact}");
        }
    };
}

/// Entries as `f64`.
fn wide(entries: &[([usize; 2], bf16)], f: fn(f64) -> f64) -> Vec<([usize; 2], f64)> {
    entries.iter().map(|(index, value)| (*index, f(value.to_f64()))).collect()
}

fn doubles(values: &[bf16], f: fn(f64) -> f64) -> Vec<f64> {
    values.iter().map(|value| f(value.to_f64())).collect()
}

/// A whole number from -8 to 8.
fn whole(number: f32) -> bf16 {
    bf16::from_f32((number * 8.0).round())
}

panels! {
    blocks_of_8 { (i, j) -> (i floordiv 8 : dense, j floordiv 8 : compressed, i mod 8 : dense, j mod 8 : dense) }
        f32 to f32 f32::from, |i, j| (i / 8 + j / 8) % 3 != 1, [96 64 by 1] same;
    blocks_of_4_by_6 { (i, j) -> (i floordiv 4 : dense, j floordiv 6 : compressed, i mod 4 : dense, j mod 6 : dense) }
        f64 to f64 f64::from, |i, j| (i / 4 * 5 + j / 6) % 4 != 2, [92 48 by 1] same;
    blocks_of_12_by_2 { (i, j) -> (i floordiv 12 : dense, j floordiv 2 : compressed, i mod 12 : dense, j mod 2 : dense) }
        f32 to f32 f32::from, |i, j| (i / 12 + j / 2) % 2 == 0, [96 40 by 1] same;
    blocks_of_12_by_1 { (i, j) -> (i floordiv 12 : dense, j floordiv 1 : compressed, i mod 12 : dense, j mod 1 : dense) }
        bf16 to f32 bf16::from_f32, |i, j| (i / 12 + j) % 2 == 0, [96 40 by 1] same;
    blocks_of_16_bits { (i, j) -> (i floordiv 16 : dense, j floordiv 16 : compressed, i mod 16 : dense, j mod 16 : dense) }
        bf16 to f32 whole, |i, j| (i / 16 * 3 + j / 16) % 4 != 0, [112 64 by 1] same;
    blocks_of_16_bits_near { (i, j) -> (i floordiv 16 : dense, j floordiv 16 : compressed, i mod 16 : dense, j mod 16 : dense) }
        bf16 to f32 bf16::from_f32, |i, j| (i / 16 * 3 + j / 16) % 4 != 0, [112 64 by 1] near;
    blocks_of_16_bits_in_two_tiles { (i, j) -> (i floordiv 32 : dense, j floordiv 64 : compressed, i mod 32 : dense, j mod 64 : dense) }
        bf16 to f32 whole, |i, j| (i / 32 + j / 64) % 3 != 1, [160 256 by 1] same;
    blocks_of_16_bits_in_two_tiles_near { (i, j) -> (i floordiv 64 : dense, j floordiv 12 : compressed, i mod 64 : dense, j mod 12 : dense) }
        bf16 to f32 bf16::from_f32, |i, j| (i / 64 + j / 12) % 3 != 1, [192 60 by 1] near;
    blocks_of_16_bits_in_parts_of_tiles { (i, j) -> (i floordiv 20 : dense, j floordiv 40 : compressed, i mod 20 : dense, j mod 40 : dense) }
        bf16 to f32 whole, |i, j| (i / 20 + j / 40) % 4 != 1, [120 160 by 1] same;
    blocks_of_16_bits_of_8 { (i, j) -> (i floordiv 8 : dense, j floordiv 8 : compressed, i mod 8 : dense, j mod 8 : dense) }
        bf16 to f32 whole, |i, j| (i / 8 * 3 + j / 8) % 4 != 0, [120 64 by 1] same;
    few_blocks_of_16_bits_of_8 { (i, j) -> (i floordiv 8 : dense, j floordiv 8 : compressed, i mod 8 : dense, j mod 8 : dense) }
        bf16 to f32 whole, |i, j| (i / 8 * 3 + j / 8) % 4 == 0, [120 264 by 1] same;
    blocks_of_16_bits_of_4 { (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense) }
        bf16 to f32 whole, |i, j| (i / 4 * 3 + j / 4) % 5 == i / 32 && j / 32 != 2, [140 244 by 1] same;
    blocks_of_16_bits_of_4_near { (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense) }
        bf16 to f32 bf16::from_f32, |i, j| (i / 4 * 3 + j / 4) % 4 != 0, [132 64 by 1] near;
    blocks_of_16_bits_in_columns { (i, j) -> (i floordiv 16 : dense, j floordiv 1 : compressed, i mod 16 : dense, j mod 1 : dense) }
        bf16 to f32 whole, |i, j| (i / 16 + j) % 3 == 0, [112 97 by 1] same;
    blocks_of_16_bits_by_pairs { (i, j) -> (i floordiv 4 : dense, j floordiv 2 : compressed, i mod 4 : dense, j mod 2 : dense) }
        bf16 to f32 whole, |i, j| (i / 4 + j / 2) % 3 != 2, [96 60 by 1] same;
    blocks_of_16_bits_by_threes { (i, j) -> (i floordiv 8 : dense, j floordiv 3 : compressed, i mod 8 : dense, j mod 3 : dense) }
        bf16 to f32 bf16::from_f32, |i, j| (i / 8 + j / 3) % 3 != 2, [96 60 by 1] same;
    blocks_of_16_bits_in_64 { (i, j) -> (i floordiv 4 : dense, j floordiv 2 : compressed, i mod 4 : dense, j mod 2 : dense) }
        bf16 to f64 bf16::from_f32, |i, j| (i / 4 + j / 2) % 3 != 2, [96 60 by 1] same;
    two_of_four { (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }
        f32 to f32 f32::from, |i, j| (j + i) % 4 == 0 || (j + i) % 4 == 2 + i % 2, [133 164 by 4] same;
    two_of_four_of_16_bits { (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }
        bf16 to f32 whole, |i, j| j % 4 == i % 4 || j % 4 == (i + i / 4 % 3 + 1) % 4, [141 164 by 4] same;
    two_of_four_of_16_bits_near { (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }
        bf16 to f32 bf16::from_f32, |i, j| j % 4 == i % 4 || j % 4 == (i + i / 4 % 3 + 1) % 4, [101 48 by 4] near;
    two_of_four_of_2_bits { (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2 }
        bf16 to f32 whole, |i, j| j % 4 == i % 4 || j % 4 == (i + i / 4 % 3 + 1) % 4, [101 164 by 4] same;
    four_of_eight { (i, j) -> (i : dense, j floordiv 8 : dense, j mod 8 : structured[4, 8]) }
        f32 to f32 f32::from, |i, j| (j + i / 3) % 2 == 0, [102 264 by 8] same;
    one_of_three { (i, j) -> (i : dense, j floordiv 3 : dense, j mod 3 : structured[1, 3]) }
        f64 to f64 f64::from, |i, j| j % 3 == (i + j / 3) % 3, [130 48 by 3] same;
}

#[test]
fn a_row_of_blocks_without_blocks_is_zero() {
    sparse_encoding! {
        type Format = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense);
    }
    sparse_kernel! {
        fn product(a: Format<f32>[i, j], b: Dense<f32>[j, k]) -> c: Dense<f32>[i, k] { c[i, k] = a[i, j] * b[j, k] }
    }
    let entries: Vec<_> = (0..72 * 4).filter(|n| n / 16 != 7).map(|n| ([n / 4, n % 4], 1.0)).collect();
    let a = SparseTensor::<Format, f32>::from_coo([72, 4], &entries, Duplicates::Error).expect("a matrix");
    let b = vec![1.0; 4 * 70];
    let mut c = tensor_layout::sparsify::Dense::filled([72, 70], f32::NAN).expect("memory");
    product_into(&a, DenseRef::new([4, 70], &b).expect("all values"), &mut c).expect("sizes agree");
    for (n, sum) in c.values().iter().enumerate() {
        assert_eq!(*sum, if n / 70 / 4 == 7 { 0.0 } else { 4.0 }, "{n}");
    }
}

/// The methods for some kinds of CPU multiply elements that are not stored, too, as zeros.
macro_rules! special_numbers {
    ($($test:ident { $($map:tt)* } $stored:expr;)*) => { $(
        #[test]
        fn $test() {
            sparse_encoding! { type Format = $($map)*; }
            sparse_kernel! {
                fn product(a: Format<bf16>[i, j], b: Dense<bf16>[j, k]) -> c: Dense<f32>[i, k] { c[i, k] = a[i, j] * b[j, k] }
            }
            let (rows, inner, columns) = (132, 40, 70);
            let stored: fn(usize, usize) -> bool = $stored;
            let entries: Vec<_> = (0..rows * inner)
                .map(|n| [n / inner, n % inner])
                .filter(|[i, j]| stored(*i, *j))
                .map(|index| (index, bf16::ONE))
                .collect();
            let a = SparseTensor::<Format, bf16>::from_coo([rows, inner], &entries, Duplicates::Error).expect("a matrix");
            for special in [bf16::INFINITY, bf16::NEG_INFINITY, bf16::NAN] {
                let mut b = vec![bf16::ONE; inner * columns];
                b[34 * columns + 65] = special;
                let c = product(&a, DenseRef::new([inner, columns], &b).expect("all values")).expect("sizes agree");
                for (n, sum) in c.values().iter().enumerate() {
                    let reached = n % columns == 65 && stored(n / columns, 34);
                    let terms = (0..inner).filter(|j| stored(n / columns, *j)).count();
                    let expected = if reached { special.to_f32() } else { terms as f32 };
                    assert!(*sum == expected || sum.is_nan() && expected.is_nan(), "{n}: {sum}, not {expected}");
                }
            }
        }
    )* };
}

special_numbers! {
    infinities_and_nans_meet_only_stored_elements_of_groups {
        (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])
    } |i, j| (j + 4 - i % 2) % 4 < 2;
    infinities_and_nans_meet_only_stored_elements_of_blocks {
        (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)
    } |i, j| (i / 4 + j / 4) % 3 != 1;
}

/// The tests above with the instructions of each kind of CPU that this one can be, except for the best, which they use anyway.
#[test]
fn on_every_cpu() {
    const VARIABLE: &str = "TENSOR_LAYOUT_CPU";
    #[cfg(target_arch = "x86_64")]
    let has_avx512 = std::is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    let has_avx512 = false;
    let others: &[_] = if has_avx512 { &["portable", "avx2", "avx512"] } else { &["portable"] };
    for cpu in others {
        let mut tests = std::process::Command::new(std::env::current_exe().expect("these tests"));
        tests.args(["panels::", "--skip", "on_every_cpu"]).env(VARIABLE, cpu);
        let output = tests.output().expect("a process");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && !text.contains(" 0 passed"), "{cpu}: {text}");
    }
}
