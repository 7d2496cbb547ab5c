//! Sparse outputs that a kernel combines with a given tensor, as GraphBLAS does: C<M> += T, with `replace`, and C<M> = T. Both the
//! macro and the run-time twin are compared with maps.

use crate::parsed::parsed;
use crate::rows::{numbers, rows};
use crate::tape::Tape;
use half::bf16;
use proptest::prelude::*;
use std::collections::BTreeMap;
use tensor_layout::sparse::{Duplicates, DynSparseTensor, Encoding, SparseElement, SparseTensor};
use tensor_layout::sparsify::{KernelError, RunError, SparseKernel, WideOperand};
use tensor_layout::{sparse_encoding, sparse_kernel};

/// The stored elements of a matrix.
type Map = BTreeMap<[usize; 2], f64>;

/// The operands of a case, as maps: `m`, `a`, `b`, `d` and the given output.
struct Maps {
    m: Map,
    a: Map,
    b: Map,
    d: Map,
    c: Map,
    shape: [usize; 3],
}

/// What a statement computes: the elements of the right-hand side, where the condition holds, and how they meet given elements.
struct Meaning {
    made: fn(&Maps, [usize; 2]) -> Option<f64>,
    holds: fn(&Maps, [usize; 2]) -> bool,
    /// Given elements where the condition does not hold remain.
    keeps_outside: bool,
    /// The function of a given and a computed element; `None` if given elements where the condition holds are dropped.
    combine: Option<fn(f64, f64) -> f64>,
}

/// All products at an index.
fn products(maps: &Maps, [i, j]: [usize; 2], multiply: fn(f64, f64) -> f64) -> Vec<f64> {
    let both = (0..maps.shape[1]).filter_map(|k| Some((maps.a.get(&[i, k])?, maps.b.get(&[k, j])?)));
    both.map(|(a, b)| multiply(*a, *b)).collect()
}

fn product(maps: &Maps, at: [usize; 2]) -> Option<f64> {
    products(maps, at, |a, b| a * b).into_iter().reduce(|a, b| a + b)
}

fn masked(maps: &Maps, at: [usize; 2]) -> bool {
    maps.m.get(&at).is_some_and(|value| *value != 0.0)
}

fn plus(a: f64, b: f64) -> f64 {
    a + b
}

const MEANINGS: [Meaning; 13] = [
    Meaning { made: |m, at| m.d.get(&at).copied(), holds: |_, _| true, keeps_outside: true, combine: Some(plus) },
    Meaning { made: product, holds: |_, _| true, keeps_outside: true, combine: Some(plus) },
    Meaning { made: product, holds: masked, keeps_outside: true, combine: Some(plus) },
    Meaning { made: product, holds: masked, keeps_outside: false, combine: Some(plus) },
    Meaning { made: product, holds: |m, at| !masked(m, at), keeps_outside: true, combine: Some(plus) },
    Meaning { made: product, holds: |m, at| !masked(m, at), keeps_outside: false, combine: Some(plus) },
    Meaning { made: product, holds: masked, keeps_outside: true, combine: None },
    Meaning { made: |m, at| m.d.get(&at).copied(), holds: |m, at| !masked(m, at), keeps_outside: true, combine: None },
    Meaning { made: |m, at| products(m, at, plus).into_iter().reduce(f64::min), holds: |_, _| true, keeps_outside: true, combine: Some(f64::min) },
    Meaning { made: |m, at| products(m, at, |a, b| a * b).into_iter().reduce(f64::max), holds: |m, at| m.m.get(&at).is_some_and(|value| *value > 1.0), keeps_outside: false, combine: Some(f64::max) },
    Meaning { made: |m, at| m.d.get(&at).copied(), holds: |_, _| true, keeps_outside: true, combine: Some(|a, b| a * b) },
    Meaning { made: |m, at| m.d.get(&at).copied(), holds: |_, at| at[0] <= at[1], keeps_outside: false, combine: Some(plus) },
    Meaning { made: product, holds: masked, keeps_outside: true, combine: Some(plus) },
];

