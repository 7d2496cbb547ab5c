use super::cell::{Cell, Edge};
use alloc::string::String;
use alloc::vec::Vec;

/// The largest number of rows, and of columns, that a panel shows.
pub(crate) const MOST: usize = 16;
/// The same limit if a cell represents many elements.
pub(crate) const MOST_TILES: usize = 8;

/// A picture: panels side by side.
///
/// ```
/// use tensor_layout::{TiledSpec, draw::Draw};
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let picture = spec.picture();
/// assert_eq!((&picture.title[..], picture.panels.len()), ("where each element of f32[3,5]{1,0:T(2,2)} lies", 1));
/// assert!(picture.svg().starts_with("<svg "));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Picture {
    /// What it shows, in one line.
    pub title: String,
    /// The panels; none if nothing is stored.
    pub panels: Vec<Panel>,
}

/// A grid of cells with labels: one part of a [`Picture`].
///
/// ```
/// use tensor_layout::{TiledSpec, draw::Draw};
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let picture = spec.picture();
/// let panel = &picture.panels[0];
/// assert_eq!((panel.rows.len(), panel.columns.len(), panel.cells.len()), (4, 6, 24));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Panel {
    /// What it shows.
    pub caption: String,
    /// The labels of the rows, one for each row.
    pub rows: Vec<String>,
    /// The labels of the columns, one for each column.
    pub columns: Vec<String>,
    /// The cells in row-major order.
    pub cells: Vec<Cell>,
}

impl Panel {
    /// A panel of at most `most` of the rows and columns, with an ellipsis for the others.
    pub(crate) fn new(
        caption: String,
        most: usize,
        [rows, columns]: [usize; 2],
        names: [impl Fn(usize) -> String; 2],
        cell: impl Fn(usize, usize) -> Cell,
    ) -> Self {
        let (shown_rows, shown_columns) = (shown(rows, most), shown(columns, most));
        let gap = |name: Option<String>| name.unwrap_or_else(|| "…".into());
        let mut cells = Vec::with_capacity(shown_rows.len() * shown_columns.len());
        for row in &shown_rows {
            for column in &shown_columns {
                cells.push(match (row, column) {
                    (Some(row), Some(column)) => cell(*row, *column),
                    // An ellipsis has the borders of the cell before it.
                    (row, column) => {
                        let before = cell(
                            row.unwrap_or_else(|| rows - last(most) - 1),
                            column.unwrap_or_else(|| columns - last(most) - 1),
                        );
                        before.gap()
                    }
                });
            }
        }
        Self {
            caption,
            rows: shown_rows.iter().map(|row| gap(row.map(&names[0]))).collect(),
            columns: shown_columns.iter().map(|column| gap(column.map(&names[1]))).collect(),
            cells,
        }
    }

    /// The panel with at most `most` of its columns, and an ellipsis in place of those that are left out.
    pub(crate) fn narrowed(&self, most: usize) -> Self {
        let columns = self.columns.len();
        if columns <= most || most < 3 {
            return self.clone();
        }
        let (first, last) = (most - last(most) - 1, columns - last(most));
        let mut narrow = Self { columns: Vec::new(), cells: Vec::new(), ..self.clone() };
        narrow.columns.extend_from_slice(&self.columns[..first]);
        narrow.columns.push("…".into());
        narrow.columns.extend_from_slice(&self.columns[last..]);
        for row in self.cells.chunks(columns) {
            narrow.cells.extend_from_slice(&row[..first]);
            narrow.cells.push(row[last - 1].gap());
            narrow.cells.extend_from_slice(&row[last..]);
        }
        narrow
    }

    /// The cell at a row and column; `None` outside.
    pub fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        if column >= self.columns.len() {
            return None;
        }
        self.cells.get(row * self.columns.len() + column)
    }

    /// What separates a cell from the one to its left.
    pub(crate) fn left(&self, row: usize, column: usize) -> Edge {
        let before = column.checked_sub(1).and_then(|before| self.cell(row, before));
        Edge::between(before, self.cell(row, column))
    }

    /// What separates a cell from the one above it.
    pub(crate) fn above(&self, row: usize, column: usize) -> Edge {
        let before = row.checked_sub(1).and_then(|before| self.cell(before, column));
        Edge::between(before, self.cell(row, column))
    }
}

/// The number of rows or columns shown after those that are left out.
const fn last(most: usize) -> usize {
    most / 4
}

/// The rows or columns of `count` that are shown; `None` represents all that are left out.
fn shown(count: usize, most: usize) -> Vec<Option<usize>> {
    if count <= most {
        return (0..count).map(Some).collect();
    }
    let first = (0..most - last(most) - 1).map(Some);
    first.chain([None]).chain((count - last(most)..count).map(Some)).collect()
}
