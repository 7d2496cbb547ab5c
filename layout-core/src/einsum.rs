//! Products of arrays by the letters of their dimensions: `bqd,bkd->bqk`.

use crate::syntax::{Diagnostic, ParseError};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

/// The largest number of dimensions of an array in a product.
pub const MAX_LETTERS: usize = 8;

/// A parsed einsum text: a letter for each dimension of one or two operands, and of the result.
///
/// Dimensions whose letter is in both operands but not in the result are summed over. Parsing checks that no array has a
/// letter twice, that each letter of the result is in an operand, and that a letter of only one operand is in the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Einsum {
    operands: Vec<Vec<char>>,
    result: Vec<char>,
}

impl Einsum {
    /// The letters of each operand.
    pub fn operands(&self) -> &[Vec<char>] {
        &self.operands
    }

    /// The letters of the result.
    pub fn result(&self) -> &[char] {
        &self.result
    }
}

/// Letters, each with its byte position in the text.
type Letters = Vec<(usize, char)>;

impl FromStr for Einsum {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut mistakes = Vec::new();
        let mut report = |span: usize, message: String, help: String| {
            mistakes.push(Diagnostic { span, message, help });
        };
        if let Some(at) = text.find("=>") {
            report(at, "expected `->`, found `=>`".into(), "write `->`".into());
            return Err(ParseError::new(text, mistakes));
        }
        if let Some(at) = text.find(';') {
            let help = format!("write `{}`", text.replace(';', ","));
            report(at, "operands are separated by commas".into(), help);
            return Err(ParseError::new(text, mistakes));
        }
        if let Some(at) = text.find("...") {
            let free = |letter: &char| !text.contains(*letter);
            let letter = ('b'..='z').chain('A'..='Z').find(free);
            let letter = letter.map_or_else(String::new, String::from);
            let of_one = text.replace("...", &letter).replace(' ', "");
            let help =
                format!("write a letter for each batch dimension, for one of them `{of_one}`");
            report(at, "`...` does not say how many dimensions there are".into(), help);
            return Err(ParseError::new(text, mistakes));
        }
        if let Some((at, message, help)) = foreign_letters(text) {
            report(at, message, help);
            return Err(ParseError::new(text, mistakes));
        }
        if let Some((at, message, help)) = words(text) {
            report(at, message, help);
            return Err(ParseError::new(text, mistakes));
        }
        if let Some(mistake) = not_a_letter(text) {
            return Err(ParseError::new(text, [mistake].into()));
        }
        let (left, arrow, right) = match text.find("->") {
            Some(arrow) => (&text[..arrow], arrow, &text[arrow + 2..]),
            None => {
                let help = format!(
                    "write its letters after an arrow: `{}->{}`",
                    text.trim(),
                    implied(text)
                );
                report(text.len(), "the text has no result".into(), help);
                (text, text.len(), "")
            }
        };
        let mut repeated = BTreeSet::new();
        let mut operands = Vec::new();
        let mut start = 0;
        for part in left.split(',') {
            operands.push(letters(part, start, (&mut repeated, &mut report)));
            start += part.len() + 1;
        }
        let result = letters(right, arrow + 2, (&mut repeated, &mut report));
        if operands.len() > 2 {
            let message = format!("the text has {} operands", operands.len());
            let mut help = "multiply two at a time: the order decides how long it takes".to_owned();
            if let Some([first, second]) = two_steps(&operands, &result) {
                help += &format!("; one order is `{first}`, and then `{second}`");
            }
            report(0, message, help);
        }
        // A letter that an array has twice is also a letter of the array.
        if mistakes.len() == repeated.len() {
            mistakes.extend(match renamed(text, &operands, &result) {
                Some(mistake) => Vec::from([mistake]),
                None => unmatched(&operands, &result),
            });
        }
        if !mistakes.is_empty() {
            return Err(ParseError::new(text, mistakes));
        }
        let plain = |letters: Letters| letters.into_iter().map(|(_, letter)| letter).collect();
        Ok(Self { operands: operands.into_iter().map(plain).collect(), result: plain(result) })
    }
}

