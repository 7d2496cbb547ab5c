tensor_layout::mesh! { Pod = ["data" = 2] }
tensor_layout::propagate! {
    mesh Pod;
    #[cfg(all())]
    mesh Pod;
    fn f(x: f32[8] [{"data"}]) { let y = tanh(x); return y; }
}

fn main() {}
