//! Functions that are generic over layouts name the items that they need without ambiguity.

use tensor_layout::{Element, Host, Layout, Packed, tiled};

fn describe<L: Layout>(index: L::Index) -> String {
    let [offset, len, bytes] = [L::offset(index), L::LEN, L::BYTES];
    format!("{} {offset} {len} {bytes} {:?} {}", L::SPEC, L::DIMS, L::Element::DTYPE)
}

fn relayout<L: Layout, M: Layout<Element = L::Element, Shape = L::Shape>>(
    row_major: &[Host<L>],
) -> Packed<M> {
    L::pack(row_major).unwrap().relayout()
}

fn same_words<L: Layout, M: Layout<Packing = L::Packing, Rank = L::Rank>>() {}

fn main() {
    type Tiles = tiled!(f32[3,5]{1,0:T(2,2)});
    type Columns = tiled!(f32[3,5]{0,1});
    assert_eq!(describe::<Tiles>([2, 3]), "f32[3,5]{1,0:T(2,2)} 17 24 96 [3, 5] f32");
    assert_eq!(relayout::<Tiles, Columns>(&[1.0; 15]).get([2, 4]), 1.0);
    same_words::<Tiles, tiled!(u32[7,7])>();
}
