//! The common refinement of two layouts.

use super::plan::{Loop, Plan, spans};
use layout_core::parts::{IndexMap, MAX_RANK, Part, Term};

/// Numbers that divide each other in turn and fit a pointer, the powers of two at most, and one more at a period.
const MAX_PIECES: usize = usize::BITS as usize + 1;

/// Dimensions that are split as one: a dimension alone, or those that a tile combines as they are.
#[derive(Clone, Copy)]
struct Group {
    /// From the most minor.
    dims: [usize; MAX_RANK],
    len: usize,
    /// Number of the value that a map splits.
    value: usize,
}

impl Group {
    /// What `map` splits dimension `dim` with; `None` where it splits it with parts of others.
    const fn of(map: &IndexMap, dim: usize) -> Option<Self> {
        let mut group = Self { dims: [dim; MAX_RANK], len: 1, value: dim };
        let terms = map.terms();
        let mut i = 0;
        while i < terms.len() {
            if terms[i].part.source == dim && terms[i].part.size > 1 && !nests(map, &terms[i]) {
                if group.value != dim {
                    return None;
                }
                group.value = terms[i].target;
            }
            i += 1;
        }
        if group.value != dim {
            group.len = 0;
        }
        // Terms stand in the order minor to major. Only the most major dimension can be padded: others would leave
        // gaps between its values.
        let mut padded = false;
        let mut i = 0;
        while i < terms.len() && group.value != dim {
            let part = &terms[i].part;
            if part.source == group.value && part.size > 1 {
                return None;
            }
            if terms[i].target == group.value && part.size > 1 {
                if part.source >= map.rank() || part.div > 1 || part.wrap || padded {
                    return None;
                }
                padded = part.size > map.bound(part.source);
                group.dims[group.len] = part.source;
                group.len += 1;
            }
            i += 1;
        }
        Some(group)
    }

    /// What both maps can split dimension `dim` with.
    const fn common(maps: [&IndexMap; 2], dim: usize) -> Option<Self> {
        let (Some(a), Some(b)) = (Self::of(maps[0], dim), Self::of(maps[1], dim)) else {
            return None;
        };
        let group = if a.len > b.len { a } else { b };
        let mut i = 0;
        while i < group.len {
            let mut map = 0;
            while map < maps.len() {
                match Self::of(maps[map], group.dims[i]) {
                    Some(other) if other.len == 1 || other.is(&group) => {}
                    _ => return None,
                }
                map += 1;
            }
            i += 1;
        }
        Some(group)
    }

    const fn is(&self, other: &Self) -> bool {
        let mut i = 0;
        while i < self.len && i < other.len && self.dims[i] == other.dims[i] {
            i += 1;
        }
        i == self.len && i == other.len
    }

    const fn mask(&self) -> u16 {
        let mut mask = 0;
        let mut i = 0;
        while i < self.len {
            mask |= 1 << self.dims[i];
            i += 1;
        }
        mask
    }

    /// Number of values of the dimensions together.
    const fn size(&self, map: &IndexMap) -> usize {
        let mut size = 1;
        let mut i = 0;
        while i < self.len {
            size *= map.bound(self.dims[i]);
            i += 1;
        }
        size
    }
}

/// Whether a derived value is one part of another, but not all of it: what a tile does not divide.
const fn nests(map: &IndexMap, term: &Term) -> bool {
    let terms = map.terms();
    let mut alone = term.part.stride == 1 && (term.part.wrap || term.part.div > 1);
    let mut summands = 0;
    let mut i = 0;
    while i < terms.len() {
        if terms[i].part.size > 1 {
            summands += (terms[i].target == term.target) as usize;
            alone &= terms[i].part.source != term.target;
        }
        i += 1;
    }
    alone && summands == 1
}

/// The parts of a group in one map, from the most minor. A part that goes on with the strides of the one before is one
/// piece with it.
struct Pieces {
    /// What the group is divided by, for each piece: 1, then where the one before ends.
    div: [usize; MAX_PIECES],
    stride: [usize; MAX_PIECES],
    len: usize,
}

impl Pieces {
    const fn of(map: &IndexMap, group: &Group) -> Self {
        let mut pieces = Self { div: [0; MAX_PIECES], stride: [0; MAX_PIECES], len: 0 };
        let mut unit = 1;
        let mut i = 0;
        while i < group.len {
            // The map splits all dimensions of the group as one, or each on its own.
            let Some(own) = Group::of(map, group.dims[i]) else { unreachable!() };
            let size = own.size(map);
            pieces.append(map, own.value, size, unit);
            unit *= size;
            i += own.len;
        }
        pieces
    }

