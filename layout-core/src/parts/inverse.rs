//! The proof that a list of parts has an inverse: the parts of an index determine the index.
//!
//! 1. The parts of one form are the digits of a mixed radix, from the least, `y mod m`, to the most major, which has no
//!    `mod`. Then the form is the sum of its parts times their divisors.
//! 2. A form whose dimensions occur in no other form is a linearization: its coefficients are the radix, and the
//!    dimensions are its digits, if their sizes are within the radix. In `i * 8 + j`, `j` must be less than 8.
//! 3. The remaining forms are a square system whose inverse consists of integers.
//!
//! `(i floordiv 2, i mod 2, j - i)`: the first two are the form `i = 2 * p0 + p1`; then `i` and `j - i` are two forms
//! of two dimensions, and `j = (j - i) + i = 2 * p0 + p1 + p2`.

use super::Digit;
use super::form::{Form, MAX_FORM_RANK, solve};
use crate::list::Problems;

/// The largest number of results of a map that has an [`Inverse`].
pub const MAX_FORM_PARTS: usize = 16;

/// A part of a form: a digit of a sum of dimensions.
///
/// ```
/// use tensor_layout::sparse::SparseEncoding;
/// let bsr: SparseEncoding = "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)".parse()?;
/// let part = bsr.levels()[1].expr.part().unwrap();                // j floordiv 2
/// assert_eq!(part.of(&[0, 5]), 2);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FormPart {
    /// The sum.
    pub form: Form,
    /// Which digit of the sum.
    pub digit: Digit<usize>,
}

impl FormPart {
    /// The part at `index`, which must be in bounds as for [`Form::of`]. A form that can be negative must not be split.
    #[inline]
    pub fn of(&self, index: &[usize]) -> i64 {
        self.digit.of(self.form.of(index) as usize) as i64
    }
}

/// The results of a map. Each is a part of a form, or `None` for another expression, which does not help to determine the index.
pub(crate) struct FormMap {
    rank: usize,
    parts: [Option<FormPart>; MAX_FORM_PARTS],
    len: usize,
}

/// How the index is computed from the results of a map: each dimension is a weighted sum of the results, or, if it is linearized, a
/// digit of that sum.
///
/// ```
/// use tensor_layout::sparse::SparseEncoding;
/// let blocks: SparseEncoding = "(i) -> (i floordiv 4 : compressed, i mod 4 : dense)".parse()?;
/// let inverse = blocks.inverse();
/// assert_eq!((inverse.weight(0, 0), inverse.weight(0, 1)), (4, 1)); // i = 4 * level0 + level1
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inverse {
    weights: [[i64; MAX_FORM_PARTS]; MAX_FORM_RANK],
    digits: [Digit<i64>; MAX_FORM_RANK],
}

impl Inverse {
    /// The weight of result number `part` in the sum of dimension `dim`.
    #[inline(always)]
    pub const fn weight(&self, dim: usize, part: usize) -> i64 {
        self.weights[dim][part]
    }

    /// Which digit of its sum dimension `dim` is.
    #[inline(always)]
    #[doc(hidden)]
    pub const fn digit(&self, dim: usize) -> Digit<i64> {
        self.digits[dim]
    }

    /// The largest allowed size of dimension `dim`; `None` unless it is linearized and not the most major digit.
    pub const fn limit(&self, dim: usize) -> Option<usize> {
        match self.digits[dim].size {
            Some(limit) => Some(limit as usize),
            None => None,
        }
    }
}

/// Why a map has no inverse. `part` is the number of a result.
#[derive(Clone, Copy)]
pub(crate) enum Flaw {
    /// No form contains the dimension.
    DimMissing { dim: usize },
    /// The part is of a multiple of one dimension.
    Scaled { part: usize },
    /// Among the parts of `form`, the first of which is `part`, `(form floordiv div) mod size` is missing.
    PartMissing { part: usize, form: Form, digit: Digit<usize> },
    /// The other parts of the form determine it already.
    PartRedundant { part: usize },
    /// `forms` forms, of which `part` is one, do not determine the `dims` dimensions in them.
    NotInvertible { part: usize, forms: usize, dims: usize },
}

type Flaws = Problems<Flaw>;

/// The distinct forms of a map, each with the number of its first part.
struct Forms {
    forms: [Form; MAX_FORM_PARTS],
    parts: [usize; MAX_FORM_PARTS],
    len: usize,
}

impl FormMap {
    /// A map of indices of `rank` dimensions, without any results yet.
    pub(crate) const fn new(rank: usize) -> Self {
        Self { rank, parts: [None; MAX_FORM_PARTS], len: 0 }
    }

    /// Appends a result.
    pub(crate) const fn push(&mut self, part: Option<FormPart>) {
        self.parts[self.len] = part;
        self.len += 1;
    }

