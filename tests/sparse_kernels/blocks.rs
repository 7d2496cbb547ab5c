//! Matrices of dense blocks: groups of rows in registers, rows of blocks longer than the lanes, blocks that do not divide the
//! matrix. The macro and the interpreter agree bit for bit, and both equal plain loops; only a product from panels adds each product
//! with one rounding.

use tensor_layout::half::bf16;
use tensor_layout::sparse::{Duplicates, DynSparseTensor, Encoding, SparseTensor};
use tensor_layout::sparsify::{Dense, DynOperand, SparseKernel};
use tensor_layout::{sparse_encoding, sparse_kernel};

/// Fails without printing thousands of numbers.
#[track_caller]
fn assert_same<T: PartialEq + std::fmt::Debug>(a: &[T], b: &[T]) {
    assert_eq!(a.len(), b.len());
    let differ = a.iter().zip(b).position(|(a, b)| a != b);
    assert!(differ.is_none_or(|at| panic!("{:?} and {:?} at {at}", a[at], b[at])));
}

/// Numbers whose sums are rounded, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        self.0 >> 33
    }

    /// From -1 to 1 in steps of 1/1000, or whole numbers.
    fn number(&mut self, whole: bool) -> f64 {
        match whole {
            true => (self.bits() % 5) as f64 - 2.0,
            false => (self.bits() % 2001) as f64 / 1000.0 - 1.0,
        }
    }
}

fn values<T: Clone>(output: DynOperand<T>) -> Vec<T> {
    match output {
        DynOperand::Dense { values, .. } => values,
        other => vec![match other {
            DynOperand::Scalar(value) => value,
            _ => panic!("a dense output"),
        }],
    }
}

