//! Reads modules and functions.

use super::Failure;
use super::scan::{Scanner, Token};
use super::tree::{Border, Function, Module, Number, Region, Syntax, Type, ValueType};
use crate::sharding::tensor::Symbol;
use crate::sharding::{Mesh, TensorSharding};
use crate::syntax::string;
use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

/// The largest depth to which regions can be nested.
const MAX_DEPTH: usize = 64;

pub(super) struct Reader<'t> {
    pub(super) scan: Scanner<'t>,
    pub(super) module: Module<'t>,
    /// The values by name: the number of the first result, and the number of results.
    names: BTreeMap<&'t str, Results>,
    /// For each open region, the earlier meanings of the names that it defines.
    scopes: Vec<Vec<(&'t str, Option<Results>)>>,
    /// Whether the module is in the generic form.
    pub(super) is_generic: bool,
}

/// The number of the first result of an operation, and the number of its results.
type Results = (Number, usize);

/// Reads a module.
pub(super) fn read(text: &str) -> Result<Module<'_>, Failure> {
    let module = Module {
        head: Cow::Borrowed(""),
        has_braces: false,
        aliases: Vec::new(),
        others: Vec::new(),
        resources: Vec::new(),
        meshes: Vec::new(),
        functions: Vec::new(),
        syntax: Vec::new(),
        values: Vec::new(),
    };
    let (names, scopes) = (BTreeMap::new(), Vec::new());
    let mut reader = Reader { scan: Scanner::new(text)?, module, names, scopes, is_generic: false };
    reader.module()?;
    known_callees(&reader.module)?;
    Ok(reader.module)
}

/// Checks that the functions that are called exist.
fn known_callees(module: &Module<'_>) -> Result<(), Failure> {
    let names: BTreeSet<&str> = module.functions.iter().map(|function| &*function.name).collect();
    for Syntax { name, callee, at, .. } in &module.syntax {
        if is_call(name) && !names.contains(&**callee) {
            let failure = Failure::new(*at, format!("unknown function: {}", Symbol(callee)));
            let names: Vec<_> = names.into_iter().collect();
            let near = crate::syntax::nearest(callee, &names);
            let help = near.map(|near| format!("did you mean {}?", Symbol(near)));
            return Err(failure.help(help.unwrap_or_default()).of(name, *at));
        }
    }
    Ok(())
}

/// Whether operations of this name call a function.
pub(super) fn is_call(name: &str) -> bool {
    matches!(name, "call" | "func.call")
}

/// A name without the quotes that it may have, and without escapes.
pub(super) fn unquoted(name: &str) -> Cow<'_, str> {
    let Some(inner) = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) else {
        return name.into();
    };
    match string(name) {
        Some((value, end)) if end == name.len() && inner.contains('\\') => value.into(),
        _ => inner.into(),
    }
}

impl<'t> Reader<'t> {
    fn module(&mut self) -> Result<(), Failure> {
        // `#loc = loc("f.py":1:2)` and similar definitions can occur anywhere outside of functions.
        let start = loop {
            match self.scan.token {
                Token::Mark(b'#') => self.alias()?,
                Token::Word("module" | "builtin.module") => break Some(self.scan.start),
                Token::Text("builtin.module") => {
                    self.generic_module()?;
                    break None;
                }
                _ => break None,
            }
        };
        if let Some(start) = start {
            self.scan.next()?;
            while !self.is_body() {
                match self.scan.token {
                    Token::Mark(b'{' | b'[' | b'(') => {
                        self.scan.balanced()?;
                    }
                    Token::End => return Err(self.scan.unexpected("`{`")),
                    _ => {
                        self.scan.next()?;
                    }
                }
            }
            self.module.head = self.scan.since(start).trim_end().into();
            self.module.has_braces = true;
            self.scan.next()?;
        }
        loop {
            match self.scan.token {
                Token::Word("func.func" | "func") => self.function()?,
                Token::Word("sdy.mesh") => self.mesh()?,
                Token::Text("func.func") => self.generic_function()?,
                Token::Text("sdy.mesh") => self.generic_mesh()?,
                Token::Mark(b'#') => self.alias()?,
                Token::Mark(b'}') if self.module.has_braces => {
                    self.scan.next()?;
                    match self.is_generic {
                        true => self.generic_end()?,
                        false => self.location()?,
                    }
                    break;
                }
                Token::End if !self.module.has_braces => break,
                Token::Word(_) => self.other()?,
                Token::Mark(b'{') if !self.module.has_braces && self.is_resources() => break,
                _ => return Err(self.scan.unexpected("`func.func`")),
            }
        }
        loop {
            match self.scan.token {
                Token::Mark(b'#') => self.alias()?,
                Token::Mark(b'{') if self.is_resources() => {
                    let text = self.scan.balanced()?;
                    self.module.resources.push(text);
                }
                Token::End => return Ok(()),
                _ => return Err(self.scan.unexpected("the end of the module")),
            }
        }
    }

