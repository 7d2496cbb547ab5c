//! Loads tensors from a safetensors file.

use super::Result;
use safetensors::{Dtype, SafeTensors};
use tensor_layout::half::bf16;

pub(crate) struct File {
    bytes: Vec<u8>,
}

impl File {
    pub(crate) fn open(path: &str) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        Ok(Self { bytes })
    }

    pub(crate) fn f32(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        self.tensor(name, Dtype::F32, shape, f32::from_le_bytes)
    }

    pub(crate) fn bf16(&self, name: &str, shape: &[usize]) -> Result<Vec<bf16>> {
        self.tensor(name, Dtype::BF16, shape, bf16::from_le_bytes)
    }

    pub(crate) fn i32(&self, name: &str, shape: &[usize]) -> Result<Vec<i32>> {
        self.tensor(name, Dtype::I32, shape, i32::from_le_bytes)
    }

    fn tensor<T, const N: usize>(
        &self,
        name: &str,
        dtype: Dtype,
        shape: &[usize],
        value: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>> {
        let tensors = SafeTensors::deserialize(&self.bytes)?;
        let tensor = tensors.tensor(name)?;
        if (tensor.dtype(), tensor.shape()) != (dtype, shape) {
            let found = format!("{:?} {:?}", tensor.dtype(), tensor.shape());
            return Err(format!("`{name}` is {found}, not {dtype:?} {shape:?}").into());
        }
        Ok(tensor.data().as_chunks::<N>().0.iter().map(|&bytes| value(bytes)).collect())
    }
}
