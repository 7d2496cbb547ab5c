use layout_core::syntax::{Cursor, Kind, Token};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// rustc's tokens as the grammar reads them: groups opened up, each token with its span.
pub(crate) struct Flat {
    tokens: Vec<Token<Span>>,
    /// For the token that opens a group, the group.
    groups: Vec<Option<TokenStream>>,
}

impl Flat {
    pub(crate) fn new(input: TokenStream) -> Self {
        let mut flat = Self { tokens: Vec::new(), groups: Vec::new() };
        flat.extend(input);
        flat
    }

    pub(crate) fn cursor(&self) -> Cursor<'_, Span> {
        // A mistake about the end stands under the last token: the end itself has no span.
        let end = self.tokens.last().map_or_else(Span::call_site, |token| token.span);
        Cursor::new(&self.tokens, end)
    }

    /// What stands between the delimiters of the group that token number `opened` opens.
    pub(crate) fn group(&self, opened: usize) -> TokenStream {
        self.groups.get(opened).cloned().flatten().unwrap_or_default()
    }

    /// The names in the input, as written, for an editor to complete.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&str, Span)> {
        self.tokens.iter().filter_map(|token| match &token.kind {
            Kind::Word(word) => Some((word.as_str(), token.span)),
            _ => None,
        })
    }

    fn push(&mut self, kind: Kind, span: Span, group: Option<TokenStream>) {
        self.tokens.push(Token { kind, span });
        self.groups.push(group);
    }

    fn extend(&mut self, input: TokenStream) {
        for tree in input {
            let span = tree.span();
            match tree {
                TokenTree::Ident(ident) => self.push(Kind::Word(ident.to_string()), span, None),
                TokenTree::Punct(punct) => self.push(Kind::Symbol(punct.as_char()), span, None),
                TokenTree::Literal(literal) => {
                    self.push(number_or_other(&literal.to_string()), span, None)
                }
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ('(', ')'),
                        Delimiter::Bracket => ('[', ']'),
                        Delimiter::Brace => ('{', '}'),
                        // What a macro_rules variable held: invisible, so its contents stand for themselves.
                        Delimiter::None => {
                            self.extend(group.stream());
                            continue;
                        }
                    };
                    self.push(Kind::Open(open), group.span_open(), Some(group.stream()));
                    self.extend(group.stream());
                    self.push(Kind::Close(close), group.span_close(), None);
                }
            }
        }
    }
}

/// A decimal literal without suffix is a number; `_` may separate its digits, as in Rust.
fn number_or_other(literal: &str) -> Kind {
    let digits: String = literal.chars().filter(|c| *c != '_').collect();
    match digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Kind::Number(digits),
        false => Kind::Other(literal.to_owned()),
    }
}
