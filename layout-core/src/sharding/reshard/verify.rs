//! The checks of a collective, which are those of Shardy's verifier.

use super::Collective;
use crate::sharding::axis::{Axis, AxisList, AxisRef, product};
use crate::sharding::mesh::Mesh;
use crate::sharding::problem::{Location, Problem, ShardingError};
use crate::sharding::propagation::push_or_merge;
use crate::sharding::tensor::{Axes, DimSharding, MeshRef, TensorSharding};
use alloc::format;
use alloc::vec::Vec;

impl Collective {
    /// Checks that the collective computes `result` from `operand`.
    ///
    /// ```
    /// # use tensor_layout::sharding::{AxisRef, Mesh, TensorSharding, reshard::Collective};
    /// let mesh: Mesh = r#"<["x"=2, "y"=2]>"#.parse().unwrap();
    /// let sharding = |text: &str| text.parse::<TensorSharding>().unwrap();
    /// let gather = Collective::AllGather(vec![vec![], vec![AxisRef::full("x")]]);
    /// let operand = sharding(r#"<@m, [{"y"}, {"x"}]>"#);
    /// assert!(gather.check(&mesh, &operand, &sharding(r#"<@m, [{"y"}, {}]>"#)).is_ok());
    /// let error = gather.check(&mesh, &operand, &operand).unwrap_err();
    /// assert_eq!(error.to_string(), "result sharding doesn't match expected sharding [] on dimension 1");
    /// ```
    ///
    /// # Errors
    /// If one of the shardings or the axes of the collective violate a rule, if the collective cannot be applied to the
    /// operand, or if its result differs.
    pub fn check(
        &self,
        mesh: &Mesh,
        operand: &TensorSharding,
        result: &TensorSharding,
    ) -> Result<(), ShardingError> {
        let whole = |message| Problem::new(Location::All, message);
        if operand.mesh != result.mesh {
            return Err(
                Problem::new(Location::Mesh, "result mesh does not match operand mesh").into()
            );
        }
        let rank = operand.rank();
        for sharding in [operand, result] {
            sharding.check(mesh, &alloc::vec![1; rank])?;
        }
        self.check_axes(mesh, rank)?;
        let mut dims: Vec<AxisList> = resolved(mesh, operand);
        match self {
            Self::AllGather(axes) => {
                for (dim, (split, axes)) in dims.iter_mut().zip(axes).enumerate() {
                    strip(mesh, split, axes, dim, "gathering")?;
                }
            }
            Self::AllSlice(axes) => {
                for (split, axes) in dims.iter_mut().zip(axes) {
                    extend(mesh, split, axes);
                }
            }
            Self::AllToAll { axes, from, to } => {
                strip(mesh, &mut dims[*from], axes, *from, "all-to-all")?;
                extend(mesh, &mut dims[*to], axes);
            }
            Self::CollectivePermute => {
                let sizes = dims.iter().zip(resolved(mesh, result));
                let sizes = sizes.map(|(old, new)| (product(old), product(&new))).enumerate();
                if let Some((dim, (old, new))) = { sizes }.find(|(_, (old, new))| old != new) {
                    let message = format!(
                        "sharded size of result doesn't match operand on dimension {dim}: {new} != {old}"
                    );
                    return Err(Problem::new(Location::Dim(dim), message).into());
                }
                return Ok(());
            }
            Self::AllReduce(axes) => {
                let overlaps = |axis: &&AxisRef| {
                    let axis = mesh.resolve(axis);
                    axis.is_some_and(|axis| dims.iter().flatten().any(|own| own.overlaps(axis)))
                };
                if let Some(axis) = axes.iter().find(overlaps) {
                    let message = format!("reduction axis {axis} overlaps with operand sharding");
                    return Err(whole(message).into());
                }
                if dims != resolved(mesh, result) {
                    return Err(
                        whole("operand and result sharding have different axes".into()).into()
                    );
                }
            }
        }
        let found = resolved(mesh, result);
        match (0..rank).find(|&dim| dims[dim] != found[dim]) {
            None => Ok(()),
            Some(dim) => {
                let expected: Vec<_> = dims[dim].iter().map(|axis| mesh.name(*axis)).collect();
                let message = format!(
                    "result sharding doesn't match expected sharding [{}] on dimension {dim}",
                    Axes(&expected)
                );
                Err(Problem::new(Location::Dim(dim), message).into())
            }
        }
    }

