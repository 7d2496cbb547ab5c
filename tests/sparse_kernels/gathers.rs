//! Index arrays: reading and writing through them, with the macro and at run time.

use crate::case::{ENCODINGS, index};
use crate::cases::cases;
use crate::random::{build, does_not_fit, encoding, fill};
use crate::tape::Tape;
use proptest::prelude::*;
use tensor_layout::sparse::formats::Csr;
use tensor_layout::sparse::{Duplicates, DynSparseTensor, SparseTensor};
use tensor_layout::sparse_kernel;
use tensor_layout::sparsify::{AnyOperand, Dense, DynOperand, Evaluate, KernelError, RunError, SparseKernel};

/// A kernel as functions of the macro, and its text.
macro_rules! kernels {
    ($($text:ident { $($kernel:tt)* })*) => {
        $( sparse_kernel! { $($kernel)* } const $text: &str = stringify!($($kernel)*); )*
    };
}

kernels! {
    SPMV { fn spmv(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], x: Dense<f64>[n], p: Dense<u32>[j]) -> y: Dense<f64>[i] {
        y[i] += a[i, j] * x[p[j]]
    } }
    ROWS { fn rows(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], x: Dense<f64>[n, k], p: Dense<i32>[j]) -> y: Dense<f64>[i, k] {
        y[i, k] += a[i, j] * x[p[j], k]
    } }
    PAGED { fn paged(w: Dense<f64>[b, t, o], pool: Dense<f64>[n, o, k], page: Dense<u16>[b, t]) -> y: Dense<f64>[b, k] {
        y[b, k] = w[b, t, o] * pool[page[b, t], o, k]; parallel(b)
    } }
    ADDED { fn added(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], p: Dense<u64>[i], q: Dense<i64>[j], z: Dense<f64>[m, n]) -> y: Dense<f64>[m, n] {
        y[p[i], q[j]] += a[i, j]
    } }
    COUNTS { fn counts(a: {(i, j) -> (i : dense, j : compressed)}<i64>[i, j], p: Dense<u8>[i], q: Dense<i8>[j]) -> c: {(i, j) -> (i : dense, j : compressed)}<i64>[m, n] {
        c[p[i], q[j]] = stored(a[i, j]); size(m, 3); size(n, 4)
    } }
    LAYER { fn layer(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], x: Dense<f64>[n, k], p: Dense<u32>[j], w: Dense<f64>[k, l]) -> h: Dense<f64>[i, l] {
        let t[i, k] = a[i, j] * x[p[j], k];
        let u[i, l] = t[i, k] * w[k, l];
        h[i, l] = max(u[i, l], 0)
    } }
}

sparse_kernel! {
    /// The elements of an index array may have a type that only rustc knows.
    fn native(x: Dense<f32>[n], p: Dense<usize>[i], q: Dense<isize>[i]) -> y: Dense<f32>[i] {
        y[i] = x[p[i]] - x[q[p[i]]]
    }
}

fn run(text: &str, operands: &[AnyOperand]) -> Result<Vec<AnyOperand>, RunError> {
    let kernel: SparseKernel = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    kernel.run_all(operands)
}

fn array<T: Evaluate, const RANK: usize>(shape: [usize; RANK], value: impl Fn(usize) -> T) -> Dense<T, RANK> {
    Dense::new(shape, (0..shape.iter().product()).map(value).collect()).expect("as many values")
}

fn operand<T: Evaluate, const RANK: usize>(array: &Dense<T, RANK>) -> AnyOperand
where
    AnyOperand: From<DynOperand<T>>,
{
    DynOperand::dense(&array.shape(), array.values().to_vec()).expect("as many values").into()
}

fn csr<T: Evaluate>(rows: usize, columns: usize, value: impl Fn(usize) -> T) -> SparseTensor<Csr, T> {
    let stored = (0..rows * columns).filter(|n| n * 7 % 5 < 2);
    let entries: Vec<_> = stored.map(|n| ([n / columns, n % columns], value(n))).collect();
    SparseTensor::from_coo([rows, columns], &entries, Duplicates::Error).expect("a matrix")
}

