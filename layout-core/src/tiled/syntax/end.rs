//! What follows a shape: what others write there, with what to write instead.

use super::keywords;
use crate::syntax::{Cursor, Kind, Span, element_type, written};
use crate::tiled::TpuMemory;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A shape with attributes in its braces, or in the braces of the row-major order if it has none.
fn with_attributes(shape: &str, attributes: &str) -> Option<String> {
    if let Some(layout) = shape.strip_suffix('}') {
        let colon = if layout[layout.rfind('{')?..].contains(':') { "" } else { ":" };
        return Some(format!("{layout}{colon}{attributes}}}"));
    }
    let sizes = &shape.strip_suffix(']')?[shape.find('[')? + 1..];
    let rank = if sizes.is_empty() { 0 } else { sizes.split(',').count() };
    let order: Vec<_> = (0..rank).rev().map(|dim| dim.to_string()).collect();
    (!sizes.contains('{')).then(|| format!("{shape}{{{}:{attributes}}}", order.join(",")))
}

/// Whether a word looks like an attribute of a layout.
fn is_attribute(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|letter| letter.is_ascii_uppercase())
}

/// Whether a word names an order of dimensions: `row_major`, `ColumnMajor`, `LayoutRight`.
fn is_order(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word.ends_with("major") || matches!(word.as_str(), "layoutright" | "layoutleft" | "c" | "f")
}

