use super::*;

impl IndexMap {
    /// The distance in elements between neighbours along dimension `dim`, if it is the same everywhere; `None` if tiles make
    /// it vary, or if combined dimensions carry into each other. A dimension of size one or zero has the stride that
    /// follows from its position in the order of dimensions. Quadratic in the number of parts.
    ///
    /// # Panics
    /// If `dim` is not a dimension of the array.
    pub const fn stride(&self, dim: usize) -> Option<usize> {
        assert!(dim < self.rank, "no such dimension");
        if self.bounds[dim] <= 1 {
            return self.nominal_stride(dim);
        }
        let (carries, _) = self.carries();
        let mut stride = None;
        let mut found = 0;
        let mut i = 0;
        while i < carries.as_slice().len() {
            let carry = &carries.as_slice()[i];
            if carry.source == dim {
                stride = carry.stride;
                found += 1;
            }
            i += 1;
        }
        if found == 1 { stride } else { None }
    }

    /// The stride of the most minor part of a dimension of size one or zero.
    const fn nominal_stride(&self, dim: usize) -> Option<usize> {
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
