//! Reads operations of any dialect, in the form of their dialect and in the generic form.
//!
//! An operation is split into the parts of its text: values, brackets, regions, and the type after the last colon. Its meaning is
//! determined later, and only for a few operations. It ends at the line on which another operation begins.

use super::read::{Reader, inside, is_call, parsed, sharding_of, shardings, unquoted};
use super::scan::Token;
use super::tree::{Number, Operation, Piece, Region, Syntax, Type};
use super::{Failure, rules};
use alloc::format;
use alloc::vec::Vec;

/// An operation that is being read.
pub(super) struct Draft<'t> {
    pub(super) syntax: Syntax<'t>,
    operands: Vec<Number>,
    regions: Vec<Region>,
    /// The start of the text that is not in a piece yet.
    pub(super) from: usize,
    /// The number of open brackets.
    depth: usize,
    /// The types after the last colon, and whether there is an arrow before them.
    types: Vec<Type<'t>>,
    is_arrow: bool,
    /// The piece with the attributes, if they have a position.
    attributes: Option<usize>,
    /// The arguments of the regions that follow: names, types, and positions.
    arguments: Vec<(&'t str, Option<Type<'t>>, usize)>,
}

impl<'t> Reader<'t> {
    pub(super) fn operation(&mut self) -> Result<Operation, Failure> {
        let mut names = Vec::new();
        while let Token::Value(name) = self.scan.token {
            let start = self.scan.start;
            self.scan.next()?;
            let mut count = 1;
            if self.scan.take(b':')? {
                let Token::Number(number) = self.scan.token else {
                    return Err(self.scan.unexpected("the number of results"));
                };
                let results = number.parse().ok().filter(|count| *count < 1 << 20);
                count = results.ok_or_else(|| self.scan.unexpected("the number of results"))?;
                self.scan.next()?;
            }
            names.push((name, count, start));
            if !self.scan.take(b',')? {
                self.scan.expect(b'=')?;
                break;
            }
        }
        let at = self.scan.start;
        let name = match self.scan.token {
            Token::Word(name) | Token::Text(name) => name,
            _ => return Err(self.scan.unexpected("an operation")),
        };
        self.scan.next()?;
        let syntax = Syntax {
            name,
            at,
            pieces: Vec::new(),
            results: names.iter().map(|(name, count, _)| (*name, *count)).collect(),
            callee: "".into(),
            shardings: Vec::new(),
            constraint: None,
            operand_border: Vec::new(),
            result_border: Vec::new(),
        };
        let mut draft = Draft {
            syntax,
            operands: Vec::new(),
            regions: Vec::new(),
            from: at,
            depth: 0,
            types: Vec::new(),
            is_arrow: false,
            attributes: None,
            arguments: Vec::new(),
        };
        let has_attributes_first = matches!(
            name,
            "stablehlo.optimization_barrier" | "stablehlo.constant" | "sdy.constant"
        );
        if has_attributes_first && self.scan.text[at..].starts_with(name) {
            draft.syntax.pieces.extend([Piece::Text(name), Piece::Attributes("", false)]);
            draft.attributes = Some(1);
            draft.from = self.scan.last_end;
        }
        while !self.ends(&draft) {
            self.part(&mut draft).map_err(|failure| failure.of(name, at))?;
        }
        let rest = self.scan.since(draft.from);
        self.location()?;
        draft.syntax.pieces.push(Piece::Text(rest.trim_end()));
        let results = self.results(&draft, &names).map_err(|failure| failure.of(name, at))?;
        if name == "stablehlo.reduce" && !self.scan.text[at..].starts_with('"') {
            let operands = draft.operands.clone();
            draft.operands = uninterleaved(&operands);
            for piece in &mut draft.syntax.pieces {
                if let Piece::Operand(at) = piece {
                    *at = uninterleaved_position(*at, operands.len());
                }
            }
        }
        self.module.syntax.push(draft.syntax);
        Ok(Operation {
            syntax: self.module.syntax.len() - 1,
            operands: draft.operands,
            results,
            regions: draft.regions,
        })
    }

