//! Exchange of arrays with other libraries by DLPack 1.0, with the feature `dlpack`.
//!
//! DLPack describes memory by strides, so a layout without tiles and padding can be exported, and imported as a view, without a
//! copy. A tiled array is exported after [`Packed::relayout`] to such a layout, and arrays with any strides are imported
//! through [`DlpackTensor::pack`].
//!
//! ```
//! use tensor_layout::{Layout, tiled, dlpack::DlpackTensor};
//! type Rows = tiled!(f32[2,3]);
//! type Tiles = tiled!(f32[2,3]{1,0:T(8,128)});
//! let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
//!
//! let tensor: DlpackTensor = Rows::pack(&values)?.into_dlpack()?;
//! assert_eq!(tensor.view::<Rows>()?.get([1, 0]), 4.0);
//! assert_eq!(tensor.pack::<Tiles>()?.unpack(), values);
//!
//! let error = Tiles::pack(&values)?.into_dlpack().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "DLPack has strides only, and `f32[2,3]{1,0:T(8,128)}` has tiles or padding; relayout it to `f32[2,3]{1,0}` first"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![allow(unsafe_code, reason = "DLPack hands arrays over as pointers")]

use super::elements::holds_host_values;
use crate::movement::{DynLayout, PackError, Strided};
use crate::typed::entry::Const;
use crate::typed::{Layout, Packed, PackedRef};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ffi::c_void;
use core::ptr::NonNull;
use layout_core::dtype::DType;
use layout_core::tiled::{Draft, TiledSpec};

/// The CPU's memory, as a [`Device`].
pub const CPU: i32 = 1;
/// The version that is written. Tensors with the same major number can be read.
pub const VERSION: Version = Version { major: 1, minor: 0 };

/// The version of DLPack that a tensor follows: `DLPackVersion` of dlpack.h.
///
/// ```
/// use tensor_layout::dlpack::{VERSION, Version};
/// assert_eq!(VERSION, Version { major: 1, minor: 0 });
/// ```
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named as in dlpack.h")]
pub struct Version {
    pub major: u32,
    pub minor: u32,
}

/// The device whose memory contains a tensor: `DLDevice` of dlpack.h.
///
/// ```
/// use tensor_layout::{Layout, dlpack, tiled};
/// let tensor = <tiled!(f32[2,3])>::pack(&[0.0; 6])?.into_dlpack()?;
/// assert_eq!(tensor.tensor().device, dlpack::Device { device_type: dlpack::CPU, device_id: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named as in dlpack.h")]
pub struct Device {
    pub device_type: i32,
    pub device_id: i32,
}

/// The element type of a tensor: `DLDataType` of dlpack.h.
///
/// ```
/// use tensor_layout::{DType, dlpack::DataType};
/// assert_eq!(DataType::of(DType::BF16), Some(DataType { code: 4, bits: 16, lanes: 1 }));
/// assert_eq!(DataType::of(DType::S4), None);                      // two elements share a byte
/// ```
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named as in dlpack.h")]
pub struct DataType {
    pub code: u8,
    pub bits: u8,
    pub lanes: u16,
}

impl DataType {
    /// The element type of an array, if DLPack has it and elements are stored in whole bytes.
    pub const fn of(dtype: DType) -> Option<Self> {
        let code = match dtype {
            DType::S8 | DType::S16 | DType::S32 | DType::S64 => 0,
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => 1,
            DType::F16 | DType::F32 | DType::F64 => 2,
            DType::BF16 => 4,
            DType::C64 | DType::C128 => 5,
            DType::F8E3M4 => 7,
            DType::F8E4M3 => 8,
            DType::F8E4M3B11FNUZ => 9,
            DType::F8E4M3FN => 10,
            DType::F8E4M3FNUZ => 11,
            DType::F8E5M2 => 12,
            DType::F8E5M2FNUZ => 13,
            DType::F8E8M0FNU => 14,
            _ => return None,
        };
        Some(Self { code, bits: dtype.bits() as u8, lanes: 1 })
    }
}

