//! The positions of elements after they are moved, for random pairs of layouts.

use super::config;
use super::layouts::pair;
use super::moves::{part, whole};
use proptest::prelude::*;
use proptest::sample::Index;

proptest! {
    #![proptest_config(config(1))]

    #[test]
    fn elements_move_to_where_the_document_says(texts in pair(), salt in any::<u8>()) {
        whole(texts, salt)?;
    }

    #[test]
    fn windows_move_to_where_the_document_says(
        texts in pair(),
        sides in proptest::collection::vec((any::<Index>(), any::<Index>()), 16),
        salt in any::<u8>(),
    ) {
        part(texts, sides, salt)?;
    }
}
