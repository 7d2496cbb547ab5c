//! Names of methods in other libraries. Calling one is an error that says what this library has in its place.
//!
//! The methods are in `impl` blocks whose bound nothing satisfies. Method lookup skips these blocks, so that a trait of the user
//! may define any of the names, and rustc shows the bound's message if nothing else has the name. If the receiver is a reference,
//! rustc shows the name of the bound in place of the message, so that the name says what to write.

/// Defines, for each message, a trait that nothing implements, and the names of the methods for which it speaks. rustc shows the type
/// that does not implement the trait: it is the receiver, or a shorter one that is named behind it.
macro_rules! elsewhere {
    ($(
        $Trait:ident $message:literal $(note $note:literal)*
        of [$($generics:tt)*] $Type:ty $(, $Bound:ty)?: $($name:ident)*;
    )*) => { $(
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "this method does not exist here",
            $(note = $note,)*
        )]
        #[doc(hidden)]
        pub trait $Trait {}

        #[doc(hidden)]
        #[allow(
            clippy::new_ret_no_self,
            clippy::wrong_self_convention,
            clippy::should_implement_trait,
            reason = "the methods cannot be called"
        )]
        impl<$($generics)*> $Type where elsewhere!(@bound $($Bound)?): $Trait {
            $(
                #[doc(hidden)]
                pub fn $name(&self) {}
            )*
        }
    )* };
    (@bound) => { Self };
    (@bound $Bound:ty) => { $Bound };
}
pub(crate) use elsewhere;
