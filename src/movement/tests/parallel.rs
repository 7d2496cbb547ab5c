use super::{reference, reference::Random, spec};
use crate::DType;
use crate::cpu::Cpu;
use crate::movement::inner::WholeBytes;
use crate::movement::{parallel, transfer};
use layout_core::tiled::TiledSpec;

/// Packs with the parts of each batch in reverse, the order that one thread would be least likely to choose. Returns whether
/// there was more than one part.
fn packs_in_reverse(layout: &TiledSpec, random: &mut Random) -> bool {
    let row_major = random.values(layout);
    let rows = transfer::row_major(layout);
    let plan = transfer::plan(&rows, layout.map());
    let Some(program) = transfer::program(&plan, layout, false) else { return false };
    let mut packed = vec![0; layout.storage_bytes()];
    let mut parts = 0;
    for batch in parallel::batches(program.steps()) {
        parts += batch.len();
        for part in batch.iter().rev() {
            let mut whole = WholeBytes::new(&row_major, &mut packed, Cpu::detect());
            whole.run(core::slice::from_ref(part), [0, 0]);
        }
    }
    assert!(packed == reference::pack(layout, &row_major), "{layout}");
    parts > 1
}

#[test]
fn parts_of_a_batch_may_run_in_any_order() {
    let mut random = Random(12);
    // The last tile has two rows of 32 and a third of 24: zeros for the third and fourth rows are written with the first two,
    // and the third row afterwards.
    assert!(packs_in_reverse(
        &spec(DType::S8, &[600], &[0], &[&[256], &[32], &[4, 1]]),
        &mut random
    ));
    let mut divided = 0;
    for _ in 0..2000 {
        let (dtype, dims) = (random.dtype(), random.dims());
        let layout = random.layout(dtype, &dims);
        divided += usize::from(layout.padded().is_none() && packs_in_reverse(&layout, &mut random));
    }
    assert!(divided > 200, "{divided}");
}