macro_rules! blocks {
    ($($test:ident $size:literal $Encoding:ident $T:ident;)*) => { $(
        #[test]
        fn $test() {
            sparse_encoding! {
                type $Encoding = (i, j) -> (i floordiv $size : dense, j floordiv $size : compressed,
                    i mod $size : dense, j mod $size : dense);
            }
            sparse_kernel! {
                fn spmm(a: $Encoding<$T>[i, j], b: Dense<$T>[j, k]) -> c: Dense<$T>[i, k] { c[i, k] = a[i, j] * b[j, k] }
                fn add(a: $Encoding<$T>[i, j], b: Dense<$T>[j, k]) -> c: Dense<$T>[i, k] { c[i, k] += a[i, j] * b[j, k] }
                fn rows(a: $Encoding<$T>[i, j], b: Dense<$T>[j, k]) -> c: Dense<$T>[i, k] { c[i, k] = a[i, j] * b[j, k]; parallel(i) }
                fn largest(a: $Encoding<$T>[i, j], b: Dense<$T>[j, k]) -> c: Dense<$T>[i, k] { c[i, k] max= a[i, j] * b[j, k] }
                fn spmv(a: $Encoding<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] = a[i, j] * x[j] }
                fn sums(a: $Encoding<$T>[i, j]) -> y: Dense<$T>[i] { y[i] = a[i, j] }
                fn turned(a: $Encoding<$T>[i, j], x: Dense<$T>[i]) -> y: Dense<$T>[j] { y[j] = a[i, j] * x[i] }
                fn dense(a: $Encoding<$T>[i, j]) -> c: Dense<$T>[i, j] { c[i, j] = 2 * a[i, j] }
            }
            let of = |x: f64| <$T>::from_f64(x);
            for (blocks, past, k, whole) in [(3, 0, 19, false), (2, 0, 40, true), (2, 1, 9, false), (2, 3, 33, true), (0, 0, 2, true)] {
                let mut numbers = Numbers(blocks as u64 + k as u64);
                let [rows_of_a, columns] = [blocks * $size + past, (blocks + 1) * $size + past];
                let mut entries = Vec::new();
                for i in 0..rows_of_a {
                    for j in 0..columns {
                        // Some blocks are empty.
                        if (i / $size * 5 + j / $size * 3) % 4 > 0 {
                            entries.push(([i, j], of(numbers.number(whole))));
                        }
                    }
                }
                let a = SparseTensor::<$Encoding, $T>::from_coo([rows_of_a, columns], &entries, Duplicates::Error).expect("a matrix");
                let stored: Vec<_> = entries.iter().map(|(index, value)| (index.to_vec(), *value)).collect();
                let dynamic = DynSparseTensor::from_coo($Encoding::SPEC, &[rows_of_a, columns], &stored, Duplicates::Error).expect("a matrix");
                let mut vector = |len: usize| -> Vec<$T> { (0..len).map(|_| of(numbers.number(whole))).collect() };
                let (b, x, z) = (vector(columns * k), vector(columns), vector(rows_of_a));
                let b = Dense::new([columns, k], b).expect("as many values");
                let at_run_time = |text: &str, dense: Option<(&[usize], &[$T])>| {
                    let kernel = SparseKernel::parse(text, &[("A", $Encoding::SPEC)]).unwrap_or_else(|error| panic!("{text}: {error}"));
                    let mut operands = vec![DynOperand::from(dynamic.clone())];
                    operands.extend(dense.map(|(shape, values)| DynOperand::dense(shape, values.to_vec()).expect("as many values")));
                    values(kernel.run(&operands).expect("an output"))
                };
                let text = |output: &str, statement: &str, dense: &str| {
                    format!("fn f(a: A<{0}>[i, j]{dense}) -> {output} {{ {statement} }}", stringify!($T)).replace("Dense", &format!("Dense<{}>", stringify!($T)))
                };
                let product = |statement: &str| at_run_time(&text("c: Dense[i, k]", statement, ", b: Dense[j, k]"), Some((&[columns, k], b.values())));
                let c = spmm(&a, &b).expect("c").into_values();
                let mut fused = vec![0 as Wide; rows_of_a * k];
                for ([i, j], value) in &entries {
                    for n in 0..k {
                        let sum = &mut fused[i * k + n];
                        *sum = wide(*value).mul_add(wide(b[[*j, n]]), *sum);
                    }
                }
                let fused: Vec<_> = fused.iter().map(|x| of(f64::from(*x))).collect();
                let by_loops = product("c[i, k] = a[i, j] * b[j, k]");
                let c = if c == fused { by_loops.clone() } else { c };
                assert_same(&c, &by_loops);
                let in_parallel = rows(&a, &b).expect("c").into_values();
                assert!(in_parallel == fused || in_parallel == by_loops);
                assert_same(&largest(&a, &b).expect("c").into_values(), &product("c[i, k] max= a[i, j] * b[j, k]"));
                let y = spmv(&a, &x).expect("y").into_values();
                assert_same(&y, &at_run_time(&text("y: Dense[i]", "y[i] = a[i, j] * x[j]", ", x: Dense[j]"), Some((&[columns], &x))));
                assert_same(&sums(&a).expect("y").into_values(), &at_run_time(&text("y: Dense[i]", "y[i] = a[i, j]", ""), None));
                let t = turned(&a, &z).expect("y").into_values();
                assert_same(&t, &at_run_time(&text("y: Dense[j]", "y[j] = a[i, j] * x[i]", ", x: Dense[i]"), Some((&[rows_of_a], &z))));
                let d = dense(&a).expect("c").into_values();
                assert_same(&d, &at_run_time(&text("c: Dense[i, j]", "c[i, j] = 2 * a[i, j]", ""), None));
                for ([i, j], value) in &entries {
                    assert_eq!(d[i * columns + j], of(2.0) * *value);
                }
                // Sums in the order of the columns round like those of the kernel.
                let mut plain = vec![0 as Wide; rows_of_a * k];
                let mut more = vec![of(1.0); rows_of_a * k];
                let mut across = vec![0 as Wide; columns];
                let mut along = vec![0 as Wide; rows_of_a];
                for ([i, j], value) in &entries {
                    for n in 0..k {
                        plain[i * k + n] += wide(*value) * wide(b[[*j, n]]);
                    }
                    across[*j] += wide(*value) * wide(z[*i]);
                    along[*i] += wide(*value) * wide(x[*j]);
                }
                // Where a block extends past the matrix, the sum of each of its rows is added as one number.
                if whole || past == 0 {
                    assert_same(&c, &plain.iter().map(|x| of(f64::from(*x))).collect::<Vec<_>>());
                }
                if whole {
                    assert_same(&t, &across.iter().map(|x| of(f64::from(*x))).collect::<Vec<_>>());
                    assert_same(&y, &along.iter().map(|x| of(f64::from(*x))).collect::<Vec<_>>());
                }
                if rows_of_a > 0 {
                    add_into(&a, &b, tensor_layout::sparsify::DenseMut::new([rows_of_a, k], &mut more).expect("sized")).expect("c");
                    let sum: Vec<_> = plain.iter().map(|x| of(f64::from(1.0 + x))).collect();
                    assert!(!whole || more == sum);
                }
            }
            type Wide = <$T as tensor_layout::sparse::SparseElement>::Wide;
            fn wide(x: $T) -> Wide {
                tensor_layout::sparse::SparseElement::widen(x)
            }
        }
    )* };
}

trait FromF64 {
    fn from_f64(x: f64) -> Self;
}
impl FromF64 for f32 {
    fn from_f64(x: f64) -> Self {
        x as f32
    }
}
impl FromF64 for f64 {
    fn from_f64(x: f64) -> Self {
        x
    }
}

blocks! {
    blocks_of_5_f32 5 Five f32;
    blocks_of_7_bf16 7 Seven bf16;
    blocks_of_8_f64 8 Eight f64;
    blocks_of_16_f32 16 Sixteen f32;
    blocks_of_20_f64 20 Twenty f64;
    blocks_of_37_f32 37 ThirtySeven f32;
}
