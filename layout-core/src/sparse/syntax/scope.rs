use crate::syntax::nearest;
use crate::text::Text;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The meaning of a name in an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variable {
    /// A free symbol.
    Symbol(usize),
    /// A dimension or a level, whichever the expression is about.
    Term(usize),
}

/// The names that an expression can use.
pub(super) struct Scope {
    variables: BTreeMap<String, Variable>,
    terms: Vec<String>,
    /// Whether there are names that could not be read.
    has_others: bool,
}

impl Scope {
    pub(super) fn new(symbols: &[String], terms: Vec<String>) -> Self {
        // Equal names are a mistake. The first one counts, and symbols precede other names.
        let terms_of = terms.iter().enumerate().map(|(at, name)| (name, Variable::Term(at)));
        let symbols_of = symbols.iter().enumerate().map(|(at, name)| (name, Variable::Symbol(at)));
        let all = terms_of.rev().chain(symbols_of.rev());
        let variables = all.map(|(name, variable)| (name.clone(), variable)).collect();
        Self { variables, terms, has_others: false }
    }

    /// The same names, together with others that could not be read: an unknown name may be one of them.
    pub(super) fn with_others(self) -> Self {
        Self { has_others: true, ..self }
    }

    /// Whether a name that is not found may be one of the names that could not be read.
    pub(super) const fn has_others(&self) -> bool {
        self.has_others
    }

    pub(super) fn find(&self, word: &str) -> Option<Variable> {
        self.variables.get(word).copied()
    }

    /// The help for a name that is not declared.
    pub(super) fn declared(&self, word: &str) -> String {
        let names: Vec<&str> = self.terms.iter().map(String::as_str).collect();
        match nearest(word, &names) {
            _ if names.is_empty() => String::new(),
            Some(name) if word.len() > 1 => format!("did you mean `{name}`?"),
            _ => Text::new()
                .str("the names here are ")
                .choice_of_names(&names)
                .str("; others are declared before the `->`")
                .to_string()
                .replace(" or ", " and "),
        }
    }
}
