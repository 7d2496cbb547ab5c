//! The numbers and the picture of a sparse encoding: what each level stores, and a small matrix stored in it.

use super::example::Example;
use super::sizes;
use crate::draw::{Cell, Draw, Facts, Fill, MOST, NAMES, Panel, Picture, tuple};
use crate::sparse::{LevelExpr, LevelFormat, SparseEncoding};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

impl Draw for SparseEncoding {
    fn notation(&self) -> String {
        self.to_string()
    }

    fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        facts.code("encoding", self);
        facts.number("dimensions", self.rank());
        for (at, level) in self.levels().iter().enumerate() {
            let expr = level.expr.named(&NAMES);
            let format = level.format.name();
            let stores = match level.format {
                LevelFormat::Dense | LevelFormat::Batch | LevelFormat::Range => {
                    "stores nothing".into()
                }
                LevelFormat::Singleton | LevelFormat::Structured { .. } => {
                    "stores coordinates".into()
                }
                _ if self.is_padded(at) => "stores coordinates, padded".into(),
                LevelFormat::LooseCompressed => {
                    "stores two positions for each parent, and coordinates".into()
                }
                LevelFormat::Delta { bits } => format!("stores positions, and gaps of {bits} bits"),
                LevelFormat::Compressed => String::from("stores positions and coordinates"),
            };
            facts.words(LEVELS[at], format!("{expr}, {format}: {stores}"));
        }
        let width = |bits| match bits {
            0 => "as wide as a pointer".to_string(),
            1.. => format!("{bits} bits"),
        };
        facts.words("positions", width(self.draft().position_bits));
        facts.words("coordinates", width(self.draft().coordinate_bits));
        if self.is_slice() {
            return facts;
        }
        let size = |(name, size)| format!("{name}: {size}");
        let sizes: Vec<_> = sizes::sizes(self).into_iter().map(size).collect();
        facts.code("array sizes", sizes.join(", "));
        if let Some(example) = Example::new(self) {
            facts.code("example shape", tuple(example.shape().iter().copied()));
            for (name, values) in example.arrays() {
                facts.code(name, format!("[{}]", values.join(", ")));
            }
        }
        facts
    }

    fn picture(&self) -> Picture {
        let title = format!("a small array stored as {}", self.levels_text());
        let panels = match Example::new(self).filter(|_| !self.is_slice()) {
            Some(example) => vec![matrix(self, &example), arrays(&example)],
            None => vec![],
        };
        Picture { title, panels }
    }
}

/// Names of the facts about levels.
const LEVELS: [&str; crate::sparse::MAX_LEVELS] = [
    "level 0", "level 1", "level 2", "level 3", "level 4", "level 5", "level 6", "level 7",
    "level 8", "level 9", "level 10", "level 11", "level 12", "level 13", "level 14", "level 15",
];

impl SparseEncoding {
    /// `i floordiv 2 : dense, j : compressed`
    fn levels_text(&self) -> String {
        let level = |level: &crate::sparse::LevelSpec| {
            format!("{} : {}", level.expr.named(&NAMES), level.format.name())
        };
        self.levels().iter().map(level).collect::<Vec<_>>().join(", ")
    }

    /// The size of a block along dimension `dim`; `usize::MAX` if the dimension is not split.
    fn block(&self, dim: usize) -> usize {
        let split = |expr: &LevelExpr| match expr {
            LevelExpr::Part { form, div, modulus: None } if form.terms() == 1 && *div > 1 => {
                (form.first() == Some(dim)).then_some(*div)
            }
            _ => None,
        };
        self.levels().iter().find_map(|level| split(&level.expr)).unwrap_or(usize::MAX)
    }
}

/// The example as an array: stored elements in colour, all others white.
fn matrix(encoding: &SparseEncoding, example: &Example) -> Panel {
    let shape = example.shape();
    let (last, columns) = (shape.len() - 1, shape[shape.len() - 1]);
    let rows: usize = shape[..last].iter().product();
    let index = |row: usize, column: usize| {
        let mut index = vec![column; shape.len()];
        let mut rest = row;
        for dim in (0..last).rev() {
            index[dim] = rest % shape[dim];
            rest /= shape[dim];
        }
        index
    };
    let row_name = |row: usize| {
        let names: Vec<_> = index(row, 0)[..last].iter().map(ToString::to_string).collect();
        names.join(",")
    };
    let names: [&dyn Fn(usize) -> String; 2] = [&row_name, &|column| column.to_string()];
    Panel::new(String::new(), MOST, [rows, columns], names, |row, column| {
        let index = index(row, column);
        // A matrix shows its blocks. With more dimensions, the rows of the picture combine several dimensions.
        let down = if last == 1 { row / encoding.block(0) } else { row };
        let tile = down * columns + column / encoding.block(last);
        let at = tuple(index.iter().copied());
        match example.stored(&index) {
            Some((place, value)) => {
                let hover = format!("{at} -> values[{place}]");
                let cell = Cell::new(tile, place / example.block(), value.to_string(), hover);
                cell.linked(link(place))
            }
            None => Cell::blank(tile, format!("{at} is not stored")),
        }
    })
}

/// The name that links a value to the array entries that lead to it.
fn link(value: usize) -> String {
    format!("v{value}")
}

/// The arrays of the example, one to a row.
fn arrays(example: &Example) -> Panel {
    let arrays = example.arrays();
    let columns = arrays.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let (values, block) = (arrays.last().map_or(0, |(_, values)| values.len()), example.block());
    let paths: Vec<_> = (0..values).map(|value| example.path(value)).collect();
    let leads = |name: &str, column, value: usize| match name {
        "values" => column == value,
        _ => paths[value].contains(&(name, column)),
    };
    let names: [&dyn Fn(usize) -> String; 2] =
        [&|row| arrays[row].0.to_string(), &|column| column.to_string()];
    Panel::new(String::new(), MOST, [arrays.len(), columns], names, |row, column| {
        let (name, entries) = &arrays[row];
        let Some(text) = entries.get(column) else { return Cell::ABSENT };
        let hover = format!("{name}[{column}] = {text}");
        // An entry has the same colour in every array, and the values of a block have the colour of its coordinate. Numbers
        // that do not belong to a single entry have no colour.
        let each = if *name == "values" { block } else { 1 };
        let mut cell = Cell::new(row, column / each, text.clone(), hover);
        if entries.len() * block != values * each || name.starts_with("positions") {
            cell.fill = Fill::Blank;
        }
        let links: Vec<_> =
            (0..values).filter(|value| leads(name, column, *value)).map(link).collect();
        cell.linked(links.join(" "))
    })
}
