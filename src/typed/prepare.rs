//! The constants of a layout that a program contains, in as few bytes as possible.

use super::entry::{Const, Tile};
use super::small::Small;
use crate::movement::compact::{
    CompactPart, CompactSpec, CompactStep, Encoded, MAX_ENCODED, compact_part,
};
use crate::movement::padding;
use crate::movement::prepared::{PaddingTree, Prepared, Steps};
use crate::movement::step::{INNER, OUTER, Program, STEPS, Step};
use crate::typed::{Layout, Specified};
use core::marker::PhantomData;
use layout_core::parts::{MAX_PARTS, MAX_VALUES};

/// A layout in compact form.
pub(crate) struct Compact<L>(PhantomData<L>);

impl<L: Layout> Compact<L> {
    const ENCODED: Option<Encoded> = Encoded::of(Const::<L>::SPEC.draft());

    pub(crate) const SPEC: CompactSpec = match &Self::ENCODED {
        Some(encoded) => CompactSpec::Encoded(
            Const::<L>::SPEC.dtype(),
            match encoded.len {
                ..=24 => &const { Self::first::<24>() },
                25..=32 => &const { Self::first::<32>() },
                33..=64 => &const { Self::first::<64>() },
                _ => &const { Self::first::<MAX_ENCODED>() },
            },
        ),
        None => CompactSpec::Full(Const::<L>::SPEC),
    };

    const fn first<const N: usize>() -> [u8; N] {
        match &Self::ENCODED {
            Some(encoded) => encoded.first(),
            None => [0; N],
        }
    }
}

/// The steps, with at most `$o` axes around their kernels and `$i` within; `None` if a step has more.
macro_rules! compact_steps {
    ($NAME:ident: $o:tt $i:tt) => {
        const $NAME: Option<&'static [CompactStep<$o, $i>]> = {
            let (mut fits, mut i) = (true, 0);
            while i < Self::LEN {
                fits &= Self::compact::<$o, $i>(i).is_some();
                i += 1;
            }
            if fits {
                Some(match Self::LEN {
                    0 => &[],
                    1 => &const { Self::first_compact::<1, $o, $i>() },
                    2 => &const { Self::first_compact::<2, $o, $i>() },
                    3 => &const { Self::first_compact::<3, $o, $i>() },
                    4 => &const { Self::first_compact::<4, $o, $i>() },
                    5 => &const { Self::first_compact::<5, $o, $i>() },
                    STEPS => &const { Self::first_compact::<STEPS, $o, $i>() },
                    _ => panic!("a program has at most six steps"),
                })
            } else {
                None
            }
        };
    };
}

/// The movement that packs the arrays of a layout, or unpacks them.
pub(crate) struct Prepare<L, const UNPACK: bool>(PhantomData<L>);

impl<L: Layout, const UNPACK: bool> Prepare<L, UNPACK> {
    const PROGRAM: Option<&'static Program> =
        if UNPACK { Const::<L>::UNPACK.program } else { Const::<L>::PACK.program };

    /// Whether the arrays are moved by the code that all layouts share: elements need no conversion, and the array is not so small
    /// that code is compiled only for its layout.
    pub(crate) const IS_SHARED: bool =
        Self::PROGRAM.is_some() && !Small::<L>::FITS && Tile::<L, UNPACK>::ONLY.is_none();

