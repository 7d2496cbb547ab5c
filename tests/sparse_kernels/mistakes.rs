//! Mistakes in a statement are reported where they are.

use proptest::prelude::*;
use tensor_layout::sparsify::{DynOperand, SparseKernel};

const CSR: &str = "{(i, j) -> (i : dense, j : compressed)}<f64>";

/// The mistakes in a text in which `Csr` is a placeholder for an encoding.
fn mistakes(text: &str) -> Vec<String> {
    let csr = "(i, j) -> (i : dense, j : compressed)".parse().expect("an encoding");
    let error = SparseKernel::parse(text, &[("Csr", csr)]).expect_err(text);
    error.mistakes().iter().map(ToString::to_string).collect()
}

/// The mistakes in a statement about a matrix and a vector.
fn in_body(body: &str) -> Vec<String> {
    let head = "fn f(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { ";
    let skipped = head.chars().count();
    let relative = |mistake: String| {
        let (location, message) = mistake.split_once(": ").expect("a location");
        let column: usize = location.trim_start_matches("1:").parse().expect("a column");
        format!("{}: {message}", column as i64 - skipped as i64)
    };
    mistakes(&format!("{head}{body} }}")).into_iter().map(relative).collect()
}

#[test]
fn names_are_known() {
    assert_eq!(
        in_body("y[i] += a[i, l] * z[j]"),
        [
            "14: index `l` is not bound: no operand has a dimension `l` (help: the dimensions are `i`, `j`; name this one in the signature, or give its size: `; size(l, 4)`)",
            "19: unknown operand `z` (help: the operands are `a`, `x`; name another one in the signature: `z: Dense<f64>[i]`)",
        ]
    );
    assert_eq!(
        in_body("z[i] += a[i, j] * x[j]"),
        ["1: `z` is not the output (help: the output is `y`)"]
    );
    assert_eq!(
        in_body("y[i] += y[i] * a[i, j]"),
        [
            "9: the output `y` cannot be read (help: use `+=` to add to what the output holds; read other values from an operand)"
        ]
    );
    assert_eq!(
        in_body("y[i] += sqr(a[i, j])"),
        ["9: unknown function `sqr` (help: did you mean `sqrt`?)"]
    );
    assert_eq!(
        in_body("y[i] += relu(a[i, j])"),
        ["9: unknown function `relu` (help: write `max(a[i, j], 0)`)"]
    );
    assert_eq!(
        in_body("y[i] += max(a[i, j])"),
        [
            "9: `max` takes 2 values, but is given 1 (help: the extremum over an index is a reduction: `y[i] max= a[i, j]`)"
        ]
    );
}

#[test]
fn elements_are_known_and_numbers_are_theirs() {
    assert_eq!(
        mistakes(
            "fn f(a: Csr<banana>[i, j], x: Dense<banana>[j]) -> y: Dense<banana>[i] { y[i] += a[i, j] * x[j] }"
        ),
        [
            "1:13: unknown element type `banana` (help: the types are bool, f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, Complex<f32>, Complex<f64>)"
        ]
    );
    assert_eq!(
        mistakes("fn f(a: Dense<f46>[i]) -> s: f46 { s += a[i] }"),
        ["1:15: unknown element type `f46` (help: did you mean `f64`?)"]
    );
    let of = |element: &str, value: &str| {
        let text = format!("fn f(a: Dense<{element}>[i]) -> s: {element} {{ s += {value} }}");
        match text.parse::<SparseKernel>() {
            Ok(_) => Vec::new(),
            Err(error) => error.mistakes().iter().map(ToString::to_string).collect(),
        }
    };
    assert_eq!(
        of("u8", "a[i] * -1"),
        ["1:46: `-1` is not a number of type `u8` (help: write a whole number from 0 to 255)"]
    );
    assert_eq!(
        of("u32", "1 - -a[i]"),
        [
            "1:45: `u32` has no negative values (help: write a difference, such as `x - a[i]`, or use a signed type)"
        ]
    );
    assert_eq!(of("i8", "a[i] * -128"), [""; 0]);
    assert_eq!(of("i8", "a[i] * 128").len(), 1);
    assert_eq!(of("half::bf16", "a[i] * -0.5"), [""; 0]);
    assert_eq!(
        of("f32", "a[i] * 1e39"),
        [
            "1:48: `1e39` is not a number of type `f32` (help: it is infinite in this type: use a larger type)"
        ]
    );
    assert_eq!(of("f16", "a[i] < -65520").len(), 1);
}

