//! Names of methods and functions that exist only in other libraries. Calling one is an error that says what to write.

/// Defines, for each message, a trait that nothing implements, and the names for which it speaks: methods of each of the types,
/// or functions after `functions of`. rustc shows the type that does not implement the trait: the receiver, or the shorter one after
/// `where`.
///
/// The names are in `impl` blocks whose bound nothing satisfies. Lookup skips these blocks, so that a trait of the user may
/// define any of the names, and rustc shows the bound's message if nothing else has the name. It shows the trait's name in place
/// of the message if the receiver is a reference, so that the name says what to write.
#[doc(hidden)]
#[macro_export]
macro_rules! no_such_method {
    (methods of $generics:tt $types:tt: $($methods:tt)*) => {
        $crate::no_such_method!(@methods $generics $types [Self] $($methods)*);
    };
    (methods of $generics:tt $types:tt where $Bound:ty: $($methods:tt)*) => {
        $crate::no_such_method!(@methods $generics $types [$Bound] $($methods)*);
    };
    (
        @methods $generics:tt $types:tt $bound:tt
        $( $Trait:ident $message:literal $(note $note:literal)*: $($name:ident)*; )*
    ) => { $(
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "this method does not exist here",
            $(note = $note,)*
        )]
        #[doc(hidden)]
        pub trait $Trait {}

        $crate::no_such_method!(@types $generics $types $bound $Trait (&self) [$($name)*]);
    )* };
    (functions of $generics:tt $types:tt: $Trait:ident $message:literal: $($name:ident)*;) => {
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "this function does not exist here"
        )]
        /// Nothing implements it: it speaks for functions that exist only in other libraries.
        pub trait $Trait {}

        $crate::no_such_method!(@types $generics $types [Self] $Trait () [$($name)*]);
    };
    (@types $generics:tt [$($Type:ty),*] $bound:tt $Trait:ident $receiver:tt $names:tt) => {
        $($crate::no_such_method!(@impl $generics $Type, $bound $Trait $receiver $names);)*
    };
    (@impl [$($generics:tt)*] $Type:ty, [$Bound:ty] $Trait:ident $receiver:tt [$($name:ident)*]) => {
        #[doc(hidden)]
        #[allow(
            clippy::new_ret_no_self,
            clippy::wrong_self_convention,
            clippy::should_implement_trait,
            non_snake_case,
            reason = "the methods cannot be called"
        )]
        // With `for`, rustc reports a bound without parameters where it is used, not here.
        impl<$($generics)*> $Type where for<'never> $Bound: $Trait {
            $(
                #[doc(hidden)]
                pub fn $name $receiver {}
            )*
        }
    };
}
