//! Choices made from a list of bytes, so that shorter lists and smaller bytes make simpler cases.

pub(crate) struct Tape<'a> {
    bytes: &'a [u8],
}

impl<'a> Tape<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// A number below `n`; zero once the bytes are used up.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        match self.bytes.split_first() {
            Some((byte, rest)) => {
                self.bytes = rest;
                usize::from(*byte) % n
            }
            None => 0,
        }
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
