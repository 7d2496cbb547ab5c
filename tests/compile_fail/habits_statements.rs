//! Programs in the notation of Python and Rust: shardings of JAX, signs, loops, and the shapes of calls.
use tensor_layout::{mesh, propagate};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    fn jax(x: f32[8,16] P("data", None), w: f32[16,32]) {
        let h = relu(dot(x, w)) + x;
        let g = -x;
        let n = !x;
        return h, g, n;
    }
}
propagate! {
    mesh Pod;
    fn loops(x: f32[8,16]) {
        for i in 0..3 { x = tanh(x); }
        if x { return x; }
        let y = tanh(x);
    }
}
propagate! {
    mesh Pod;
    fn shapes(x: f32[8,16], w: f32[16,32], p: pred[8]) {
        let a = dot_general(x, w, ([1], [0]));
        let b = reshape(x, [8, 8]);
        let c = concatenate(x, x);
        let d = add(x, x, x);
        let e = transpose(x);
        let f = tanh(p);
        let g = lax.scan(step, x);
        let h = x.transpose();
        return a, b, c, d, e, f, g, h;
    }
}
propagate! { mesh Pod; fn types(x: [f32; 8], y: [[f32; 8]; 4]) { let z = tanh(x).exp(); return z, y; } }
propagate! { mesh Pod; run fn without(x: f32[8,16]) { return x; } }

fn main() {}
