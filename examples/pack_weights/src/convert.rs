//! Packing tensors a slab at a time, and checking every slab.

use crate::Result;
use crate::header::Tensor;
use crate::layouts::Placement;
use crate::output::Output;
use crate::shards::Part;
use crate::source::Source;
use std::time::{Duration, Instant};
use tensor_layout::DynLayout;
use tensor_layout::TiledSpec;
use tensor_layout::tiled::Piece;

/// Packed bytes of a slab: few enough that a slab is still in the cache when it is checked.
const SLAB: usize = 1 << 20;

/// What became of a tensor.
pub(crate) struct Row {
    /// Shape and layout.
    pub(crate) layout: String,
    /// Bytes in the file.
    pub(crate) bytes: u64,
    /// Bytes in the layout, padding included.
    pub(crate) packed: u64,
    /// How long reading and packing took, without checking and writing.
    pub(crate) time: Duration,
    pub(crate) outcome: Outcome,
}

/// What unpacking gave.
pub(crate) enum Outcome {
    /// Every bit of the source.
    Same,
    Different,
    /// Nothing: the tensor was not packed, for the reason given.
    Kept(&'static str),
}

/// Reads tensors, and writes them to the output if there is one. Memory is used again for every slab.
pub(crate) struct Converter<F> {
    source: Source,
    output: Option<Output>,
    progress: F,
    row_major: Vec<u8>,
    packed: Vec<u8>,
    unpacked: Vec<u8>,
}

impl<F: Fn(u64)> Converter<F> {
    /// Calls `progress` with numbers of bytes of the source, as they are done.
    pub(crate) fn new(source: Source, output: Option<Output>, progress: F) -> Self {
        let (row_major, packed, unpacked) = Default::default();
        Self { source, output, progress, row_major, packed, unpacked }
    }

    /// Packs one tensor, or a part of it, and checks it, or keeps it row-major.
    pub(crate) fn convert(&mut self, tensor: &Tensor, part: Option<&Part>) -> Result<Row> {
        let info = part.map_or(&tensor.info, |part| &part.info);
        let placement = Placement::of(info);
        let bytes = match part {
            Some(_) => {
                (info.shape.iter().product::<usize>() * info.dtype.bitsize()).div_ceil(8) as u64
            }
            None => tensor.bytes.end - tensor.bytes.start,
        };
        let packed = match &placement {
            Placement::Tiled(spec) => spec.bytes() as u64,
            Placement::Kept { .. } => bytes,
        };
        let offset = match &mut self.output {
            Some(output) => output.add(tensor, part, &placement, packed)?,
            None => 0,
        };
        let (time, outcome) = match &placement {
            Placement::Tiled(spec) => self.pack(tensor, part, spec, offset)?,
            Placement::Kept { reason, .. } if info.shape != tensor.info.shape => {
                return Err(format!("it is split, but has no tiled layout: {reason}").into());
            }
            Placement::Kept { reason, .. } => {
                self.copy(tensor, offset)?;
                (Duration::ZERO, Outcome::Kept(reason))
            }
        };
        Ok(Row { layout: placement.layout(), bytes, packed, time, outcome })
    }

    /// Completes the output.
    pub(crate) fn finish(self) -> Result<()> {
        self.output.map_or(Ok(()), Output::finish)
    }

    fn pack(
        &mut self,
        tensor: &Tensor,
        part: Option<&Part>,
        spec: &TiledSpec,
        offset: u64,
    ) -> Result<(Duration, Outcome)> {
        let whole = vec![0; tensor.info.shape.len()];
        let origin = part.map_or(&whole, |part| &part.origin);
        let Self { source, output, progress, row_major, packed, unpacked } = self;
        let (mut time, mut outcome) = (Duration::ZERO, Outcome::Same);
        for slab in spec.slabs(SLAB) {
            let start = Instant::now();
            let bytes = read(source, tensor, origin, &slab, row_major)?;
            packed.resize(slab.spec().bytes(), 0);
            slab.spec().pack_bytes(bytes, packed)?;
            time += start.elapsed();

            // Nothing of an earlier slab may be left to compare with.
            unpacked.clear();
            unpacked.resize(bytes.len(), 0xA5);
            slab.spec().unpack_bytes(packed, unpacked)?;
            if unpacked != bytes {
                outcome = Outcome::Different;
            }
            if let Some(output) = output {
                for run in slab.runs() {
                    output.write(offset + run.array.start as u64, &packed[run.piece])?;
                }
            }
            progress(bytes.len() as u64);
        }
        Ok((time, outcome))
    }

    fn copy(&mut self, tensor: &Tensor, offset: u64) -> Result<()> {
        let mut range = tensor.bytes.clone();
        while let Some(output) = &mut self.output
            && !range.is_empty()
        {
            let bytes = self.source.bytes(range.start..range.end.min(range.start + SLAB as u64))?;
            output.write(offset + (range.start - tensor.bytes.start), bytes)?;
            range.start += bytes.len() as u64;
        }
        (self.progress)(tensor.bytes.end - tensor.bytes.start);
        Ok(())
    }
}

/// The elements of a slab of the part that begins at `origin`, row-major: straight out of the file if they lie together
/// there, else gathered in `buffer`.
fn read<'a>(
    source: &'a mut Source,
    tensor: &Tensor,
    origin: &[usize],
    slab: &Piece<'_>,
    buffer: &'a mut Vec<u8>,
) -> Result<&'a [u8]> {
    let width = slab.spec().dtype().byte_width();
    let (dims, sizes) = (&tensor.info.shape, slab.spec().dims());
    let start: Vec<_> = slab.origin().iter().zip(origin).map(|(slab, part)| slab + part).collect();
    // The dimensions after `along` are whole, so each index of those before it has its elements in one run.
    let along = (0..dims.len()).rev().find(|&dim| sizes[dim] < dims[dim]).unwrap_or(0);
    let count: usize = sizes[..along].iter().product();
    let len = slab.spec().elements() / count * width;
    let mut index = start.clone();
    let mut run = |number: usize| {
        let mut rest = number;
        for dim in (0..along).rev() {
            index[dim] = start[dim] + rest % sizes[dim];
            rest /= sizes[dim];
        }
        let element = index.iter().zip(dims).fold(0, |element, (at, size)| element * size + at);
        let start = tensor.bytes.start + (element * width) as u64;
        start..start + len as u64
    };
    if count == 1 {
        return source.bytes(run(0));
    }
    buffer.clear();
    for number in 0..count {
        buffer.extend_from_slice(source.bytes(run(number))?);
    }
    Ok(buffer)
}
