//! The forms of statements, one by one: the loops that they become, and the results of these.

use std::slice::from_ref;
use tensor_layout::sparse::{Duplicates, DynSparseTensor, SparseEncoding};
use tensor_layout::sparsify::{DynFunction, DynOperand, RunError, SparseKernel};

const CSR: &str = "(i, j) -> (i : dense, j : compressed)";
const CSC: &str = "(i, j) -> (j : dense, i : compressed)";
const BSR: &str =
    "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)";
const VECTOR: &str = "(i) -> (i : compressed)";

fn encoding(text: &str) -> SparseEncoding {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn kernel(text: &str) -> SparseKernel {
    let encodings = [
        ("Csr", encoding(CSR)),
        ("Csc", encoding(CSC)),
        ("Bsr", encoding(BSR)),
        ("Vector", encoding(VECTOR)),
    ];
    SparseKernel::parse(text, &encodings).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn dense(shape: &[usize], values: &[f64]) -> DynOperand<f64> {
    DynOperand::dense(shape, values.to_vec()).expect("as many values")
}

/// The nonzero values of a row-major array, stored.
fn sparse(text: &str, shape: &[usize], values: &[f64]) -> DynOperand<f64> {
    let mut entries = Vec::new();
    for (position, value) in values.iter().enumerate().filter(|(_, value)| **value != 0.0) {
        entries.push((crate::case::index(position, shape), *value));
    }
    let tensor = DynSparseTensor::from_coo(encoding(text), shape, &entries, Duplicates::Error);
    tensor.expect("a tensor").into()
}

fn run(text: &str, operands: &[DynOperand<f64>]) -> DynOperand<f64> {
    let kernel = kernel(text);
    kernel.run(operands).unwrap_or_else(|error| panic!("{text}: {error}\n{kernel}"))
}

/// The elements that an output stores.
fn stored(output: &DynOperand<f64>) -> Vec<(Vec<usize>, f64)> {
    match output {
        DynOperand::Sparse(tensor) => tensor.to_coo(),
        _ => panic!("{output:?} is not sparse"),
    }
}

#[test]
fn blocks_are_multiplied_as_blocks() {
    let text =
        "fn f(a: Bsr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }";
    assert_eq!(
        kernel(text).to_string(),
        "\
if size(i) % 2 == 0 && size(j) % 2 == 0 {
    for i0 in 0..(size(i) + 1) / 2 {
        {
            let mut sums = [[identity; LANES]; 2]; // LANES: 2
            for (p_a1, j0) in a.level1[i0] {
                let a_lanes0 = a[p_a1 * 4..][..4];
                let x_lanes1 = x[j0 * 2..][..2];
                for i1 in 0..2 {
                    for lane in 0..LANES {
                        let j1 = lane;
                        sums[i1][lane] += a_lanes0[i1 * 2 + j1] * x_lanes1[j1];
                    }
                }
            }
            for i1 in 0..2 {
                y[i0 * 2 + i1] += sums[i1].reduce();
            }
        }
    }
} else {
    for i0 in 0..(size(i) + 1) / 2 {
        for (p_a1, j0) in a.level1[i0] {
            for i1 in 0..2 {
                let i = i0 * 2 + i1;
                if i in 0..size(i) {
                    let p_a2 = p_a1 * 2 + i1;
                    let mut sum = identity;
                    for j1 in 0..2 {
                        let j = j0 * 2 + j1;
                        if j in 0..size(j) {
                            sum += a[p_a2 * 2 + j1] * x[j];
                        }
                    }
                    y[i] += sum;
                }
            }
        }
    }
}
"
    );
}

#[test]
fn rows_are_gathered_and_columns_are_converted() {
    let product = |b: &str| {
        kernel(&format!(
            "fn f(a: Csr<f64>[i, k], b: {b}<f64>[k, j]) -> c: Csr<f64>[i, j] {{ c[i, j] = a[i, k] * b[k, j] }}"
        ))
    };
    let rows = "\
let mut c_row = workspace(size(j));
for i in 0..size(i) {
    for (p_a, k) in a.level1[i] {
        prefetch(b.level1);
        let mut a_value0 = a[p_a];
        for (p_b, j) in b.level1[k] {
            c_row[j] += a_value0 * b[p_b];
        }
    }
    for (j, value) in c_row.drain() /* one segment */ {
        c.push([i, j], value);
    }
}
";
    assert_eq!(product("Csr").to_string(), rows);
    assert_eq!(product("Csr").kernel().cost, "i + nnz(a) + nnz(a) * nnz(b) / k + nnz(c)");
    let converted =
        "let b_sorted = b.convert(); // to (d0, d1) -> (d0 : dense, d1 : compressed)\n".to_string();
    let columns = rows.replace("p_b", "p_b_sorted").replace("b.level", "b_sorted.level");
    let columns = columns.replace("b[p_b_sorted]", "b_sorted[p_b_sorted]");
    assert_eq!(product("Csc").to_string(), converted + &columns);
    assert_eq!(
        product("Csc").kernel().notes,
        [
            "`b` is first converted to `(d0, d1) -> (d0 : dense, d1 : compressed)`: its own encoding does not agree with the order of the loops",
            "a workspace collects values that are scattered over a part of `c`",
        ]
    );
}

#[test]
fn costs_are_in_terms_of_entries_and_sizes() {
    let cost = |text: &str| kernel(text).kernel().cost.clone();
    let coo = "{(i, j) -> (i : compressed(nonunique), j : singleton)}<f64>";
    let add = format!(
        "fn f(a: {coo}[i, j], b: {coo}[i, j]) -> c: {coo}[i, j] {{ c[i, j] = a[i, j] + b[i, j] }}"
    );
    assert_eq!(cost(&add), "nnz(a) + nnz(b)");
    let blocks = "fn f(a: Bsr<f64>[i, j], x: Dense<f64>[j, k]) -> y: Dense<f64>[i, k] { y[i, k] = a[i, j] * x[j, k] }";
    assert_eq!(cost(blocks), "i + nnz(a) * k");
    let search =
        "fn f(a: Csr<f64>[i, j], x: Vector<f64>[j]) -> y: Dense<f64>[i] { y[i] = a[i, j] * x[j] }";
    assert_eq!(cost(search), "i + nnz(a) * log(nnz(x))");
    let sorted = "fn f(a: Csr<f64>[i, j]) -> c: Csc<f64>[i, j] { c[i, j] = a[i, j] }";
    assert_eq!(cost(sorted), "i + nnz(a) + nnz(c) * log(nnz(c))");
    assert_eq!(cost("fn f(x: f64) -> y: f64 { y = 2 * x }"), "1");
}

#[test]
fn sums_visit_the_union_and_products_the_intersection() {
    let text = |op: &str| {
        format!(
            "fn f(a: Vector<f64>[i], b: Vector<f64>[i]) -> c: Vector<f64>[i] {{ c[i] = a[i] {op} b[i] }}"
        )
    };
    let a = sparse(VECTOR, &[5], &[1.0, 0.0, 2.0, 0.0, 3.0]);
    let b = sparse(VECTOR, &[5], &[-1.0, 5.0, 0.0, 0.0, 7.0]);
    let operands = [a, b];
    // Zeros that result from sums are stored.
    let sum = [(vec![0], 0.0), (vec![1], 5.0), (vec![2], 2.0), (vec![4], 10.0)];
    assert_eq!(stored(&run(&text("+"), &operands)), sum);
    assert_eq!(stored(&run(&text("*"), &operands)), [(vec![0], -1.0), (vec![4], 21.0)]);
    let gallop = text("*").replace(" }", "; gallop(i) }");
    assert!(kernel(&gallop).to_string().contains("galloping"));
    assert_eq!(stored(&run(&gallop, &operands)), [(vec![0], -1.0), (vec![4], 21.0)]);
    // A function that is not zero at zero is stored everywhere.
    let text = "fn f(a: Vector<f64>[i]) -> c: Vector<f64>[i] { c[i] = exp(a[i]) }";
    assert_eq!(stored(&run(text, &operands[..1])).len(), 5);
    let text = "fn f(a: Vector<f64>[i]) -> c: Vector<f64>[i] { c[i] = sqrt(a[i]) }";
    assert_eq!(stored(&run(text, &operands[..1])).len(), 3);
}

#[test]
fn an_operand_that_meets_others_in_several_loops_counts_once() {
    // Split twice; three operands meet in the loops over both parts of `k` and of `j`.
    let text = "fn f(a: {(i, j, k) -> (k : compressed(nonunique, nonordered), i : singleton, j : loose_compressed)}<i64>[i, l, j], \
        b: {(i, j) -> (i : batch, j : batch)}<i64>[j, i], \
        c: {(i, j, k) -> (k : compressed(nonunique, nonordered), i : singleton, j : loose_compressed)}<i64>[j, m, k]) \
        -> out: Dense<i64>[] { out[] = ((c[j, i - 2, k] * i) + (a[i, 2 * k, j] == b[j, i])); \
        size(i, 3); size(j, 5); size(k, 1); split(k, 3); split(j, 3) }";
    kernel(text);
}

#[test]
fn long_sums_are_split_and_long_products_are_not() {
    let text = |op: &str, operands: &[&str]| {
        let parameters: Vec<String> =
            operands.iter().map(|name| format!("{name}: Csr<f64>[i, j]")).collect();
        let values: Vec<String> = operands.iter().map(|name| format!("{name}[i, j]")).collect();
        let (parameters, values) = (parameters.join(", "), values.join(op));
        format!("fn f({parameters}) -> y: Csr<f64>[i, j] {{ y[i, j] = {values} }}")
    };
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "k", "l", "m", "n"];
    let error = SparseKernel::parse(&text(" + ", &names[..7]), &[("Csr", encoding(CSR))]);
    assert_eq!(
        error.expect_err("seven terms").to_string(),
        "1:120: too many sparse operands meet in the loop over `j`: with `g` there are more than 64 combinations of stored and absent operands (help: split the statement in two: first compute a part of it into a sparse output, then read that in a second statement)"
    );
    // As the help says, and in any encoding.
    let matrix = |n: usize| {
        let values: Vec<f64> = (0..6).map(|at| ((at + n) % (n + 2)) as f64).collect();
        (sparse(CSR, &[2, 3], &values), values)
    };
    let (operands, values): (Vec<_>, Vec<_>) = (0..12).map(matrix).unzip();
    let part = run(&text(" + ", &names[..6]), &operands[..6]);
    let rest = [&[part], &operands[6..11]].concat();
    let sum = run(&text(" + ", &names[..6]), &rest);
    let expected = |at: usize| values[..11].iter().map(|values| values[at]).sum::<f64>();
    let expected: Vec<f64> = (0..6).map(expected).collect();
    assert_eq!(sum, sparse(CSR, &[2, 3], &expected));
    // A product is zero if any of its factors is.
    let product = text(" * ", &names);
    let loops = kernel(&product).to_string();
    assert_eq!(loops.matches(" => {").count(), 1, "{loops}");
    let expected = |at: usize| values.iter().map(|values| values[at]).product::<f64>();
    for (index, value) in stored(&run(&product, &operands)) {
        assert_eq!(value, expected(index[0] * 3 + index[1]));
    }
}

