//! The rules of the registry against those that Shardy gives the same operations.

#[path = "golden/rows.rs"]
mod rows;

use rows::{number, numbers, rows, text};
use serde_json::Value as Json;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::registry::{self, Convolution, DotDims, Gather, Mode, Scatter};
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
    registry::convolution(&list("lhs"), &list("rhs"), &list("result"), &dims, mode)
}

/// Dimensions whose window is more than one element at a time.
fn moving(row: &Json) -> Vec<usize> {
    (0..numbers(&row["window"]).len())
        .filter(|&dim| {
            row["window"][dim] != 1
                || row["strides"][dim] != 1
                || row["padding"][dim] != serde_json::json!([0, 0])
        })
        .collect()
}

fn rule(row: &Json) -> Option<OpShardingRule> {
    let mode = if row["conservative"] == true { Mode::Conservative } else { Mode::Normal };
    let list = |key: &str| numbers(&row[key]);
    let count = |key: &str| number(&row[key]);
    let known = |key: &str| if row[key].is_array() { list(key) } else { Vec::new() };
    let (input, result) = (known("input"), known("result"));
    Some(match text(row, "op") {
        "elementwise" => registry::elementwise(count("operands"), &[], &input),
        "select" | "clamp" => {
            let scalars = row["scalar"].as_array().expect("a list").iter().enumerate();
            let scalars: Vec<_> =
                scalars.filter(|(_, scalar)| **scalar == true).map(|(at, _)| at).collect();
            registry::elementwise(3, &scalars, &input)
        }
        "dot_general" => {
            let dims = DotDims {
                lhs_batch: list("lhs_batch"),
                rhs_batch: list("rhs_batch"),
                lhs_contracting: list("lhs_contracting"),
                rhs_contracting: list("rhs_contracting"),
            };
            registry::dot_general(&list("lhs"), &list("rhs"), &dims)
        }
        "transpose" => registry::transpose(&input, &list("permutation")),
        "reshape" => return registry::reshape(&input, &result),
        "broadcast_in_dim" => registry::broadcast_in_dim(&input, &result, &list("dims")),
        "reduce" => registry::reduce(count("inputs"), &input, &list("dims")),
        "concatenate" => {
            let inputs: Vec<_> =
                row["inputs"].as_array().expect("inputs").iter().map(numbers).collect();
            let dim = count("dim");
            let mut result = inputs[0].clone();
            result[dim] = inputs.iter().map(|input| input[dim]).sum();
            registry::concatenate(inputs.len(), &result, dim, false, mode)
        }
        "slice" => registry::slice(&input, &result, mode),
        "pad" => registry::pad(&input, &result, mode),
        "dynamic_slice" => registry::dynamic_slice(&input, &result),
        "dynamic_update_slice" => {
            registry::dynamic_update_slice(&input, &list("update"), row["constant"] == true)
        }
        "sort" => registry::sort(count("inputs"), &input, count("dim")),
        "fft" => registry::fft(&input, &result, count("length")),
        "reverse" => registry::reverse(&input, &list("dims")),
        "bitcast_convert" => registry::bitcast_convert(&input, &result),
        "cholesky" => registry::cholesky(&input),
        "triangular_solve" => registry::triangular_solve(
            &list("a"),
            &list("b"),
            row["left"] == true,
            row["transposed"] == true,
        ),
        "Eigh" => registry::eigh(&input),
        "Qr" => registry::qr(&input),
        "ProductOfElementaryHouseholderReflectors" => registry::householder_product(&input),
        "mhlo.topk" => registry::top_k(&input, &result),
        "ApproxTopK" | "PartialReduce" => registry::approx_top_k(&input, &result),
        "rng_bit_generator" => registry::rng_bit_generator(&list("state"), &result),
        "batch_norm_inference" => registry::batch_norm_inference(&input, count("feature")),
        "all_gather" | "reduce_scatter" => registry::collective_dim(&input, &result),
        "all_to_all" => registry::all_to_all(&input, &result, count("split"), count("concat")),
        "reduce_window" => registry::reduce_window(count("inputs"), &result, &moving(row), mode),
        "select_and_scatter" => registry::select_and_scatter(&input, &list("source"), mode),
        "convolution" => convolution(row, list, mode),
        "gather" => {
            let dims = Gather {
                offset: list("offset"),
                collapsed: list("collapsed"),
                operand_batch: list("input_batch"),
                indices_batch: list("indices_batch"),
                index_vector: count("index_vector"),
            };
            registry::gather(&input, &list("indices"), &result, &dims)
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
            registry::scatter(count("inputs"), &input, &list("indices"), &list("updates"), &dims)
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

/// The operation of a row as a program names it: the operands, and what else it is told.
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
            // Windows that lie side by side.
            let window: Vec<_> = list("input")
                .iter()
                .zip(list("source"))
                .map(|(size, count)| size / count)
                .collect();
            let told = format!(", window={window:?}, strides={window:?}");
            ("select_and_scatter", vec![list("input"), list("source")], told)
        }
        "convolution" => {
            // The rows know what comes of the window; how it moves is any way that makes it so.
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

/// An element type that an operand may have.
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

/// What a program knows of its operations is what Shardy does; a scalar to start from is not written there.
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
        checked += 1;
    }
    assert_eq!(checked, 212);
}

#[test]
fn slices_that_are_joined_exchange_edges() {
    let rule = registry::concatenate(2, &[4, 700, 256], 1, true, Mode::Normal);
    assert_eq!(
        rule.to_string(),
        "<([i, j, k], [i, j, k])->([i, j, k]) {i=4, j=700, k=256} permutation={j}>"
    );
}