    /// Checks the axes of the collective, and the dimensions that it names.
    fn check_axes(&self, mesh: &Mesh, rank: usize) -> Result<(), ShardingError> {
        let problem = |message| ShardingError::from(Problem::new(Location::All, message));
        let dims: Vec<&[AxisRef]> = match self {
            Self::AllGather(dims) | Self::AllSlice(dims) => {
                if dims.len() != rank {
                    let axes = dims.len();
                    return Err(problem(format!(
                        "result sharding has rank {rank} but collective axes has rank {axes}"
                    )));
                }
                dims.iter().map(Vec::as_slice).collect()
            }
            Self::AllReduce(axes) => alloc::vec![axes],
            Self::AllToAll { axes, from, to } => {
                for (name, dim) in [("source", from), ("target", to)] {
                    if *dim >= rank {
                        return Err(problem(format!(
                            "{name} dimension {dim} is out of range [0, {rank})"
                        )));
                    }
                }
                if from == to {
                    return Err(problem(format!(
                        "overlapping source/target dimensions in all-to-all params: {from}"
                    )));
                }
                alloc::vec![axes]
            }
            Self::CollectivePermute => Vec::new(),
        };
        let dim = |axes: &&[AxisRef]| DimSharding {
            axes: axes.to_vec().into(),
            ..DimSharding::default()
        };
        let split: Vec<_> = dims.iter().map(dim).collect();
        let sizes = alloc::vec![1; split.len()];
        TensorSharding::new(MeshRef::Name("mesh".into()), split).check(mesh, &sizes)
    }
}

pub(super) fn resolved(mesh: &Mesh, sharding: &TensorSharding) -> Vec<AxisList> {
    let dim = |dim: &DimSharding| dim.axes.iter().filter_map(|axis| mesh.resolve(axis)).collect();
    sharding.dims.iter().map(dim).collect()
}

/// Removes axes from the end of a dimension.
fn strip(
    mesh: &Mesh,
    split: &mut AxisList,
    axes: &[AxisRef],
    dim: usize,
    what: &str,
) -> Result<(), ShardingError> {
    for (name, axis) in axes.iter().rev().filter_map(|name| Some((name, mesh.resolve(name)?))) {
        let last: Option<Axis> = split.pop();
        match last {
            Some(last) if last == axis => {}
            // The axis is the end of a longer axis, whose start remains.
            Some(last) if last.contains(axis) && last.end() == axis.end() => {
                split.push(last.part(last.pre(), axis.pre() / last.pre()));
            }
            _ => {
                let message = format!(
                    "can't apply {what} axis {name} to operand sharding on dimension {dim}"
                );
                return Err(Problem::new(Location::Dim(dim), message).into());
            }
        }
    }
    Ok(())
}

