//! Functions of each element.

use super::ElementOf;
use super::bounds::{ElementOfBoth, Reduced, SameAxes};
use super::checked::{Both, Of, call, check};
use super::deferred::HostOf;
use crate::compute::{Arithmetic, Real, converted, zipped};
use crate::sharding::run::{RunError, Sharded};
use crate::sharding::typed::{OnMesh, ShardedLayout};
use crate::typed::packed::or_end;
use crate::typed::{Layout, Packed};
use core::ops::{Add, Div, Mul, Sub};
use layout_core::sharding::shaped::ShapedOp;

impl<L: ShardedLayout> Sharded<L> {
    /// An array with the same value everywhere. Along unreduced axes each device has that value.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn filled(value: HostOf<L>) -> Result<Self, RunError> {
        Ok(Self::new(Packed::try_filled(value)?))
    }

    /// A new array of `f` of each element; see [`PackedRef::map`](crate::PackedRef::map).
    ///
    /// Does not compile if the array is unreduced: `f` of a part is not a part of `f`.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn map(&self, f: impl FnMut(HostOf<L>) -> HostOf<L>) -> Result<Self, RunError>
    where
        L::Unreduced: Reduced,
    {
        const { check::<L>(call::<L>("map", ShapedOp::Each, Of::<L>::ALONE)) };
        Ok(Self::new(self.local().as_ref().try_map(f)?))
    }

    /// A new array of another element type or layout, of `f` of each element; see
    /// [`PackedRef::convert`](crate::PackedRef::convert).
    ///
    /// Does not compile if the array is unreduced, or if `M` is split differently.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn convert<M>(&self, f: impl FnMut(HostOf<L>) -> HostOf<M>) -> Result<Sharded<M>, RunError>
    where
        M: OnMesh<L::Mesh> + ShardedLayout<Axes: SameAxes<L::Axes>>,
        L::Unreduced: Reduced,
    {
        const { check::<M>(call::<L>("convert", ShapedOp::Each, Of::<L>::ALONE)) };
        Ok(Sharded::new(converted(self.local().as_ref(), f)?))
    }

    /// A new array of `f` of each element of this array and the element of `other` at the same index; see
    /// [`PackedRef::zip`](crate::PackedRef::zip). Operators, `&x + &y`, also accept parts of sums if the result is then a part of
    /// the sum.
    ///
    /// Does not compile if one of the arrays is unreduced, or if they are split differently.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn zip<M>(
        &self,
        other: &Sharded<M>,
        f: impl FnMut(HostOf<L>, HostOf<M>) -> HostOf<L>,
    ) -> Result<Self, RunError>
    where
        M: OnMesh<L::Mesh> + ShardedLayout<Axes: SameAxes<L::Axes>, Unreduced: Reduced>,
        L::Unreduced: Reduced,
    {
        const { check::<L>(call::<L>("zip", ShapedOp::Each, Both::<L, M>::TENSORS)) };
        Ok(Self::new(zipped(self.local().as_ref(), other.local().as_ref(), f)?))
    }

    /// The array with each element multiplied by `factor`. Parts of sums stay parts.
    ///
    /// Does not compile if the array is unreduced by a maximum or a minimum.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn scale(&self, factor: HostOf<L>) -> Result<Self, RunError>
    where
        HostOf<L>: Arithmetic,
    {
        const { check::<L>(call::<L>("multiply", ShapedOp::Each, Of::<L>::ALONE)) };
        Ok(Self::new(self.local().as_ref().try_map(|x| Arithmetic::mul(x, factor))?))
    }

    /// The softmax along dimension `DIM`; see [`PackedRef::softmax`](crate::PackedRef::softmax).
    ///
    /// Does not compile if the array is unreduced, or if the dimension is split. Along a dimension that is split, softmax
    /// consists of [`max`](Self::max), [`zip_broadcast`](Self::zip_broadcast) and [`sum`](Self::sum):
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use tensor_layout::sharding::run::ops::Dims1;
    /// use tensor_layout::sharding::run::{RunError, Sharded, threads};
    /// use tensor_layout::{mesh, sharded};
    ///
    /// mesh! { Pod = ["x" = 4] }
    /// type Scores = sharded!(f32[2,8] @ Pod [{}, {"x"}]);
    /// type Rows = sharded!(f32[2] @ Pod [{}]);
    ///
    /// let parts = threads::run(4, |transport| -> Result<_, RunError> {
    ///     let scores = Sharded::<Scores>::filled(1.0)?;
    ///     let largest: Sharded<Rows> = scores.max::<Dims1<1>>().on(transport)?;
    ///     let powers = scores.zip_broadcast::<Dims1<0>, _>(&largest, |x, most| (x - most).exp())?;
    ///     let sums: Sharded<Rows> = powers.sum::<Dims1<1>>().on(transport)?;
    ///     Ok(powers.zip_broadcast::<Dims1<0>, _>(&sums, |x, sum| x / sum)?.local().unpack())
    /// });
    /// assert!(parts.iter().all(|part| *part == Ok(vec![0.125; 4])));
    /// # }
    /// ```
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn softmax<const DIM: usize>(&self) -> Result<Self, RunError>
    where
        L::Unreduced: Reduced,
        HostOf<L>: Real,
    {
        const { check::<L>(call::<L>("softmax", ShapedOp::Along(DIM), Of::<L>::ALONE)) };
        Ok(Self::new(self.local().as_ref().try_softmax(DIM)?))
    }
}

macro_rules! operators {
    ($($Operator:ident $method:ident $name:literal $sign:literal;)*) => { $(
        operator! {
            #[doc = concat!("`&a ", $sign, " &b`, element by element, split as `a`. Does not compile if the two are split \
                             differently, or if one is unreduced and the result would not be. Panics if memory cannot be \
                             allocated, as collections do.")]
            $Operator $method (a: &Sharded<L>, b: &Sharded<M>) {
                const { check::<L>(call::<L>($name, ShapedOp::Each, Both::<L, M>::TENSORS)) };
                let (a, b) = (a.local().as_ref(), b.local().as_ref());
                Sharded::new(or_end(zipped(a, b, Arithmetic::$method)))
            }
        }
        operator! {
            #[doc = concat!("See `&a ", $sign, " &b`.")]
            $Operator $method (a: Sharded<L>, b: &Sharded<M>) { $Operator::$method(&a, b) }
        }
        operator! {
            #[doc = concat!("See `&a ", $sign, " &b`.")]
            $Operator $method (a: &Sharded<L>, b: Sharded<M>) { $Operator::$method(a, &b) }
        }
        operator! {
            #[doc = concat!("See `&a ", $sign, " &b`.")]
            $Operator $method (a: Sharded<L>, b: Sharded<M>) { $Operator::$method(&a, &b) }
        }
    )* };
}

macro_rules! operator {
    (#[$doc:meta] $Operator:ident $method:ident ($a:ident: $A:ty, $b:ident: $B:ty) $body:block) => {
        #[$doc]
        impl<L, M> $Operator<$B> for $A
        where
            L: ShardedLayout,
            M: OnMesh<L::Mesh>
                + ShardedLayout<
                    Axes: SameAxes<L::Axes>,
                    Global: Layout<Element: ElementOfBoth<ElementOf<L>>>,
                >,
            HostOf<L>: Arithmetic,
        {
            type Output = Sharded<L>;

            fn $method(self, $b: $B) -> Sharded<L> {
                let $a = self;
                $body
            }
        }
    };
}
operators! {
    Add add "add" "+";
    Sub sub "subtract" "-";
    Mul mul "multiply" "*";
    Div div "divide" "/";
}
