//! Pictures as SVG.

use super::cell::{Edge, Fill};
use super::facts::grouped;
use super::picture::{Panel, Picture};
use super::printable;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Hues of the colours, in degrees. They are almost transparent, so that text on them is legible in any theme.
pub(crate) const HUES: [u16; 8] = [210, 25, 130, 50, 330, 185, 275, 85];
/// Height of a cell, and of a line of text.
const HEIGHT: usize = 26;
/// The least width of a cell.
const WIDTH_OF_CELL: usize = 32;
/// Width of a character.
const CHAR: usize = 8;
/// Space between panels.
const SPACE: usize = 24;
/// The largest total width of panels side by side; wider ones are stacked. A picture of this width is still legible on a phone,
/// whose screen is about 350 wide.
const WIDTH: usize = 520;
/// Colours of text and background if no page sets them.
const THEMES: &str = "<style>\
    svg{color:#222;background:#fff;--main-background-color:#fff}\
    @media(prefers-color-scheme:dark){svg{color:#ddd;background:#222;--main-background-color:#222}}\
    </style>";

/// Text as SVG and HTML write it: `&`, `<`, `>` and `"` as entities, and control characters, which they do not allow, as escapes.
///
/// ```
/// assert_eq!(tensor_layout::draw::escaped("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
/// ```
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in printable(text).chars() {
        match char {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            char => escaped.push(char),
        }
    }
    escaped
}

impl Picture {
    /// The picture as an SVG element on one line, without scripts, styles or anything to load.
    ///
    /// Text and lines have the colour of the surrounding text. Cells without a colour have the background of rustdoc's themes, or
    /// white if no background is set, and padding is hatched. The tooltip of a cell is its index.
    ///
    /// ```
    /// use tensor_layout::{TiledSpec, draw::Draw};
    /// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
    /// let svg = spec.picture().svg();
    /// assert!(svg.contains("<title>(2,3) -&gt; 17</title>"));
    /// assert_eq!(svg.lines().count(), 1);
    /// ```
    pub fn svg(&self) -> String {
        self.element("")
    }

    /// [`Picture::svg`] as a separate file, with the colours of a light or a dark theme.
    ///
    /// ```
    /// use tensor_layout::{TiledSpec, draw::Draw};
    /// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
    /// assert!(spec.picture().svg_file().contains("@media(prefers-color-scheme:dark)"));
    /// ```
    pub fn svg_file(&self) -> String {
        self.element(THEMES)
    }

    /// The element, with `head` before the drawing.
    fn element(&self, head: &str) -> String {
        let shown: Vec<_> = self.panels.iter().map(Panel::grouped).collect();
        let sizes: Vec<_> = shown.iter().map(Panel::size).collect();
        let together = sizes.iter().map(|[width, _]| width + SPACE).sum::<usize>();
        let (mut x, mut y, mut width, mut height) = (0, 0, 0, 0);
        let mut panels = String::new();
        for (panel, [panel_width, panel_height]) in shown.iter().zip(sizes) {
            panels += &format!("<g transform=\"translate({x} {y})\">");
            panel.svg(&mut panels);
            panels += "</g>";
            width = width.max(x + panel_width);
            height = height.max(y + panel_height);
            if together > WIDTH {
                y = height + SPACE;
            } else {
                x += panel_width + SPACE;
            }
        }
        let title = escaped(&self.title);
        let (width, height) = (width + 4, height + 4);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"-2 -2 {width} {height}\" role=\"img\" aria-label=\"{title}\" \
             font-family=\"monospace\" font-size=\"13\" text-anchor=\"middle\" fill=\"currentColor\">\
             <title>{title}</title>{head}{panels}</svg>"
        )
    }
}

impl Panel {
    fn cell_width(&self) -> usize {
        let texts = self.cells.iter().map(|cell| &cell.text).chain(&self.columns);
        let longest = texts.map(|text| text.chars().count()).max().unwrap_or(0);
        (CHAR * longest + 12).max(WIDTH_OF_CELL)
    }

