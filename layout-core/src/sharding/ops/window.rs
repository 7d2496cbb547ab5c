//! Operations that move a window over an array.

use super::elementwise::product_type;
use super::{At, Input, Made, Result, wrong};
use crate::sharding::propagation::OpKind;
use crate::sharding::registry::{self, Convolution, Mode};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

/// How a window moves along each dimension.
struct Window<'a> {
    size: Vec<usize>,
    strides: &'a [usize],
    padding: &'a [usize],
}

impl<'a> Window<'a> {
    /// A window of this size, with the `strides` and the `padding` of a call: low and high for each dimension.
    fn new(input: &Input<'a>, size: Vec<usize>) -> Result<Self> {
        let (strides, padding) = (input.named("strides")?, input.named("padding")?);
        let rank = size.len();
        if !strides.is_empty() && (strides.len() != rank || strides.contains(&0)) {
            let message = format!("expected {rank} strides, none of them 0, found {strides:?}");
            return wrong(At::Named("strides".to_string()), message);
        }
        if !padding.is_empty() && padding.len() != 2 * rank {
            let message =
                format!("expected low and high padding for {rank} dimensions, found {padding:?}");
            return wrong(At::Named("padding".to_string()), message);
        }
        Ok(Self { size, strides, padding })
    }

    fn stride(&self, dim: usize) -> usize {
        self.strides.get(dim).copied().unwrap_or(1)
    }

    fn padding(&self, dim: usize) -> usize {
        self.padding.iter().skip(2 * dim).take(2).fold(0, |sum, &side| sum.saturating_add(side))
    }

    /// How often it fits along dimension `dim` of an array.
    fn count(&self, dim: usize, size: usize) -> Option<usize> {
        let rest = size.checked_add(self.padding(dim))?.checked_sub(self.size[dim])?;
        Some(rest / self.stride(dim) + 1)
    }

    fn counts(&self, sizes: &[usize]) -> Result<Vec<usize>> {
        let counts = sizes.iter().enumerate().map(|(dim, &size)| self.count(dim, size));
        match counts.collect() {
            Some(counts) => Ok(counts),
            None => wrong(
                At::Call,
                format!("a window of size {:?} does not fit into {sizes:?}", self.size),
            ),
        }
    }
}

/// The window that a call names, of the rank of its first operand.
fn named<'a>(input: &Input<'a>) -> Result<Window<'a>> {
    let (rank, size) = (input.first()?.dims.len(), input.named("window")?);
    if size.len() != rank || size.contains(&0) {
        let message = format!("expected `window`, {rank} sizes that are not 0, found {size:?}");
        return wrong(At::Call, message);
    }
    Window::new(input, size.to_vec())
}

/// `reduce_window(x, window=[1, 2], strides=[1, 2])`, or of several arrays at once.
pub(super) fn reduce_window(input: &Input<'_>) -> Result<Made> {
    let window = named(input)?;
    input.same(0, &[])?;
    let result = window.counts(input.operands[0].dims)?;
    let moves = |dim: &usize| {
        window.size[*dim] != 1 || window.stride(*dim) != 1 || window.padding(*dim) != 0
    };
    let moving: Vec<_> = (0..result.len()).filter(moves).collect();
    let count = input.operands.len();
    // The scalars to start from are not written.
    let mut rule = registry::reduce_window(count, &result, &moving, Mode::Normal);
    rule.operands.truncate(count);
    let results = input.operands.iter().map(|operand| (result.clone(), operand.dtype)).collect();
    Ok(Made { kind: OpKind::Other, rule: Some(rule), results, stablehlo: "" })
}

/// `select_and_scatter(x, source, window=[1, 2], strides=[1, 2])`
pub(super) fn select_and_scatter(input: &Input<'_>) -> Result<Made> {
    input.arity(2)?;
    let window = named(input)?;
    let (x, source) = (input.operands[0], input.operands[1].dims);
    input.all_same_elements()?;
    let expected = window.counts(x.dims)?;
    if source != expected {
        return wrong(
            At::Operand(1),
            format!("expected an array of size {expected:?}, found {source:?}"),
        );
    }
    // The scalar to start from is not written.
    let mut rule = registry::select_and_scatter(x.dims, source, Mode::Normal);
    rule.operands.truncate(2);
    Ok(Made::one(OpKind::Other, rule, (x.dims.to_vec(), x.dtype), ""))
}

/// The dimensions of one array: two of their own and the spatial ones, `[b, f, 0, 1]`.
fn roles<'a>(input: &Input<'a>, name: &str, rank: usize) -> Result<&'a [usize]> {
    let dims = input.named_dims(name, rank)?;
    if rank < 2 || dims.len() != rank {
        let message = format!(
            "expected `{name}`, the order of its {rank} dimensions: two of their own, then the spatial ones"
        );
        return wrong(At::Call, message);
    }
    Ok(dims)
}

/// `convolution(x, w, input=[0, 3, 1, 2], kernel=[2, 3, 0, 1], output=[0, 3, 1, 2], strides=[1, 1], padding=[1, 1, 1, 1])`:
/// batch, feature and spatial dimensions of the input and of the output, input feature, output feature and spatial
/// dimensions of the kernel.
pub(super) fn convolution(input: &Input<'_>) -> Result<Made> {
    input.arity(2)?;
    let (x, w) = (input.operands[0], input.operands[1]);
    let rank = x.dims.len();
    let (of_input, of_kernel) =
        (roles(input, "input", rank)?, roles(input, "kernel", w.dims.len())?);
    let of_output = roles(input, "output", rank)?;
    if w.dims.len() != rank {
        return wrong(
            At::Operand(1),
            format!("expected a kernel of rank {rank}, found {:?}", w.dims),
        );
    }
    let groups = |name: &str| match input.number(name)?.unwrap_or(1) {
        0 => wrong(At::Named(name.to_string()), format!("expected at least 1, found `{name}=0`")),
        groups => Ok(groups),
    };
    let (batch_groups, feature_groups) = (groups("batch_groups")?, groups("feature_groups")?);
    if batch_groups > 1 && feature_groups > 1 {
        let message = "either the batch or the features are split into groups, not both";
        return wrong(At::Named("feature_groups".to_string()), message);
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
        return wrong(At::Operand(1), message);
    }
    let window: Vec<_> = of_kernel[2..].iter().map(|&dim| w.dims[dim]).collect();
    if window.contains(&0) {
        return wrong(At::Operand(1), format!("a window of size {window:?} has no elements"));
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
    let rule = registry::convolution(x.dims, w.dims, &result, &dims, Mode::Normal);
    Ok(Made::one(OpKind::Other, rule, (result, product_type(input)?), ""))
}