/// The products of the first two operands, and of the result and the third; `None` unless there are three.
fn two_steps(operands: &[Letters], result: &Letters) -> Option<[String; 2]> {
    let [first, second, third] = operands else { return None };
    let text = |letters: &Letters| letters.iter().map(|(_, letter)| *letter).collect::<String>();
    let is_needed =
        |letter: &(usize, char)| third.iter().chain(result).any(|(_, needed)| *needed == letter.1);
    let mut between = Letters::new();
    for letter in first.iter().chain(second).filter(|letter| is_needed(letter)) {
        if between.iter().all(|(_, known)| *known != letter.1) {
            between.push(*letter);
        }
    }
    Some([
        format!("{},{}->{}", text(first), text(second), text(&between)),
        format!("{},{}->{}", text(&between), text(third), text(result)),
    ])
}

/// The letters of one array, which start at byte `start` of the text. A letter that is used for two dimensions of an array is
/// reported once, and then is among the `repeated` ones.
fn letters(
    part: &str,
    start: usize,
    (repeated, report): (&mut BTreeSet<char>, &mut dyn FnMut(usize, String, String)),
) -> Letters {
    let mut found = Letters::new();
    for (at, char) in part.char_indices() {
        let at = start + at;
        if char.is_ascii_alphabetic() {
            if found.iter().any(|(_, known)| *known == char) {
                let message =
                    format!("the letter `{char}` is used for two dimensions of one array");
                let help = "give each dimension a letter of its own; einsum takes no diagonal or trace, \
                            so copy the diagonal to an array first";
                if repeated.insert(char) {
                    report(at, message, help.into());
                }
            } else if found.len() == MAX_LETTERS {
                let message = format!("the array has more than {MAX_LETTERS} dimensions");
                report(at, message, "reshape it to one of fewer dimensions".into());
            }
            found.push((at, char));
        }
    }
    found
}

/// The mistake of a text with letters of other alphabets, such as Greek; its position, and the text with Latin ones.
fn foreign_letters(text: &str) -> Option<(usize, String, String)> {
    let is_foreign = |char: &char| char.is_alphabetic() && !char.is_ascii();
    let (at, first) = text.char_indices().find(|(_, char)| is_foreign(char))?;
    let mut letters: Vec<(char, char)> = Vec::new();
    for char in text.chars().filter(is_foreign) {
        let is_free = |letter: &char| {
            !text.contains(*letter) && letters.iter().all(|(_, taken)| taken != letter)
        };
        if letters.iter().all(|(known, _)| *known != char) {
            letters.push((char, ('a'..='z').chain('A'..='Z').find(is_free)?));
        }
    }
    let latin =
        |char| letters.iter().find(|(known, _)| *known == char).map_or(char, |(_, letter)| *letter);
    let help = format!("write `{}`", text.chars().map(latin).collect::<String>());
    Some((at, format!("`{first}` is not a letter from `a` to `z`"), help))
}