    /// Whether the next token opens the body of the module, instead of the attributes before it.
    fn is_body(&self) -> bool {
        self.scan.is_mark(b'{') && !self.scan.text[..self.scan.last_end].ends_with("attributes")
    }

    /// Whether `{-# .. #-}` comes next.
    fn is_resources(&self) -> bool {
        self.scan.text[self.scan.start..].starts_with("{-#")
    }

    /// `#loc1 = loc(..)`, `#map = affine_map<..>`. Locations are not printed.
    fn alias(&mut self) -> Result<(), Failure> {
        let start = self.scan.start;
        self.line()?;
        let text = self.scan.since(start);
        let value = text.split_once('=').map_or("", |(_, value)| value.trim_start());
        if !value.starts_with("loc(") {
            self.module.aliases.push(text);
        }
        Ok(())
    }

    /// Reads the rest of a line, and the further lines of its brackets.
    fn line(&mut self) -> Result<(), Failure> {
        self.scan.next()?;
        while !self.scan.is_first && self.scan.token != Token::End {
            match self.scan.token {
                Token::Mark(b'(' | b'[' | b'{') => drop(self.scan.balanced()?),
                Token::Mark(b'<') => drop(self.scan.angles()?),
                _ => drop(self.scan.next()?),
            }
        }
        Ok(())
    }

    /// An operation of the module that has no meaning here.
    fn other(&mut self) -> Result<(), Failure> {
        let start = self.scan.start;
        self.line()?;
        let text = self.scan.since(start);
        self.module.others.push(text);
        Ok(())
    }

    /// Reads `loc(..)`, if it comes next.
    pub(super) fn location(&mut self) -> Result<(), Failure> {
        if self.scan.token == Token::Word("loc") {
            self.scan.next()?;
            self.scan.balanced()?;
        }
        Ok(())
    }

    /// `sdy.mesh @mesh = <["data"=2]> {..}`
    fn mesh(&mut self) -> Result<(), Failure> {
        let start = self.scan.start;
        self.scan.next()?;
        let Token::Symbol(name) = self.scan.token else {
            return Err(self.scan.unexpected("the name of a mesh"));
        };
        self.scan.next()?;
        self.scan.expect(b'=')?;
        let at = self.scan.start;
        if !self.scan.is_mark(b'<') {
            return Err(self.scan.unexpected("`<`"));
        }
        let mesh: Mesh = parsed(self.scan.angles()?, at, "sdy.mesh")?;
        if self.scan.is_mark(b'{') {
            self.scan.balanced()?;
        }
        let text = self.scan.since(start);
        self.location()?;
        self.module.meshes.push((unquoted(name).into_owned(), mesh, text.into()));
        Ok(())
    }