type New<E> = fn(&[SparseTensor<E, f64>; 4]) -> Result<SparseTensor<E, f64>, KernelError>;
type Run<E> = fn(&[SparseTensor<E, f64>; 4], &mut SparseTensor<E, f64>) -> Result<(), KernelError>;

macro_rules! statements {
    ($($module:ident {$($encoding:tt)*};)*) => {
        $( statements!(@one $module {$($encoding)*} [sparse_encoding!($($encoding)*)]
            f0 f0_into { c[i, j] += d[i, j] }
            f1 f1_into { c[i, j] += a[i, k] * b[k, j] }
            f2 f2_into { c[i, j] += a[i, k] * b[k, j] if m[i, j] != 0 }
            f3 f3_into { c[i, j] += a[i, k] * b[k, j] if m[i, j] != 0; replace }
            f4 f4_into { c[i, j] += a[i, k] * b[k, j] if m[i, j] == 0 }
            f5 f5_into { c[i, j] += a[i, k] * b[k, j] if m[i, j] == 0; replace }
            f6 f6_into { c[i, j] = a[i, k] * b[k, j] if m[i, j] != 0; keep }
            f7 f7_into { c[i, j] = d[i, j] if m[i, j] == 0; keep }
            f8 f8_into { c[i, j] min= min.plus(a[i, k], b[k, j]) }
            f9 f9_into { c[i, j] max= max.times(a[i, k], b[k, j]) if m[i, j] > 1; replace }
            f10 f10_into { c[i, j] *= d[i, j] }
            f11 f11_into { c[i, j] += d[i, j] if i <= j; replace }
            f12 f12_into { c[i, j] += a[i, k] * b[k, j] if m[i, j] != 0; keep }
        ); )*
        /// For each encoding: its text, the functions, and the texts of their statements.
        const ENCODINGS: &[fn(&Maps, usize) -> Result<(), TestCaseError>] = &[$($module::check),*];
    };
    (@one $module:ident $encoding:tt [$E:ty] $($function:ident $into:ident $body:tt)*) => {
        mod $module {
            use super::*;
            type E = $E;
            sparse_kernel! { $(
                fn $function(m: $encoding<f64>[i, j], a: $encoding<f64>[i, k], b: $encoding<f64>[k, j], d: $encoding<f64>[i, j]) -> c: $encoding<f64>[i, j] $body
            )* }
            const RUNS: &[Run<E>] = &[$( |[m, a, b, d], c| $into(m, a, b, d, c) ),*];
            const NEW: &[New<E>] = &[$( |[m, a, b, d]| $function(m, a, b, d) ),*];
            const TEXTS: &[&str] = &[$(
                stringify!(fn f(m: $encoding<f64>[i, j], a: $encoding<f64>[i, k], b: $encoding<f64>[k, j], d: $encoding<f64>[i, j]) -> c: $encoding<f64>[i, j] $body)
            ),*];
            pub(super) fn check(maps: &Maps, number: usize) -> Result<(), TestCaseError> {
                super::check::<E>(maps, number, RUNS[number], NEW[number], TEXTS[number])
            }
        }
    };
}

statements! {
    rows {(i, j) -> (i : dense, j : compressed)};
    columns {(i, j) -> (j : dense, i : compressed)};
    few_rows {(i, j) -> (i : compressed, j : compressed)};
    coordinates {(i, j) -> (i : compressed(nonunique), j : singleton)};
    blocks {(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)};
    narrow {(i, j) -> (i : dense, j : compressed), posWidth = 16, crdWidth = 8};
}

fn tensor<E: Encoding<Index = [usize; 2]>>(shape: [usize; 2], map: &Map) -> SparseTensor<E, f64> {
    let entries: Vec<_> = map.iter().map(|(index, value)| (*index, *value)).collect();
    SparseTensor::from_coo(shape, &entries, Duplicates::Error).expect("a matrix")
}

