use super::reference::Random;
use super::{draft, on_random_cpu, spec};
use crate::movement::{DynLayout, Mover, PackError, Relayout, pack, unpack};
use crate::typed::types::{Order1, Order2, Shape1, Shape2, Tile2};
use crate::typed::{Packed, Tiled};
use crate::types::{ElementBits, Split1, Splits};
use crate::{BF16, DType, F32, PRED, S4, U2};
use layout_core::tiled::{Draft, List, Split, TiledSpec};

fn text<T>(result: Result<T, PackError>) -> String {
    result.err().expect("must fail").to_string()
}

fn tiled(dtype: DType) -> TiledSpec {
    spec(dtype, &[3, 5], &[1, 0], &[&[2, 2]])
}

#[test]
fn lengths_and_types_are_checked_before_anything_is_written() {
    let layout = tiled(DType::F32);
    let mut packed = [7; 96];
    let (long, short) = (
        "row-major array has 14 elements, but the layout `f32[3,5]{1,0:T(2,2)}` has 15",
        "packed array has 95 bytes, but the layout `f32[3,5]{1,0:T(2,2)}` takes 96",
    );
    assert_eq!(text(pack::<F32>(&layout, &[0.0; 14], &mut packed)), long);
    assert_eq!(text(pack::<F32>(&layout, &[0.0; 15], &mut packed[1..])), short);
    assert_eq!(
        text(layout.pack_bytes(&[0; 59], &mut packed)),
        "row-major array has 59 bytes, but the elements of the layout `f32[3,5]{1,0:T(2,2)}` take 60"
    );
    let other = "the elements are `bf16`, but those of the layout `f32[3,5]{1,0:T(2,2)}` are `f32`";
    assert_eq!(text(pack::<BF16>(&layout, &[half::bf16::ZERO; 15], &mut packed)), other);
    assert_eq!(text(layout.pack::<BF16>(&[])), other);
    assert_eq!(text(layout.unpack::<BF16>(&packed)), other);
    assert_eq!(text(layout.get::<BF16>(&packed, &[0, 0])), other);
    assert_eq!(packed, [7; 96]);

    let mut row_major = [7.0; 15];
    assert_eq!(text(unpack::<F32>(&layout, &packed, &mut row_major[1..])), long);
    assert_eq!(text(unpack::<F32>(&layout, &packed[1..], &mut row_major)), short);
    assert_eq!(text(layout.unpack::<F32>(&packed[1..])), short);
    assert_eq!(text(layout.set::<F32>(&mut packed[1..], &[0, 0], 0.0)), short);
    assert_eq!(row_major, [7.0; 15]);

    type Words = Tiled<F32, Shape2<3, 5>, Order2<1, 0>, (Tile2<2, 2>,)>;
    assert_eq!(text(Words::pack(&[0.0; 14])), long);
    assert_eq!(text(Words::pack_into(&[0.0; 15], &mut packed[1..])), short);
    assert_eq!(text(Words::unpack_into(&packed, &mut row_major[1..])), long);
}

#[test]
fn values_must_fit_types_narrower_than_a_byte() {
    // Two values do not fit; the error reports the first.
    let layout = spec(DType::S4, &[3, 1000], &[1, 0], &[&[2, 2]]);
    let mut values = vec![7; 3000];
    (values[2500], values[2501]) = (-9, 8);
    let mut packed = vec![7; layout.bytes()];
    assert_eq!(
        text(pack::<S4>(&layout, &values, &mut packed)),
        "value -9 at position 2500 of the row-major array does not fit `s4`, which has 4 bits"
    );
    assert!(packed.iter().all(|&byte| byte == 7), "nothing is written");

    let one = |dtype| spec(dtype, &[], &[], &[]);
    let fails = |dtype, byte: u8| text(one(dtype).pack_bytes(&[byte], &mut [0]));
    assert!(fails(DType::U2, 4).starts_with("value 4 at position 0 "));
    assert!(fails(DType::PRED, 2).starts_with("value 2 at position 0 "));
    assert!(fails(DType::F4E2M1FN, 0x1F).starts_with("bit pattern 0x1f at position 0 "));
    assert!(pack::<PRED>(&one(DType::PRED), &[true], &mut [0]).is_ok());

    type Nibbles = Tiled<S4, Shape2<3, 5>, Order2<1, 0>, (Tile2<2, 2>,), (ElementBits<4>,)>;
    let mut packed = Nibbles::pack(&[-8; 15]).unwrap();
    let before = packed.clone();
    assert_eq!(
        text(packed.set([2, 3], 8)),
        "value 8 at position 13 of the row-major array does not fit `s4`, which has 4 bits"
    );
    assert_eq!(packed, before);
    let layout = spec(DType::U2, &[2, 3], &[1, 0], &[]);
    let error = layout.set::<U2>(&mut [0; 6], &[1, 1], 4).unwrap_err();
    assert_eq!(error, PackError::Value { byte: 4, position: 4, dtype: DType::U2 });
}