/// The mistake of a text whose dimensions are words, as in einops, or whose operands are separated by spaces; its position, and
/// the text with letters and commas.
fn words(text: &str) -> Option<(usize, String, String)> {
    let is_known = |char: char| char.is_ascii_alphanumeric() || "_,-> ".contains(char);
    let lists: Vec<Vec<&str>> = text
        .split("->")
        .flat_map(|side| side.split(','))
        .map(|list| list.split_whitespace().collect())
        .collect();
    let mut spaced = lists.iter().filter(|list| list.len() > 1).flatten();
    let long = spaced.find(|word| word.len() > 1)?;
    if !text.chars().all(is_known) || !text.contains("->") {
        return None;
    }
    let at = text.find(*long)?;
    if !text.contains(',') && lists.len() == 2 && lists[1].len() <= 1 {
        let operands = lists[0].join(",");
        let help = format!("write `{operands}->{}`", lists[1].concat());
        return Some((at, "operands are separated by commas".into(), help));
    }
    let mut letters: Vec<(&str, char)> = Vec::new();
    let distinct = lists.iter().flatten();
    for word in distinct.clone().filter(|word| word.len() == 1).chain(distinct) {
        if letters.iter().any(|(known, _)| known == word) {
            continue;
        }
        let is_free = |letter: &char| letters.iter().all(|(_, taken)| taken != letter);
        let own = word.chars().filter(char::is_ascii_alphabetic);
        let letter = own
            .flat_map(|letter| [letter, letter.to_ascii_uppercase()])
            .chain('a'..='z')
            .find(is_free)?;
        letters.push((word, letter));
    }
    let letter_of =
        |word: &&str| letters.iter().find(|(known, _)| known == word).map(|(_, letter)| *letter);
    let side = |side: &str| -> String {
        let lists = side.split(',').map(|list| list.split_whitespace().collect::<Vec<_>>());
        let lists: Vec<String> =
            lists.map(|list| list.iter().filter_map(letter_of).collect()).collect();
        lists.join(",")
    };
    let (left, right) = text.split_once("->")?;
    let help = format!("write `{}->{}`", side(left), side(right));
    Some((at, format!("a dimension is one letter, and not a word such as `{long}`"), help))
}

/// The first character that no text has, with the text in letters, commas and an arrow, if it can be told.
///
/// ```text
/// [i, j], [j, k] -> [i, k]     01,12->02     ij*jk->ik     ij,jk-ik
/// ```
fn not_a_letter(text: &str) -> Option<Diagnostic<usize>> {
    let arrow = text.find("->").unwrap_or(text.len());
    let is_known = |at: usize, char: char| {
        char.is_ascii_alphabetic()
            || char.is_whitespace()
            || char == ','
            || at == arrow
            || at == arrow + 1
    };
    let (span, char) = text.char_indices().find(|(at, char)| !is_known(*at, *char))?;
    let help = match in_letters(text).filter(|text| text.parse::<Einsum>().is_ok()) {
        Some(text) => format!("write `{text}`"),
        None => "a dimension is one letter, `a` to `z` or `A` to `Z`: `bqd,bkd->bqk`".into(),
    };
    Some(Diagnostic { span, message: format!("`{char}` is not a letter"), help })
}

/// A text with brackets around arrays, with numbers or words as dimensions, or with other signs between arrays.
fn in_letters(text: &str) -> Option<String> {
    // In brackets, a dimension is a word or a number; elsewhere, it is a letter or a digit.
    let is_name = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let is_arrow = |char: char| matches!(char, '-' | '=' | '>' | '~' | '→' | '⇒' | ':');
    let mut names: Vec<(&str, char)> = Vec::new();
    let mut written = String::new();
    let (mut rest, mut depth, mut has_arrow) = (text, 0_usize, false);
    while let Some(char) = rest.chars().next() {
        let mut len = char.len_utf8();
        match char {
            _ if is_name(char) => {
                if depth > 0 {
                    len = rest.find(|char| !is_name(char)).unwrap_or(rest.len());
                }
                written.push(letter_of(&rest[..len], &mut names)?);
            }
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth = depth.checked_sub(1)?,
            ' ' => {}
            ',' if depth > 0 => {}
            ',' | ';' | '*' | '@' | '&' | '+' | '|' if depth == 0 => written.push(','),
            _ if is_arrow(char) && depth == 0 && !has_arrow => {
                len = rest.find(|char| !is_arrow(char))?;
                written.push_str("->");
                has_arrow = true;
            }
            _ => return None,
        }
        rest = &rest[len..];
    }
    Some(written)
}