/// The description of an array, without ownership of its memory: `DLTensor` of dlpack.h.
///
/// ```
/// use tensor_layout::{Layout, tiled};
/// let array = <tiled!(f32[2,3])>::pack(&[0.0; 6])?;
/// let (rank, bits) = array.as_ref().with_dlpack(|tensor| (tensor.ndim, tensor.dtype.bits))?;
/// assert_eq!((rank, bits), (2, 32));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "named as in dlpack.h")]
pub struct Tensor {
    pub data: *mut c_void,
    pub device: Device,
    pub ndim: i32,
    pub dtype: DataType,
    pub shape: *mut i64,
    pub strides: *mut i64,
    pub byte_offset: u64,
}

/// A tensor that owns its memory, and how to give it back: `DLManagedTensorVersioned` of dlpack.h.
///
/// ```
/// use tensor_layout::{Layout, dlpack::DlpackTensor, tiled};
/// let raw = <tiled!(f32[2])>::pack(&[1.0, 2.0])?.into_dlpack()?.into_raw(); // for another library
/// // SAFETY: `into_raw` returns a valid tensor, and nobody else has it.
/// let tensor = unsafe { DlpackTensor::from_raw(raw) }?;
/// assert_eq!(tensor.view::<tiled!(f32[2])>()?.get([1]), 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs, reason = "named as in dlpack.h")]
pub struct ManagedTensor {
    pub version: Version,
    pub manager_ctx: *mut c_void,
    pub deleter: Option<unsafe extern "C" fn(*mut ManagedTensor)>,
    pub flags: u64,
    pub dl_tensor: Tensor,
}

/// The reason why an array cannot be exported or imported by DLPack.
///
/// ```
/// use tensor_layout::{Layout, dlpack::DlpackError, tiled};
/// let tensor = <tiled!(f32[2,3])>::pack(&[0.0; 6])?.into_dlpack()?;
/// let error = tensor.view::<tiled!(f32[3,2])>().unwrap_err();
/// assert!(matches!(&error, DlpackError::Shape { actual, .. } if actual == &[2, 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the message of the variant says")]
#[non_exhaustive]
pub enum DlpackError {
    /// The layout has no strides.
    #[error(
        "DLPack has strides only, and `{layout}` has tiles or padding; relayout it to `{strided}` first"
    )]
    Tiled { layout: Box<TiledSpec>, strided: Box<TiledSpec> },
    /// DLPack does not have the element type, or elements are not stored in its number of bits.
    #[error("DLPack has no elements as `{layout}` stores them")]
    Elements { layout: Box<TiledSpec> },
    /// The tensor has another version of DLPack.
    #[error("the tensor is of DLPack {}.{}, and only 1.x is read", .version.major, .version.minor)]
    Version { version: Version },
    /// The tensor is not in the memory of the CPU.
    #[error("the tensor is in the memory of device type {}, not of the CPU, 1", .device.device_type)]
    Device { device: Device },
    /// The tensor has another element type.
    #[error("the elements of the tensor are {actual:?}, but those of `{layout}` are {expected:?}")]
    ElementType { actual: DataType, expected: DataType, layout: Box<TiledSpec> },
    /// The tensor has another shape.
    #[error("the tensor has the shape {actual:?}, which is not that of `{layout}`")]
    Shape { actual: Vec<i64>, layout: Box<TiledSpec> },
    /// The tensor has other strides.
    #[error(
        "the tensor has the strides {actual:?}, which are not those of `{layout}`; `pack` copies any strides"
    )]
    Strides { actual: Vec<i64>, layout: Box<TiledSpec> },
    /// The array cannot be packed, or its memory cannot be viewed.
    #[error(transparent)]
    Pack(#[from] PackError),
}