/// What a matrix stores, with the zeros that its encoding adds.
fn stored<E: Encoding<Index = [usize; 2]>>(tensor: &SparseTensor<E, f64>) -> Map {
    let mut map = Map::new();
    tensor.for_each(|index, value| {
        map.insert(index, *value);
    });
    map
}

/// The map with the zeros that an encoding adds.
fn filled<E: Encoding<Index = [usize; 2]>>(shape: [usize; 2], map: Map) -> Map {
    stored(&tensor::<E>(shape, &map))
}

/// The entries of the output after the statement.
fn expected<E: Encoding<Index = [usize; 2]>>(maps: &Maps, number: usize) -> Map {
    let meaning = &MEANINGS[number];
    let shape = [maps.shape[0], maps.shape[2]];
    let all = || (0..shape[0]).flat_map(|i| (0..shape[1]).map(move |j| [i, j]));
    let made = all().filter(|at| (meaning.holds)(maps, *at));
    let made = made.filter_map(|at| Some((at, (meaning.made)(maps, at)?))).collect();
    let made = filled::<E>(shape, made);
    let remains = |at: &[usize; 2]| match (meaning.holds)(maps, *at) {
        true => meaning.combine.is_some(),
        false => meaning.keeps_outside,
    };
    let every = (0..shape[0] * shape[1]).all(|at| remains(&[at / shape[1], at % shape[1]]));
    let mut output = maps.c.clone();
    if !every {
        output.retain(|at, _| remains(at));
        output = filled::<E>(shape, output);
    }
    for (at, value) in made {
        let combine = meaning.combine.unwrap_or(plus);
        output.entry(at).and_modify(|old| *old = combine(*old, value)).or_insert(value);
    }
    output
}

fn check<E: Encoding<Index = [usize; 2]>>(
    maps: &Maps,
    number: usize,
    run: Run<E>,
    new: New<E>,
    text: &str,
) -> Result<(), TestCaseError> {
    let [rows, inner, columns] = maps.shape;
    let of = |shape, map| tensor::<E>(shape, map);
    let operands = [
        of([rows, columns], &maps.m),
        of([rows, inner], &maps.a),
        of([inner, columns], &maps.b),
        of([rows, columns], &maps.d),
    ];
    // The zeros that an encoding adds are elements of the operands, too.
    let maps = Maps {
        m: stored(&operands[0]),
        a: stored(&operands[1]),
        b: stored(&operands[2]),
        d: stored(&operands[3]),
        c: filled::<E>([rows, columns], maps.c.clone()),
        shape: maps.shape,
    };
    let given = of([rows, columns], &maps.c);
    let mut output = given.clone();
    run(&operands, &mut output).expect("sizes agree");
    prop_assert_eq!(stored(&output), expected::<E>(&maps, number), "{}", text);

    let kernel = parsed(text, &[]);
    let wide = operands.clone().map(|operand| WideOperand::from(DynSparseTensor::from(operand)));
    let mut twin = DynSparseTensor::from(given);
    kernel.run_into(&wide, &[], &mut twin).unwrap_or_else(|error| panic!("{text}: {error}"));
    prop_assert_eq!(&twin, &DynSparseTensor::from(output.clone()));
    prop_assert!(SparseTensor::<E, f64>::assemble(output.disassemble()).is_ok());

    // A tensor without entries becomes what the function returns.
    let mut empty = of([rows, columns], &Map::new());
    run(&operands, &mut empty).expect("sizes agree");
    prop_assert_eq!(stored(&empty), stored(&new(&operands).expect("sizes agree")));
    Ok(())
}

