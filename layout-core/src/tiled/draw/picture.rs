//! The picture of a tiled layout.

use super::{explore, facts};
use crate::draw::{Cell, Draw, Facts, Fill, MOST, MOST_TILES, Panel, Picture, tuple};
use crate::parts::MAX_RANK;
use crate::tiled::{Draft, List, Split, Tile, TiledSpec};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;

impl Draw for TiledSpec {
    fn notation(&self) -> String {
        self.to_string()
    }

    fn facts(&self) -> Facts {
        facts::facts(self)
    }

    fn picture(&self) -> Picture {
        let panels = match View::new(self) {
            Some(view) => view.panels(),
            None => vec![],
        };
        Picture { title: format!("where each element of {self} lies"), panels }
    }

    fn digits(&self) -> Option<String> {
        explore::table(self, &self.notation(), "")
    }
}

/// Two dimensions of an array, padding included.
struct View<'a> {
    spec: &'a TiledSpec,
    /// The array padded to whole tiles, so that padding has indices as well; dimensions that a tile combines are one dimension.
    whole: TiledSpec,
    /// The rows and columns of one tile of the first level.
    tile: [usize; 2],
    sizes: [usize; 2],
    axes: Axes,
}

/// The dimensions that run down and to the right.
enum Axes {
    Scalar,
    Row,
    /// One dimension, in rows of this length.
    Folded(usize),
    Matrix(usize, usize),
}

impl<'a> View<'a> {
    /// `None` if there is nothing to show.
    fn new(spec: &'a TiledSpec) -> Option<Self> {
        if spec.elements() == 0 {
            return None;
        }
        let whole = padded(spec)?;
        let tile = whole.tile_dims()?;
        let dims = whole.dims();
        let (axes, tile, sizes) = match whole.minor_to_major() {
            [] => (Axes::Scalar, [1, 1], [1, 1]),
            [_] => match whole.tiles() {
                [_, second, ..]
                    if second.len() == 1 && tile[0].is_multiple_of(second.as_slice()[0]) =>
                {
                    let row = second.as_slice()[0];
                    (Axes::Folded(row), [tile[0] / row, row], [dims[0] / row, row])
                }
                _ => (Axes::Row, [1, tile[0]], [1, dims[0]]),
            },
            [a, b, ..] => {
                let (rows, columns) = (*a.min(b), *a.max(b));
                (
                    Axes::Matrix(rows, columns),
                    [tile[rows], tile[columns]],
                    [dims[rows], dims[columns]],
                )
            }
        };
        Some(Self { spec, whole, tile, sizes, axes })
    }

    fn panels(&self) -> vec::Vec<Panel> {
        let tiles = [0, 1].map(|axis| self.sizes[axis].div_ceil(self.tile[axis]));
        let whole = self.sizes.iter().all(|size| *size <= MOST);
        if whole || tiles == [1, 1] {
            return vec![self.elements(self.caption("".into()), self.sizes)];
        }
        let [rows, columns] = self.tile;
        let first = self.caption(format!("the first of the tiles of {rows} by {columns}"));
        let caption = "all tiles, each with the offset at which it starts".to_string();
        let [down, right] = self.tile;
        let grid = Panel::new(
            caption,
            MOST_TILES,
            tiles,
            [&|row| format!("{}", row * down), &|column| format!("{}", column * right)]
                as [&dyn Fn(usize) -> String; 2],
            |row, column| {
                let start = self.offset(row * down, column * right);
                let ends = [
                    ((row + 1) * down).min(self.sizes[0]),
                    ((column + 1) * right).min(self.sizes[1]),
                ];
                let hover = format!(
                    "rows {}..{}, columns {}..{} -> {start}",
                    row * down,
                    ends[0],
                    column * right,
                    ends[1]
                );
                let number = row * tiles[1] + column;
                Cell::new(number, color(row, column), start.to_string(), hover)
            },
        );
        vec![self.elements(first, [rows.min(self.sizes[0]), columns.min(self.sizes[1])]), grid]
    }

    /// A panel of the elements of the first rows and columns.
    fn elements(&self, caption: String, sizes: [usize; 2]) -> Panel {
        let name = |at: usize| at.to_string();
        Panel::new(caption, MOST, sizes, [name, name], |row, column| self.cell(row, column))
    }

