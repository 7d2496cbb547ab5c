//! The functions that expressions can call by name.

use super::ir::{BinaryOp, UnaryOp};

/// The names of the functions of one value.
const UNARY: [(&str, UnaryOp); 23] = [
    ("abs", UnaryOp::Abs),
    ("sqrt", UnaryOp::Sqrt),
    ("exp", UnaryOp::Exp),
    ("exp2", UnaryOp::Exp2),
    ("exp_m1", UnaryOp::ExpM1),
    ("ln", UnaryOp::Ln),
    ("ln_1p", UnaryOp::Ln1p),
    ("log2", UnaryOp::Log2),
    ("log10", UnaryOp::Log10),
    ("sin", UnaryOp::Sin),
    ("cos", UnaryOp::Cos),
    ("tan", UnaryOp::Tan),
    ("asin", UnaryOp::Asin),
    ("atan", UnaryOp::Atan),
    ("sinh", UnaryOp::Sinh),
    ("cosh", UnaryOp::Cosh),
    ("tanh", UnaryOp::Tanh),
    ("ceil", UnaryOp::Ceil),
    ("floor", UnaryOp::Floor),
    ("round", UnaryOp::Round),
    ("trunc", UnaryOp::Trunc),
    ("recip", UnaryOp::Recip),
    ("signum", UnaryOp::Signum),
];

/// The names of all functions.
pub fn functions() -> impl Iterator<Item = &'static str> {
    UnaryOp::names().chain(["min", "max", "pow", "select"])
}

impl UnaryOp {
    /// The function with this name. The minus sign is not a name.
    pub fn from_name(name: &str) -> Option<Self> {
        UNARY.iter().find(|(known, _)| *known == name).map(|(_, op)| *op)
    }

    /// The name of a method of Rust's floats, or `-`.
    pub fn name(self) -> &'static str {
        UNARY.iter().find(|(_, op)| *op == self).map_or("-", |(name, _)| name)
    }

    /// Whether the function is zero at zero, so that only stored entries need to be visited.
    pub const fn keeps_zero(self) -> bool {
        !matches!(
            self,
            Self::Exp
                | Self::Exp2
                | Self::Ln
                | Self::Log2
                | Self::Log10
                | Self::Cos
                | Self::Cosh
                | Self::Recip
        )
    }

    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        UNARY.iter().map(|(name, _)| *name)
    }
}

impl BinaryOp {
    /// The function with this name. Operators are not names.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "min" => Self::Min,
            "max" => Self::Max,
            "pow" => Self::Pow,
            _ => return None,
        })
    }

    /// The operator, or the name of the function.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Min => "min",
            Self::Max => "max",
            Self::Pow => "pow",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }

    /// Whether its result is always 1 or 0.
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Less
                | Self::LessEqual
                | Self::Greater
                | Self::GreaterEqual
                | Self::Equal
                | Self::NotEqual
        )
    }
}
