use layout_core::syntax::{self, Cursor, Kind, Token};
use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};

/// A part of the input, as the numbers of its first and its last token.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TokenRange {
    first: usize,
    last: usize,
}

impl TokenRange {
    pub(crate) fn of(first: usize, last: usize) -> Self {
        Self { first, last }
    }
}

impl syntax::Span for TokenRange {
    fn to(self, last: Self) -> Self {
        Self { first: self.first, last: last.last }
    }
}

/// rustc's tokens in the form that the grammar reads, with groups opened.
pub(crate) struct Flat {
    tokens: Vec<Token<TokenRange>>,
    /// For each token, the tree that it is, or that it opens or closes, and its span.
    trees: Vec<(TokenTree, Span)>,
}

impl Flat {
    pub(crate) fn new(input: TokenStream) -> Self {
        let mut flat = Self { tokens: Vec::new(), trees: Vec::new() };
        flat.extend(input);
        flat
    }

    pub(crate) fn cursor(&self) -> Cursor<'_, TokenRange> {
        // A mistake at the end is reported at the last token, because the end itself has no span.
        let last = self.tokens.len().saturating_sub(1);
        Cursor::new(&self.tokens, TokenRange { first: last, last }).with_rust(self)
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The end of `count` trees from token `at` on, or of the group that contains it if there are fewer.
    pub(crate) fn end_of_trees(&self, at: usize, count: usize) -> usize {
        let (mut depth, mut left) = (0usize, count);
        for (ahead, token) in self.tokens[at..].iter().enumerate() {
            match token.kind {
                _ if depth == 0 && left == 0 => return at + ahead,
                Kind::Open(_) => depth += 1,
                Kind::Close(_) if depth == 0 => return at + ahead,
                Kind::Close(_) => depth -= 1,
                _ => {}
            }
            left -= usize::from(depth == 0);
        }
        self.tokens.len()
    }

    /// Whether a group, or the input, ends at token `at`.
    pub(crate) fn is_end(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(|token| matches!(token.kind, Kind::Close(_)))
    }

    /// The token of `among` that starts at the start of `span`.
    pub(crate) fn at(&self, span: Span, among: core::ops::Range<usize>) -> Option<usize> {
        let start = |span: Span| {
            let span = span.unwrap();
            (span.file(), span.line(), span.column())
        };
        let sought = start(span);
        among.into_iter().find(|at| start(self.trees[*at].1) == sought)
    }

    /// The span of the first token of `range`.
    pub(crate) fn span(&self, range: TokenRange) -> Span {
        self.trees.get(range.first).map_or_else(Span::call_site, |(_, span)| *span)
    }

    /// The span of the last token of `range`.
    pub(crate) fn last_span(&self, range: TokenRange) -> Span {
        self.trees.get(range.last).map_or_else(Span::call_site, |(_, span)| *span)
    }

    /// The name or the group at the start of `range`.
    pub(crate) fn tree(&self, range: TokenRange) -> TokenTree {
        self.trees[range.first].0.clone()
    }

    /// The trees of `range`, which must close each group that it opens.
    pub(crate) fn tokens(&self, range: TokenRange) -> TokenStream {
        let mut trees = Vec::new();
        let mut depth = 0usize;
        for at in range.first..=range.last.min(self.trees.len().saturating_sub(1)) {
            let opens = matches!(self.tokens[at].kind, Kind::Open(_));
            let closes = matches!(self.tokens[at].kind, Kind::Close(_));
            if depth == 0 && !closes {
                trees.push(self.trees[at].0.clone());
            }
            if depth == 0 && self.tokens[at].kind == Kind::AtMost {
                let mut equals = Punct::new('=', Spacing::Alone);
                equals.set_span(self.trees[at].1);
                trees.push(TokenTree::Punct(equals));
            }
            depth = if closes { depth.saturating_sub(1) } else { depth + usize::from(opens) };
        }
        trees.into_iter().collect()
    }

    /// The whole input.
    #[cfg(feature = "sharding")]
    pub(crate) fn all(&self) -> TokenStream {
        self.tokens(TokenRange { first: 0, last: self.tokens.len() })
    }

