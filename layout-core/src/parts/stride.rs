use super::*;

impl IndexMap {
    /// Elements from one value of dimension `dim` to the next, where that is the same everywhere; `None` where tiles
    /// make it differ, or where combined dimensions carry into each other. A dimension of size one or zero has the
    /// stride that its place in the order gives it. Quadratic in the number of parts.
    ///
    /// # Panics
    /// If `dim` is not a dimension of the array.
    pub const fn stride(&self, dim: usize) -> Option<usize> {
        assert!(dim < self.rank, "no such dimension");
        if self.bounds[dim] <= 1 {
            return self.stride_of_place(dim);
        }
        let (steps, _) = self.steps();
        let mut stride = None;
        let mut found = 0;
        let mut i = 0;
        while i < steps.as_slice().len() {
            let step = &steps.as_slice()[i];
            if step.source == dim {
                stride = step.stride;
                found += 1;
            }
            i += 1;
        }
        if found == 1 { stride } else { None }
    }

    /// The stride of the most minor part of a dimension that does not move.
    const fn stride_of_place(&self, dim: usize) -> Option<usize> {
        let mut i = self.part_count;
        while i > 0 {
            i -= 1;
            if self.parts[i].source == dim && self.parts[i].div == 1 {
                return Some(self.parts[i].stride);
            }
        }
        None
    }
}