#[test]
fn a_mask_gives_the_output_its_pattern() {
    let text =
        "fn f(s: Csr<f64>[i, j], u: Dense<f64>[i, k], v: Dense<f64>[k, j]) -> o: Csr<f64>[i, j] {
        o[i, j] = s[i, j] * u[i, k] * v[k, j]
    }";
    let s = sparse(CSR, &[2, 2], &[0.0, 2.0, 1.0, 0.0]);
    let (u, v) = (dense(&[2, 1], &[3.0, 4.0]), dense(&[1, 2], &[5.0, 6.0]));
    assert_eq!(kernel(text).kernel().notes, ["`o` has the positions and coordinates of `s`"]);
    assert_eq!(stored(&run(text, &[s, u, v])), [(vec![0, 1], 36.0), (vec![1, 0], 20.0)]);
}

#[test]
fn what_fits_the_loops_is_not_converted() {
    // All elements of two of four are visited either way: a conversion would only add to that.
    let text = "fn f(a: {(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])}<f64>[i, j], x: Dense<f64>[j, k]) -> y: Dense<f64>[i, k] {
        y[i, k] = a[i, j] * x[j, k]
    }";
    let kernel = kernel(text);
    assert_eq!(
        (kernel.kernel().notes.len(), kernel.kernel().cost.as_str()),
        (0, "i * j + nnz(a) * k")
    );
}

