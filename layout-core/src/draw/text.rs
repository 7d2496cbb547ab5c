//! Pictures as text.

use super::cell::{Edge, Fill};
use super::picture::{Panel, Picture};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// How a picture is drawn as text: with or without colours, and how wide.
///
/// ```
/// use tensor_layout::{TiledSpec, draw::{Draw, Style}};
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let text = spec.picture().text(Style { color: true, width: 80 });
/// assert!(text.contains("\x1b["));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Style {
    /// Whether the terminal shows colours.
    pub color: bool,
    /// The number of characters that fit on a line. Panels that do not fit side by side are stacked, and a panel that is wider than
    /// a line loses columns in its middle.
    pub width: usize,
}

impl Style {
    /// No colours, lines of 100 characters.
    pub const PLAIN: Self = Self { color: false, width: 100 };
}

/// Box-drawing characters, indexed by the lines that meet in a corner. The lines above, to the right, below and to the left are
/// each absent, thin or thick: 3 * 3 * 3 * 3 = 81 characters.
const CORNERS: &str =
    " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋";
/// Light colours, as numbers in the 256-colour palette of a terminal.
const COLORS: [u8; 8] = [153, 216, 157, 225, 222, 159, 183, 194];

fn corner(edges: [Edge; 4]) -> char {
    let at = edges.into_iter().fold(0, |at, edge| at * 3 + edge as usize);
    CORNERS.chars().nth(at).unwrap_or(' ')
}

/// A line and the number of its visible characters.
#[derive(Default)]
struct Line {
    text: String,
    width: usize,
}

impl Line {
    fn push(&mut self, text: &str) {
        self.text += text;
        self.width += text.chars().count();
    }

    /// Text in a colour, given as a terminal expects it.
    fn colored(&mut self, style: Style, code: &str, text: &str) {
        if style.color {
            self.text += &format!("\x1b[{code}m");
        }
        self.push(text);
        if style.color {
            self.text += "\x1b[0m";
        }
    }
}

impl Picture {
    /// The picture in box-drawing characters: thick lines around tiles, thin ones around tiles of the last level, a dot
    /// for padding.
    ///
    /// ```
    /// use tensor_layout::{TiledSpec, draw::{Draw, Style}};
    /// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
    /// assert_eq!(spec.picture().text(Style::PLAIN), "
    ///      0   1    2   3    4   5
    ///   ┏━━━━━━━━┳━━━━━━━━┳━━━━━━━━┓
    /// 0 ┃  0   1 ┃  4   5 ┃  8   · ┃
    /// 1 ┃  2   3 ┃  6   7 ┃ 10   · ┃
    ///   ┣━━━━━━━━╋━━━━━━━━╋━━━━━━━━┫
    /// 2 ┃ 12  13 ┃ 16  17 ┃ 20   · ┃
    /// 3 ┃  ·   · ┃  ·   · ┃  ·   · ┃
    ///   ┗━━━━━━━━┻━━━━━━━━┻━━━━━━━━┛
    /// "[1..]);
    /// ```
    pub fn text(&self, style: Style) -> String {
        let mut text = String::new();
        let mut row: Vec<Vec<Line>> = Vec::new();
        for panel in &self.panels {
            let lines = panel.fitting_lines(style);
            let taken: usize = row.iter().map(|panel| width(panel) + 3).sum();
            if taken > 0 && taken + width(&lines) > style.width {
                beside(&row, &mut text);
                text.push('\n');
                row.clear();
            }
            row.push(lines);
        }
        beside(&row, &mut text);
        text
    }
}

fn width(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.width).max().unwrap_or(0)
}

/// Appends the lines of panels side by side.
fn beside(panels: &[Vec<Line>], text: &mut String) {
    let height = panels.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..height {
        let mut line = String::new();
        for (i, panel) in panels.iter().enumerate() {
            line += if i > 0 { "   " } else { "" };
            let (part, seen) =
                panel.get(at).map_or(("", 0), |line| (line.text.as_str(), line.width));
            line += part;
            line.extend(core::iter::repeat_n(' ', width(panel) - seen));
        }
        *text += line.trim_end();
        text.push('\n');
    }
}

