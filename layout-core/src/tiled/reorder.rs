//! Shapes and layouts derived from another one: with dimensions moved in the order or deleted, and between host and device.
//! The tiles stay the same and apply to the dimensions in their new order, as in XLA.

use super::draft::{Draft, Padded, Split};
use super::spec::TiledSpec;
use crate::list::List;
use crate::parts::{Coordinates, MAX_RANK};

type Dims = List<usize, MAX_RANK>;

impl TiledSpec {
    /// The array with a dimension moved to the most major position of the order, -1 being the last dimension. `None` if
    /// there is no such dimension, or the padded array does not fit the address space.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[2,3,5]{2,1,0}".parse().unwrap();
    /// assert_eq!(spec.dim_to_major(1).unwrap().to_string(), "f32[2,3,5]{2,0,1}");
    /// assert_eq!(spec.dim_to_major(-1).unwrap().to_string(), "f32[2,3,5]{1,0,2}");
    /// ```
    pub const fn dim_to_major(&self, dim: isize) -> Option<Self> {
        let Some(dim) = self.checked_dim(dim) else { return None };
        self.reordered(push(self.order_without(dim), dim))
    }

    /// The array with a dimension moved to the most minor position of the order, -1 being the last dimension. `None` as for
    /// [`TiledSpec::dim_to_major`].
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[2,3,5]{2,1,0}".parse().unwrap();
    /// assert_eq!(spec.dim_to_minor(1).unwrap().to_string(), "f32[2,3,5]{1,2,0}");
    /// ```
    pub const fn dim_to_minor(&self, dim: isize) -> Option<Self> {
        let Some(dim) = self.checked_dim(dim) else { return None };
        let rest = self.order_without(dim);
        let mut order = push(List::new(0), dim);
        let mut i = 0;
        while i < rest.len() {
            order = push(order, rest.as_slice()[i]);
            i += 1;
        }
        self.reordered(order)
    }

    /// The array with its dimensions in the order `minor_to_major`, and otherwise the same. `None` if the order is not a
    /// permutation of the dimensions, or if a split does not fit the dimension at its new physical position.
    pub const fn with_order(&self, minor_to_major: &[usize]) -> Option<Self> {
        match List::of(minor_to_major) {
            Some(order) => self.reordered(order),
            None => None,
        }
    }

    const fn reordered(&self, order: Dims) -> Option<Self> {
        valid(Draft { minor_to_major: order, ..*self.draft() })
    }

    const fn order_without(&self, dim: usize) -> Dims {
        let mut order = List::new(0);
        let mut i = 0;
        while i < self.rank() {
            if self.minor_to_major()[i] != dim {
                order = push(order, self.minor_to_major()[i]);
            }
            i += 1;
        }
        order
    }

    /// The shape without some dimensions, -1 being the last one; the others keep their order. `None` if there is no such
    /// dimension, or one is named twice.
    ///
    /// The tiles then apply to the remaining dimensions, so bytes may move even if the deleted dimensions have size 1;
    /// [`TiledSpec::reshape_is_bitcast`] returns whether they do.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[2,3,5,7]{3,1,0,2:T(8,128)}".parse().unwrap();
    /// assert_eq!(spec.without_dims(&[1]).unwrap().to_string(), "f32[2,5,7]{2,0,1:T(8,128)}");
    /// assert_eq!(spec.without_dims(&[-1, 0]).unwrap().to_string(), "f32[3,5]{0,1:T(8,128)}");
    /// assert_eq!(spec.without_dims(&[3, -1]), None);
    /// ```
    pub const fn without_dims(&self, dims: &[isize]) -> Option<Self> {
        let mut deleted: u16 = 0;
        let mut i = 0;
        while i < dims.len() {
            let Some(dim) = self.checked_dim(dims[i]) else { return None };
            if deleted >> dim & 1 == 1 {
                return None;
            }
            deleted |= 1 << dim;
            i += 1;
        }
        self.without(deleted)
    }

    /// The shape without its dimensions of size 1; see [`TiledSpec::without_dims`].
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[1,16,1,128]{3,1,2,0:T(8,128)}".parse().unwrap();
    /// let dropped = spec.without_unit_dims().unwrap();
    /// assert_eq!(dropped.to_string(), "f32[16,128]{1,0:T(8,128)}");
    /// assert!(spec.reshape_is_bitcast(&dropped));
    /// ```
    pub const fn without_unit_dims(&self) -> Option<Self> {
        let mut units = 0;
        let mut dim = 0;
        while dim < self.rank() {
            units |= ((self.dims()[dim] == 1) as u16) << dim;
            dim += 1;
        }
        self.without(units)
    }

