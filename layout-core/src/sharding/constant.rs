//! Questions about lists and texts in const evaluation, which has no iterators and no `==` of them.

/// Whether `list` contains `item`, in const evaluation.
pub(crate) const fn contains(list: &[usize], item: usize) -> bool {
    position(list, item).is_some()
}

/// The position of `item` in `list`, in const evaluation.
pub(crate) const fn position(list: &[usize], item: usize) -> Option<usize> {
    let mut at = 0;
    while at < list.len() {
        if list[at] == item {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Whether two lists have the same items, in const evaluation.
pub(crate) const fn are_equal(a: &[usize], b: &[usize]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    a.len() == b.len() && at == a.len()
}

/// Whether two texts are equal, in const evaluation.
pub(crate) const fn same_text(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    a.len() == b.len() && at == a.len()
}