#[test]
fn elements_are_those_of_the_signature() {
    let kernel: SparseKernel =
        "fn f(a: Dense<f32>[i]) -> s: f32 { s += a[i] }".parse().expect("a kernel");
    let a = DynOperand::dense(&[1], vec![1.0f64]).expect("one value");
    assert_eq!(
        kernel.run(&[a]).expect_err("an error").to_string(),
        "the signature says that elements are `f32`, but `f64` are given"
    );
}

#[test]
fn ranks_agree() {
    assert_eq!(
        in_body("y[i] += a[i] * x[j]"),
        ["9: `a` has 2 dimensions, but 1 subscript (help: write `a[i, j]`)"]
    );
    assert_eq!(
        in_body("y = a[i, j] * x[j]"),
        ["1: `y` has 1 dimension, but 0 subscripts (help: write `y[i]`)"]
    );
    assert_eq!(
        mistakes("fn f(a: Csr<f64>[i]) -> s: f64 { s += a[i] }"),
        [
            "1:6: `a` is given 1 dimension, but its encoding has 2 (help: name each dimension of the encoding: `a: Csr<f64>[i, j]`)"
        ]
    );
    assert_eq!(
        mistakes("fn f(a: f64[i]) -> s: f64 { s += a }"),
        [
            "1:9: `f64` is one value, and has no dimensions (help: for all values in row-major order write `Dense<f64>`)",
            "1:34: `a` has 1 dimension, but 0 subscripts (help: write `a[i]`)",
        ]
    );
}

#[test]
fn operands_fit_each_other() {
    assert_eq!(
        mistakes(
            "fn f(a: Csr<f64>[i, j], a: Dense<f64>[j]) -> y: Dense<f32>[i] { y[i] += a[i, j] }"
        ),
        [
            "1:13: `a` has elements of type `f64`, but `y` is computed in `f32`, which cannot represent all of their values (help: give `y` elements of type `f64`, or convert `a` before the call: `a.cast::<f32>()`)",
            "1:25: `a` is declared twice (help: give one of them another name)",
            "1:34: `a` has elements of type `f64`, but `y` is computed in `f32`, which cannot represent all of their values (help: give `y` elements of type `f64`, or convert `a` before the call: `a.cast::<f32>()`)",
        ]
    );
    assert_eq!(
        mistakes("fn f(a: Csd<f64>[i, j]) -> s: f64 { s += a[i, j] }"),
        [
            "1:9: unknown encoding `Csd` (help: declare it with `sparse_encoding! { pub type Csr = (i, j) -> (i : dense, j : compressed); }`, or write it in braces)"
        ]
    );
    assert_eq!(
        mistakes("fn f(a: {(i, j) -> (i : dense)}<f64>[i, j]) -> s: f64 { s += a[i, j] }"),
        ["1:14: no level holds `j` (help: add a level for it: `j : compressed`)"]
    );
    assert_eq!(
        in_body("y[i] += x[j] / a[i, j]"),
        [
            "16: this divides by a value that may not be stored, and so may be zero (help: divide by something dense, or say what happens where it is not stored: `binary(a, b, both = ..)`)"
        ]
    );
}

#[test]
fn sizes_follow() {
    assert_eq!(
        mistakes("fn f(x: Dense<f64>[n]) -> c: Dense<f64>[i, j] { c[i, j] = x[i] }"),
        [
            "1:54: the size of index `j` does not follow from the operands (help: give it: `; size(j, 4)`)"
        ]
    );
    assert_eq!(
        in_body("y[i - 1] += a[i, j]"),
        [
            "1: a subscript of the output could be below zero (help: write subscripts of the output without minus, and shift those of the operands instead)"
        ]
    );
}

