/// Marks a constant that is written as a value.
pub struct AsValue;
/// Marks a constant that is written as a function that returns it.
pub struct AsFunction;

/// The expression for a value of type `T` in a statement: a value, or a function without arguments.
#[diagnostic::on_unimplemented(
    message = "expected a value of type `{T}`, or a function without arguments that returns one",
    label = "expected `{T}`, found `{Self}`"
)]
pub trait Constant<T, By> {
    /// The value.
    fn value(self) -> T;
}

impl<T> Constant<T, AsValue> for T {
    #[inline(always)]
    fn value(self) -> T {
        self
    }
}

impl<T, F: Fn() -> T> Constant<T, AsFunction> for F {
    #[inline(always)]
    fn value(self) -> T {
        self()
    }
}

/// The value of `written`.
#[inline(always)]
pub fn constant<T, By>(written: impl Constant<T, By>) -> T {
    written.value()
}
