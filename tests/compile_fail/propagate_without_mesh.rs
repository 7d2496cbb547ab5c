tensor_layout::propagate! {
    fn f(x: f32[8,4]) {
        return x;
    }
}

fn main() {}
