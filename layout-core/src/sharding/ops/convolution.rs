//! Convolutions.

use super::Mode;
use super::elementwise::product_type;
use super::error::{Result, Subject, wrong, wrong_with_help};
use super::execution::{KernelTypes, Shifts};
use super::input::Input;
use super::operation::{Infer, Inferred, Operation};
use super::sums::PartialSums;
use super::window::Window;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{PassThrough, Permutation, Reduction};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

pub(super) const ROWS: &[Operation] = &[Operation {
    names: &["convolution"],
    call: "convolution(x, w, input=[0,3,1,2], kernel=[2,3,0,1], output=[0,3,1,2], strides=[1,1])",
    attributes: &[
        "input",
        "kernel",
        "output",
        "strides",
        "padding",
        "batch_groups",
        "feature_groups",
        "type",
    ],
    infer: Infer::By(infer_convolution),
    sums: PartialSums::Any,
    kernel: KernelTypes::Numbers,
    only_imported: true,
    on_shards: true,
    shifts: Shifts::Spatial,
    ..Operation::DEFAULT
}];

/// The order of the dimensions of an array, `[b, f, 0, 1]`: the two dimensions that are not spatial, then the spatial ones.
fn roles<'a>(input: &Input<'a>, name: &str, rank: usize) -> Result<&'a [usize]> {
    let dims = input.named_dims(name, rank)?;
    if rank < 2 || dims.len() != rank {
        let message = format!(
            "expected `{name}`, the order of its {rank} dimensions: the two that are not spatial, then the spatial ones"
        );
        return wrong(Subject::Call, message);
    }
    Ok(dims)
}

/// `convolution(x, w, input=[0, 3, 1, 2], kernel=[2, 3, 0, 1], output=[0, 3, 1, 2], strides=[1, 1], padding=[1, 1, 1, 1])`:
/// batch, feature and spatial dimensions of the input and of the output; input feature, output feature and spatial dimensions
/// of the kernel.
fn infer_convolution(input: &Input<'_>) -> Result<Inferred> {
    input.arity(2)?;
    let (x, w) = (input.operands[0], input.operands[1]);
    let rank = x.dims.len();
    let (of_input, of_kernel) =
        (roles(input, "input", rank)?, roles(input, "kernel", w.dims.len())?);
    let of_output = roles(input, "output", rank)?;
    if w.dims.len() != rank {
        return wrong(
            Subject::Operand(1),
            format!("expected a kernel of rank {rank}, found {:?}", w.dims),
        );
    }
    let groups = |name: &str| match input.number(name)?.unwrap_or(1) {
        0 => wrong(
            Subject::Attribute(name.to_string()),
            format!("expected at least 1, found `{name}=0`"),
        ),
        groups => Ok(groups),
    };
    let (batch_groups, feature_groups) = (groups("batch_groups")?, groups("feature_groups")?);
    if batch_groups > 1 && feature_groups > 1 {
        let message = "either the batch or the features are split into groups, not both";
        let help = "leave one of the two out";
        return wrong_with_help(Subject::Attribute("feature_groups".to_string()), message, help);
    }
    let (batch, feature) = (x.dims[of_input[0]], x.dims[of_input[1]]);
    let (kernel_input, kernel_output) = (w.dims[of_kernel[0]], w.dims[of_kernel[1]]);
    let fits = Some(feature) == kernel_input.checked_mul(feature_groups)
        && batch.is_multiple_of(batch_groups)
        && kernel_output.is_multiple_of(batch_groups)
        && kernel_output.is_multiple_of(feature_groups);
    if !fits {
        let message = format!(
            "a kernel of {kernel_input} input and {kernel_output} output features does not fit {feature} features in batches of {batch}"
        );
        return wrong(Subject::Operand(1), message);
    }
    let window: Vec<_> = of_kernel[2..].iter().map(|&dim| w.dims[dim]).collect();
    if window.contains(&0) {
        return wrong(Subject::Operand(1), format!("a window of size {window:?} has no elements"));
    }
    let window = Window::new(input, window)?;
    let spatial: Vec<_> = of_input[2..].iter().map(|&dim| x.dims[dim]).collect();
    let counts = window.counts(&spatial)?;
    let sizes = [batch / batch_groups, kernel_output].into_iter().chain(counts);
    let mut result = alloc::vec![0; rank];
    of_output.iter().zip(sizes).for_each(|(&dim, size)| result[dim] = size);
    let dims = Convolution {
        input_batch: of_input[0],
        input_feature: of_input[1],
        input_spatial: of_input[2..].to_vec(),
        kernel_input: of_kernel[0],
        kernel_output: of_kernel[1],
        kernel_spatial: of_kernel[2..].to_vec(),
        output_batch: of_output[0],
        output_feature: of_output[1],
        output_spatial: of_output[2..].to_vec(),
        batch_groups,
        feature_groups,
    };
    let rule = convolution(x.dims, w.dims, &result, &dims, Mode::Normal);
    Ok(Inferred::one(rule, result, product_type(input)?))
}

/// The dimension numbers and groups of a convolution, for [`convolution`], which has an example.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Convolution {
    /// The batch dimension of the input.
    pub input_batch: usize,
    /// The feature dimension of the input.
    pub input_feature: usize,
    /// The spatial dimensions of the input.
    pub input_spatial: Vec<usize>,
    /// The dimension of the kernel for the features of the input.
    pub kernel_input: usize,
    /// The dimension of the kernel for the features of the output.
    pub kernel_output: usize,
    /// The spatial dimensions of the kernel.
    pub kernel_spatial: Vec<usize>,
    /// The batch dimension of the output.
    pub output_batch: usize,
    /// The feature dimension of the output.
    pub output_feature: usize,
    /// The spatial dimensions of the output.
    pub output_spatial: Vec<usize>,
    /// The number of groups into which the batch is split.
    pub batch_groups: usize,
    /// The number of groups into which the features are split.
    pub feature_groups: usize,
}

/// The rule of a convolution of an input with a kernel.
///
/// A spatial dimension of the input has two factors, the number of windows and the size of a window; the larger one is major.
///
/// ```
/// use tensor_layout::sharding::ops::{Convolution, Mode, convolution};
/// // 8 images of 32 rows and 3 features, by a kernel of 5 rows to 16 features.
/// let dims = Convolution {
///     input_batch: 0, input_spatial: vec![1], input_feature: 2,
///     kernel_spatial: vec![0], kernel_input: 1, kernel_output: 2,
///     output_batch: 0, output_spatial: vec![1], output_feature: 2,
///     batch_groups: 1, feature_groups: 1,
/// };
/// let rule = convolution(&[8, 32, 3], &[5, 3, 16], &[8, 28, 16], &dims, Mode::Normal);
/// assert_eq!(rule.to_string(), "<([i, j, k], [m, k, l])->([i, j, l]) {i=8, j=28, k=3, l=16, m=1} reduction={k} permutation={j}>");
/// ```
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
    // A single feature of the output, or of each group, has no factor that the kernel and the output share.
    if size > 1 {
        let operands = [None, Some(dims.kernel_output)];
        rule.factor(&operands, &[Some(dims.output_feature)], size, PassThrough);
    }
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
