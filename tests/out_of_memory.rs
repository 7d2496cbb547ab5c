//! Functions that allocate memory return an error if memory cannot be allocated, whichever allocation fails.

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::cell::Cell;
use tensor_layout::types::{Order1, Order2, Shape1, Shape2, Tile1, Tile2};
use tensor_layout::{
    BF16, F32, Layout, Mover, PackError, Packed, S8, S32, Tiled, half::bf16, try_matmul,
    try_matmul_into,
};

/// Fails one allocation of a thread: the one after the given number.
struct Failing;

std::thread_local! { static LEFT: Cell<Option<usize>> = const { Cell::new(None) }; }

fn fails() -> bool {
    let left = LEFT.try_with(|left| left.replace(left.get().and_then(|left| left.checked_sub(1))));
    left == Ok(Some(0))
}

// SAFETY: memory comes from the system, or there is none.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        // SAFETY: the caller promises what `System` requires.
        if fails() { std::ptr::null_mut() } else { unsafe { System.alloc(memory) } }
    }

    unsafe fn alloc_zeroed(&self, memory: Memory) -> *mut u8 {
        // SAFETY: as above.
        if fails() { std::ptr::null_mut() } else { unsafe { System.alloc_zeroed(memory) } }
    }

    unsafe fn dealloc(&self, at: *mut u8, memory: Memory) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, memory) }
    }
}

#[global_allocator]
static ALLOCATOR: Failing = Failing;

/// Runs a function with each of its allocations failing in turn, and at last with none failing. Each run has a thread of its
/// own, which holds no memory yet. Returns the layouts for which there was no memory, and the value.
fn each_failure<T: Send>(
    run: impl Fn() -> Result<T, PackError> + Sync,
) -> (Vec<(usize, String)>, T) {
    // Starts the pool, which requests memory for itself once. Rayon aborts if there is none.
    #[cfg(feature = "parallel")]
    rayon::current_num_threads();
    let mut failures = Vec::new();
    for before in 0..100 {
        let result = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                LEFT.set(Some(before));
                let result = run();
                LEFT.set(None);
                result
            });
            thread.join().expect("no panic")
        });
        match result {
            Ok(value) => return (failures, value),
            Err(PackError::OutOfMemory { bytes, layout }) => {
                failures.push((bytes, layout.to_string()));
            }
            Err(error) => panic!("{error}"),
        }
    }
    panic!("more than 100 allocations")
}

type Rows = Tiled<F32, Shape2<3, 5>, Order2<1, 0>, (Tile2<2, 2>,)>;
type Columns = Tiled<F32, Shape2<3, 5>, Order2<0, 1>>;
type Turned = Tiled<F32, Shape2<5, 3>, Order2<1, 0>>;

#[test]
fn copies_of_an_array_return_a_lack_of_memory() {
    let values: Vec<f32> = (0..15_u8).map(f32::from).collect();
    let rows = Rows::pack(&values).unwrap();
    let tiles = "f32[3,5]{1,0:T(2,2)}".to_owned();

    let (failures, clone) = each_failure(|| rows.try_clone());
    assert_eq!((failures, clone), (vec![(96, tiles.clone())], rows.clone()));
    let (failures, unpacked) = each_failure(|| rows.try_unpack());
    assert_eq!((failures, unpacked), (vec![(60, tiles)], values));
    let (failures, columns) = each_failure(|| rows.try_relayout::<Columns>());
    assert_eq!(failures, [(60, "f32[3,5]{0,1}".to_owned())]);
    assert_eq!(columns, rows.relayout());
    let (failures, turned) = each_failure(|| rows.try_transpose::<Turned>());
    assert_eq!(failures, [(60, "f32[5,3]{1,0}".to_owned())]);
    assert_eq!(turned, rows.transpose());
    assert_eq!(turned.get([4, 2]), 14.0);
}

/// Calls a function and its twin: where the function lacks memory for a layout, the twin returns that as an error; otherwise
/// both return the same. Returns the number of allocations.
fn check_twin<T: Send + PartialEq + std::fmt::Debug>(
    layout: &str,
    expected: T,
    twin: impl Fn() -> Result<T, PackError> + Sync,
) -> usize {
    let (failures, value) = each_failure(twin);
    assert_eq!(value, expected);
    for (bytes, of) in &failures {
        assert!(*bytes > 0 && of == layout, "{bytes} bytes for {of}");
    }
    failures.len()
}