    /// The caption of a panel: `first`, and what the panel leaves out or how it differs from the array.
    fn caption(&self, first: String) -> String {
        let rank = self.whole.rank();
        let mut caption = first;
        let mut add = |text: String| {
            caption += if caption.is_empty() { "" } else { "; " };
            caption += &text;
        };
        if rank < self.spec.rank() {
            add(format!("dimensions combined: {}", tuple(self.whole.dims().iter().copied())));
        }
        match self.axes {
            Axes::Folded(row) => add(format!("in rows of {row}")),
            Axes::Matrix(rows, columns) if rank > 2 => {
                let name = |dim| match dim {
                    _ if dim == rows => "row",
                    _ if dim == columns => "column",
                    _ => "0",
                };
                let names: vec::Vec<_> = (0..rank).map(name).collect();
                add(format!("the elements ({})", names.join(",")));
            }
            _ => {}
        }
        caption
    }

    fn offset(&self, row: usize, column: usize) -> usize {
        let mut index = [0; MAX_RANK];
        match self.axes {
            Axes::Scalar => {}
            Axes::Row => index[0] = column,
            Axes::Folded(len) => index[0] = row * len + column,
            Axes::Matrix(rows, columns) => (index[rows], index[columns]) = (row, column),
        }
        self.whole.offset(&index[..self.whole.rank()])
    }

    fn cell(&self, row: usize, column: usize) -> Cell {
        let offset = self.offset(row, column);
        let [down, right] = [row / self.tile[0], column / self.tile[1]];
        let inner = match self.spec.tiles() {
            // The size of the tile along combined dimensions is the entry after the `*`.
            [_, .., last] => {
                let sizes = last.as_slice().iter().filter(|size| **size != Tile::COMBINE);
                offset / sizes.product::<usize>().max(1)
            }
            _ => 0,
        };
        let tile = down * self.sizes[1].div_ceil(self.tile[1]) + right;
        let (fill, text, hover) = match self.spec.index(offset) {
            Some(index) => {
                let hover = format!("{} -> {offset}", tuple(index.iter().copied()));
                (Fill::Color(color(down, right)), offset.to_string(), hover)
            }
            None => (Fill::Padding, String::new(), format!("padding -> {offset}")),
        };
        Cell { fill, text, inner, ..Cell::padding(tile, hover) }
    }
}

/// The colour of a tile. Neighbours differ, even if the number of tiles in a row is the number of colours.
const fn color(row: usize, column: usize) -> usize {
    row * 3 + column
}

/// The array padded to whole tiles, with the same offsets. `None` if it does not fit the address space.
fn padded(spec: &TiledSpec) -> Option<TiledSpec> {
    let draft = Draft {
        bounded: 0,
        splits: List::new(Split { dimension: 0, indices: List::new(0) }),
        padded: None,
        ..*spec.draft()
    };
    if let Some(tile) = spec.tile_dims() {
        let mut dims = List::new(0);
        for (width, tile) in spec.widths().iter().zip(tile.iter()) {
            dims = dims.push(width.checked_next_multiple_of((*tile).max(1))?).ok()?;
        }
        return Draft { dims, ..draft }.validate().ok();
    }
    // The array of the combined dimensions in tiles without `*`, as XLA's document explains combining.
    let (first, rest) = spec.tiles().split_first()?;
    let major: vec::Vec<_> = spec.minor_to_major().iter().rev().collect();
    let untiled = major.len().checked_sub(first.len())?;
    let (mut dims, mut tile, mut combined) = (List::new(0), Tile::new(0), 1usize);
    for (at, dim) in major.into_iter().enumerate() {
        combined = combined.checked_mul(spec.widths()[*dim])?;
        match at.checked_sub(untiled).map(|at| first.as_slice()[at]) {
            Some(Tile::COMBINE) => continue,
            Some(size) => {
                combined = combined.checked_next_multiple_of(size.max(1))?;
                tile = tile.push(size).ok()?;
            }
            None => {}
        }
        dims = dims.push(combined).ok()?;
        combined = 1;
    }
    let mut tiles = List::new(Tile::new(0)).push(tile).ok()?;
    for tile in rest {
        tiles = tiles.push(*tile).ok()?;
    }
    let order = Draft::row_major(draft.dtype, dims).minor_to_major;
    Draft { dims, minor_to_major: order, tiles, ..draft }.validate().ok()
}
