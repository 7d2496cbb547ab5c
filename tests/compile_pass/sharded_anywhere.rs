//! Meshes and sharded types over them, through modules and with nothing in scope.
#![no_implicit_prelude]

mod pods {
    ::tensor_layout::mesh! {
        /// Read from elsewhere.
        pub Pod = ["data" = 2, "model" = 4]
    }
    pub(crate) mod inner {
        use super::Pod;
        pub(crate) type Rows = ::tensor_layout::sharded!(f32[8,16] @ Pod [{"data"}, {}]);
    }
}
use pods::Pod;

type Columns = ::tensor_layout::sharded!(f32[8,16] @ pods::Pod [{}, {"model"}]);

::tensor_layout::propagate! {
    mesh self::pods::Pod;
    fn f(x: f32[8,16] [{"data"}, {}]) {
        let y = tanh(x);
        return y;
    }
}

fn main() {
    ::std::assert_eq!(<Pod as ::tensor_layout::sharding::MeshType>::MESH.devices(), 8);
    ::std::assert_eq!(pods::inner::Rows::DEVICES, Columns::DEVICES);
    ::std::assert_eq!(f::y::slice(7), ::std::option::Option::Some(::std::vec![4..8, 0..16]));
    let rule = ::tensor_layout::sharding_rule!((i j) k -> i j k, i=2, j=4);
    ::std::assert_eq!(rule.factor_count(), 3);
}