fn any_csr<T: Evaluate>(matrix: &SparseTensor<Csr, T>) -> AnyOperand
where
    AnyOperand: From<DynSparseTensor<T>>,
{
    let csr = encoding("(i, j) -> (i : dense, j : compressed)");
    DynSparseTensor::from_coo(csr, &matrix.shape(), &matrix.to_coo(), Duplicates::Error).expect("a matrix").into()
}

fn number(n: usize) -> f64 {
    ((n * 37 + 11) % 17) as f64 - 8.0
}

#[test]
fn the_macro_and_its_twin_read_through_index_arrays() {
    for (rows_of, columns, width) in [(1, 1, 1), (5, 9, 3), (9, 4, 8), (17, 30, 33)] {
        let a = csr(rows_of, columns, number);
        let x = array([7], number);
        let p = array([columns], |n| (n * 5 % 7) as u32);
        let y = spmv(&a, &x, &p).expect("sizes agree");
        let mut expected = vec![0.0; rows_of];
        a.to_coo().iter().for_each(|([i, j], value)| expected[*i] += value * x[[p[[*j]] as usize]]);
        assert_eq!(y.values(), expected);
        assert_eq!(run(SPMV, &[any_csr(&a), operand(&x), operand(&p)]).expect("sizes agree"), [operand(&y)]);

        let x = array([7, width], number);
        let p = array([columns], |n| (n * 3 % 7) as i32);
        let y = rows(&a, &x, &p).expect("sizes agree");
        let mut expected = vec![0.0; rows_of * width];
        for ([i, j], value) in a.to_coo() {
            (0..width).for_each(|k| expected[i * width + k] += value * x[[p[[j]] as usize, k]]);
        }
        assert_eq!(y.values(), expected);
        assert_eq!(run(ROWS, &[any_csr(&a), operand(&x), operand(&p)]).expect("sizes agree"), [operand(&y)]);

        let w = array([width, 3], |n| number(n + 5));
        let p = array([columns], |n| (n * 3 % 7) as u32);
        let h = layer(&a, &x, &p, &w).expect("sizes agree");
        let all = [any_csr(&a), operand(&x), operand(&p), operand(&w)];
        assert_eq!(run(LAYER, &all).expect("sizes agree"), [operand(&h)]);
        let mut given = Dense::filled(h.shape(), 7.0).expect("memory");
        layer_into(&a, &x, &p, &w, &mut given).expect("sizes agree");
        assert_eq!(given, h);

        let (w, pool) = (array([rows_of, columns, 2], number), array([5, 2, width], number));
        let page = array([rows_of, columns], |n| (n * 3 % 5) as u16);
        let y = paged(&w, &pool, &page).expect("sizes agree");
        for b in 0..rows_of {
            for k in 0..width {
                let at = (0..columns).flat_map(|t| [(t, 0), (t, 1)]);
                let sum: f64 = at.map(|(t, o)| w[[b, t, o]] * pool[[page[[b, t]] as usize, o, k]]).sum();
                assert_eq!(y[[b, k]], sum);
            }
        }
        assert_eq!(run(PAGED, &[operand(&w), operand(&pool), operand(&page)]).expect("sizes agree"), [operand(&y)]);
    }
    let y = native(&[1.0, 2.0, 4.0], &[2usize, 0, 1], &[0isize, 2, 1]).expect("sizes agree");
    assert_eq!(y.values(), [2.0, 0.0, -2.0]);
}

