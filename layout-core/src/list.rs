//! Lists that const evaluation can fill.

/// A list with a fixed capacity, for the numbers and levels of a layout or an encoding.
///
/// All unused items are the same filler, so that comparing all items compares the lists.
///
/// ```
/// use tensor_layout::tiled::List;
/// let list: List<usize, 4> = List::of(&[3, 5]).unwrap();
/// assert_eq!(list.push(7).unwrap().as_slice(), [3, 5, 7]);
/// assert!(List::<usize, 2>::of(&[1, 2, 3]).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct List<T: Copy, const N: usize> {
    // The rules read these fields directly: const evaluation runs the rules for every layout type, and there a call costs as
    // much as dozens of statements.
    #[doc(hidden)]
    pub items: [T; N],
    #[doc(hidden)]
    pub len: usize,
}

impl<T: Copy, const N: usize> List<T, N> {
    /// The empty list, whose unused items are `filler`.
    pub const fn new(filler: T) -> Self {
        Self { items: [filler; N], len: 0 }
    }

    /// Appends `item`.
    ///
    /// # Errors
    /// The unchanged list if it is full.
    pub const fn push(mut self, item: T) -> Result<Self, Self> {
        if self.len == N {
            return Err(self);
        }
        self.items[self.len] = item;
        self.len += 1;
        Ok(self)
    }

    /// The items.
    pub const fn as_slice(&self) -> &[T] {
        // `split_at` would also do, but takes several times as long in const evaluation.
        let (mut items, mut unused): (&[T], _) = (&self.items, N - self.len);
        while unused >= 8
            && let [rest @ .., _, _, _, _, _, _, _, _] = items
        {
            items = rest;
            unused -= 8;
        }
        while unused > 0
            && let [rest @ .., _] = items
        {
            items = rest;
            unused -= 1;
        }
        items
    }

    /// Number of items.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no items.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<const N: usize> List<usize, N> {
    /// A list of `items`, or `None` if there are more than `N`.
    pub const fn of(items: &[usize]) -> Option<Self> {
        if items.len() > N {
            return None;
        }
        let mut list = Self::new(0);
        while list.len < items.len() {
            list.items[list.len] = items[list.len];
            list.len += 1;
        }
        Some(list)
    }
}

impl<T: Copy + core::fmt::Debug, const N: usize> core::fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_slice().fmt(f)
    }
}

/// The largest number of mistakes that are kept for one definition.
pub const MAX_PROBLEMS: usize = 16;

/// The mistakes in one layout or encoding, in the order in which they are found: at most [`MAX_PROBLEMS`].
#[derive(Clone, Copy, Debug)]
pub struct Problems<P: Copy> {
    list: List<P, MAX_PROBLEMS>,
}

impl<P: Copy> Problems<P> {
    /// The empty list, whose unused items are `filler`.
    pub(crate) const fn new(filler: P) -> Self {
        Self { list: List::new(filler) }
    }

    /// The mistakes.
    pub const fn as_slice(&self) -> &[P] {
        self.list.as_slice()
    }

    /// The number of mistakes.
    pub const fn len(&self) -> usize {
        self.list.len
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.list.len == 0
    }

    /// The first mistake; `None` if there are none.
    pub(crate) const fn first(&self) -> Option<P> {
        if self.is_empty() { None } else { Some(self.list.items[0]) }
    }

    /// Adds a mistake, unless there are [`MAX_PROBLEMS`] already.
    pub(crate) const fn push(&mut self, problem: P) {
        if self.list.len < MAX_PROBLEMS {
            self.list.items[self.list.len] = problem;
            self.list.len += 1;
        }
    }
}
