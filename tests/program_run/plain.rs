//! Arrays of `f64`, and operations on them as plain loops over indices.

/// A row-major array.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) dims: Vec<usize>,
    pub(crate) values: Vec<f64>,
}

/// All indices of an array, in row-major order.
pub(crate) fn indices(dims: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &size in dims {
        let longer = |index: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..size).map(|at| [&index[..], &[at]].concat()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

impl Plain {
    pub(crate) fn from_fn(dims: &[usize], f: impl FnMut(&Vec<usize>) -> f64) -> Self {
        Self { dims: dims.to_vec(), values: indices(dims).iter().map(f).collect() }
    }

    /// Numbers between -1 and 1 with a long period, the same each time, exactly representable as `f32`.
    pub(crate) fn numbers(dims: &[usize], seed: usize) -> Self {
        let mut at = seed * 7919;
        Self::from_fn(dims, |_| {
            at = (at * 1103 + 12347) % 65521;
            f64::from(at as f32 / 32760.5 - 1.0)
        })
    }

    pub(crate) fn at(&self, index: &[usize]) -> f64 {
        assert_eq!(index.len(), self.dims.len());
        let number = index.iter().zip(&self.dims).fold(0, |at, (index, size)| at * size + index);
        self.values[number]
    }

    pub(crate) fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        Self { dims: self.dims.clone(), values: self.values.iter().map(|x| f(*x)).collect() }
    }

    pub(crate) fn zip(&self, other: &Self, f: impl Fn(f64, f64) -> f64) -> Self {
        assert_eq!(self.dims, other.dims);
        let values = self.values.iter().zip(&other.values).map(|(a, b)| f(*a, *b));
        Self { dims: self.dims.clone(), values: values.collect() }
    }

    pub(crate) fn transpose(&self, order: &[usize]) -> Self {
        let dims: Vec<_> = order.iter().map(|&dim| self.dims[dim]).collect();
        Self::from_fn(&dims, |index| {
            let mut from = vec![0; index.len()];
            order.iter().zip(index).for_each(|(&dim, &at)| from[dim] = at);
            self.at(&from)
        })
    }

    pub(crate) fn broadcast(&self, dims: &[usize], to: &[usize]) -> Self {
        Self::from_fn(dims, |index| {
            let own = to.iter().zip(&self.dims);
            let from: Vec<_> =
                own.map(|(&to, &size)| if size == 1 { 0 } else { index[to] }).collect();
            self.at(&from)
        })
    }

    pub(crate) fn sum(&self, over: usize) -> Self {
        let mut dims = self.dims.clone();
        let size = dims.remove(over);
        Self::from_fn(&dims, |index| {
            let at = |at: usize| [&index[..over], &[at], &index[over..]].concat();
            (0..size).map(|i| self.at(&at(i))).sum()
        })
    }

    pub(crate) fn reshape(&self, dims: &[usize]) -> Self {
        Self { dims: dims.to_vec(), values: self.values.clone() }
    }

    /// The product that sums over dimension `left` of this array and `right` of the other. Dimension 0 of both is a batch
    /// dimension if `batch`.
    pub(crate) fn dot(&self, other: &Self, [left, right]: [usize; 2], batch: bool) -> Self {
        let free = |dims: &[usize], without: usize| -> Vec<usize> {
            (usize::from(batch)..dims.len()).filter(|dim| *dim != without).collect()
        };
        let (a, b) = (free(&self.dims, left), free(&other.dims, right));
        let mut dims: Vec<_> = self.dims[..usize::from(batch)].to_vec();
        dims.extend(a.iter().map(|&dim| self.dims[dim]));
        dims.extend(b.iter().map(|&dim| other.dims[dim]));
        Self::from_fn(&dims, |index| {
            let term = |k: usize| {
                let (mut i, mut j) = (vec![0; self.dims.len()], vec![0; other.dims.len()]);
                let mut rest = index.iter();
                if batch {
                    i[0] = *rest.next().expect("a batch dimension");
                    j[0] = i[0];
                }
                a.iter().for_each(|&dim| i[dim] = *rest.next().expect("a dimension"));
                b.iter().for_each(|&dim| j[dim] = *rest.next().expect("a dimension"));
                (i[left], j[right]) = (k, k);
                self.at(&i) * other.at(&j)
            };
            (0..self.dims[left]).map(term).sum()
        })
    }

    /// The element at an index, or zero outside the array.
    pub(crate) fn or_zero(&self, index: &[usize]) -> f64 {
        let inside = index.iter().zip(&self.dims).all(|(at, size)| at < size);
        if inside { self.at(index) } else { 0.0 }
    }

    pub(crate) fn resize(&self, dims: &[usize]) -> Self {
        Self::from_fn(dims, |index| self.or_zero(index))
    }
}