    pub(crate) const PREPARED: &'static Prepared = &Prepared {
        spec: Compact::<L>::SPEC,
        width: Const::<L>::SPEC.stored_bits() / 8,
        row_major: Const::<L>::SPEC.elements() * (Const::<L>::SPEC.stored_bits() / 8),
        packed: Const::<L>::SPEC.storage_bytes(),
        write_padding: match Self::PADDING {
            Padding::None => Prepared::no_padding,
            Padding::AllZeros => Prepared::all_zeros,
            Padding::LookedFor => Prepared::zeros,
            Padding::OfSpec => Prepared::padding_of_spec,
        },
        padding: match (Self::PADDING, Self::PARTS) {
            (Padding::LookedFor, Some(parts)) => PaddingTree { parts, bounds: Self::BOUNDS },
            _ => PaddingTree { parts: &[], bounds: &[] },
        },
        steps: match (Self::ROWS, Self::ANY) {
            (Some(steps), _) => Steps::Rows(steps),
            (None, Some(steps)) => Steps::Any(steps),
            (None, None) => Steps::Wide(Self::WIDE),
        },
    };

    const PADDING: Padding = {
        let spec = Const::<L>::SPEC;
        if UNPACK || spec.len() == spec.elements() {
            Padding::None
        } else if spec.padded().is_some() {
            Padding::OfSpec
        } else if padding::is_looked_for(spec) {
            if Self::PARTS.is_some() { Padding::LookedFor } else { Padding::OfSpec }
        } else {
            Padding::AllZeros
        }
    };

    /// The parts of the index map; `None` if one of their numbers does not fit the compact form.
    const PARTS: Option<&'static [CompactPart]> = {
        let map = <L as Specified>::MAP;
        let (all, mut fits, mut i) = (map.parts(), true, 0);
        while i < all.len() {
            fits &= compact_part(&all[i]).is_some();
            i += 1;
        }
        let parts: &[CompactPart] = match all.len() {
            ..=4 => &const { Self::parts::<4>() },
            5 => &const { Self::parts::<5>() },
            6 => &const { Self::parts::<6>() },
            7..=8 => &const { Self::parts::<8>() },
            _ => &const { Self::parts::<MAX_PARTS>() },
        };
        if fits { Some(parts.split_at(all.len()).0) } else { None }
    };

    const fn parts<const N: usize>() -> [CompactPart; N] {
        let (parts, mut first, mut i) = (<L as Specified>::MAP, [[0; 4]; N], 0);
        let parts = parts.parts();
        while i < N && i < parts.len() {
            if let Some(part) = compact_part(&parts[i]) {
                first[i] = part;
            }
            i += 1;
        }
        first
    }

    const BOUNDS: &'static [usize] = {
        let count = <L as Specified>::MAP.values();
        let bounds: &[usize] = match count {
            ..=2 => &const { Self::bounds::<2>() },
            3 => &const { Self::bounds::<3>() },
            4 => &const { Self::bounds::<4>() },
            _ => &const { Self::bounds::<MAX_VALUES>() },
        };
        bounds.split_at(count).0
    };

    const fn bounds<const N: usize>() -> [usize; N] {
        let (map, mut bounds, mut i) = (<L as Specified>::MAP, [0; N], 0);
        while i < N && i < map.values() {
            bounds[i] = map.bound(i);
            i += 1;
        }
        bounds
    }

    compact_steps! { ROWS: 3 2 }
    compact_steps! { ANY: OUTER INNER }

    const fn compact<const O: usize, const I: usize>(i: usize) -> Option<CompactStep<O, I>> {
        match Self::PROGRAM {
            Some(program) if i < program.len() => CompactStep::of(&program.steps()[i]),
            _ => None,
        }
    }

    /// The first `N` steps in compact form. If there are fewer, the rest are not used.
    const fn first_compact<const N: usize, const O: usize, const I: usize>()
    -> [CompactStep<O, I>; N] {
        let mut steps = [CompactStep::of(&Step::NONE).unwrap(); N];
        let mut i = 0;
        while i < N {
            if let Some(step) = Self::compact(i) {
                steps[i] = step;
            }
            i += 1;
        }
        steps
    }

    const LEN: usize = match Self::PROGRAM {
        Some(program) => program.len(),
        None => 0,
    };

    /// The steps in the form in which they run, for the few layouts whose steps do not fit the compact form.
    const WIDE: &'static [Step] = match Self::PROGRAM {
        Some(program) => program.steps(),
        None => &[],
    };
}

/// How the padding of an array is written.
enum Padding {
    None,
    AllZeros,
    LookedFor,
    /// Explicit padding, or that of an array whose parts do not fit the compact form: the layout is built again to write it.
    OfSpec,
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;
    use crate::F32;
    use crate::typed::types::*;
    use crate::typed::{Packed, Tiled};

    #[test]
    fn steps_further_apart_than_32_bits_say_are_kept_whole() {
        // Each element starts a tile of 1.2 GB. The rest of the tile is never accessed, so it takes no physical memory.
        type Far = Tiled<F32, Shape2<5, 1>, Order2<1, 0>, (Tile2<1, 300_000_000>,)>;
        assert!(matches!(Prepare::<Far, true>::PREPARED.steps, Steps::Wide(_)));
        let Ok(mut packed) = Packed::<Far>::zeroed() else {
            std::println!("skipped: no 6 GB of addresses");
            return;
        };
        for i in 0..5 {
            packed.set([i, 0], i as f32).unwrap();
        }
        assert_eq!(packed.unpack(), [0.0, 1.0, 2.0, 3.0, 4.0]);
    }
}
