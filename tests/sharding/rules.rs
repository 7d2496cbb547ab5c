//! The rules of operations compared with Shardy's.

use crate::rows::{number, numbers, rows, text};
use proptest::prelude::*;
use serde_json::Value as Json;
use tensor_layout::DType;
use tensor_layout::sharding::ops::{
    self, Attribute, Attributes, Convolution, DotDims, Gather, Mode, Scatter, Subject, TensorType,
};
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::{Mesh, OpShardingRule};

fn convolution(row: &Json, list: impl Fn(&str) -> Vec<usize>, mode: Mode) -> OpShardingRule {
    let (input, kernel, output) = (list("input"), list("kernel"), list("output"));
    let dims = Convolution {
        input_batch: input[0],
        input_feature: input[1],
        input_spatial: input[2..].to_vec(),
        kernel_input: kernel[0],
        kernel_output: kernel[1],
        kernel_spatial: kernel[2..].to_vec(),
        output_batch: output[0],
        output_feature: output[1],
        output_spatial: output[2..].to_vec(),
        batch_groups: number(&row["batch_groups"]),
        feature_groups: number(&row["feature_groups"]),
    };
    ops::convolution(&list("lhs"), &list("rhs"), &list("result"), &dims, mode)
}

/// The dimensions along which the window is larger than one element, moves by more than one, or is padded.
fn moving(row: &Json) -> Vec<usize> {
    (0..numbers(&row["window"]).len())
        .filter(|&dim| {
            row["window"][dim] != 1
                || row["strides"][dim] != 1
                || row["padding"][dim] != serde_json::json!([0, 0])
        })
        .collect()
}

/// The shorter side of matrices.
fn shorter(dims: &[usize]) -> usize {
    dims[dims.len() - 2..].iter().copied().min().expect("matrices")
}

