//! Products with further steps in the same pass: scales, a sum, a bias, an activation.

use super::epilogue::{Activation, Addend, Epilogue, Same, Steps};
use super::labels::Labels;
use super::micro_kernel::MicroKernel;
use super::row_notes::{RowNotes, RowReduction};
use super::types::{MatmulElement, MatrixShape, RoundedFrom, Sum};
use super::{ElementOf, Operand, OperandMut, Planned, ProductShape, ShapeOf, SumOf, entry};
use crate::element::Element;
use crate::movement::PackError;
use crate::typed::entry::Const;
use crate::typed::packed::or_end;
use crate::typed::{Layout, Packed, SameShape};
use alloc::vec::Vec;

/// The type in which the sums of a product are finished: `f32`, or `f64` if they are in `f64` or `s32`.
type NumberOf<A, B> = <SumOf<A, B> as Sum>::Number;

/// A matrix product with steps that are applied to its sums before they are rounded and written, in one pass.
///
/// With sums `s = a * b`, an element of the result is `activation(scale * row_scales[i] * column_scales[j] * s[i][j] +
/// addend[i][j] + row_bias[i] + column_bias[j])`, rounded once, whatever the order in which the steps are set. Steps that are not
/// set are left out; one that is set again replaces the earlier one, so `plus` twice adds only the second matrix. It is computed
/// in `f32`, or in `f64` for products of `f64` and of integers, whose sums are in `f64` and `s32`.
///
/// ```
/// use tensor_layout::{Layout, Product, half::bf16, tiled, tpu};
/// type X = tpu!(bf16[20,64]);
/// type W = tiled!(s8[64,10]{1,0:T(8,128)(4,1)});
/// type Y = tpu!(bf16[20,10]);
///
/// let x = X::pack(&[bf16::from_f32(0.5); 20 * 64])?;
/// let w = W::pack(&[-2; 64 * 10])?;
/// let y = Product::of(&x, &w)
///     .column_scales(&[0.25; 10])
///     .column_bias(&[17.0; 10])
///     .activation(|y| y.max(0.0))
///     .packed::<Y>();
/// assert_eq!(y.get([19, 9]).to_f32(), 1.0); // 64 * 0.5 * -2 * 0.25 + 17
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[must_use = "it is computed by `packed`, `write_to` or `add_to`"]
pub struct Product<'a, A, B, F = Same> {
    a: &'a A,
    b: &'a B,
    steps: Steps<'a, F>,
}

impl<'a, A, B> Product<'a, A, B>
where
    A: Operand<
        Layout: Layout<Shape: MatrixShape<ShapeOf<B>>, Element: MatmulElement<ElementOf<B>>>,
    >,
    B: Operand,
{
    /// The product `a * b`; [`matmul_into`](super::matmul_into) describes its operands.
    pub fn of(a: &'a A, b: &'a B) -> Self {
        Self { a, b, steps: Steps::new() }
    }

    /// Applies a function to each number before it is rounded, such as `|x| x.max(0.0)`.
    pub fn activation<F>(self, activation: F) -> Product<'a, A, B, F>
    where
        F: Fn(NumberOf<A, B>) -> NumberOf<A, B> + Sync,
    {
        Product { a: self.a, b: self.b, steps: self.steps.with(activation) }
    }
}