    /// The inverse, or all reasons why there is none.
    #[allow(
        clippy::result_large_err,
        reason = "runs in const evaluation, where nothing can be boxed"
    )]
    pub(crate) const fn invert(&self) -> Result<Inverse, Flaws> {
        let mut flaws = Flaws::new(Flaw::DimMissing { dim: 0 });
        let forms = self.forms();
        let mut dim = 0;
        while dim < self.rank {
            let mut used = false;
            let mut form = 0;
            while form < forms.len {
                used |= forms.forms[form].coefficients[dim] != 0;
                form += 1;
            }
            if !used {
                flaws.push(Flaw::DimMissing { dim });
            }
            dim += 1;
        }
        let mut form = 0;
        while form < forms.len {
            self.check_parts(&forms.forms[form], forms.parts[form], &mut flaws);
            form += 1;
        }
        if !flaws.is_empty() {
            return Err(flaws);
        }
        let mut inverse = Inverse {
            weights: [[0; MAX_FORM_PARTS]; MAX_FORM_RANK],
            digits: [Digit::<i64>::WHOLE; MAX_FORM_RANK],
        };
        // The forms and the dimensions that are not linearized.
        let mut rest = [Form::ZERO; MAX_FORM_PARTS];
        let mut rest_parts = [0; MAX_FORM_PARTS];
        let mut rest_len = 0;
        let mut columns = [0; MAX_FORM_RANK];
        let mut column_count = 0;
        let mut form = 0;
        while form < forms.len {
            let this = &forms.forms[form];
            if this.terms() > 1 && forms.alone(form) && !this.is_signed() {
                self.linearize(this, forms.parts[form], &mut inverse, &mut flaws);
            } else {
                rest[rest_len] = *this;
                rest_parts[rest_len] = forms.parts[form];
                rest_len += 1;
                let mut dim = 0;
                while dim < self.rank {
                    if this.coefficients[dim] != 0 && !contains(&columns, column_count, dim) {
                        columns[column_count] = dim;
                        column_count += 1;
                    }
                    dim += 1;
                }
            }
            form += 1;
        }
        if !flaws.is_empty() {
            return Err(flaws);
        }
        let system = solve(rest.split_at(rest_len).0, columns.split_at(column_count).0);
        let Some(system) = system else {
            flaws.push(Flaw::NotInvertible {
                part: rest_parts[rest_len - 1],
                forms: rest_len,
                dims: column_count,
            });
            return Err(flaws);
        };
        let mut at = 0;
        while at < column_count {
            let dim = columns[at];
            let mut form = 0;
            while form < rest_len {
                self.add_weights(&rest[form], system[dim][form], dim, &mut inverse);
                form += 1;
            }
            at += 1;
        }
        Ok(inverse)
    }

    const fn forms(&self) -> Forms {
        let mut forms =
            Forms { forms: [Form::ZERO; MAX_FORM_PARTS], parts: [0; MAX_FORM_PARTS], len: 0 };
        let mut part = 0;
        while part < self.len {
            if let Some(FormPart { form, .. }) = &self.parts[part] {
                let mut known = 0;
                while known < forms.len && !forms.forms[known].same(form) {
                    known += 1;
                }
                if known == forms.len {
                    forms.forms[known] = *form;
                    forms.parts[known] = part;
                    forms.len += 1;
                }
            }
            part += 1;
        }
        forms
    }

    /// Whether the parts of `form`, the first of which is `first`, are all digits of a mixed radix, once each.
    const fn check_parts(&self, form: &Form, first: usize, flaws: &mut Flaws) {
        if form.terms() == 1 && !is_unit(form) {
            return flaws.push(Flaw::Scaled { part: first });
        }
        let mut used = [false; MAX_FORM_PARTS];
        let mut unit = 1;
        let complete = loop {
            match self.find(form, unit, &used) {
                Some((part, Some(size))) => {
                    used[part] = true;
                    unit = match usize::checked_mul(unit, size) {
                        Some(unit) => unit,
                        None => break false,
                    };
                }
                Some((part, None)) => {
                    used[part] = true;
                    break true;
                }
                None => break false,
            }
        };
        if !complete {
            let digit = Digit { div: unit, size: self.next_size(form, unit, &used) };
            return flaws.push(Flaw::PartMissing { part: first, form: *form, digit });
        }
        let mut part = 0;
        while part < self.len {
            if !used[part] && self.digit_of(form, part).is_some() {
                flaws.push(Flaw::PartRedundant { part });
            }
            part += 1;
        }
    }

    /// Which digit of `form` result number `part` is; `None` if it is a part of something else.
    const fn digit_of(&self, form: &Form, part: usize) -> Option<Digit<usize>> {
        match &self.parts[part] {
            Some(FormPart { form: other, digit }) if other.same(form) => Some(*digit),
            _ => None,
        }
    }

    /// The number and the size of the unused part that is the digit of `form` with the divisor `unit`. A part with a size is
    /// preferred to one without, which is the most major digit.
    const fn find(
        &self,
        form: &Form,
        unit: usize,
        used: &[bool; MAX_FORM_PARTS],
    ) -> Option<(usize, Option<usize>)> {
        let mut last = None;
        let mut part = 0;
        while part < self.len {
            if let Some(Digit { div, size }) = self.digit_of(form, part)
                && div == unit
                && !used[part]
            {
                match size {
                    Some(_) => return Some((part, size)),
                    // Of two equal parts, the later one is redundant.
                    None if last.is_none() => last = Some((part, None)),
                    None => {}
                }
            }
            part += 1;
        }
        last
    }

    /// The size of the missing digit with the divisor `unit`: it reaches up to the next divisor of another part.
    ///
    /// If the parts are `y mod 2` and `y floordiv 8`, the digit `(y floordiv 2) mod 4` is missing.
    const fn next_size(
        &self,
        form: &Form,
        unit: usize,
        used: &[bool; MAX_FORM_PARTS],
    ) -> Option<usize> {
        let mut next: Option<usize> = None;
        let mut part = 0;
        while part < self.len {
            if let Some(Digit { div, .. }) = self.digit_of(form, part)
                && !used[part]
                && div > unit
                && div.is_multiple_of(unit)
            {
                let size = div / unit;
                match next {
                    Some(least) if least <= size => {}
                    _ => next = Some(size),
                }
            }
            part += 1;
        }
        next
    }

    /// Makes each dimension of `form`, whose first part is `first`, a digit of it: in `i * 8 + j`, `j` is the form `mod 8`, and
    /// `i` is the form `floordiv 8`.
    const fn linearize(&self, form: &Form, first: usize, inverse: &mut Inverse, flaws: &mut Flaws) {
        let mut below: Option<usize> = None;
        let mut done = 0;
        while done < form.terms() {
            // The dimension with the next larger coefficient.
            let mut next: Option<usize> = None;
            let mut dim = 0;
            while dim < self.rank {
                let coefficient = form.coefficients[dim];
                let larger = match below {
                    Some(below) => coefficient > form.coefficients[below],
                    None => coefficient > 0,
                };
                let least = match next {
                    Some(next) => coefficient < form.coefficients[next],
                    None => true,
                };
                if larger && least {
                    next = Some(dim);
                }
                dim += 1;
            }
            let Some(dim) = next else {
                // Two dimensions with the same coefficient cannot be told apart.
                flaws.push(Flaw::NotInvertible { part: first, forms: 1, dims: form.terms() });
                return;
            };
            let unit = form.coefficients[dim];
            match below {
                None if unit != 1 => {
                    flaws.push(Flaw::Scaled { part: first });
                    return;
                }
                Some(below) if unit % form.coefficients[below] != 0 => {
                    flaws.push(Flaw::NotInvertible { part: first, forms: 1, dims: form.terms() });
                    return;
                }
                Some(below) => {
                    inverse.digits[below].size = Some(unit / form.coefficients[below]);
                }
                None => {}
            }
            inverse.digits[dim] = Digit { div: unit, size: None };
            self.add_weights(form, 1, dim, inverse);
            below = Some(dim);
            done += 1;
        }
    }

    /// Adds `weight` times `form` to the sum of dimension `dim`: each part of the form with its divisor as the weight.
    const fn add_weights(&self, form: &Form, weight: i64, dim: usize, inverse: &mut Inverse) {
        let mut part = 0;
        while part < self.len {
            if let Some(Digit { div, .. }) = self.digit_of(form, part) {
                inverse.weights[dim][part] = weight * div as i64;
            }
            part += 1;
        }
    }
}

impl Forms {
    /// Whether the dimensions of form number `this` occur in no other form.
    const fn alone(&self, this: usize) -> bool {
        let mut form = 0;
        while form < self.len {
            let mut dim = 0;
            while dim < MAX_FORM_RANK {
                if form != this
                    && self.forms[form].coefficients[dim] != 0
                    && self.forms[this].coefficients[dim] != 0
                {
                    return false;
                }
                dim += 1;
            }
            form += 1;
        }
        true
    }
}

const fn is_unit(form: &Form) -> bool {
    match form.first() {
        Some(dim) => form.coefficients[dim] == 1,
        None => false,
    }
}

const fn contains(list: &[usize], len: usize, item: usize) -> bool {
    let mut i = 0;
    while i < len {
        if list[i] == item {
            return true;
        }
        i += 1;
    }
    false
}
