//! The split of a tensor over the devices of a mesh.

use super::axis::AxisRef;
use super::mesh::Mesh;
use alloc::borrow::Cow;
use core::fmt;

/// How one dimension is split: `{"a", "b":(1)2, ?}p1`.
///
/// ```
/// use tensor_layout::sharding::{AxisRef, TensorSharding};
/// let sharding: TensorSharding = r#"<@mesh, [{"a", ?}p1]>"#.parse()?;
/// let dim = &sharding.dims[0];
/// assert_eq!((&dim.axes[..], dim.open, dim.priority), (&[AxisRef::full("a")][..], true, Some(1)));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DimSharding {
    /// The axes along which it is split, major to minor.
    pub axes: Cow<'static, [AxisRef]>,
    /// Whether propagation may split it further.
    pub open: bool,
    /// The round of propagation in which it takes part; `None` means the first round.
    pub priority: Option<usize>,
}

/// How devices combine their partial results along unreduced axes.
///
/// ```
/// use tensor_layout::sharding::{ReductionOp, TensorSharding};
/// let sharding: TensorSharding = r#"<@mesh, [{}], unreduced=max{"x"}>"#.parse()?;
/// assert_eq!(sharding.reduction, ReductionOp::Max);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ReductionOp {
    /// They add them up: `unreduced={"a"}`.
    #[default]
    Sum,
    /// They compute the maximum: `unreduced=max{"a"}`.
    Max,
    /// They compute the minimum: `unreduced=min{"a"}`.
    Min,
}

impl ReductionOp {
    /// The word before the axes; empty for a sum.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Sum => "",
            Self::Max => "max",
            Self::Min => "min",
        }
    }

    /// The operation of StableHLO on two elements.
    pub const fn reducer(self) -> &'static str {
        match self {
            Self::Sum => "add",
            Self::Max => "maximum",
            Self::Min => "minimum",
        }
    }
}

/// The mesh of a sharding: its name, or the mesh itself.
///
/// ```
/// use tensor_layout::sharding::{MeshRef, TensorSharding};
/// let sharding: TensorSharding = r#"<@pod, [{"a"}]>"#.parse()?;
/// assert_eq!(sharding.mesh, MeshRef::Name("pod".into()));
/// let sharding: TensorSharding = r#"<mesh<["a"=2]>, [{"a"}]>"#.parse()?;
/// assert!(matches!(sharding.mesh, MeshRef::Inline(_)));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MeshRef {
    /// By name: `@mesh`.
    Name(Cow<'static, str>),
    /// A mesh that is written inside the sharding: `mesh<["a"=2]>`.
    Inline(Mesh),
}

/// How a tensor is split over the devices of a mesh. Reads and prints Shardy's text.
///
/// ```
/// use tensor_layout::sharding::{Mesh, TensorSharding};
/// let mesh: Mesh = r#"<["x"=2, "y"=8]>"#.parse().unwrap();
/// let sharding: TensorSharding = r#"<@mesh, [{"x"}, {"y":(1)2, ?}p1], replicated={"y":(2)4}>"#.parse().unwrap();
/// assert!(sharding.check(&mesh, &[16, 32]).is_ok());
/// assert_eq!(sharding.to_string(), r#"<@mesh, [{"x"}, {"y":(1)2, ?}p1], replicated={"y":(2)4}>"#);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TensorSharding {
    /// The mesh.
    pub mesh: MeshRef,
    /// One entry for each dimension of the tensor.
    pub dims: Cow<'static, [DimSharding]>,
    /// The axes that must not split the tensor.
    pub replicated: Cow<'static, [AxisRef]>,
    /// Axes along which the devices have partial sums, or the partial results of another `reduction`.
    pub unreduced: Cow<'static, [AxisRef]>,
    /// How the partial results along `unreduced` are combined; a sum if there are no such axes.
    pub reduction: ReductionOp,
}

impl TensorSharding {
    /// The sharding of a tensor of rank `rank` that nothing determines yet: not split, with all dimensions open.
    pub fn open(mesh: MeshRef, rank: usize) -> Self {
        let dim = DimSharding { open: true, ..DimSharding::default() };
        Self::new(mesh, alloc::vec![dim; rank])
    }

    /// The sharding of a tensor of rank `rank` that is complete on every device: not split, with all dimensions closed.
    ///
    /// ```
    /// use tensor_layout::sharding::{MeshRef, TensorSharding};
    /// let whole = TensorSharding::closed(MeshRef::Name("mesh".into()), 2);
    /// assert_eq!(whole.to_string(), "<@mesh, [{}, {}]>");
    /// ```
    pub fn closed(mesh: MeshRef, rank: usize) -> Self {
        Self::new(mesh, alloc::vec![DimSharding::default(); rank])
    }

    /// A sharding without replicated and unreduced axes.
    pub fn new(mesh: MeshRef, dims: impl Into<Cow<'static, [DimSharding]>>) -> Self {
        let (replicated, unreduced) = (Cow::Borrowed(&[][..]), Cow::Borrowed(&[][..]));
        Self { mesh, dims: dims.into(), replicated, unreduced, reduction: ReductionOp::Sum }
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The same sharding with other unreduced axes.
    #[must_use]
    pub fn with_unreduced(self, unreduced: impl Into<Cow<'static, [AxisRef]>>) -> Self {
        let unreduced = unreduced.into();
        let reduction = if unreduced.is_empty() { ReductionOp::Sum } else { self.reduction };
        Self { unreduced, reduction, ..self }
    }
}

/// Axes separated by commas.
pub(crate) struct Axes<'a>(pub(crate) &'a [AxisRef]);

impl fmt::Display for Axes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, axis) in self.0.iter().enumerate() {
            write!(f, "{}{axis}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for DimSharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = match (self.open, self.axes.is_empty()) {
            (false, _) => "",
            (true, true) => "?",
            (true, false) => ", ?",
        };
        write!(f, "{{{}{open}}}", Axes(&self.axes))?;
        match self.priority {
            Some(priority) => write!(f, "p{priority}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for MeshRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => Symbol(name).fmt(f),
            Self::Inline(mesh) => write!(f, "mesh{mesh}"),
        }
    }
}

/// A symbol of MLIR: `@mesh`, `@"my mesh"`.
pub(crate) struct Symbol<'a>(pub(crate) &'a str);

impl fmt::Display for Symbol<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match is_bare(self.0) {
            true => write!(f, "@{}", self.0),
            false => write!(f, "@{}", super::axis::Quoted(self.0)),
        }
    }
}

/// Whether a name needs no quotes after `@`.
fn is_bare(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The text after the mesh, in the form of a program: `[{"a"}, {?}], replicated={"b"}`.
pub(crate) struct Split<'a>(pub(crate) &'a TensorSharding);

impl fmt::Display for Split<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, dim) in self.0.dims.iter().enumerate() {
            write!(f, "{}{dim}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str("]")?;
        let Self(TensorSharding { replicated, unreduced, reduction, .. }) = self;
        for (name, word, axes) in
            [("replicated", "", replicated), ("unreduced", reduction.word(), unreduced)]
        {
            if !axes.is_empty() {
                write!(f, ", {name}={word}{{{}}}", Axes(axes))?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for TensorSharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}, {}>", self.mesh, Split(self))
    }
}