#[test]
fn the_macro_and_its_twin_write_through_index_arrays() {
    let (a, z) = (csr(6, 9, number), array([3, 4], number));
    let (p, q) = (array([6], |n| (n % 3) as u64), array([9], |n| (n * n % 4) as i64));
    let y = added(&a, &p, &q, &z).expect("sizes agree");
    let mut expected = vec![0.0; 12];
    a.to_coo().iter().for_each(|([i, j], value)| expected[(i % 3) * 4 + j * j % 4] += value);
    assert_eq!(y.values(), expected);
    assert_eq!(run(ADDED, &[any_csr(&a), operand(&p), operand(&q), operand(&z)]).expect("sizes agree"), [operand(&y)]);
    let mut given = array([3, 4], |n| n as f64);
    added_into(&a, &p, &q, &z, &mut given).expect("sizes agree");
    assert!((0..12).all(|n| given.values()[n] == expected[n] + n as f64));

    let a = csr(6, 9, |_| 5i64);
    let (p, q) = (array([6], |n| (n % 3) as u8), array([9], |n| (n % 2 * 3) as i8));
    let c = counts(&a, &p, &q).expect("sizes agree");
    assert_eq!(c.shape(), [3, 4]);
    assert_eq!(c.to_coo().iter().map(|(_, count)| count).sum::<i64>(), a.values().len() as i64);
    assert!(c.to_coo().iter().all(|([_, n], _)| n % 3 == 0));
    assert_eq!(run(COUNTS, &[any_csr(&a), operand(&p), operand(&q)]).expect("sizes agree"), [any_csr(&c)]);
}

#[test]
fn an_element_that_is_not_an_index_is_an_error() {
    let (a, x) = (csr(2, 3, number), array([4], number));
    // Column 2 stores nothing that would read `x[4]`, but all elements are checked before the loops run.
    let p = array([3], |n| n as u32 * 2);
    let error = spmv(&a, &x, &p).expect_err("4 is not below 4");
    assert!(matches!(error, KernelError::Index { array: "p", position: 2, found: 4, index: "p[j]", size: 4 }), "{error}");
    assert_eq!(error.to_string(), "element 2 of `p` is 4, but the size of `p[j]` is 4");
    let error = run(SPMV, &[any_csr(&a), operand(&x), operand(&p)]).expect_err("4 is not below 4");
    assert_eq!(error.to_string(), "element 2 of `p` is 4, but the size of `p[j]` is 4");
    let (x, p) = (array([4, 2], number), array([3], |n| n as i32 - 1));
    let error = rows(&a, &x, &p).expect_err("-1 is not an index");
    assert!(matches!(error, KernelError::Index { position: 0, found: -1, .. }), "{error}");
    assert!(matches!(run(ROWS, &[any_csr(&a), operand(&x), operand(&p)]), Err(RunError::Index { found: -1, .. })));
    let (p, q, z) = (array([2], |_| u64::MAX), array([3], |_| 0i64), array([3, 4], number));
    let error = added(&a, &p, &q, &z).expect_err("not below 3");
    assert!(matches!(error, KernelError::Index { array: "p", found: 0xFFFF_FFFF_FFFF_FFFF, size: 3, .. }), "{error}");
    // An array without elements has no invalid ones.
    let empty = csr(2, 0, number);
    assert_eq!(spmv(&empty, &array([0], number), &array([0], |n| n as u32)).expect("nothing").values(), [0.0, 0.0]);
    let kernel: SparseKernel = "fn f(x: Dense<i64>[n], p: Dense<i64>[i]) -> y: Dense<i64>[i] { y[i] = x[p[i]] }".parse().expect("a kernel");
    let operand = DynOperand::dense(&[2], vec![0i64, 1]).expect("two");
    let error = kernel.run(&[operand.clone(), operand]).expect_err("elements have types of their own");
    assert_eq!(error, RunError::IndexArray { name: "p".into() });
}

#[test]
fn loops_read_the_index_array_as_far_out_as_they_can() {
    let loops = |text: &str| text.parse::<SparseKernel>().unwrap_or_else(|e| panic!("{text}: {e}")).to_string();
    assert_eq!(loops(SPMV), "\
for i in 0..size(i) {
    let mut sum = identity;
    for (p_a, j) in a.level1[i] {
        let p_j = p[j];
        sum += a[p_a] * x[p_j];
    }
    y[i] += sum;
}
");
}

