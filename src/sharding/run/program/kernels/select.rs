//! Elements of windows that a comparison selects.

use super::super::numbers::Numbers;
use super::window::Windows;
use super::{Failed, LocalCall, Made};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// `select_and_scatter(x, source, start)` in MLIR: selects one element of each window of `x`, and combines the window's element of
/// `source` into the result at the index of the selected element. All elements of the result start from `start`. The gradient of a
/// maximum over windows is such an operation.
pub(super) fn select_and_scatter(call: &LocalCall<'_>) -> Made {
    let ([x, source, start], [selects, combines]) = (&call.operands[..], call.bodies) else {
        return Err(Failed::Not("it does not say what it selects".to_string()));
    };
    let wrong = || Failed::Not("its bodies do not take its elements".to_string());
    let dims = x.array.dims();
    let windows = Windows::of(call, dims);
    let (numbers, source_numbers) = (Numbers::of(&x.array), Numbers::of(&source.array));
    let mut made = Numbers::of(&start.array).repeated(dims.iter().product());
    let mut values = Vec::new();
    for at in 0..source.array.dims().iter().product() {
        let mut selected = None;
        for from in windows.taken(at, source.array.dims()) {
            let keeps = match selected {
                None => false,
                Some(own) => {
                    let both = [numbers.at(own), numbers.at(from)];
                    selects.holds(&both, &mut values).ok_or_else(wrong)?
                }
            };
            if !keeps {
                selected = Some(from);
            }
        }
        if let Some(to) = selected {
            let both = [made.at(to), source_numbers.at(at)];
            let combined = combines.run(&both, &mut values).ok_or_else(wrong)?;
            made.set(to, *combined.first().ok_or_else(wrong)?);
        }
    }
    Ok(vec![made.store(x.array.dtype(), dims)?])
}