    /// Whether the operation ends before the next token.
    fn ends(&self, draft: &Draft<'t>) -> bool {
        match self.scan.token {
            Token::End => true,
            _ if draft.depth > 0 => false,
            Token::Mark(b'}') | Token::Word("loc") => true,
            Token::Value(_) | Token::Text(_) | Token::Block(_) => self.scan.is_first,
            Token::Word(word) => {
                self.scan.is_first
                    && !matches!(
                        word,
                        "cond"
                            | "do"
                            | "reducer"
                            | "else"
                            | "attributes"
                            | "in_shardings"
                            | "out_shardings"
                            | "manual_axes"
                    )
            }
            _ => false,
        }
    }

    /// Moves the text up to the next token into a piece.
    fn cut(&self, draft: &mut Draft<'t>, piece: Piece<'t>) {
        let text = &self.scan.text[draft.from..self.scan.start];
        draft.syntax.pieces.push(Piece::Text(text));
        draft.syntax.pieces.push(piece);
    }

    /// [`Self::cut`], without the space before the next token.
    fn cut_trimmed(&self, draft: &mut Draft<'t>, piece: Piece<'t>) {
        let text = &self.scan.text[draft.from..self.scan.start];
        draft.syntax.pieces.push(Piece::Text(text.trim_end()));
        draft.syntax.pieces.push(piece);
    }

    /// Whether an equals sign precedes the next token.
    fn is_assigned(&self) -> bool {
        self.scan.text[..self.scan.last_end].ends_with('=')
    }

    /// Reads the next part of an operation.
    fn part(&mut self, draft: &mut Draft<'t>) -> Result<(), Failure> {
        let start = self.scan.start;
        match self.scan.token {
            Token::Value(name) => self.use_or_argument(draft, name, start)?,
            Token::Mark(b'{') if !self.is_assigned() && self.is_region() => self.inner(draft)?,
            Token::Mark(b'{') if !self.is_assigned() && draft.depth == 0 => self.written(draft)?,
            Token::Mark(b'{' | b'[') => drop(self.scan.balanced()?),
            Token::Mark(b'(') => {
                draft.depth += 1;
                self.scan.next()?;
            }
            Token::Mark(b')') => {
                let depth = draft.depth.checked_sub(1);
                draft.depth =
                    depth.ok_or_else(|| self.scan.unexpected("the end of the operation"))?;
                self.scan.next()?;
            }
            Token::Mark(b'<') => self.angle(draft, start)?,
            Token::Mark(b':') if draft.depth == 0 => self.signature(draft)?,
            Token::Symbol(name) if is_call(draft.syntax.name) => {
                self.cut(draft, Piece::Callee);
                draft.syntax.callee = unquoted(name);
                self.scan.next()?;
                draft.from = self.scan.last_end;
            }
            Token::Word("in_shardings" | "out_shardings") if draft.depth == 0 => {
                self.border_list(draft)?
            }
            Token::Word("attributes") if draft.depth == 0 => {
                self.cut_trimmed(draft, Piece::Text(""));
                self.scan.next()?;
                let text = self.scan.balanced()?;
                self.attributes(draft, text, true, start)?;
            }
            Token::Word("cond") if draft.syntax.name == "stablehlo.while" && draft.depth == 0 => {
                if draft.attributes.is_none() {
                    let text = &self.scan.text[draft.from..self.scan.last_end];
                    draft.syntax.pieces.push(Piece::Text(text));
                    draft.syntax.pieces.push(Piece::Attributes("", true));
                    draft.attributes = Some(draft.syntax.pieces.len() - 1);
                    draft.from = self.scan.last_end;
                }
                self.scan.next()?;
            }
            Token::Mark(byte) if !byte.is_ascii() => return Err(self.scan.unexpected("MLIR")),
            _ => drop(self.scan.next()?),
        }
        Ok(())
    }

    /// `%a`, or the name of an argument: `%a: tensor<f32>`, `%a = %b` between parentheses.
    fn use_or_argument(
        &mut self,
        draft: &mut Draft<'t>,
        name: &'t str,
        start: usize,
    ) -> Result<(), Failure> {
        let mut ahead = self.scan.clone();
        ahead.next()?;
        let is_typed = draft.depth > 0 && ahead.is_mark(b':');
        let is_argument = is_typed || (draft.depth > 0 && ahead.is_mark(b'='));
        if !is_argument {
            self.cut(draft, Piece::Operand(draft.operands.len()));
            draft.operands.push(self.value(name, start)?);
            self.scan.next()?;
            draft.from = self.scan.last_end;
            return Ok(());
        }
        self.cut(draft, Piece::Argument(draft.arguments.len()));
        self.scan.next()?;
        draft.from = self.scan.last_end;
        self.scan.next()?;
        let ty = if is_typed { Some(self.scan.ty()?) } else { None };
        draft.arguments.push((name, ty, start));
        Ok(())
    }

