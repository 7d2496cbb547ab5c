//! The tile registers of AMX, with their dot products of bf16 and of bytes.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::lanes::MicroBlock;
use super::shallow_tiles::{self, ShallowBlock, ShallowTiles};
use super::tiles::{self, GATHERED_STRIDE, STEP_AHEAD, TileBlocks, TileColumn, Tiles};
use crate::cpu::tile_registers::tile_asm;
use core::mem::offset_of;

const _: () =
    assert!(GATHERED_STRIDE == 128 && STEP_AHEAD * 4 == 256, "the loops have these numbers");

/// Copies the next of the other rows, if the end that has this name has not been reached.
macro_rules! copy_row {
    ($end:literal) => {
        concat!(
            "cmp {row_at}, [{all} + {",
            $end,
            "}]\n",
            "jae 7f\n",
            "mov {other}, [{row_at}]\n",
            "shl {other}, 2\n",
            "add {other}, [{all} + {to_at}]\n",
            "vmovdqu64 zmm0, [{from}]\n",
            "vmovdqu64 zmm1, [{from} + 64]\n",
            "vmovntdq [{other}], zmm0\n",
            "vmovntdq [{other} + 64], zmm1\n",
            "add {row_at}, 8\n",
            "add {from}, 128\n",
            "7:"
        )
    };
}

/// The loop over blocks and their steps. The arguments: the instruction that loads tiles of `A`, how its sums start, what a step does
/// with a second tile of `A`, the number of bytes of `A` that a step reads, and how the sums are stored.
macro_rules! multiply_tiles {
    ($blocks:ident $dot:literal $load:literal [$($start:tt)*] [$($second:tt)*] $bytes:literal [$($store:tt)*]) => {{
        let mut all = $blocks;
        let row_at: *const usize;
        tile_asm!(
            "6:",
            "mov {a}, [{all} + {a_at}]",
            "mov {b}, [{all} + {b_at}]",
            "mov {b_stride}, [{all} + {b_stride_at}]",
            "mov {steps}, [{all} + {steps_at}]",
            "mov {last}, [{all} + {last_at}]",
            "mov {other}, [{all} + {adds_at}]",
            $($start)*
            "2:",
            "test {steps}, {steps}",
            "jz 4f",
            "3:",
            concat!($load, " tmm4, [{a} + {line}*1]"),
            "tileloadd tmm6, [{b} + {b_stride}*1]",
            "prefetcht1 [{ahead}]",
            "prefetcht1 [{ahead} + 64]",
            "prefetcht1 [{ahead} + 128]",
            "prefetcht1 [{ahead} + 192]",
            "add {ahead}, 256",
            concat!($dot, " tmm0, tmm4, tmm6"),
            "tileloadd tmm7, [{b} + {b_stride}*1 + 64]",
            concat!($dot, " tmm1, tmm4, tmm7"),
            $($second)*
            concat!("add {a}, ", $bytes),
            "add {b}, [{all} + {b_step_at}]",
            copy_row!("rows_end_at"),
            copy_row!("second_end_at"),
            "dec {steps}",
            "jnz 3b",
            "4:",
            "test {last}, {last}",
            "jz 5f",
            "mov {b}, {last}",
            "mov {b_stride:e}, 128",
            "inc {steps}",
            "xor {last:e}, {last:e}",
            "jmp 3b",
            "5:",
            $($store)*
            "add {c}, [{all} + {c_next_at}]",
            "mov {other}, [{all} + {a_next_at}]",
            "add [{all} + {a_at}], {other}",
            "cmp {ahead}, [{all} + {ahead_end_at}]",
            "cmovae {ahead}, [{all} + {b_at}]",
            "dec qword ptr [{all} + {blocks_at}]",
            "jnz 6b",
            all = in(reg) &raw mut all,
            a = out(reg) _,
            b = out(reg) _,
            b_stride = out(reg) _,
            steps = out(reg) _,
            last = out(reg) _,
            other = out(reg) _,
            c = inout(reg) all.c => _,
            c_stride = in(reg) all.c_stride,
            ahead = inout(reg) all.ahead => _,
            line = in(reg) 64_usize,
            row_at = inout(reg) all.rows_at => row_at,
            from = inout(reg) all.from => _,
            out("xmm0") _,
            out("xmm1") _,
            blocks_at = const offset_of!(TileBlocks, blocks),
            a_at = const offset_of!(TileBlocks, a),
            a_next_at = const offset_of!(TileBlocks, a_next),
            b_at = const offset_of!(TileBlocks, b),
            b_stride_at = const offset_of!(TileBlocks, b_stride),
            b_step_at = const offset_of!(TileBlocks, b_step),
            steps_at = const offset_of!(TileBlocks, steps),
            last_at = const offset_of!(TileBlocks, last),
            adds_at = const offset_of!(TileBlocks, adds),
            c_next_at = const offset_of!(TileBlocks, c_next),
            ahead_end_at = const offset_of!(TileBlocks, ahead_end),
            rows_end_at = const offset_of!(TileBlocks, rows_end),
            second_end_at = const offset_of!(TileBlocks, second_end),
            to_at = const offset_of!(TileBlocks, to),
            options(nostack)
        );
        (row_at.addr() - all.rows_at.addr()) / size_of::<usize>()
    }};
}

