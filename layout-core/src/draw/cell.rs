use alloc::string::String;

/// What fills a [`Cell`] of a picture; [`Cell`] has an example.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fill {
    /// The colour of a tile, a level or a device; colours repeat.
    Color(usize),
    /// Hatched: padding.
    Padding,
    /// White: nothing is stored, or the text belongs to no tile.
    Blank,
    /// An ellipsis, for cells that are left out.
    Gap,
    /// Nothing: there is no cell.
    Absent,
}

/// One cell of a [`Panel`](super::Panel).
///
/// ```
/// use tensor_layout::{TiledSpec, draw::{Draw, Fill}};
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let picture = spec.picture();
/// let cells = &picture.panels[0].cells;
/// assert_eq!((&cells[1].text[..], cells[1].fill), ("1", Fill::Color(0)));
/// assert!(cells.iter().any(|cell| cell.fill == Fill::Padding));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// Its colour.
    pub fill: Fill,
    /// Its text.
    pub text: String,
    /// The tooltip.
    pub hover: String,
    /// Number of its tile: cells of one tile have no border between them.
    pub tile: usize,
    /// Number of its tile of the last level, if tiles repeat.
    pub inner: usize,
    /// The names of the groups to which the cell belongs, separated by spaces. A page highlights the cells of a group together.
    pub link: String,
}

impl Cell {
    /// No cell.
    pub(crate) const ABSENT: Self = Self {
        fill: Fill::Absent,
        text: String::new(),
        hover: String::new(),
        tile: 0,
        inner: 0,
        link: String::new(),
    };

    /// A cell of a tile in which nothing is stored.
    #[cfg(feature = "sparse")]
    pub(crate) fn blank(tile: usize, hover: String) -> Self {
        Self { fill: Fill::Blank, ..Self::padding(tile, hover) }
    }

    /// A cell of a tile that is padding.
    pub(crate) const fn padding(tile: usize, hover: String) -> Self {
        Self {
            fill: Fill::Padding,
            text: String::new(),
            hover,
            tile,
            inner: 0,
            link: String::new(),
        }
    }

    /// The cell, which a page highlights together with the other cells of this link.
    pub(crate) fn linked(mut self, link: String) -> Self {
        self.link = link;
        self
    }

    /// A cell that is a tile by itself.
    pub(crate) fn new(number: usize, color: usize, text: String, hover: String) -> Self {
        Self { fill: Fill::Color(color), text, ..Self::padding(number, hover) }
    }

    /// An ellipsis with the borders of the cell.
    pub(crate) fn gap(&self) -> Self {
        let text = if self.fill == Fill::Absent { "" } else { "…" };
        let (tile, inner) = (self.tile, self.inner);
        Self { fill: Fill::Gap, text: text.into(), inner, ..Self::padding(tile, String::new()) }
    }
}

/// What separates two cells, or a cell and the outside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Edge {
    None,
    /// A border between tiles of the last level.
    Inner,
    /// A border between tiles.
    Tile,
}

impl Edge {
    pub(crate) fn between(a: Option<&Cell>, b: Option<&Cell>) -> Self {
        let present = |cell: &&Cell| cell.fill != Fill::Absent;
        match (a.filter(present), b.filter(present)) {
            (None, None) => Self::None,
            (Some(a), Some(b)) if a.tile == b.tile && a.inner == b.inner => Self::None,
            (Some(a), Some(b)) if a.tile == b.tile => Self::Inner,
            _ => Self::Tile,
        }
    }
}