#[test]
fn loops_stand_where_they_have_to_for_a_schedule() {
    let parallel = kernel(
        "fn f(a: Csc<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j]; parallel(i) }",
    );
    assert!(parallel.to_string().contains("for i in 0..size(i) /* in parallel */"), "{parallel}");
    let gallop = kernel(
        "fn f(a: Csr<f64>[i, k], b: Csc<f64>[k, j]) -> c: Dense<f64>[i, j] { c[i, j] = a[i, k] * b[k, j]; gallop(k) }",
    );
    assert!(gallop.to_string().contains("merge k galloping"), "{gallop}");
}

#[test]
fn subscripts_can_be_sums() {
    let text =
        "fn f(x: Vector<f64>[n], w: Dense<f64>[k]) -> y: Dense<f64>[i] { y[i] += x[i + k] * w[k] }";
    let x = sparse(VECTOR, &[5], &[1.0, 0.0, 2.0, 0.0, 3.0]);
    let w = dense(&[2], &[10.0, 1.0]);
    assert_eq!(run(text, &[x.clone(), w.clone()]), dense(&[4], &[10.0, 2.0, 20.0, 3.0]));
    // Outside an operand there is nothing: the filter is centred.
    let text = "fn f(x: Vector<f64>[n], w: Dense<f64>[k]) -> y: Dense<f64>[i] { y[i] += x[i + k - 1] * w[k]; size(i, 5) }";
    assert_eq!(run(text, &[x, w]), dense(&[5], &[1.0, 10.0, 2.0, 20.0, 3.0]));
}

