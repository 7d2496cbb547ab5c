//! A program as MLIR, in the dialects `sdy` and `stablehlo`.

mod region;

use super::nodes::Node;
use super::{Call, NamedValue, Program};
use crate::dtype::{DType, Kind};
use crate::sharding::ops::Attribute;
use crate::sharding::tensor::{Symbol, TensorSharding};
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
            // `f8e4m3fn` is `f8E4M3FN`, but `f32` and `bf16` are themselves.
            _ => match dtype.name().split_at_checked(2) {
                Some((bits @ ("f4" | "f6" | "f8"), rest)) => {
                    format!("{bits}{}", rest.to_uppercase())
                }
                _ => dtype.name().into(),
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

/// Whether MLIR takes a name of Rust for a value as it is.
fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A name that MLIR takes: no name of Rust has a `$`.
fn plain(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => text.push(c),
            _ => text += &format!("${:x}", u32::from(c)),
        }
    }
    text
}

/// A number of this type, in MLIR's text.
fn zero(dtype: DType) -> &'static str {
    match dtype.kind() {
        Kind::Pred => "false",
        Kind::Float => "0.0",
        Kind::Complex => "(0.0, 0.0)",
        Kind::Signed | Kind::Unsigned => "0",
    }
}

/// `array<i64: 1, 0>`, which has no colon where there are no numbers.
fn array(numbers: &str) -> String {
    let colon = if numbers.is_empty() { "" } else { ": " };
    format!("array<i64{colon}{numbers}>")
}

fn list(numbers: impl IntoIterator<Item = usize>) -> String {
    let numbers: Vec<_> = numbers.into_iter().map(|number| number.to_string()).collect();
    numbers.join(", ")
}

/// Shardings with commas between them.
fn list_of(shardings: &[TensorSharding]) -> String {
    let shardings: Vec<_> = shardings.iter().map(ToString::to_string).collect();
    shardings.join(", ")
}

impl Program {
    /// The program with its shardings as MLIR. Shardy reads it.
    ///
    /// The function has its name, with a number behind it where a mesh has that name already.
    pub fn mlir(&self) -> String {
        if self.values.iter().all(|value| is_plain(&value.name)) {
            return self.module();
        }
        let mut program = self.clone();
        program.values.iter_mut().for_each(|value| value.name = plain(&value.name));
        program.module()
    }

    /// A symbol for the function that no mesh has.
    fn symbol(&self) -> String {
        let numbered = (0..).map(|number| format!("{}_{number}", self.name));
        let mut names = core::iter::once(self.name.clone()).chain(numbered);
        let is_free = |name: &String| self.meshes.iter().all(|(mesh, _)| mesh != name);
        names.find(is_free).unwrap_or_default()
    }

    fn module(&self) -> String {
        let meshes = self.meshes.iter();
        let meshes = meshes.map(|(name, mesh)| format!("sdy.mesh {} = {mesh}\n", Symbol(name)));
        let mut text: String = meshes.collect();
        let parameters = self.parameters().iter().map(|value| {
            format!(
                "%{}: {} {{sdy.sharding = #sdy.sharding{}}}",
                value.name,
                tensor(value),
                value.sharding
            )
        });
        let returns = self.returns.iter().map(|(at, sharding, _)| {
            format!("{} {{sdy.sharding = #sdy.sharding{sharding}}}", tensor(&self.values[*at]))
        });
        text += &format!(
            "func.func {}({}) -> ({}) {{\n",
            Symbol(&self.symbol()),
            parameters.collect::<Vec<_>>().join(", "),
            returns.collect::<Vec<_>>().join(", ")
        );
        text += &self.body(&self.nodes);
        let names = self.returns.iter().map(|(at, ..)| format!("%{}", self.values[*at].name));
        let types = self.returns.iter().map(|(at, ..)| tensor(&self.values[*at]));
        let names = names.collect::<Vec<_>>().join(", ");
        let types = types.collect::<Vec<_>>().join(", ");
        text += &match self.returns.is_empty() {
            true => "  return\n}\n".to_string(),
            false => format!("  return {names} : {types}\n}}\n"),
        };
        text
    }

    fn body(&self, nodes: &[Node]) -> String {
        let lines = nodes.iter().map(|node| match node {
            Node::Call(at) => self.call(&self.calls[*at]),
            Node::Group { value, group } => {
                let value = &self.values[*value];
                format!(
                    "  sdy.sharding_group %{} group_id={group} : {}\n",
                    value.name,
                    tensor(value)
                )
            }
            Node::Region(region) => self.region(region),
        });
        lines.collect()
    }