fn map(tape: &mut Tape<'_>, [rows, columns]: [usize; 2]) -> Map {
    let often = tape.below(4);
    let mut map = Map::new();
    for at in (0..rows * columns).map(|at| [at / columns, at % columns]) {
        if tape.below(3) < often {
            map.insert(at, tape.below(7) as f64 - 2.0);
        }
    }
    map
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn given_entries_are_kept_combined_or_dropped(bytes in proptest::collection::vec(any::<u8>(), 1200)) {
        let tape = &mut Tape::new(&bytes);
        let shape = [2 * tape.below(4), 2 * tape.below(3), 2 * tape.below(4)];
        let [rows, inner, columns] = shape;
        let outer = [rows, columns];
        let (m, a, b) = (map(tape, outer), map(tape, [rows, inner]), map(tape, [inner, columns]));
        let d = map(tape, outer);
        // A quarter of the given outputs have the entries of an operand.
        let c = if tape.once_in(4) { d.clone() } else { map(tape, outer) };
        let maps = Maps { m, a, b, d, c, shape };
        for number in 0..MEANINGS.len() {
            for check in ENCODINGS {
                check(&maps, number)?;
            }
        }
    }
}

#[test]
fn rows_of_graphblas() {
    let maps = |row: &serde_json::Value| {
        let of = |name: &str| {
            let entries = row[name].as_array().expect("entries").iter();
            let number = |entry: &serde_json::Value, at: usize| entry[at].as_f64().expect("a number");
            entries.map(|e| ([number(e, 0) as usize, number(e, 1) as usize], number(e, 2))).collect::<Map>()
        };
        let sizes = numbers(&row["shape"]);
        let maps = Maps { m: of("m"), a: of("a"), b: of("b"), d: of("d"), c: of("c"), shape: [sizes[0], sizes[1], sizes[2]] };
        (maps, of("out"))
    };
    type E = sparse_encoding!((i, j) -> (i : dense, j : compressed));
    let all = rows("sparse_accumulate", 78);
    for row in &all {
        let (maps, out) = maps(row);
        let number = row["statement"].as_u64().expect("a number") as usize;
        assert_eq!(expected::<E>(&maps, number), out, "{row}");
        for check in ENCODINGS {
            check(&maps, number).unwrap_or_else(|error| panic!("{row}: {error}"));
        }
    }
}

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn halves(a: Csr<bf16>[i, j]) -> c: Csr<bf16>[i, j] { c[i, j] += a[i, j] }
    fn halves_by_path(a: Csr<half::bf16>[i, j], x: Dense<half::bf16>[j]) -> c: Csr<half::bf16>[i, j] { c[i, j] += a[i, j] * x[j] }
    fn parity(a: Csr<bool>[i, j], b: Csr<bool>[i, j]) -> c: Csr<bool>[i, j] { c[i, j] += a[i, j] - b[i, j] }
    fn flags(a: Csr<Flag>[i, j]) -> c: Csr<Flag>[i, j] { c[i, j] += -a[i, j] }
    fn reach(a: Csr<bool>[i, k], b: Csr<bool>[k, j]) -> c: Csr<bool>[i, j] { c[i, j] max= lor.land(a[i, k], b[k, j]) }
    fn bytes(a: Csr<u8>[i, j], x: Dense<u8>[j]) -> c: Csr<u8>[i, j] { c[i, j] += a[i, j] * x[j] }
    fn sorted(a: {(i, j) -> (j : dense, i : compressed)}<f64>[i, j], alpha: f64) -> c: Csr<f64>[i, j] { c[i, j] += alpha * a[i, j] if alpha > 1; replace }
    fn threads(a: Csr<f64>[i, k], b: Csr<f64>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] += a[i, k] * b[k, j]; parallel(i) }
    fn through(a: Csr<f64>[i, j], x: Dense<f64>[n], p: Dense<u32>[j]) -> c: Csr<f64>[i, j] { c[i, j] += a[i, j] * x[p[j]] if x[p[j]] > 1; replace }
    fn counted(a: Csr<f64>[i, j], z: Dense<f64>[i]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] if call(|x| x - 1.0, z[i]) != 0; keep }
}

