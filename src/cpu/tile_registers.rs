//! The tile registers of AMX: eight of up to 16 rows of 64 bytes.

/// `asm!` that may change every tile register.
macro_rules! tile_asm {
    ($($rest:tt)+) => {
        core::arch::asm!(
            $($rest)+,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
        )
    };
}
pub(crate) use tile_asm;

/// The rows of a register.
pub(crate) const ROWS: usize = 16;

/// A configuration of the tile registers, in the format that `ldtilecfg` reads.
#[repr(C, align(64))]
struct Configuration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    /// The bytes of a row of each register.
    row_bytes: [u16; 16],
    /// The rows of each register.
    rows: [u8; 16],
}

impl Configuration {
    const fn of(height: usize, words: usize) -> Self {
        let fits = 0 < height && height <= ROWS && 0 < words && words <= ROWS;
        assert!(fits, "a register has up to 16 rows of 16 words");
        let (mut row_bytes, mut rows, mut i) = ([0; 16], [0; 16], 0);
        while i < 8 {
            (row_bytes[i], rows[i]) = match i {
                0..4 => (64, height as u8),
                4..6 => (4 * words as u16, height as u8),
                _ => (64, words as u8),
            };
            i += 1;
        }
        Self { palette: 1, start_row: 0, reserved: [0; 14], row_bytes, rows }
    }
}

/// Configures the tile registers of this thread for products of that many rows, of which a step has that many words of the inner
/// dimension; they are then zero. The first four registers are sums, with the rows and 16 words each; the next two are tiles of `A`,
/// with the rows and the words of a step; the last two are tiles of `B`, with a row of 16 words for each word of a step.
///
/// # Panics
/// If a number is not between 1 and 16.
///
/// # Safety
/// The process must be allowed to use AMX, and the tile registers of this thread must not contain anything that is still
/// needed.
pub(crate) unsafe fn configure(height: usize, words: usize) {
    let configuration = Configuration::of(height, words);
    // SAFETY: the caller promises that the CPU has the instruction, which reads the 64 bytes of the configuration and changes
    // nothing but the tile registers.
    unsafe {
        tile_asm!("ldtilecfg [{from}]", from = in(reg) &raw const configuration, options(nostack, readonly, preserves_flags));
    }
}

/// Releases the tile registers of this thread, so that the operating system need not save them.
///
/// # Safety
/// As for [`configure`].
pub(crate) unsafe fn release() {
    // SAFETY: the caller promises that the CPU has the instruction, which changes nothing but the tile registers.
    unsafe {
        tile_asm!("tilerelease", options(nostack, nomem, preserves_flags));
    }
}