    /// The shape without the dimensions whose bits are set.
    const fn without(&self, deleted: u16) -> Option<Self> {
        let draft = self.draft();
        // The new numbers of the remaining dimensions, and of the physical dimensions.
        let (mut names, mut physical) = ([0; MAX_RANK], [None; MAX_RANK]);
        let (mut dims, mut widths, mut order) = (List::new(0), List::new(0), List::new(0));
        let (mut bounded, mut unbounded) = (0, 0);
        let mut dim = 0;
        while dim < self.rank() {
            if deleted >> dim & 1 == 0 {
                let name = dims.len();
                names[dim] = name;
                bounded |= (draft.bounded >> dim & 1) << name;
                unbounded |= (draft.unbounded >> dim & 1) << name;
                dims = push(dims, self.dims()[dim]);
                widths = push(widths, self.widths()[dim]);
            }
            dim += 1;
        }
        let (mut i, mut at) = (self.rank(), 0);
        while i > 0 {
            i -= 1;
            if deleted >> self.minor_to_major()[i] & 1 == 0 {
                physical[self.rank() - 1 - i] = Some(at);
                at += 1;
            }
        }
        while i < self.rank() {
            let dim = self.minor_to_major()[i];
            if deleted >> dim & 1 == 0 {
                order = push(order, names[dim]);
            }
            i += 1;
        }
        let mut splits = Draft::row_major(draft.dtype, dims).splits;
        i = 0;
        while i < self.splits().len() {
            let split = self.splits()[i];
            if let Some(dimension) = physical[split.dimension]
                && let Ok(longer) = splits.push(Split { dimension, ..split })
            {
                splits = longer;
            }
            i += 1;
        }
        let padded = match draft.padded {
            Some(padded) => Some(Padded { widths, ..padded }),
            None => None,
        };
        let minor_to_major = order;
        valid(Draft { dims, bounded, unbounded, minor_to_major, splits, padded, ..*draft })
    }

    /// The same transpose with the fewest dimensions: their sizes and their permutation. Dimensions of size 1 are left out,
    /// and dimensions that stay adjacent are merged. `None` if `permutation` is not a permutation of the dimensions.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[2,3,1,5,7]".parse().unwrap();
    /// let (sizes, permutation) = spec.normalized_transpose(&[3, 4, 2, 0, 1]).unwrap();
    /// assert_eq!((sizes.as_slice(), permutation.as_slice()), (&[6, 35][..], &[1, 0][..]));
    /// ```
    pub const fn normalized_transpose(
        &self,
        permutation: &[usize],
    ) -> Option<(Coordinates, Coordinates)> {
        if self.transposed(permutation).is_none() {
            return None;
        }
        // The dimensions of other sizes than 1 in their new order, and whether each follows its predecessor in the array too.
        let (mut order, mut continues, mut at) = (List::new(0), [false; MAX_RANK], 0);
        while at < permutation.len() {
            let dim = permutation[at];
            if self.dims()[dim] != 1 {
                let last = order.len();
                continues[dim] = last > 0 && self.follows(order.as_slice()[last - 1], dim);
                order = push(order, dim);
            }
            at += 1;
        }
        // A dimension that does not continue another one starts a group; groups are numbered in the array's order.
        let (mut sizes, mut group, mut dim) = (List::new(0), [0; MAX_RANK], 0);
        while dim < self.rank() {
            let size = self.dims()[dim];
            if size != 1 && !continues[dim] {
                group[dim] = sizes.len();
                sizes = push(sizes, size);
            } else if size != 1 {
                // The product of all sizes fits, unless one size is 0: then the product of the others may overflow.
                sizes.items[sizes.len() - 1] = sizes.items[sizes.len() - 1].saturating_mul(size);
            }
            dim += 1;
        }
        let (mut groups, mut at) = (List::<usize, MAX_RANK>::new(0), 0);
        while at < order.len() {
            let dim = order.as_slice()[at];
            if !continues[dim] {
                groups = push(groups, group[dim]);
            }
            at += 1;
        }
        match (Coordinates::new(sizes.as_slice()), Coordinates::new(groups.as_slice())) {
            (Some(sizes), Some(groups)) => Some((sizes, groups)),
            _ => None,
        }
    }

    /// Whether `next` is the first dimension after `dim` whose size is not 1.
    const fn follows(&self, dim: usize, next: usize) -> bool {
        let mut after = dim + 1;
        while after < next && self.dims()[after] == 1 {
            after += 1;
        }
        after == next
    }

    /// The shape on the host of an array of a device: the same dimensions in the same order, without tiles, element
    /// bits, memory space, alignment, splits, prefix and padding.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "s4[64,256]{0,1:T(64,128)(8,1)E(4)S(1)}".parse().unwrap();
    /// assert_eq!(spec.host_shape().to_string(), "s4[64,256]{0,1}");
    /// ```
    pub const fn host_shape(&self) -> Self {
        let draft = self.draft();
        let plain = Draft::untiled(draft.dtype, draft.dims, draft.minor_to_major);
        let host = Draft { bounded: draft.bounded, unbounded: draft.unbounded, ..plain };
        match valid(host) {
            Some(host) => host,
            // Only elements narrower than a byte take more bytes on the host, one each; validating this layout has already made
            // sure that those bytes fit.
            None => unreachable!(),
        }
    }

    /// The shape on a TPU (v4 and later) of an array of the host: its dimensions in the default layout. `None` as for
    /// [`TiledSpec::tpu_default`], and if a dimension is unbounded.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "bf16[<=1000,384]{0,1}".parse().unwrap();
    /// assert_eq!(spec.device_shape().unwrap().to_string(), "bf16[<=1000,384]{1,0:T(8,128)(2,1)}");
    /// ```
    pub const fn device_shape(&self) -> Option<Self> {
        if !self.is_static() {
            return None;
        }
        match Draft::tpu_default(self.dtype(), self.draft().dims) {
            Some(draft) => valid(Draft { bounded: self.draft().bounded, ..draft }),
            None => None,
        }
    }
}

const fn valid(draft: Draft) -> Option<TiledSpec> {
    match draft.validate() {
        Ok(spec) => Some(spec),
        Err(_) => None,
    }
}

const fn push(list: Dims, item: usize) -> Dims {
    match list.push(item) {
        Ok(list) | Err(list) => list,
    }
}
