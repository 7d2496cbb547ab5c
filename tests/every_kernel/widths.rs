//! The macro and the interpreter agree for elements of every width: sums longer than the precision of their type, integers that
//! overflow, unsigned ones, and each way in which an output is made.

use crate::cases::cases;
use proptest::prelude::*;
use tensor_layout::half::{bf16, f16};
use tensor_layout::num_complex::Complex;
use tensor_layout::sparse::{
    Duplicates, DynSparseTensor, Encoding, SparseElement, SparseEncoding, SparseTensor,
};
use tensor_layout::sparsify::{Dense, DynFunction, DynOperand, Evaluate, SparseKernel};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Csc = (i, j) -> (j : dense, i : compressed);
    type Bsr = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense);
    type Delta = (i, j) -> (i : dense, j : delta[4]);
    type Repeated = (i, j) -> (i : compressed(nonunique), j : singleton(nonunique));
    type Full = (i, j) -> (i : dense, j : dense);
}

fn encodings() -> [(&'static str, SparseEncoding); 6] {
    [
        ("Csr", Csr::SPEC),
        ("Csc", Csc::SPEC),
        ("Bsr", Bsr::SPEC),
        ("Delta", Delta::SPEC),
        ("Repeated", Repeated::SPEC),
        ("Full", Full::SPEC),
    ]
}

/// `Repeated` is the only encoding here that stores several entries at one index.
fn duplicates(encoding: &SparseEncoding) -> Duplicates {
    if *encoding == Repeated::SPEC { Duplicates::Keep } else { Duplicates::Error }
}

/// The operands and the results of both.
trait Both<T> {
    fn operand(&self) -> DynOperand<T>;
    fn values(&self) -> Vec<T>;
}

impl<T: Evaluate, const RANK: usize> Both<T> for Dense<T, RANK> {
    fn operand(&self) -> DynOperand<T> {
        DynOperand::dense(&self.shape(), Dense::values(self).to_vec()).expect("as many values")
    }

    fn values(&self) -> Vec<T> {
        Dense::values(self).to_vec()
    }
}

impl<T: Evaluate, E: Encoding> Both<T> for SparseTensor<E, T> {
    fn operand(&self) -> DynOperand<T> {
        let mut entries = Vec::new();
        self.for_each(|index, value| entries.push((index.as_ref().to_vec(), *value)));
        let duplicates = duplicates(&E::SPEC);
        let tensor =
            DynSparseTensor::from_coo(E::SPEC, self.shape().as_ref(), &entries, duplicates);
        tensor.expect("a tensor").into()
    }

    fn values(&self) -> Vec<T> {
        self.to_dense().expect("memory")
    }
}

/// A number.
struct Wrapped<T>(T);

impl<T: Evaluate> Both<T> for Wrapped<T> {
    fn operand(&self) -> DynOperand<T> {
        DynOperand::Scalar(self.0)
    }

    fn values(&self) -> Vec<T> {
        vec![self.0]
    }
}

/// All values of an output in row-major order.
fn values<T: Evaluate>(output: DynOperand<T>) -> Vec<T> {
    match output {
        DynOperand::Scalar(value) => vec![value],
        DynOperand::Dense { values, .. } => values,
        DynOperand::Tiled { .. } => panic!("the output is not packed"),
        DynOperand::Sparse(tensor) => {
            let shape = tensor.shape().to_vec();
            let mut dense = vec![T::ZERO; shape.iter().product()];
            for (index, value) in tensor.to_coo() {
                let at = index.iter().zip(&shape).fold(0, |at, (x, size)| at * size + x);
                dense[at] = dense[at].plus(value);
            }
            dense
        }
    }
}

/// Equal, or both NaN.
fn same<T: SparseElement>(a: &[T], b: &[T]) -> bool {
    #[allow(clippy::eq_op, reason = "NaN is what is not equal to itself")]
    let equal = |(a, b): (&T, &T)| a == b || (a != a && b != b);
    a.len() == b.len() && a.iter().zip(b).all(equal)
}

fn at_run_time<T: Evaluate>(text: &str, operands: &[DynOperand<T>]) -> Vec<T> {
    let kernel =
        SparseKernel::parse(text, &encodings()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let functions: [(&str, DynFunction<T>); 2] =
        [("first", |values| values[0]), ("zero", |_| T::ZERO)];
    values(kernel.run_with(operands, &functions).unwrap_or_else(|error| panic!("{text}: {error}")))
}

/// Runs a kernel both ways, and returns all values after comparing them.
macro_rules! twin {
    ([$($given:ident $(. $field:tt)?),*] $made:ident fn f $($kernel:tt)*) => {{
        sparse_kernel! { fn f $($kernel)* }
        let output = f($(twin!(@ $given $(. $field)?)),*).expect("an output");
        let text = stringify!(fn f $($kernel)*);
        let found = Both::values(&twin!(# $made output));
        let expected = at_run_time(text, &[$(Both::operand(&$given)),*]);
        prop_assert!(same(&found, &expected), "{}\nmacro {:?}\nrun time {:?}", text, found, expected);
        found
    }};
    (@ $given:ident . $field:tt) => { $given.$field };
    (@ $given:ident) => { &$given };
    (# number $output:ident) => { Wrapped($output) };
    (# tensor $output:ident) => { $output };
}

const ROWS: usize = 6;
const WIDTH: usize = 700;
const COLUMNS: usize = 9;

/// Numbers from -1 to 3, or from 0, most of them positive so that sums grow.
struct Numbers {
    state: u64,
    signed: bool,
}

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.state =
            self.state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.state >> 33) % n
    }

    fn number(&mut self) -> i64 {
        let number = self.below(5) as i64 - 1;
        if self.signed { number } else { number.abs() }
    }

    fn dense<T: Evaluate, const RANK: usize>(
        &mut self,
        shape: [usize; RANK],
        of: fn(i64) -> T,
    ) -> Dense<T, RANK> {
        let len = shape.iter().product();
        Dense::new(shape, (0..len).map(|_| of(self.number())).collect()).expect("as many values")
    }

    /// No two entries are further apart than four bits can express.
    fn sparse(&mut self, shape: [usize; 2]) -> Vec<([usize; 2], i64)> {
        let all = (0..shape[0] * shape[1]).map(|at| [at / shape[1], at % shape[1]]);
        let kept = all.filter(|[_, j]| j % 8 == 7 || self.below(5) > 0).collect::<Vec<_>>();
        kept.into_iter().map(|index| (index, self.number())).collect()
    }
}

fn tensor<E: Encoding<Index = [usize; 2]>, T: Evaluate>(
    shape: [usize; 2],
    entries: &[([usize; 2], i64)],
    of: fn(i64) -> T,
) -> SparseTensor<E, T> {
    let entries: Vec<_> = entries.iter().map(|(index, value)| (*index, of(*value))).collect();
    SparseTensor::from_coo(shape, &entries, duplicates(&E::SPEC)).expect("a tensor")
}

macro_rules! elements {
    ($($test:ident $T:ident $signed:literal $of:expr;)*) => { $(
        #[test]
        fn $test() {
            fn first(a: $T, _: $T) -> $T {
                a
            }
            fn zero() -> $T {
                <$T as SparseElement>::ZERO
            }
            fn check(seed: u64) -> Result<(), TestCaseError> {
                let of: fn(i64) -> $T = $of;
                let mut numbers = Numbers { state: seed, signed: $signed };
                let wide = numbers.sparse([ROWS, WIDTH]);
                let tall = numbers.sparse([WIDTH, COLUMNS]);
                let twice: Vec<_> = wide.iter().flat_map(|entry| [*entry, *entry]).collect();
                let a = tensor::<Csr, _>([ROWS, WIDTH], &wide, of);
                let columns = tensor::<Csc, _>([ROWS, WIDTH], &wide, of);
                let blocks = tensor::<Bsr, _>([ROWS, WIDTH], &wide, of);
                let gaps = tensor::<Delta, _>([ROWS, WIDTH], &wide, of);
                let repeated = tensor::<Repeated, _>([ROWS, WIDTH], &twice, of);
                let b = tensor::<Csr, _>([WIDTH, COLUMNS], &tall, of);
                let (x, m) = (numbers.dense([WIDTH], of), numbers.dense([WIDTH, COLUMNS], of));
                let (z, u) = (numbers.dense([ROWS], of), numbers.dense([ROWS, COLUMNS], of));
                let alpha = Wrapped(of(2));

                // Exact sums, narrowed once.
                let mut sums = [[0i64; 3]; ROWS];
                let whole = |value: $T| -> i64 { (-1..=9).find(|n| of(*n) == value).expect("a small number") };
                for ([i, j], value) in &wide {
                    let product = value * whole(x[[*j]]);
                    sums[*i] = [sums[*i][0] + value, sums[*i][1] + product, sums[*i][2] + product * product];
                }
                let narrow = |sum: usize| sums.map(|sums| of(sums[sum])).to_vec();

                let rows = twin!([a, x] tensor fn f(a: Csr<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += a[i, j] * x[j] });
                prop_assert_eq!(&rows, &narrow(1));
                let plain = twin!([a] tensor fn f(a: Csr<$T>[i, j]) -> y: Dense<$T>[i] { y[i] += a[i, j] });
                prop_assert_eq!(&plain, &narrow(0));
                let squares = twin!([a, x] tensor fn f(a: Csr<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += a[i, j] * x[j] * (a[i, j] * x[j]) });
                prop_assert_eq!(&squares, &narrow(2));
                let scattered = twin!([columns, x] tensor fn f(a: Csc<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += a[i, j] * x[j] });
                prop_assert_eq!(&scattered, &narrow(1));
                let outer = twin!([a, x] tensor fn f(a: Csr<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += a[i, j] * x[j]; order(j, i) });
                prop_assert_eq!(&outer, &narrow(1));
                let of_blocks = twin!([blocks, x] tensor fn f(a: Bsr<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += a[i, j] * x[j] });
                prop_assert_eq!(&of_blocks, &narrow(1));
                let of_gaps = twin!([gaps, x] tensor fn f(a: Delta<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += a[i, j] * x[j] });
                prop_assert_eq!(&of_gaps, &narrow(1));
                let in_parallel = twin!([a, x] tensor fn f(a: Csr<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += a[i, j] * x[j]; split(i, 4); parallel(i) });
                prop_assert_eq!(&in_parallel, &narrow(1));
                let unrolled = twin!([a, x] tensor fn f(a: Csr<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += a[i, j] * x[j]; unroll(j, 3) });
                prop_assert_eq!(&unrolled, &narrow(1));

                twin!([a, m] tensor fn f(a: Csr<$T>[i, j], m: Dense<$T>[j, k]) -> y: Dense<$T>[i, k] { y[i, k] = a[i, j] * m[j, k] });
                twin!([a, m] tensor fn f(a: Csr<$T>[i, j], m: Dense<$T>[j, k]) -> y: Dense<$T>[i, k] { y[i, k] += a[i, j] * m[j, k]; parallel(i) });
                twin!([columns, m] tensor fn f(a: Csc<$T>[i, j], m: Dense<$T>[j, k]) -> y: Dense<$T>[i, k] { y[i, k] = a[i, j] * m[j, k] });
                twin!([blocks, m] tensor fn f(a: Bsr<$T>[i, j], m: Dense<$T>[j, k]) -> y: Dense<$T>[i, k] { y[i, k] = a[i, j] * m[j, k] });
                twin!([gaps, m] tensor fn f(a: Delta<$T>[i, j], m: Dense<$T>[j, k]) -> y: Dense<$T>[i, k] { y[i, k] = a[i, j] * m[j, k] });
                twin!([a, b] tensor fn f(a: Csr<$T>[i, j], b: Csr<$T>[j, k]) -> c: Csr<$T>[i, k] { c[i, k] = a[i, j] * b[j, k] });
                twin!([a, b] tensor fn f(a: Csr<$T>[i, j], b: Csr<$T>[j, k]) -> c: Csc<$T>[i, k] { c[i, k] = a[i, j] * b[j, k] });
                twin!([columns, b] tensor fn f(a: Csc<$T>[i, j], b: Csr<$T>[j, k]) -> c: Csr<$T>[i, k] { c[i, k] += a[i, j] * b[j, k]; order(j, i, k) });
                twin!([a, b] tensor fn f(a: Csr<$T>[i, j], b: Csr<$T>[j, k]) -> c: Full<$T>[i, k] { c[i, k] += a[i, j] * b[j, k] });
                twin!([a, x] tensor fn f(a: Csr<$T>[i, j], x: Dense<$T>[j]) -> c: Csr<$T>[i, j] { c[i, j] = a[i, j] * x[j] });
                twin!([a, u, m] tensor fn f(a: Csr<$T>[i, j], u: Dense<$T>[i, k], m: Dense<$T>[j, k]) -> c: Csr<$T>[i, j] { c[i, j] = a[i, j] * u[i, k] * m[j, k] });
                twin!([a, gaps] tensor fn f(a: Csr<$T>[i, j], b: Delta<$T>[i, j]) -> c: Csr<$T>[i, j] { c[i, j] = a[i, j] + b[i, j] });
                twin!([a, columns] tensor fn f(a: Csr<$T>[i, j], b: Csc<$T>[i, j]) -> c: Csc<$T>[i, j] { c[i, j] = max(a[i, j], b[i, j]) });
                twin!([a] number fn f(a: Csr<$T>[i, j]) -> s: $T { s += a[i, j] });
                twin!([a] number fn f(a: Csr<$T>[i, j]) -> s: $T { s *= a[i, j] });
                twin!([a, alpha.0] number fn f(a: Csr<$T>[i, j], alpha: $T) -> s: $T { s += alpha * a[i, j] if a[i, j] < alpha });
                twin!([repeated, x] tensor fn f(a: Repeated<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += a[i, j] * x[j] });
                twin!([repeated, x] tensor fn f(a: Repeated<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += a[i, j] * a[i, j] if x[j] > 0 });
                twin!([repeated] tensor fn f(a: Repeated<$T>[i, j]) -> c: Csr<$T>[i, j] { c[i, j] = 3 * a[i, j] });
                twin!([a, x] tensor fn f(a: Csr<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] max= 100 * a[i, j] * x[j] });
                twin!([a, x] tensor fn f(a: Csr<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[j] { y[j] min= 100 * a[i, j] * x[j] });
                twin!([a, b] tensor fn f(a: Csr<$T>[i, j], b: Csr<$T>[j, k]) -> c: Csr<$T>[i, k] { c[i, k] min= 50 * a[i, j] * b[j, k] });
                twin!([a, b] tensor fn f(a: Csr<$T>[i, j], b: Csr<$T>[j, k]) -> c: Csc<$T>[i, k] { c[i, k] max= 50 * a[i, j] * b[j, k] });
                twin!([a, z] tensor fn f(a: Csr<$T>[i, j], z: Dense<$T>[i]) -> y: Dense<$T>[j] { y[j] += (a[i, j] - z[i]) / 2 if a[i, j] - z[i] > 0 });
                twin!([a] tensor fn f(a: Csr<$T>[i, j]) -> y: Dense<$T>[i] { y[i] += a[i, j] if j > 60 });
                twin!([a] tensor fn f(a: Csr<$T>[i, j]) -> y: Dense<$T>[i] { y[i] max= j * a[i, j] if a[i, j] != 0 });
                twin!([a, x] tensor fn f(a: Csr<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += call(first, 90 * a[i, j], x[j]) });
                twin!([a, x] tensor fn f(a: Csr<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] = reduce(first, zero, a[i, j] * x[j]) });
                twin!([a, gaps] tensor fn f(a: Csr<$T>[i, j], b: Delta<$T>[i, j]) -> c: Csr<$T>[i, j] { c[i, j] = binary(a[i, j], 99 * b[i, j], both = first, left = identity) });
                let guarded = twin!([a] tensor fn f(a: Csr<$T>[i, j]) -> y: Dense<$T>[i] { y[i] += 1 if a[i, j] * j >= 0 });
                prop_assert_eq!(guarded.len(), ROWS);

                // The previous contents are a part of the sum.
                sparse_kernel! {
                    fn add(a: Csr<$T>[i, j], x: Dense<$T>[j]) -> y: Dense<$T>[i] { y[i] += a[i, j] * x[j]; order(j, i) }
                }
                let mut y = vec![of(1); ROWS];
                add_into(&a, &x, &mut y).expect("an output");
                prop_assert_eq!(&y, &sums.map(|sums| of(sums[1] + 1)).to_vec());
                Ok(())
            }
            proptest!(config(), |(seed: u64)| check(seed)?);
        }
    )* };
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: cases(2), failure_persistence: None, ..ProptestConfig::default() }
}

elements! {
    sums_of_bf16 bf16 true |n| bf16::from_f64(n as f64);
    sums_of_f16 f16 true |n| f16::from_f64(n as f64);
    sums_of_f32 f32 true |n| n as f32;
    sums_of_i8 i8 true |n| n as i8;
    sums_of_u8 u8 false |n| n as u8;
    sums_of_i16 i16 true |n| n as i16;
    sums_of_u32 u32 false |n| n as u32;
    sums_of_i64 i64 true |n| n;
}

#[test]
fn complex_numbers_are_computed_alike() {
    fn check(seed: u64) -> Result<(), TestCaseError> {
        type Number = Complex<f64>;
        let mut numbers = Numbers { state: seed, signed: true };
        let of = |n: i64| Complex::new(n as f64, (2 - n * n) as f64);
        let wide = numbers.sparse([ROWS, WIDTH]);
        let a = tensor::<Csr, Number>([ROWS, WIDTH], &wide, of);
        let gaps = tensor::<Delta, Number>([ROWS, WIDTH], &wide[..wide.len() / 2], of);
        let b = tensor::<Csr, Number>([WIDTH, COLUMNS], &numbers.sparse([WIDTH, COLUMNS]), of);
        let x = numbers.dense([WIDTH], of);
        let z = numbers.dense([ROWS], |n| Complex::new(n as f64 + 3.0, 1.0));
        let y = twin!([a, x] tensor fn f(a: Csr<Complex<f64>>[i, j], x: Dense<Complex<f64>>[j]) -> y: Dense<Complex<f64>>[i] { y[i] += a[i, j] * x[j] });
        let mut expected = vec![Complex::ZERO; ROWS];
        wide.iter().for_each(|([i, j], value)| expected[*i] += of(*value) * x[[*j]]);
        prop_assert_eq!(y, expected);
        twin!([a, z] tensor fn f(a: Csr<Complex<f64>>[i, j], z: Dense<Complex<f64>>[i]) -> c: Csr<Complex<f64>>[i, j] { c[i, j] = -2.5 * a[i, j] / z[i] });
        let alpha = Wrapped(Complex::new(0.0, 2.0));
        twin!([a, alpha.0] number fn f(a: Csr<Complex<f64>>[i, j], alpha: Complex<f64>) -> s: Complex<f64> { s = alpha * a[i, j] });
        twin!([a, gaps] tensor fn f(a: Csr<Complex<f64>>[i, j], b: Delta<Complex<f64>>[i, j]) -> c: Csr<Complex<f64>>[i, j] { c[i, j] = a[i, j] - b[i, j] });
        twin!([a, b] tensor fn f(a: Csr<Complex<f64>>[i, j], b: Csr<Complex<f64>>[j, k]) -> c: Csr<Complex<f64>>[i, k] { c[i, k] = a[i, j] * b[j, k] });
        twin!([a] number fn f(a: Csr<Complex<f64>>[i, j]) -> s: Complex<f64> { s += j if a[i, j] == 2 });
        twin!([a] tensor fn f(a: Csr<Complex<f64>>[i, j]) -> y: Dense<Complex<f64>>[j] { y[j] *= select(a[i, j] != 1, a[i, j], 3) });
        Ok(())
    }
    proptest!(config(), |(seed: u64)| check(seed)?);
}

#[test]
fn a_sum_is_as_precise_as_the_type_it_is_gathered_in() {
    sparse_kernel! {
        fn bf16s(a: Csr<bf16>[i, j]) -> s: bf16 { s += a[i, j] }
        fn f16s(a: Csr<f16>[i, j]) -> s: f16 { s += a[i, j] }
        fn i8s(a: Csr<i8>[i, j]) -> s: i8 { s += a[i, j] }
        fn gathered(a: Csr<bf16>[i, j]) -> y: Dense<bf16>[i] { y[i] += a[i, j] }
    }
    let ones: Vec<_> = (0..20_000).map(|j| ([0, j], 1)).collect();
    let a = tensor::<Csr, _>([1, 20_000], &ones, |n| bf16::from_f64(n as f64));
    assert_eq!(bf16s(&a), Ok(bf16::from_f32(20_000.0)));
    assert_eq!(gathered(&a).expect("y").values(), [bf16::from_f32(20_000.0)]);
    let b = tensor::<Csr, _>([1, 20_000], &ones[..5000], |n| f16::from_f64(n as f64));
    assert_eq!(f16s(&b), Ok(f16::from_f32(5000.0)));
    // 20,000 modulo 256.
    let c = tensor::<Csr, _>([1, 20_000], &ones, |n| n as i8);
    assert_eq!(i8s(&c), Ok(32));
    let text = "fn f(a: Csr<bf16>[i, j]) -> s: bf16 { s += a[i, j] }";
    assert_eq!(at_run_time(text, &[a.operand()]), [bf16::from_f32(20_000.0)]);
    // Also entries at one index.
    let many: Vec<_> = (0..3000).map(|_| ([0, 0], bf16::ONE)).collect();
    let sum = SparseTensor::<Csr, _>::from_coo([1, 1], &many, Duplicates::Sum).expect("a tensor");
    assert_eq!(sum.values(), [bf16::from_f32(3000.0)]);
    let kept =
        SparseTensor::<Repeated, _>::from_coo([1, 1], &many, Duplicates::Keep).expect("a tensor");
    assert_eq!(kept.to_dense().expect("memory"), sum.values());
}
