use alloc::vec::Vec;

/// The candidate that differs least from `word`, if that is little enough for a slip of the pen.
pub(super) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // A long word is no slip, and the distance is quadratic.
    if word.len() > 24 {
        return None;
    }
    let best = candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .min_by_key(|(d, _)| *d);
    best.filter(|(distance, candidate)| *distance <= candidate.len().div_ceil(3))
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions and substitutions from one word to the other, case apart.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_a_slip_and_nothing_far() {
        let names = || crate::DType::ALL.iter().map(|dtype| dtype.name());
        assert_eq!(nearest("bf17", names()), Some("bf16"));
        assert_eq!(nearest("F31", names()), Some("f32"));
        assert_eq!(nearest("float8_e4m3", names()), None);
        assert_eq!(nearest("tensor", names()), None);
    }
}