fn rule(row: &Json) -> Option<OpShardingRule> {
    let mode = if row["conservative"] == true { Mode::Conservative } else { Mode::Normal };
    let list = |key: &str| numbers(&row[key]);
    let count = |key: &str| number(&row[key]);
    let known = |key: &str| if row[key].is_array() { list(key) } else { Vec::new() };
    let (input, result) = (known("input"), known("result"));
    Some(match text(row, "op") {
        "elementwise" => ops::elementwise(count("operands"), &[], &input),
        "select" | "clamp" => {
            let scalars = row["scalar"].as_array().expect("a list").iter().enumerate();
            let scalars: Vec<_> =
                scalars.filter(|(_, scalar)| **scalar == true).map(|(at, _)| at).collect();
            ops::elementwise(3, &scalars, &input)
        }
        "dot_general" => {
            let dims = DotDims {
                lhs_batch: list("lhs_batch"),
                rhs_batch: list("rhs_batch"),
                lhs_contracting: list("lhs_contracting"),
                rhs_contracting: list("rhs_contracting"),
            };
            ops::dot_general(&list("lhs"), &list("rhs"), &dims)
        }
        "transpose" => ops::transpose(&input, &list("permutation")),
        "reshape" => return ops::reshape(&input, &result),
        "broadcast_in_dim" => ops::broadcast_in_dim(&input, &result, &list("dims")),
        "reduce" => ops::reduce(count("inputs"), &input, &list("dims")),
        "concatenate" => {
            let inputs: Vec<_> =
                row["inputs"].as_array().expect("inputs").iter().map(numbers).collect();
            let dim = count("dim");
            let mut result = inputs[0].clone();
            result[dim] = inputs.iter().map(|input| input[dim]).sum();
            ops::concatenate(inputs.len(), &result, dim, false, mode)
        }
        "slice" => ops::slice(&input, &result, mode),
        "pad" => ops::pad(&input, &result, mode),
        "dynamic_slice" => ops::dynamic_slice(&input, &result),
        "dynamic_update_slice" => {
            ops::dynamic_update_slice(&input, &list("update"), row["constant"] == true)
        }
        "sort" => ops::sort(count("inputs"), &input, count("dim")),
        "fft" => ops::fft(&input, &result, count("length")),
        "reverse" => ops::reverse(&input, &list("dims")),
        "bitcast_convert" => ops::bitcast_convert(&input, &result),
        "cholesky" => ops::cholesky(&input),
        "triangular_solve" => ops::triangular_solve(
            &list("a"),
            &list("b"),
            row["left"] == true,
            row["transposed"] == true,
        ),
        "Eigh" => ops::eigh(&input),
        "Qr" => ops::qr(&input, shorter(&input)),
        "ProductOfElementaryHouseholderReflectors" => {
            ops::householder_product(&input, shorter(&input))
        }
        "mhlo.topk" => ops::top_k(&input, &result),
        "ApproxTopK" | "PartialReduce" => ops::approx_top_k(&input, &result),
        "rng_bit_generator" => ops::rng_bit_generator(&list("state"), &result),
        "batch_norm_inference" => ops::batch_norm_inference(&input, count("feature")),
        "all_gather" | "reduce_scatter" => {
            let dim = (0..input.len()).find(|&dim| input[dim] != result[dim]);
            ops::collective_dim(&input, &result, dim.expect("a dimension that changes"))
        }
        "all_to_all" => ops::all_to_all(&input, &result, count("split"), count("concat")),
        "reduce_window" => ops::reduce_window(count("inputs"), &result, &moving(row), mode),
        "select_and_scatter" => {
            let source = list("source");
            // Adjacent windows.
            let moving: Vec<_> =
                (0..input.len()).filter(|&dim| input[dim] != source[dim]).collect();
            ops::select_and_scatter(&input, &source, &moving, mode)
        }
        "convolution" => convolution(row, list, mode),
        "gather" => {
            let dims = Gather {
                offset: list("offset"),
                collapsed: list("collapsed"),
                operand_batch: list("input_batch"),
                indices_batch: list("indices_batch"),
                index_vector: count("index_vector"),
            };
            ops::gather(&input, &list("indices"), &result, &dims)
        }
        "scatter" => {
            let dims = Scatter {
                window: list("window"),
                inserted: list("inserted"),
                operand_batch: list("input_batch"),
                indices_batch: list("indices_batch"),
                index_vector: count("index_vector"),
                reduces: row["reduces"] == true,
            };
            ops::scatter(count("inputs"), &input, &list("indices"), &list("updates"), &dims)
        }
        other => panic!("no rule for {other}"),
    })
}

#[test]
fn rules_are_those_of_shardy() {
    for row in rows("sharding_rules", 232) {
        let ours = rule(&row).map(|rule| rule.to_string());
        assert_eq!(ours.as_deref(), row["rule"].as_str(), "{row}");
        if let Some(text) = &ours {
            assert_eq!(&text.parse::<OpShardingRule>().expect("a rule").to_string(), text);
        }
    }
}