    /// Where the cells begin: to the right of the names of the rows, and below those of the columns.
    fn origin(&self) -> [usize; 2] {
        let names = self.rows.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let lines = usize::from(!self.caption.is_empty())
            + usize::from(self.columns.iter().any(|name| !name.is_empty()));
        [names * CHAR + 12, lines * HEIGHT]
    }

    fn size(&self) -> [usize; 2] {
        let [x, y] = self.origin();
        let caption = self.caption.chars().count() * CHAR;
        let width = x + self.columns.len() * self.cell_width();
        [width.max(caption), y + self.rows.len() * HEIGHT]
    }

    /// The panel with separated thousands, if one of its numbers has more than four digits.
    fn grouped(&self) -> Self {
        let mut panel = self.clone();
        let cells = panel.cells.iter_mut().map(|cell| &mut cell.text);
        let texts: Vec<_> = cells.chain(&mut panel.rows).chain(&mut panel.columns).collect();
        let is_long = |text: &&mut String| text.len() > 4 && text.parse::<u64>().is_ok();
        if texts.iter().any(is_long) {
            for text in texts {
                if let Ok(number) = text.parse() {
                    *text = grouped(number);
                }
            }
        }
        panel
    }

    fn svg(&self, svg: &mut String) {
        let ([left, top], cell) = (self.origin(), self.cell_width());
        // The first line of text is the caption.
        if !self.caption.is_empty() {
            let caption = escaped(&self.caption);
            *svg += &format!(
                "<text x=\"0\" y=\"14\" text-anchor=\"start\" font-family=\"sans-serif\">{caption}</text>"
            );
        }
        *svg += "<g opacity=\".7\">";
        for (column, name) in self.columns.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            text(svg, left + column * cell + cell / 2, top - 8, name);
        }
        *svg += "</g><g opacity=\".7\" text-anchor=\"end\">";
        for (row, name) in self.rows.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            text(svg, left - 8, top + row * HEIGHT + 17, name);
        }
        *svg += "</g>";
        self.fills(svg, [left, top], cell);
        self.hatches(svg, [left, top], cell);
        *svg += "<g pointer-events=\"none\">";
        for (at, found) in self.cells.iter().enumerate().filter(|(_, cell)| !cell.text.is_empty()) {
            let (row, column) = (at / self.columns.len(), at % self.columns.len());
            text(svg, left + column * cell + cell / 2, top + row * HEIGHT + 17, &found.text);
        }
        *svg += "</g>";
        self.grid(svg, [left, top], cell);
        self.borders(svg, [left, top], cell);
    }

    /// Faint lines between the cells of a tile, with adjacent segments joined.
    fn grid(&self, svg: &mut String, [left, top]: [usize; 2], cell: usize) {
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let mut lines = String::new();
        // `is_inside(n)` is whether the line continues past cell `n`.
        let mut add = |count: usize,
                       is_inside: &dyn Fn(usize) -> bool,
                       line: &dyn Fn(usize, usize) -> String| {
            let mut at = 0;
            while at < count {
                let length = (at..count).take_while(|at| is_inside(*at)).count();
                if length > 0 {
                    lines += &line(at, length);
                }
                at += length + 1;
            }
        };
        let shows =
            |row, column| self.cell(row, column).is_some_and(|cell| cell.fill != Fill::Absent);
        for column in 1..columns {
            let is_inside = |row| shows(row, column) && self.left(row, column) == Edge::None;
            let x = left + column * cell;
            add(rows, &is_inside, &|row, length| {
                format!("M{x} {}v{}", top + row * HEIGHT, length * HEIGHT)
            });
        }
        for row in 1..rows {
            let is_inside = |column| shows(row, column) && self.above(row, column) == Edge::None;
            let y = top + row * HEIGHT;
            add(columns, &is_inside, &|column, length| {
                format!("M{} {y}h{}", left + column * cell, length * cell)
            });
        }
        if !lines.is_empty() {
            *svg += &path(&lines, "currentColor\" stroke-opacity=\".12");
        }
    }

    /// The areas of the cells, those of one colour together.
    fn fills(&self, svg: &mut String, [left, top]: [usize; 2], cell: usize) {
        let kind = |fill| match fill {
            Fill::Color(color) => Some(color % HUES.len()),
            Fill::Padding | Fill::Blank => Some(HUES.len()),
            Fill::Gap | Fill::Absent => None,
        };
        for wanted in 0..=HUES.len() {
            let mut cells = String::new();
            for (at, found) in self.cells.iter().enumerate() {
                if kind(found.fill) != Some(wanted) {
                    continue;
                }
                let x = left + at % self.columns.len() * cell;
                let y = top + at / self.columns.len() * HEIGHT;
                let hover = escaped(&found.hover);
                let link = match found.link.as_str() {
                    "" => String::new(),
                    link => format!(" data-link=\"{link}\""),
                };
                cells += &format!(
                    "<path{link} d=\"M{x} {y}h{cell}v{HEIGHT}h-{cell}z\"><title>{hover}</title></path>"
                );
            }
            if cells.is_empty() {
                continue;
            }
            let fill = match HUES.get(wanted) {
                Some(hue) => format!("hsl({hue},75%,50%)\" fill-opacity=\".3"),
                None => "var(--main-background-color,#fff)".into(),
            };
            *svg += &format!("<g fill=\"{fill}\">{cells}</g>");
        }
    }

    /// Lines over the padding.
    fn hatches(&self, svg: &mut String, [left, top]: [usize; 2], cell: usize) {
        let is_padding =
            |row, column| self.cell(row, column).is_some_and(|cell| cell.fill == Fill::Padding);
        let (columns, mut lines) = (self.columns.len(), String::new());
        for row in 0..self.rows.len() {
            let mut at = 0;
            while at < columns {
                let count = (at..columns).take_while(|column| is_padding(row, *column)).count();
                if count > 0 {
                    hatch(&mut lines, [left + at * cell, top + row * HEIGHT], count * cell);
                }
                at += count + 1;
            }
        }
        if !lines.is_empty() {
            *svg += &path(&lines, "currentColor\" stroke-opacity=\".22");
        }
    }

    /// The borders of tiles of the last level, in red, and over them those of tiles.
    fn borders(&self, svg: &mut String, [left, top]: [usize; 2], cell: usize) {
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let (mut tiles, mut inner) = (String::new(), String::new());
        for row in 0..=rows {
            for column in 0..=columns {
                let (x, y) = (left + column * cell, top + row * HEIGHT);
                let across = (self.above(row, column), format!("M{x} {y}h{cell}"));
                let down = (self.left(row, column), format!("M{x} {y}v{HEIGHT}"));
                for (edge, line) in [across, down] {
                    match edge {
                        Edge::None => {}
                        Edge::Inner => inner += &line,
                        Edge::Tile => tiles += &line,
                    }
                }
            }
        }
        if !inner.is_empty() {
            *svg += &path(&inner, "#d22\" stroke-opacity=\".8");
        }
        *svg += &path(&tiles, "currentColor\" stroke-opacity=\".6");
    }
}

/// Parallel lines over a part of a row, which go up by as much as they go to the right. Those of the next row continue them.
fn hatch(lines: &mut String, [x, y]: [usize; 2], width: usize) {
    const STEP: usize = HEIGHT / 2;
    // On each line, the coordinates have the same sum.
    for sum in ((x + y).next_multiple_of(STEP)..x + y + width + HEIGHT).step_by(STEP) {
        let (low, high) = (y.max(sum.saturating_sub(x + width)), (y + HEIGHT).min(sum - x));
        if low < high {
            let length = high - low;
            *lines += &format!("M{} {high}l{length}-{length}", sum - high);
        }
    }
}

/// Lines in a stroke.
fn path(lines: &str, stroke: &str) -> String {
    format!("<path d=\"{lines}\" fill=\"none\" stroke=\"{stroke}\" pointer-events=\"none\"/>")
}

fn text(svg: &mut String, x: usize, y: usize, text: &str) {
    *svg += &format!("<text x=\"{x}\" y=\"{y}\">{}</text>", escaped(text));
}
