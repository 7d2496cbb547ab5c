//! Methods that one kind of array forwards to another.

/// Defines methods of `Packed` that forward to its view `PackedRef`, or `PackedMut` if they write, and methods of `PackedMut`
/// that forward to `PackedRef`. For use in an `impl` block. Generic parameters and bounds are in brackets; `=>` after an
/// argument names the expression that is passed in its place.
///
/// rustc quotes the line of a method in errors about its arguments, so that a comment at its end can show a call.
///
/// Methods that users often call with a wrong type parameter are written out instead, because rustc quotes their bounds.
///
/// `PackedRef::zip[M](other: &Packed<M> => other.as_ref()) -> Packed<L> where [M: Layout];` becomes a method
/// `zip<M>(&self, other: &Packed<M>) -> Packed<L>` that calls `self.as_ref().zip(other.as_ref())`.
macro_rules! forward {
    ($(
        $(#[$attribute:meta])*
        $View:ident::$method:ident $([$($generics:tt)*])?
        ($($argument:ident: $Type:ty $(=> $passed:expr)?),*) $(-> $Output:ty)? $(where [$($bounds:tt)*])?;
    )*) => { $(
        $crate::typed::forward::forward! { @ $View
            ($(#[$attribute])*
            #[doc = ""]
            #[doc = concat!("See [`", stringify!($View), "::", stringify!($method), "`](crate::",
                stringify!($View), "::", stringify!($method), "), also for errors and panics.")])
            $method [$($($generics)*)?]
            ($($argument: $Type => $crate::typed::forward::forward!(@passed $argument $(=> $passed)?)),*)
            [$(-> $Output)?] [$($($bounds)*)?]
        }
    )* };
    (@ PackedRef ($($attributes:tt)*) $method:ident [$($generics:tt)*]
        ($($argument:ident: $Type:ty => $passed:expr),*) [$($Output:tt)*] [$($bounds:tt)*]) => {
        $($attributes)*
        #[allow(clippy::missing_errors_doc, reason = "the method of the view documents them")]
        pub fn $method<$($generics)*>(&self $(, $argument: $Type)*) $($Output)* where $($bounds)* {
            self.as_ref().$method($($passed),*)
        }
    };
    (@ PackedMut ($($attributes:tt)*) $method:ident [$($generics:tt)*]
        ($($argument:ident: $Type:ty => $passed:expr),*) [$($Output:tt)*] [$($bounds:tt)*]) => {
        $($attributes)*
        #[allow(clippy::missing_errors_doc, reason = "the method of the view documents them")]
        pub fn $method<$($generics)*>(&mut self $(, $argument: $Type)*) $($Output)* where $($bounds)* {
            self.as_mut().$method($($passed),*)
        }
    };
    (@passed $argument:ident) => { $argument };
    (@passed $argument:ident => $passed:expr) => { $passed };
}

pub(crate) use forward;