/// The letter for a dimension that has a name: its first letter, or one that no other name has.
fn letter_of<'a>(name: &'a str, names: &mut Vec<(&'a str, char)>) -> Option<char> {
    if let Some((_, letter)) = names.iter().find(|(known, _)| *known == name) {
        return Some(*letter);
    }
    let own = name.chars().next().filter(char::is_ascii_alphabetic);
    let is_free = |letter: &char| names.iter().all(|(_, taken)| taken != letter);
    let letter = own.into_iter().chain('a'..='z').find(is_free)?;
    names.push((name, letter));
    Some(letter)
}

/// The result that NumPy infers for a text without an arrow: the letters that occur once, in alphabetical order.
fn implied(text: &str) -> String {
    let once = |letter: &char| text.matches(*letter).count() == 1;
    let letters = text.chars().filter(char::is_ascii_alphabetic).filter(once);
    letters.collect::<alloc::collections::BTreeSet<_>>().into_iter().collect()
}

/// The mistake of a text that calls one dimension by two letters: exactly two letters are in one array only, where they could be one.
///
/// ```text
/// ij,jk->iz   `z` of the result and `k`        ij,lk->ik   `l` of the second operand and `j`
/// ```
fn renamed(text: &str, operands: &[Letters], result: &Letters) -> Option<Diagnostic<usize>> {
    let arrays = operands.iter().chain([result]).enumerate();
    let all: Vec<(usize, (usize, char))> = arrays
        .flat_map(|(array, letters)| letters.iter().map(move |letter| (array, *letter)))
        .collect();
    let is_alone = |(array, (_, letter)): &(usize, (usize, char))| {
        all.iter().all(|(other, (_, known))| other == array || known != letter)
    };
    let mut alone = all.iter().copied().filter(is_alone);
    let ((first, (_, known)), (second, (span, letter)), None) =
        (alone.next()?, alone.next()?, alone.next())
    else {
        return None;
    };
    if first == second || known.eq_ignore_ascii_case(&letter) && second == operands.len() {
        return None;
    }
    let message = match second == operands.len() {
        true => format!("the letter `{letter}` of the result is in no operand"),
        false => format!("the letter `{letter}` is in one operand only, and not in the result"),
    };
    let mut meant = String::from(text.trim());
    let at = span - (text.len() - text.trim_start().len());
    meant.replace_range(at..=at, known.encode_utf8(&mut [0; 4]));
    Some(Diagnostic { span, message, help: format!("did you mean `{known}`? write `{meant}`") })
}

/// A diagnostic for each letter that is missing from the other arrays.
fn unmatched(operands: &[Letters], result: &Letters) -> Vec<Diagnostic<usize>> {
    let has = |letters: &Letters, letter: char| letters.iter().any(|(_, known)| *known == letter);
    let mut mistakes = Vec::new();
    // The letter of an operand that differs from one of the result only in its case.
    let mut meant = Vec::new();
    for &(span, letter) in result {
        let other = match letter.is_ascii_lowercase() {
            true => letter.to_ascii_uppercase(),
            false => letter.to_ascii_lowercase(),
        };
        let is_known = |letter| operands.iter().any(|operand| has(operand, letter));
        if !is_known(letter) && is_known(other) && !has(result, other) {
            meant.push(other);
            let message = format!("the letter `{letter}` of the result is in no operand");
            let help = format!("upper and lower case differ: did you mean `{other}`?");
            mistakes.push(Diagnostic { span, message, help });
            continue;
        }
        if !operands.iter().any(|operand| has(operand, letter)) {
            let mut known: Vec<char> =
                operands.iter().flatten().map(|(_, letter)| *letter).collect();
            known.sort_unstable();
            known.dedup();
            let known: Vec<String> = known.iter().map(|letter| format!("`{letter}`")).collect();
            let message = format!("the letter `{letter}` of the result is in no operand");
            let help = match known.is_empty() {
                true => "the operands have no letters".into(),
                false => format!("the operands have {}", known.join(", ")),
            };
            mistakes.push(Diagnostic { span, message, help });
        }
    }
    for (number, operand) in operands.iter().enumerate() {
        for (dim, &(span, letter)) in operand.iter().enumerate() {
            let others = operands.iter().enumerate().filter(|(other, _)| *other != number);
            let is_meant = meant.contains(&letter);
            if is_meant
                || has(result, letter)
                || others.into_iter().any(|(_, other)| has(other, letter))
            {
                continue;
            }
            let message =
                format!("the letter `{letter}` is in one operand only, and not in the result");
            let help = format!(
                "keep `{letter}` in the result, or sum over it on its own: `.sum(&[{dim}])` of this operand"
            );
            mistakes.push(Diagnostic { span, message, help });
        }
    }
    mistakes
}

