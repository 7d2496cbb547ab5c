use super::preset::Preset;
use super::problem::Problem;
use crate::dtype::DType;
use crate::list::List;
use crate::parts::MAX_RANK;

/// The largest number of elements of a block.
pub const MAX_BLOCK: usize = 256;

/// The alignment of the start of each plane, in bytes.
const ALIGN: usize = 64;

/// How the bytes of a block-scaled array are arranged.
///
/// ```
/// use tensor_layout::quantized::{Arrangement, Preset};
/// assert_eq!(Preset::Q8_0.arrangement(), Arrangement::Blocks);
/// assert_eq!(Arrangement::Planes.name(), "planes");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arrangement {
    /// Block after block, as in GGUF: each is its scale followed by its elements. Of each 32 elements of 4 bits, elements `i`
    /// and `i + 16` share a byte, the first in the low bits; `s4` elements are stored with 8 added. Blocks of 16 elements are
    /// stored four at a time, the four scales before all elements, and elements `i` and `i + 8` of a block share a byte.
    Blocks,
    /// All elements in row-major order, then all scales, then the scale of the whole array, if there is one. Elements `2i` and
    /// `2i + 1` of 4 bits share a byte, the first in the low bits. Each plane starts at a multiple of 64 bytes; the gaps are
    /// zero.
    Planes,
}

impl Arrangement {
    /// The word in the notation.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Planes => "planes",
        }
    }
}

/// A block-scaled array: elements of a few bits, a scale for each block along the last dimension, and the arrangement of both.
/// The run-time twin of the types that `quantized!` expands to.
///
/// The value of an element is its number times the scale of its block, times the scale of the array if there is one.
///
/// ```
/// use tensor_layout::quantized::{Preset, QuantizedSpec};
/// let spec: QuantizedSpec = "q8_0[4096,4096]".parse()?;
/// assert_eq!(spec.to_string(), "s8[4096,4096] by f16[1,32] in blocks");
/// assert_eq!(spec.to_string().parse::<QuantizedSpec>()?, spec);
/// assert_eq!((spec.preset(), spec.bytes()), (Some(Preset::Q8_0), 4096 * 4096 / 32 * 34));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct QuantizedSpec {
    element: DType,
    dims: List<usize, MAX_RANK>,
    scale: DType,
    block: usize,
    has_tensor_scale: bool,
    arrangement: Arrangement,
}

impl QuantizedSpec {
    /// A block-scaled array.
    ///
    /// # Errors
    /// The first rule that the array breaks.
    pub const fn new(
        element: DType,
        dims: &[usize],
        scale: DType,
        block: usize,
        has_tensor_scale: bool,
        arrangement: Arrangement,
    ) -> Result<Self, Problem> {
        let is_integer = match element {
            DType::S8 | DType::S4 => true,
            DType::F8E4M3FN | DType::F8E5M2 | DType::F4E2M1FN => false,
            _ => return Err(Problem::Element { element }),
        };
        let fits = match scale {
            DType::F16 | DType::F32 => true,
            DType::F8E8M0FNU => !is_integer,
            DType::F8E4M3FN => matches!(element, DType::F4E2M1FN),
            _ => false,
        };
        if !fits {
            return Err(Problem::Scale { element, scale, arrangement });
        }
        let Some(list) = List::of(dims) else {
            return Err(Problem::Rank { rank: dims.len() });
        };
        let [.., last] = *dims else { return Err(Problem::Scalar) };
        let least = if matches!(scale, DType::F8E4M3FN) { 16 } else { 32 };
        if !block.is_power_of_two() || block < least || block > MAX_BLOCK {
            return Err(Problem::Block { block });
        }
        if !last.is_multiple_of(block) {
            return Err(Problem::Divides { size: last, block });
        }
        let in_planes = matches!(arrangement, Arrangement::Planes);
        if has_tensor_scale && !(matches!(scale, DType::F8E4M3FN) && in_planes) {
            return Err(Problem::TensorScale { scale });
        }
        let spec = Self { element, dims: list, scale, block, has_tensor_scale, arrangement };
        let together = Self::together(block, arrangement);
        if !last.is_multiple_of(together) {
            return Err(Problem::Together { size: last, together });
        }
        let (mut len, mut dim) = (1usize, 0);
        while dim < dims.len() {
            len = match len.checked_mul(if dims[dim] == 0 { 1 } else { dims[dim] }) {
                Some(len) => len,
                None => return Err(Problem::Overflow),
            };
            dim += 1;
        }
        // An element and its share of the scales take less than 2 bytes, and the gaps between planes less than 128 in all.
        if len >= isize::MAX as usize / 8 {
            return Err(Problem::Overflow);
        }
        Ok(spec)
    }

    /// An array in one of the public formats.
    ///
    /// # Errors
    /// If there are too few or too many dimensions, or if blocks do not divide the last one.
    pub const fn of_preset(preset: Preset, dims: &[usize]) -> Result<Self, Problem> {
        Self::new(
            preset.element(),
            dims,
            preset.scale(),
            preset.block(),
            preset.has_tensor_scale(),
            preset.arrangement(),
        )
    }

    /// The public format with this notation; `None` if there is none.
    pub fn preset(&self) -> Option<Preset> {
        let is = |preset: &Preset| Self::of_preset(*preset, self.dims()) == Ok(*self);
        Preset::ALL.into_iter().find(is)
    }

    /// The type of the elements.
    pub const fn element(&self) -> DType {
        self.element
    }

    /// The sizes of the dimensions; there is at least one dimension.
    pub const fn dims(&self) -> &[usize] {
        self.dims.as_slice()
    }

    /// The type of the scales.
    pub const fn scale(&self) -> DType {
        self.scale
    }

