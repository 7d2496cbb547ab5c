use super::json::Quoted;
use super::printable;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// One number or property of a layout, with its name; see [`Facts`].
///
/// ```
/// use tensor_layout::{TiledSpec, draw::Draw};
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let facts = spec.facts();
/// let bytes = facts.get("bytes").unwrap();
/// assert_eq!((&bytes.text[..], bytes.number), ("96", Some(96)));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fact {
    /// What it is, in a word or two.
    pub name: &'static str,
    /// Its value as text.
    pub text: String,
    /// Its value as a number, if it is one.
    pub number: Option<u64>,
    /// Whether the text is notation rather than words.
    pub is_code: bool,
}

impl Fact {
    /// The text formatted for a reader: thousands are separated, and a large number of bytes is also written in a larger unit.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "bf16[512,2048]".parse().unwrap();
    /// let facts = tensor_layout::draw::Draw::facts(&spec);
    /// assert_eq!(facts.get("elements").unwrap().grouped(), "1,048,576");
    /// assert_eq!(facts.get("bytes").unwrap().grouped(), "2,097,152 (2 MiB)");
    /// assert_eq!(facts.get("last").unwrap().grouped(), "(511,2047) -> 1,048,575");
    /// ```
    pub fn grouped(&self) -> String {
        match self.number {
            Some(number) if self.name.contains("bytes") => bytes(number),
            Some(number) => grouped(number),
            None => match self.text.rsplit_once(" -> ") {
                // An index and its offset.
                Some((index, offset)) if let Ok(offset) = offset.parse() => {
                    format!("{index} -> {}", grouped(offset))
                }
                _ => self.text.clone(),
            },
        }
    }
}

/// The facts about a layout, in reading order. Displays one per line.
///
/// ```
/// use tensor_layout::{TiledSpec, draw::Draw};
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
/// assert_eq!(spec.facts().get("bytes").unwrap().number, Some(96));
/// assert_eq!(spec.facts().get("index").unwrap().text, "(i/2*3 + j/2)*4 + i%2*2 + j%2");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Facts(pub(crate) Vec<Fact>);

impl Facts {
    /// The facts one by one.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.0.iter()
    }

    /// The fact of this name.
    pub fn get(&self, name: &str) -> Option<&Fact> {
        self.0.iter().find(|fact| fact.name == name)
    }

    pub(crate) fn code(&mut self, name: &'static str, text: impl ToString) {
        self.0.push(Fact { name, text: text.to_string(), number: None, is_code: true });
    }

    pub(crate) fn words(&mut self, name: &'static str, text: impl ToString) {
        self.0.push(Fact { name, text: text.to_string(), number: None, is_code: false });
    }

    pub(crate) fn number(&mut self, name: &'static str, number: usize) {
        let text = number.to_string();
        self.0.push(Fact { name, text, number: Some(number as u64), is_code: false });
    }

    /// A list in Markdown.
    pub fn markdown(&self) -> String {
        let mut markdown = String::new();
        for fact in &self.0 {
            let (name, is_code, text) = (fact.name, fact.is_code, fact.grouped());
            let mark = |is_code| if is_code { "`" } else { "" };
            // Markdown would read brackets in words as a link.
            let (name_mark, mark, text) =
                (mark(name.contains('[')), mark(is_code), printable(&text));
            markdown += &format!("- {name_mark}{name}{name_mark}: {mark}{text}{mark}\n");
        }
        markdown
    }

    /// A JSON object: names to numbers and texts.
    pub fn json(&self) -> String {
        let mut json = String::from("{");
        for (i, fact) in self.0.iter().enumerate() {
            json += if i > 0 { ", " } else { "" };
            let name = fact.name.replace(' ', "_");
            // Writing to a string does not fail.
            let _ = match fact.number {
                Some(number) => write!(json, "{}: {number}", Quoted(&name)),
                None => write!(json, "{}: {}", Quoted(&name), Quoted(&fact.text)),
            };
        }
        json + "}"
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.0.iter().map(|fact| fact.name.len()).max().unwrap_or(0);
        for Fact { name, text, .. } in &self.0 {
            writeln!(f, "{name:width$}  {}", printable(text))?;
        }
        Ok(())
    }
}

/// A part of a whole in per cent: `37.5 %`, or `0 %` if the whole is 0.
pub(crate) fn percent(part: usize, whole: usize) -> String {
    let tenths = (part as u128 * 1000 + whole as u128 / 2).checked_div(whole as u128).unwrap_or(0);
    match tenths % 10 {
        0 => format!("{} %", tenths / 10),
        tenth => format!("{}.{tenth} %", tenths / 10),
    }
}

/// `1,048,576`
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `2,097,152 (2 MiB)`
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut bytes = grouped(number);
    let power = (number.max(1).ilog2() / 10) as usize;
    if power > 0 {
        // At most two decimals, without trailing zeros: 1000 * 384 * 2 bytes are 750 KiB.
        let hundredths = (u128::from(number) * 100 + (1 << (power * 10 - 1))) >> (power * 10);
        let (whole, rest) = (hundredths / 100, hundredths % 100);
        let fraction = match rest {
            0 => String::new(),
            _ if rest % 10 == 0 => format!(".{}", rest / 10),
            _ => format!(".{rest:02}"),
        };
        bytes += &format!(" ({whole}{fraction} {})", UNITS[power - 1]);
    }
    bytes
}
