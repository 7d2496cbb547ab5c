//! Kernels that many cases run, each parsed once.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};
use tensor_layout::sparse::SparseEncoding;
use tensor_layout::sparsify::SparseKernel;

static KERNELS: LazyLock<Mutex<BTreeMap<String, &'static SparseKernel>>> =
    LazyLock::new(Mutex::default);

/// The kernel with this text. The encodings must be the same each time.
pub(crate) fn parsed(text: &str, encodings: &[(&str, SparseEncoding)]) -> &'static SparseKernel {
    let known = KERNELS.lock().expect("no test panics here").get(text).copied();
    known.unwrap_or_else(|| {
        let kernel =
            SparseKernel::parse(text, encodings).unwrap_or_else(|error| panic!("{text}: {error}"));
        let kernel: &'static SparseKernel = Box::leak(Box::new(kernel));
        KERNELS.lock().expect("no test panics here").insert(text.into(), kernel);
        kernel
    })
}