#[test]
fn functions_of_elements_return_a_lack_of_memory() {
    type Halves = Tiled<BF16, Shape2<3, 5>, Order2<1, 0>, (Tile2<2, 2>,)>;
    let rows = Rows::pack(&[1.5; 15]).unwrap();
    let halves = rows.convert::<Halves>(bf16::from_f32);
    let (view, tiles) = (rows.as_ref(), "f32[3,5]{1,0:T(2,2)}");
    let (double, add) = (|x: f32| x * 2.0, |x: f32, y: bf16| x + y.to_f32());

    assert_eq!(check_twin(tiles, rows.map(double), || rows.try_map(double)), 1);
    assert_eq!(check_twin(tiles, rows.map(double), || view.try_map(double)), 1);
    assert_eq!(check_twin(tiles, rows.zip(&halves, add), || rows.try_zip(&halves, add)), 1);
    let sums = rows.zip(&halves, add);
    assert_eq!(check_twin(tiles, sums, || view.try_zip(halves.as_ref(), add)), 1);
    let bf16s = "bf16[3,5]{1,0:T(2,2)}";
    let twin = || rows.try_convert::<Halves>(bf16::from_f32);
    assert_eq!(check_twin(bf16s, halves.clone(), twin), 1);
    let twin = || view.try_convert::<Halves>(bf16::from_f32);
    assert_eq!(check_twin(bf16s, halves.clone(), twin), 1);
}

#[test]
fn reductions_and_broadcasts_return_a_lack_of_memory() {
    type Acts = Tiled<F32, Shape2<20, 200>, Order2<1, 0>, (Tile2<8, 128>,)>;
    let values: Vec<f32> = (0..4000_u16).map(f32::from).collect();
    let acts = Acts::pack(&values).unwrap();
    let (view, tiles) = (acts.as_ref(), "f32[20,200]{1,0:T(8,128)}");

    // The result, the parts, the positions in a window, and the elements gathered in them.
    for dims in [&[0][..], &[1], &[0, 1], &[]] {
        assert!(check_twin(tiles, acts.sum(dims), || acts.try_sum(dims)) > 5);
        assert!(check_twin(tiles, acts.sum(dims), || view.try_sum(dims)) > 5);
        assert!(check_twin(tiles, acts.mean(dims), || acts.try_mean(dims)) > 5);
        assert!(check_twin(tiles, acts.mean(dims), || view.try_mean(dims)) > 5);
        assert!(check_twin(tiles, acts.max(dims), || acts.try_max(dims)) > 5);
        assert!(check_twin(tiles, acts.max(dims), || view.try_max(dims)) > 5);
        assert!(check_twin(tiles, acts.argmax(dims), || acts.try_argmax(dims)) > 5);
        assert!(check_twin(tiles, acts.argmax(dims), || view.try_argmax(dims)) > 5);
        let folded = acts.fold(dims, 0.0, f32::max, f32::max);
        let twin = || acts.try_fold(dims, 0.0, f32::max, f32::max);
        assert!(check_twin(tiles, folded.clone(), twin) > 5);
        let twin = || view.try_fold(dims, 0.0, f32::max, f32::max);
        assert!(check_twin(tiles, folded, twin) > 5);
    }
    assert!(check_twin(tiles, acts.total(), || acts.try_total()) > 5);
    assert!(check_twin(tiles, acts.total(), || view.try_total()) > 5);

    // Smaller arrays allocate no memory for blocks.
    type Large = Tiled<F32, Shape2<200, 300>, Order2<1, 0>, (Tile2<8, 128>,)>;
    let acts = Packed::<Large>::filled(1.5);
    let (view, tiles) = (acts.as_ref(), "f32[200,300]{1,0:T(8,128)}");
    let (row, add) = (vec![0.5; 300], |x: f32, y: f32| x + y);
    let sums = acts.zip_broadcast(&[1], &row, add);
    assert!(check_twin(tiles, sums.clone(), || acts.try_zip_broadcast(&[1], &row, add)) > 5);
    assert!(check_twin(tiles, sums.clone(), || view.try_zip_broadcast(&[1], &row, add)) > 5);
    // A call that fails has written nothing: otherwise a sum would show that it was added twice.
    let in_place = std::sync::Mutex::new(acts.clone());
    let twin = || {
        let mut in_place = in_place.lock().unwrap();
        in_place.try_zip_broadcast_in_place(&[1], &row, add)
    };
    assert!(check_twin(tiles, (), twin) > 5);
    assert_eq!(in_place.into_inner().unwrap(), sums);
}