/// A loop for two tiles of rows: [`multiply_tiles`] or [`multiply_shallow`], with an argument of its own.
macro_rules! multiply_tall {
    ($multiply:ident $block:ident $dot:literal $load:literal $own:tt) => {
        $multiply!(
            $block $dot $own
            [
                "tilezero tmm0", "tilezero tmm1", "tilezero tmm2", "tilezero tmm3",
                "test {other}, {other}",
                "jz 2f",
                "mov {other}, {c_stride}",
                "shl {other}, 4",
                "add {other}, {c}",
                concat!($load, " tmm0, [{c} + {c_stride}*1]"),
                concat!($load, " tmm1, [{c} + {c_stride}*1 + 64]"),
                concat!($load, " tmm2, [{other} + {c_stride}*1]"),
                concat!($load, " tmm3, [{other} + {c_stride}*1 + 64]"),
            ]
            [
                concat!($load, " tmm5, [{a} + {line}*1 + 1024]"),
                concat!($dot, " tmm2, tmm5, tmm6"),
                concat!($dot, " tmm3, tmm5, tmm7"),
            ]
            "2048"
            [
                "mov {other}, {c_stride}",
                "shl {other}, 4",
                "add {other}, {c}",
                "tilestored [{c} + {c_stride}*1], tmm0",
                "tilestored [{c} + {c_stride}*1 + 64], tmm1",
                "tilestored [{other} + {c_stride}*1], tmm2",
                "tilestored [{other} + {c_stride}*1 + 64], tmm3",
            ]
        )
    };
}

/// The same for one tile of rows.
macro_rules! multiply_short {
    ($multiply:ident $block:ident $dot:literal $load:literal $own:tt) => {
        $multiply!(
            $block $dot $own
            [
                "tilezero tmm0", "tilezero tmm1",
                "test {other}, {other}",
                "jz 2f",
                concat!($load, " tmm0, [{c} + {c_stride}*1]"),
                concat!($load, " tmm1, [{c} + {c_stride}*1 + 64]"),
            ]
            []
            "1024"
            [
                "tilestored [{c} + {c_stride}*1], tmm0",
                "tilestored [{c} + {c_stride}*1 + 64], tmm1",
            ]
        )
    };
}

/// The loop over the steps of a block whose tiles of `B` are loaded from where they are. The arguments: the instruction, how its sums
/// start, what a step does with a second tile of `A`, the bytes from one line of `A` to the next, and how the sums are stored.
macro_rules! multiply_shallow {
    ($block:ident $dot:literal $DEPTH:ident [$($start:tt)*] [$($second:tt)*] $line:literal [$($store:tt)*]) => {{
        let ShallowBlock { a, b, b_stride, b_step, steps, c, c_stride, adds, ahead } = $block;
        tile_asm!(
            $($start)*
            "2:",
            "tileloadd tmm4, [{a} + {line}*1]",
            "tileloadd tmm6, [{b} + {b_stride}*1]",
            concat!($dot, " tmm0, tmm4, tmm6"),
            "tileloadd tmm7, [{b} + {b_stride}*1 + 64]",
            concat!($dot, " tmm1, tmm4, tmm7"),
            ".rept {ahead_lines}",
            "prefetcht1 [{ahead}]",
            "add {ahead}, 64",
            ".endr",
            $($second)*
            "add {a}, {a_step}",
            "add {b}, {b_step}",
            "lea {ahead}, [{ahead} + {b_step}*1 - {ahead_lines} * 64]",
            "dec {steps}",
            // After the last words of a line.
            "test {steps:e}, {line_steps} - 1",
            "jnz 3f",
            concat!("add {a}, ", $line, " - 64"),
            "3:",
            "test {steps}, {steps}",
            "jnz 2b",
            $($store)*
            a = inout(reg) a => _,
            b = inout(reg) b => _,
            b_stride = in(reg) b_stride,
            b_step = in(reg) b_step,
            steps = inout(reg) steps => _,
            c = in(reg) c,
            c_stride = in(reg) c_stride,
            ahead = inout(reg) ahead => _,
            other = inout(reg) usize::from(adds) => _,
            line = in(reg) 64_usize,
            a_step = const 4 * $DEPTH,
            ahead_lines = const 2 * $DEPTH,
            line_steps = const 16 / $DEPTH,
            options(nostack)
        );
    }};
}

