//! Arrays of other libraries by DLPack, in and out.
#![allow(unsafe_code, reason = "tensors are given and taken as pointers")]

use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use tensor_layout::dlpack::*;
use tensor_layout::half::bf16;
use tensor_layout::{Packed, tiled};

type Rows = tiled!(bf16[3,5]);
type Columns = tiled!(bf16[3,5]{0,1});
type Tiles = tiled!(bf16[3,5]{1,0:T(8,128)(2,1)});

#[test]
fn arrays_go_out_and_come_back_in_the_same_memory() {
    let columns = Packed::<Columns>::from_fn(|[i, j]| bf16::from_f32((i * 5 + j) as f32));
    let address = columns.as_bytes().as_ptr();
    let raw = columns.clone().into_dlpack().unwrap().into_raw();
    // SAFETY: the tensor has just been made, and nobody else has it.
    let copy = unsafe { DlpackTensor::from_raw(raw) }.unwrap();
    let tensor = columns.into_dlpack().unwrap();
    assert_eq!((tensor.shape(), tensor.strides()), (&[3, 5][..], vec![1, 3]));
    assert_eq!(tensor.tensor().dtype, DataType { code: 4, bits: 16, lanes: 1 });
    let view = tensor.view::<Columns>().unwrap();
    assert_eq!((view.as_bytes().as_ptr(), view.get([2, 3]).to_f32()), (address, 13.0));
    assert_eq!(copy.pack::<Tiles>().unwrap().unpack(), view.unpack());
    let error = tensor.view::<Rows>().unwrap_err();
    assert!(matches!(error, DlpackError::Strides { .. }), "{error}");
    let described = view.with_dlpack(|tensor| (tensor.ndim, tensor.data.cast_const()));
    assert_eq!(described.unwrap(), (2, address.cast()));
}

#[test]
fn bounded_dimensions_go_out_with_their_size_of_run_time() {
    type Bound = tiled!(f32[<=4,2]);
    let mut packed = Packed::<Bound>::with_sizes([0, 2]).unwrap();
    packed.push_rows(&[1.0, 2.0, 3.0, 4.0]).unwrap();
    let tensor = packed.into_dlpack().unwrap();
    assert_eq!(tensor.shape(), [2, 2]);
    let view = tensor.view::<tiled!(f32[2,2])>().unwrap();
    assert_eq!(view.unpack(), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn what_has_no_strides_is_refused() {
    let error = Packed::<Tiles>::zeroed().unwrap().into_dlpack().unwrap_err();
    assert!(error.to_string().ends_with("relayout it to `bf16[3,5]{1,0}` first"), "{error}");
    let refused = |error| assert!(matches!(error, DlpackError::Elements { .. }), "{error}");
    refused(Packed::<tiled!(pred[3])>::filled(true).into_dlpack().unwrap_err());
    type Nibbles = tiled!(s4[4]{0:E(4)});
    refused(Packed::<Nibbles>::filled(1).into_dlpack().unwrap_err());
    let padded = <tiled!(f32[3] padded to [8] with zero)>::pack(&[0.0; 3]);
    assert!(matches!(padded.unwrap().into_dlpack(), Err(DlpackError::Tiled { .. })));
}

static DELETED: AtomicUsize = AtomicUsize::new(0);

/// A deleter that only counts its calls.
///
/// # Safety
/// None: the tensor is not accessed.
unsafe extern "C" fn count(_: *mut ManagedTensor) {
    DELETED.fetch_add(1, Ordering::Relaxed);
}

/// A tensor as another library could make it: two rows in reverse order, with every other number of each.
fn foreign(data: &mut [i32; 12], numbers: &mut [i64; 4]) -> ManagedTensor {
    ManagedTensor {
        version: Version { major: 1, minor: 3 },
        manager_ctx: null_mut(),
        deleter: Some(count),
        flags: 0,
        dl_tensor: Tensor {
            data: data.as_mut_ptr().cast(),
            device: Device { device_type: CPU, device_id: 0 },
            ndim: 2,
            dtype: DataType { code: 0, bits: 32, lanes: 1 },
            shape: numbers.as_mut_ptr(),
            strides: numbers.as_mut_ptr().wrapping_add(2),
            byte_offset: 24,
        },
    }
}

#[test]
fn foreign_arrays_are_read_at_their_strides_and_given_back() {
    type Matrix = tiled!(s32[2,3]);
    let mut data: [i32; 12] = std::array::from_fn(|i| i as i32);
    let mut numbers = [2, 3, -6, 2];
    let mut tensor = foreign(&mut data, &mut numbers);
    let take = |tensor: &mut ManagedTensor| {
        // SAFETY: the numbers describe `data`, and the deleter frees nothing.
        unsafe { DlpackTensor::from_raw(NonNull::from(tensor)) }
    };
    let taken = take(&mut tensor).unwrap();
    assert_eq!(taken.pack::<Matrix>().unwrap().unpack(), [6, 8, 10, 0, 2, 4]);
    assert!(matches!(taken.view::<Matrix>(), Err(DlpackError::Strides { .. })));
    type Floats = tiled!(f32[2,3]);
    assert!(matches!(taken.view::<Floats>(), Err(DlpackError::ElementType { .. })));
    type Turned = tiled!(s32[3,2]);
    assert!(matches!(taken.pack::<Turned>(), Err(DlpackError::Shape { .. })));
    drop(taken);
    assert_eq!(DELETED.load(Ordering::Relaxed), 1);

    tensor.dl_tensor.strides = null_mut();
    let taken = take(&mut tensor).unwrap();
    assert_eq!(taken.view::<Matrix>().unwrap().unpack(), [6, 7, 8, 9, 10, 11]);
    drop(taken);
    tensor.dl_tensor.device.device_type = 2;
    assert!(matches!(take(&mut tensor).unwrap().view::<Matrix>(), Err(DlpackError::Device { .. })));
    tensor.version.major = 2;
    assert!(matches!(take(&mut tensor), Err(DlpackError::Version { .. })));
    assert_eq!(DELETED.load(Ordering::Relaxed), 4, "each is given back once");
}

#[test]
fn the_stride_of_a_single_row_can_be_any_number() {
    for stride in [i64::MAX, i64::MIN, 0] {
        let mut data: [i32; 12] = std::array::from_fn(|i| i as i32);
        let mut numbers = [1, 3, stride, 2];
        let mut tensor = foreign(&mut data, &mut numbers);
        tensor.deleter = None;
        // SAFETY: the numbers describe `data`, which outlives the tensor.
        let taken = unsafe { DlpackTensor::from_raw(NonNull::from(&mut tensor)) }.unwrap();
        assert_eq!(taken.pack::<tiled!(s32[1,3])>().unwrap().unpack(), [6, 8, 10]);
    }
}