impl<'a, A, B, F> Product<'a, A, B, F>
where
    A: Operand<
        Layout: Layout<Shape: MatrixShape<ShapeOf<B>>, Element: MatmulElement<ElementOf<B>>>,
    >,
    B: Operand,
    F: Activation<NumberOf<A, B>>,
{
    /// Multiplies all sums by a number.
    pub fn scale(mut self, scale: f32) -> Self {
        self.steps.scale = Some(scale);
        self
    }

    /// Multiplies all sums of row `i` by `scales[i]`.
    ///
    /// # Panics
    /// If there is not one number for each row, of one matrix or of all matrices of a batch.
    #[track_caller]
    pub fn row_scales(mut self, scales: &'a [f32] /* &scales.unpack() */) -> Self {
        self.check("row scales", scales, 0, "rows");
        self.steps.row_scales = Some(scales);
        self
    }

    /// Multiplies all sums of column `j` by `scales[j]`.
    ///
    /// # Panics
    /// If there is not one number for each column, of one matrix or of all matrices of a batch.
    #[track_caller]
    pub fn column_scales(mut self, scales: &'a [f32] /* &scales.unpack() */) -> Self {
        self.check("column scales", scales, 1, "columns");
        self.steps.column_scales = Some(scales);
        self
    }

    /// Adds `bias[i]` to all elements of row `i`.
    ///
    /// # Panics
    /// If there is not one number for each row, of one matrix or of all matrices of a batch.
    #[track_caller]
    pub fn row_bias(mut self, bias: &'a [f32] /* &bias.unpack() */) -> Self {
        self.check("numbers in the row bias", bias, 0, "rows");
        self.steps.row_bias = Some(bias);
        self
    }

    /// Adds `bias[j]` to all elements of column `j`.
    ///
    /// # Panics
    /// If there is not one number for each column, of one matrix or of all matrices of a batch.
    #[track_caller]
    pub fn column_bias(mut self, bias: &'a [f32] /* &bias.unpack() */) -> Self {
        self.check("numbers in the column bias", bias, 1, "columns");
        self.steps.column_bias = Some(bias);
        self
    }

    /// Adds a matrix in any layout, such as a residual connection; see [`Product::plus_scaled`].
    ///
    /// ```
    /// use tensor_layout::{Layout, Product, tiled};
    /// type Square = tiled!(f32[2,2]);
    /// let a = Square::pack(&[1.0, 2.0, 3.0, 4.0])?;
    /// let c = <tiled!(bf16[2,2]{0,1:T(8,128)(2,1)})>::pack(&[tensor_layout::half::bf16::ONE; 4])?;
    /// assert_eq!(Product::of(&a, &a).plus(&c).packed::<Square>().unpack(), [8.0, 11.0, 16.0, 23.0]);
    /// # Ok::<(), tensor_layout::PackError>(())
    /// ```
    ///
    /// # Panics
    /// As for [`Product::plus_scaled`].
    #[track_caller]
    pub fn plus<C>(self, addend: &'a C) -> Self
    where
        C: Operand<
            Layout: Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
        >,
    {
        const { Planned::<A::Layout, B::Layout, C::Layout>::CHECKED }
        self.plus_scaled(1.0, addend)
    }

    /// Adds a matrix in any layout, multiplied by a number.
    ///
    /// # Panics
    /// If a bounded dimension of the matrix is shorter than that of the product.
    #[track_caller]
    pub fn plus_scaled<C>(mut self, scale: f32, addend: &'a C) -> Self
    where
        C: Operand<
            Layout: Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
        >,
    {
        const { Planned::<A::Layout, B::Layout, C::Layout>::CHECKED }
        let view = addend.view();
        let sizes = super::product_sizes::<A, B, C>(self.a, self.b, None);
        let sizes = &sizes[..view.sizes().len()];
        assert!(
            view.sizes().iter().zip(sizes).all(|(added, size)| added >= size),
            "the matrix that is added has size {:?}, which does not cover the product, of size {sizes:?}",
            view.sizes(),
        );
        let labels = const { Labels::of_matrices(A::Layout::RANK, B::Layout::RANK) };
        self.steps.addend = Some(Addend { scale, array: super::array(addend), labels });
        self
    }

    /// Checks the length of a list with a number for each row or column.
    #[track_caller]
    fn check(&self, what: &str, numbers: &[f32], dim: usize, of: &str) {
        let rank = const {
            if A::Layout::RANK > B::Layout::RANK { A::Layout::RANK } else { B::Layout::RANK }
        };
        let sizes = super::product_sizes::<A, B, A>(self.a, self.b, None);
        let batch: usize = sizes[..rank - 2].iter().product();
        let expected = sizes[rank - 2 + dim];
        assert!(
            numbers.len() == expected || numbers.len() == batch * expected,
            "there are {} {what}, but the product has {expected} {of}",
            numbers.len()
        );
    }

    /// Computes the product as a new array.
    ///
    /// # Panics
    /// If bounded dimensions differ, as for [`matmul_into`](crate::matmul_into). If memory cannot be allocated, as collections
    /// do; see [`Product::try_packed`].
    pub fn packed<ResultLayout>(&self) -> Packed<ResultLayout>
    where
        ResultLayout:
            Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
    {
        const { Planned::<A::Layout, B::Layout, ResultLayout>::CHECKED }
        or_end(self.try_packed())
    }

    /// [`Product::packed`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the product, or for copies, cannot be allocated.
    ///
    /// # Panics
    /// If bounded dimensions differ, as for [`matmul_into`](crate::matmul_into).
    pub fn try_packed<C>(&self) -> Result<Packed<C>, PackError>
    where
        C: Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
    {
        const { Planned::<A::Layout, B::Layout, C>::CHECKED }
        let mut c = super::fresh(self.a, self.b)?;
        self.try_write_to(&mut c)?;
        Ok(c)
    }

    /// Computes the product into an array.
    ///
    /// # Panics
    /// If bounded dimensions differ, as for [`matmul_into`](crate::matmul_into). If memory for copies cannot be allocated, as
    /// collections do; see [`Product::try_write_to`].
    pub fn write_to<C>(&self, c: &mut C)
    where
        C: OperandMut<
            Layout: Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
        >,
    {
        const { Planned::<A::Layout, B::Layout, C::Layout>::CHECKED }
        or_end(self.try_write_to(c));
    }

    /// [`Product::write_to`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for copies cannot be allocated, with the layout of the matrix that they are for.
    /// The contents of `c` are then unspecified.
    ///
    /// # Panics
    /// If bounded dimensions differ, as for [`matmul_into`](crate::matmul_into).
    pub fn try_write_to<C>(&self, c: &mut C) -> Result<(), PackError>
    where
        C: OperandMut<
            Layout: Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
        >,
    {
        const { Planned::<A::Layout, B::Layout, C::Layout>::CHECKED }
        self.compute(c, None, None)
    }

    /// Computes the product as a new array and, in the same pass, the largest element or the sum of each row, from the elements
    /// before they are rounded. The results for a batch are in row-major order.
    ///
    /// ```
    /// use tensor_layout::{Layout, Product, RowReduction, half::bf16, tpu};
    /// let q = <tpu!(bf16[20,64])>::pack(&[bf16::from_f32(0.5); 20 * 64])?;
    /// let k = <tpu!(bf16[64,30])>::pack(&[bf16::ONE; 64 * 30])?;
    /// let scores = Product::of(&q, &k).scale(0.125);
    /// let (scores, largest) = scores.packed_with_rows::<tpu!(f32[20,30])>(RowReduction::Max);
    /// assert_eq!((scores.get([19, 29]), largest), (4.0, vec![4.0; 20]));
    /// # Ok::<(), tensor_layout::PackError>(())
    /// ```
    ///
    /// # Panics
    /// If bounded dimensions differ, as for [`matmul_into`](crate::matmul_into). If memory cannot be allocated, as collections
    /// do; see [`Product::try_packed_with_rows`].
    pub fn packed_with_rows<C>(&self, reduction: RowReduction) -> (Packed<C>, Vec<f64>)
    where
        C: Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
    {
        const { Planned::<A::Layout, B::Layout, C>::CHECKED }
        or_end(self.try_packed_with_rows(reduction))
    }

    /// [`Product::packed_with_rows`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// As for [`Product::try_packed`].
    ///
    /// # Panics
    /// If bounded dimensions differ, as for [`matmul_into`](crate::matmul_into).
    pub fn try_packed_with_rows<C>(
        &self,
        reduction: RowReduction,
    ) -> Result<(Packed<C>, Vec<f64>), PackError>
    where
        C: Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
    {
        const { Planned::<A::Layout, B::Layout, C>::CHECKED }
        let mut c = super::fresh(self.a, self.b)?;
        let sizes = super::product_sizes::<A, B, Packed<C>>(self.a, self.b, None);
        let rows = sizes[..C::RANK - 1].iter().product::<usize>();
        let Some(notes) = RowNotes::new(reduction, rows) else {
            let layout = (*Const::<C>::SPEC).into();
            return Err(PackError::OutOfMemory { bytes: rows.saturating_mul(8), layout });
        };
        self.compute(&mut c, None, Some(&notes))?;
        Ok((c, notes.into_numbers()))
    }

    /// Adds the product to an array: `c = c + product`, rounded once. Padding is unchanged, and so are rows and columns of `c`
    /// that the product does not have. Sums in `s32` wrap, as those of the product do, if there are no other steps.
    ///
    /// ```
    /// use tensor_layout::{Layout, Product, tiled};
    /// type Square = tiled!(f32[2,2]);
    /// let a = Square::pack(&[1.0, 2.0, 3.0, 4.0])?;
    /// let mut c = Square::pack(&[10.0; 4])?;
    /// Product::of(&a, &a).add_to(&mut c);
    /// assert_eq!(c.unpack(), [17.0, 20.0, 25.0, 32.0]);
    /// Product::of(&a, &a).scale(2.0).add_to_scaled(0.5, &mut c); // alpha and beta
    /// assert_eq!(c.unpack(), [22.5, 30.0, 42.5, 60.0]);
    /// # Ok::<(), tensor_layout::PackError>(())
    /// ```
    ///
    /// # Panics
    /// If bounded dimensions differ, as for [`matmul_into`](crate::matmul_into). If memory for copies cannot be allocated, as
    /// collections do; see [`Product::try_add_to_scaled`].
    pub fn add_to<C>(&self, c: &mut C)
    where
        C: OperandMut<
            Layout: Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
        >,
    {
        const { Planned::<A::Layout, B::Layout, C::Layout>::CHECKED }
        self.add_to_scaled(1.0, c);
    }

    /// Multiplies an array by a number and adds the product: `c = beta * c + product`, rounded once. The old elements are added
    /// after the activation, and read even if `beta` is 0: a NaN among them remains. [`Product::write_to`] does not read them.
    /// Padding is unchanged, and so are rows and columns of `c` that the product does not have.
    ///
    /// # Panics
    /// If bounded dimensions differ, as for [`matmul_into`](crate::matmul_into). If memory for copies cannot be allocated, as
    /// collections do; see [`Product::try_add_to_scaled`].
    pub fn add_to_scaled<C>(&self, beta: f32, c: &mut C)
    where
        C: OperandMut<
            Layout: Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
        >,
    {
        const { Planned::<A::Layout, B::Layout, C::Layout>::CHECKED }
        or_end(self.try_add_to_scaled(beta, c));
    }

    /// [`Product::add_to_scaled`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// As for [`Product::try_write_to`].
    ///
    /// # Panics
    /// If bounded dimensions differ, as for [`matmul_into`](crate::matmul_into).
    pub fn try_add_to_scaled<C>(&self, beta: f32, c: &mut C) -> Result<(), PackError>
    where
        C: OperandMut<
            Layout: Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
        >,
    {
        const { Planned::<A::Layout, B::Layout, C::Layout>::CHECKED }
        self.compute(c, Some(beta), None)
    }

    /// Writes the product to an array or, given `before`, adds it to the array multiplied by `before`.
    fn compute<C>(
        &self,
        c: &mut C,
        before: Option<f32>,
        notes: Option<&RowNotes>,
    ) -> Result<(), PackError>
    where
        C: OperandMut<
            Layout: Layout<Shape: SameShape<ProductShape<A, B>>, Element: RoundedFrom<SumOf<A, B>>>,
        >,
    {
        let dims = super::product_dims(self.a, self.b, Some(&*c));
        let sizes = super::product_sizes::<A, B, C>(self.a, self.b, None);
        let (batch, [rows, _, columns]) = (&sizes[..C::Layout::RANK - 2], dims);
        let mut storage = None;
        let steps = self.steps.ready([rows, columns], batch, &mut storage, notes)?;
        let epilogue: Option<&dyn Epilogue<_>> =
            if notes.is_none() && self.steps.is_empty::<NumberOf<A, B>>() {
                None
            } else {
                Some(&steps)
            };
        let (a, b, mut c) = (super::array(self.a), super::array(self.b), c.view_mut());
        let c = (Const::<C::Layout>::SPEC, c.as_bytes_mut());
        if let Some(batched) = const { Planned::<A::Layout, B::Layout, C::Layout>::BATCHED } {
            return batched.run::<SumOf<A, B>>(a, b, c, before, epilogue);
        }
        entry::multiply::<SumOf<A, B>>(
            MicroKernel::choose([ElementOf::<A>::DTYPE, ElementOf::<B>::DTYPE]),
            dims,
            (a.spec, a.bytes),
            (b.spec, b.bytes),
            c,
            before,
            epilogue.map(|epilogue| (epilogue, 0)),
        )
    }
}
