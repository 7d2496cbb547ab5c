//! The arguments of a call other than its operands.

use crate::dtype::DType;
use alloc::string::String;
use alloc::vec::Vec;

/// The value of an attribute of a call that has a name; see [`Attributes::named`].
///
/// ```
/// use tensor_layout::sharding::ops::Attribute;
/// assert_eq!(Attribute::from([0, 1]), Attribute::List(vec![0, 1]));
/// assert_eq!(Attribute::from("LT"), Attribute::Word("LT".into()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attribute {
    /// `lhs_batch=[0, 1]`
    List(Vec<usize>),
    /// `index_vector=1`
    Number(usize),
    /// `direction=LT`
    Word(String),
}

impl<const N: usize> From<[usize; N]> for Attribute {
    fn from(list: [usize; N]) -> Self {
        Self::List(list.into())
    }
}

impl From<&[usize]> for Attribute {
    fn from(list: &[usize]) -> Self {
        Self::List(list.into())
    }
}

impl From<usize> for Attribute {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Attribute {
    fn from(word: &str) -> Self {
        Self::Word(word.into())
    }
}

/// The arguments of a call other than its operands: lists and a number without names, and attributes with names, as in the text
/// of a program.
///
/// ```
/// use tensor_layout::sharding::ops::Attributes;
/// // top_k(x, 8)
/// let top_k = Attributes::new().number(8);
/// // broadcast_in_dim(x, [8, 4], [0])
/// let broadcast = Attributes::new().list([8, 4]).list([0]);
/// // dot_general(x, w, lhs_contracting=[1], rhs_contracting=[0])
/// let dot = Attributes::new().named("lhs_contracting", [1]).named("rhs_contracting", [0]);
/// # drop((top_k, broadcast, dot));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attributes {
    pub(in crate::sharding) lists: Vec<Vec<usize>>,
    pub(in crate::sharding) number: Option<usize>,
    pub(in crate::sharding) named: Vec<(String, Attribute)>,
    pub(in crate::sharding) array: Option<(DType, Vec<usize>)>,
}

impl Attributes {
    /// No arguments besides the operands.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a list without a name after the existing ones.
    #[must_use]
    pub fn list(mut self, list: impl Into<Vec<usize>>) -> Self {
        self.lists.push(list.into());
        self
    }

    /// Sets the number without a name.
    #[must_use]
    pub fn number(self, number: usize) -> Self {
        Self { number: Some(number), ..self }
    }

    /// Sets the attribute `name`.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>, value: impl Into<Attribute>) -> Self {
        let name = name.into();
        self.named.retain(|(other, _)| *other != name);
        self.named.push((name, value.into()));
        self
    }

    /// Sets the array of an operation without operands, as in `constant(f32[8])`.
    #[must_use]
    pub fn array(self, dtype: DType, dims: impl Into<Vec<usize>>) -> Self {
        Self { array: Some((dtype, dims.into())), ..self }
    }

    /// The lists without names, in order.
    pub fn lists(&self) -> &[Vec<usize>] {
        &self.lists
    }

    /// The number without a name, if there is one.
    pub const fn unnamed_number(&self) -> Option<usize> {
        self.number
    }

    /// The attribute `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        self.named.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// The numbers of list `at`; none if there is no such list.
    pub(super) fn numbers(&self, at: usize) -> &[usize] {
        self.lists.get(at).map_or(&[], |list| list)
    }

    /// The numbers of the attribute `name`; none if it is not a list.
    pub fn named_numbers(&self, name: &str) -> &[usize] {
        match self.get(name) {
            Some(Attribute::List(list)) => list,
            _ => &[],
        }
    }

    /// The number of the attribute `name`; `None` if it is not a number.
    pub fn named_number(&self, name: &str) -> Option<usize> {
        match self.get(name) {
            Some(Attribute::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The word of the attribute `name`, or `default`.
    pub fn word<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        match self.get(name) {
            Some(Attribute::Word(word)) => word,
            _ => default,
        }
    }
}