/// Tiles for each instruction: a type, the micro-kernels for two tiles of rows, for two of a few rows, and for one, and the shallow ones
/// for each depth, for one tile of rows and for two. The tiles of few rows are in the L1 cache, from which `tileloadd` loads them;
/// `tileloaddt1` makes no copy of others there.
macro_rules! tile_kernels {
    ($(
        $(#[$doc:meta])* $Name:ident [$tall:ident $tall_column:ident] [$few:ident $few_column:ident]
        [$short:ident $short_column:ident] $shallow:ident $dot:literal;
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $Name(());

        tile_kernels! { @ $Name $dot
            $(#[$doc])*
            $tall $tall_column [2, false] multiply_tall "tileloaddt1";
            /// The same for a few rows.
            $few $few_column [2, true] multiply_tall "tileloadd";
            /// The same for one tile of rows.
            $short $short_column [1, true] multiply_short "tileloadd";
        }

        impl<const DEPTH: usize> ShallowTiles<1, DEPTH> for $Name {
            /// # Safety
            /// As for [`ShallowTiles::run_shallow`].
            #[inline(always)]
            unsafe fn run_shallow(self, block: ShallowBlock) {
                // SAFETY: as for `Tiles::run`.
                unsafe { multiply_short!(multiply_shallow block $dot "tileloadd" DEPTH) };
            }
        }

        impl<const DEPTH: usize> ShallowTiles<2, DEPTH> for $Name {
            /// # Safety
            /// As for [`ShallowTiles::run_shallow`].
            #[inline(always)]
            unsafe fn run_shallow(self, block: ShallowBlock) {
                // SAFETY: as for `Tiles::run`.
                unsafe { multiply_tall!(multiply_shallow block $dot "tileloadd" DEPTH) };
            }
        }

        $(#[$doc])*
        /// With tiles of `B` where they are.
        ///
        /// # Safety
        /// As for the other micro-kernels of tiles, but the registers must be as
        /// [`configure`](crate::cpu::tile_registers::configure) leaves them for this depth.
        #[target_feature(enable = "avx512f")]
        pub(super) unsafe fn $shallow<const TALL: usize, const DEPTH: usize>(block: &mut MicroBlock<'_>)
        where
            $Name: ShallowTiles<TALL, DEPTH>,
        {
            // SAFETY: the caller promises the same.
            unsafe { shallow_tiles::multiply::<_, TALL, DEPTH>($Name(()), block) };
        }
    )* };
    (@ $Name:ident $dot:literal $($(#[$doc:meta])* $name:ident $column:ident [$tall:tt, $few:tt] $multiply:ident $load:literal;)*) => { $(
        impl Tiles<$tall, $few> for $Name {
            /// # Safety
            /// As for [`Tiles::run`].
            #[inline(always)]
            unsafe fn run(self, blocks: TileBlocks) -> usize {
                // SAFETY: a value of this type proves that the CPU has the instructions. The caller promises the registers and
                // all bytes that are read and written; the loop changes only its own copy of the arguments.
                unsafe { $multiply!(multiply_tiles blocks $dot $load $load) }
            }
        }

        $(#[$doc])*
        ///
        /// # Safety
        /// The process must be allowed to use AMX with this instruction. The tile registers must be as
        /// [`configure`](crate::cpu::tile_registers::configure) leaves them for 16 words, and must not contain anything that is
        /// still needed.
        #[target_feature(enable = "avx512f")]
        pub(super) unsafe fn $name(block: &mut MicroBlock<'_>) {
            // SAFETY: the caller promises the same.
            unsafe { tiles::multiply::<_, $tall, $few>($Name(()), block) };
        }

        $(#[$doc])*
        /// For blocks one below the other.
        ///
        /// # Safety
        /// As for one block.
        #[target_feature(enable = "avx512f")]
        pub(super) unsafe fn $column(column: &mut TileColumn<'_>) {
            // SAFETY: the caller promises the same.
            unsafe { tiles::multiply_column::<_, $tall, $few>($Name(()), column) };
        }
    )* };
}

tile_kernels! {
    /// `bf16` by `bf16`.
    Bf16 [bf16 bf16_column] [bf16_few bf16_few_column] [bf16_short bf16_short_column] bf16_shallow "tdpbf16ps";
    /// `s8` by `s8`.
    S8S8 [s8_s8 s8_s8_column] [s8_s8_few s8_s8_few_column] [s8_s8_short s8_s8_short_column] s8_s8_shallow "tdpbssd";
    /// `s8` by `u8`.
    S8U8 [s8_u8 s8_u8_column] [s8_u8_few s8_u8_few_column] [s8_u8_short s8_u8_short_column] s8_u8_shallow "tdpbsud";
    /// `u8` by `s8`.
    U8S8 [u8_s8 u8_s8_column] [u8_s8_few u8_s8_few_column] [u8_s8_short u8_s8_short_column] u8_s8_shallow "tdpbusd";
    /// `u8` by `u8`.
    U8U8 [u8_u8 u8_u8_column] [u8_u8_few u8_u8_few_column] [u8_u8_short u8_u8_short_column] u8_u8_shallow "tdpbuud";
}
