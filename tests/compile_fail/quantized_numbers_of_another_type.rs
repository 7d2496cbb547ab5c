use tensor_layout::quantized;

fn main() {
    let _ = <quantized!(q8_0[4,64])>::pack(&[0.5_f64; 256]);
}