#[cfg(test)]
mod tests {
    use super::Einsum;
    use alloc::string::ToString;

    #[test]
    fn letters_of_each_array() {
        let einsum: Einsum = " bqd, bkd -> bqk ".parse().unwrap();
        assert_eq!(einsum.operands(), [['b', 'q', 'd'], ['b', 'k', 'd']]);
        assert_eq!(einsum.result(), ['b', 'q', 'k']);
        let product: Einsum = "i,i->".parse().unwrap();
        assert!(product.result().is_empty());
        assert_eq!("ij->ji".parse::<Einsum>().unwrap().operands().len(), 1);
    }

    #[test]
    fn every_mistake_has_its_column() {
        let errors = [
            (
                "batch q d, batch k d -> batch q k",
                "1:1: a dimension is one letter, and not a word such as `batch` (help: write `bqd,bkd->bqk`)",
            ),
            (
                "b seq d, d e -> b seq e",
                "1:3: a dimension is one letter, and not a word such as `seq` (help: write `bsd,de->bse`)",
            ),
            ("ij jk -> ik", "1:1: operands are separated by commas (help: write `ij,jk->ik`)"),
            ("ij;jk->ik", "1:3: operands are separated by commas (help: write `ij,jk->ik`)"),
            ("ij,jk", "1:6: the text has no result"),
            (
                "ij,jk->iz",
                "1:9: the letter `z` of the result is in no operand (help: did you mean `k`? write `ij,jk->ik`)",
            ),
            ("ii,ik->k", "1:2: the letter `i` is used for two dimensions of one array"),
            (
                "ij,k->ik",
                "1:2: the letter `j` is in one operand only, and not in the result (help: keep `j`",
            ),
            ("ij->i", "1:2: the letter `j` is in one operand only"),
            ("ij,jk->ii", "1:9: the letter `i` is used for two dimensions"),
            (
                "ij,lk->ik",
                "1:4: the letter `l` is in one operand only, and not in the result (help: did you mean `j`?",
            ),
            ("[i,j],[j,k]->[i,k]", "1:1: `[` is not a letter (help: write `ij,jk->ik`)"),
            ("(batch, 1) (1, 2) -> 2", "1:1: `(` is not a letter (help: a dimension is one letter"),
            ("01,12->02", "1:1: `0` is not a letter (help: write `ab,bc->ac`)"),
            ("ij,jk-ik", "1:6: `-` is not a letter (help: write `ij,jk->ik`)"),
            ("ij*jk->ik", "1:3: `*` is not a letter (help: write `ij,jk->ik`)"),
            ("i,j,k->ijk", "1:1: the text has 3 operands"),
            (
                "...ij,jk->...ik",
                "1:1: `...` does not say how many dimensions there are (help: write a letter for each batch dimension, for one of them `bij,jk->bik`)",
            ),
            ("abcdefghi,i->abcdefgh", "1:9: the array has more than 8 dimensions"),
        ];
        for (text, expected) in errors {
            let error = text.parse::<Einsum>().unwrap_err().to_string();
            assert!(error.lines().any(|line| line.starts_with(expected)), "{text}: {error}");
        }
        for (text, _) in &errors[errors.len() - 7..] {
            assert_eq!(text.parse::<Einsum>().unwrap_err().mistakes().len(), 1, "{text}");
        }
    }
}