    /// The first group in braces within `range`.
    pub(crate) fn group_in(&self, range: TokenRange) -> Option<&Group> {
        self.trees[range.first..=range.last].iter().find_map(|(tree, _)| match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
            _ => None,
        })
    }

    /// The names in the input.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&str, Span)> {
        self.tokens.iter().filter_map(|token| match &token.kind {
            Kind::Word(word) => Some((word.as_str(), self.span(token.span))),
            _ => None,
        })
    }

    /// The last path that ends in a name as types have: `formats::Csr`. It is not an alias of MLIR, nor a call.
    #[cfg(feature = "sparse")]
    pub(crate) fn path_of_type(&self) -> Option<TokenStream> {
        let kind = |at: usize| self.tokens.get(at).map(|token| &token.kind);
        let is_type = |word: &str| {
            word.len() > 2
                && word.starts_with(|c: char| c.is_ascii_uppercase())
                && word.contains(|c: char| c.is_ascii_lowercase())
        };
        let last = (0..self.tokens.len()).rev().find(|at| {
            matches!(kind(*at), Some(Kind::Word(word)) if is_type(word))
                && !matches!(kind(at + 1), Some(Kind::Open('(') | Kind::Symbol('.' | '!' | '=')))
        })?;
        let mut first = last;
        while let (Some(Kind::Symbol(':')), Some(Kind::Symbol(':')), Some(Kind::Word(_))) = (
            first.checked_sub(1).and_then(kind),
            first.checked_sub(2).and_then(kind),
            first.checked_sub(3).and_then(kind),
        ) {
            first -= 3;
        }
        let before = first.checked_sub(1).and_then(kind);
        // `Tensor<4x6xf64>` is a slip of `tensor<..>`.
        let is_slip = first == 0 && kind(last + 1) == Some(&Kind::Symbol('<'));
        let is_path = !is_slip && !matches!(before, Some(Kind::Symbol('#' | '@' | '.' | ':')));
        is_path.then(|| self.tokens(TokenRange { first, last }))
    }

    /// The first group in brackets, before the mesh if there is one: the brackets after it contain axes.
    pub(crate) fn brackets(&self) -> Option<&Group> {
        let is_mesh =
            |tree: &TokenTree| matches!(tree, TokenTree::Punct(at) if at.as_char() == '@');
        self.trees.iter().take_while(|(tree, _)| !is_mesh(tree)).find_map(|(tree, _)| match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group),
            _ => None,
        })
    }

    fn push(&mut self, kind: Kind, tree: TokenTree, span: Span) {
        let at = self.tokens.len();
        self.tokens.push(Token { kind, span: TokenRange { first: at, last: at } });
        self.trees.push((tree, span));
    }

    fn ends_in_joint_less(&self) -> bool {
        matches!(self.trees.last(), Some((TokenTree::Punct(less), _))
            if less.as_char() == '<' && less.spacing() == Spacing::Joint)
    }

    fn extend(&mut self, input: TokenStream) {
        for tree in input {
            let span = tree.span();
            let kind = match &tree {
                // `r#in` is a name like any other; its tree keeps this spelling.
                TokenTree::Ident(ident) => {
                    let word = ident.to_string();
                    Kind::Word(word.strip_prefix("r#").unwrap_or(&word).to_owned())
                }
                TokenTree::Punct(equals)
                    if equals.as_char() == '=' && self.ends_in_joint_less() =>
                {
                    // rustc passes `<=` as two tokens.
                    if let Some(less) = self.tokens.last_mut() {
                        less.kind = Kind::AtMost;
                    }
                    continue;
                }
                TokenTree::Punct(punct) => Kind::Symbol(punct.as_char()),
                TokenTree::Literal(literal) => number_or_other(&literal.to_string()),
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        // [`visible`] leaves no groups without delimiters.
                        Delimiter::Parenthesis | Delimiter::None => ('(', ')'),
                        Delimiter::Bracket => ('[', ']'),
                        Delimiter::Brace => ('{', '}'),
                    };
                    self.push(Kind::Open(open), tree.clone(), group.span_open());
                    self.extend(group.stream());
                    self.push(Kind::Close(close), tree.clone(), group.span_close());
                    continue;
                }
            };
            self.push(kind, tree, span);
        }
    }
}

/// A decimal literal without a suffix is a number; its digits may be separated by `_`, as in Rust. A string without escapes is
/// a text.
fn number_or_other(literal: &str) -> Kind {
    if let Some(text) = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
        && !text.contains('\\')
    {
        return Kind::Text(text.to_owned());
    }
    let digits: String = literal.chars().filter(|c| *c != '_').collect();
    match digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Kind::Number(digits),
        false => Kind::Other(literal.to_owned()),
    }
}