    /// `func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> { .. }`
    fn function(&mut self) -> Result<(), Failure> {
        let at = self.scan.start;
        self.scan.next()?;
        let mut is_private = false;
        while let Token::Word(word) = self.scan.token {
            is_private |= word == "private";
            self.scan.next()?;
        }
        let head = self.scan.since(at);
        let Token::Symbol(name) = self.scan.token else {
            return Err(self.scan.unexpected("the name of a function"));
        };
        self.scan.next()?;
        self.scan.expect(b'(')?;
        self.open();
        let (mut arguments, mut numbers) = (Vec::new(), Vec::new());
        while !self.scan.take(b')')? {
            if let Token::Value(name) = self.scan.token {
                let start = self.scan.start;
                self.scan.next()?;
                self.scan.expect(b':')?;
                let border = self.border()?;
                numbers.extend(self.define(name, core::slice::from_ref(&border.ty), start)?);
                arguments.push(border);
            } else {
                arguments.push(self.border()?);
            }
            if !self.scan.is_mark(b')') {
                self.scan.expect(b',')?;
            }
        }
        let mut results = Vec::new();
        if self.scan.token == Token::Arrow {
            self.scan.next()?;
            if self.scan.take(b'(')? {
                while !self.scan.take(b')')? {
                    results.push(self.border()?);
                    if !self.scan.is_mark(b')') {
                        self.scan.expect(b',')?;
                    }
                }
            } else {
                // Attributes can only be in parentheses.
                results.push(Border { ty: self.scan.ty()?, attributes: "", sharding: None });
            }
        }
        let start = self.scan.start;
        if self.scan.token == Token::Word("attributes") {
            self.scan.next()?;
            self.scan.balanced()?;
        }
        let attributes = self.scan.since(start).into();
        let mut body = None;
        if self.scan.is_mark(b'{') {
            let region = Region { arguments: numbers, ..Region::default() };
            body = Some(self.region(region)?);
        }
        self.close();
        self.location()?;
        self.module.functions.push(Function {
            name: unquoted(name),
            head,
            at,
            is_private,
            arguments,
            results,
            attributes,
            body,
        });
        Ok(())
    }