/// The operation of a row as a program writes it: its name, the sizes of its operands, and its attributes.
fn call(row: &Json) -> (&str, Vec<Vec<usize>>, String) {
    let list = |key: &str| numbers(&row[key]);
    let count = |key: &str| number(&row[key]);
    let named = |names: &[(&str, &str)]| {
        names.iter().map(|(name, key)| format!(", {name}={}", row[*key])).collect::<String>()
    };
    let scalars = |n: usize| vec![Vec::new(); n];
    let result = || format!(", {}", row["result"]);
    let input = || vec![list("input")];
    let repeated = |key: &str| vec![list("input"); count(key)];
    match text(row, "op") {
        "elementwise" => {
            (["", "tanh", "add"][count("operands").min(2)], repeated("operands"), String::new())
        }
        op @ ("select" | "clamp") => {
            let scalar = row["scalar"].as_array().expect("a list").iter();
            let dims = scalar.map(|s| if *s == true { Vec::new() } else { list("input") });
            (op, dims.collect(), String::new())
        }
        "dot_general" => {
            let names = ["lhs_batch", "rhs_batch", "lhs_contracting", "rhs_contracting"];
            ("dot_general", vec![list("lhs"), list("rhs")], named(&names.map(|name| (name, name))))
        }
        "transpose" => ("transpose", input(), format!(", {}", row["permutation"])),
        op @ ("reshape" | "slice" | "pad" | "all_gather" | "reduce_scatter") => {
            (op, input(), result())
        }
        "broadcast_in_dim" => {
            ("broadcast_in_dim", input(), format!("{}, {}", result(), row["dims"]))
        }
        "reduce" => ("reduce", repeated("inputs"), format!(", {}", row["dims"])),
        "reverse" => ("reverse", input(), format!(", {}", row["dims"])),
        "concatenate" => {
            let inputs = row["inputs"].as_array().expect("inputs").iter().map(numbers).collect();
            ("concatenate", inputs, format!(", {}", row["dim"]))
        }
        "dynamic_slice" => {
            let mut operands = input();
            operands.extend(scalars(list("input").len()));
            ("dynamic_slice", operands, result())
        }
        "dynamic_update_slice" => {
            let mut operands = vec![list("input"), list("update")];
            operands.extend(scalars(list("input").len()));
            let constant = if row["constant"] == true { ", indices=constant" } else { "" };
            ("dynamic_update_slice", operands, constant.into())
        }
        "sort" => ("sort", repeated("inputs"), format!(", {}", row["dim"])),
        "fft" => {
            let (dims, result) = (list("input"), list("result"));
            let last = dims.len() - 1;
            let kind = match dims[last].cmp(&result[last]) {
                std::cmp::Ordering::Less => "IRFFT",
                std::cmp::Ordering::Equal => "FFT",
                std::cmp::Ordering::Greater => "RFFT",
            };
            let lengths =
                &(if kind == "IRFFT" { result } else { dims })[last + 1 - count("length")..];
            ("fft", input(), format!(", {lengths:?}, type={kind}"))
        }
        "bitcast_convert" => {
            let (dims, result) = (list("input"), list("result"));
            let bits = match dims.len().cmp(&result.len()) {
                std::cmp::Ordering::Less => 32 / result[dims.len()],
                std::cmp::Ordering::Equal => 32,
                std::cmp::Ordering::Greater => 32 * dims[result.len()],
            };
            ("bitcast_convert", input(), format!(", type=u{bits}"))
        }
        "triangular_solve" => {
            let side = if row["left"] == true { "LEFT" } else { "RIGHT" };
            let transpose = if row["transposed"] == true { "TRANSPOSE" } else { "NO_TRANSPOSE" };
            let told = format!(", side={side}, transpose={transpose}");
            ("triangular_solve", vec![list("a"), list("b")], told)
        }
        "cholesky" => ("cholesky", input(), String::new()),
        "Eigh" => ("eigh", input(), String::new()),
        "Qr" => ("qr", input(), String::new()),
        "ProductOfElementaryHouseholderReflectors" => {
            let mut taus = list("input");
            let columns = taus.pop().expect("columns");
            let rows = taus.pop().expect("rows");
            taus.push(rows.min(columns));
            ("householder_product", vec![list("input"), taus], String::new())
        }
        "mhlo.topk" => ("top_k", input(), result()),
        "ApproxTopK" => ("approx_top_k", vec![list("input"); 2], result()),
        "PartialReduce" => ("partial_reduce", vec![list("input"); 2], result()),
        "rng_bit_generator" => ("rng_bit_generator", vec![list("state")], result()),
        "batch_norm_inference" => {
            let mut operands = input();
            operands.extend(vec![vec![list("input")[count("feature")]]; 4]);
            ("batch_norm_inference", operands, format!(", {}", row["feature"]))
        }
        "all_to_all" => {
            let told = named(&[("split", "split"), ("concat", "concat")]);
            ("all_to_all", input(), result() + &told)
        }
        "reduce_window" => {
            let padding: Vec<_> =
                row["padding"].as_array().expect("padding").iter().flat_map(numbers).collect();
            let told = named(&[("window", "window"), ("strides", "strides")]);
            ("reduce_window", repeated("inputs"), format!("{told}, padding={padding:?}"))
        }
        "select_and_scatter" => {
            // Adjacent windows.
            let window: Vec<_> = list("input")
                .iter()
                .zip(list("source"))
                .map(|(size, count)| size / count)
                .collect();
            let told = format!(", window={window:?}, strides={window:?}");
            ("select_and_scatter", vec![list("input"), list("source")], told)
        }
        "convolution" => {
            // A row contains only the size of the result. Any window that produces it will do.
            let (mut strides, mut padding) = (Vec::new(), Vec::new());
            let [input, kernel, output] = ["input", "kernel", "output"].map(list);
            for at in 2..input.len() {
                let [size, window, count] =
                    [list("lhs")[input[at]], list("rhs")[kernel[at]], list("result")[output[at]]];
                let moves =
                    (1..=size).flat_map(|stride| (0..=window).map(move |low| (stride, low)));
                let (stride, low) = moves
                    .filter(|(_, low)| size + low >= window)
                    .find(|(stride, low)| (size + low - window) / stride + 1 == count)
                    .expect("a window");
                strides.push(stride);
                padding.extend([low, 0]);
            }
            let told = named(&[
                ("input", "input"),
                ("kernel", "kernel"),
                ("output", "output"),
                ("batch_groups", "batch_groups"),
                ("feature_groups", "feature_groups"),
            ]);
            let told = format!("{told}, strides={strides:?}, padding={padding:?}");
            ("convolution", vec![list("lhs"), list("rhs")], told)
        }
        "gather" => {
            let (dims, indices, result) = (list("input"), list("indices"), list("result"));
            let (offset, mut slices) = (list("offset"), vec![1; dims.len()]);
            let gone = [list("collapsed"), list("input_batch")].concat();
            let kept = (0..dims.len()).filter(|dim| !gone.contains(dim));
            kept.zip(&offset).for_each(|(dim, &at)| slices[dim] = result[at]);
            let told = named(&[
                ("offset", "offset"),
                ("collapsed", "collapsed"),
                ("operand_batch", "input_batch"),
                ("indices_batch", "indices_batch"),
                ("index_vector", "index_vector"),
            ]);
            ("gather", vec![dims, indices], format!("{told}, slice_sizes={slices:?}"))
        }
        "scatter" => {
            let told = named(&[
                ("window", "window"),
                ("inserted", "inserted"),
                ("operand_batch", "input_batch"),
                ("indices_batch", "indices_batch"),
                ("index_vector", "index_vector"),
                ("reduces", "reduces"),
            ]);
            ("scatter", vec![list("input"), list("indices"), list("updates")], told)
        }
        other => panic!("no operation {other}"),
    }
}