    /// `%a, %b`
    fn names(&self, values: &[usize]) -> String {
        let names: Vec<_> = values.iter().map(|&at| format!("%{}", self.values[at].name)).collect();
        names.join(", ")
    }

    fn types(&self, values: &[usize]) -> String {
        let types: Vec<_> = values.iter().map(|&at| tensor(&self.values[at])).collect();
        types.join(", ")
    }

    /// The reshards of operands of a call, all or one, and what it takes in place of them.
    fn reshards(&self, call: &Call, only: Option<usize>, text: &mut String) -> Vec<String> {
        let operands: Vec<_> = call.operands.iter().map(|&at| &self.values[at]).collect();
        let mut names: Vec<_> = operands.iter().map(|value| format!("%{}", value.name)).collect();
        let planned = call.planned.iter();
        for (operand, to, _) in planned.filter(|(at, _, _)| only.is_none_or(|only| only == *at)) {
            // No name of a program has a dot in it.
            let name = format!(
                "%{}.{operand}.for.{}",
                operands[*operand].name, self.values[call.results[0]].name
            );
            *text += &format!(
                "  {name} = sdy.reshard {} {to} : {}\n",
                names[*operand],
                tensor(operands[*operand])
            );
            names[*operand] = name;
        }
        names
    }

    fn call(&self, call: &Call) -> String {
        let results: Vec<_> = call.results.iter().map(|&at| &self.values[at]).collect();
        let shardings: Vec<_> = results.iter().map(|result| result.sharding.to_string()).collect();
        let sharding =
            format!("sdy.sharding = #sdy.sharding_per_value<[{}]>", shardings.join(", "));
        let operands: Vec<_> = call.operands.iter().map(|&at| &self.values[at]).collect();
        let mut text = String::new();
        let mut names = self.reshards(call, None, &mut text);
        let mut types: Vec<_> = operands.iter().map(|value| tensor(value)).collect();
        let result = results[0];
        if call.attributes.stablehlo == "propagation_barrier"
            && let Some(Attribute::Word(direction)) = call.attributes.get("allowed_direction")
        {
            return text
                + &format!(
                    "  %{} = sdy.propagation_barrier {} allowed_direction={direction} {{{sharding}}} : {}\n",
                    result.name,
                    names[0],
                    tensor(result)
                );
        }
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
        let name = self.exported(call);
        let (attributes, region) = self.attributes(call, name);
        if matches!(name, "reduce" | "pad") {
            for (at, result) in results.iter().enumerate() {
                let (init, scalar) =
                    (format!("%{}.init{at}", result.name), tensor_of(result.dtype, &[]));
                text += &format!(
                    "  {init} = stablehlo.constant dense<{}> : {scalar}\n",
                    zero(result.dtype)
                );
                names.push(init);
                types.push(scalar);
            }
        }
        let properties =
            if attributes.is_empty() { String::new() } else { format!(" <{{{attributes}}}>") };
        let mut discardable = sharding;
        let rule = self.graph.rule(call.op);
        // A tensor without elements is never split, and no rule has a factor of size 0.
        let has_elements = (0..rule.factor_count()).all(|at| rule.factor_size(at) != Some(0));
        if name == "custom_call" && has_elements {
            discardable += &format!(", sdy.sharding_rule = #sdy.op_sharding_rule{rule}");
        }
        let made = self.types(&call.results);
        text + &format!(
            "  {} = \"stablehlo.{name}\"({}){properties}{region} {{{discardable}}} : ({}) -> ({made})\n",
            self.names(&call.results),
            names.join(", "),
            types.join(", "),
        )
    }

