//! A tensor with its sizes: a description of its levels, and the facts and the picture of its encoding.

use crate::draw::{Draw, Facts, Picture, tuple};
use crate::sparse::SparseTensorSpec;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Draw for SparseTensorSpec {
    fn notation(&self) -> String {
        self.to_string()
    }

    fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        let size = |size: &Option<usize>| size.map_or("?".into(), |size| size.to_string());
        let sizes: Vec<String> = self.sizes().iter().map(size).collect();
        facts.code("sizes", sizes.join("x"));
        facts.code("element type", self.element());
        let shape: Option<Vec<usize>> = self.sizes().iter().copied().collect();
        if let Some(shape) = shape {
            let levels = self.encoding().levels().iter();
            let extents: Option<Vec<_>> = levels.map(|level| level.expr.extent(&shape)).collect();
            let extents = extents.unwrap_or_default();
            facts.code("level sizes", tuple(extents.iter().map(|extent| extent.size)));
        }
        facts.0.extend(self.encoding().facts().0);
        facts
    }

    fn picture(&self) -> Picture {
        self.encoding().picture()
    }
}
