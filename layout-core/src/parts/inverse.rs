//! The proof that a level map has an inverse: what the levels hold of an index determines the index.
//!
//! 1. The levels that split one form are the digits of a mixed radix, from `mod` of the least block to the undivided
//!    rest. Then the form is the sum of their coordinates times their divisors.
//! 2. A form whose dimensions occur in no other one is a linearisation: its coefficients are the radix, and the
//!    dimensions are digits of it, as long as they are small enough.
//! 3. The forms that are left are a square system with a whole inverse.

use super::MAX_RANK;
use super::check::Problems;
use super::encoding::{LevelSpec, MAX_LEVELS, SparseDraft};
use super::expr::LevelExpr;
use super::inverse::{Digit, Inverse};
use super::problem::Problem;
use crate::parts::{Form, invert};

/// The distinct forms of a map, each with the first level that splits it.
struct Forms {
    forms: [Form; MAX_LEVELS],
    levels: [usize; MAX_LEVELS],
    len: usize,
}

impl SparseDraft {
    /// The inverse, or the reasons why there is none.
    pub(super) const fn prove(&self, problems: &mut Problems) -> Option<Inverse> {
        let before = problems.len();
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
                problems.push(Problem::DimMissing { dim });
            }
            dim += 1;
        }
        let mut form = 0;
        while form < forms.len {
            self.check_parts(&forms.forms[form], forms.levels[form], problems);
            form += 1;
        }
        if problems.len() > before {
            return None;
        }
        let mut inverse =
            Inverse { weights: [[0; MAX_LEVELS]; MAX_RANK], digits: [Digit::WHOLE; MAX_RANK] };
        // What is left of the forms and the dimensions once the linearised ones are taken out.
        let mut rest = [Form::ZERO; MAX_LEVELS];
        let mut rest_levels = [0; MAX_LEVELS];
        let mut rest_len = 0;
        let mut columns = [0; MAX_RANK];
        let mut column_count = 0;
        let mut form = 0;
        while form < forms.len {
            let this = &forms.forms[form];
            if this.terms() > 1 && forms.alone(form) && !this.is_signed() {
                self.linearise(this, forms.levels[form], &mut inverse, problems);
            } else {
                rest[rest_len] = *this;
                rest_levels[rest_len] = forms.levels[form];
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
        if problems.len() > before {
            return None;
        }
        let system = invert(rest.split_at(rest_len).0, columns.split_at(column_count).0);
        let Some(system) = system else {
            problems.push(Problem::NotInvertible {
                level: rest_levels[rest_len - 1],
                forms: rest_len,
                dims: column_count,
            });
            return None;
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
        Some(inverse)
    }

    const fn forms(&self) -> Forms {
        let mut forms = Forms { forms: [Form::ZERO; MAX_LEVELS], levels: [0; MAX_LEVELS], len: 0 };
        let mut level = 0;
        while level < self.levels.len() {
            if let LevelExpr::Part { form, .. } = &self.levels.as_slice()[level].expr {
                let mut known = 0;
                while known < forms.len && !forms.forms[known].same(form) {
                    known += 1;
                }
                if known == forms.len {
                    forms.forms[known] = *form;
                    forms.levels[known] = level;
                    forms.len += 1;
                }
            }
            level += 1;
        }
        forms
    }

    /// Whether the levels that split `form`, the first of which is `first`, are all digits of a mixed radix, once each.
    const fn check_parts(&self, form: &Form, first: usize, problems: &mut Problems) {
        let levels = self.levels.as_slice();
        if form.terms() == 1 && !is_unit(form) {
            problems.push(Problem::Scaled { level: first });
            return;
        }
        let mut used = [false; MAX_LEVELS];
        let mut unit = 1;
        let complete = loop {
            match find(levels, form, unit, &used) {
                Some((level, Some(modulus))) => {
                    used[level] = true;
                    unit = match usize::checked_mul(unit, modulus) {
                        Some(unit) => unit,
                        None => break false,
                    };
                }
                Some((level, None)) => {
                    used[level] = true;
                    break true;
                }
                None => break false,
            }
        };
        if !complete {
            problems.push(Problem::PartMissing {
                level: first,
                form: *form,
                div: unit,
                modulus: next_divisor(levels, form, unit, &used),
            });
            return;
        }
        let mut level = 0;
        while level < levels.len() {
            if let Some(other) = levels[level].expr.form()
                && other.same(form)
                && !used[level]
            {
                problems.push(Problem::PartRedundant { level });
            }
            level += 1;
        }
    }

    /// Makes the dimensions of `form` digits of it.
    const fn linearise(
        &self,
        form: &Form,
        level: usize,
        inverse: &mut Inverse,
        problems: &mut Problems,
    ) {
        let mut below: Option<usize> = None;
        let mut done = 0;
        while done < form.terms() {
            // The dimension with the least coefficient that is larger than the one before.
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
                problems.push(Problem::NotInvertible { level, forms: 1, dims: form.terms() });
                return;
            };
            let unit = form.coefficients[dim];
            match below {
                None if unit != 1 => {
                    problems.push(Problem::Scaled { level });
                    return;
                }
                Some(below) if unit % form.coefficients[below] != 0 => {
                    problems.push(Problem::NotInvertible { level, forms: 1, dims: form.terms() });
                    return;
                }
                Some(below) => {
                    inverse.digits[below].limit = Some(unit / form.coefficients[below]);
                }
                None => {}
            }
            inverse.digits[dim] = Digit { unit, limit: None };
            self.add_weights(form, 1, dim, inverse);
            below = Some(dim);
            done += 1;
        }
    }

    /// Adds `weight` times `form`, put together from its levels, to dimension `dim`.
    const fn add_weights(&self, form: &Form, weight: i64, dim: usize, inverse: &mut Inverse) {
        let levels = self.levels.as_slice();
        let mut level = 0;
        while level < levels.len() {
            if let LevelExpr::Part { form: other, div, .. } = &levels[level].expr
                && other.same(form)
            {
                inverse.weights[dim][level] = weight * *div as i64;
            }
            level += 1;
        }
    }
}