/// An element type that the operand may have.
fn dtype(op: &str, operand: usize, told: &str) -> &'static str {
    match (op, operand) {
        ("bitcast_convert", _) => "u32",
        ("select", 0) => "pred",
        ("dynamic_slice" | "gather" | "scatter" | "approx_top_k" | "partial_reduce", 1) => "s32",
        ("dynamic_slice" | "dynamic_update_slice", 2..) => "s32",
        ("fft", _) if !told.contains("RFFT") || told.contains("IRFFT") => "c64",
        ("not" | "and" | "or" | "xor" | "popcnt" | "count_leading_zeros", _) => "s32",
        ("shift_left" | "shift_right_arithmetic" | "shift_right_logical", _) => "s32",
        _ => "f32",
    }
}

/// The attributes of a text as in a program: `, [1, 0], 8, type=f32`.
fn attributes(told: &str) -> Attributes {
    let mut depth = 0;
    let parts = told.split(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    });
    let list = |text: &str| serde_json::from_str::<Vec<usize>>(text).ok();
    parts.map(str::trim).filter(|part| !part.is_empty()).fold(Attributes::new(), |all, part| {
        match part.split_once('=') {
            Some((name, value)) => match (list(value), value.parse::<usize>()) {
                (Some(list), _) => all.named(name, Attribute::List(list)),
                (None, Ok(number)) => all.named(name, number),
                (None, Err(_)) => all.named(name, value),
            },
            None => match list(part) {
                Some(list) => all.list(list),
                None => all.number(part.parse().expect("a number")),
            },
        }
    })
}

