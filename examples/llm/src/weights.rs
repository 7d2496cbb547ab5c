//! How weights are stored: bf16 in tiles, block-scaled, or pruned to two of every four.

use crate::Result;
use crate::config::Dims;
use crate::devices::Split;
use crate::model::{Acts, Rounded};
use clap::ValueEnum;
use tensor_layout::checkpoint::{Loader, Manifest, Rules};
use tensor_layout::half::bf16;
use tensor_layout::quantized::QuantizedRef;
use tensor_layout::sparse::{SparseTensorRef, formats};
use tensor_layout::{Packed, PackedRef, Product, matmul_into, quantized, sparse_tensor, tiled};

/// The largest number of tokens whose activations are quantized, and of rows of a table that are moved together.
const FEW: usize = 8;

/// The formats in which weights are packed. Norms are bf16 in all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Weights {
    /// Unchanged: 16 bits each.
    #[default]
    Bf16,
    /// 8 bits, and a scale for every 32 weights: 8.5 bits each.
    #[value(name = "q8_0")]
    Q8,
    /// The numbers of `q8_0` in two planes: an array of 8-bit integers in the form that other programs use, followed by the scales.
    #[value(name = "s8")]
    S8,
    /// 4 bits, and a scale for every 32 weights: 4.5 bits each.
    #[value(name = "q4_0")]
    Q4,
    /// Unchanged, but only the two of largest magnitude of every four, with their positions: 9 bits each. Embeddings and output
    /// weights are not pruned.
    #[value(name = "2:4")]
    TwoOfFour,
}

/// How activations that are multiplied by block-scaled weights are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Activations {
    /// Unchanged, in bf16.
    #[default]
    Bf16,
    /// The activations of a few tokens at once are quantized, with a scale for every 32. This is less exact, but faster: writing
    /// multiplies few activations by all weights.
    S8,
}

/// How weights are packed, and how activations are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formats {
    /// How weights are packed.
    pub weights: Weights,
    /// How activations are stored.
    pub activations: Activations,
}

impl From<Weights> for Formats {
    fn from(weights: Weights) -> Self {
        Self { weights, activations: Activations::Bf16 }
    }
}

impl Weights {
    /// The name of the packed checkpoint next to a model, split or not.
    pub(crate) fn file(self, split: Option<Split>) -> String {
        let format = match self {
            Self::Bf16 => "",
            Self::Q8 => ".q8_0",
            Self::S8 => ".s8",
            Self::Q4 => ".q4_0",
            Self::TwoOfFour => ".2-of-4",
        };
        let parts = split.map(|split| format!(".{}-parts", split.devices())).unwrap_or_default();
        format!("packed{format}{parts}.safetensors")
    }

    /// The rules by which a checkpoint is packed. Norms are row-major, because they are read element by element; products read all
    /// other weights in place.
    pub(crate) fn rules(self, split: Option<Split>, dims: Dims) -> Result<Rules> {
        let tiles = "{0,1:T(8,128)(2,1)} as bf16";
        let (layout, tables) = match self {
            Self::Bf16 => (tiles, tiles),
            Self::Q8 => ("q8_0", "q8_0"),
            Self::S8 => ("s8[..] by f16[1,32] in planes", "s8[..] by f16[1,32] in planes"),
            Self::Q4 => ("q4_0", "q4_0"),
            Self::TwoOfFour => ("2:4 pruned as bf16", tiles),
        };
        let rules = match split {
            None => format!(
                "*norm.weight = row-major as bf16
                 *.embed_tokens.weight = {tables}
                 lm_head.weight = {tables}
                 * = {layout}"
            ),
            Some(split) => split.rules(layout, tables, dims),
        };
        Ok(rules.parse()?)
    }
}

/// A format as a type.
pub(crate) trait Format {
    /// A view, in the file, of an array with one row for each of `O` outputs.
    type Array<'a, const O: usize, const I: usize>: Matrix<O, I> + Manifest<'a>;
    /// A view, in the file, of an array with one row for each token.
    type Table<'a, const O: usize, const I: usize>: Table<O, I> + Manifest<'a> + Copy;
}

/// Weights of a product.
pub(crate) trait Matrix<const O: usize, const I: usize>: Sync {
    /// Writes the product of activations and the transposed weights.
    fn product<const R: usize>(
        &self,
        acts: &Packed<Rounded<R, I>>,
        to: Activations,
        sums: &mut Packed<Acts<R, O>>,
    ) -> Result<()>;

    /// Adds [`Matrix::product`] to the first of two arrays. The elements of the second are overwritten.
    fn add_product<const R: usize>(
        &self,
        acts: &Packed<Rounded<R, I>>,
        to: Activations,
        (sums, term): (&mut Packed<Acts<R, O>>, &mut Packed<Acts<R, O>>),
    ) -> Result<()> {
        self.product(acts, to, term)?;
        sums.zip_in_place(term, |sum, term| sum + term);
        Ok(())
    }
}

/// Weights whose rows can also be read.
pub(crate) trait Table<const O: usize, const I: usize>: Matrix<O, I> {
    /// Writes some of the rows, one after the other.
    fn gather(&self, rows: &[usize], to: &mut [f32]) -> Result<()>;
}

