/// The largest number of dimensions in a form.
pub const MAX_FORM_RANK: usize = 8;

/// A sum of dimensions with integer coefficients: `j - i`, `i * 8 + j`.
///
/// The `y` of a part whose level holds more than one dimension.
///
/// ```
/// use tensor_layout::parts::Form;
/// let mut diagonal = Form::dim(1);                                // j
/// diagonal.coefficients[0] = -1;                                  // j - i
/// assert_eq!(diagonal.of(&[3, 1]), -2);
/// assert_eq!(diagonal.range(&[4, 6]), Some((-3, 5)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Form {
    /// The coefficient of each dimension.
    pub coefficients: [i64; MAX_FORM_RANK],
}

impl Form {
    /// The empty sum.
    pub const ZERO: Self = Self { coefficients: [0; MAX_FORM_RANK] };

    /// A single dimension, with the coefficient 1.
    ///
    /// # Panics
    /// If `dim` is not less than [`MAX_FORM_RANK`].
    pub const fn dim(dim: usize) -> Self {
        let mut form = Self::ZERO;
        form.coefficients[dim] = 1;
        form
    }

    /// Number of dimensions in the sum.
    pub const fn terms(&self) -> usize {
        let (mut terms, mut dim) = (0, 0);
        while dim < MAX_FORM_RANK {
            terms += (self.coefficients[dim] != 0) as usize;
            dim += 1;
        }
        terms
    }

    /// The first dimension in the sum; `None` if there is none.
    pub const fn first(&self) -> Option<usize> {
        let mut dim = 0;
        while dim < MAX_FORM_RANK {
            if self.coefficients[dim] != 0 {
                return Some(dim);
            }
            dim += 1;
        }
        None
    }

    /// Whether a coefficient is negative.
    pub const fn is_signed(&self) -> bool {
        let mut dim = 0;
        while dim < MAX_FORM_RANK {
            if self.coefficients[dim] < 0 {
                return true;
            }
            dim += 1;
        }
        false
    }

    /// Whether both are the same sum.
    pub const fn same(&self, other: &Self) -> bool {
        let mut dim = 0;
        while dim < MAX_FORM_RANK {
            if self.coefficients[dim] != other.coefficients[dim] {
                return false;
            }
            dim += 1;
        }
        true
    }

    /// The least and the largest value over an array of sizes `dims`; `None` if they overflow, or if the array is empty.
    pub fn range(&self, dims: &[usize]) -> Option<(i64, i64)> {
        let (mut least, mut largest) = (0i64, 0i64);
        for (coefficient, &size) in self.coefficients.iter().zip(dims) {
            if *coefficient != 0 {
                let reach = i64::try_from(size.checked_sub(1)?).ok()?.checked_mul(*coefficient)?;
                least = least.checked_add(reach.min(0))?;
                largest = largest.checked_add(reach.max(0))?;
            }
        }
        Some((least, largest))
    }

    /// The value at `index`, which must be in bounds of an array whose [`Form::range`] does not overflow.
    #[inline]
    pub fn of(&self, index: &[usize]) -> i64 {
        self.coefficients.iter().zip(index).map(|(coefficient, &x)| coefficient * x as i64).sum()
    }
}

/// The largest coefficient and the largest divisor of the parts of a form: the product of any two fits an `i64`.
pub const MAX_COEFFICIENT: i64 = i32::MAX as i64;

/// The inverse of a square system of forms: `dim = sum(weights[dim][form] * form)`.
pub(crate) type Weights = [[i64; MAX_FORM_RANK]; MAX_FORM_RANK];

