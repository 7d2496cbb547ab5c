//! Convolutions.

use super::super::numbers::Numbers;
use super::blocks::computed;
use super::index::index_of;
use super::shape::strides;
use super::{Failed, LocalCall, Made};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// `convolution(x, kernel)` in MLIR. The dimensions of `x` and of the result are listed as batch, feature, then the spatial
/// dimensions; those of the kernel as output feature, input feature, then the spatial dimensions.
pub(super) fn convolution(call: &LocalCall<'_>) -> Made {
    let list = |name: &str| call.attributes.named_numbers(name);
    let (x, kernel, dims) = (call.operand(0), call.operand(1), call.result().local_dims());
    let (of_x, of_kernel, of_result) = (list("input"), list("kernel"), list("output"));
    let (stride, low, cut) = (list("stride"), list("low"), list("cut_low"));
    let (dilation, base, reverse) = (list("dilation"), list("base_dilation"), list("reverse"));
    let (x_size, kernel_size) = (x.dims(), kernel.dims());
    let spatial = dims.len().saturating_sub(2);
    let lists = [stride, low, cut, dilation, base, reverse];
    if [of_x, of_kernel, of_result].iter().any(|list| list.len() != spatial + 2)
        || lists.iter().any(|list| list.len() != spatial)
    {
        return Err(Failed::Not("its dimension numbers are missing".to_string()));
    }
    let window: Vec<_> = of_kernel[2..].iter().map(|&dim| kernel_size[dim]).collect();
    let features = kernel_size[of_kernel[1]];
    // Each group of features, and each group of the batch, computes a part of the features of the result.
    let groups = |size: usize, part: usize| (size / part.max(1)).max(1);
    let feature_groups = groups(x_size[of_x[1]], features);
    let batch_groups = groups(x_size[of_x[0]], dims[of_result[0]]);
    let per_group = dims[of_result[1]] / (feature_groups * batch_groups);
    let (of_x_stride, of_kernel_stride) = (strides(x_size), strides(kernel_size));
    // Calls `with` for each pair of elements of the two arrays whose product is a term of the element of the result.
    let pairs = |at: usize, with: &mut dyn FnMut(usize, usize)| {
        let to = index_of(at, dims);
        let feature = to[of_result[1]];
        let group = feature / per_group.max(1);
        let (batch_group, feature_group) = match batch_groups {
            1 => (0, group),
            _ => (group, 0),
        };
        let batch = batch_group * dims[of_result[0]] + to[of_result[0]];
        for number in 0..window.iter().product() {
            let offset = index_of(number, &window);
            let mut from = batch as isize * of_x_stride[of_x[0]];
            let mut weight = feature as isize * of_kernel_stride[of_kernel[0]];
            let is_inside = (0..spatial).all(|dim| {
                let dilated = to[of_result[dim + 2]] * stride[dim] + offset[dim] * dilation[dim];
                let Some(dilated) = (dilated + cut[dim]).checked_sub(low[dim]) else {
                    return false;
                };
                let position = dilated / base[dim].max(1);
                let tap = match reverse[dim] {
                    0 => offset[dim],
                    _ => window[dim] - 1 - offset[dim],
                };
                from += position as isize * of_x_stride[of_x[dim + 2]];
                weight += tap as isize * of_kernel_stride[of_kernel[dim + 2]];
                dilated.is_multiple_of(base[dim].max(1)) && position < x_size[of_x[dim + 2]]
            });
            if !is_inside {
                continue;
            }
            for own in 0..features {
                let from = from + (feature_group * features + own) as isize * of_x_stride[of_x[1]];
                let weight = weight + own as isize * of_kernel_stride[of_kernel[1]];
                with(from as usize, weight as usize);
            }
        }
    };
    macro_rules! summed {
        ($Sum:ty, $x:ident, $kernel:ident, $add:expr) => {{
            let of = |at: usize| {
                let mut sum = <$Sum>::default();
                pairs(at, &mut |from, weight| sum = $add(sum, $x[from], $kernel[weight]));
                sum
            };
            computed(call.result(), of)?
        }};
    }
    // Floating-point numbers are rounded once, at the end. Integers wrap around.
    let single = |sum: f64, x: f32, weight: f32| sum + f64::from(x) * f64::from(weight);
    let double = |sum: f64, x: f64, weight: f64| sum + x * weight;
    let integer = |sum: i128, x: i128, weight: i128| sum.wrapping_add(x.wrapping_mul(weight));
    let made = match (Numbers::of(x), Numbers::of(kernel)) {
        (Numbers::Single(x), Numbers::Single(kernel)) => summed!(f64, x, kernel, single),
        (Numbers::Double(x), Numbers::Double(kernel)) => summed!(f64, x, kernel, double),
        (Numbers::Integer(x), Numbers::Integer(kernel)) => summed!(i128, x, kernel, integer),
        _ => return Err(Failed::Not("its elements have different kinds".to_string())),
    };
    Ok(vec![made])
}
