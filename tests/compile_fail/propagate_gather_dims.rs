use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn f(x: f32[3,8,4], i: s32[5,2]) {
        let y = gather(x, i, offset=[1,2], collapsed=[0], slice_sizes=[3,8,4], index_vector=1);
        let z = gather(x, i, offset=[1,2], operand_batch=[0], indices_batch=[0], slice_sizes=[1,8,4], index_vector=1);
        return x;
    }
}

fn main() {}