#[test]
fn a_size_is_given_once() {
    assert_eq!(
        in_body("y[i] += a[i, j]; size(i, 4); size(i, 5)"),
        ["35: the size of `i` is given twice"]
    );
}

#[test]
fn subscripts_are_sums() {
    let help = "(help: a subscript is a sum of indices: `i`, `2 * i + k - 1`)";
    assert_eq!(
        in_body("y[i] += x[i * (1 + j)]"),
        [format!("15: indices cannot be multiplied with each other {help}")]
    );
    assert_eq!(
        in_body("y[i] += x[2 * i +]"),
        [format!("18: expected an index or a number, found `]` {help}")]
    );
    let large = "this factor is too large (help: subscripts are small sums such as `2 * i + k`)";
    assert_eq!(in_body("y[i] += x[2147483648 * i]"), [format!("11: {large}")]);
    assert_eq!(in_body("y[i] += x[65536 * (i - 65536)]"), [format!("11: {large}")]);
    let deep = format!("y[i] += x[{}i{}]", "-(".repeat(100), ")".repeat(100));
    assert_eq!(in_body(&deep), ["35: this expression is too large"]);
}

#[test]
fn schedules_are_possible() {
    assert_eq!(
        in_body("y[i] += a[i, j]; parallel(j); order(j, i)"),
        [
            "27: iterations of `j` write to the same elements of the output (help: a loop over an index of the output can run in parallel)"
        ]
    );
    assert_eq!(
        in_body("y[i] += a[i, j] * x[j]; order(j, i); parallel(i)"),
        [
            "47: the loop over `i` is not the outermost (help: only the outermost loop runs on several threads)"
        ]
    );
    assert_eq!(
        in_body("y[i] += a[i, j] * x[j]; vectorize(i)"),
        [
            "35: the loop over `i` is not the innermost (help: only the innermost loop runs in vectors: choose it with `order(..)`)"
        ]
    );
    assert_eq!(
        mistakes(
            "fn f(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] + b[i, j]; unroll(j) }"
        ),
        [
            "1:103: the loop over `j` merges several operands (help: a loop over a whole index, or over the entries of one operand, can be unrolled)"
        ]
    );
    assert_eq!(
        in_body("y[i] += a[i, j]; unroll(j, 17)"),
        ["28: expected a number from 2 to 16, found 17"]
    );
    assert_eq!(
        in_body("y[i] += a[i, j]; gallop(j)"),
        [
            "25: no two sparse operands are intersected over `j` (help: galloping searches one operand for the coordinates of the other)"
        ]
    );
    assert_eq!(
        in_body("y[i] += a[i, j]; unrol(j)"),
        ["18: unknown schedule `unrol` (help: did you mean `unroll`?)"]
    );
    assert_eq!(
        in_body("y[i] += a[i, j]; split(k, 4); split(i, 1)"),
        [
            "24: the statement has no index `k` (help: its indices are `i`, `j`)",
            "40: expected a number from 2 to 1048576, found 1",
        ]
    );
    assert_eq!(
        in_body("y[i] += a[i, j]; split(i, 4); order(i mod 4, i floordiv 4)"),
        [
            "31: the loops cannot be in this order (help: order the parts of an index from the largest to the smallest, or leave the order out to have one chosen)"
        ]
    );
    assert_eq!(
        in_body("y[i] += a[i, j]; vectorize(i mod 4)"),
        [
            "28: there is no loop over this part of `i` (help: the parts are those of blocked operands and of `split`)"
        ]
    );
}

