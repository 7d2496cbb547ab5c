//! Meshes of devices.

use super::axis::{Axis, AxisRef, Quoted};
use super::problem::{Location, Problem, ShardingError};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;

/// The largest number of devices of a mesh.
pub const MAX_DEVICES: usize = u32::MAX as usize;

/// The largest number of axes of a mesh.
pub const MAX_AXES: usize = 1024;

/// A named axis of a mesh.
///
/// ```
/// use tensor_layout::sharding::{Mesh, MeshAxis};
/// let mesh = Mesh::new(vec![MeshAxis::new("data", 2), MeshAxis::new("model", 4)], vec![])?;
/// assert_eq!((mesh.axes()[1].name(), mesh.axes()[1].size()), ("model", 4));
/// # Ok::<(), tensor_layout::sharding::ShardingError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MeshAxis {
    name: Cow<'static, str>,
    size: usize,
}

impl MeshAxis {
    /// An axis; [`Mesh::new`] checks it.
    pub fn new(name: impl Into<Cow<'static, str>>, size: usize) -> Self {
        Self { name: name.into(), size }
    }

    /// An axis in const evaluation.
    pub const fn constant(name: &'static str, size: usize) -> Self {
        Self { name: Cow::Borrowed(name), size }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of an axis from [`MeshAxis::constant`], in const evaluation.
    #[doc(hidden)]
    pub const fn constant_name(&self) -> &'static str {
        match self.name {
            Cow::Borrowed(name) => name,
            Cow::Owned(_) => panic!("the name is not a constant"),
        }
    }

    /// The number of devices along the axis.
    pub const fn size(&self) -> usize {
        self.size
    }
}

/// Devices arranged along named axes. It reads and prints Shardy's text; `mesh!` makes a mesh a type.
///
/// ```
/// use tensor_layout::sharding::Mesh;
/// let mesh: Mesh = r#"<["data"=2, "model"=4]>"#.parse().unwrap();
/// assert_eq!((mesh.devices(), mesh.axis_size("model")), (8, Some(4)));
/// assert_eq!(mesh.coordinates(6), [1, 2]);
/// ```
///
/// A mesh without axes is empty: a placeholder that any other mesh replaces. If it names one device, it is maximal: a tensor on it
/// is stored only on that device.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Mesh {
    axes: Cow<'static, [MeshAxis]>,
    /// The ids of the devices; empty if device `r` of the mesh has the id `r`.
    device_ids: Cow<'static, [usize]>,
}

impl Mesh {
    /// The mesh with these axes, the most major one first, and these device ids. An empty list of ids means the ids in order.
    ///
    /// # Errors
    /// If a name is listed twice, if a size is zero, if there are more than [`MAX_DEVICES`] devices or [`MAX_AXES`] axes, or if
    /// the ids do not list each device once.
    pub fn new(
        axes: impl IntoIterator<Item = MeshAxis>,
        device_ids: impl IntoIterator<Item = usize>,
    ) -> Result<Self, ShardingError> {
        let axes: Vec<_> = axes.into_iter().collect();
        let device_ids: Vec<_> = device_ids.into_iter().collect();
        let mut mesh = Self { axes: axes.into(), device_ids: device_ids.into() };
        let problems = mesh.problems();
        // The ids 0, 1, 2 and so on are not stored, so that the two spellings of a mesh are equal.
        if !mesh.is_maximal() && mesh.device_ids.iter().copied().eq(0..mesh.device_ids.len()) {
            mesh.device_ids = Cow::Borrowed(&[]);
        }
        ShardingError::unless(problems, mesh)
    }

    /// A mesh from parts that [`Mesh::new`] has already checked, in const evaluation.
    #[doc(hidden)]
    pub const fn constant(axes: &'static [MeshAxis], device_ids: &'static [usize]) -> Self {
        Self { axes: Cow::Borrowed(axes), device_ids: Cow::Borrowed(device_ids) }
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.axes.len() > MAX_AXES {
            let message = format!("a mesh has at most {MAX_AXES} axes, got: {}", self.axes.len());
            problems.push(Problem::new(Location::All, message));
            return problems;
        }
        let mut devices: usize = 1;
        for (at, axis) in self.axes.iter().enumerate() {
            let location = Location::MeshAxis(at);
            if axis.size == 0 {
                let message = "axis size must be at least 1, got: 0";
                problems
                    .push(Problem::new(location, message).help("leave the axis out, or write 1"));
            }
            if self.axes[..at].iter().any(|other| other.name == axis.name) {
                let message = format!("duplicate axis name: {}", Quoted(&axis.name));
                problems.push(
                    Problem::new(location, message).help("give one of the axes another name"),
                );
            }
            devices = devices.saturating_mul(axis.size.max(1));
        }
        if devices > MAX_DEVICES {
            let message = format!("a mesh has at most {MAX_DEVICES} devices");
            problems.push(Problem::new(Location::All, message));
        }
        if problems.is_empty() && !self.device_ids.is_empty() {
            problems.extend(self.device_problem(devices));
        }
        problems
    }

