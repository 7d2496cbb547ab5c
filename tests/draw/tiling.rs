use crate::golden::check;
use tensor_layout::TiledSpec;
use tensor_layout::draw::Style;

/// Text and SVG of the steps from the dimensions to the storage.
#[track_caller]
fn steps(file: &str, text: &str) {
    let spec: TiledSpec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let picture = spec.tiling_picture();
    check(
        &format!("{file}.txt"),
        &format!("{}\n{}", spec.tiling_steps(), picture.text(Style::PLAIN)),
    );
    check(&format!("{file}.svg"), &(picture.svg_file().replace("><", ">\n<") + "\n"));
}

#[test]
fn figure_1_is_padded_reshaped_and_transposed() {
    steps("figure_1_steps", "f32[3,5]{1,0:T(2,2)}");
}

#[test]
fn figure_2_is_reshaped_and_transposed_twice() {
    steps("figure_2_steps", "f32[4,8]{1,0:T(2,4)(2,1)}");
}

#[test]
fn combined_dimensions_are_reshaped_first() {
    let spec: TiledSpec = "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}".parse().unwrap();
    let picture = spec.tiling_picture().text(Style::PLAIN);
    check("combined_steps.txt", &format!("{}\n{picture}", spec.tiling_steps()));
}