    /// Whether the brace that comes next opens a region instead of attributes.
    fn is_region(&self) -> bool {
        let mut ahead = self.scan.clone();
        let mut next = || ahead.next().map(|_| ahead.token).unwrap_or(Token::End);
        match next() {
            Token::Value(_) | Token::Block(_) => true,
            Token::Text(_) => next() == Token::Mark(b'('),
            Token::Word(word) if word == "return" || word.ends_with(".return") => true,
            Token::Word(_) => !matches!(next(), Token::Mark(b'=' | b',' | b'}' | b':')),
            _ => false,
        }
    }

    /// A region, whose brace comes next.
    fn inner(&mut self, draft: &mut Draft<'t>) -> Result<(), Failure> {
        let brace = self.scan.start;
        let text = &self.scan.text[draft.from..=brace];
        draft.syntax.pieces.push(Piece::Text(text));
        draft.syntax.pieces.push(Piece::Region(draft.regions.len()));
        self.open();
        let mut region = Region::default();
        for (at, (name, ty, start)) in draft.arguments.iter().enumerate() {
            let ty = ty.as_ref().or_else(|| draft.types.get(at));
            let ty = ty.ok_or_else(|| Failure::new(*start, format!("`%{name}` has no type")))?;
            region.arguments.extend(self.define(name, core::slice::from_ref(ty), *start)?);
        }
        let mut region = self.region(region)?;
        self.close();
        if draft.syntax.name == "stablehlo.reduce" && !draft.arguments.is_empty() {
            // In `reducer(%a: .., %b: ..) (%c: .., %d: ..)`, the arguments of the block are `%a, %c, %b, %d`.
            region.arguments = uninterleaved(&region.arguments);
            let count = region.arguments.len();
            for piece in &mut draft.syntax.pieces {
                if let Piece::Argument(at) = piece {
                    *at = uninterleaved_position(*at, count);
                }
            }
        }
        draft.regions.push(region);
        draft.from = self.scan.last_end - 1;
        Ok(())
    }

    /// Attributes in braces.
    fn written(&mut self, draft: &mut Draft<'t>) -> Result<(), Failure> {
        let start = self.scan.start;
        self.cut_trimmed(draft, Piece::Text(""));
        let text = self.scan.balanced()?;
        self.attributes(draft, text, false, start)
    }

    fn attributes(
        &mut self,
        draft: &mut Draft<'t>,
        text: &'t str,
        keyword: bool,
        at: usize,
    ) -> Result<(), Failure> {
        if let Some(before) = draft.attributes {
            draft.syntax.pieces[before] = Piece::Text("");
        }
        let text = inside(text);
        draft.syntax.shardings = sharding_of(text, at, draft.syntax.name)?;
        draft.syntax.pieces.push(Piece::Attributes(text, keyword));
        draft.attributes = Some(draft.syntax.pieces.len() - 1);
        draft.from = self.scan.last_end;
        Ok(())
    }

    /// `<{..}>`, `<@mesh, [{"a"}]>`, `<"name">`
    fn angle(&mut self, draft: &mut Draft<'t>, start: usize) -> Result<(), Failure> {
        let (from, before) = (draft.from, self.scan.start);
        let text = self.scan.angles()?;
        if text.starts_with("<{") {
            return self.own_properties(draft, text, start);
        }
        match draft.syntax.name {
            name if name == "sdy.sharding_constraint" || rules::is_resharding(name) => {
                draft.syntax.constraint = Some(parsed(text, start, draft.syntax.name)?);
                draft.syntax.pieces.push(Piece::Text(&self.scan.text[from..before]));
                draft.syntax.pieces.push(Piece::Constraint);
                draft.from = self.scan.last_end;
            }
            // `sharding=<..>`, which is printed if the edge has a sharding.
            "sdy.data_flow_edge" => {
                draft.syntax.constraint = Some(parsed(text, start, draft.syntax.name)?);
                let text = self.scan.text[from..before].trim_end_matches("sharding=");
                draft.syntax.pieces.push(Piece::Text(text.trim_end()));
                draft.from = self.scan.last_end;
            }
            "sdy.named_computation" if draft.syntax.callee.is_empty() => {
                draft.syntax.callee = unquoted(inside(text));
            }
            _ => {}
        }
        Ok(())
    }