#[test]
fn new_arrays_and_windows_return_a_lack_of_memory() {
    type Both = Tiled<F32, Shape2<6, 5>, Order2<1, 0>>;
    let values: Vec<f32> = (0..15_u8).map(f32::from).collect();
    let rows = Rows::pack(&values).unwrap();
    let columns = rows.relayout::<Columns>();
    let (view, tiles, plain) = (rows.as_ref(), "f32[3,5]{1,0:T(2,2)}", "f32[3,5]{0,1}");
    let ones = Packed::<Rows>::filled(1.0);
    assert_eq!(check_twin(tiles, ones.clone(), || Packed::<Rows>::try_filled(1.0)), 1);
    assert_eq!(check_twin(tiles, ones, || Packed::<Rows>::try_from_fn(|_| 1.0)), 1);

    // A copy, a window and a line.
    let (scale, shift) = ([2.0; 5], [1.0; 5]);
    assert_eq!(check_twin(tiles, rows.softmax(1), || rows.try_softmax(1)), 3);
    assert_eq!(check_twin(tiles, rows.softmax(0), || view.try_softmax(0)), 3);
    let norm = rows.layer_norm(1, &scale, &shift, 0.1);
    assert_eq!(check_twin(tiles, norm, || rows.try_layer_norm(1, &scale, &shift, 0.1)), 3);
    let norm = rows.rms_norm(1, &scale, 0.1);
    assert_eq!(check_twin(tiles, norm, || rows.try_rms_norm(1, &scale, 0.1)), 3);
    assert_eq!(check_twin(tiles, rows.cumulative_sum(0), || rows.try_cumulative_sum(0)), 2);

    // A new array, and a window of each array that differs in layout.
    let sum = &columns + &rows;
    let twin = || columns.try_zip(&rows, |x, y| x + y);
    let (failures, zipped) = each_failure(twin);
    assert_eq!((failures.len(), zipped), (4, sum));
    assert!(failures.iter().all(|(bytes, of)| *bytes == 60 && of == plain || of == tiles));
    assert_eq!(each_failure(|| rows.try_slice::<Columns>([0, 0])).0, vec![(60, plain.into()); 2]);
    let (failures, gathered) = each_failure(|| rows.try_gather_rows::<Columns>(&[2, 0, 0]));
    assert_eq!((failures.len(), gathered.get([0, 4])), (2, 14.0));
    let (failures, both) = each_failure(|| rows.try_concatenate::<0, _, Both>(&columns));
    assert_eq!((failures.len(), both.get([5, 4])), (3, 14.0));
    assert!(check_twin(tiles, rows.min(&[1]), || rows.try_min(&[1])) > 1);
    assert!(check_twin(tiles, rows.argmin(&[1]), || rows.try_argmin(&[1])) > 1);
    assert!(check_twin(tiles, rows.var(&[1]), || rows.try_var(&[1])) > 1);
}

#[test]
fn movers_return_a_lack_of_memory() {
    let rows = <Rows as Layout>::SPEC;
    let columns = <Columns as Layout>::SPEC;
    let values = [1.5; 15];
    let check = |failures: Vec<(usize, String)>| {
        assert_eq!(failures.len(), 1, "{failures:?}");
        assert!(failures[0].0 > 0 && failures[0].1 == rows.to_string(), "{failures:?}");
    };

    let (failures, packed) = each_failure(|| {
        let mut packed = [0; Rows::BYTES];
        Mover::for_pack(&rows)?.run::<F32>(&values, &mut packed).map(|()| packed)
    });
    check(failures);
    assert_eq!(packed, Rows::pack(&values).unwrap().as_bytes());
    let (failures, unpacked) = each_failure(|| {
        let mut unpacked = [0.0; 15];
        Mover::for_unpack(&rows)?.run::<F32>(&packed, &mut unpacked).map(|()| unpacked)
    });
    check(failures);
    assert_eq!(unpacked, values);
    let (failures, mover) = each_failure(|| Mover::for_relayout(&rows, &columns));
    check(failures);
    let (failures, moved) = each_failure(|| {
        let mut moved = [0; Columns::BYTES];
        mover.try_clone()?.run_bytes(&packed, &mut moved).map(|()| moved)
    });
    check(failures);
    assert_eq!(moved, Columns::pack(&values).unwrap().as_bytes());
}

const HUGE: usize = isize::MAX as usize / 8;

