//! A program as MLIR, in the dialects `sdy` and `stablehlo`.

mod import;
mod region;

use super::nodes::Node;
use super::{Call, NamedValue, Program};
use crate::sharding::mesh::Mesh;
use crate::sharding::ops::{CallText, Mlir, Mode, OpText, TensorType, tensor_type, zero};
use crate::sharding::propagation::Strategy;
use crate::sharding::tensor::{DimSharding, Symbol, TensorSharding};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Changes to a module in MLIR that are made before its shardings are propagated.
///
/// ```
/// use tensor_layout::sharding::program::{Overrides, Program};
/// use tensor_layout::sharding::{AxisRef, DimSharding, propagation::Strategy};
/// let text = "module {
///   func.func public @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
///     %0 = stablehlo.tanh %x : tensor<4x4xf32>
///     return %0 : tensor<4x4xf32>
///   }
/// }
/// ";
/// let rows = |_: &str, _: &[usize]| {
///     let split = DimSharding { axes: vec![AxisRef::full("data")].into(), ..DimSharding::default() };
///     Some(vec![split, DimSharding::default()])
/// };
/// let overrides = Overrides { mesh: Some(r#"<["data"=2]>"#.parse()?), arguments: Some(&rows), values: None };
/// let program = Program::from_mlir_with(text, &overrides)?;
/// assert_eq!(program.parameters()[0].local_dims(), [2, 4]);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Default)]
pub struct Overrides<'a> {
    /// Replaces the first mesh of the module that is not a single named device, or is added if the module has no such mesh.
    pub mesh: Option<Mesh>,
    /// Returns how the dimensions of an argument are split over the first mesh, from the name of the argument in the text, without
    /// `%`, and its size. Applies to `main` or, if there is no such function, to the first function without callers. `None` leaves
    /// the argument as it is written.
    pub arguments: Option<&'a SplitArgument<'a>>,
    /// Returns the same for the values that the operations of this function compute. The results of one operation share a name.
    pub values: Option<&'a SplitArgument<'a>>,
}

/// Returns how the argument with this name and size is split; `None` if its sharding does not change.
type SplitArgument<'a> = dyn Fn(&str, &[usize]) -> Option<Vec<DimSharding>> + 'a;

fn tensor(value: &NamedValue) -> String {
    let size = |dim| match value.is_unbounded(dim) {
        true => "?x".to_string(),
        false => format!("{}x", value.dims[dim]),
    };
    let dims: String = (0..value.dims.len()).map(size).collect();
    format!("tensor<{dims}{}>", value.dtype.mlir_name())
}

/// Whether MLIR accepts a Rust name as the name of a value.
fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A name that is valid in MLIR. Rust names have no `$`.
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

/// Shardings separated by commas.
fn list_of(shardings: &[TensorSharding]) -> String {
    let shardings: Vec<_> = shardings.iter().map(ToString::to_string).collect();
    shardings.join(", ")
}

impl Program {
    /// Reads a module in MLIR, in the form in which JAX, jaxlib and Shardy print it: StableHLO, CHLO and sdy, in the custom
    /// form of each operation or in the generic form. Propagates its shardings.
    ///
    /// Shardings of GSPMD, `mhlo.sharding = "{devices=[2,4]<=[8]}"`, are read too: over a single mesh, whose axes `_axis_0`,
    /// `_axis_1` and so on are the parts of the devices that the shardings name.
    ///
    /// Its values are the values to which Shardy propagates: each use of a constant has its own value, and each call has copies of
    /// the values of its function, named after the function. Operands are resharded without a message if operations need it, as in
    /// Shardy. Values that are not tensors, or are of unknown size, `tensor<?x8xf32>`, are left out. Arguments and results of
    /// unknown size keep the shardings in the text, and nothing propagates through operations on them.
    ///
    /// Takes the time of [`Program::new`].
    ///
    /// ```
    /// use tensor_layout::sharding::program::Program;
    /// let text = r#"module @jit_f {
    ///   sdy.mesh @mesh = <["data"=2]>
    ///   func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> tensor<8x4xf32> {
    ///     %0 = stablehlo.tanh %arg0 : tensor<8x4xf32>
    ///     return %0 : tensor<8x4xf32>
    ///   }
    /// }
    /// "#;
    /// let program = Program::from_mlir(text)?;
    /// assert_eq!(program.value("0").unwrap().local_dims(), [4, 4]);
    /// // The module as it came in, with the sharding of each value: what Shardy's pipeline makes of it.
    /// let line = r#"%0 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<8x4xf32>"#;
    /// assert!(program.mlir().contains(line));
    /// # Ok::<(), tensor_layout::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// The first part of the text that cannot be read, with its operation.
    pub fn from_mlir(text: &str) -> Result<Self, crate::syntax::ParseError> {
        import::program(text, &Overrides::default())
    }