#[test]
fn mistakes_are_explained() {
    for (text, message) in [
        ("y[i] = x[u[l]] * a[i, j]; size(l, 2)", "the index array `u` may be shorter"),
        ("y[i] = x[q[i]]", "`q` is read as an index, but has elements of type `f64`"),
        ("y[i] = x[a[i, j]]", "the index array `a` is not dense"),
        ("y[i] = x[p[i + 1]]", "the index array `p` is read at a sum of indices"),
        ("y[i] = x[r[i]]", "unknown operand `r`"),
        ("y[i] = x[p[i, j]]", "`p` has 1 dimension, but 2 subscripts"),
        ("y[i] = x[y[i]]", "the output `y` cannot be read"),
        ("y[p[i] + 1] = x[i]", "not a sum of them"),
        ("y[p[j]] = a[i, j]; parallel(j)", "write to the same elements"),
    ] {
        let text = format!("fn f(a: {{(i, j) -> (i : dense, j : compressed)}}<u32>[i, j], x: Dense<u32>[n], p: Dense<u32>[j], q: Dense<f64>[i], u: Dense<u8>[m]) -> y: Dense<f64>[i] {{ {text} }}");
        let error = text.parse::<SparseKernel>().expect_err(&text).to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    // If it is also read as a value, its elements must have a type that the output can hold.
    let text = "fn f(x: Dense<f64>[n], p: Dense<i64>[i]) -> y: Dense<f64>[i] { y[i] = x[p[i]] * p[i] }";
    let error = text.parse::<SparseKernel>().expect_err(text).to_string();
    assert!(error.contains("cannot represent all of their values"), "{error}");
    let text = "fn f(x: Dense<f64>[i], p: Dense<u8>[i]) -> y: Dense<f64>[k] { y[p[i]] = x[i] }";
    let error = text.parse::<SparseKernel>().expect_err(text).to_string();
    assert!(error.contains("the size of dimension `k` of `y` is not known"), "{error}");
}

/// The index and the value of a term, if everything that it reads is stored.
type TermOf = fn(&dyn Fn(&str, &[usize]) -> Option<i64>, &[usize; 3], [usize; 5]) -> Option<(Vec<usize>, i64)>;

/// The reads and the result of a statement: the values at all indices of its loops, the indices where they are written, and
/// whether something is stored there.
struct Written {
    text: &'static str,
    /// The names of the dimensions of each operand; index arrays are `p` of `j`, `q` of `i` and `t` of `i` and `j`.
    operands: &'static [(&'static str, &'static [usize])],
    output: (&'static str, &'static [usize]),
    value: TermOf,
}

/// The sizes of `i`, `j`, `k`, of what `p` and `t` read (`n`), and of what `q` reads (`m`).
const SIZES: [usize; 5] = [5, 4, 3, 6, 4];

const STATEMENTS: [Written; 8] = [
    Written {
        text: "y[i] += a[i, j] * x[p[j]]",
        operands: &[("a: # [i, j]", &[0, 1]), ("x: # [n]", &[3])],
        output: ("y: # [i]", &[0]),
        value: |get, [i, j, k], [p, ..]| (*k == 0).then(|| Some((vec![*i], get("a", &[*i, *j])? * get("x", &[p])?)))?,
    },
    Written {
        text: "y[i, k] = a[i, j] * b[p[j], k]",
        operands: &[("a: # [i, j]", &[0, 1]), ("b: # [n, k]", &[3, 2])],
        output: ("y: # [i, k]", &[0, 2]),
        value: |get, [i, j, k], [p, ..]| Some((vec![*i, *k], get("a", &[*i, *j])? * get("b", &[p, *k])?)),
    },
    Written {
        text: "y[i, j] = b[t[i, j], q[i]] - a[i, j]",
        operands: &[("a: # [i, j]", &[0, 1]), ("b: # [n, m]", &[3, 4])],
        output: ("y: # [i, j]", &[0, 1]),
        value: |get, [i, j, k], [_, q, t, ..]| {
            let (b, a) = (get("b", &[t, q]), get("a", &[*i, *j]));
            (*k == 0 && (a.is_some() || b.is_some())).then(|| (vec![*i, *j], b.unwrap_or(0) - a.unwrap_or(0)))
        },
    },
    Written {
        text: "y[i] = x[p[q[i]]] * 2",
        operands: &[("x: # [n]", &[3])],
        output: ("y: # [i]", &[0]),
        value: |get, [i, j, k], [.., pq]| (*j == 0 && *k == 0).then(|| Some((vec![*i], get("x", &[pq])? * 2)))?,
    },
    Written {
        text: "y[q[i], k] += a[i, j] * b[j, k]",
        operands: &[("a: # [i, j]", &[0, 1]), ("b: # [j, k]", &[1, 2]), ("z: Dense<i64>[m]", &[4])],
        output: ("y: # [m, k]", &[4, 2]),
        value: |get, [i, j, k], [_, q, ..]| Some((vec![q, *k], get("a", &[*i, *j])? * get("b", &[*j, *k])?)),
    },
    Written {
        text: "y[p[j]] = a[i, j]; size(n, 6)",
        operands: &[("a: # [i, j]", &[0, 1])],
        output: ("y: # [n]", &[3]),
        value: |get, [i, j, k], [p, ..]| (*k == 0).then(|| Some((vec![p], get("a", &[*i, *j])?)))?,
    },
    Written {
        text: "y[q[i], t[i, j]] = a[i, j] * x[p[j]] if x[p[j]] > 0",
        operands: &[("a: # [i, j]", &[0, 1]), ("x: # [n]", &[3]), ("z: Dense<i64>[m]", &[4])],
        output: ("y: # [m, n]", &[4, 3]),
        value: |get, [i, j, k], [p, q, t, ..]| {
            let x = get("x", &[p])?;
            (*k == 0 && x > 0).then(|| Some((vec![q, t], get("a", &[*i, *j])? * x)))?
        },
    },
    Written {
        text: "y[i] max= a[i, j] + x[p[j]]",
        operands: &[("a: Dense<i64>[i, j]", &[0, 1]), ("x: Dense<i64>[n]", &[3])],
        output: ("y: Dense<i64>[i]", &[0]),
        value: |get, [i, j, k], [p, ..]| (*k == 0).then(|| Some((vec![*i], get("a", &[*i, *j])? + get("x", &[p])?)))?,
    },
];

fn check(tape: &mut Tape<'_>) {
    let written = &STATEMENTS[tape.below(STATEMENTS.len())];
    let drawn = |declared: &str, shape: &[usize], tape: &mut Tape<'_>| match declared.contains('#') && !tape.once_in(3) {
        true => {
            let encoding = tape.pick(ENCODINGS[shape.len() - 1]);
            (declared.replace('#', &format!("{{{encoding}}}<i64>")).replace("> [", ">["), Some(encoding))
        }
        false => (declared.replace('#', "Dense<i64>").replace("> [", ">["), None),
    };
    let (mut parameters, mut operands, mut values) = (Vec::new(), Vec::<AnyOperand>::new(), Vec::new());
    for (declared, dims) in written.operands {
        let shape: Vec<usize> = dims.iter().map(|dim| SIZES[*dim]).collect();
        let (text, encoding_text) = drawn(declared, &shape, tape);
        let name = text[..1].to_string();
        parameters.push(text);
        let total: usize = shape.iter().product();
        let mut stored = vec![None; total];
        let position = |at: &[usize], shape: &[usize]| at.iter().zip(shape).fold(0, |position, (x, size)| position * size + x);
        match encoding_text {
            Some(text) => {
                let entries = fill(tape, text, &shape);
                let tensor = build::<i64>(&encoding(text), &shape, &entries).expect("a tensor");
                for (at, value) in tensor.to_coo() {
                    *stored[position(&at, &shape)].get_or_insert(0) += value;
                }
                operands.push(tensor.into());
            }
            None => {
                let all: Vec<i64> = (0..total).map(|_| tape.below(9) as i64 - 4).collect();
                stored = all.iter().map(|value| Some(*value)).collect();
                operands.push(DynOperand::dense(&shape, all).expect("all values").into());
            }
        }
        values.push((name, shape, stored));
    }
    let mut indices = |name: &str, shape: &[usize], below: usize, tape: &mut Tape<'_>| -> Vec<usize> {
        let elements: Vec<usize> = (0..shape.iter().product()).map(|_| tape.below(below)).collect();
        let dims = ["", "[j]", "[i, j]"][shape.len()].replace("[j]", if name == "q" { "[i]" } else { "[j]" });
        let (ty, operand): (_, AnyOperand) = match tape.below(3) {
            0 => ("u32", DynOperand::dense(shape, elements.iter().map(|n| *n as u32).collect()).expect("all").into()),
            1 => ("i8", DynOperand::dense(shape, elements.iter().map(|n| *n as i8).collect()).expect("all").into()),
            _ => ("u64", DynOperand::dense(shape, elements.iter().map(|n| *n as u64).collect()).expect("all").into()),
        };
        if written.text.contains(&format!("{name}[")) {
            parameters.push(format!("{name}: Dense<{ty}>{dims}"));
            operands.push(operand);
        }
        elements
    };
    let [i_size, j_size, k_size, n_size, m_size] = SIZES;
    let p = indices("p", &[j_size], n_size, tape);
    let q = indices("q", &[i_size], m_size, tape);
    let t = indices("t", &[i_size, j_size], n_size, tape);
    let (output, dims) = written.output;
    let shape: Vec<usize> = dims.iter().map(|dim| SIZES[*dim]).collect();
    let (output, _) = drawn(output, &shape, tape);
    let text = format!("fn f({}) -> {output} {{ {} }}", parameters.join(", "), written.text);

    let total: usize = shape.iter().product();
    let mut expected: Vec<Option<i64>> = vec![None; total];
    let get = |name: &str, at: &[usize]| -> Option<i64> {
        let (_, shape, stored) = values.iter().find(|(known, ..)| known == name).expect("an operand");
        stored[at.iter().zip(shape).fold(0, |position, (x, size)| position * size + x)]
    };
    let largest = written.text.contains("max=");
    for position in 0..i_size * j_size * k_size {
        let at = index(position, &[i_size, j_size, k_size]);
        let at = [at[0], at[1], at[2]];
        let through = [p[at[1]], q[at[0]], t[at[0] * j_size + at[1]], 0, p[q[at[0]] % j_size]];
        if let Some((to, value)) = (written.value)(&get, &at, through) {
            let to = to.iter().zip(&shape).fold(0, |position, (x, size)| position * size + x);
            let old = expected[to];
            expected[to] = Some(match largest {
                true => old.map_or(value, |old| old.max(value)),
                false => old.unwrap_or(0) + value,
            });
        }
    }
    let kernel: SparseKernel = match text.parse() {
        Ok(kernel) => kernel,
        Err(error) => panic!("{text}: {error}"),
    };
    let output = match kernel.run_all(&operands) {
        Ok(outputs) => outputs,
        Err(RunError::Build(error)) if does_not_fit(&error) => return,
        Err(error) => panic!("{text}: {error}\n{kernel}"),
    };
    let AnyOperand::I64(output) = &output[0] else { panic!("an output of i64") };
    let found = match output {
        DynOperand::Dense { values, .. } => values.clone(),
        DynOperand::Sparse(tensor) => {
            let mut found = vec![0; total];
            for (at, value) in tensor.to_coo() {
                found[at.iter().zip(&shape).fold(0, |position, (x, size)| position * size + x)] += value;
            }
            found
        }
        other => panic!("{other:?}"),
    };
    let expected: Vec<i64> = expected.into_iter().map(|value| value.unwrap_or(0)).collect();
    assert_eq!(found, expected, "{text}\n{kernel}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(750), max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_statements_read_and_write_through_index_arrays(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(&mut Tape::new(&bytes));
    }
}

#[test]
fn a_packed_index_array_must_have_all_values() {
    let text = "fn f(x: Dense<f64>[n], p: Packed<tiled!(u32[4]{0:T(8)})>[j]) -> y: Dense<f64>[j] { y[j] = x[p[j]] }";
    let kernel: SparseKernel = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let layout = "u32[4]{0:T(8)}".parse().expect("a layout");
    let indices = DynOperand::Tiled { layout: Box::new(layout), values: vec![0u32; 3] };
    let x = DynOperand::dense(&[2], vec![1.0, 2.0]).expect("a vector");
    let found = kernel.run_all(&[x.into(), indices.into()]);
    assert_eq!(found, Err(RunError::Storage { name: "p".into() }));
}
