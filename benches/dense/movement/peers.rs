//! The same movements by other crates.

use ndarray::{ArrayView, ArrayViewMut, IxDyn, ShapeBuilder};
use tensor_layout::{Host, HostValue, Layout};

/// Element by element, by the index function: the simplest loop.
pub(crate) fn pack<L: Layout>(row_major: &[Host<L>], packed: &mut [u8]) {
    let width = size_of::<Host<L>>();
    let mut index = L::Index::default();
    for value in row_major {
        value.write_le(&mut packed[L::offset(index) * width..][..width]);
        advance::<L>(&mut index);
    }
}

/// The reverse.
pub(crate) fn unpack<L: Layout>(packed: &[u8], row_major: &mut [Host<L>]) {
    let width = size_of::<Host<L>>();
    let mut index = L::Index::default();
    for value in row_major {
        *value = Host::<L>::from_le(&packed[L::offset(index) * width..][..width]);
        advance::<L>(&mut index);
    }
}

#[inline(always)]
fn advance<L: Layout>(index: &mut L::Index) {
    let (index, dims) = (index.as_mut(), L::DIMS);
    for dim in (0..L::RANK).rev() {
        index[dim] += 1;
        if index[dim] < dims.as_ref()[dim] {
            return;
        }
        index[dim] = 0;
    }
}

/// The sizes and strides that `ndarray` needs: one axis for each part of the layout; `None` where a tile is not full.
pub(crate) struct Strides {
    sizes: Vec<usize>,
    row_major: Vec<usize>,
    packed: Vec<usize>,
}

impl Strides {
    pub(crate) fn of<L: Layout>() -> Option<Self> {
        let spec = <L as Layout>::SPEC;
        let whole = spec.len() == spec.elements() && spec.map().terms().is_empty();
        if !whole || spec.stored_bits() != size_of::<Host<L>>() * 8 {
            return None;
        }
        let parts = spec.map().parts().iter().filter(|part| part.size > 1);
        let stride = |dim: usize| spec.dims()[dim + 1..].iter().product::<usize>();
        Some(Self {
            sizes: parts.clone().map(|part| part.size).collect(),
            row_major: parts.clone().map(|part| stride(part.source) * part.div).collect(),
            packed: parts.map(|part| part.stride).collect(),
        })
    }

    /// Assigns a permuted view.
    pub(crate) fn pack<T: Copy>(&self, row_major: &[T], packed: &mut [T]) {
        assign(&self.sizes, (&self.row_major, row_major), (&self.packed, packed));
    }

    /// The reverse.
    pub(crate) fn unpack<T: Copy>(&self, packed: &[T], row_major: &mut [T]) {
        assign(&self.sizes, (&self.packed, packed), (&self.row_major, row_major));
    }
}

fn assign<T: Copy>(sizes: &[usize], from: (&[usize], &[T]), to: (&[usize], &mut [T])) {
    let shape = |strides: &[usize]| IxDyn(sizes).strides(IxDyn(strides));
    let from = ArrayView::from_shape(shape(from.0), from.1).expect("the parts fill the array");
    let mut to = ArrayViewMut::from_shape(shape(to.0), to.1).expect("the parts fill the array");
    to.assign(&from);
}