/// An array that is shared with another library by DLPack. It is returned to its owner when this value is dropped.
///
/// ```
/// use tensor_layout::{Layout, dlpack::DlpackTensor, tiled};
/// let tensor: DlpackTensor = <tiled!(f32[2,3])>::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?.into_dlpack()?;
/// assert_eq!((tensor.shape(), tensor.strides()), (&[2, 3][..], vec![3, 1]));
/// assert_eq!(tensor.view::<tiled!(f32[2,3])>()?.get([1, 0]), 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DlpackTensor {
    raw: NonNull<ManagedTensor>,
}

impl DlpackTensor {
    /// Takes ownership of a tensor of another library.
    ///
    /// # Safety
    /// `raw` must be a tensor as DLPack defines it, and nobody else may call its deleter. If it is in the memory of the CPU,
    /// everything from its lowest element to its highest must be initialized, and nobody may write to that while this value
    /// exists.
    ///
    /// # Errors
    /// [`DlpackError::Version`] if the tensor has another major version. It is then returned to its owner.
    pub unsafe fn from_raw(raw: NonNull<ManagedTensor>) -> Result<Self, DlpackError> {
        let tensor = Self { raw };
        // SAFETY: the version and the deleter are at the same offsets in every version.
        let version = unsafe { raw.as_ref() }.version;
        if version.major == VERSION.major {
            Ok(tensor)
        } else {
            Err(DlpackError::Version { version })
        }
    }

    /// Passes the tensor to another library, which must call its deleter; in Python, as the capsule `dltensor_versioned`.
    pub fn into_raw(self) -> NonNull<ManagedTensor> {
        core::mem::ManuallyDrop::new(self).raw
    }

    /// The description of the array.
    pub fn tensor(&self) -> &Tensor {
        // SAFETY: the tensor exists until its deleter is called.
        unsafe { &self.raw.as_ref().dl_tensor }
    }

    /// The sizes of the array.
    pub fn shape(&self) -> &[i64] {
        // SAFETY: DLPack promises one size for each dimension.
        unsafe { list(self.tensor().shape, self.tensor().ndim) }
    }

    /// The number of elements from one index of each dimension to the next.
    pub fn strides(&self) -> Vec<i64> {
        let tensor = self.tensor();
        if !tensor.strides.is_null() {
            // SAFETY: DLPack promises one stride for each dimension, if there are strides.
            return unsafe { list(tensor.strides, tensor.ndim) }.to_vec();
        }
        // Row-major order.
        let mut stride = 1_i64;
        let strides = self.shape().iter().rev().map(|size| {
            let here = stride;
            stride = stride.saturating_mul(*size);
            here
        });
        let mut strides: Vec<i64> = strides.collect();
        strides.reverse();
        strides
    }

