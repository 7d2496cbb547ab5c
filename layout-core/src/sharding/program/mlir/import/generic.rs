//! Reads modules, functions and the special parts of some operations in the generic form: `"builtin.module"() ({ .. }) : () ->
//! ()`.

use super::operation::Draft;
use super::read::{
    Reader, entries, entry, inside, is_call, parsed, sharding_of, shardings, unquoted,
};
use super::scan::{Scanner, Token};
use super::tree::{Border, Function, Piece, Region, Type};
use super::{Failure, rules};
use crate::sharding::tensor::Symbol;
use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

impl<'t> Reader<'t> {
    /// Reads the properties of an operation, `<{callee = @relu}>`, which begin at byte `at`. Used for operations that are printed
    /// in another form.
    pub(super) fn own_properties(
        &self,
        draft: &mut Draft<'t>,
        text: &'t str,
        at: usize,
    ) -> Result<(), Failure> {
        let properties = inside(inside(text));
        let find = |key| entry(properties, key);
        let name = draft.syntax.name;
        // The text that begins with `value`, up to byte `len` of it, becomes a piece.
        let mut cut = |value: &'t str, len: usize, piece: Piece<'t>| {
            let start = value.as_ptr() as usize - self.scan.text.as_ptr() as usize;
            draft.syntax.pieces.push(Piece::Text(&self.scan.text[draft.from..start]));
            draft.syntax.pieces.push(piece);
            draft.from = start + len;
        };
        match name {
            name if is_call(name) => {
                let Some(callee) = find("callee").filter(|callee| callee.starts_with('@')) else {
                    return Err(Failure::new(at, "expected `callee`"));
                };
                cut(callee, callee.len(), Piece::Callee);
                draft.syntax.callee = unquoted(&callee[1..]);
            }
            name if name == "sdy.sharding_constraint" || rules::is_resharding(name) => {
                let [key, missing] = match rules::is_collective(name) {
                    true => ["out_sharding", "expected `out_sharding`"],
                    false => ["sharding", "expected `sharding`"],
                };
                let Some(sharding) = find(key) else { return Err(Failure::new(at, missing)) };
                let own = sharding.strip_prefix("#sdy.sharding").unwrap_or(sharding);
                cut(own, own.len(), Piece::Constraint);
                draft.syntax.constraint = Some(parsed(own, at, name)?);
            }
            "sdy.manual_computation" | "sdy.named_computation" => {
                for (key, operands) in [("in_shardings", true), ("out_shardings", false)] {
                    let list = find(key).and_then(|list| {
                        list.strip_prefix("#sdy.sharding_per_value<")?.strip_suffix('>')
                    });
                    let Some(list) = list else { continue };
                    cut(list, list.len(), Piece::Border { operands });
                    let list = shardings(list, at, name)?;
                    match operands {
                        true => draft.syntax.operand_border = list,
                        false => draft.syntax.result_border = list,
                    }
                }
                if let Some(callee) = find("name") {
                    draft.syntax.callee = unquoted(callee);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// `"builtin.module"() <{sym_name = "jit_f"}> ({`, up to the operations.
    pub(super) fn generic_module(&mut self) -> Result<(), Failure> {
        let properties = self.properties()?;
        self.scan.expect(b'(')?;
        if !self.scan.take(b'{')? {
            return Err(self.scan.unexpected("`{`"));
        }
        let name = entry(properties, "sym_name").map(unquoted);
        let name = name.map_or_else(Default::default, |name| format!(" {}", Symbol(&name)));
        self.module.head = format!("module{name}").into();
        self.module.has_braces = true;
        self.is_generic = true;
        Ok(())
    }

    /// `) {mhlo.num_partitions = 8 : i32} : () -> ()`
    pub(super) fn generic_end(&mut self) -> Result<(), Failure> {
        self.scan.expect(b')')?;
        let attributes = self.generic_type()?;
        if !attributes.is_empty() {
            self.module.head = format!("{} {attributes}", self.module.head).into();
        }
        Ok(())
    }

    /// `() <{..}>` or, in older versions without properties, `() {..}`: the text between the braces.
    fn properties(&mut self) -> Result<&'t str, Failure> {
        self.scan.next()?;
        self.scan.expect(b'(')?;
        self.scan.expect(b')')?;
        match self.scan.token {
            Token::Mark(b'<') => Ok(inside(inside(self.scan.angles()?))),
            Token::Mark(b'{') => Ok(inside(self.scan.balanced()?)),
            _ => Ok(""),
        }
    }

    /// `{..} : () -> ()` after an operation. Returns its attributes in the form of their dialect.
    fn generic_type(&mut self) -> Result<Cow<'t, str>, Failure> {
        let mut attributes = Cow::Borrowed("");
        if self.scan.is_mark(b'{') {
            attributes = format!("attributes {}", self.scan.balanced()?).into();
        }
        self.scan.expect(b':')?;
        self.scan.types()?;
        if self.scan.token != Token::Arrow {
            return Err(self.scan.unexpected("`->`"));
        }
        self.scan.next()?;
        self.scan.types()?;
        self.location()?;
        Ok(attributes)
    }

    /// `"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()`
    pub(super) fn generic_mesh(&mut self) -> Result<(), Failure> {
        let at = self.scan.start;
        let properties = self.properties()?;
        let [Some(mesh), Some(name)] = ["mesh", "sym_name"].map(|key| entry(properties, key))
        else {
            return Err(Failure::new(at, "expected `mesh` and `sym_name`").of("sdy.mesh", at));
        };
        let text = mesh.strip_prefix("#sdy.mesh").unwrap_or(mesh);
        let mesh = parsed(text, at, "sdy.mesh")?;
        self.generic_type()?;
        let name = unquoted(name);
        let line = format!("sdy.mesh {} = {text}", Symbol(&name));
        self.module.meshes.push((name.into_owned(), mesh, line.into()));
        Ok(())
    }

    /// `"func.func"() <{function_type = (tensor<8xf32>) -> tensor<8xf32>, sym_name = "main"}> ({ .. }) : () -> ()`
    pub(super) fn generic_function(&mut self) -> Result<(), Failure> {
        let at = self.scan.start;
        let properties = self.properties()?;
        let of = |failure: Failure| failure.of("func.func", at);
        let expected = |what: &str| of(Failure::new(at, format!("expected `{what}`")));
        let name = entry(properties, "sym_name").ok_or_else(|| expected("sym_name"))?;
        let ty = entry(properties, "function_type").ok_or_else(|| expected("function_type"))?;
        // Converts a position in a piece of the text to a position in the whole text.
        let within = |failure: Failure| of(Failure { at, ..failure });
        let mut scan = Scanner::new(ty).map_err(within)?;
        let taken = scan.types().map_err(within)?;
        if scan.token != Token::Arrow {
            return Err(of(Failure::new(at, "`function_type` is not the type of a function")));
        }
        scan.next().map_err(within)?;
        let made = scan.types().map_err(within)?;
        let borders = |types: Vec<Type<'t>>, key: &str| -> Result<Vec<Border<'t>>, Failure> {
            let mut written = entries(inside(entry(properties, key).unwrap_or("")));
            let border = |ty| {
                let attributes = inside(written.next().unwrap_or(""));
                let sharding = sharding_of(attributes, at, "func.func")?.into_iter().next();
                Ok(Border { ty, attributes, sharding })
            };
            types.into_iter().map(border).collect()
        };
        let (arguments, results) = (borders(taken, "arg_attrs")?, borders(made, "res_attrs")?);
        self.scan.expect(b'(')?;
        let mut body = None;
        self.open();
        if self.scan.is_mark(b'{') {
            let mut region = self.region(Region::default())?;
            region.has_header = false;
            let is_declared = region.operations.is_empty() && region.arguments.is_empty();
            if !is_declared && region.arguments.len() != arguments.len() {
                let message = "its body has another number of arguments than its type";
                return Err(of(Failure::new(at, message)));
            }
            body = Some(region).filter(|_| !is_declared);
        }
        self.close();
        self.scan.expect(b')')?;
        let attributes = self.generic_type()?;
        let visibility = entry(properties, "sym_visibility").map(unquoted);
        let (head, is_private) = match visibility.as_deref() {
            Some("private") => ("func.func private", true),
            Some("public") => ("func.func public", false),
            _ => ("func.func", false),
        };
        let name = unquoted(name);
        self.module.functions.push(Function {
            name,
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
}
