//! Large arrays in huge pages.
//!
//! A page of 4 KiB has 64 cache lines, so a kernel that streams an array looks up an address for each 64 lines that it reads; in a
//! virtual machine, a lookup that misses takes as long as reading ten lines from memory. In a huge page of 2 MiB it is one for each
//! 32,768.

use alloc::vec::Vec;

/// The number of bytes of a huge page, and a multiple of the size of a page on all CPUs that are supported.
pub(crate) const HUGE_PAGE: usize = 2 << 20;

/// Requests huge pages for the memory of a list, if it has any whole. They take effect where it has not been written yet. A system that has
/// none, or does not grant them, is not an error: only the speed differs.
pub(crate) fn in_huge_pages<T>(list: Vec<T>) -> Vec<T> {
    request_huge_pages(list.as_ptr().cast(), list.capacity().saturating_mul(size_of::<T>()));
    list
}

/// [`in_huge_pages`] for the memory of a list, given by its address and its number of bytes.
pub(crate) fn request_huge_pages(memory: *const u8, bytes: usize) {
    let start = memory.addr().next_multiple_of(HUGE_PAGE);
    let end = memory.addr().saturating_add(bytes) / HUGE_PAGE * HUGE_PAGE;
    if start < end {
        request(memory.with_addr(start), end - start);
    }
}

/// Requests huge pages for whole ones of memory.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
fn request(start: *const u8, bytes: usize) {
    use core::ffi::{c_int, c_void};

    /// The request: pages of this range may be huge.
    const MADV_HUGEPAGE: c_int = 14;

    // SAFETY: this is the function of the C library, which the standard library links.
    unsafe extern "C" {
        fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }
    // SAFETY: this advice changes how memory is mapped, and never its contents, whatever the range is.
    let _ = unsafe { madvise(start.cast_mut().cast(), bytes, MADV_HUGEPAGE) };
}

/// Other systems have no such request, or grant them on their own.
#[cfg(not(all(feature = "std", target_os = "linux", not(miri))))]
const fn request(_: *const u8, _: usize) {}

#[cfg(all(test, feature = "std", target_os = "linux"))]
pub(crate) mod tests {
    use super::{HUGE_PAGE, in_huge_pages};
    use std::fs::read_to_string;

    /// Enough bytes for a whole page wherever they are.
    const LARGE: usize = 2 * HUGE_PAGE;

    /// Whether huge pages were requested for the memory at an address. Always true on a system that has none.
    pub(crate) fn is_requested(address: usize) -> bool {
        if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
            eprintln!("not run: this system has no huge pages");
            return true;
        }
        let maps = read_to_string("/proc/self/smaps").unwrap();
        let mut inside = false;
        for line in maps.lines() {
            let hex = |text: &str| usize::from_str_radix(text, 16).ok();
            let range = line.split(' ').next().and_then(|word| word.split_once('-'));
            if let Some((Some(start), Some(end))) = range.map(|(start, end)| (hex(start), hex(end)))
            {
                inside = (start..end).contains(&address);
            } else if inside && let Some(flags) = line.strip_prefix("VmFlags:") {
                return flags.split(' ').any(|flag| flag == "hg");
            }
        }
        panic!("no memory at {address:#x}");
    }

    #[test]
    fn large_lists_have_huge_pages_and_keep_their_values() {
        for (len, values) in [(LARGE + 8, 0), (3 * LARGE, 7)] {
            let list = in_huge_pages(vec![values; len]);
            assert!(list.iter().all(|value| *value == values));
            assert!(is_requested(list[len / 2..].as_ptr().addr()), "{len} bytes");
        }
        // Lists of one huge page or none.
        assert_eq!(in_huge_pages(vec![1_u64; 9]), [1; 9]);
        assert_eq!(in_huge_pages(vec![(); LARGE]).len(), LARGE);
        assert_eq!(in_huge_pages(vec![2_u8; LARGE - 1]).len(), LARGE - 1);
    }
}
