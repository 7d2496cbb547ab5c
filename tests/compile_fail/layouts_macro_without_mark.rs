tensor_layout::layouts! {
    pub type Queries = tpu(bf16[8,128]);
    pub type Keys = Queries;
}

fn main() {}