#[test]
fn a_value_that_does_not_fit_is_found_wherever_it_is() {
    let random = &mut Random(11);
    for layout in [
        "s4[19,300]{1,0:T(8,128)(8,1)E(4)}",
        "s4[19,300]{0,1:T(8,128)(8,1)E(4)}",
        "u2[19,300]{1,0:E(2)}",
        "u2[5,7]{1,0:T(2,3)E(2)}",
        "pred[40,150]{1,0:T(32,128)(32,1)E(1)}",
        "s4[19,300]{1,0:T(8,128)}",
    ] {
        let layout: TiledSpec = layout.parse().unwrap();
        for _ in 0..40 {
            on_random_cpu(random);
            let mut values = vec![0; layout.elements()];
            let [first, second] = [(); 2].map(|()| random.below(values.len()));
            (values[first], values[second]) = (9, 9);
            let expected =
                PackError::Value { byte: 9, position: first.min(second), dtype: layout.dtype() };
            let mut packed = vec![0; layout.storage_bytes()];
            assert_eq!(layout.pack_bytes(&values, &mut packed), Err(expected), "{layout}");
        }
    }
}

#[test]
fn arrays_of_unknown_size_or_in_several_memories_are_refused() {
    let open = Draft { unbounded: 1, ..draft(DType::F32, &[0, 784], &[1, 0], &[]) };
    let open = open.validate().unwrap();
    let expected = "dimension 0 of the layout `f32[?,784]{1,0}` is unbounded, so its size in memory is unknown; \
                    give it a bound, `<=n`";
    assert_eq!(text(open.pack::<F32>(&[])), expected);
    assert_eq!(text(open.unpack::<F32>(&[])), expected);
    assert_eq!(text(open.pack_bytes(&[], &mut [])), expected);
    assert_eq!(text(open.unpack_bytes(&[], &mut [])), expected);
    assert_eq!(text(open.get::<F32>(&[], &[0, 0])), expected);

    let split = Split { dimension: 0, indices: List::of(&[2]).unwrap() };
    let mut split_draft = *tiled(DType::F32).draft();
    split_draft.splits = split_draft.splits.push(split).unwrap();
    let layout = split_draft.validate().unwrap();
    let expected = "the layout `f32[3,5]{1,0:T(2,2)SC(0:2)}` splits the array between memories; \
                    pack each piece in a layout of its own";
    assert_eq!(text(layout.pack::<F32>(&[0.0; 15])), expected);
    assert_eq!(text(layout.unpack_bytes(&[0; 96], &mut [0; 60])), expected);
    assert_eq!(text(layout.relayout_bytes(&[0; 96], &tiled(DType::F32), &mut [0; 96])), expected);
    type Pieces =
        Tiled<F32, Shape2<3, 5>, Order2<1, 0>, (Tile2<2, 2>,), (Splits<(Split1<0, 2>,)>,)>;
    assert_eq!(text(Pieces::pack(&[0.0; 15])), expected);
    assert_eq!(text(Packed::<Pieces>::zeroed()), expected);
}

#[test]
fn relayout_keeps_shape_and_element_type() {
    let layout = tiled(DType::F32);
    let relayout = |other: &TiledSpec| {
        text(layout.relayout_bytes(&[0; 96], other, &mut vec![0; other.bytes()]))
    };
    assert_eq!(
        relayout(&tiled(DType::S32)),
        "relayout keeps shape and element type, but `s32[3,5]{1,0:T(2,2)}` does not have those of `f32[3,5]{1,0:T(2,2)}`"
    );
    relayout(&spec(DType::F32, &[5, 3], &[1, 0], &[]));
    let row_major = spec(DType::F32, &[3, 5], &[1, 0], &[]);
    assert!(text(layout.relayout_bytes(&[0; 95], &row_major, &mut [0; 60])).contains("95 bytes"));
    assert!(text(layout.relayout_bytes(&[0; 96], &row_major, &mut [0; 61])).contains("61 bytes"));
}

