//! Types with the names of traits. If a name is not unique, rustc writes the whole path of the trait in what it suggests, such as
//! `T: tensor_layout::sparse::SparseElement`, which compiles without an import.

macro_rules! same_names {
    ($($name:ident)*) => { $(
        #[doc = concat!("Not the trait `", stringify!($name), "`.")]
        #[derive(Debug)]
        pub struct $name;
    )* };
}
same_names! { Arithmetic Ordered Real Summand }
#[cfg(feature = "sparse")]
same_names! { SparseElement SparseScalar }
#[cfg(feature = "sharding")]
same_names! { MeshType OnMesh ShardedLayout Transport }
#[cfg(all(feature = "sparse", feature = "sharding"))]
same_names! { ShardedSparseLayout SparseMessage }