    fn device_problem(&self, devices: usize) -> Option<Problem> {
        let ids = &self.device_ids;
        if self.axes.is_empty() {
            return (ids.len() > 1).then(|| {
                let message = "axes is empty and device_ids has more than one element";
                Problem::new(Location::DeviceIds, message)
                    .help("a mesh without axes names one device, or none")
            });
        }
        if ids.len() != devices {
            let message = format!(
                "total product of axis sizes must match total number of device ids, got: {devices} != {}",
                ids.len()
            );
            let help = format!("list each of 0 to {} once, or leave `device_ids` out", devices - 1);
            return Some(Problem::new(Location::DeviceIds, message).help(help));
        }
        let mut seen = vec![false; devices];
        for (at, &id) in ids.iter().enumerate() {
            match seen.get_mut(id) {
                Some(seen) if !*seen => *seen = true,
                found => {
                    let why = if found.is_some() { "is listed twice" } else { "is too large" };
                    let message =
                        format!("sorted device ids must be iota(product(axes)), but {id} {why}");
                    let help = format!("list each of 0 to {} once", devices - 1);
                    return Some(Problem::new(Location::DeviceId(at), message).help(help));
                }
            }
        }
        None
    }

    /// The axes, the most major one first.
    pub fn axes(&self) -> &[MeshAxis] {
        &self.axes
    }

    /// The ids of the devices in mesh order; empty if they are 0, 1, 2 and so on.
    pub fn device_ids(&self) -> &[usize] {
        &self.device_ids
    }

    /// Whether the mesh has neither axes nor a device, so that any other mesh replaces it.
    pub fn is_empty(&self) -> bool {
        self.axes.is_empty() && self.device_ids.is_empty()
    }

    /// Whether it is a single named device without axes.
    pub fn is_maximal(&self) -> bool {
        self.axes.is_empty() && self.device_ids.len() == 1
    }

    /// The number of devices.
    pub fn devices(&self) -> usize {
        self.axes.iter().map(|axis| axis.size).product()
    }

    /// The size of an axis; `None` if there is no axis of that name.
    pub fn axis_size(&self, name: &str) -> Option<usize> {
        self.axes.iter().find(|axis| axis.name == name).map(|axis| axis.size)
    }

    /// The id of the device at `position` in the mesh, counted row-major over the axes. `position` must be less than
    /// [`Mesh::devices`]: for any other number, the result is the number itself.
    pub fn device_id(&self, position: usize) -> usize {
        self.device_ids.get(position).copied().unwrap_or(position)
    }

    /// The position of the device `id` in the mesh. Linear in the number of devices if their ids are not in order.
    pub fn position(&self, id: usize) -> Option<usize> {
        if self.device_ids.is_empty() {
            return (id < self.devices()).then_some(id);
        }
        self.device_ids.iter().position(|&other| other == id)
    }

    /// Whether another mesh has the same devices in the same positions, perhaps along other axes.
    ///
    /// ```
    /// # use tensor_layout::sharding::Mesh;
    /// let [line, square, back]: [Mesh; 3] =
    ///     [r#"<["a"=4]>"#, r#"<["x"=2, "y"=2]>"#, r#"<["a"=4], device_ids=[3, 2, 1, 0]>"#].map(|text| text.parse().unwrap());
    /// assert!(line.has_devices_of(&square) && !line.has_devices_of(&back));
    /// ```
    pub fn has_devices_of(&self, other: &Self) -> bool {
        self.devices() == other.devices() && self.device_ids == other.device_ids
    }

    /// The coordinates of `position`, one along each axis.
    ///
    /// # Panics
    /// If the mesh has no such position.
    #[track_caller]
    pub fn coordinates(&self, position: usize) -> Vec<usize> {
        let devices = self.devices();
        assert!(
            position < devices,
            "position {position} is out of bounds of a mesh of {devices} devices"
        );
        let mut rest = position;
        let mut coordinates: Vec<_> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let coordinate = rest % axis.size;
                rest /= axis.size;
                coordinate
            })
            .collect();
        coordinates.reverse();
        coordinates
    }

    /// The axis with its number; `None` if there is no axis of that name.
    #[doc(hidden)]
    pub fn resolve(&self, axis: &AxisRef) -> Option<Axis> {
        let index = self.axes.iter().position(|other| other.name == axis.name)?;
        Some(match axis.sub {
            None => Axis::full(index, self.axes[index].size),
            Some(sub) => Axis::sub(index, sub.pre, sub.size),
        })
    }

    /// The axis with its name; the reverse of [`Mesh::resolve`].
    pub(crate) fn name(&self, axis: Axis) -> AxisRef {
        let name = self.axes[axis.index()].name.clone();
        AxisRef { name, sub: axis.sub_axis() }
    }

    /// The size of axis number `index`.
    #[doc(hidden)]
    pub fn size_of(&self, index: usize) -> usize {
        self.axes[index].size
    }
}

impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<[")?;
        for (i, axis) in self.axes.iter().enumerate() {
            write!(f, "{}{}={}", if i > 0 { ", " } else { "" }, Quoted(&axis.name), axis.size)?;
        }
        f.write_str("]")?;
        if !self.device_ids.is_empty() {
            let ids: Vec<String> = self.device_ids.iter().map(|id| format!("{id}")).collect();
            write!(f, ", device_ids=[{}]", ids.join(", "))?;
        }
        f.write_str(">")
    }
}
