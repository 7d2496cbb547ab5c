fn main() {
    let _ = tensor_layout::layouts_listing!("no/such/file.rs");
}
