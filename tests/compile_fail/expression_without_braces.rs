use tensor_layout::tiled;

const ROWS: usize = 8;

mod sizes {
    pub(super) const TILE: usize = 4;

    pub(super) const fn rows(count: usize) -> usize {
        8 * count
    }
}

type Bad = tiled!(f32[ROWS * 2, 128]);
type Call = tiled!(f32[sizes::rows(3), 128]);
type Tile = tiled!(f32[3, 128]{1,0:T(sizes::TILE, 128)});

fn main() {}