#[test]
fn what_stands_in_an_order_is_a_loop() {
    let cut = |column, part, size| {
        format!(
            "{column}: there is no loop over this part of `{part}` (help: cut the index: `split({part}, {size})`)"
        )
    };
    assert_eq!(in_body("y[i] += a[i, j]; order(i mod 3)"), [cut(24, "i", 3)]);
    assert_eq!(in_body("y[i] += a[i, j]; order(j, i floordiv 2 mod 3)"), [cut(27, "i", 6)]);
    assert_eq!(in_body("y[i] += a[i, j]; order(j); order(i mod 3)"), [cut(34, "i", 3)]);
    assert_eq!(
        in_body("y[i] += a[i, j]; split(i, 8); split(i, 4); order(i floordiv 4, j)"),
        [
            "50: there is no loop over this part of `i` (help: the loops over `i` are `i floordiv 8`, `i floordiv 4 mod 2`, `i mod 4`)"
        ]
    );
    assert_eq!(
        in_body("y[i] += a[i, j]; order(i mod 1)"),
        ["24: there is no loop over this part of `i` (help: the loops over `i` are `i`)"]
    );
    // Blocks of an operand are parts of an index too.
    let blocked = "{(i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense)}";
    let kernel = |part: &str| {
        format!(
            "fn f(a: {blocked}<f64>[i, j]) -> y: Dense<f64>[i] {{ y[i] += a[i, j]; order(j, {part}) }}"
        )
    };
    assert!(kernel("i mod 2").parse::<SparseKernel>().is_ok());
    assert_eq!(mistakes(&kernel("i mod 4")).len(), 1);
}

/// Forms of other languages are written differently here, or do not exist.
#[test]
fn help_says_what_is_written_instead() {
    let in_signature = |signature: &str| {
        let mistakes = mistakes(&format!("fn f{signature} {{ y[i] += a[i, j] }}"));
        mistakes.first().cloned().unwrap_or_default()
    };
    for (signature, mistake) in [
        (
            "<T>(a: Csr<T>[i, j]) -> y: Dense<T>[i]",
            "1:5: a kernel has no generic parameters (help: leave them out: a kernel is compiled for the types that are written; a `macro_rules!` around it can insert others)",
        ),
        (
            "(a: Csr<f64>[i, j])",
            "1:25: expected `->` and the output, found `{` (help: the output follows the operands: `-> y: Dense<f64>[i]`)",
        ),
        (
            "(a: Csr<f64>[i, j]) -> Dense<f64>[i]",
            "1:28: the output has no name (help: write `y: Dense<f64>[i]`)",
        ),
        (
            "(a: &Csr<f64>[i, j]) -> y: Dense<f64>[i]",
            "1:9: expected a type: `Dense<f64>`, `Csr<f64>` or `f64`, found `&` (help: leave it out: operands are always borrowed)",
        ),
        (
            "(a: Csr[i, j]) -> y: Dense<f64>[i]",
            "1:9: `Csr` is one value, and has no dimensions (help: write the type of the elements after the encoding: `Csr<f64>`)",
        ),
    ] {
        assert_eq!(in_signature(signature), mistake);
    }
    let end = "expected `;`, `}` or an operator, found";
    let other =
        "(help: call a Rust function for any other operator: `call(|x, y| x % y, a[i], b[i])`)";
    let one = "(help: a kernel consists of statements, and its loops follow from them: `y[i] += a[i, j] * x[j]`)";
    let sum = "(help: a subscript is a sum of indices: `i`, `2 * i + k - 1`)";
    for (body, mistake) in [
        ("y[i] += x[i] % 2", format!("14: {end} `%` {other}")),
        ("y[i] += x[i].abs()", "9: a function comes before its arguments (help: write `abs(x[i])`)".into()),
        ("y[i] += a[i][j]", "9: all subscripts go in one pair of brackets (help: write `a[i, j]`)".into()),
        ("y[i] += x[i], parallel(i)", format!("13: {end} `,` (help: write a schedule after a semicolon: `; parallel(i)`)")),
        ("y[i] += a(i, j)", "9: `a` is an operand, not a function (help: write `a[i, j]`)".into()),
        ("y[i] += sum(a[i, j])", "9: unknown function `sum` (help: write `a[i, j]`: everything is summed over the indices that the output does not have)".into()),
        ("y[i] += 2 * reduce(f64::max, 0, a[i, j])", "13: `reduce` must be everything after `=` (help: reduce the whole expression: `y[i] = reduce(f64::max, 0.0, 2 * a[i, j])`)".into()),
        ("y[i] += max(x[i], f64::EPSILON)", "22: expected an operator, found `:` (help: write a path in a call: `call(f64::hypot, a[i], b[i])`, `call(|| f64::MAX)`)".into()),
        ("y[i] += if x[i] > 0 { 1 } else { 0 }", "9: a choice has another form in a kernel (help: write `1 if x[i] > 0`)".into()),
        ("for i { y[i] += x[i] }", format!("1: expected a statement, found `for` {one}")),
        ("y[i] += x[i]; y[i] += x[i]", "15: `y` is computed twice (help: compute the first one as a temporary: `let t[i] = ..`)".into()),
        ("y[i] += x[i / 2]", format!("13: expected `,`, `]` or an operator, found `/` {sum}")),
        ("y[i] += x[i]; split(i, 4); split(i, 3)", "37: blocks of 3 do not fit those of 4 (help: one size must divide the other)".into()),
    ] {
        assert_eq!(in_body(body), [mistake]);
    }
}