    /// [`Program::from_mlir`] with another mesh, or with other shardings of the arguments.
    ///
    /// # Errors
    /// As for [`Program::from_mlir`], or if the shardings do not match the mesh or the arguments.
    pub fn from_mlir_with(
        text: &str,
        overrides: &Overrides<'_>,
    ) -> Result<Self, crate::syntax::ParseError> {
        import::program(text, overrides)
    }

    /// The text of a module in MLIR after one of Shardy's passes of propagation, with the shardings of its values, as printed by
    /// `sdy_opt --sdy-basic-propagate` and the other propagation passes. Nothing else of the pipeline runs: dimensions stay open,
    /// constants have one sharding for all of their users, and nothing propagates into functions that are called, except along
    /// `sdy.func_data_flow_edge`. The edges of loops and conditionals need not be written.
    ///
    /// ```
    /// use tensor_layout::sharding::program::Program;
    /// use tensor_layout::sharding::{ops::Mode, propagation::Strategy};
    /// let text = r#"sdy.mesh @mesh = <["a"=2, "b"=2]>
    /// func.func @f(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>}) -> tensor<8x4xf32> {
    ///   %0 = stablehlo.tanh %arg0 : tensor<8x4xf32>
    ///   return %0 : tensor<8x4xf32>
    /// }"#;
    /// let text = Program::propagate_mlir(text, Strategy::Basic, Mode::Normal)?;
    /// assert!(text.contains(r#"stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>}"#));
    /// # Ok::<(), tensor_layout::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Program::from_mlir`].
    pub fn propagate_mlir(
        text: &str,
        strategy: Strategy,
        mode: Mode,
    ) -> Result<String, crate::syntax::ParseError> {
        import::pass(text, strategy, mode)
    }

    /// The text of [`Program::mlir`] for a module whose calls share functions: a function has the same shardings of its
    /// arguments and results for all of its calls. This is Shardy's pipeline with `dedup-functions-fully`, for the functions
    /// that `@main`, or the first public function, reaches. In [`Program::from_mlir`], each call has a copy of its function.
    ///
    /// # Errors
    /// As for [`Program::from_mlir`], or if no function is public.
    pub fn shared_mlir(text: &str) -> Result<String, crate::syntax::ParseError> {
        import::shared(text)
    }

    /// The local program of a module in MLIR, which each device runs: the function `main` or, if there is none, the first
    /// function that no other function calls, with the functions that it calls, on shards instead of whole arrays. The
    /// communication of the devices is written out in StableHLO, as `all_gather`, `all_reduce`, `all_to_all` and
    /// `collective_permute`. A device determines its part of a complete array by its `partition_id`. If an operation is not the
    /// same on shards, each device collects the operands, runs the operation as a whole, and keeps its part of the results.
    ///
    /// If axes do not divide a dimension, all local arrays have the largest size. Elements past the end of the whole array have no
    /// defined value, in arguments and in results.
    ///
    /// ```
    /// use tensor_layout::sharding::program::{Overrides, Program};
    /// let text = r#"sdy.mesh @mesh = <["x"=2]>
    /// func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    ///                 %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x6xf32> {
    ///   %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    ///   return %0 : tensor<8x6xf32>
    /// }"#;
    /// let local = Program::local_mlir(text, &Overrides::default())?;
    /// assert!(local.contains("%arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x6xf32>) -> tensor<8x6xf32>"));
    /// assert!(local.contains(r#""stablehlo.all_reduce"(%0)"#) && local.contains("replica_groups = dense<[[0, 1]]>"));
    /// # Ok::<(), tensor_layout::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Program::from_mlir_with`]. If there is no such error, the first operation that devices cannot run individually: it
    /// has an effect, draws random numbers, or uses a token, a tensor that is stored on only one device, or a tensor on a mesh of
    /// fewer devices.
    pub fn local_mlir(
        text: &str,
        overrides: &Overrides<'_>,
    ) -> Result<String, crate::syntax::ParseError> {
        import::local(text, overrides)
    }

    /// The program with its shardings as MLIR, which Shardy reads.
    ///
    /// If a mesh has the name of the function, a number is appended to the name of the function. A program from
    /// [`Program::from_mlir`] is printed as it was read, with the sharding of each value.
    ///
    /// As at the end of Shardy's pipeline, axes that do not divide a dimension of an argument or a result are then cut in the text, and
    /// only there. The program itself, also when it runs, keeps them: its last devices have fewer elements. A program that
    /// is read from this text has the shardings of the text.
    ///
    /// ```
    /// use tensor_layout::sharding::program::Program;
    /// let text = r#"sdy.mesh @mesh = <["x"=4]>
    /// func.func @main(%a: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<10xf32> {
    ///   %0 = stablehlo.tanh %a : tensor<10xf32>
    ///   return %0 : tensor<10xf32>
    /// }
    /// "#;
    /// let program = Program::from_mlir(text)?;
    /// assert_eq!(program.parameters()[0].sharding.to_string(), r#"<@mesh, [{"x"}]>"#);  // 3, 3, 3 and 1 elements
    /// assert!(program.mlir().contains(r#"%arg0: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}]>}"#));
    /// # Ok::<(), tensor_layout::ParseError>(())
    /// ```
    pub fn mlir(&self) -> String {
        if let Some(text) = &self.imported {
            return text.clone();
        }
        if self.values.iter().all(|value| is_plain(&value.name)) {
            return self.module();
        }
        let mut program = self.clone();
        program.values.iter_mut().for_each(|value| value.name = plain(&value.name));
        program.module()
    }