/// An alias, whose type the macro does not know.
type Flag = bool;

fn csr<T: SparseElement>(shape: [usize; 2], entries: &[([usize; 2], T)]) -> SparseTensor<Csr, T> {
    SparseTensor::from_coo(shape, entries, Duplicates::Error).expect("a matrix")
}

#[test]
fn elements_of_any_type_are_combined_in_the_type_in_which_they_are_added() {
    let mut c = csr([1, 3], &[([0, 0], bf16::from_f32(256.0)), ([0, 1], bf16::ONE)]);
    halves_into(&csr([1, 3], &[([0, 0], bf16::from_f32(3.0)), ([0, 2], bf16::ONE)]), &mut c).expect("sizes agree");
    assert_eq!(c.to_coo(), [([0, 0], bf16::from_f32(260.0)), ([0, 1], bf16::ONE), ([0, 2], bf16::ONE)]);
    let a = csr([2, 2], &[([0, 1], true), ([1, 0], true)]);
    let mut c = csr([2, 2], &[([0, 0], false), ([0, 1], true)]);
    reach_into(&a, &a, &mut c).expect("sizes agree");
    assert_eq!(c.to_coo(), [([0, 0], true), ([0, 1], true), ([1, 1], true)]);
    let mut c = csr([1, 2], &[([0, 0], 200u8), ([0, 1], 7)]);
    bytes_into(&csr([1, 2], &[([0, 0], 100u8)]), &[1, 1], &mut c).expect("sizes agree");
    assert_eq!(c.to_coo(), [([0, 0], 44), ([0, 1], 7)]);
}

/// What is added is rounded to an element first, however the element is written: 1 - 1 would be false, and in `f32` the sum of
/// 129/128 and almost 1/256 would be just below the tie.
#[test]
fn values_are_elements_before_they_are_added() {
    let stored = csr([1, 1], &[([0, 0], true)]);
    let mut c = stored.clone();
    parity_into(&csr([1, 1], &[]), &stored, &mut c).expect("sizes agree");
    assert_eq!(c, stored);
    flags_into(&stored, &mut c).expect("sizes agree");
    assert_eq!(c, stored);
    let text = "fn f(a: Csr<bool>[i, j], b: Csr<bool>[i, j]) -> c: Csr<bool>[i, j] { c[i, j] += a[i, j] - b[i, j] }";
    let (mut twin, empty) = (DynSparseTensor::from(stored.clone()), DynSparseTensor::from(csr::<bool>([1, 1], &[])));
    let operands = [empty.into(), DynSparseTensor::from(stored.clone()).into()];
    parsed(text, &[("Csr", Csr::SPEC)]).run_into(&operands, &[], &mut twin).expect("sizes agree");
    assert_eq!(twin, DynSparseTensor::from(stored));

    let mut c = csr([1, 1], &[([0, 0], bf16::from_f32(129.0 / 128.0))]);
    let almost = csr([1, 1], &[([0, 0], bf16::from_f32(127.0 / 128.0))]);
    halves_by_path_into(&almost, &[bf16::from_f32(129.0 / 128.0 / 256.0)], &mut c).expect("sizes agree");
    assert_eq!(c.values(), [bf16::from_f32(130.0 / 128.0)]);
}

