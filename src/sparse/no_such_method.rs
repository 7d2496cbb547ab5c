//! Names of methods and constructors of sparse tensors in other libraries, such as SciPy, PyTorch, sprs and nalgebra.

use super::{BlockTensor, Encoded, Encoding, SparseTensor};
use crate::typed::Layout;
use layout_core::no_such_method;

no_such_method! {
    methods of [E: Encoding, T] [SparseTensor<E, T>]:
    WriteNumberOfEntries "the number of stored entries is `a.number_of_entries()`"
        note "`a.values().len()` is the number of stored values, the zeros in blocks included":
        nnz getnnz count_nonzero num_entries nnz_stored stored_entries len count size_nnz nvals;
    WriteShape "the sizes of a sparse tensor are `a.shape()`: a matrix has `a.shape()[0]` rows and `a.shape()[1]` columns"
        note "`a.row(0)` is the entries of a row where rows are stored one after another, and `a.column(0)` those of a column":
        rows cols columns nrows ncols num_rows num_cols dims dim ndim rank size sizes dimensions;
    WritePositions "`a.positions(level)` are the positions of a level: in CSR, `a.positions(1)` is where each row begins and ends":
        indptr row_ptr row_ptrs row_offsets col_ptr col_ptrs col_offsets crow_indices ccol_indices offsets pos pointers row_pointers;
    WriteCoordinates "`a.coordinates(level)` are the coordinates of a level: in CSR, `a.coordinates(1)` is the column of each entry":
        indices col_indices row_indices col_idx row_idx crd inner_indices coords column_indices;
    WriteValues "`a.values()` are the stored values, and `a.values_mut()` the same as a slice that can be written":
        data data_mut vals nonzeros val;
    WriteConvert "`a.convert::<E>()?` changes the encoding, `formats::Csc` for columns, where `E` is any encoding of as many dimensions"
        note "`a.to_coo()` is a `Vec` of entries, and `a.to_dense()?` of all elements":
        to_csr to_csc tocsr tocsc tocoo tobsr todia to_bsr to_sparse_csr to_sparse_csc into_csr into_csc to_other_storage with_encoding
        asformat to_sparse to_format;
    WriteCast "`a.cast::<f32>()` converts the values to another type"
        note "it takes the tensor by value: `a.clone().cast::<f32>()` leaves `a` as it is":
        astype as_type to_dtype to_type to_f32 to_f64 float double half;
    WriteToDense "`a.to_dense()?` is a `Vec` of all elements, in row-major order":
        todense toarray to_array to_vec to_numpy numpy tolist dense into_dense to_dense_matrix to_dmatrix to_ndarray as_dense;
    WriteTranspose "`a.transpose()` exchanges rows and columns, and takes the tensor by value: `a.clone().transpose()`"
        note "it copies nothing, so that the transpose of a CSR matrix is a CSC matrix":
        t T H mT transposed transpose_view transpose_into permute swapaxes conj_transpose;
    WriteKernel "a kernel computes with sparse tensors: `sparse_kernel! {{ fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] {{ y[i] += a[i, j] * x[j] }} }}`"
        note "then `spmv(&a, &x)?` is a product":
        dot matmul mm mv spmm spmv multiply add sub mul div sum max min mean norm diagonal diag mul_vec apply dot_vec hadamard multiply_into
        sum_axis trace matvec matmat rmatvec gemv gemm spgemm mat_vec times product mul_dense;
    WriteConvertToCsrOrCsc "`row` needs an encoding that stores rows one after another, and `column` one that stores columns: `a.convert::<formats::Csc>()?.column(0)`":
        row column;
    WriteMap "`a.map(|x| 2.0 * x)` computes a function of each stored value, and takes the tensor by value"
        note "`a.values_mut()` changes the values in place":
        scale abs exp sqrt square log sin cos tanh neg floor round sign relu power pow map_inplace map_values apply_to_values for_each_mut iter_mut mapv scale_by;
    WriteGetMut "entries are set where a tensor is built: `SparseTensor::<Csr, f64>::from_coo(shape, &entries, Duplicates::Sum)?`"
        note "`a.insertions()` writes elements one by one, stored or not; `a.get_mut([i, j])` is an entry that is stored, to write to":
        set insert push append set_item add_entry put index_put resize;
    WriteFromCoo "sparse tensors are made by `from_coo(shape, &[([0, 1], 2.0)], Duplicates::Error)?`, `from_triplets`, `from_dense` and `empty`"
        note "`SparseTensor::<Csr, f64>::assemble(..)` takes the arrays of positions and coordinates as they are":
        new zeros zero default from_csr from_csc from_rows from_vec from_entries from_raw with_shape_of try_from_csr identity eye from_array
        from_slice from_iter random from_scipy from_parts new_csr csr with_capacity try_from_coo from_tuples filled sparse_csr_tensor
        sparse_coo_tensor csr_matrix coo_matrix from_arrays from_edges build;
    WriteDuplicatesSum "entries are stored in order and once: `Duplicates::Sum` adds those with the same index, when a tensor is made"
        note "`SparseTensor::<Csr, f64>::from_coo(shape, &entries, Duplicates::Sum)?`; to leave out zeros, filter `a.to_coo()` first":
        sum_duplicates sort_indices sorted_indices has_sorted_indices has_canonical_format coalesce is_coalesced eliminate_zeros
        drop_zeros drop_tolerance sort prune;
    WriteForEach "`a.iter()` is an iterator of the entries with their indices, and `a.for_each(|[i, j], value| ..)` calls a function for each"
        note "`a.row(0)` is the entries of a row where rows are stored one after another, and `a.column(0)` those of a column":
        triplet_iter row_iter col_iter outer_iterator outer_iter iter_rows iter_nonzero nonzero items get_row get_col getrow getcol
        outer_view row_mut enumerate into_iter;
    WriteConvertForOthers "there are no factorizations here: the features `faer`, `sprs` and `nalgebra-sparse` convert to crates that have them":
        solve inv inverse det lu qr cholesky eig eigs svd svds spsolve ldl expm;
    WriteClone "`a.clone()` copies a tensor":
        copy deep_copy detach cpu cuda to_device;
}
no_such_method! {
    methods of [E: Encoding, L: Layout] [BlockTensor<E, L>]:
    WriteUnpack "`blocks.unpack()` is the sparse tensor; its methods read and convert it":
        get to_dense to_coo convert values to_sparse iter for_each number_of_entries nnz transpose cast map row column to_tensor;
}
no_such_method! {
    functions of [R, L, P, C, A] [Encoded<R, L, P, C, A>]:
    WriteSparseTensor "an encoding is not a tensor: `SparseTensor::<Csr, f64>::from_coo(shape, &[([0, 1], 2.0)], Duplicates::Error)?` makes one in the encoding `Csr`":
        from_coo from_triplets from_dense from_dense_pruned empty new assemble zeros from_entries from_csr from_csc from_vec from_slice
        from_array default pack convert;
}
