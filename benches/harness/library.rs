//! The shared library that `TENSOR_LAYOUT_BLAS` names, OpenBLAS or MKL: loaded when a bench runs, on one thread.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::OnceLock;

/// The environment variable with the name of the library.
const VARIABLE: &str = "TENSOR_LAYOUT_BLAS";

// Parts of the C library, which the standard library links anyway.
unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// `RTLD_NOW`.
const NOW: c_int = 2;

/// The names of functions that set the number of threads; a library has one of them.
const SET_THREADS: [&CStr; 2] = [c"openblas_set_num_threads", c"MKL_Set_Num_Threads"];

/// The address of the first of these functions that the library has; `None` without a library.
///
/// # Panics
/// If the library cannot be loaded.
pub(crate) fn function(names: &[&CStr]) -> Option<*mut c_void> {
    static LIBRARY: OnceLock<Option<usize>> = OnceLock::new();
    let load = || {
        let name = std::env::var(VARIABLE).ok()?;
        let c_name = CString::new(name.as_str()).expect("a name without zeros");
        // SAFETY: the name ends with a zero, and whoever sets the variable answers for the library.
        let library = unsafe { dlopen(c_name.as_ptr(), NOW) };
        assert!(!library.is_null(), "{VARIABLE} is `{name}`, which cannot be loaded");
        for name in SET_THREADS {
            // SAFETY: the library is loaded, and the name ends with a zero.
            let set = unsafe { dlsym(library, name.as_ptr()) };
            if !set.is_null() {
                // SAFETY: both functions take an `int` and return nothing.
                unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int)>(set)(1) };
            }
        }
        Some(library.expose_provenance())
    };
    let library = std::ptr::with_exposed_provenance_mut((*LIBRARY.get_or_init(load))?);
    // SAFETY: as above.
    names.iter().map(|name| unsafe { dlsym(library, name.as_ptr()) }).find(|at| !at.is_null())
}
