//! Definitions without `let`, or with the word of another language, and lines without semicolons.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod
    fn f(x: f32[8,16] [{"data"}, {}]) {
        h = tanh(x)
        y = relu(h);
        const z = exp(h);
        m = jnp.mean(z, axis=0);
        return h, y
    }
}

fn main() {}
