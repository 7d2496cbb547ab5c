//! Layouts and shapes in which an array would waste less.

use tensor_layout::{DType, TiledSpec};

/// The largest number of dimensions of an array for which other orders are tried.
const MAX_RANK: usize = 6;

/// How an array could waste less.
pub(crate) struct Better {
    /// Another order of the same dimensions.
    pub(crate) layout: Option<TiledSpec>,
    /// Another shape of the same elements in the same order, as a reshape returns it.
    pub(crate) shape: Option<TiledSpec>,
}

impl Better {
    /// Layouts that take fewer bytes than the array's own, among those that the TPU compiler considers. A shape is returned if
    /// it takes fewer bytes than every order of the dimensions.
    pub(crate) fn of(spec: &TiledSpec) -> Option<Self> {
        let (dtype, dims) = (spec.dtype(), spec.dims());
        if spec.tiles().is_empty() || dims.len() > MAX_RANK || !spec.is_static() {
            return None;
        }
        let least = |specs: Vec<TiledSpec>, below: usize| {
            let fewer = specs.into_iter().filter(|spec| spec.storage_bytes() < below);
            fewer.min_by_key(TiledSpec::storage_bytes)
        };
        let layout = least(TiledSpec::tpu_candidates(dtype, dims), spec.storage_bytes());
        let below = layout.as_ref().map_or(spec.storage_bytes(), TiledSpec::storage_bytes);
        let shape = least(merged(dtype, dims), below);
        (layout.is_some() || shape.is_some()).then_some(Self { layout, shape })
    }
}

/// The array with neighbouring dimensions merged into one or two: `[4,1000,3]` as `[12000]`, `[4,3000]` and `[4000,3]`.
fn merged(dtype: DType, dims: &[usize]) -> Vec<TiledSpec> {
    let size = |dims: &[usize]| dims.iter().fold(1, |all: usize, size| all.saturating_mul(*size));
    let pairs = (1..dims.len()).map(|at| vec![size(&dims[..at]), size(&dims[at..])]);
    let shapes = pairs.chain([vec![size(dims)]]).filter(|shape| shape.len() < dims.len());
    shapes.filter_map(|shape| TiledSpec::tpu_default(dtype, &shape)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn better(text: &str) -> [Option<String>; 2] {
        let better = Better::of(&text.parse().unwrap());
        let text = |spec: Option<TiledSpec>| spec.map(|spec| spec.to_string());
        better.map_or([None, None], |better| [text(better.layout), text(better.shape)])
    }

    #[test]
    fn a_long_column_is_laid_out_along_its_length() {
        // The array is padded to 1000 x 128 elements; in the other order, to 4 x 1024; in one dimension, to 3 x 1024.
        let [layout, shape] = better("f32[1000,3]{1,0:T(8,128)}");
        assert_eq!(layout.as_deref(), Some("f32[1000,3]{0,1:T(4,128)}"));
        assert_eq!(shape.as_deref(), Some("f32[3000]{0:T(1024)}"));
    }

    #[test]
    fn what_wastes_nothing_stays() {
        assert_eq!(better("f32[64,256]{1,0:T(8,128)}"), [None, None]);
        assert_eq!(better("f32[1000,3]{1,0}"), [None, None]);
    }
}