#[test]
fn arrays_that_no_memory_holds_are_an_error() {
    const HUGE: usize = isize::MAX as usize / 8;
    type Huge = Tiled<F32, Shape1<HUGE>, Order1<0>>;
    let bytes = HUGE * 4;
    assert_eq!(
        text(Packed::<Huge>::zeroed()),
        format!("cannot allocate {bytes} bytes for the layout `f32[{HUGE}]{{0}}`")
    );
}

#[test]
fn movers_check_what_they_are_planned_for_and_what_they_run_on() {
    let layout = tiled(DType::F32);
    let (pack, unpack) = (Mover::for_pack(&layout).unwrap(), Mover::for_unpack(&layout).unwrap());
    let (mut packed, mut row_major) = ([7; 96], [7.0; 15]);
    let (long, short) = (
        "row-major array has 14 elements, but the layout `f32[3,5]{1,0:T(2,2)}` has 15",
        "packed array has 95 bytes, but the layout `f32[3,5]{1,0:T(2,2)}` takes 96",
    );
    assert_eq!(text(pack.run::<F32>(&row_major[1..], &mut packed)), long);
    assert_eq!(text(pack.run::<F32>(&row_major, &mut packed[1..])), short);
    assert_eq!(text(unpack.run::<F32>(&packed, &mut row_major[1..])), long);
    assert_eq!(text(unpack.run::<F32>(&packed[1..], &mut row_major)), short);
    let other = "the elements are `bf16`, but those of the layout `f32[3,5]{1,0:T(2,2)}` are `f32`";
    assert_eq!(text(pack.run::<BF16>(&[half::bf16::ZERO; 15], &mut packed)), other);
    assert_eq!(text(unpack.run::<BF16>(&packed, &mut [half::bf16::ZERO; 15])), other);
    assert!(text(pack.run_bytes(&[0; 59], &mut packed)).contains("has 59 bytes"));
    assert!(text(unpack.run_bytes(&packed, &mut [0; 61])).contains("has 61 bytes"));
    let same = Mover::for_relayout(&layout, &layout).unwrap();
    assert!(text(same.run_bytes(&[0; 95], &mut packed)).contains("has 95 bytes"));
    assert!(text(same.run_bytes(&[0; 96], &mut packed[2..])).contains("has 94 bytes"));
    assert_eq!((packed, row_major), ([7; 96], [7.0; 15]), "nothing is written");

    let window = Mover::for_pack_window(&layout, &[1, 1], &[2, 2]).unwrap();
    assert!(text(window.run::<F32>(&[0.0; 15], &mut packed)).contains("has 60 bytes"));
    let window = Mover::for_unpack_window(&layout, &[1, 1], &[2, 2]).unwrap();
    assert!(text(window.run::<F32>(&packed, &mut row_major)).contains("has 60 bytes"));

    let wide = Mover::for_pack(&spec(DType::S4, &[2], &[0], &[])).unwrap();
    assert!(text(wide.run::<S4>(&[7, 8], &mut [0; 2])).starts_with("value 8 at position 1 "));

    let open = Draft { unbounded: 1, ..draft(DType::F32, &[0, 784], &[1, 0], &[]) };
    let open = open.validate().unwrap();
    assert!(text(Mover::for_pack(&open)).contains("is unbounded"));
    assert!(text(Mover::for_unpack(&open)).contains("is unbounded"));
    assert!(text(Mover::for_relayout(&open, &open)).contains("is unbounded"));
    assert!(text(Mover::for_relayout(&layout, &tiled(DType::S32))).contains("relayout keeps"));
    let other = spec(DType::F32, &[5, 3], &[1, 0], &[]);
    let error = text(Mover::for_relayout_window(&layout, &other, &[0, 0], &[1, 1]));
    assert!(error.contains("relayout keeps"), "{error}");
}

#[test]
fn threads_share_movers() {
    fn is_shared<T: Send + Sync + Clone>(mover: &T) -> T {
        mover.clone()
    }
    let layout = tiled(DType::S8);
    let columns = spec(DType::S8, &[3, 5], &[0, 1], &[]);
    let mover: Mover<Relayout> = is_shared(&Mover::for_relayout(&layout, &columns).unwrap());
    assert_eq!(format!("{mover:?}"), "Mover(relayout s8[3,5]{1,0:T(2,2)} to s8[3,5]{0,1})");
    let from = layout.pack::<crate::S8>(&[1; 15]).unwrap();
    let other = mover.try_clone().unwrap();
    std::thread::scope(|scope| {
        for mover in [&mover, &other] {
            scope.spawn(|| {
                let mut to = [0; 15];
                mover.run_bytes(&from, &mut to).unwrap();
                assert_eq!(to, [1; 15]);
            });
        }
    });
}