    /// A symbol for the function that is not the name of a mesh.
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

    /// Writes the reshards of the operands of a call, or of one of them. Returns the names that the call then reads.
    fn reshards(&self, call: &Call, only: Option<usize>, text: &mut String) -> Vec<String> {
        let operands: Vec<_> = call.operands.iter().map(|&at| &self.values[at]).collect();
        let mut names: Vec<_> = operands.iter().map(|value| format!("%{}", value.name)).collect();
        let planned = call.planned.iter();
        for (operand, to, _) in planned.filter(|(at, _, _)| only.is_none_or(|only| only == *at)) {
            // Names in a program have no dots.
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
        let mut text = String::new();
        let operands = self.reshards(call, None, &mut text);
        let result = &self.values[call.results[0]];
        let shardings = call.results.iter().map(|&at| self.values[at].sharding.to_string());
        let shardings: Vec<_> = shardings.collect();
        let sharding =
            format!("sdy.sharding = #sdy.sharding_per_value<[{}]>", shardings.join(", "));
        text + &match call.mlir {
            Mlir::Barrier => {
                let direction = call.attributes.word("allowed_direction", "BOTH");
                format!(
                    "  %{} = sdy.propagation_barrier {} allowed_direction={direction} {{{sharding}}} : {}\n",
                    result.name,
                    operands[0],
                    tensor(result)
                )
            }
            Mlir::Constraint => format!(
                "  %{} = sdy.sharding_constraint {} {} : {}\n",
                result.name,
                operands[0],
                result.sharding,
                tensor(result)
            ),
            Mlir::StableHlo(name, op_text) => {
                let op_text = op_text(&self.call_text(call));
                self.stablehlo(call, name, operands, op_text, &sharding)
            }
            Mlir::CustomCall => {
                let properties = format!("call_target_name = \"{}\"", call.name);
                let op_text = OpText { properties, ..OpText::default() };
                let rule = self.graph.rule(call.op);
                // A tensor without elements is never split, and no rule can have a factor of size 0.
                let has_elements =
                    (0..rule.factor_count()).all(|factor| rule.factor_size(factor) != Some(0));
                let attributes = match has_elements {
                    true => format!("{sharding}, sdy.sharding_rule = #sdy.op_sharding_rule{rule}"),
                    false => sharding,
                };
                self.stablehlo(call, "custom_call", operands, op_text, &attributes)
            }
        }
    }

    /// A call of the operation `name` of StableHLO.
    fn stablehlo(
        &self,
        call: &Call,
        name: &str,
        mut operands: Vec<String>,
        op_text: OpText,
        attributes: &str,
    ) -> String {
        let mut text = String::new();
        let mut types: Vec<_> = call.operands.iter().map(|&at| tensor(&self.values[at])).collect();
        if op_text.takes_zeros {
            for (at, &result) in call.results.iter().enumerate() {
                let dtype = self.values[result].dtype;
                let init = format!("%{}.init{at}", self.values[result].name);
                let (scalar, zero) = (tensor_type(dtype, &[]), zero(dtype));
                text += &format!("  {init} = stablehlo.constant dense<{zero}> : {scalar}\n");
                operands.push(init);
                types.push(scalar);
            }
        }
        let properties = match &op_text.properties[..] {
            "" => String::new(),
            properties => format!(" <{{{properties}}}>"),
        };
        text + &format!(
            "  {} = \"stablehlo.{name}\"({}){properties}{} {{{attributes}}} : ({}) -> ({})\n",
            self.names(&call.results),
            operands.join(", "),
            op_text.region,
            types.join(", "),
            self.types(&call.results),
        )
    }

    fn call_text<'a>(&'a self, call: &'a Call) -> CallText<'a> {
        let types = |values: &[usize]| {
            let values = values.iter().map(|&at| &self.values[at]);
            values.map(|value| TensorType::new(value.dtype, &value.dims)).collect()
        };
        CallText {
            operands: types(&call.operands),
            results: types(&call.results),
            attributes: &call.attributes,
            name: &self.values[call.results[0]].name,
        }
    }
}