    /// A type, its attributes and its location.
    fn border(&mut self) -> Result<Border<'t>, Failure> {
        let ty = self.scan.ty()?;
        let at = self.scan.start;
        let (mut attributes, mut sharding) = ("", None);
        if self.scan.is_mark(b'{') {
            attributes = inside(self.scan.balanced()?);
            sharding = sharding_of(attributes, at, "func.func")?.into_iter().next();
        }
        self.location()?;
        Ok(Border { ty, attributes, sharding })
    }

    /// Begins a scope of names.
    pub(super) fn open(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Ends the innermost scope.
    pub(super) fn close(&mut self) {
        for (name, before) in self.scopes.pop().unwrap_or_default().into_iter().rev() {
            match before {
                Some(before) => drop(self.names.insert(name, before)),
                None => drop(self.names.remove(name)),
            }
        }
    }

    /// The operations up to the closing brace; the next token opens it.
    pub(super) fn region(&mut self, mut region: Region) -> Result<Region, Failure> {
        let open = self.scan.start;
        if self.scopes.len() > MAX_DEPTH {
            return Err(Failure::new(open, format!("regions are nested deeper than {MAX_DEPTH}")));
        }
        self.scan.next()?;
        if let Token::Block(_) = self.scan.token {
            self.scan.next()?;
            region.has_header = true;
            if self.scan.take(b'(')? {
                while !self.scan.take(b')')? {
                    let start = self.scan.start;
                    let Token::Value(name) = self.scan.next()? else {
                        return Err(Failure::new(start, "expected an argument of the block"));
                    };
                    self.scan.expect(b':')?;
                    let ty = self.scan.ty()?;
                    self.location()?;
                    region.arguments.extend(self.define(name, &[ty], start)?);
                    if !self.scan.is_mark(b')') {
                        self.scan.expect(b',')?;
                    }
                }
            }
            self.scan.expect(b':')?;
        }
        while !self.scan.is_mark(b'}') {
            if let Token::Block(_) = self.scan.token {
                let message = "a region of several blocks has no sharding";
                return Err(Failure::new(self.scan.start, message));
            }
            if self.scan.token == Token::End {
                return Err(Failure::new(open, "a body that is not closed"));
            }
            let operation = self.operation()?;
            region.operations.push(operation);
        }
        self.scan.next()?;
        Ok(region)
    }

    /// Defines values with one name. Returns their numbers.
    pub(super) fn define(
        &mut self,
        name: &'t str,
        types: &[Type<'t>],
        at: usize,
    ) -> Result<core::ops::Range<Number>, Failure> {
        let first = self.module.values.len();
        self.module.values.extend(types.iter().map(|ty| ValueType { name, ty: ty.clone() }));
        let before = self.names.insert(name, (first, types.len()));
        match self.scopes.last_mut() {
            Some(scope) => {
                if before.is_some() && scope.iter().rev().take(64).any(|(other, _)| *other == name)
                {
                    return Err(Failure::new(at, format!("`%{name}` is defined twice")));
                }
                scope.push((name, before));
            }
            None => return Err(Failure::new(at, "a value outside of a function")),
        }
        Ok(first..first + types.len())
    }

    /// The value with a name: `31#1` is the second of the results that are called `31`.
    pub(super) fn value(&self, name: &str, at: usize) -> Result<Number, Failure> {
        let (base, index) = match name.split_once('#') {
            None => (name, 0),
            Some((base, index)) => match index.parse() {
                Ok(index) => (base, index),
                Err(_) => return Err(Failure::new(at, format!("`%{name}` is not a value"))),
            },
        };
        match self.names.get(base) {
            Some((first, count)) if index < *count => Ok(first + index),
            Some((_, count)) => {
                Err(Failure::new(at, format!("`%{base}` has {count} results, not {}", index + 1)))
            }
            None => Err(Failure::new(at, format!("`%{name}` is not defined before"))),
        }
    }
}

/// The text between the brackets of a text.
pub(super) fn inside(text: &str) -> &str {
    text.get(1..text.len().saturating_sub(1)).unwrap_or("").trim()
}

/// Reads a text with the grammar of its type.
pub(super) fn parsed<T: core::str::FromStr<Err = crate::syntax::ParseError>>(
    text: &str,
    at: usize,
    operation: &str,
) -> Result<T, Failure> {
    text.parse().map_err(|error: T::Err| {
        let mistake = error.mistakes().first();
        let (message, help) = mistake.map_or_else(Default::default, |mistake| {
            (mistake.message.clone(), mistake.help.clone())
        });
        Failure { at, message: format!("in `{operation}`: {message}"), help }
    })
}

/// The value of the entry `key` in attributes without their braces, up to the comma that ends it.
pub(super) fn entry<'t>(attributes: &'t str, key: &str) -> Option<&'t str> {
    entries(attributes).find_map(|entry| {
        let (name, value) = entry.split_once('=')?;
        (name.trim() == key).then(|| value.trim())
    })
}

/// The entries of attributes without their braces.
pub(super) fn entries(attributes: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(attributes);
    core::iter::from_fn(move || {
        let text = rest.filter(|text| !text.trim().is_empty())?;
        let (mut depth, mut quoted, mut escaped, mut last) = (0_usize, false, false, ' ');
        let end = text.find(|c| {
            let was = (last, escaped);
            (last, escaped) = (c, quoted && c == '\\' && !was.1);
            match c {
                '"' if !was.1 => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' | '{' | '<' => depth += 1,
                '>' if was.0 == '-' => {}
                ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
                ',' => return depth == 0,
                _ => {}
            }
            false
        });
        rest = end.map(|end| &text[end + 1..]);
        Some(text[..end.unwrap_or(text.len())].trim())
    })
}

/// The shardings in attributes without braces: one for an argument, or one for each result.
pub(super) fn sharding_of(
    attributes: &str,
    at: usize,
    operation: &str,
) -> Result<Vec<TensorSharding>, Failure> {
    let Some(value) = entry(attributes, "sdy.sharding") else { return Ok(Vec::new()) };
    match value.strip_prefix("#sdy.sharding_per_value<") {
        Some(list) => shardings(list.strip_suffix('>').unwrap_or(list), at, operation),
        None => Ok(alloc::vec![parsed(value, at, operation)?]),
    }
}

/// The shardings of a list in brackets.
pub(super) fn shardings(
    list: &str,
    at: usize,
    operation: &str,
) -> Result<Vec<TensorSharding>, Failure> {
    entries(inside(list)).map(|text| parsed(text, at, operation)).collect()
}