    /// Appends the parts of a value below `bound`, of which one step is `unit` steps of the group.
    const fn append(&mut self, map: &IndexMap, value: usize, bound: usize, unit: usize) {
        let mut div = 1;
        while div < bound {
            let (part, nested) = part_at(map, value, div);
            let goes_on = self.len > 0 && {
                let (cut, last) = (div * unit, self.len - 1);
                cut.is_multiple_of(self.div[last])
                    && spans(part.stride, self.stride[last], cut / self.div[last])
            };
            if let Some(nested) = nested {
                // A tile can reach past the value that it splits: past `bound` there is nothing to cut, and in a group
                // the next dimension.
                let (left, bound) = (bound.div_ceil(div), map.bound(nested));
                self.append(map, nested, if left < bound { left } else { bound }, div * unit);
            } else if !goes_on {
                self.div[self.len] = div * unit;
                self.stride[self.len] = part.stride;
                self.len += 1;
            }
            div = if part.wrap { div.saturating_mul(part.size) } else { bound };
        }
    }

    /// Number of the piece that `cut` lies in.
    const fn at(&self, cut: usize) -> usize {
        let mut i = self.len - 1;
        while self.div[i] > cut {
            i -= 1;
        }
        i
    }

    /// Whether `cut` is a multiple of what the piece that it lies in is divided by.
    const fn can_cut(&self, cut: usize) -> bool {
        cut.is_multiple_of(self.div[self.at(cut)])
    }

    /// Elements from one multiple of `cut` to the next, for a cut that the pieces divide or are divided by.
    const fn stride_at(&self, cut: usize) -> usize {
        let i = self.at(cut);
        cut / self.div[i] * self.stride[i]
    }
}

/// The part of a value that divides by `div`, where the part below ends, and the derived value that it is, if one is
/// nested there.
const fn part_at(map: &IndexMap, value: usize, div: usize) -> (&Part, Option<usize>) {
    let (parts, terms) = (map.parts(), map.terms());
    let mut i = 0;
    while i < parts.len() + terms.len() {
        let (part, nested) = if i < parts.len() {
            (&parts[i], None)
        } else {
            let term = &terms[i - parts.len()];
            (&term.part, Some(term.target))
        };
        if part.source == value && part.div == div && part.size > 1 {
            return (part, nested);
        }
        i += 1;
    }
    panic!("the parts of a value cover it")
}

/// Where two maps cut a dimension.
struct Cuts {
    /// The divs of both, ascending, each once.
    divs: [usize; MAX_PIECES],
    len: usize,
    /// The one that the div before does not divide, if there is one: there the dimension starts again. Or 0.
    period: usize,
}

impl Cuts {
    /// `None` if there is no common refinement: a div does not divide the next, and not because both maps start again.
    const fn of(a: &Pieces, b: &Pieces) -> Option<Self> {
        let mut cuts = Self { divs: [0; MAX_PIECES], len: 0, period: 0 };
        let (mut i, mut j) = (0, 0);
        while i < a.len || j < b.len {
            let first = j == b.len || (i < a.len && a.div[i] <= b.div[j]);
            let cut = if first { a.div[i] } else { b.div[j] };
            if cuts.len > 0 && !cut.is_multiple_of(cuts.divs[cuts.len - 1]) {
                if cuts.period > 0 || !a.can_cut(cut) || !b.can_cut(cut) {
                    return None;
                }
                cuts.period = cut;
            }
            cuts.divs[cuts.len] = cut;
            cuts.len += 1;
            i += (i < a.len && a.div[i] == cut) as usize;
            j += (j < b.len && b.div[j] == cut) as usize;
        }
        Some(cuts)
    }
}

impl Plan<'_> {
    /// Makes loops of all dimensions, one for each piece of the common refinement; where there is none, the dimension
    /// is walked.
    pub(crate) const fn refine(&mut self, source: &IndexMap) {
        let mut done: u16 = 0;
        let mut dim = 0;
        while dim < self.destination.rank() {
            if done >> dim & 1 == 0 {
                done |= match Group::common([source, self.destination], dim) {
                    // A window of dimensions that are one has gaps.
                    Some(group) if group.len == 1 || self.windowed & group.mask() == 0 => {
                        self.split(source, &group)
                    }
                    _ => {
                        self.walked |= 1 << dim;
                        1 << dim
                    }
                };
            }
            dim += 1;
        }
    }

    /// Makes loops of one group; gives the dimensions of it.
    const fn split(&mut self, source: &IndexMap, group: &Group) -> u16 {
        let (dims, bound) = (group.mask(), group.size(source));
        let destination = Pieces::of(self.destination, group);
        let source = Pieces::of(source, group);
        let Some(Cuts { divs: cuts, len, period }) = Cuts::of(&source, &destination) else {
            self.walked |= dims;
            return dims;
        };
        if group.len > 1 {
            self.sizes[dims.trailing_zeros() as usize] = bound;
        }
        self.periods[dims.trailing_zeros() as usize] = period;
        let last = if len > 0 { cuts[len - 1] } else { 1 };
        let is_cut = !bound.is_multiple_of(last) || self.windowed & dims != 0;
        let mut i = 0;
        while i < len {
            let div = cuts[i];
            let end = if i + 1 < len { cuts[i + 1] } else { bound };
            self.insert(Loop {
                dims,
                div,
                size: end.div_ceil(div),
                source: source.stride_at(div),
                destination: destination.stride_at(div),
                ragged: is_cut || div < period,
                joined: false,
            });
            i += 1;
        }
        dims
    }
}
