//! The common refinement of two layouts.

use super::plan::{Loop, Plan, spans};
use crate::index_map::{IndexMap, Part};

/// Numbers that divide each other in turn and fit a pointer, the powers of two at most.
const MAX_CUTS: usize = usize::BITS as usize;

/// Where a dimension is cut: the divs of its parts, ascending from 1, each dividing the next.
struct Cuts {
    at: [usize; MAX_CUTS],
    len: usize,
}

impl Cuts {
    /// Where either map cuts dimension `dim`; `None` if there is no common refinement.
    const fn of(dim: usize, maps: [&IndexMap; 2]) -> Option<Self> {
        let mut cuts = Self { at: [0; MAX_CUTS], len: 0 };
        let bound = maps[0].bound(dim);
        let mut divides = cuts.insert(1, bound);
        let mut map = 0;
        while map < maps.len() {
            let parts = maps[map].parts();
            let mut i = 0;
            while i < parts.len() {
                let part = &parts[i];
                if part.source == dim && part.size > 1 {
                    divides &= cuts.insert(part.div, bound);
                    if let Some(end) = end(part) {
                        divides &= cuts.insert(end, bound);
                    }
                }
                i += 1;
            }
            map += 1;
        }
        if divides { Some(cuts) } else { None }
    }

    /// Adds a cut; false if it does not divide its neighbours. What lies past the dimension cuts nothing.
    const fn insert(&mut self, cut: usize, bound: usize) -> bool {
        if cut >= bound {
            return true;
        }
        let mut at = self.len;
        while at > 0 && self.at[at - 1] > cut {
            at -= 1;
        }
        if at > 0 && self.at[at - 1] == cut {
            return true;
        }
        let divides = (at == 0 || cut.is_multiple_of(self.at[at - 1]))
            && (at == self.len || self.at[at].is_multiple_of(cut));
        if divides {
            let mut i = self.len;
            while i > at {
                self.at[i] = self.at[i - 1];
                i -= 1;
            }
            self.at[at] = cut;
            self.len += 1;
        }
        divides
    }
}

/// Where a part ends: the values from there on are other parts'. `None` if it is the most major.
const fn end(part: &Part) -> Option<usize> {
    if part.wrap { part.div.checked_mul(part.size) } else { None }
}

impl IndexMap {
    /// The dimensions of which derived values are made, a bit for each.
    pub(super) const fn combined(&self) -> u8 {
        let mut dims = 0;
        let mut i = 0;
        while i < self.terms().len() {
            let part = &self.terms()[i].part;
            if part.size > 1 && part.source < self.rank() {
                dims |= 1 << part.source;
            }
            i += 1;
        }
        dims
    }

    /// Elements from one multiple of `cut` to the next in dimension `dim`, where a cut of a refinement is.
    const fn stride_at(&self, dim: usize, cut: usize) -> usize {
        let mut stride = 0;
        let mut i = 0;
        while i < self.parts().len() {
            let part = &self.parts()[i];
            if part.source == dim && part.size > 1 && part.div <= cut {
                match end(part) {
                    Some(end) if end <= cut => {}
                    _ => stride += cut / part.div * part.stride,
                }
            }
            i += 1;
        }
        stride
    }

    /// Whether the strides go on from one cut to another as within one part.
    const fn continues(&self, dim: usize, cut: usize, next: usize) -> bool {
        spans(self.stride_at(dim, next), self.stride_at(dim, cut), next / cut)
    }
}

impl Plan<'_> {
    /// Makes loops of all dimensions that have a common refinement.
    pub(super) const fn refine(&mut self, source: &IndexMap) {
        let mut dim = 0;
        while dim < self.destination.rank() {
            if self.walked >> dim & 1 == 0 {
                match Cuts::of(dim, [source, self.destination]) {
                    Some(cuts) => self.split(source, dim, &cuts),
                    None => self.walked |= 1 << dim,
                }
            }
            dim += 1;
        }
    }

    /// Makes loops of one dimension, with no more cuts than the strides ask for.
    const fn split(&mut self, source: &IndexMap, dim: usize, cuts: &Cuts) {
        let bound = source.bound(dim);
        let destination = self.destination;
        let mut most_major = 1;
        let mut i = 0;
        while i < cuts.len {
            let div = cuts.at[i];
            i += 1;
            while i < cuts.len
                && source.continues(dim, div, cuts.at[i])
                && destination.continues(dim, div, cuts.at[i])
            {
                i += 1;
            }
            let end = if i < cuts.len { cuts.at[i] } else { bound };
            self.insert(Loop {
                dims: 1 << dim,
                div,
                size: end.div_ceil(div),
                source: source.stride_at(dim, div),
                destination: destination.stride_at(dim, div),
                ragged: false,
            });
            most_major = div;
        }
        let mut i = 0;
        while i < self.loops().len() {
            let each = &mut self.loops_mut()[i];
            if each.dims == 1 << dim {
                each.ragged = !bound.is_multiple_of(most_major);
            }
            i += 1;
        }
    }
}
