use crate::text::Text;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What a name stands for in an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variable {
    /// A free symbol.
    Symbol(usize),
    /// A dimension or a level, whichever the expression is about.
    Term(usize),
}

/// The names that an expression can use.
pub(super) struct Scope {
    symbols: Vec<String>,
    terms: Vec<String>,
}

impl Scope {
    pub(super) fn new(symbols: &[String], terms: Vec<String>) -> Self {
        Self { symbols: symbols.to_vec(), terms }
    }

    pub(super) fn find(&self, word: &str) -> Option<Variable> {
        let at = |names: &[String]| names.iter().position(|name| name == word);
        at(&self.symbols).map(Variable::Symbol).or_else(|| at(&self.terms).map(Variable::Term))
    }

    /// What could have been meant.
    pub(super) fn declared(&self) -> String {
        let names: Vec<&str> = self.terms.iter().map(String::as_str).collect();
        match names.is_empty() {
            true => String::new(),
            false => Text::new()
                .str("the names here are ")
                .choice_of_names(&names)
                .to_string()
                .replace(" or ", " and "),
        }
    }
}