#[test]
fn arrays_are_sliced_joined_and_reshaped() {
    let a = sparse(VECTOR, &[4], &[1.0, 0.0, 2.0, 3.0]);
    let slice = "fn f(a: Vector<f64>[n]) -> c: Vector<f64>[i] { c[i] = a[i + 1]; size(i, 2) }";
    assert!(kernel(slice).to_string().contains("0..2"), "{}", kernel(slice));
    assert_eq!(stored(&run(slice, from_ref(&a))), [(vec![1], 2.0)]);
    let strided = "fn f(a: Vector<f64>[n]) -> c: Dense<f64>[i] { c[i] = a[2 * i] }";
    assert_eq!(run(strided, from_ref(&a)), dense(&[2], &[1.0, 2.0]));
    let joined = "fn f(a: Vector<f64>[n], b: Dense<f64>[m]) -> c: Dense<f64>[i] { c[i] = a[i] + b[i - 4]; size(i, 6) }";
    let b = dense(&[2], &[8.0, 9.0]);
    assert_eq!(run(joined, &[a.clone(), b]), dense(&[6], &[1.0, 0.0, 2.0, 3.0, 8.0, 9.0]));
    let rows =
        "fn f(a: Vector<f64>[n]) -> c: Csr<f64>[i, j] { c[i, j] = a[2 * i + j]; size(j, 2) }";
    let folded = run(rows, &[a]);
    assert_eq!(folded.shape(), [2, 2]);
    assert_eq!(stored(&folded), [(vec![0, 0], 1.0), (vec![1, 0], 2.0), (vec![1, 1], 3.0)]);
    let flat = "fn f(a: Csr<f64>[i, j]) -> c: Vector<f64>[n] { c[2 * i + j] = a[i, j] }";
    assert_eq!(stored(&run(flat, &[folded])), [(vec![0], 1.0), (vec![2], 2.0), (vec![3], 3.0)]);
}

#[test]
fn reductions_start_from_their_identity_and_see_what_is_stored() {
    let a = sparse(CSR, &[3, 2], &[-1.0, -2.0, 0.0, 0.0, 5.0, 0.0]);
    let text =
        |op: &str| format!("fn f(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] {{ y[i] {op} a[i, j] }}");
    let none = f64::NEG_INFINITY;
    assert_eq!(run(&text("max="), from_ref(&a)), dense(&[3], &[-1.0, none, 5.0]));
    assert_eq!(run(&text("min="), from_ref(&a)), dense(&[3], &[-2.0, f64::INFINITY, 5.0]));
    assert_eq!(run(&text("*="), from_ref(&a)), dense(&[3], &[2.0, 1.0, 5.0]));
    assert_eq!(run(&text("+="), from_ref(&a)), dense(&[3], &[-3.0, 0.0, 5.0]));
    // A sparse output stores the elements that received a term.
    let rows = "fn f(a: Csr<f64>[i, j]) -> y: Vector<f64>[i] { y[i] max= a[i, j] }";
    assert_eq!(stored(&run(rows, from_ref(&a))), [(vec![0], -1.0), (vec![2], 5.0)]);
    let count = "fn f(a: Csr<f64>[i, j]) -> s: f64 { s += 1 if a[i, j] != 0 }";
    assert_eq!(run(count, &[a]), DynOperand::Scalar(3.0));
}

