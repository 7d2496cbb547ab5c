use super::Mode;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{PassThrough, Permutation, Reduction};
use alloc::vec::Vec;

/// Which dimension of its tensors is what to a convolution.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Convolution {
    /// The batch dimension of the input.
    pub input_batch: usize,
    /// The feature dimension of the input.
    pub input_feature: usize,
    /// Spatial dimensions of the input.
    pub input_spatial: Vec<usize>,
    /// The dimension of the kernel that goes with the features of the input.
    pub kernel_input: usize,
    /// The dimension of the kernel that goes with the features of the output.
    pub kernel_output: usize,
    /// Spatial dimensions of the kernel.
    pub kernel_spatial: Vec<usize>,
    /// The batch dimension of the output.
    pub output_batch: usize,
    /// The feature dimension of the output.
    pub output_feature: usize,
    /// Spatial dimensions of the output.
    pub output_spatial: Vec<usize>,
    /// Number of groups that the batch is split into.
    pub batch_groups: usize,
    /// Number of groups that the features are split into.
    pub feature_groups: usize,
}

/// A convolution of an input with a kernel.
///
/// A spatial dimension of the input is made of the number of windows and the size of a window, the larger one major.
pub fn convolution(
    input: &[usize],
    kernel: &[usize],
    output: &[usize],
    dims: &Convolution,
    mode: Mode,
) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[input.len(), kernel.len()], &[output.len()]);
    let (batch, feature) = (dims.input_batch, dims.input_feature);
    if dims.batch_groups > 1 {
        let operands = [Some(batch), Some(dims.kernel_output)];
        rule.factor(&operands, &[Some(dims.output_feature)], dims.batch_groups, PassThrough);
    }
    let size = output[dims.output_batch];
    rule.factor(&[Some(batch), None], &[Some(dims.output_batch)], size, PassThrough);
    if !mode.is_conservative() {
        spatial(&mut rule, input, kernel, output, dims);
    }
    if dims.feature_groups > 1 {
        let operands = [Some(feature), Some(dims.kernel_output)];
        rule.factor(&operands, &[Some(dims.output_feature)], dims.feature_groups, PassThrough);
    }
    let operands = [Some(feature), Some(dims.kernel_input)];
    rule.factor(&operands, &[None], kernel[dims.kernel_input], Reduction);
    let groups = dims.batch_groups.saturating_mul(dims.feature_groups).max(1);
    let size = output[dims.output_feature] / groups;
    let operands = [None, Some(dims.kernel_output)];
    rule.factor(&operands, &[Some(dims.output_feature)], size, PassThrough);
    rule.build()
}

fn spatial(
    rule: &mut RuleBuilder,
    input: &[usize],
    kernel: &[usize],
    output: &[usize],
    dims: &Convolution,
) {
    let of_kernel_and_output = dims.kernel_spatial.iter().zip(&dims.output_spatial);
    for (&from, (&window, &to)) in dims.input_spatial.iter().zip(of_kernel_and_output) {
        let mut left = input[from];
        let mut add = |size: usize, in_window: bool| {
            let size = size.min(left);
            if size > 1 {
                let window = in_window.then_some(window);
                let to = (!in_window).then_some(to);
                let kind = if in_window { Reduction } else { Permutation };
                rule.factor(&[Some(from), window], &[to], size, kind);
                left /= size;
            }
        };
        let windows_first = output[to] >= kernel[window];
        for in_window in [!windows_first, windows_first] {
            add(if in_window { kernel[window] } else { output[to] }, in_window);
        }
    }
}