    /// `in_shardings=[<@mesh, [{"a"}]>]`
    fn border_list(&mut self, draft: &mut Draft<'t>) -> Result<(), Failure> {
        let start = self.scan.start;
        let operands = self.scan.token == Token::Word("in_shardings");
        self.scan.next()?;
        self.scan.expect(b'=')?;
        self.cut(draft, Piece::Border { operands });
        let list = shardings(self.scan.balanced()?, start, draft.syntax.name)?;
        draft.from = self.scan.last_end;
        match operands {
            true => draft.syntax.operand_border = list,
            false => draft.syntax.result_border = list,
        }
        Ok(())
    }

    /// `: tensor<8xf32>`, `: (tensor<8xf32>) -> tensor<8xf32>`
    fn signature(&mut self, draft: &mut Draft<'t>) -> Result<(), Failure> {
        if draft.attributes.is_none() && draft.syntax.name != "stablehlo.while" {
            self.cut_trimmed(draft, Piece::Attributes("", false));
            draft.attributes = Some(draft.syntax.pieces.len() - 1);
            draft.from = self.scan.last_end;
        } else if draft.attributes.is_none() && !draft.regions.is_empty() {
            // The generic form of a loop.
            self.cut_trimmed(draft, Piece::Attributes("", false));
            draft.attributes = Some(draft.syntax.pieces.len() - 1);
            draft.from = self.scan.last_end;
        }
        if draft.syntax.name.ends_with(".constant") && draft.attributes == Some(1) {
            // The text in between is only the constant.
            self.cut_trimmed(draft, Piece::Text(""));
            draft.from = self.scan.last_end;
        }
        self.scan.next()?;
        draft.types = self.scan.types()?;
        while self.scan.take(b',')? {
            draft.types.push(self.scan.ty()?);
        }
        draft.is_arrow = self.scan.token == Token::Arrow;
        if draft.is_arrow {
            self.scan.next()?;
            draft.types = self.scan.types()?;
        }
        Ok(())
    }

    /// Defines the results.
    fn results(
        &mut self,
        draft: &Draft<'t>,
        names: &[(&'t str, usize, usize)],
    ) -> Result<Vec<Number>, Failure> {
        let count: usize = names.iter().map(|(_, count, _)| count).sum();
        let types = match draft.types.len() {
            found if found == count => &draft.types[..],
            // `select` and similar operations list the types of some operands, followed by the type of the result.
            found if count == 1 && found > 1 && !draft.is_arrow => &draft.types[found - 1..],
            found => {
                let message = format!("{count} names for {found} results");
                let at = names.first().map_or(draft.syntax.at, |(_, _, at)| *at);
                return if count == 0 { Ok(Vec::new()) } else { Err(Failure::new(at, message)) };
            }
        };
        let (mut numbers, mut rest) = (Vec::new(), types);
        for (name, count, start) in names {
            let (own, others) = rest.split_at(*count);
            numbers.extend(self.define(name, own, *start)?);
            rest = others;
        }
        Ok(numbers)
    }
}

/// The new index of item `at` of `count` if pairs are separated: 0, 2, 1, 3 for four items.
const fn uninterleaved_position(at: usize, count: usize) -> usize {
    if count.is_multiple_of(2) { at / 2 + at % 2 * (count / 2) } else { at }
}

/// The first elements of all pairs, followed by the second elements: `(%a init: %b), (%c init: %d)` has the operands
/// `%a, %c, %b, %d`.
fn uninterleaved(values: &[Number]) -> Vec<Number> {
    let mut apart = values.to_vec();
    for (at, value) in values.iter().enumerate() {
        apart[uninterleaved_position(at, values.len())] = *value;
    }
    apart
}