#[test]
fn semirings_are_written_out() {
    let text = "fn f(a: Vector<f64>[i], b: Vector<f64>[i]) -> c: Vector<f64>[i] {
        c[i] = binary(a[i], b[i], both = |x, y| x.max(y), left = identity, right = half)
    }";
    let a = sparse(VECTOR, &[4], &[1.0, 2.0, 0.0, 0.0]);
    let b = sparse(VECTOR, &[4], &[5.0, 0.0, 4.0, 0.0]);
    let larger = |values: &[f64]| values[0].max(values[1]);
    let half = |values: &[f64]| values[0] / 2.0;
    let functions: [(&str, DynFunction<f64>); 2] = [("|x, y|x.max(y)", larger), ("half", half)];
    let output = kernel(text).run_with(&[a.clone(), b.clone()], &functions).expect("an output");
    assert_eq!(stored(&output), [(vec![0], 5.0), (vec![1], 2.0), (vec![2], 2.0)]);
    assert_eq!(
        kernel(text).run(&[a.clone(), b]).expect_err("no functions").to_string(),
        "the function `|x, y|x.max(y)` is not given"
    );
    // Where nothing is stored.
    let text = "fn f(a: Vector<f64>[i]) -> c: Vector<f64>[i] { c[i] = unary(a[i], absent = one) }";
    let output = kernel(text).run_with(from_ref(&a), &[("one", |_| 1.0)]).expect("an output");
    assert_eq!(stored(&output), [(vec![2], 1.0), (vec![3], 1.0)]);
    let text = "fn f(a: Vector<f64>[i]) -> s: f64 { s = reduce(longest, zero, a[i] * i) }";
    let functions: [(&str, DynFunction<f64>); 2] = [("longest", larger), ("zero", |_| 0.0)];
    let output = kernel(text).run_with(&[a], &functions).expect("an output");
    assert_eq!(output, DynOperand::Scalar(2.0));
}

#[test]
fn schedules_change_the_loops_and_not_the_result() {
    let a = sparse(CSR, &[3, 3], &[1.0, 2.0, 0.0, 0.0, 3.0, 4.0, 5.0, 0.0, 0.0]);
    let x = dense(&[3], &[1.0, 10.0, 100.0]);
    let text = |schedule: &str| {
        format!(
            "fn f(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] {{ y[i] += a[i, j] * x[j]{schedule} }}"
        )
    };
    let mut loops = Vec::new();
    for schedule in [
        "",
        "; order(j, i)",
        "; split(i, 2)",
        "; split(i, 2); order(i floordiv 2, j, i mod 2)",
        "; parallel(i)",
        "; unroll(j, 4)",
        "; vectorize(j)",
    ] {
        let output = run(&text(schedule), &[a.clone(), x.clone()]);
        assert_eq!(output, dense(&[3], &[21.0, 430.0, 5.0]), "{schedule}");
        loops.push(kernel(&text(schedule)).to_string());
    }
    loops.dedup();
    assert_eq!(loops.len(), 7, "each schedule makes other loops");
}

#[test]
fn operands_must_fit_the_signature() {
    let kernel = kernel(
        "fn f(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }",
    );
    let a = sparse(CSR, &[2, 3], &[1.0; 6]);
    let error = |operands: &[DynOperand<f64>]| kernel.run(operands).expect_err("an error");
    assert_eq!(error(from_ref(&a)), RunError::Count { expected: 2, found: 1 });
    assert_eq!(
        error(&[a.clone(), dense(&[2], &[1.0, 2.0])]).to_string(),
        "index `j` has size 3, but dimension 0 of `x` has 2"
    );
    let columns = sparse(CSC, &[2, 3], &[1.0; 6]);
    assert_eq!(
        error(&[columns, dense(&[3], &[1.0; 3])]).to_string(),
        "operand `a` is not stored as the signature says"
    );
    assert_eq!(
        DynOperand::dense(&[2, 2], vec![1.0]).expect_err("an error").to_string(),
        "1 values are given, but the shape [2, 2] has 4"
    );
    let root = self::kernel("fn f(a: Dense<i32>[i]) -> c: Dense<i32>[i] { c[i] = sqrt(a[i]) }");
    let a = DynOperand::dense(&[1], vec![4i32]).expect("one value");
    assert_eq!(
        root.run(&[a]).expect_err("an error").to_string(),
        "the elements have no function `sqrt`"
    );
}

#[test]
fn outside_of_a_dense_operand_a_product_has_no_entry() {
    let text = "fn f(a: Dense<f64>[i, k], b: Vector<f64>[j]) -> out: Vector<f64>[j] { out[j] += a[i, j - 2] * b[j] }";
    let b = sparse(VECTOR, &[6], &[1.0, 0.0, 0.0, 2.0, 0.0, 5.0]);
    let output = run(text, &[dense(&[2, 2], &[3.0, 4.0, 5.0, 6.0]), b]);
    assert_eq!(stored(&output), [(vec![3], 20.0)]);
}
