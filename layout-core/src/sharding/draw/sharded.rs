//! The numbers and the picture of a sharded array: the mesh, and the array divided into its shards.

use crate::draw::printable;
use crate::draw::{Cell, Draw, Facts, MOST_TILES, Panel, Picture, percent, tuple};
use crate::sharding::syntax::{ShardedDraft, read_sharded};
use crate::sharding::{Mesh, Shards, TensorSharding};
use crate::syntax::ParseError;
use crate::tiled::TiledSpec;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// The largest number of devices whose ids a cell shows. If there are more, it shows the first ids and the number of the remaining
/// devices.
const SHOWN: usize = 3;

/// An array that is split over a mesh; the run-time twin of `ShardedArray`.
///
/// ```
/// use tensor_layout::draw::{Draw, Sharded};
/// let mesh = r#"<["data"=2, "model"=4]>"#.parse().unwrap();
/// let array = Sharded::read(r#"bf16[8192,4096] @ Pod [{"data"}, {"model"}]"#, &mesh).unwrap();
/// assert_eq!(array.local().to_string(), "bf16[4096,1024]{1,0}");
/// assert_eq!(array.facts().get("bytes per device").unwrap().number, Some(4096 * 1024 * 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sharded {
    global: TiledSpec,
    local: TiledSpec,
    sharding: TensorSharding,
    shards: Shards,
}

impl Sharded {
    /// A sharded array from its parts: the whole array, the local array, and the sharding.
    pub const fn new(
        global: TiledSpec,
        local: TiledSpec,
        sharding: TensorSharding,
        shards: Shards,
    ) -> Self {
        Self { global, local, sharding, shards }
    }

    /// Reads the notation of `sharded!` for a known mesh.
    ///
    /// # Errors
    /// All mistakes in the text.
    pub fn read(text: &str, mesh: &Mesh) -> Result<Self, ParseError> {
        read_sharded(text, mesh)
    }

    /// A sharded array from its draft; `None` if a part of the draft has mistakes or is unknown.
    pub fn from_draft<S>(draft: &ShardedDraft<S>) -> Option<Self> {
        let (global, local) = (draft.global.validate().ok()?, draft.local.validate().ok()?);
        Some(Self::new(global, local, draft.sharding.clone(), draft.shards.clone()?))
    }

    /// The whole array.
    pub const fn global(&self) -> &TiledSpec {
        &self.global
    }

    /// The local array of each device.
    pub const fn local(&self) -> &TiledSpec {
        &self.local
    }

    /// The sharding.
    pub const fn sharding(&self) -> &TensorSharding {
        &self.sharding
    }

    pub(super) const fn shards(&self) -> &Shards {
        &self.shards
    }

    pub(super) fn mesh(&self) -> &Mesh {
        self.shards.mesh()
    }
}

/// The ids of the devices that have each shard; shards are in row-major order.
fn holders(shards: &Shards) -> Vec<Vec<usize>> {
    let assignment = shards.tile_assignment();
    let count = shards.tiles().iter().product::<usize>().max(1);
    let copies = (assignment.len() / count).max(1);
    assignment.chunks(copies).map(<[usize]>::to_vec).collect()
}

/// The array, with one cell for each shard.
fn cut(shards: &Shards, holders: &[Vec<usize>]) -> Panel {
    let tiles = shards.tiles();
    let columns = tiles.last().copied().unwrap_or(1);
    let rows = holders.len() / columns.max(1);
    let (dims, local) = (shards.dims(), shards.local_dims());
    let start = |dim: usize, tile: usize| {
        dims.get(dim).map_or(String::new(), |size| (tile * local[dim]).min(*size).to_string())
    };
    let last = tiles.len().saturating_sub(1);
    // With more than two dimensions, a row is a tile of all dimensions but the last, labelled with its first index.
    let row_name = |row: usize| {
        let mut names: Vec<_> = (0..last)
            .rev()
            .scan(row, |rest, dim| {
                let tile = *rest % tiles[dim];
                *rest /= tiles[dim];
                Some(start(dim, tile))
            })
            .collect();
        names.reverse();
        names.join(",")
    };
    let names: [&dyn Fn(usize) -> String; 2] = [&row_name, &|column| start(last, column)];
    let caption = format!("the array {}: which devices hold what", tuple(dims.iter().copied()));
    Panel::new(caption, MOST_TILES, [rows, columns], names, |row, column| {
        let number = row * columns + column;
        let devices = &holders[number];
        let slice = shards.slice(devices[0]).unwrap_or_default();
        let slice: Vec<_> =
            slice.iter().map(|part| format!("{}..{}", part.start, part.end)).collect();
        let hover = format!("[{}] -> {}", slice.join(", "), on(devices, devices.len()));
        Cell::new(number, number, on(devices, SHOWN), hover).linked(format!("s{number}"))
    })
}