impl<S: Span> Cursor<'_, S> {
    /// Reports any text that follows the shape.
    pub fn expect_end(&mut self) {
        let Some(found) = self.peek() else { return };
        let shape = written(self.from(0)).unwrap_or_default();
        let meant = self
            .order_in_brackets(&shape)
            .or_else(|| self.padding())
            .or_else(|| self.layout_of_keywords(&shape));
        if let Some((message, len, text)) = meant {
            let first = self.span();
            let span = self.take_many(len).unwrap_or(first);
            self.report(span, message, format!("write `{text}`"));
            return;
        }
        let help = match (found, self.peek_nth(1)) {
            (Kind::Open('{'), _) if shape.ends_with('}') => {
                "an array has one layout: leave one of them out".into()
            }
            (Kind::Open('{'), Some(Kind::Word(order)))
                if matches!(order.as_str(), "NCHW" | "NHWC" | "HWCN" | "OIHW" | "HWIO") =>
            {
                "the order lists the numbers of the dimensions, the most minor one first: `{3,2,1,0}` if they are stored as they are listed".into()
            }
            (Kind::Open('{'), Some(Kind::Text(order))) if order.len() < 40 => {
                format!("write it without quotes: `{{{order}}}`")
            }
            (Kind::Open('{') | Kind::Symbol(','), Some(Kind::Word(word))) if is_order(word) => {
                "`{1,0}` is row-major, and `{0,1}` column-major".into()
            }
            (Kind::Open('{'), Some(Kind::Word(word))) if word == "major_to_minor" => {
                "the order is reversed, the most minor dimension first: for `major_to_minor=(0,1)`, write `{1,0}`".into()
            }
            (Kind::Open('{') | Kind::Symbol('<'), _) => {
                "a layout starts with minor_to_major, and attributes follow a colon: `{1,0:T(8,128)}`".into()
            }
            (Kind::Word(word), Some(Kind::Symbol('='))) if word == "memory_format" => {
                "an order of the dimensions is a layout, the most minor one first: for NCHW, channels last is `{1,3,2,0}`".into()
            }
            (Kind::Word(_) | Kind::Symbol(_), Some(Kind::Word(memory))) if TpuMemory::from_name(memory).is_some() => {
                "the memory is an attribute of the layout, `{1,0:S(1)}`: HBM needs no `S`, VMEM is `S(1)`, the host is `S(5)`".into()
            }
            (Kind::Word(word), _) if word.starts_with("stride") => {
                "instead of strides, write the order of the dimensions, the one of stride 1 first: `{1,0}`".into()
            }
            (Kind::Open('('), _) if shape.ends_with(")}") => self.attributes_inside(&shape),
            (Kind::Word(word), Some(Kind::Open('('))) if is_attribute(word) => {
                self.attributes_inside(&shape)
            }
            // An operation of HLO, `add(..)` or `get-tuple-element(..)`.
            (Kind::Word(_), Some(Kind::Open('(') | Kind::Symbol('-' | '.'))) if shape.ends_with(['}', ']', ')', '>']) => {
                format!("write only the shape of a line of HLO: `{shape}`")
            }
            (Kind::Symbol(';'), None) => "leave the `;` out".into(),
            (Kind::Symbol(','), None) => "leave the `,` out".into(),
            (Kind::Symbol(','), Some(Kind::Word(word))) if word == "layout" => {
                "the layout follows the sizes: `f32[3,5]{1,0}`".into()
            }
            (Kind::Symbol(','), Some(Kind::Word(word))) if word == "padded" => {
                "leave the `,` out: `padded` follows the layout".into()
            }
            (Kind::Word(word), Some(Kind::Symbol('='))) | (Kind::Symbol(','), Some(Kind::Word(word)))
                if word == "order" =>
            {
                "an order is a layout, `{1,0}` for C and `{0,1}` for Fortran".into()
            }
            (Kind::Symbol(':'), Some(Kind::Open('(' | '['))) => {
                "instead of strides, write the order of the dimensions, the one of stride 1 first: `{1,0}`".into()
            }
            (Kind::Symbol(':' | ';' | ',' | '|'), Some(Kind::Word(word)))
                if is_attribute(word) && !self.is_array(1) =>
            {
                self.attributes_inside(&shape)
            }
            (Kind::Symbol(','), Some(Kind::Word(_))) if self.peek_nth(2) == Some(&Kind::Symbol('=')) => {
                match written(self.rest()).filter(|rest| rest.len() < 80) {
                    Some(rest) => format!("leave `{rest}` out: it is not part of a layout"),
                    None => "leave it out: it is not part of a layout".into(),
                }
            }
            (Kind::Symbol(','), _) => "a type is the layout of one array: leave what follows out, and write another type for another array".into(),
            (Kind::Word(_), Some(Kind::Open('['))) if self.is_array(0) => {
                "a type is the layout of one array: leave what follows out, and write another type for another array".into()
            }
            (Kind::Symbol('@'), _) => "write an array that is split over a mesh with `sharded!`".into(),
            (Kind::Open('['), _) => self.sizes_together(&shape),
            _ => "an array is followed only by its layout, `{1,0}`, and its padding, `padded to [4,8] with zero`".into(),
        };
        self.report(self.span(), format!("expected the end of the shape, found {found}"), help);
    }

    /// An order of the dimensions of `shape` in brackets or parentheses that comes next, `[1,0]`: the message, the number of its
    /// tokens, and what to write.
    fn order_in_brackets(&self, shape: &str) -> Option<(&'static str, usize, String)> {
        let (Some(Kind::Open('[' | '(')), len) = (self.peek(), self.group_len()) else {
            return None;
        };
        let sizes = shape.strip_suffix(']')?.rsplit_once('[')?.1;
        let inner = written(self.rest().get(1..len.checked_sub(1)?)?)?;
        let mut order: Vec<usize> =
            inner.split(',').map(|dim| dim.parse().ok()).collect::<Option<_>>()?;
        order.sort_unstable();
        (order.into_iter().eq(0..sizes.split(',').count()))
            .then(|| ("the order of the dimensions goes in braces", len, format!("{{{inner}}}")))
    }

    /// A layout as keywords that comes next, `order=[1,0], tile=(8,128)`: the message, the number of its tokens, and what to write.
    fn layout_of_keywords(&self, shape: &str) -> Option<(&'static str, usize, String)> {
        let layout = keywords::of_list(self.rest()).filter(|_| shape.ends_with(']'))?;
        Some(("a layout is written without keywords", self.rest().len(), layout))
    }

    /// Padding in other words that comes next, `padded_to [3,5]`: the message, the number of its tokens, and what to write.
    fn padding(&self) -> Option<(&'static str, usize, String)> {
        let rest = self.rest();
        let kind = |at: usize| rest.get(at).map(|token| &token.kind);
        let at = usize::from(kind(0) == Some(&Kind::Symbol(',')));
        match kind(at)? {
            Kind::Word(word)
                if word != "padded" && word.to_ascii_lowercase().starts_with("pad") => {}
            _ => return None,
        }
        let open = rest.iter().position(|token| matches!(token.kind, Kind::Open(_)))?;
        let ahead = Cursor::new(&rest[open..], self.end());
        let len = ahead.group_len();
        let widths = written(rest.get(open + 1..(open + len).checked_sub(1)?)?)?;
        let is_width = |c: char| c.is_ascii_digit() || c == ',';
        let value = match (kind(open + len), kind(open + len + 1)) {
            (Some(Kind::Word(with)), Some(Kind::Number(value))) if with == "with" => {
                Some(if value == "1" { "one" } else { "zero" })
            }
            (Some(Kind::Word(with)), Some(Kind::Word(value))) if with == "with" => {
                Some(value.as_str())
            }
            _ => None,
        };
        let len = open + len + if value.is_some() { 2 } else { 0 };
        let with = value.map(|value| format!(" with {value}")).unwrap_or_default();
        (widths.chars().all(is_width) && len == rest.len())
            .then(|| ("padding is written `padded to`", len, format!("padded to [{widths}]{with}")))
    }

    /// Whether the word `nth` is the element type of an array.
    fn is_array(&self, nth: usize) -> bool {
        self.peek_nth(nth + 1) == Some(&Kind::Open('['))
    }

    /// The help for sizes in further brackets, which come next: all sizes in one pair.
    fn sizes_together(&self, shape: &str) -> String {
        let further = written(self.rest()).unwrap_or_default();
        // `float[3][5]`
        let (name, sizes) = shape.split_at(shape.find('[').unwrap_or_default());
        let shape = element_type(name).unwrap_or(name).to_string() + sizes;
        let end = further.rfind(']').map_or(0, |end| end + 1);
        let (sizes, layout) = further.split_at(end);
        let together = format!("{shape}{sizes}").replace("][", ",") + layout;
        match together.len() < 120 && sizes.starts_with('[') && shape.ends_with(']') {
            true => format!("all sizes go in one pair of brackets: `{together}`"),
            false => "all sizes go in one pair of brackets: `f32[3,5]`".into(),
        }
    }

    /// The help for attributes that follow `shape` and come next: the shape with these attributes in its braces.
    fn attributes_inside(&self, shape: &str) -> String {
        let mut ahead = Cursor::new(self.rest(), self.end());
        if matches!(ahead.peek(), Some(Kind::Symbol(_))) {
            ahead.next();
        }
        let first = ahead.taken();
        ahead.skip_to(|ahead| ahead.at_separator() || !matches!(ahead.peek(), Some(Kind::Word(_))));
        while matches!(ahead.peek(), Some(Kind::Word(_) | Kind::Open('('))) {
            ahead.skip_group();
        }
        let attributes = written(ahead.from(first)).unwrap_or_default();
        let inside = with_attributes(shape, &attributes).filter(|shape| shape.len() < 120);
        let shape = inside.unwrap_or_else(|| "{1,0:T(8,128)}".into());
        format!("attributes go in the braces of the layout: `{shape}`")
    }
}