    /// The number of elements of a block.
    pub const fn block(&self) -> usize {
        self.block
    }

    /// Whether one more scale, an `f32`, applies to the whole array.
    pub const fn has_tensor_scale(&self) -> bool {
        self.has_tensor_scale
    }

    /// How the bytes are arranged.
    pub const fn arrangement(&self) -> Arrangement {
        self.arrangement
    }

    /// The number of elements.
    pub const fn len(&self) -> usize {
        self.rows() * self.columns()
    }

    /// Whether there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of rows: the product of all dimensions except the last.
    pub const fn rows(&self) -> usize {
        let (mut rows, mut dim) = (1, 0);
        while dim + 1 < self.dims.len {
            rows *= self.dims.items[dim];
            dim += 1;
        }
        rows
    }

    /// The size of the last dimension, which the blocks divide.
    pub const fn columns(&self) -> usize {
        self.dims.items[self.dims.len - 1]
    }

    /// The number of blocks.
    pub const fn blocks(&self) -> usize {
        self.len() / self.block
    }

    /// Bytes of the elements of a block.
    pub const fn block_element_bytes(&self) -> usize {
        self.block * self.element.bits() / 8
    }

    /// The distance between two elements that share a byte: 1, 8 or 16. The first is in the low bits. `None` if each element has a
    /// byte of its own.
    pub const fn pair_distance(&self) -> Option<usize> {
        match (self.element.bits(), self.arrangement) {
            (8, _) => None,
            (_, Arrangement::Planes) => Some(1),
            (_, Arrangement::Blocks) => Some(if self.block == 16 { 8 } else { 16 }),
        }
    }

    /// The number of blocks whose scales are stored together, before all of their elements: 4 for blocks of 16 elements in
    /// [`Arrangement::Blocks`], otherwise 1.
    pub const fn blocks_together(&self) -> usize {
        Self::together(self.block, self.arrangement) / self.block
    }

    /// The number of elements of the blocks that are stored together: the last dimension is a multiple of it.
    pub(super) const fn together(block: usize, arrangement: Arrangement) -> usize {
        match arrangement {
            Arrangement::Blocks if block == 16 => 4 * block,
            _ => block,
        }
    }

    /// Bytes from the elements of one block to those of the next, or from those of one group of [`blocks_together`] blocks to those
    /// of the next group.
    ///
    /// [`blocks_together`]: QuantizedSpec::blocks_together
    pub const fn element_stride(&self) -> usize {
        let block = match self.arrangement {
            Arrangement::Blocks => self.scale.byte_width() + self.block_element_bytes(),
            Arrangement::Planes => self.block_element_bytes(),
        };
        self.blocks_together() * block
    }

    /// Bytes from the scale of one block to the scale of the next, or from the scales of one group of [`blocks_together`] blocks to
    /// those of the next group.
    ///
    /// [`blocks_together`]: QuantizedSpec::blocks_together
    pub const fn scale_stride(&self) -> usize {
        match self.arrangement {
            Arrangement::Blocks => self.element_stride(),
            Arrangement::Planes => self.scale.byte_width(),
        }
    }

    /// The byte at which the elements of the first block start.
    pub const fn elements_start(&self) -> usize {
        match self.arrangement {
            Arrangement::Blocks => self.blocks_together() * self.scale.byte_width(),
            Arrangement::Planes => 0,
        }
    }

    /// The byte at which the elements of a block start.
    ///
    /// ```
    /// use tensor_layout::quantized::QuantizedSpec;
    /// let spec: QuantizedSpec = "nvfp4_gguf[1,128]".parse()?;
    /// // Four scales, the elements of four blocks, four scales, and the elements of one block.
    /// assert_eq!((spec.scale_at(5), spec.elements_at(5)), (36 + 1, 36 + 4 + 8));
    /// # Ok::<(), tensor_layout::ParseError>(())
    /// ```
    #[inline]
    pub const fn elements_at(&self, block: usize) -> usize {
        let (group, within) = (block / self.blocks_together(), block % self.blocks_together());
        self.elements_start() + group * self.element_stride() + within * self.block_element_bytes()
    }

    /// The byte at which the scale of a block starts.
    #[inline]
    pub const fn scale_at(&self, block: usize) -> usize {
        let (group, within) = (block / self.blocks_together(), block % self.blocks_together());
        self.scales_start() + group * self.scale_stride() + within * self.scale.byte_width()
    }

    /// The byte at which the scale of the first block starts.
    pub const fn scales_start(&self) -> usize {
        match self.arrangement {
            Arrangement::Blocks => 0,
            Arrangement::Planes => (self.blocks() * self.element_stride()).next_multiple_of(ALIGN),
        }
    }

    /// The byte at which the scale of the whole array starts, if there is one.
    pub const fn tensor_scale_start(&self) -> Option<usize> {
        let end = self.scale_at(self.blocks());
        if self.has_tensor_scale { Some(end.next_multiple_of(ALIGN)) } else { None }
    }

    /// The number of bytes.
    ///
    /// ```
    /// use tensor_layout::quantized::QuantizedSpec;
    /// let bytes = |text: &str| text.parse::<QuantizedSpec>().unwrap().bytes();
    /// assert_eq!(bytes("q4_0[2,32]"), 2 * (2 + 16));
    /// // 64 bytes of elements, 8 scales and a gap, one `f32`.
    /// assert_eq!(bytes("nvfp4[2,64]"), 64 + 64 + 4);
    /// ```
    pub const fn bytes(&self) -> usize {
        match self.tensor_scale_start() {
            Some(start) => start + size_of::<f32>(),
            // Past the last block: in blocks, scales are where the next block would start.
            None => self.scale_at(self.blocks()),
        }
    }
}
