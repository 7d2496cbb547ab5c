//! Reads numbers from stored arrays, and quantizes them.

use super::Result;
use super::error::CheckpointError;
use super::storable::StoredSpec;
use crate::movement::DynLayout;
use crate::movement::host::zeroed;
use crate::quantized::{DynQuantizedRef, QuantizedError, QuantizedSpec, pack_part};
use half::{bf16, f16};
use layout_core::dtype::DType;
use layout_core::quantized::Arrangement;
use std::boxed::Box;
use std::format;
use std::vec::Vec;

/// The number of numbers that are rounded at a time.
const ROUNDED: usize = 1 << 16;

/// Reads a window of a stored array into a row-major array of [`StoredSpec::unpacked`], given as bytes.
pub(super) fn unpack_window(
    name: &str,
    from: &StoredSpec,
    origin: &[usize],
    dims: &[usize],
    bytes: &[u8],
    row_major: &mut [u8],
) -> Result<()> {
    let spec = match from {
        StoredSpec::Tiled(spec) => {
            return spec
                .unpack_window_bytes(origin, dims, bytes, row_major)
                .map_err(|source| CheckpointError::Pack { name: name.into(), source });
        }
        StoredSpec::Quantized(spec) => spec,
        // The whole array is unpacked, because its elements are not in row-major order.
        StoredSpec::Sparse(_) => {
            let stored = Box::new(*from);
            return Err(CheckpointError::Sparse { name: name.into(), stored });
        }
    };
    let wrong = |source| CheckpointError::Quantized { name: name.into(), source };
    let array = DynQuantizedRef::new(*spec, bytes).map_err(wrong)?;
    // Block-scaled arrays have at least one dimension.
    let ([outer_origin @ .., first], [outer @ .., columns]) = (origin, dims) else { return Ok(()) };
    // A row of an array without elements can be longer than memory.
    if row_major.is_empty() {
        return Ok(());
    }
    let mut row = std::vec![0.0; spec.columns()];
    for (number, to) in row_major.chunks_exact_mut(columns * size_of::<f32>()).enumerate() {
        let (mut rest, mut from, mut stride) = (number, 0, 1);
        for ((origin, size), whole) in outer_origin.iter().zip(outer).zip(spec.dims()).rev() {
            from += (origin + rest % size) * stride;
            (rest, stride) = (rest / size, stride * whole);
        }
        array.rows(from..from + 1).unpack_into(&mut row).map_err(wrong)?;
        for (to, from) in to.as_chunks_mut::<4>().0.iter_mut().zip(&row[*first..]) {
            *to = from.to_le_bytes();
        }
    }
    Ok(())
}

/// Quantizes the window that begins at `origin` and has the sizes of `to`, about `slab` bytes at a time, and passes the packed
/// bytes in order to `write`. `from` is the layout and the bytes of an array of `f32`, `bf16` or `f16`, or of a block-scaled
/// array.
pub(super) fn pack(
    name: &str,
    from: (&StoredSpec, &[u8]),
    origin: &[usize],
    to: &QuantizedSpec,
    slab: usize,
    write: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    if *from.0 == StoredSpec::Quantized(*to) {
        // Quantizing an array again in the same way can change it.
        let mut slabs = from.1.chunks(slab);
        return slabs.try_for_each(&mut *write).and_then(|()| match from.1.is_empty() {
            true => write(&[]),
            false => Ok(()),
        });
    }
    let error = |source| CheckpointError::Quantized { name: name.into(), source };
    let mut largest = 0.0;
    if to.has_tensor_scale() {
        windows(name, from, origin, to, slab, &mut |_, values| {
            largest = values.iter().map(|x| x.abs()).fold(largest, f32::max);
            Ok(())
        })?;
    }
    let (mut packed, mut unpacked, mut scales) = (Vec::new(), Vec::new(), Vec::<u8>::new());
    let mut written = 0;
    windows(name, from, origin, to, slab, &mut |first, values| {
        let (dims, block) = ([values.len()], to.block());
        let part = QuantizedSpec::new(
            to.element(),
            &dims,
            to.scale(),
            block,
            to.has_tensor_scale(),
            to.arrangement(),
        );
        // A part of a valid array is valid.
        let Ok(part) = part else { return Ok(()) };
        packed.clear();
        packed.resize(part.bytes(), 0);
        pack_part(&part, values, largest, &mut packed)
            .map_err(|source| error(of_whole(source, first, to)))?;
        unpacked.resize(values.len(), 0.0);
        let view = DynQuantizedRef::new(part, &packed).map_err(error)?;
        view.unpack_into(&mut unpacked).map_err(error)?;
        check_bound(name, to, largest, (values, &unpacked))?;
        let bytes = match to.arrangement() {
            Arrangement::Blocks => &packed[..],
            Arrangement::Planes => {
                let blocks = values.len() / block;
                scales.extend(&packed[part.scales_start()..][..blocks * part.scale_stride()]);
                &packed[..blocks * part.element_stride()]
            }
        };
        written += bytes.len();
        write(bytes)
    })?;
    let end = end_of(to, written, scales, largest);
    if !end.is_empty() || to.bytes() == 0 { write(&end) } else { Ok(()) }
}

