//! The equivalent of an einsum text in a program: `dot_general`, and a `transpose` if the dimensions have another order.

use crate::einsum::Einsum;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The translation of a product of `x` and `w`; `None` if the text has mistakes or only one operand.
pub(super) fn translated(text: &str, x: &str, w: &str) -> Option<String> {
    let einsum: Einsum = text.parse().ok()?;
    let [left, right] = einsum.operands() else { return None };
    let result = einsum.result();
    let both = |kept: bool| {
        let letters = left.iter().filter(move |letter| right.contains(letter));
        letters.filter(move |letter| result.contains(letter) == kept).copied().collect::<Vec<_>>()
    };
    let (batch, summed) = (both(true), both(false));
    let mut attributes = String::new();
    for (name, letters) in [("batch", &batch), ("contracting", &summed)] {
        if !letters.is_empty() {
            let (lhs, rhs) = (numbers(letters, left)?, numbers(letters, right)?);
            attributes += &format!(", lhs_{name}=[{lhs}], rhs_{name}=[{rhs}]");
        }
    }
    let product = format!("dot_general({x}, {w}{attributes})");
    // The batch dimensions come first, then the remaining ones of each operand.
    let mut order = batch.clone();
    order.extend(left.iter().chain(right).filter(|c| !batch.contains(c) && !summed.contains(c)));
    if order.len() != result.len() {
        // A letter that only one operand has is summed over, which would also require a `reduce`.
        return None;
    }
    Some(match order == result {
        true => product,
        false => format!("transpose({product}, [{}])", numbers(result, &order)?),
    })
}

/// The positions of `letters` among the letters of an array.
fn numbers(letters: &[char], of: &[char]) -> Option<String> {
    let position = |letter: &char| of.iter().position(|other| other == letter);
    let numbers: Option<Vec<_>> = letters.iter().map(position).collect();
    Some(numbers?.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn a_text_of_einsum_becomes_a_product() {
        let of = |text| translated(text, "x", "w");
        let plain = "dot_general(x, w, lhs_contracting=[1], rhs_contracting=[0])";
        assert_eq!(of("ij,jk->ik").as_deref(), Some(plain));
        let batched = "dot_general(x, w, lhs_batch=[0], rhs_batch=[0], lhs_contracting=[2], rhs_contracting=[2])";
        assert_eq!(of("bqd,bkd->bqk").as_deref(), Some(batched));
        // The product is [i, k].
        let turned = format!("transpose({plain}, [1, 0])");
        assert_eq!(of("ij,jk->ki"), Some(turned));
        assert_eq!(of("ij,jk->k"), None);
        assert_eq!(of("ij->ji"), None);
        assert_eq!(of("ij,jk"), None);
    }
}
