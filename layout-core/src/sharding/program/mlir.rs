//! A program as MLIR, in the dialects `sdy` and `stablehlo`.

use super::{Call, NamedValue, Program};
use crate::dtype::{DType, Kind};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// An element type as MLIR names it.
fn element(dtype: DType) -> String {
    match dtype {
        DType::PRED => "i1".into(),
        DType::C64 => "complex<f32>".into(),
        DType::C128 => "complex<f64>".into(),
        _ => match dtype.kind() {
            Kind::Signed => format!("i{}", dtype.bits()),
            Kind::Unsigned => format!("ui{}", dtype.bits()),
            _ => match dtype.name().strip_prefix("f8").or(dtype.name().strip_prefix("f4")) {
                Some(rest) => format!("{}{}", &dtype.name()[..2], rest.to_uppercase()),
                None => dtype.name().into(),
            },
        },
    }
}

fn tensor(value: &NamedValue) -> String {
    tensor_of(value.dtype, &value.dims)
}

fn tensor_of(dtype: DType, dims: &[usize]) -> String {
    let dims: String = dims.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{dims}{}>", element(dtype))
}

fn list(numbers: impl IntoIterator<Item = usize>) -> String {
    let numbers: Vec<_> = numbers.into_iter().map(|number| number.to_string()).collect();
    numbers.join(", ")
}

impl Program {
    /// The program with its shardings as MLIR. Shardy reads it.
    pub fn mlir(&self) -> String {
        let mesh = format!("@{}", self.mesh_name);
        let mut text = format!("sdy.mesh {mesh} = {}\n", self.mesh);
        let parameters = self.parameters().iter().map(|value| {
            format!(
                "%{}: {} {{sdy.sharding = #sdy.sharding{}}}",
                value.name,
                tensor(value),
                value.sharding
            )
        });
        let returns = self.returns.iter().map(|(at, sharding)| {
            format!("{} {{sdy.sharding = #sdy.sharding{sharding}}}", tensor(&self.values[*at]))
        });
        text += &format!(
            "func.func @{}({}) -> ({}) {{\n",
            self.name,
            parameters.collect::<Vec<_>>().join(", "),
            returns.collect::<Vec<_>>().join(", ")
        );
        for call in &self.calls {
            text += &self.call(call);
        }
        let names = self.returns.iter().map(|(at, _)| format!("%{}", self.values[*at].name));
        let types = self.returns.iter().map(|(at, _)| tensor(&self.values[*at]));
        let names = names.collect::<Vec<_>>().join(", ");
        let types = types.collect::<Vec<_>>().join(", ");
        text += &match self.returns.is_empty() {
            true => "  return\n}\n".to_string(),
            false => format!("  return {names} : {types}\n}}\n"),
        };
        text
    }