#[test]
fn arrays_larger_than_the_address_space_are_an_error() {
    type Few = Tiled<F32, Shape1<3>, Order1<0>>;
    type Huge = Tiled<F32, Shape1<3>, Order1<0>, (Tile1<HUGE>,)>;
    type Square = Tiled<F32, Shape2<3, 3>, Order2<1, 0>>;
    type HugeSquare = Tiled<F32, Shape2<3, 3>, Order2<1, 0>, (Tile2<3, { HUGE / 3 }>,)>;
    fn text<T>(result: Result<T, PackError>) -> String {
        result.err().expect("there is no memory for it").to_string()
    }

    let few = Few::pack(&[1.0; 3]).unwrap();
    assert_eq!(
        text(few.try_relayout::<Huge>()),
        format!("cannot allocate {} bytes for the layout `f32[3]{{0:T({HUGE})}}`", HUGE * 4)
    );
    let square = Square::pack(&[1.0; 9]).unwrap();
    let (width, bytes) = (HUGE / 3, HUGE / 3 * 12);
    let huge =
        format!("cannot allocate {bytes} bytes for the layout `f32[3,3]{{1,0:T(3,{width})}}`");
    assert_eq!(text(square.as_ref().try_relayout::<HugeSquare>()), huge);
    assert_eq!(text(square.try_transpose::<HugeSquare>()), huge);
    assert_eq!(text(try_matmul::<_, _, HugeSquare>(&square, &square)), huge);
}

/// A product with `columns` columns, with each of its allocations failing: at least so many, for the new array, the copies and
/// the panels.
macro_rules! check_product {
    ($A:ty, $B:ty, $C:ty, $columns:literal, $one:expr, $sum:expr, $most:literal) => {{
        let a = <$A>::pack(&[$one; 20 * 30]).unwrap();
        let b = <$B>::pack(&[$one; 30 * $columns]).unwrap();
        let (failures, c) = each_failure(|| try_matmul::<_, _, $C>(&a, &b));
        assert!(failures.len() >= $most, "{failures:?}");
        assert_eq!(failures[0], (<$C>::BYTES, <$C as Layout>::SPEC.to_string()));
        for (bytes, layout) in &failures {
            let dims = layout.split(['[', ']']).nth(1).unwrap();
            let [b, c] = [30, 20].map(|rows| format!("{rows},{}", $columns));
            assert!(*bytes > 0 && ["20,30", &b, &c].contains(&dims), "{layout}");
        }
        assert_eq!(c.try_unpack().unwrap(), [$sum; 20 * $columns]);
        let (again, c) = each_failure(|| {
            let mut c: Packed<$C> = Packed::zeroed()?;
            try_matmul_into(&a, &b, &mut c).map(|()| c)
        });
        assert_eq!((again, c.unpack()), (failures, vec![$sum; 20 * $columns]));
    }};
}

#[test]
fn products_return_a_lack_of_memory_for_copies_and_panels() {
    type Of<E, const M: usize, const N: usize, Tiles = ()> =
        Tiled<E, Shape2<M, N>, Order2<1, 0>, Tiles>;
    type Columns<E, const M: usize, const N: usize> = Tiled<E, Shape2<M, N>, Order2<0, 1>>;
    type Pairs = (Tile2<8, 128>, Tile2<2, 1>);

    // Small products whose rows each lie in one tile allocate only the new array.
    type Tiles = (Tile2<4, 16>,);
    let small = <Of<F32, 20, 30>>::pack(&[1.0; 20 * 30]).unwrap();
    let right = <Of<F32, 30, 40>>::pack(&[1.0; 30 * 40]).unwrap();
    let (failures, _) = each_failure(|| try_matmul::<_, _, Of<F32, 20, 40>>(&small, &right));
    assert_eq!(failures, [(3200, "f32[20,40]{1,0}".to_owned())]);
    check_product!(Of<F32, 20, 30>, Of<F32, 30, 40, Tiles>, Of<F32, 20, 40>, 40, 1.0, 30.0, 3);
    check_product!(
        Columns<F32, 20, 30>, Columns<F32, 30, 40>, Columns<F32, 20, 40>, 40, 1.0, 30.0, 6
    );
    // More columns than small products have.
    check_product!(
        Of<BF16, 20, 30, Pairs>,
        Of<BF16, 30, 80, Pairs>,
        Of<F32, 20, 80, (Tile2<8, 128>,)>,
        80,
        bf16::ONE,
        30.0,
        3
    );
    check_product!(Of<S8, 20, 30>, Columns<S8, 30, 80>, Of<S32, 20, 80>, 80, 1, 30, 4);
}
