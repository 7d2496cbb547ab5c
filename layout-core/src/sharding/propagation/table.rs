//! The table of an operation, as in Shardy's documentation: a row for each tensor, a column for each factor, and one column for
//! the axes that are explicitly replicated.

use super::super::axis::{Axis, AxisList};
use super::super::rule::symbol;
use super::super::tensor::Axes;
use super::graph::{Graph, Op};
use super::resolved::Resolved;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// The sharding of the tensors of an operation along its factors. Prints as a table in Markdown.
///
/// ```
/// use tensor_layout::sharding::Mesh;
/// use tensor_layout::sharding::propagation::{Graph, OpKind};
/// let mesh: Mesh = r#"<["a"=2, "b"=2]>"#.parse().unwrap();
/// let mut graph = Graph::new("mesh", mesh);
/// let (a, b) = (graph.argument(&[8, 4]), graph.argument(&[4, 16]));
/// graph.set_sharding(a, &r#"<@mesh, [{"a"}, {}], replicated={"b"}>"#.parse().unwrap()).unwrap();
/// let rule = "([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}".parse().unwrap();
/// let dot = graph.op(OpKind::Other, rule, &[a, b], &[&[8, 16]]).unwrap();
/// assert_eq!(graph.factor_table(dot).to_string(), r#"
/// |  | F0 = i | F1 = j | F2 = k | explicitly replicated axes |
/// |---|---|---|---|---|
/// | T0 | "a" | N | - | "b" |
/// | T1 | N | - | - | - |
/// | T2 | - | - | N | - |
/// "#.trim_start());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactorTable {
    /// The names of the factors, `i`, `j` and so on.
    pub factors: Vec<String>,
    /// The tensors: operands, then results.
    pub rows: Vec<FactorRow>,
}

/// The sharding of one tensor along the factors of an operation: a row of a [`FactorTable`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactorRow {
    /// The axes of each factor; `None` if the tensor does not have the factor.
    pub factors: Vec<Option<String>>,
    /// The axes that must not split the tensor.
    pub replicated: String,
    /// The axes along which the devices have partial sums, which must not split the tensor either.
    pub unreduced: String,
}

impl Graph {
    /// The axes of each factor in each tensor of an operation.
    ///
    /// # Panics
    /// If the operation belongs to another graph.
    #[track_caller]
    pub fn factor_table(&self, op: Op) -> FactorTable {
        let data = self.op_data(op);
        let seen = self.seen(data);
        let mut shardings: Vec<_> = data.tensors().map(|value| self.held(value)).collect();
        if let (Some(seen), Some(target)) = (&seen, shardings.last_mut()) {
            *target = Some(seen);
        }
        let own = |sharding: Option<&Resolved>, axes: fn(&Resolved) -> &AxisList| {
            sharding.map_or_else(String::new, |own| self.listed(own.mesh, axes(own)))
        };
        let projected = self.project_with(op, &[]).ok().flatten();
        let row = |(tensor, sharding): (usize, Option<&Resolved>)| {
            let factors = match &projected {
                Some((projection, mesh)) => {
                    let cells = projection.row(tensor).iter();
                    cells.map(|cell| cell.present.then(|| self.listed(*mesh, &cell.axes))).collect()
                }
                // The operation has no mesh, so no axis shards any of its factors.
                None => {
                    let mapping = data.rule.tensors().nth(tensor);
                    let has = |factor| {
                        let mapping = mapping?;
                        let mut dims = (0..mapping.rank()).map(|dim| mapping.dim(dim));
                        dims.any(|mut dim| dim.any(|own| own == factor)).then(String::new)
                    };
                    (0..data.rule.factor_count()).map(has).collect()
                }
            };
            let replicated = own(sharding, |sharding| &sharding.replicated);
            let unreduced = own(sharding, |sharding| &sharding.unreduced);
            FactorRow { factors, replicated, unreduced }
        };
        let rows = shardings.into_iter().enumerate().map(row).collect();
        FactorTable { factors: (0..data.rule.factor_count()).map(symbol).collect(), rows }
    }

    /// Axes of a mesh by name, separated by commas.
    pub(super) fn listed(&self, mesh: usize, axes: &[Axis]) -> String {
        let mesh = &self.meshes[mesh].1;
        Axes(&axes.iter().map(|axis| mesh.name(*axis)).collect::<Vec<_>>()).to_string()
    }
}

impl FactorTable {
    /// The table with the names of the tensors, and with the earlier contents of each cell.
    pub(crate) fn markdown(&self, names: &[&str], before: Option<&Self>) -> String {
        let all = self.rows.iter().chain(before.into_iter().flat_map(|before| &before.rows));
        let has_sums = all.clone().any(|row| !row.unreduced.is_empty());
        let mut text = String::from("|  |");
        for (number, name) in self.factors.iter().enumerate() {
            text += &format!(" F{number} = {name} |");
        }
        text += " explicitly replicated axes |";
        text += if has_sums { " unreduced axes |" } else { "" };
        let columns = self.factors.len() + 2 + usize::from(has_sums);
        text += &format!("\n|{}\n", "---|".repeat(columns));
        for (tensor, row) in self.rows.iter().enumerate() {
            text += &format!("| T{tensor}");
            if let Some(name) = names.get(tensor) {
                text += &format!(" = `{name}`");
            }
            text += " |";
            let before = before.and_then(|before| before.rows.get(tensor)).unwrap_or(row);
            for (before, after) in before.cells(has_sums).into_iter().zip(row.cells(has_sums)) {
                text += &match before == after {
                    true => format!(" {after} |"),
                    false => format!(" {before} → {after} |"),
                };
            }
            text += "\n";
        }
        text
    }
}

impl FactorRow {
    fn cells(&self, has_sums: bool) -> Vec<&str> {
        let factors = self.factors.iter().map(|axes| axes.as_deref().unwrap_or("N"));
        let sums = has_sums.then_some(&self.unreduced[..]);
        let cells = factors.chain([&self.replicated[..]]).chain(sums);
        cells.map(|axes| if axes.is_empty() { "-" } else { axes }).collect()
    }
}

impl fmt::Display for FactorTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.markdown(&[], None))
    }
}
