//! Programs with documentation, attributes and visibilities, also within functions.
#![deny(warnings)]

use tensor_layout::sharding::{MeshType, ShardedLayout};
use tensor_layout::{mesh, propagate, sharded};

mod meshes {
    tensor_layout::mesh! { pub(crate) Pod = ["data" = 2, "model" = 4] }

    pub(crate) mod inner {
        tensor_layout::mesh! { pub(super) Ring = ["x" = 4] }
        tensor_layout::mesh! { pub Public = ["x" = 8] }
    }
    // Only an item of a module can be visible to the module around it.
    tensor_layout::propagate! {
        mesh self::inner::Ring;
        pub(crate) fn restricted(x: f32[8] [{"x"}]) { let y = tanh(x); return y; }
    }

    pub(crate) fn check() {
        assert_eq!(restricted::y::slice(3).unwrap(), [6..8]);
    }
}
use meshes::{Pod, inner::Public};

propagate! {
    mesh Pod;
    mesh Public;
    /// Documented.
    #[allow(non_snake_case, deprecated)]
    #[doc(alias = "mlp")]
    pub(crate) fn Program(x: f32[8,16] [{"data"}, {}], r: f32[8] @Public [{"x"}]) {
        let Pod = tanh(x);
        return Pod, r;
    }
}

fn main() {
    mesh! { Local = ["data" = 2] }
    mesh! { pub Shown = ["data" = 4] }
    propagate! {
        mesh Local;
        /// Documented.
        #[allow(dead_code)]
        pub fn f(x: f32[8,16] [{"data"}, {}]) { let y = tanh(x); return y; }
    }
    propagate! {
        mesh Shown;
        fn g(x: f32[8,16] [{"data"}, {}]) { let y = tanh(x); return y; }
    }
    propagate! {
        mesh crate::meshes::Pod;
        #[allow(deprecated)]
        fn h(x: f32[8,16] [{"model"}, {}]) { let y = tanh(x); return y; }
    }
    {
        use self::meshes::Pod as Renamed;
        propagate! {
            mesh Renamed;
            #[allow(deprecated)]
            fn f(x: f32[8,16] [{"data"}, {}]) { let y = tanh(x); return y; }
        }
        // The mesh's type has the mesh's own name.
        let _: fn(f::x) -> sharded!(f32[8,16] @ Pod [{"data"}, {}]) = |same| same;
        assert_eq!(f::y::slice(7).unwrap(), [4..8, 0..16]);
    }
    let _: fn(f::x) -> sharded!(f32[8,16] @ Local [{"data"}, {}]) = |same| same;
    assert_eq!(<f::y as ShardedLayout>::Mesh::MESH, Local::MESH);
    assert_eq!(f::y::slice(1).unwrap(), [4..8, 0..16]);
    assert_eq!(g::y::slice(3).unwrap(), [6..8, 0..16]);
    assert_eq!(h::y::slice(1).unwrap(), [2..4, 0..16]);
    assert_eq!(Program::Pod::slice(7).unwrap(), [4..8, 0..16]);
    assert_eq!(<Program::r as ShardedLayout>::Local::DIMS, [1]);
    meshes::check();
}