/// Inverts a square system of forms over the dimensions in `columns`. `None` unless the inverse exists and
/// consists of integers: then values of the forms and values of the dimensions correspond one to one.
///
/// Gauss-Jordan elimination, with Euclid's algorithm in each column, so that all numbers stay integers. The forms
/// `f0 = 2 * i + 3 * j` and `f1 = i + j` yield `i = -f0 + 3 * f1` and `j = f0 - 2 * f1`. The inverse of `i + j` and `i - j`
/// contains halves, so the result for them is `None`.
pub(crate) const fn solve(forms: &[Form], columns: &[usize]) -> Option<Weights> {
    let n = forms.len();
    if n != columns.len() {
        return None;
    }
    let mut rows = [[0i64; MAX_FORM_RANK]; MAX_FORM_RANK];
    let mut inverse = [[0i64; MAX_FORM_RANK]; MAX_FORM_RANK];
    let mut row = 0;
    while row < n {
        let mut column = 0;
        while column < n {
            rows[row][column] = forms[row].coefficients[columns[column]];
            column += 1;
        }
        inverse[row][row] = 1;
        row += 1;
    }
    let mut pivot = 0;
    while pivot < n {
        let mut row = 0;
        while row < n {
            // Below the pivot only. Above it one subtraction clears the column later, when the pivot is 1.
            while row > pivot && rows[row][pivot] != 0 {
                let quotient =
                    if rows[row][pivot] == 0 { 0 } else { rows[pivot][pivot] / rows[row][pivot] };
                if !subtract(&mut rows, pivot, row, quotient)
                    || !subtract(&mut inverse, pivot, row, quotient)
                {
                    return None;
                }
                swap(&mut rows, pivot, row);
                swap(&mut inverse, pivot, row);
            }
            row += 1;
        }
        let unit = rows[pivot][pivot];
        if unit != 1 && unit != -1 {
            return None;
        }
        if !scale(&mut rows[pivot], unit) || !scale(&mut inverse[pivot], unit) {
            return None;
        }
        let mut row = 0;
        while row < pivot {
            let factor = rows[row][pivot];
            if !subtract(&mut rows, row, pivot, factor)
                || !subtract(&mut inverse, row, pivot, factor)
            {
                return None;
            }
            row += 1;
        }
        pivot += 1;
    }
    // Reorders the rows from columns to dimension numbers.
    let mut weights = [[0; MAX_FORM_RANK]; MAX_FORM_RANK];
    let mut column = 0;
    while column < n {
        let mut form = 0;
        while form < n {
            if inverse[column][form].unsigned_abs() > MAX_COEFFICIENT as u64 {
                return None;
            }
            form += 1;
        }
        weights[columns[column]] = inverse[column];
        column += 1;
    }
    Some(weights)
}

/// Subtracts `factor` times row `other` from row `row`; false if a number overflows.
const fn subtract(
    rows: &mut [[i64; MAX_FORM_RANK]; MAX_FORM_RANK],
    row: usize,
    other: usize,
    factor: i64,
) -> bool {
    let mut column = 0;
    while column < MAX_FORM_RANK {
        let Some(product) = rows[other][column].checked_mul(factor) else { return false };
        let Some(difference) = rows[row][column].checked_sub(product) else { return false };
        rows[row][column] = difference;
        column += 1;
    }
    true
}

const fn swap(rows: &mut [[i64; MAX_FORM_RANK]; MAX_FORM_RANK], a: usize, b: usize) {
    let row = rows[a];
    rows[a] = rows[b];
    rows[b] = row;
}

const fn scale(row: &mut [i64; MAX_FORM_RANK], unit: i64) -> bool {
    let mut column = 0;
    while column < MAX_FORM_RANK {
        let Some(product) = row[column].checked_mul(unit) else { return false };
        row[column] = product;
        column += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(coefficients: &[i64]) -> Form {
        let mut form = Form::ZERO;
        form.coefficients[..coefficients.len()].copy_from_slice(coefficients);
        form
    }

    #[test]
    fn inverts_what_has_a_whole_inverse() {
        let systems: [&[Form]; 4] = [
            &[form(&[-1, 1]), form(&[1, 0])],
            &[form(&[1, 1]), form(&[0, 1])],
            &[form(&[1, 1]), form(&[1, 2])],
            &[form(&[0, 1, 1]), form(&[1, 0, 2]), form(&[0, 0, 1])],
        ];
        for forms in systems {
            let columns: Vec<usize> = (0..forms.len()).collect();
            let weights = solve(forms, &columns).expect("an inverse");
            let index = [3, 5, 7];
            for dim in columns {
                let dims = forms.iter().zip(weights[dim]);
                let x: i64 = dims.map(|(form, weight)| form.of(&index) * weight).sum();
                assert_eq!(x, index[dim] as i64);
            }
        }
    }

    #[test]
    fn refuses_what_has_none() {
        assert_eq!(solve(&[form(&[1, 1]), form(&[1, -1])], &[0, 1]), None, "halves");
        assert_eq!(solve(&[form(&[1, 1]), form(&[2, 2])], &[0, 1]), None, "dependent");
        assert_eq!(solve(&[form(&[1, 1])], &[0, 1]), None, "too few");
        let large = form(&[i64::MAX, i64::MIN]);
        assert_eq!(solve(&[large, form(&[i64::MIN, i64::MAX])], &[0, 1]), None, "overflow");
    }
}