    fn call(&self, call: &Call) -> String {
        let result = &self.values[call.result];
        let operands: Vec<_> = call.operands.iter().map(|&at| &self.values[at]).collect();
        let sharding = format!("sdy.sharding = #sdy.sharding_per_value<[{}]>", result.sharding);
        let mut text = String::new();
        let mut names: Vec<_> = operands.iter().map(|value| format!("%{}", value.name)).collect();
        for (operand, to, _) in &call.planned {
            let name = format!("%{}.for.{}", operands[*operand].name, result.name);
            text += &format!(
                "  {name} = sdy.reshard {} {to} : {}\n",
                names[*operand],
                tensor(operands[*operand])
            );
            names[*operand] = name;
        }
        let mut types: Vec<_> = operands.iter().map(|value| tensor(value)).collect();
        if call.attributes.stablehlo == "constrain" {
            return text
                + &format!(
                    "  %{} = sdy.sharding_constraint {} {} : {}\n",
                    result.name,
                    names[0],
                    result.sharding,
                    tensor(result)
                );
        }
        let (attributes, region) = self.attributes(call, &operands);
        let scalar = tensor_of(result.dtype, &[]);
        if matches!(call.attributes.stablehlo, "reduce" | "pad") {
            let zero = format!("%{}.init", result.name);
            let value = match result.dtype.kind() {
                Kind::Pred => "false",
                Kind::Float => "0.0",
                Kind::Complex => "(0.0, 0.0)",
                Kind::Signed | Kind::Unsigned => "0",
            };
            text += &format!("  {zero} = stablehlo.constant dense<{value}> : {scalar}\n");
            names.push(zero);
            types.push(scalar);
        }
        let name = match call.attributes.stablehlo {
            "" => "custom_call",
            name => name,
        };
        let properties =
            if attributes.is_empty() { String::new() } else { format!(" <{{{attributes}}}>") };
        let mut discardable = sharding;
        if call.attributes.stablehlo.is_empty() {
            let rule = self.graph.rule(call.op);
            discardable += &format!(", sdy.sharding_rule = #sdy.op_sharding_rule{rule}");
        }
        text + &format!(
            "  %{} = \"stablehlo.{name}\"({}){properties}{region} {{{discardable}}} : ({}) -> {}\n",
            result.name,
            names.join(", "),
            types.join(", "),
            tensor(result)
        )
    }

    /// The properties of an operation, and its region.
    fn attributes(&self, call: &Call, operands: &[&NamedValue]) -> (String, String) {
        let result = &self.values[call.result];
        let lists = &call.attributes.lists;
        let array = |name: &str, numbers: String| format!("{name} = array<i64: {numbers}>");
        let rank = result.dims.len();
        let scalar = tensor_of(result.dtype, &[]);
        let dim = call.attributes.number.unwrap_or(0);
        let attributes = match call.attributes.stablehlo {
            "" => format!("call_target_name = \"{}\"", call.name),
            "dot_general" => format!(
                "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [{}], rhs_contracting_dimensions = [0]>",
                operands[0].dims.len() - 1
            ),
            "transpose" => array("permutation", list(lists[0].iter().copied())),
            "broadcast_in_dim" => array("broadcast_dimensions", list(lists[1].iter().copied())),
            "reduce" => array("dimensions", list(lists[0].iter().copied())),
            "reverse" => array("dimensions", list(lists[0].iter().copied())),
            "concatenate" => format!("dimension = {dim} : i64"),
            "sort" => format!("dimension = {dim} : i64, is_stable = false"),
            "cholesky" => "lower = true".into(),
            "slice" => format!(
                "{}, {}, {}",
                array("start_indices", list((0..rank).map(|_| 0))),
                array("limit_indices", list(result.dims.iter().copied())),
                array("strides", list((0..rank).map(|_| 1)))
            ),
            "pad" => {
                let high = result.dims.iter().zip(&operands[0].dims).map(|(new, old)| new - old);
                format!(
                    "{}, {}, {}",
                    array("edge_padding_low", list((0..rank).map(|_| 0))),
                    array("edge_padding_high", list(high)),
                    array("interior_padding", list((0..rank).map(|_| 0)))
                )
            }
            _ => String::new(),
        };
        // No name of a program has a dot in it.
        let [a, b, c] = ["lhs", "rhs", "out"].map(|part| format!("%{}.{part}", result.name));
        let region = match call.attributes.stablehlo {
            "reduce" => format!(
                " ({{\n  ^bb0({a}: {scalar}, {b}: {scalar}):\n    {c} = stablehlo.add {a}, {b} : {scalar}\n    stablehlo.return {c} : {scalar}\n  }})"
            ),
            "sort" => format!(
                " ({{\n  ^bb0({a}: {scalar}, {b}: {scalar}):\n    {c} = stablehlo.compare LT, {a}, {b} : ({scalar}, {scalar}) -> tensor<i1>\n    stablehlo.return {c} : tensor<i1>\n  }})"
            ),
            _ => String::new(),
        };
        (attributes, region)
    }
}