/// [`Weights::Bf16`]. The layout of the transposed matrix, by which activations are multiplied, is `bf16[I,O]{1,0:T(8,128)(2,1)}`,
/// which kernels read in place.
pub(crate) struct Bf16;
type Tiled<const O: usize, const I: usize> = tiled!(bf16[O,I]{0,1:T(8,128)(2,1)});

impl Format for Bf16 {
    type Array<'a, const O: usize, const I: usize> = PackedRef<'a, Tiled<O, I>>;
    type Table<'a, const O: usize, const I: usize> = PackedRef<'a, Tiled<O, I>>;
}

impl<const O: usize, const I: usize> Matrix<O, I> for PackedRef<'_, Tiled<O, I>> {
    fn product<const R: usize>(
        &self,
        acts: &Packed<Rounded<R, I>>,
        _: Activations,
        sums: &mut Packed<Acts<R, O>>,
    ) -> Result<()> {
        matmul_into(acts, &self.transposed(), sums);
        Ok(())
    }

    fn add_product<const R: usize>(
        &self,
        acts: &Packed<Rounded<R, I>>,
        _: Activations,
        (sums, _): (&mut Packed<Acts<R, O>>, &mut Packed<Acts<R, O>>),
    ) -> Result<()> {
        Product::of(acts, &self.transposed()).add_to(sums);
        Ok(())
    }
}

impl<const O: usize, const I: usize> Table<O, I> for PackedRef<'_, Tiled<O, I>> {
    fn gather(&self, rows: &[usize], to: &mut [f32]) -> Result<()> {
        for (rows, to) in rows.chunks(FEW).zip(to.chunks_mut(FEW * I)) {
            let gathered = self.gather_rows::<Rounded<FEW, I>>(rows);
            let numbers = &gathered.as_elements()[..rows.len() * I];
            to.iter_mut().zip(numbers).for_each(|(to, x)| *to = x.to_f32());
        }
        Ok(())
    }
}

/// Block-scaled formats. Blocks are along the inputs, so that products read them in place.
macro_rules! blocks {
    ($($(#[$doc:meta])* $Format:ident: $element:ident [$($scales:tt)*];)*) => { $(
        $(#[$doc])*
        pub(crate) struct $Format;

        impl Format for $Format {
            type Array<'a, const O: usize, const I: usize> =
                QuantizedRef<'a, quantized!($element[O,I] $($scales)*)>;
            type Table<'a, const O: usize, const I: usize> =
                QuantizedRef<'a, quantized!($element[O,I] $($scales)*)>;
        }

        impl<const O: usize, const I: usize> Matrix<O, I>
            for QuantizedRef<'_, quantized!($element[O,I] $($scales)*)>
        {
            fn product<const R: usize>(
                &self,
                acts: &Packed<Rounded<R, I>>,
                to: Activations,
                sums: &mut Packed<Acts<R, O>>,
            ) -> Result<()> {
                let rows = acts.len(0);
                let (weights, x) = (self.as_dyn(), &acts.as_elements()[..rows * I]);
                let y = &mut sums.as_elements_mut()[..rows * O];
                match to {
                    Activations::S8 if rows <= FEW => weights.matmul_s8_into(x, y)?,
                    _ => weights.matmul_into(x, y)?,
                }
                Ok(())
            }
        }

        impl<const O: usize, const I: usize> Table<O, I>
            for QuantizedRef<'_, quantized!($element[O,I] $($scales)*)>
        {
            fn gather(&self, rows: &[usize], to: &mut [f32]) -> Result<()> {
                for (to, &row) in to.chunks_exact_mut(I).zip(rows) {
                    self.as_dyn().rows(row..row + 1).unpack_into(to)?;
                }
                Ok(())
            }
        }
    )* };
}
blocks! {
    /// [`Weights::Q8`]
    Q8: q8_0 [];
    /// [`Weights::S8`]
    S8: s8 [by f16[1,32] in planes];
    /// [`Weights::Q4`]
    Q4: q4_0 [];
}

/// [`Weights::TwoOfFour`]
pub(crate) struct Sparse;

impl Format for Sparse {
    type Array<'a, const O: usize, const I: usize> = TwoOfFour<'a, O, I>;
    type Table<'a, const O: usize, const I: usize> = PackedRef<'a, Tiled<O, I>>;
}

/// Views of the values and the coordinates in the file.
pub(crate) struct TwoOfFour<'a, const O: usize, const I: usize>(
    SparseTensorRef<'a, formats::TwoOfFour, bf16>,
);

impl<'a, const O: usize, const I: usize> Manifest<'a> for TwoOfFour<'a, O, I> {
    fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
        let found = loader.checkpoint().get::<sparse_tensor!(bf16[O,I] formats::TwoOfFour)>(name);
        loader.check(found).map(Self)
    }
}

impl<const O: usize, const I: usize> Matrix<O, I> for TwoOfFour<'_, O, I> {
    fn product<const R: usize>(
        &self,
        acts: &Packed<Rounded<R, I>>,
        _: Activations,
        sums: &mut Packed<Acts<R, O>>,
    ) -> Result<()> {
        let rows = acts.len(0);
        let y = &mut sums.as_elements_mut()[..rows * O];
        Ok(self.0.matmul_into(&acts.as_elements()[..rows * I], y)?)
    }
}