    /// The array as a view with the layout `L`, without a copy.
    ///
    /// # Errors
    /// If the tensor is not in the memory of the CPU, if its element type, shape or strides are not those of the layout, or if
    /// its elements are not aligned.
    pub fn view<L: Layout>(&self) -> Result<PackedRef<'_, L>, DlpackError> {
        let layout = Const::<L>::SPEC;
        let expected = strides_of(layout)?;
        self.check(layout)?;
        let actual = self.strides();
        let dims = layout.dims().iter().zip(expected.iter().zip(&actual));
        // The stride of a dimension of size 1 is never used.
        if dims.into_iter().any(|(size, (expected, actual))| *size > 1 && expected != actual) {
            return Err(DlpackError::Strides { actual, layout: (*layout).into() });
        }
        if layout.elements() == 0 {
            return Ok(PackedRef::new(&ALIGNED.0[..0])?);
        }
        // SAFETY: shape, strides and element type are those of a layout without padding, so the layout stores exactly the
        // elements of the tensor, from this address on. The caller of `from_raw` promised that they are initialized and not
        // written while `self` exists.
        let bytes = unsafe {
            core::slice::from_raw_parts(self.first().cast_const(), layout.storage_bytes())
        };
        Ok(PackedRef::new(bytes)?)
    }

    /// A copy of the array in the layout `L`, whatever its strides.
    ///
    /// # Errors
    /// If the tensor is not in the memory of the CPU, if its element type or shape are not those of the layout, if the layout
    /// splits the array between memories, or if memory for the copy cannot be allocated.
    pub fn pack<L: Layout>(&self) -> Result<Packed<L>, DlpackError> {
        let layout = Const::<L>::SPEC;
        self.check(layout)?;
        let mut packed = Packed::zeroed()?;
        if layout.elements() == 0 {
            return Ok(packed);
        }
        let width = layout.dtype().byte_width();
        // The stride of a dimension of size 1 is never used, and can be any number.
        let used = |(size, stride): (&usize, i64)| if *size > 1 { stride as isize } else { 0 };
        let strides = layout.dims().iter().zip(self.strides()).map(used);
        let strides: Vec<isize> = strides.map(|stride| stride * width as isize).collect();
        // The bytes from the lowest element to the highest.
        let reach = |lowest: bool| {
            let reaches = layout.dims().iter().zip(&strides);
            let reaches = reaches.map(|(size, stride)| (*size as isize - 1) * stride);
            reaches.filter(|reach| (*reach < 0) == lowest).sum::<isize>().unsigned_abs()
        };
        let (before, after) = (reach(true), reach(false));
        // SAFETY: the lowest and the highest element belong to the tensor. The caller of `from_raw` promised that everything
        // between them is initialized and not written while `self` exists.
        let bytes = unsafe {
            core::slice::from_raw_parts(
                self.first().sub(before).cast_const(),
                before + after + width,
            )
        };
        let values = Strided { bytes, first: before, strides: &strides };
        layout.pack_strided_bytes(values, packed.as_bytes_mut())?;
        Ok(packed)
    }

    /// The address of the element with index 0 in every dimension.
    fn first(&self) -> *mut u8 {
        let Tensor { data, byte_offset, .. } = *self.tensor();
        data.cast::<u8>().wrapping_add(byte_offset as usize)
    }

    /// Checks everything of the tensor against the layout except the strides.
    fn check(&self, layout: &TiledSpec) -> Result<(), DlpackError> {
        let Tensor { device, dtype: actual, .. } = *self.tensor();
        let boxed = || Box::new(*layout);
        let expected = DataType::of(layout.dtype())
            .ok_or_else(|| DlpackError::Elements { layout: boxed() })?;
        if device.device_type != CPU {
            return Err(DlpackError::Device { device });
        }
        if actual != expected {
            return Err(DlpackError::ElementType { actual, expected, layout: boxed() });
        }
        let sizes = layout.dims().iter().map(|size| i64::try_from(*size).ok());
        if !self.shape().iter().map(|size| Some(*size)).eq(sizes) {
            return Err(DlpackError::Shape { actual: self.shape().to_vec(), layout: boxed() });
        }
        Ok(())
    }
}

impl Drop for DlpackTensor {
    fn drop(&mut self) {
        // SAFETY: this value owns the tensor and gives it back once. A tensor without a deleter needs no call.
        unsafe {
            if let Some(deleter) = self.raw.as_ref().deleter {
                deleter(self.raw.as_ptr());
            }
        }
    }
}

/// An address for arrays without elements, aligned for every element type.
#[repr(align(64))]
struct Aligned([u8; 64]);
static ALIGNED: Aligned = Aligned([0; 64]);

/// # Safety
/// There must be `len` numbers at `first`, unless `len` is not positive.
unsafe fn list<'a>(first: *const i64, len: i32) -> &'a [i64] {
    match usize::try_from(len) {
        // SAFETY: the caller promises the numbers.
        Ok(len @ 1..) => unsafe { core::slice::from_raw_parts(first, len) },
        _ => &[],
    }
}

/// The strides of a layout that stores only elements, as host values.
fn strides_of(layout: &TiledSpec) -> Result<Vec<i64>, DlpackError> {
    if !holds_host_values(layout) || DataType::of(layout.dtype()).is_none() {
        return Err(DlpackError::Elements { layout: (*layout).into() });
    }
    let strides = (0..layout.rank()).map(|dim| i64::try_from(layout.map().stride(dim)?).ok());
    match strides.collect::<Option<Vec<i64>>>() {
        Some(strides) if layout.len() == layout.elements() => Ok(strides),
        _ => Err(DlpackError::Tiled { layout: (*layout).into(), strided: strided(layout).into() }),
    }
}