/// Checks that unpacked numbers are within the bound of the format.
fn check_bound(
    name: &str,
    to: &QuantizedSpec,
    largest: f32,
    (values, unpacked): (&[f32], &[f32]),
) -> Result<()> {
    let blocks = values.chunks_exact(to.block()).zip(unpacked.chunks_exact(to.block()));
    for (values, unpacked) in blocks {
        let amax = values.iter().map(|x| x.abs()).fold(0.0, f32::max);
        let bound = to.error_bound(amax, largest);
        if !values.iter().zip(unpacked).all(|(a, b)| (a - b).abs() <= bound) {
            let reason = format!(
                "tensor `{name}` unpacks to numbers that differ by more than {bound:e}; this is a bug in the library"
            );
            return Err(CheckpointError::Write { reason });
        }
    }
    Ok(())
}

/// The bytes after the first `written` ones: the scales in planes, and the scale of the whole array.
fn end_of(to: &QuantizedSpec, written: usize, scales: Vec<u8>, largest: f32) -> Vec<u8> {
    let mut end = Vec::new();
    if to.arrangement() == Arrangement::Planes {
        end.resize(to.scales_start() - written, 0);
        end.extend(scales);
    }
    if let Some(start) = to.tensor_scale_start() {
        end.resize(start - written, 0);
        end.extend(to.tensor_scale_for(largest).to_le_bytes());
    }
    end
}

/// Calls `next` with the numbers of some rows at a time, in row-major order, and with the position of the first one.
fn windows(
    name: &str,
    (from, bytes): (&StoredSpec, &[u8]),
    origin: &[usize],
    to: &QuantizedSpec,
    slab: usize,
    next: &mut dyn FnMut(usize, &[f32]) -> Result<()>,
) -> Result<()> {
    let (dtype, columns) = (from.unpacked(), to.columns());
    let (mut row_major, mut values) = (Vec::new(), Vec::new());
    if to.is_empty() {
        return Ok(());
    }
    // The rows along the dimension before the last one, if there is one.
    let (outer, rows) = match to.dims() {
        [outer @ .., rows, _] => (outer, *rows),
        _ => (&[][..], 1),
    };
    let together = (slab / (columns * size_of::<f32>())).clamp(1, rows);
    let (mut first, mut window, mut dims) = (0, origin.to_vec(), to.dims().to_vec());
    dims[..outer.len()].fill(1);
    for number in 0..outer.iter().product() {
        let mut rest = number;
        for (dim, size) in outer.iter().enumerate().rev() {
            window[dim] = origin[dim] + rest % size;
            rest /= size;
        }
        for start in (0..rows).step_by(together) {
            let count = together.min(rows - start);
            if let Some(dim) = to.dims().len().checked_sub(2) {
                (window[dim], dims[dim]) = (origin[dim] + start, count);
            }
            row_major.resize(count * columns * dtype.byte_width(), 0);
            unpack_window(name, from, &window, &dims, bytes, &mut row_major)?;
            widen(dtype, &row_major, &mut values);
            next(first, &values)?;
            first += values.len();
        }
    }
    Ok(())
}

/// Rounds each number to the nearest `bf16`, ties to even: bytes of `f32` or `f16` become bytes of `bf16`.
pub(super) fn round(name: &str, dtype: DType, bytes: &[u8]) -> Result<Vec<u8>> {
    let len = bytes.len() / dtype.byte_width();
    let mut rounded = zeroed::<u8>(2 * len).ok_or_else(|| CheckpointError::Write {
        reason: format!("there is no memory for {len} rounded numbers of tensor `{name}`"),
    })?;
    let mut values = Vec::new();
    let slabs = bytes.chunks(ROUNDED * dtype.byte_width());
    for (to, from) in rounded.chunks_mut(2 * ROUNDED).zip(slabs) {
        widen(dtype, from, &mut values);
        for (to, value) in to.as_chunks_mut::<2>().0.iter_mut().zip(&values) {
            *to = bf16::from_f32(*value).to_le_bytes();
        }
    }
    Ok(rounded)
}

/// The numbers of little-endian bytes. Rules do not accept other types.
fn widen(dtype: DType, bytes: &[u8], values: &mut Vec<f32>) {
    values.clear();
    let pairs = bytes.as_chunks::<2>().0.iter();
    match dtype {
        DType::BF16 => values.extend(pairs.map(|pair| bf16::from_le_bytes(*pair).to_f32())),
        DType::F16 => values.extend(pairs.map(|pair| f16::from_le_bytes(*pair).to_f32())),
        _ => values.extend(bytes.as_chunks::<4>().0.iter().map(|word| f32::from_le_bytes(*word))),
    }
}

/// Turns an error in a part of an array, which starts at position `first`, into an error in the array.
fn of_whole(error: QuantizedError, first: usize, whole: &QuantizedSpec) -> QuantizedError {
    let layout = (*whole).into();
    match error {
        QuantizedError::NotFinite { position, .. } => {
            QuantizedError::NotFinite { position: first + position, layout }
        }
        QuantizedError::ScaleOverflow { position, .. } => {
            QuantizedError::ScaleOverflow { position: first + position, layout }
        }
        other => other,
    }
}
