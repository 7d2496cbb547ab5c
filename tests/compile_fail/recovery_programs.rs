//! Syntax errors do not hide other mistakes: in numbers, in parameters, in statements, and in the parts that could be read.
use tensor_layout::{mesh, propagate, sharding_rule};

mesh! { Pod = ["data" = 2, "model" = 4] }

propagate! {
    mesh Pod;
    const N = 8.5;
    const M: u32 = 16;
    fn numbers(x: f32[N, M]) { return x; }
}
propagate! {
    mesh Pod;
    fn parameters(x f32[8,16], w: f32[16 32], v: &f32[8,16]) -> f32[8,16] {
        let y = dot(x, w);
        let z: f32[16,8] = transpose(v, [1, 0]);
        let u = dot(v, v);
        y
    }
}
propagate! {
    mesh Pod;
    fn statements(x: f32[8,16], w: f32[16,32]) {
        let y = tanh x;
        let z = dot(w, x);
        let s = lax.psum(y, "data");
        return z
    }
}

sharding_rule! { Rule = ([i, k,], [k j])->([i, 3]) {i=2} reduce={k} }
sharding_rule! { Arrow = i j => j i }

fn main() {}