#[test]
fn outputs_without_an_order_are_merged_too() {
    let columns = SparseTensor::from_coo([2, 2], &[([0, 1], 1.0), ([1, 0], 2.0)], Duplicates::Error).expect("a matrix");
    let mut c = csr([2, 2], &[([1, 0], 10.0), ([1, 1], 20.0)]);
    sorted_into(&columns, 3.0, &mut c).expect("sizes agree");
    assert_eq!(c.to_coo(), [([0, 1], 3.0), ([1, 0], 16.0), ([1, 1], 20.0)]);
    sorted_into(&columns, 1.0, &mut c).expect("sizes agree");
    assert_eq!(c.to_coo(), []);
    let a = csr([2, 2], &[([0, 1], 2.0), ([1, 0], 3.0)]);
    let mut c = csr([2, 2], &[([0, 0], 1.0), ([0, 1], 5.0)]);
    threads_into(&a, &a, &mut c).expect("sizes agree");
    assert_eq!(c.to_coo(), [([0, 0], 7.0), ([0, 1], 5.0), ([1, 1], 6.0)]);
    let mut c = csr([2, 2], &[([0, 0], 1.0), ([0, 1], 5.0)]);
    through_into(&a, &[1.0, 2.0, 3.0], &[2, 0], &mut c).expect("sizes agree");
    assert_eq!(c.to_coo(), [([0, 0], 1.0), ([1, 0], 9.0)]);
    let mut c = csr([2, 2], &[([0, 0], 1.0), ([1, 1], 5.0)]);
    counted_into(&a, &[2.0, 1.0], &mut c).expect("sizes agree");
    assert_eq!(c.to_coo(), [([0, 1], 2.0), ([1, 1], 5.0)]);
}

/// A sum is what is added, and then added to what is there, whether or not the entries are at the same indices: the same terms
/// are rounded in the same way.
#[test]
fn rounding_does_not_depend_on_the_other_entries() {
    let a = csr([1, 2], &[([0, 0], 1e16), ([0, 1], 1.0)]);
    let b = csr([2, 2], &[([0, 0], 1.0), ([1, 0], -1.0)]);
    let made = threads(&a, &b).expect("sizes agree").to_coo()[0].1;
    let mut alone = csr([1, 2], &[([0, 0], 1.0)]);
    let mut beside = csr([1, 2], &[([0, 0], 1.0), ([0, 1], 1.0)]);
    threads_into(&a, &b, &mut alone).expect("sizes agree");
    threads_into(&a, &b, &mut beside).expect("sizes agree");
    assert_eq!((alone.get([0, 0]), beside.get([0, 0])), (1.0 + made, 1.0 + made));
}

#[test]
fn an_output_of_another_shape_is_left_as_it_is() {
    let a = csr([2, 2], &[([0, 1], 2.0)]);
    let mut wide = csr([2, 3], &[([0, 2], 1.0)]);
    let before = wide.clone();
    let error = KernelError::Output { operand: "c", dim: 1, size: 3, expected: 2 };
    assert_eq!(threads_into(&a, &a, &mut wide), Err(error));
    assert_eq!(wide, before);
    let text = "fn f(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j] { c[i, j] += a[i, j] }";
    let kernel: SparseKernel = text.parse().expect("a kernel");
    let mut wide = DynSparseTensor::from(wide);
    let error = kernel.run_into(&[DynSparseTensor::from(a).into()], &[], &mut wide);
    assert_eq!(error, Err(RunError::Output { name: "c".into(), dim: 1, found: 3, expected: 2 }));
    assert_eq!(wide, DynSparseTensor::from(before));
}

#[test]
fn an_output_that_cannot_store_both_is_left_as_it_is() {
    type Narrow = sparse_encoding!((i, j) -> (i : dense, j : compressed), posWidth = 8, crdWidth = 16);
    sparse_kernel! {
        fn add(a: {(i, j) -> (i : dense, j : compressed), posWidth = 8, crdWidth = 16}<f64>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed), posWidth = 8, crdWidth = 16}<f64>[i, j] { c[i, j] += a[i, j] }
    }
    let of = |columns: std::ops::Range<usize>| {
        let entries: Vec<_> = columns.map(|j| ([0, j], 1.0)).collect();
        SparseTensor::<Narrow, f64>::from_coo([1, 400], &entries, Duplicates::Error).expect("a matrix")
    };
    let mut c = of(0..200);
    let error = add_into(&of(150..300), &mut c).expect_err("300 positions");
    assert!(matches!(error, KernelError::Build(_)), "{error}");
    assert_eq!(c, of(0..200));
}
