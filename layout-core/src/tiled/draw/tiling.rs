//! Tiling step by step, as text and as a picture.

use super::steps::Steps;
use crate::draw::{Cell, MOST, Panel, Picture, tuple};
use crate::tiled::{TiledSpec, Tiling};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// An array on the way from the logical shape to the physical one.
pub(super) struct Stage {
    /// The step that led here, in words.
    words: String,
    pub(super) sizes: Vec<usize>,
    /// The array in the tiles that have been applied. `None` only if it has no elements and too many bytes.
    spec: Option<TiledSpec>,
    /// How an index of this stage becomes an index of that array.
    pub(super) view: View,
    /// The number of dimensions that run to the right in a picture.
    pub(super) columns: usize,
}

pub(super) enum View {
    /// The stage has the physical shape: its row-major order is the order of storage.
    Stored,
    /// The dimensions are in logical order.
    Logical,
    /// The last tile of the array has not been transposed yet.
    Untransposed(Box<Tiling>),
}

impl TiledSpec {
    /// How the tiles turn the dimensions of the array into the physical shape: padding, reshapes that move no byte, and
    /// transposes.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
    /// assert_eq!(spec.tiling_steps().lines(), [
    ///     "array (3,5)",
    ///     "pad to (4,6)",
    ///     "reshape to (2,2,3,2)",
    ///     "transpose by (0,2,1,3) to (2,3,2,2)",
    ///     "24 stored elements",
    /// ]);
    /// ```
    pub fn tiling_steps(&self) -> Steps {
        self.tiling_lines(None)
    }

    /// [`TiledSpec::tiling_steps`] with the index that one element has after each step; `None` if `index` is out of
    /// bounds.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
    /// assert_eq!(spec.tiling_steps_at(&[2, 3]).unwrap().lines(), [
    ///     "array (3,5): element (2,3)",
    ///     "pad to (4,6): element (2,3)",
    ///     "reshape to (2,2,3,2): element (1,0,1,1)",
    ///     "transpose by (0,2,1,3) to (2,3,2,2): element (1,1,0,1)",
    ///     "24 stored elements: element 17",
    /// ]);
    /// ```
    pub fn tiling_steps_at(&self, index: &[usize]) -> Option<Steps> {
        self.map().contains(index).then(|| self.tiling_lines(Some(index)))
    }

    fn tiling_lines(&self, index: Option<&[usize]>) -> Steps {
        let line = |words: String, at: Option<String>| match at {
            Some(at) => format!("{words}: element {at}"),
            None => words,
        };
        let stages = self.stages().into_iter();
        let mut lines: Vec<_> = stages
            .map(|stage| line(stage.title(), index.map(|index| tuple(stage.index(index)))))
            .collect();
        if self.map().len() < self.len() {
            lines.push(format!("pad the end to a multiple of {}", self.draft().tail_alignment));
        }
        let offset = index.map(|index| self.offset(index).to_string());
        lines.push(line(format!("{} stored elements", self.len()), offset));
        Steps(lines)
    }

    /// The steps of [`TiledSpec::tiling_steps`] as a picture, with a panel for each array on the way. A cell shows the
    /// row-major number of its element; padding is hatched. The rows of the last panel, one after the other, are the storage.
    pub fn tiling_picture(&self) -> Picture {
        let panels = match self.elements() {
            0 => Vec::new(),
            _ => self.stages().iter().map(|stage| stage.panel(self)).collect(),
        };
        Picture { title: format!("how the tiles of {self} pad, reshape and transpose it"), panels }
    }

    /// The array with only its first `level` tiles; `None` if it does not fit the address space.
    pub(super) fn with_tiles(&self, level: usize) -> Option<Self> {
        let mut draft = *self.draft();
        (draft.tiles.len, draft.tail_alignment) = (level, 1);
        draft.validate().ok()
    }

    pub(super) fn stages(&self) -> Vec<Stage> {
        let stage = |words: &str, sizes: &[usize], level, view, columns| {
            let (words, spec) = (words.to_string(), self.with_tiles(level));
            Stage { words, sizes: sizes.into(), spec, view, columns }
        };
        let mut stages = alloc::vec![stage("array", self.dims(), 0, View::Logical, 1)];
        if self.widths() != self.dims() {
            stages.push(stage("pad to", self.widths(), 0, View::Logical, 1));
        }
        let order = self.physical_order();
        let mut before: Vec<_> = order.iter().map(|dim| self.widths()[*dim]).collect();
        if !order.iter().is_sorted() {
            let words = format!("transpose by {} to", tuple(order.iter().copied()));
            stages.push(stage(&words, &before, 0, View::Stored, 1));
        }
        for (level, tiling) in self.tilings().enumerate() {
            let combined = tiling.dims().len() < before.len();
            if tiling.dims() != before {
                let words = if combined { "combine to" } else { "reshape to" };
                stages.push(stage(words, tiling.dims(), level, View::Stored, 1));
            }
            let untransposed = || View::Untransposed(Box::new(tiling));
            let level = level + 1;
            if tiling.padded() != tiling.dims() {
                stages.push(stage("pad to", tiling.padded(), level, untransposed(), 1));
            }
            stages.push(stage("reshape to", tiling.reshaped(), level, untransposed(), 2));
            let words = format!("transpose by {} to", tuple(tiling.permutation().iter().copied()));
            let tile = tiling.tile().len();
            stages.push(stage(&words, tiling.transposed(), level, View::Stored, tile));
            before = tiling.transposed().into();
        }
        stages
    }
}

