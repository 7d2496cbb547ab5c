//! The factors of a sharding rule as text. A rule has no picture.

use crate::draw::{Draw, Facts, Picture, tuple};
use crate::sharding::{OpShardingRule, TensorMapping, symbol};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Draw for OpShardingRule {
    fn notation(&self) -> String {
        self.to_string()
    }

    fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        facts.code("rule", self);
        facts.code("operands", shapes(self, self.operands()));
        facts.code("results", shapes(self, self.results()));
        let factor = |factor| {
            let size = match self.factor_size(factor) {
                Some(size) => format!("of size {size}"),
                None => "of a size that follows from the shapes".into(),
            };
            let blocked = if self.is_blocked(factor) { ", does not propagate" } else { "" };
            format!("{} {size}, {}{blocked}", symbol(factor), self.factor_kind(factor).name())
        };
        let factors: Vec<_> = (0..self.factor_count()).map(factor).collect();
        facts.words("factors", factors.join("; "));
        facts
    }

    fn picture(&self) -> Picture {
        Picture { title: format!("the rule {self}"), panels: Vec::new() }
    }
}

/// The sizes of tensors, or the factors of a dimension if its size is not known.
fn shapes(rule: &OpShardingRule, tensors: &[TensorMapping]) -> String {
    let shape = |tensor: &TensorMapping| {
        let size = |dim| {
            tensor
                .dim(dim)
                .try_fold(1usize, |size, factor| size.checked_mul(rule.factor_size(factor)?))
        };
        let sizes: Option<Vec<usize>> = (0..tensor.rank()).map(size).collect();
        let factors = |dim| tensor.dim(dim).map(symbol).collect::<Vec<_>>().join(" ");
        match sizes {
            Some(sizes) => tuple(sizes),
            None => format!("({})", (0..tensor.rank()).map(factors).collect::<Vec<_>>().join(",")),
        }
    };
    tensors.iter().map(shape).collect::<Vec<_>>().join(", ")
}
