//! Continues reading after a mistake, so that one invocation reports all of its mistakes.
//!
//! All grammars do so: after a mistake, reading continues so that later mistakes are reported too.
//!
//! [`Cursor::part`] reads a part of a text. If the part has a mistake, the groups that it left open are closed, and the rest of the
//! part is skipped:
//!
//! ```text
//! (i : compressed(nonunique 3), j = dense, k : singleton)
//!                           ^ a mistake in a group of the first part: the group is closed, and the part ends at its comma
//!                                ^ a mistake of the second part, which ends at its comma
//!                                         ^ the third part is read as if nothing had happened
//! ```

use super::cursor::{Cursor, Kind, Parsed, Span};

impl<S: Span> Cursor<'_, S> {
    /// Reads a part of a text. If it stops, skips the rest of the part: up to a token for which `ends` holds, or up to a `,` or `;`
    /// that is [`at_separator`](Self::at_separator), but never past the end of the group that contains the part.
    pub(crate) fn part<T>(
        &mut self,
        ends: impl Fn(&Self) -> bool,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let start = self.taken();
        let read = read(self);
        if read.is_err() {
            self.recover(start, ends);
        }
        read
    }

    /// Skips the rest of a part with a mistake, which began at token `start`, as [`part`](Self::part) does.
    pub(crate) fn recover(&mut self, start: usize, ends: impl Fn(&Self) -> bool) {
        self.leave_groups(start);
        self.skip_to(ends);
    }

    /// Skips up to a token for which `ends` holds, or to the end of the group or of the input.
    pub(crate) fn skip_to(&mut self, ends: impl Fn(&Self) -> bool) {
        while let Some(kind) = self.peek() {
            match kind {
                Kind::Close(_) => return,
                _ if ends(self) => return,
                Kind::Open(_) => self.skip_group(),
                _ => drop(self.next()),
            }
        }
    }

    /// Whether a comma or a semicolon comes next.
    pub(crate) fn at_separator(&self) -> bool {
        matches!(self.peek(), Some(Kind::Symbol(',' | ';')))
    }

    /// Whether a comma, a semicolon or the end of an attribute of MLIR comes next.
    #[cfg(feature = "sharding")]
    pub(crate) fn at_separator_or_angle(&self) -> bool {
        self.at_separator() || self.peek() == Some(&Kind::Symbol('>'))
    }

    /// Whether a semicolon comes next.
    pub(crate) fn at_semicolon(&self) -> bool {
        self.peek() == Some(&Kind::Symbol(';'))
    }

    /// Skips past the ends of the groups that were opened since token `start` and are still open.
    pub(crate) fn leave_groups(&mut self, start: usize) {
        let open = self.from(start).iter().fold(0usize, |open, token| match token.kind {
            Kind::Open(_) => open + 1,
            Kind::Close(_) => open.saturating_sub(1),
            _ => open,
        });
        (0..open).for_each(|_| self.skip_rest_of_group());
    }

    /// Skips a group, whose opening delimiter is the next token.
    pub(crate) fn skip_group(&mut self) {
        let mut depth = 0usize;
        while let Some(token) = self.next() {
            match token.kind {
                Kind::Open(_) => depth += 1,
                Kind::Close(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }

    /// Skips the rest of a group, including its closing delimiter.
    pub(crate) fn skip_rest_of_group(&mut self) {
        self.skip_to(|_| false);
        self.next();
    }
}