/// A text in lines of at most `width` characters, if its words allow that.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// Columns that a panel keeps, however narrow the terminal is.
const FEWEST: usize = 4;

impl Panel {
    /// The lines with as many columns as fit.
    fn fitting_lines(&self, style: Style) -> Vec<Line> {
        let mut lines = self.lines(style);
        for columns in (FEWEST..self.columns.len()).rev() {
            if width(&lines) <= style.width {
                break;
            }
            lines = self.narrowed(columns).lines(style);
        }
        lines
    }

    fn lines(&self, style: Style) -> Vec<Line> {
        let mut lines = Vec::new();
        for caption in wrapped(&self.caption, style.width) {
            let mut line = Line::default();
            line.push(&caption);
            lines.push(line);
        }
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let name = self.rows.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let texts = self.cells.iter().map(|cell| &cell.text).chain(&self.columns);
        let cell = texts.map(|text| text.chars().count()).max().unwrap_or(0).max(1);
        // A border that no row has takes up no column.
        let bordered: Vec<bool> = (0..=columns)
            .map(|column| (0..rows).any(|row| self.left(row, column) != Edge::None))
            .collect();
        if self.columns.iter().any(|name| !name.is_empty()) {
            let mut line = Line::default();
            line.push(&format!("{:name$} ", ""));
            for (column, text) in self.columns.iter().enumerate() {
                line.push(if bordered[column] { " " } else { "" });
                line.push(&format!(" {text:>cell$} "));
            }
            line.text.truncate(line.text.trim_end().len());
            line.width = line.text.chars().count();
            lines.push(line);
        }
        for row in 0..=rows {
            lines.extend(self.border(style, row, name, cell, &bordered));
            if row < rows {
                let mut line = Line::default();
                line.push(&format!("{:>name$} ", self.rows[row]));
                for (column, bordered) in bordered.iter().enumerate() {
                    if *bordered {
                        let edge = self.left(row, column);
                        edge_line(
                            &mut line,
                            style,
                            edge,
                            corner([edge, Edge::None, edge, Edge::None]),
                        );
                    }
                    let Some(found) = self.cell(row, column) else { continue };
                    match found.fill {
                        Fill::Color(color) => {
                            let code = format!("48;5;{};38;5;16", COLORS[color % COLORS.len()]);
                            line.colored(style, &code, &format!(" {:>cell$} ", found.text));
                        }
                        Fill::Padding | Fill::Blank if found.text.is_empty() => {
                            line.push(&format!(" {:>cell$} ", "·"))
                        }
                        _ => line.push(&format!(" {:>cell$} ", found.text)),
                    }
                }
                lines.push(line);
            }
        }
        lines
    }

    /// The line above a row, if there is anything on it.
    fn border(
        &self,
        style: Style,
        row: usize,
        name: usize,
        cell: usize,
        bordered: &[bool],
    ) -> Option<Line> {
        let columns = self.columns.len();
        if (0..columns).all(|column| self.above(row, column) == Edge::None) {
            return None;
        }
        let mut line = Line::default();
        line.push(&format!("{:name$} ", ""));
        for (column, bordered) in bordered.iter().enumerate() {
            let right = self.above(row, column);
            if *bordered {
                let up = row.checked_sub(1).map_or(Edge::None, |up| self.left(up, column));
                let down = self.left(row, column);
                let left = column.checked_sub(1).map_or(Edge::None, |left| self.above(row, left));
                let edges = [up, right, down, left];
                let strongest = edges.into_iter().max().unwrap_or(Edge::None);
                edge_line(&mut line, style, strongest, corner(edges));
            }
            if column < columns {
                for _ in 0..cell + 2 {
                    edge_line(
                        &mut line,
                        style,
                        right,
                        corner([Edge::None, right, Edge::None, right]),
                    );
                }
            }
        }
        Some(line)
    }
}

/// Tiles of the last level are red, as in the figures.
fn edge_line(line: &mut Line, style: Style, edge: Edge, char: char) {
    let mut buffer = [0; 4];
    let text = char.encode_utf8(&mut buffer);
    match edge {
        Edge::Inner => line.colored(style, "31", text),
        _ => line.push(text),
    }
}
