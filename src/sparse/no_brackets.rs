//! `a[index]` of types without elements in brackets.

/// Implements brackets for a type, with its generic parameters, so that their error is the one that is given: a trait that no index
/// implements.
macro_rules! no_brackets {
    ([$($generics:tt)*] [$Type:ty] $(#[$attribute:meta])* $InBrackets:ident) => {
        $(#[$attribute])*
        pub trait $InBrackets {
            /// No element. Without this type, rustc would take what the brackets return for a second mistake.
            type Element: 'static;
            #[doc(hidden)]
            fn element<'a>(self) -> &'a Self::Element;
        }

        // With no implementation at all, rustc would propose to add one.
        #[diagnostic::do_not_recommend]
        impl $InBrackets for core::convert::Infallible {
            type Element = Self;

            fn element<'a>(self) -> &'a Self {
                match self {}
            }
        }

        #[doc(hidden)]
        impl<I: $InBrackets, $($generics)*> core::ops::Index<I> for $Type {
            type Output = I::Element;

            fn index(&self, index: I) -> &I::Element {
                index.element()
            }
        }
    };
}
pub(crate) use no_brackets;