    /// The name that an operation has in StableHLO: that of a custom call with a rule, where all that it is told is not
    /// known here.
    fn exported(&self, call: &Call) -> &'static str {
        let name = call.attributes.stablehlo;
        let own = matches!(
            name,
            "" | "Eigh"
                | "Qr"
                | "ProductOfElementaryHouseholderReflectors"
                | "mhlo.topk"
                | "ApproxTopK"
                | "batch_norm_inference"
                | "rng_bit_generator"
                | "all_reduce"
                | "collective_permute"
        );
        if own { "custom_call" } else { name }
    }

    /// The properties of an operation, and its region.
    fn attributes(&self, call: &Call, name: &str) -> (String, String) {
        let operands: Vec<_> = call.operands.iter().map(|&at| &self.values[at]).collect();
        let result = &self.values[call.results[0]];
        let lists = &call.attributes.lists;
        let array = |name: &str, numbers: String| format!("{name} = {}", array(&numbers));
        let rank = result.dims.len();
        let dim = call.attributes.number.unwrap_or(0);
        let word = |name: &str, default: &str| match call.attributes.get(name) {
            Some(Attribute::Word(word)) => word.clone(),
            _ => default.to_string(),
        };
        let attributes = match name {
            "custom_call" => format!("call_target_name = \"{}\"", call.name),
            "dot_general" if call.name == "dot" => format!(
                "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [{}], rhs_contracting_dimensions = [0]>",
                operands[0].dims.len() - 1
            ),
            "dot_general" => {
                let dims = |name: &str| match call.attributes.get(name) {
                    Some(Attribute::List(dims)) => list(dims.iter().copied()),
                    _ => String::new(),
                };
                format!(
                    "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [{}], rhs_batching_dimensions = [{}], lhs_contracting_dimensions = [{}], rhs_contracting_dimensions = [{}]>",
                    dims("lhs_batch"),
                    dims("rhs_batch"),
                    dims("lhs_contracting"),
                    dims("rhs_contracting")
                )
            }
            "compare" => format!(
                "comparison_direction = #stablehlo<comparison_direction {}>",
                word("direction", "EQ")
            ),
            "fft" => format!(
                "fft_type = #stablehlo<fft_type {}>, {}",
                word("type", "FFT"),
                array("fft_length", list(lists[0].iter().copied()))
            ),
            "triangular_solve" => format!(
                "left_side = {}, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose {}>",
                word("side", "LEFT") == "LEFT",
                word("transpose", "NO_TRANSPOSE")
            ),
            "dynamic_slice" => array("slice_sizes", list(result.dims.iter().copied())),
            "iota" => format!("iota_dimension = {dim} : i64"),
            "constant" => format!("value = dense<{}> : {}", zero(result.dtype), tensor(result)),
            "reduce_precision" => "exponent_bits = 8 : i32, mantissa_bits = 7 : i32".into(),
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
                let sizes = result.dims.iter().zip(&operands[0].dims);
                let high = sizes.map(|(new, old)| format!("{}", *new as i128 - *old as i128));
                let high = high.collect::<Vec<_>>().join(", ");
                format!(
                    "{}, {}, {}",
                    array("edge_padding_low", list((0..rank).map(|_| 0))),
                    array("edge_padding_high", high),
                    array("interior_padding", list((0..rank).map(|_| 0)))
                )
            }
            _ => String::new(),
        };
        let region = match name {
            "reduce" => self.reducer(call),
            "sort" => self.comparator(call),
            _ => String::new(),
        };
        (attributes, region)
    }

    /// Two scalars for each result, by name and with their types.
    fn scalars(&self, call: &Call) -> [Vec<String>; 2] {
        let result = &self.values[call.results[0]].name;
        let of = |side: &str| -> Vec<String> {
            let results = call.results.iter().enumerate();
            results.map(|(at, _)| format!("%{result}.{side}{at}")).collect()
        };
        [of("lhs"), of("rhs")]
    }

    fn scalar_types(&self, call: &Call) -> Vec<String> {
        call.results.iter().map(|&at| tensor_of(self.values[at].dtype, &[])).collect()
    }

    /// The body of a reduction: sums.
    fn reducer(&self, call: &Call) -> String {
        let ([lhs, rhs], types) = (self.scalars(call), self.scalar_types(call));
        let arguments = lhs.iter().chain(&rhs).zip(types.iter().chain(&types));
        let arguments: Vec<_> = arguments.map(|(name, ty)| format!("{name}: {ty}")).collect();
        let mut text = format!(" ({{\n  ^bb0({}):\n", arguments.join(", "));
        let mut sums = Vec::new();
        for ((a, b), ty) in lhs.iter().zip(&rhs).zip(&types) {
            sums.push(format!("{a}.sum"));
            text += &format!("    {a}.sum = stablehlo.add {a}, {b} : {ty}\n");
        }
        text + &format!("    stablehlo.return {} : {}\n  }})", sums.join(", "), types.join(", "))
    }

    /// The body of a sort: by the first array.
    fn comparator(&self, call: &Call) -> String {
        let ([lhs, rhs], types) = (self.scalars(call), self.scalar_types(call));
        let pairs = lhs.iter().zip(&rhs).zip(&types);
        let arguments: Vec<_> = pairs.map(|((a, b), ty)| format!("{a}: {ty}, {b}: {ty}")).collect();
        let (a, b, ty) = (&lhs[0], &rhs[0], &types[0]);
        format!(
            " ({{\n  ^bb0({}):\n    {a}.less = stablehlo.compare LT, {a}, {b} : ({ty}, {ty}) -> tensor<i1>\n    stablehlo.return {a}.less : tensor<i1>\n  }})",
            arguments.join(", ")
        )
    }
}