/// Operations in programs get Shardy's rules, without the scalars that a program does not write.
#[test]
fn programs_know_every_operation() {
    let mesh: Mesh = r#"<["a"=2]>"#.parse().expect("a mesh");
    let mut checked = 0;
    for row in rows("sharding_rules", 232) {
        let skipped = row["conservative"] == true || row["rule"].is_null();
        // A program scatters one array at a time.
        if skipped || (row["op"] == "scatter" && row["inputs"] != 1) {
            continue;
        }
        let (op, operands, told) = call(&row);
        let parameters: Vec<_> = operands
            .iter()
            .enumerate()
            .map(|(at, dims)| format!("x{at}: {}{dims:?}", dtype(op, at, &told)))
            .collect();
        let names: Vec<_> = (0..operands.len()).map(|at| format!("x{at}")).collect();
        let expected: OpShardingRule = text(&row, "rule").parse().expect("a rule");
        let results: Vec<_> = (0..expected.results().len()).map(|at| format!("r{at}")).collect();
        let program = format!(
            "mesh M; fn f({}) {{ let ({}) = {op}({}{told}); }}",
            parameters.join(", "),
            results.join(", "),
            names.join(", ")
        );
        let described = Program::new(&program, &mesh)
            .unwrap_or_else(|error| panic!("{error}\n{program}\n{row}"))
            .describe();
        let whole = expected.to_string();
        let expected = match operands.len() == expected.operands().len() {
            true => whole,
            false => whole.replace(", []", ""),
        };
        assert!(described.contains(&format!("`{expected}`")), "{expected}\n{program}\n{described}");
        let types: Vec<_> = operands
            .iter()
            .enumerate()
            .map(|(at, dims)| {
                let dtype = DType::from_name(dtype(op, at, &told)).expect("an element type");
                TensorType::new(dtype, dims)
            })
            .collect();
        let rule = ops::rule(op, &attributes(&told), &types);
        let rule = rule.unwrap_or_else(|error| panic!("{op}{told}: {error}")).expect("a rule");
        assert_eq!(rule.to_string(), expected, "{op}{told}");
        checked += 1;
    }
    assert_eq!(checked, 212);
}

#[test]
fn slices_that_are_joined_exchange_edges() {
    let rule = ops::concatenate(2, &[4, 700, 256], 1, true, Mode::Normal);
    assert_eq!(
        rule.to_string(),
        "<([i, j, k], [i, j, k])->([i, j, k]) {i=4, j=700, k=256} permutation={j}>"
    );
}

#[test]
fn operations_have_names_of_their_own() {
    let mut names: Vec<_> = ops::names().collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!((count, names.len()), (100, 100));
    let x = [TensorType::new(DType::F32, &[8, 4])];
    let rule = |name: &str| ops::rule(name, &Attributes::new(), &x).map(|rule| rule.is_some());
    assert_eq!([rule("exp"), rule("exponential")], [Ok(true), Ok(true)]);
    assert_eq!(
        rule("exponental").expect_err("no operation").to_string(),
        "unknown operation `exponental` (help: did you mean `exponential`?)"
    );
}