/// The devices along the axes, in the colours of their shards.
fn devices(shards: &Shards, holders: &[Vec<usize>]) -> Panel {
    let axes = shards.mesh().axes();
    let columns = axes.last().map_or(1, |axis| axis.size());
    let rows = shards.mesh().devices() / columns.max(1);
    let names: Vec<_> =
        axes.iter().map(|axis| format!("{}={}", printable(axis.name()), axis.size())).collect();
    let caption = format!("the mesh {}", names.join(" by "));
    let name = |at: usize| at.to_string();
    Panel::new(caption, MOST_TILES, [rows, columns], [name, name], |row, column| {
        let position = row * columns + column;
        let device = shards.mesh().device_id(position);
        let shard = holders.iter().position(|devices| devices.contains(&device)).unwrap_or(0);
        let at: Vec<_> = axes
            .iter()
            .zip(shards.mesh().coordinates(position))
            .map(|(axis, at)| format!("{}={at}", printable(axis.name())))
            .collect();
        let hover = format!("device {device}: {} -> shard {shard}", at.join(", "));
        Cell::new(position, shard, device.to_string(), hover).linked(format!("s{shard}"))
    })
}
/// The mesh and the array, in the colours of the shards; nothing if there are too many devices to draw.
pub(super) fn panels(shards: &Shards) -> Vec<Panel> {
    if shards.mesh().devices() > MAX_SHOWN || shards.dims().contains(&0) {
        return vec![];
    }
    let holders = holders(shards);
    vec![devices(shards, &holders), cut(shards, &holders)]
}

/// As many of the device ids as fit, and the number of the others: `0 4 8+13`.
fn on(devices: &[usize], most: usize) -> String {
    let shown: Vec<_> = devices.iter().take(most).map(ToString::to_string).collect();
    let more = devices.len().saturating_sub(most);
    let more = if more > 0 { format!("+{more}") } else { String::new() };
    shown.join(" ") + &more
}

impl Draw for Sharded {
    fn notation(&self) -> String {
        format!("{} {}", self.global, self.sharding)
    }

    fn facts(&self) -> Facts {
        let (global, local) = (self.global.storage_bytes(), self.local.storage_bytes());
        let mut facts = Facts::default();
        facts.code("array", self.global);
        facts.code("sharding", &self.sharding);
        facts.code("mesh", self.mesh());
        facts.number("devices", self.mesh().devices());
        facts.code("logical shape", tuple(self.shards.dims().iter().copied()));
        facts.code("local shape", tuple(self.shards.local_dims().iter().copied()));
        facts.code("local array", self.local);
        facts.code("shards", tuple(self.shards.tiles()));
        let shards = self.shards.tiles().iter().product::<usize>().max(1);
        let sums = self.shards.partial_sums();
        let copies = self.mesh().devices() / (shards * sums);
        if sums > 1 {
            facts.number("partial sums of each shard", sums);
        }
        facts.number("copies of each shard", copies);
        let everywhere = local.saturating_mul(self.mesh().devices());
        let elements = self.global.logical_bytes().saturating_mul(copies * sums);
        facts.number("bytes", global);
        facts.number("bytes per device", local);
        facts.number("bytes on all devices", everywhere);
        facts.words("padding", percent(everywhere.saturating_sub(elements), everywhere));
        facts.code("in HLO", self.shards.hlo());
        if let Some(tpu) = self.shards.local_tpu(self.global.dtype()) {
            facts.code("local array on a TPU", tpu);
        }
        facts
    }

    fn picture(&self) -> Picture {
        let title = format!("what of {} each device holds", self.global);
        Picture { title, panels: panels(&self.shards) }
    }

    fn digits(&self) -> Option<String> {
        self.table()
    }
}

/// The largest number of devices of a mesh that is drawn, because the time is proportional to their number.
const MAX_SHOWN: usize = 1 << 16;
