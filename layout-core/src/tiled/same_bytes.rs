use super::bitcast::equal;
use super::spec::TiledSpec;
use crate::parts::Agreement;

impl TiledSpec {
    /// Whether every element has the same offset in two layouts, so that a buffer in one can be read in the other.
    ///
    /// The arrays may have different shapes; element number `k` of one, in row-major order, corresponds to number `k` of the
    /// other, as in a reshape. They must have the same element type, stored bits, number of elements, bytes of prefix and
    /// splits between memories. Padding may differ, so compare [`TiledSpec::bytes`] too before passing a buffer of one
    /// layout as one of the other. The result is exact, and is computed fast for huge arrays too; see
    /// [`IndexMap::first_difference`].
    ///
    /// [`IndexMap::first_difference`]: crate::parts::IndexMap::first_difference
    ///
    /// ```
    /// use tensor_layout::TiledSpec;
    /// // Pages of a key-value cache, and the same buffer without its structure.
    /// let pages: TiledSpec = "bf16[100,4,8,128]{3,2,1,0:T(8,128)(2,1)}".parse().unwrap();
    /// let flat: TiledSpec = "bf16[409600]{0:T(1024)(128)(2,1)}".parse().unwrap();
    /// assert!(pages.same_bytes(&flat));
    /// let rows: TiledSpec = "bf16[400,1024]{1,0:T(8,128)(2,1)}".parse().unwrap();
    /// assert!(!pages.same_bytes(&rows));
    /// ```
    pub const fn same_bytes(&self, other: &Self) -> bool {
        self.same_contents(other) && self.map().first_difference(other.map()).is_none()
    }

    /// Whether two arrays have the same bytes if every element has the same offset: the other conditions of
    /// [`TiledSpec::same_bytes`].
    pub const fn same_contents(&self, other: &Self) -> bool {
        self.same_elements(other) && self.same_buffers(other)
    }

    /// How far two layouts agree on the offsets of the elements, compared as by [`TiledSpec::first_difference`], but over at most
    /// this number of carries between dimensions and tiles. Only where tiles of combined dimensions cut them unevenly are there many:
    ///
    /// ```
    /// use tensor_layout::TiledSpec;
    /// use tensor_layout::parts::Agreement;
    /// let spec = |text: &str| text.parse::<TiledSpec>().unwrap();
    /// let array = spec("f32[1000003,1000003]{0,1:T(*,7)(3)}");
    /// let other = spec("f32[1000003,1000003,1]{2,0,1:T(*,7,1)(3,1)}");
    /// assert_eq!(array.agreement(&array, 0), Agreement::All);
    /// assert!(matches!(array.agreement(&other, 1000), Agreement::AtLeast(1000..)));
    /// ```
    pub const fn agreement(&self, other: &Self, carries: usize) -> Agreement {
        self.map().agreement(other.map(), carries)
    }

    /// The number, in row-major order, of the first element whose offset differs in the other layout; `None` if no offset differs.
    /// The arrays may have different shapes, as in [`TiledSpec::same_bytes`], and different numbers of elements; only the elements
    /// that both have are compared.
    pub const fn first_difference(&self, other: &Self) -> Option<usize> {
        self.map().first_difference(other.map())
    }

    /// Whether both arrays have the same number of bytes of prefix, and each element is in the same memory. Returns false for
    /// arrays that are split between memories and differ in their sizes or in minor_to_major.
    const fn same_buffers(&self, other: &Self) -> bool {
        if self.prefix_bytes() != other.prefix_bytes()
            || self.splits().len() != other.splits().len()
        {
            return false;
        }
        let mut i = 0;
        while i < self.splits().len() {
            let (a, b) = (&self.splits()[i], &other.splits()[i]);
            if a.dimension != b.dimension || !equal(a.indices.as_slice(), b.indices.as_slice()) {
                return false;
            }
            i += 1;
        }
        i == 0
            || equal(self.dims(), other.dims())
                && equal(self.minor_to_major(), other.minor_to_major())
    }

    /// Whether both arrays have the same number of elements, of the same type and stored bits.
    const fn same_elements(&self, other: &Self) -> bool {
        self.dtype() as usize == other.dtype() as usize
            && self.stored_bits() == other.stored_bits()
            && self.is_static()
            && other.is_static()
            && self.elements() == other.elements()
    }
}