fn extend(mesh: &Mesh, split: &mut AxisList, axes: &[AxisRef]) {
    for axis in axes.iter().filter_map(|axis| mesh.resolve(axis)) {
        push_or_merge(split, axis, mesh);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec;

    fn axes(text: &str) -> Vec<Vec<AxisRef>> {
        let sharding: TensorSharding = format!("<@m, {text}>").parse().expect("axes");
        sharding.dims.iter().map(|dim| dim.axes.to_vec()).collect()
    }

    fn error(
        mesh: &str,
        collective: &Collective,
        operand: &str,
        result: &str,
    ) -> alloc::string::String {
        let mesh: Mesh = mesh.parse().expect("a mesh");
        let sharding = |text: &str| format!("<@m, {text}>").parse().expect("a sharding");
        match collective.check(&mesh, &sharding(operand), &sharding(result)) {
            Ok(()) => "ok".to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// These cases are from Shardy's own tests of its verifier.
    #[test]
    fn what_shardy_rejects_is_rejected() {
        let gather = |text: &str| Collective::AllGather(axes(text));
        let slice = |text: &str| Collective::AllSlice(axes(text));
        let move_to =
            |text: &str, from, to| Collective::AllToAll { axes: axes(text).remove(0), from, to };
        let small = r#"<["x"=2, "y"=2]>"#;
        let large = r#"<["x"=8, "y"=2]>"#;
        let wide = r#"<["x"=2, "y"=2, "z"=2, "w"=4]>"#;
        for (mesh, collective, operand, result, expected) in [
            (
                small,
                gather(r#"[{"y", "x"}]"#),
                r#"[{"y"}, {"x"}]"#,
                "[{}, {}]",
                "result sharding has rank 2 but collective axes has rank 1",
            ),
            (
                small,
                gather(r#"[{}, {"x", "y"}]"#),
                r#"[{"y"}, {"x"}]"#,
                r#"[{"y"}, {}]"#,
                "can't apply gathering axis \"y\" to operand sharding on dimension 1",
            ),
            (
                small,
                gather(r#"[{"x", "y"}, {}]"#),
                r#"[{"y"}, {}]"#,
                "[{}, {}]",
                "can't apply gathering axis \"x\" to operand sharding on dimension 0",
            ),
            (
                large,
                gather(r#"[{}, {"x"}]"#),
                r#"[{"y"}, {"x":(1)2}]"#,
                r#"[{"y"}, {}]"#,
                "can't apply gathering axis \"x\" to operand sharding on dimension 1",
            ),
            (
                large,
                gather(r#"[{}, {"x":(2)2}]"#),
                r#"[{"y"}, {"x"}]"#,
                r#"[{"y"}, {}]"#,
                "can't apply gathering axis \"x\":(2)2 to operand sharding on dimension 1",
            ),
            (
                small,
                gather(r#"[{}, {"x"}]"#),
                r#"[{"y"}, {"x"}]"#,
                r#"[{"y"}, {"x"}]"#,
                "result sharding doesn't match expected sharding [] on dimension 1",
            ),
            (
                large,
                gather(r#"[{}, {"x":(2)4}]"#),
                r#"[{"y"}, {"x"}]"#,
                r#"[{"y"}, {"x":(1)4}]"#,
                "result sharding doesn't match expected sharding [\"x\":(1)2] on dimension 1",
            ),
            (
                large,
                gather(r#"[{}, {"x":(2)4}]"#),
                r#"[{"y"}, {"x"}]"#,
                r#"[{"y"}, {"x":(1)2}]"#,
                "ok",
            ),
            (
                small,
                slice(r#"[{"x", "y"}, {}]"#),
                "[{}, {}]",
                r#"[{"y"}, {}]"#,
                "result sharding doesn't match expected sharding [\"x\", \"y\"] on dimension 0",
            ),
            (
                large,
                slice(r#"[{}, {"x":(4)2}]"#),
                r#"[{"y"}, {"x":(1)2}]"#,
                r#"[{"y"}, {"x":(1)4}]"#,
                "result sharding doesn't match expected sharding [\"x\":(1)2, \"x\":(4)2] on dimension 1",
            ),
            (
                small,
                move_to(r#"[{"y"}]"#, 2, 1),
                r#"[{}, {"y"}]"#,
                r#"[{"y"}, {}]"#,
                "source dimension 2 is out of range [0, 2)",
            ),
            (
                small,
                move_to(r#"[{"y"}]"#, 0, 7),
                r#"[{"y"}, {}]"#,
                r#"[{}, {"y"}]"#,
                "target dimension 7 is out of range [0, 2)",
            ),
            (
                small,
                move_to(r#"[{"y"}]"#, 0, 0),
                r#"[{"y"}, {}]"#,
                r#"[{"y"}, {}]"#,
                "overlapping source/target dimensions in all-to-all params: 0",
            ),
            (
                small,
                move_to(r#"[{"x", "y"}]"#, 0, 1),
                r#"[{"y"}, {}]"#,
                r#"[{}, {"x", "y"}]"#,
                "can't apply all-to-all axis \"x\" to operand sharding on dimension 0",
            ),
            (small, move_to(r#"[{"x"}]"#, 1, 0), r#"[{"y"}, {"x"}]"#, r#"[{"y", "x"}, {}]"#, "ok"),
            (
                wide,
                Collective::CollectivePermute,
                r#"[{"x", "y"}, {"z"}]"#,
                r#"[{"y", "x"}, {"w"}]"#,
                "sharded size of result doesn't match operand on dimension 1: 4 != 2",
            ),
            (
                wide,
                Collective::CollectivePermute,
                r#"[{"x", "y"}, {"z"}]"#,
                r#"[{"z", "x"}, {"y"}]"#,
                "ok",
            ),
            (
                small,
                Collective::AllReduce(vec![]),
                r#"[{}, {"x", "y"}]"#,
                r#"[{}, {"y"}]"#,
                "operand and result sharding have different axes",
            ),
            (
                large,
                Collective::AllReduce(vec![AxisRef::part("x", 2, 2)]),
                r#"[{"x"}, {"y"}]"#,
                r#"[{"x"}, {"y"}]"#,
                "reduction axis \"x\":(2)2 overlaps with operand sharding",
            ),
            (
                small,
                Collective::AllReduce(vec![AxisRef::full("x"), AxisRef::full("x")]),
                r#"[{"y"}, {}]"#,
                r#"[{"y"}, {}]"#,
                "duplicate axis ref: \"x\" (help: an axis can split a tensor along one dimension only)",
            ),
        ] {
            assert_eq!(error(mesh, &collective, operand, result), expected, "{collective:?}");
        }
    }
}
