//! Formulas in source form equal the index function.

use tensor_layout::TiledSpec;

/// Evaluates formulas: sums of products of numbers and names, with `/` and `%` from the left.
struct Formula<'a> {
    rest: &'a str,
    index: &'a [usize],
}

/// The value of a formula at an index.
pub(crate) fn value(text: &str, index: &[usize]) -> usize {
    let text = text.replace(' ', "");
    let mut formula = Formula { rest: &text, index };
    let value = formula.sum();
    assert!(formula.rest.is_empty(), "{text}: {} is left over", formula.rest);
    value
}

impl Formula<'_> {
    fn take(&mut self, symbols: &str) -> Option<char> {
        let first = self.rest.chars().next().filter(|first| symbols.contains(*first))?;
        self.rest = &self.rest[1..];
        Some(first)
    }

    fn sum(&mut self) -> usize {
        let mut value = self.product();
        while self.take("+").is_some() {
            value += self.product();
        }
        value
    }

    fn product(&mut self) -> usize {
        let mut value = self.atom();
        while let Some(operator) = self.take("*/%") {
            let right = self.atom();
            value = match operator {
                '*' => value * right,
                '/' => value / right,
                _ => value % right,
            };
        }
        value
    }

    fn atom(&mut self) -> usize {
        if self.take("(").is_some() {
            let value = self.sum();
            assert!(self.take(")").is_some(), "a parenthesis is open before {}", self.rest);
            return value;
        }
        let end = self.rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match "ijklmnop".find(word).filter(|_| word.len() == 1) {
            Some(dim) => self.index[dim],
            None => word.parse().unwrap_or_else(|_| panic!("{word} is not a number")),
        }
    }
}

#[test]
fn a_formula_gives_the_offset_of_each_element() {
    for text in [
        "f32[3,5]{1,0:T(2,2)}",
        "f32[4,8]{1,0:T(2,4)(2,1)}",
        "bf16[33,300]{1,0:T(8,128)(2,1)}",
        "bf16[2100]{0:T(1024)(128)(2,1)}",
        "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
        "f32[3,5]{0,1}",
        "f32[]",
        "f32[7]{0:T(8)}",
        "s4[3,5]{0,1:T(8,128)(8,1)E(4)}",
        "bf16[300]{0:T(128)(2,1)}",
        "f32[2,3,4,5]{0,2,1,3:T(2,3)}",
        "f32[1,1]{1,0:T(8,128)}",
        "f32[20,30]{1,0:T(*,7)}",
    ] {
        let spec: TiledSpec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let formula = spec.formula().to_string();
        for index in spec.indices() {
            assert_eq!(
                value(&formula, &index),
                spec.offset(&index),
                "{text}: {formula} at {index:?}"
            );
        }
    }
}

#[test]
fn formulas_read_as_in_the_documents() {
    let formula = |text: &str| text.parse::<TiledSpec>().unwrap().formula().to_string();
    assert_eq!(formula("f32[3,5]{1,0:T(2,2)}"), "(i/2*3 + j/2)*4 + i%2*2 + j%2");
    assert_eq!(formula("f32[3,5]{1,0}"), "i*5 + j");
    assert_eq!(formula("f32[8,128]{1,0:T(8,128)}"), "i*128 + j");
    assert_eq!(formula("f32[2048]{0:T(1024)}"), "i/1024*1024 + i%1024");
}