impl Forms {
    /// Whether the dimensions of form number `this` occur in no other form.
    const fn alone(&self, this: usize) -> bool {
        let mut form = 0;
        while form < self.len {
            let mut dim = 0;
            while dim < MAX_RANK {
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

/// The unused level that holds the digit of `form` with this unit: one with a modulus before one without, which is
/// the last digit.
const fn find(
    levels: &[LevelSpec],
    form: &Form,
    unit: usize,
    used: &[bool; MAX_LEVELS],
) -> Option<(usize, Option<usize>)> {
    let mut rest = None;
    let mut level = 0;
    while level < levels.len() {
        if let LevelExpr::Part { form: other, div, modulus } = levels[level].expr
            && div == unit
            && !used[level]
            && other.same(form)
        {
            match modulus {
                Some(_) => return Some((level, modulus)),
                None => rest = Some((level, None)),
            }
        }
        level += 1;
    }
    rest
}

/// What the missing digit with this unit is taken modulo: the least unit above it that another level has.
const fn next_divisor(
    levels: &[LevelSpec],
    form: &Form,
    unit: usize,
    used: &[bool; MAX_LEVELS],
) -> Option<usize> {
    let mut next: Option<usize> = None;
    let mut level = 0;
    while level < levels.len() {
        if let LevelExpr::Part { form: other, div, .. } = &levels[level].expr
            && other.same(form)
            && !used[level]
            && *div > unit
            && div.is_multiple_of(unit)
        {
            let modulus = *div / unit;
            match next {
                Some(least) if least <= modulus => {}
                _ => next = Some(modulus),
            }
        }
        level += 1;
    }
    next
}
