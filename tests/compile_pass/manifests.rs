//! Manifests with nothing in scope, in `macro_rules!`, with parameters, and next to names that the macro uses itself.

#[cfg(feature = "checkpoint")]
#[allow(dead_code, non_upper_case_globals)]
mod manifests {
    const loader: u8 = 0;
    const name: u8 = 0;
    const field_0: u8 = loader + name;

    type Alias = ::tensor_layout::tpu!(f32[8, 128]);
    type Blocks<const N: usize> = ::tensor_layout::quantized!(q8_0[N, 64]);
    type Square<const N: usize> = ::tensor_layout::tiled!(f32[N,N]);
    type Rows<T> = ::tensor_layout::SparseTensor<::tensor_layout::sparse::formats::Csr, T>;

    ::tensor_layout::checkpoint! {
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Block<'file, W: ::tensor_layout::Layout, const N: usize = 8>
        where
            W: 'static,
        {
            pub field_0: Alias,
            #[name = "w"]
            any: W,
            #[cfg(any())]
            gone: Gone,
            square: Square<N>,
            inline: ::tensor_layout::tiled!(f32[N,3]),
            blocks: ::tensor_layout::quantized!(s4[N,64] by f16[1,32] in blocks),
            named_blocks: Blocks<N>,
        }

        struct Model {
            blocks: [Block<'a, Alias>; 1 + 1],
            #[name = "more.{}.{}"]
            more: Vec<[Alias; 2]>,
            many_blocks: Vec<Option<Blocks<4>>>,
            perhaps: Option<Block<'a, Square<3>, 9>>,
            #[name = ""]
            flat: Block<'a, Square<2>>,
            view: ::tensor_layout::PackedRef<'a, Alias>,
        }

        struct Empty {}

        struct Views<const N: usize> {
            empty: ::tensor_layout::PackedRef<'a, Square<N>>,
            blocks: ::tensor_layout::quantized::QuantizedRef<'a, Blocks<N>>,
            #[nested]
            none: [Empty; 0],
        }

        #[derive(Debug)]
        struct Sparse<T: ::tensor_layout::checkpoint::StoredElement> {
            named: Rows<T>,
            inline: ::tensor_layout::sparse_tensor!(tensor<4x?xf64, #sparse_tensor.encoding<{
                map = (i, j) -> (i : dense, j : compressed)
            }>>),
            list: Vec<Option<Rows<f32>>>,
        }

        struct NoViews {
            #[nested]
            none: Option<Empty>,
        }
    }

    macro_rules! manifest {
        ($name:ident, $layout:ty, $text:literal) => {
            ::tensor_layout::checkpoint! { struct $name { #[name = $text] w: $layout, } }
        };
    }
    manifest!(Generated, Alias, "w");

    pub(crate) fn load<'a>(
        checkpoint: &'a ::tensor_layout::checkpoint::Checkpoint,
    ) -> ::tensor_layout::PackedRef<'a, Alias> {
        use ::tensor_layout::checkpoint::Manifest;
        let model = Model::load(checkpoint).unwrap();
        let generated = Generated::load_from(checkpoint, "blocks.0").unwrap();
        if false { generated.w } else { model.blocks[0].any }
    }
}

fn main() {
    #[cfg(feature = "checkpoint")]
    let _ = manifests::load;
}
