//! The encodings that several tests use, and all those of MLIR's document.

use tensor_layout::sparse_encoding;

sparse_encoding! {
    pub type Csr = (i, j) -> (i : dense, j : compressed);
    pub type Csr32 = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32;
    pub type Csc = (i, j) -> (j : dense, i : compressed);
    pub type SparseVector = #SparseVector = #sparse_tensor.encoding<{
        map = (i) -> (i : compressed)
    }>;
    pub type SortedCoo = #SortedCOO = #sparse_tensor.encoding<{
        map = (i, j) -> (i : compressed(nonunique), j : singleton)
    }>;
    pub type SoaCoo = (i, j) -> (i : compressed(nonunique), j : singleton(soa));
    pub type Coo3 = (i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton);
    pub type Bcoo = #BCOO = #sparse_tensor.encoding<{
        map = (i, j, k) -> (i : dense, j : compressed(nonunique, high), k : singleton)
    }>;
    pub type Dcsc = #DCSC = #sparse_tensor.encoding<{
        map = (i, j) -> (j : compressed, i : compressed),
        posWidth = 32,
        crdWidth = 8
    }>;
    pub type Dcsr = (i, j) -> (i : compressed, j : compressed);
    pub type Bsr2 = #BSR = #sparse_tensor.encoding<{
        map = (i, j) ->
            ( i floordiv 2 : dense
            , j floordiv 2 : compressed
            , i mod 2      : dense
            , j mod 2      : dense
            )
    }>;
    pub type Bsr = #BSR = #sparse_tensor.encoding<{
        map = ( i, j ) ->
        ( i floordiv 2 : dense,
            j floordiv 3 : compressed,
            i mod 2      : dense,
            j mod 3      : dense
        )
    }>;
    pub type BsrExplicit = #BSR_explicit = #sparse_tensor.encoding<{
        map = { ib, jb, ii, jj }
        ( i = ib * 2 + ii,
            j = jb * 3 + jj) ->
        ( ib = i floordiv 2 : dense,
            jb = j floordiv 3 : compressed,
            ii = i mod 2 : dense,
            jj = j mod 3 : dense)
    }>;
    pub type Nv24 = #NV_24 = #sparse_tensor.encoding<{
        map = ( i, j ) -> ( i : dense,
                            j floordiv 4 : dense,
                            j mod 4 : block2_4),
        crdWidth = 2 // 2-bits for each coordinate
    }>;
    pub type Ell = #ELL = #sparse_tensor.encoding<{
        map = [c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed)
    }>;
    pub type EllRows = [c](i, j) -> (i : dense, c * 6 * i : dense, j : compressed);
    pub type CsrSlice = #CSR_SLICE = #sparse_tensor.encoding<{
        map = (i : #sparse_tensor<slice(0, 4, 1)>,
               j : #sparse_tensor<slice(0, 8, ?)>) ->
        (i : dense, j : compressed)
    }>;
    pub type Dense = (i, j) -> (i : dense, j : dense);
    pub type DenseCsr = (i, j) -> (i : compressed, j : dense);
    pub type Loose = (i, j) -> (i : dense, j : loose_compressed);
    pub type Dia = (i, j) -> (j - i : compressed, i : range);
    pub type DiaJ = (i, j) -> (j - i : compressed, j : range);
    pub type AntiDia = (i, j) -> (i + j : compressed, i : range), crdWidth = 16;
    pub type Delta = (i, j) -> (i : dense, j : delta[1]);
    pub type Delta4 = (i, j) -> (i : compressed, j : delta[4]), crdWidth = 8;
    pub type Mixed = (i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense);
    pub type TwoLevel = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed,
        (i mod 4) floordiv 2 : dense, (j mod 4) floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense);
    pub type Linear = (i, j) -> (i * 16 + j : compressed);
    pub type LinearBlocks = (i, j) -> ((i * 16 + j) floordiv 4 : compressed, (i * 16 + j) mod 4 : dense);
    pub type Unordered = (i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonordered));
    pub type Batched = (i, j) -> (i : batch, j : compressed);
    pub type CsrNonunique = (i, j) -> (i : dense, j : compressed(nonunique, nonordered));
    pub type Csf = (i, j, k) -> (i : compressed, j : compressed, k : compressed);
    pub type Csf201 = (i, j, k) -> (k : compressed, i : compressed, j : compressed);
    pub type BatchedCsr = (b, i, j) -> (b : batch, i : dense, j : compressed);
    pub type Blocks3 = (i, j, k) -> (i floordiv 2 : dense, j : compressed, k floordiv 2 : compressed, i mod 2 : dense,
        k mod 2 : dense);
}
