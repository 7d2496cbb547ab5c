//! Compiles functions that are written once for all instruction sets.

/// Kernels of an instruction set, with the function that computes them and the type of its argument: the name of each, the features with
/// which it is compiled, the elements of its words, and the constants of the function.
macro_rules! kernels {
    ($Set:ident, $multiply:ident($Argument:ident): $(
        $(#[$doc:meta])*
        $name:ident $features:literal $Words:ty [$($constant:tt)*];
    )*) => { $(
        $(#[$doc])*
        #[target_feature(enable = $features)]
        pub(super) fn $name(argument: &mut $Argument<'_>) {
            // SAFETY: the function has the features.
            $multiply::<_, $({ $constant }),*>(unsafe { $Set::<$Words>::new() }, argument);
        }
    )* };
}
pub(super) use kernels;

/// Small products of an instruction set: the name of each, the features with which it is compiled, the elements of its words, and the
/// method that computes it, with its constants.
macro_rules! small_products {
    ($Set:ident: $(
        $(#[$doc:meta])*
        $name:ident $features:literal $Words:ty, $multiply:ident [$($constant:tt)*];
    )*) => { $(
        $(#[$doc])*
        #[target_feature(enable = $features)]
        pub(super) fn $name(product: &Small, a: &[u8], b: &[u8], c: &mut [u8]) {
            // SAFETY: the function has the features.
            let simd = unsafe { $Set::<$Words>::new() };
            product.$multiply::<_, $({ $constant }),*>(simd, a, b, c);
        }
    )* };
}
pub(super) use small_products;
