//! Operations that move elements to other dimensions.

use super::ElementOf;
use super::checked::{Of, call, check};
use super::numbers::DimNumbers;
use crate::compute::permute_into;
use crate::sharding::run::{RunError, Sharded};
use crate::sharding::typed::{OnMesh, ShardedLayout};
use crate::typed::entry::Const;
use crate::typed::{Layout, Packed, SameElement};
use layout_core::sharding::shaped::ShapedOp;

impl<L: ShardedLayout> Sharded<L> {
    /// The array with its dimensions in another order: dimension `i` of the result is dimension `P::LIST[i]`. Parts of sums stay
    /// parts.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use tensor_layout::sharding::run::{RunError, Sharded, ops::Dims2, threads};
    /// use tensor_layout::{mesh, sharded};
    ///
    /// mesh! { Pod = ["x" = 2] }
    /// type Rows = sharded!(s32[2,3] @ Pod [{"x"}, {}]);
    /// type Columns = sharded!(s32[3,2] @ Pod [{}, {"x"}]);
    ///
    /// let columns = threads::run(2, |transport| -> Result<_, RunError> {
    ///     let rows = Sharded::<Rows>::scatter(transport, 0, Some(&vec![1, 2, 3, 4, 5, 6]))?;
    ///     rows.transpose::<Dims2<1, 0>, Columns>()?.gather(transport, 0)
    /// });
    /// assert_eq!(columns[0], Ok(Some(vec![1, 4, 2, 5, 3, 6])));
    /// # }
    /// ```
    ///
    /// Does not compile unless `Y` has the sizes and the sharding of the result.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn transpose<P: DimNumbers, Y>(&self) -> Result<Sharded<Y>, RunError>
    where
        Y: OnMesh<L::Mesh>,
        Y::Local: Layout<Element: SameElement<ElementOf<L>>>,
    {
        const { check::<Y>(call::<L>("transpose", ShapedOp::Transpose(P::LIST), Of::<L>::ALONE)) };
        let mut local = Packed::<Y::Local>::zeroed()?;
        permute_into(self.local(), P::LIST, Const::<Y::Local>::SPEC, local.as_bytes_mut())?;
        Ok(Sharded::new(local))
    }

    /// The same elements, row-major, with other dimensions. Parts of sums stay parts.
    ///
    /// Does not compile unless each device already has the elements of its part of `Y`: the axes divide the most major parts of
    /// the dimensions that are joined or divided.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use tensor_layout::sharding::run::{RunError, Sharded, threads};
    /// use tensor_layout::{mesh, sharded};
    ///
    /// mesh! { Pod = ["model" = 4] }
    /// type Features = sharded!(f32[6,32] @ Pod [{}, {"model"}]);
    /// type Heads = sharded!(f32[6,8,4] @ Pod [{}, {"model"}, {}]);         // two heads on each device
    ///
    /// let heads = threads::run(4, |_| -> Result<_, RunError> {
    ///     Ok(Sharded::<Features>::filled(1.0)?.reshape::<Heads>()?.local().dims())
    /// });
    /// assert_eq!(heads[0], Ok([6, 2, 4]));
    /// # }
    /// ```
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn reshape<Y>(&self) -> Result<Sharded<Y>, RunError>
    where
        Y: OnMesh<L::Mesh>,
        Y::Local: Layout<Element: SameElement<ElementOf<L>>>,
    {
        const { check::<Y>(call::<L>("reshape", ShapedOp::Reshape, Of::<L>::ALONE)) };
        Sharded::from_local_bytes(&self.local_bytes()?)
    }
}