/// The layout without its tiles and attributes, with its dimensions in the same order.
fn strided(layout: &TiledSpec) -> TiledSpec {
    let draft = layout.draft();
    let plain = Draft::untiled(draft.dtype, draft.dims, draft.minor_to_major);
    plain.validate().unwrap_or(*layout)
}

/// Describes an array; `numbers` are its sizes, followed by its strides.
fn describe(layout: &TiledSpec, data: *mut u8, numbers: &mut [i64]) -> Result<Tensor, DlpackError> {
    let elements = || DlpackError::Elements { layout: (*layout).into() };
    Ok(Tensor {
        data: data.cast(),
        device: Device { device_type: CPU, device_id: 0 },
        ndim: layout.rank() as i32,
        dtype: DataType::of(layout.dtype()).ok_or_else(elements)?,
        shape: numbers.as_mut_ptr(),
        strides: numbers.as_mut_ptr().wrapping_add(layout.rank()),
        byte_offset: 0,
    })
}

/// The sizes of an array, followed by its strides.
fn numbers_of<L: Layout>(packed: PackedRef<'_, L>) -> Result<Vec<i64>, DlpackError> {
    let strides = strides_of(Const::<L>::SPEC)?;
    Ok(packed.sizes().iter().map(|size| *size as i64).chain(strides).collect())
}

impl<L: Layout> PackedRef<'_, L> {
    /// Passes a description of the array to `f`, without a copy. The description is valid only during the call.
    ///
    /// # Errors
    /// As for [`Packed::into_dlpack`].
    pub fn with_dlpack<R>(self, f: impl FnOnce(&Tensor) -> R) -> Result<R, DlpackError> {
        let data = self.as_bytes().as_ptr().cast_mut();
        Ok(f(&describe(Const::<L>::SPEC, data, &mut numbers_of(self)?)?))
    }
}

impl<L: Layout> Packed<L> {
    /// The array as a DLPack tensor in the same memory.
    ///
    /// # Errors
    /// [`DlpackError::Tiled`] if the layout has tiles or padding, and [`DlpackError::Elements`] if DLPack does not have the
    /// element type as it is stored.
    pub fn into_dlpack(self) -> Result<DlpackTensor, DlpackError> {
        let mut numbers = numbers_of(self.as_ref())?;
        let (mut array, start) = self.into_parts();
        let data = array[start..].as_mut_ptr();
        let exported = Box::into_raw(Box::new(Exported {
            tensor: ManagedTensor {
                version: VERSION,
                manager_ctx: core::ptr::null_mut(),
                deleter: Some(delete),
                flags: 0,
                dl_tensor: describe(Const::<L>::SPEC, data, &mut numbers)?,
            },
            _numbers: numbers,
            _array: array,
        }));
        // SAFETY: the box has just been made, so the pointer is valid.
        unsafe {
            (*exported).tensor.manager_ctx = exported.cast();
            Ok(DlpackTensor { raw: NonNull::new_unchecked(&raw mut (*exported).tensor) })
        }
    }
}

/// The memory that an exported tensor owns.
struct Exported {
    tensor: ManagedTensor,
    /// The sizes, followed by the strides.
    _numbers: Vec<i64>,
    _array: Vec<u8>,
}

/// The deleter of exported tensors.
///
/// # Safety
/// `tensor` must be a tensor that [`Packed::into_dlpack`] made, and must not be deleted again.
unsafe extern "C" fn delete(tensor: *mut ManagedTensor) {
    // SAFETY: `into_dlpack` made the tensor together with this deleter, which is called only once.
    unsafe {
        let exported = (*tensor).manager_ctx.cast::<Exported>();
        drop(Box::from_raw(exported));
    }
}