#[test]
fn text_is_a_kernel() {
    assert_eq!(
        in_body("y[i] -= a[i, j]"),
        [
            "6: expected `=`, `+=`, `*=`, `min=` or `max=`, found `-` (help: add what is negative: `y[i] += -a[i]`)"
        ]
    );
    assert_eq!(
        in_body("y[i] += a[i, j] x[j]"),
        [
            "17: expected `;`, `}` or an operator, found `x` (help: write an operator: `a[i, j] * x[j]`)"
        ]
    );
    assert_eq!(
        in_body("y[i] += a[i, j] < x[j] < 2"),
        [
            "24: expected the end of the comparison, found `<` (help: comparisons cannot be chained: use parentheses)"
        ]
    );
    assert_eq!(
        in_body("y[i] += binary(a[i, j], x[j], middle = f)"),
        ["31: `binary` takes `both = ..`, `left = ..`, `right = ..`, each at most once"]
    );
    assert_eq!(
        in_body("y[i] += unary(a[i, j])"),
        ["9: `unary` needs at least one region (help: it takes `present = ..`, `absent = ..`)"]
    );
    let deep = format!("y[i] += {}x[i]{}", "(".repeat(100), ")".repeat(100));
    assert_eq!(in_body(&deep), ["33: this expression is too large"]);
    let long = format!("y[i] += {}", ["x[i]"; 100].join(" + "));
    assert_eq!(in_body(&long), ["462: this expression is too large"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// No text causes a panic or an endless loop.
    #[test]
    fn no_text_is_too_odd(
        cut in 0usize..200,
        length in 0usize..12,
        insert in "[a-z0-9\\[\\](){}<>=+*/,;:|.!-]{0,6}",
    ) {
        let text = format!(
            "fn f(a: {CSR}[i, j], b: {CSR}[k, j], x: Dense<f64>[n]) -> c: {CSR}[i, k] {{ c[i, k] = a[i, j] * b[k, j + 1] + max(x[2 * i], 0.5) if i < 3; order(i, j, k); split(k, 4) }}"
        );
        let cut = cut.min(text.len());
        let end = (cut + length).min(text.len());
        let text = format!("{}{insert}{}", &text[..cut], &text[end..]);
        let _ = text.parse::<SparseKernel>();
    }
}

/// Each operand that may be out of bounds doubles the number of cases in the loops.
#[test]
fn only_so_many_operands_are_read_out_of_bounds() {
    for terms in [12, 30] {
        let terms: Vec<_> = (1..=terms).map(|shift| format!("x[i + {shift}]")).collect();
        let sum = terms.join(" + ");
        let text = format!("fn f(x: Dense<f64>[i]) -> y: Dense<f64>[i] {{ y[i] = {sum} }}");
        let found: Result<SparseKernel, _> = text.parse();
        match terms.len() {
            12 => drop(found.expect("a kernel")),
            _ => {
                let error = found.expect_err("too many cases").to_string();
                assert!(error.contains("too many operands are read at indices that can be out of bounds, such as those of `x`"), "{error}");
                assert!(error.contains("split the statement in two"), "{error}");
            }
        }
    }
}
