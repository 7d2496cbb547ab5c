//! The layout that strides express.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Reverse;

/// The order of the dimensions, the most minor one first, and the widths to which rows are padded.
pub(super) struct Strided {
    pub(super) order: Vec<usize>,
    widths: Option<Vec<u64>>,
}

impl Strided {
    /// The layout of an array with these sizes, `None` for unknown ones, and strides. `None` if no layout of XLA has the strides.
    pub(super) fn of(sizes: &[Option<u64>], strides: &[u64]) -> Option<Self> {
        if sizes.len() != strides.len() {
            return None;
        }
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|dim| (strides[*dim], Reverse(*dim)));
        // The stride of a dimension of size 1 is never used.
        let mut dims = order.iter().copied().filter(|dim| sizes[*dim] != Some(1)).peekable();
        if dims.peek().is_some_and(|most_minor| strides[*most_minor] != 1) {
            return None;
        }
        let mut widths: Vec<u64> = sizes.iter().map(|size| size.unwrap_or(0)).collect();
        let mut is_padded = false;
        while let Some(dim) = dims.next() {
            let Some(next) = dims.peek() else { break };
            // The next dimension steps over whole rows of this one.
            let (width, rest) =
                (strides[*next].checked_div(strides[dim])?, strides[*next] % strides[dim]);
            if rest != 0 || width < sizes[dim]? {
                return None;
            }
            is_padded |= width != widths[dim];
            widths[dim] = width;
        }
        let is_known = sizes.iter().all(Option::is_some);
        if is_padded && !is_known {
            return None;
        }
        Some(Self { order, widths: is_padded.then_some(widths) })
    }

    /// ` padded to [3,8]`, or nothing.
    pub(super) fn padding(&self) -> String {
        let Some(widths) = &self.widths else { return String::new() };
        let widths: Vec<_> = widths.iter().map(ToString::to_string).collect();
        format!(" padded to [{}]", widths.join(","))
    }

    /// `{1,0} padded to [3,8]`
    pub(super) fn written(&self) -> String {
        let order: Vec<_> = self.order.iter().map(ToString::to_string).collect();
        format!("{{{}}}{}", order.join(","), self.padding())
    }
}
