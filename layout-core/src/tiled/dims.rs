//! Dimensions by number and by name.

use super::spec::TiledSpec;
use crate::parts::Coordinates;

/// The letters of XLA's document on shapes for the dimensions of arrays of rank 2, 3 and 4, used for rank 1 as well.
const LETTERS: [&str; 4] = ["p", "z", "y", "x"];

impl TiledSpec {
    /// The true rank: the number of dimensions whose size is greater than 1. An unbounded dimension is not counted, because
    /// its size is not known.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[1,3,1,5]".parse().unwrap();
    /// assert_eq!((spec.rank(), spec.true_rank()), (4, 2));
    /// ```
    pub const fn true_rank(&self) -> usize {
        let (mut rank, mut dim) = (0, 0);
        while dim < self.rank() {
            rank += (self.dims()[dim] > 1) as usize;
            dim += 1;
        }
        rank
    }

    /// Resolves the number of a dimension, which may count from the end: -1 is the last.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[2,3,5]{0,1,2}".parse().unwrap();
    /// assert_eq!((spec.dim(-1), spec.dim(-2), spec.dim(1)), (2, 1, 1));
    /// assert_eq!(spec.stride(spec.dim(-1)), Some(6));
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension; [`TiledSpec::checked_dim`] does not.
    #[track_caller]
    pub const fn dim(&self, number: isize) -> usize {
        match self.checked_dim(number) {
            Some(dim) => dim,
            None => panic!("no such dimension"),
        }
    }

    /// [`TiledSpec::dim`], or `None` if there is no such dimension.
    pub const fn checked_dim(&self, number: isize) -> Option<usize> {
        let dim = if number < 0 {
            // The rank is at most 16.
            match self.rank().checked_sub(number.unsigned_abs()) {
                Some(dim) => dim,
                None => return None,
            }
        } else {
            number.unsigned_abs()
        };
        if dim < self.rank() { Some(dim) } else { None }
    }

    /// The size of a dimension, -1 being the last; 0 for an unbounded one.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[2,3,5]".parse().unwrap();
    /// assert_eq!((spec.dim_size(-1), spec.dim_size(-2), spec.dim_size(0)), (5, 3, 2));
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    #[track_caller]
    pub const fn dim_size(&self, number: isize) -> usize {
        self.dims()[self.dim(number)]
    }

    /// Where each dimension is in the physical order, 0 being the most major: the inverse of
    /// [`TiledSpec::physical_order`].
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[2,3,5]{1,0,2}".parse().unwrap();
    /// assert_eq!(spec.physical_order(), [2, 0, 1]);
    /// assert_eq!(spec.logical_to_physical(), [1, 2, 0]);
    /// ```
    pub const fn logical_to_physical(&self) -> Coordinates {
        let mut order = self.physical_order();
        let mut i = 0;
        while i < self.rank() {
            order.as_mut_slice()[self.minor_to_major()[i]] = self.rank() - 1 - i;
            i += 1;
        }
        order
    }

    /// The letters that XLA's document gives to the dimensions: `y`, `x` in two, `z`, `y`, `x` in three, `p`, `z`, `y`,
    /// `x` in four. `None` if there are more.
    ///
    /// ```
    /// let names = |text: &str| text.parse::<tensor_layout::TiledSpec>().unwrap().dim_names();
    /// assert_eq!(names("f32[2,3]"), Some(&["y", "x"][..]));
    /// assert_eq!(names("f32[2,3,5,7]"), Some(&["p", "z", "y", "x"][..]));
    /// assert_eq!(names("f32[2,3,5,7,11]"), None);
    /// ```
    pub const fn dim_names(&self) -> Option<&'static [&'static str]> {
        if self.rank() > LETTERS.len() {
            return None;
        }
        let letters: &'static [&'static str] = &LETTERS;
        Some(letters.split_at(LETTERS.len() - self.rank()).1)
    }

    /// The usual name of the order of the dimensions: `dim 0 is major` for `{2,1,0}`, `dim 0 is minor` for `{0,1,2}`.
    /// `None` for other orders, and for arrays of fewer than two dimensions.
    ///
    /// ```
    /// let name = |text: &str| text.parse::<tensor_layout::TiledSpec>().unwrap().order_name();
    /// assert_eq!(name("f32[2,3]{1,0}"), Some("dim 0 is major"));
    /// assert_eq!(name("f32[2,3]{0,1}"), Some("dim 0 is minor"));
    /// assert_eq!((name("f32[2,3,5]{1,0,2}"), name("f32[2]")), (None, None));
    /// ```
    pub const fn order_name(&self) -> Option<&'static str> {
        let (order, rank) = (self.minor_to_major(), self.rank());
        let (mut ascending, mut descending) = (rank > 1, rank > 1);
        let mut i = 0;
        while i < rank {
            ascending &= order[i] == i;
            descending &= order[i] == rank - 1 - i;
            i += 1;
        }
        match (ascending, descending) {
            (true, _) => Some("dim 0 is minor"),
            (_, true) => Some("dim 0 is major"),
            _ => None,
        }
    }

    /// Whether `index` has the array's rank and is within its bounds.
    pub const fn contains(&self, index: &[usize]) -> bool {
        self.map().contains(index)
    }

    /// The number of last dimensions that are contiguous: their elements are stored in row-major order, without padding in
    /// between.
    ///
    /// ```
    /// let dims = |text: &str| text.parse::<tensor_layout::TiledSpec>().unwrap().contiguous_dims();
    /// assert_eq!(dims("f32[4,24,128]{2,1,0:T(8,128)}"), 3);
    /// assert_eq!(dims("f32[4,20,128]{2,1,0:T(8,128)}"), 2, "20 rows are padded to 24");
    /// assert_eq!(dims("f32[4,24,256]{2,1,0:T(8,128)}"), 0, "rows are cut by tiles");
    /// assert_eq!(dims("f32[4,24,128]{1,2,0}"), 0);
    /// ```
    pub const fn contiguous_dims(&self) -> usize {
        let (mut count, mut stride, mut dim) = (0, 1, self.rank());
        while dim > 0 {
            dim -= 1;
            // A dimension of size 1 is contiguous wherever it is in the order.
            if self.dims()[dim] != 1 {
                match self.stride(dim) {
                    Some(actual) if actual == stride => stride *= self.dims()[dim],
                    _ => return count,
                }
            }
            count += 1;
        }
        count
    }
}