impl Stage {
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.words, tuple(self.sizes.iter().copied()))
    }

    /// The array in the tiles that have been applied. It must have elements.
    pub(super) fn tiled(&self) -> &TiledSpec {
        match &self.spec {
            Some(spec) => spec,
            None => unreachable!("fewer tiles pad elements to no more than all tiles do"),
        }
    }

    /// The index in this stage of an element of the array.
    fn index(&self, index: &[usize]) -> Vec<usize> {
        match &self.view {
            View::Logical => index.into(),
            View::Stored => digits(self.tiled().offset(index), &self.sizes),
            View::Untransposed(tiling) => {
                let transposed = digits(self.tiled().offset(index), tiling.transposed());
                let mut reshaped = transposed.clone();
                for (digit, dim) in transposed.iter().zip(tiling.permutation()) {
                    reshaped[*dim] = *digit;
                }
                digits(number(&reshaped, tiling.reshaped()), &self.sizes)
            }
        }
    }

    /// The offset of an index of this stage, in the array in the tiles that have been applied.
    fn offset(&self, index: &[usize]) -> usize {
        match &self.view {
            View::Stored => number(index, &self.sizes),
            View::Logical => {
                let order = self.tiled().physical_order();
                let pick = |from: &[usize]| order.iter().map(|dim| from[*dim]).collect::<Vec<_>>();
                number(&pick(index), &pick(self.tiled().widths()))
            }
            View::Untransposed(tiling) => {
                let reshaped = digits(number(index, &self.sizes), tiling.reshaped());
                let transposed: Vec<_> =
                    tiling.permutation().iter().map(|dim| reshaped[*dim]).collect();
                number(&transposed, tiling.transposed())
            }
        }
    }

    fn panel(&self, array: &TiledSpec) -> Panel {
        let right = self.sizes.len() - self.columns.min(self.sizes.len());
        let (rows, columns) = self.sizes.split_at(right);
        let name = |sizes: &[usize], at| {
            let digits: Vec<_> = digits(at, sizes).iter().map(usize::to_string).collect();
            digits.join(",")
        };
        // The colours are those of the tiles of the first level.
        let first = array.with_tiles(array.tiles().len().min(1));
        let first = first.as_ref().unwrap_or(array);
        Panel::new(
            self.title(),
            MOST,
            [rows.iter().product(), columns.iter().product()],
            [&|at| name(rows, at), &|at| name(columns, at)] as [&dyn Fn(usize) -> String; 2],
            |row, column| {
                let index = [digits(row, rows), digits(column, columns)].concat();
                let offset = self.offset(&index);
                let Some(element) = self.tiled().index(offset) else {
                    let tile = self.tiled().tile_len().map_or(0, |len| offset / len);
                    return Cell::padding(tile, "padding".to_string());
                };
                let number = number(&element, array.dims());
                let tile = first.tile_len().map_or(0, |len| first.offset(&element) / len);
                let hover =
                    format!("{} -> {}", tuple(element.iter().copied()), array.offset(&element));
                Cell::new(tile, color(first, tile), number.to_string(), hover)
            },
        )
    }
}

/// The colour of a tile by its number. Neighbours differ, as in the other pictures.
fn color(first: &TiledSpec, tile: usize) -> usize {
    let across = across(first);
    tile / across * 3 + tile % across
}

/// The number of tiles in a row of tiles.
pub(super) fn across(first: &TiledSpec) -> usize {
    match first.tiling(0) {
        Some(tiling) => tiling.transposed()[tiling.numbers() - 1].max(1),
        None => 1,
    }
}

/// The index with a row-major number.
fn digits(mut number: usize, sizes: &[usize]) -> Vec<usize> {
    let mut digits = alloc::vec![0; sizes.len()];
    for (digit, size) in digits.iter_mut().zip(sizes).rev() {
        (*digit, number) = (number % size, number / size);
    }
    digits
}

/// The row-major number of an index.
fn number(index: &[usize], sizes: &[usize]) -> usize {
    index.iter().zip(sizes).fold(0, |number, (at, size)| number * size + at)
}