#[test]
fn errors_say_what_they_are_about() {
    let error = |op: &str, attributes: Attributes, types: &[TensorType<'_>]| {
        let error = ops::rule(op, &attributes, types).expect_err("an error");
        (error.subject.clone(), error.to_string())
    };
    let (x, w) = (TensorType::new(DType::F32, &[8, 4]), TensorType::new(DType::S32, &[8, 4]));
    let none = Attributes::new;
    for (found, subject, message) in [
        (error("tanh", none(), &[x, x]), Subject::Call, "expected 1 operand, found 2"),
        (
            error("tanh", none().number(1), &[x]),
            Subject::Call,
            "the operation takes no number, found 1",
        ),
        (
            error("tanh", none().list([1]), &[x]),
            Subject::List(0),
            "the operation takes no such list",
        ),
        (
            error("tanh", none().named("type", "f32"), &[x]),
            Subject::Attribute("type".into()),
            "`tanh` has no attribute `type` (help: leave `type` out)",
        ),
        (
            error("add", none(), &[x, w]),
            Subject::Operand(1),
            "expected elements of type `f32`, found `s32` (help: write `convert(.., type=f32)` around it)",
        ),
        (
            error("tanh", none().array(DType::F32, [8, 4]), &[x]),
            Subject::Call,
            "`tanh` takes operands, not an array",
        ),
        (
            error("constant", none().array(DType::U1, [8]), &[]),
            Subject::Call,
            "StableHLO has no elements of type `u1`",
        ),
        (
            error("tanh", none(), &[TensorType::new(DType::S1, &[8])]),
            Subject::Operand(0),
            "StableHLO has no elements of type `s1`",
        ),
    ] {
        assert_eq!(found, (subject, message.to_owned()));
    }
    // Nothing propagates through an operation without operands.
    let iota = none().array(DType::S32, [8, 4]).number(1);
    assert_eq!(ops::rule("iota", &iota, &[]), Ok(None));
    assert_eq!(
        ops::rule("reshape", &none().list([4, 0]), &[TensorType::new(DType::F32, &[0])]),
        Ok(None)
    );
}

/// Sizes at the limits, and small sizes that often fit each other.
fn size() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 0..5usize, 1 => Just(usize::MAX), 1 => Just(usize::MAX / 2 + 1)]
}

fn sizes() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        prop::sample::select(vec![vec![], vec![4], vec![2, 4], vec![4, 4], vec![2, 4, 4]]),
        prop::collection::vec(size(), 0..4),
    ]
}

fn any_attributes() -> impl Strategy<Value = Attributes> {
    let names = [
        "type",
        "window",
        "strides",
        "padding",
        "split",
        "concat",
        "direction",
        "input",
        "kernel",
        "output",
        "batch_groups",
        "feature_groups",
        "lhs_batch",
        "rhs_batch",
        "lhs_contracting",
        "rhs_contracting",
        "indices",
        "offset",
        "collapsed",
        "operand_batch",
        "indices_batch",
        "start_index_map",
        "index_vector",
        "slice_sizes",
        "inserted",
        "reduces",
        "side",
        "transpose",
    ];
    let word = prop::sample::select(vec!["f32", "c64", "u8", "LT", "RFFT", "constant", "true"]);
    let value = prop_oneof![
        3 => sizes().prop_map(Attribute::List),
        1 => size().prop_map(Attribute::Number),
        1 => word.prop_map(Attribute::from),
    ];
    let named = prop::collection::vec((prop::sample::select(names.to_vec()), value), 0..4);
    let lists = prop::collection::vec(sizes(), 0..3);
    (lists, prop::option::of(size()), named).prop_map(|(lists, number, named)| {
        let attributes = lists.into_iter().fold(Attributes::new(), Attributes::list);
        let attributes = number.into_iter().fold(attributes, Attributes::number);
        named.into_iter().fold(attributes, |all, (name, value)| all.named(name, value))
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Any call of any operation returns a rule or an error, and a rule fits the operands of the call.
    #[test]
    fn no_call_panics(
        attributes in any_attributes(),
        operands in prop::collection::vec(sizes(), 0..4),
        dtype in prop::sample::select(vec![DType::F32, DType::S32, DType::C64, DType::PRED]),
    ) {
        let types: Vec<_> = operands.iter().map(|dims| TensorType::new(dtype, dims)).collect();
        for op in ops::names() {
            if let Ok(Some(rule)) = ops::rule(op, &attributes, &types) {
                let ranks: Vec<_> = rule.operands().iter().map(|operand| operand.rank()).collect();
                let expected: Vec<_> = operands.iter().map(Vec::len).collect();
                prop_assert_eq!(ranks, expected, "{}", op);
            }
        }
    }
}
