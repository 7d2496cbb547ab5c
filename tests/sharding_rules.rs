//! The rules of the registry against those that Shardy gives the same operations.

#[path = "golden/rows.rs"]
mod rows;

use rows::{number, numbers, rows, text};
use serde_json::Value as Json;
use tensor_layout::sharding::OpShardingRule;
use tensor_layout::sharding::registry::{self, Convolution, DotDims, Gather, Mode, Scatter};

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
    for row in rows("sharding_rules", 229) {
        let ours = rule(&row).map(|rule| rule.to_string());
        assert_eq!(ours.as_deref(), row["rule"].as_str(), "{row}");
        if let Some(text) = &ours {
            assert_eq!(&text.parse::<OpShardingRule>().expect("a rule").to_string(), text);
        }
    }
}

#[test]
fn slices_that_are_joined_exchange_edges() {
    let rule = registry::concatenate(2, &[4, 700, 256], 1, true, Mode::Normal);
    assert_eq!(
        rule.to_string(),
        "<([i, j, k], [i, j, k])->([i, j, k]) {i=4, j=700, k=256} permutation={j}>"
    );
}
