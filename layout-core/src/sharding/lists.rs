//! Doubly linked lists of numbered items, in which an item moves in constant time.

use alloc::vec::Vec;

/// The list that contains an item, and the neighbours of the item.
#[derive(Clone, Copy, Debug)]
struct Link {
    list: usize,
    before: Option<usize>,
    after: Option<usize>,
}

/// Numbered lists of numbered items. Each item is in at most one list.
#[derive(Clone, Debug, Default)]
pub(in crate::sharding) struct Lists {
    /// By the number of the item; `None` if it is in no list.
    links: Vec<Option<Link>>,
    /// The first and the last item of each list.
    ends: Vec<[Option<usize>; 2]>,
}

impl Lists {
    fn link(&self, item: usize) -> Option<&Link> {
        self.links.get(item)?.as_ref()
    }

    /// The list that contains an item.
    pub(in crate::sharding) fn list_of(&self, item: usize) -> Option<usize> {
        self.link(item).map(|link| link.list)
    }

    pub(in crate::sharding) fn before(&self, item: usize) -> Option<usize> {
        self.link(item)?.before
    }

    pub(in crate::sharding) fn after(&self, item: usize) -> Option<usize> {
        self.link(item)?.after
    }

    pub(in crate::sharding) fn first(&self, list: usize) -> Option<usize> {
        self.ends.get(list)?[0]
    }

    pub(in crate::sharding) fn last(&self, list: usize) -> Option<usize> {
        self.ends.get(list)?[1]
    }

    /// Inserts an item that is in no list after another one of the list, or as the first.
    pub(in crate::sharding) fn insert(&mut self, item: usize, list: usize, before: Option<usize>) {
        let after = match before {
            Some(before) => self.after(before),
            None => self.first(list),
        };
        if self.links.len() <= item {
            self.links.resize(item + 1, None);
        }
        if self.ends.len() <= list {
            self.ends.resize(list + 1, [None; 2]);
        }
        self.links[item] = Some(Link { list, before, after });
        self.join(list, before, Some(item));
        self.join(list, Some(item), after);
    }

    /// Takes an item out of its list.
    pub(in crate::sharding) fn remove(&mut self, item: usize) {
        let link = self.links.get_mut(item).and_then(Option::take);
        if let Some(Link { list, before, after }) = link {
            self.join(list, before, after);
        }
    }

    /// Makes two items of a list neighbours; `None` is the end of the list.
    fn join(&mut self, list: usize, before: Option<usize>, after: Option<usize>) {
        match before {
            Some(item) => self.links[item].iter_mut().for_each(|link| link.after = after),
            None => self.ends[list][0] = after,
        }
        match after {
            Some(item) => self.links[item].iter_mut().for_each(|link| link.before = before),
            None => self.ends[list][1] = before,
        }
    }
}
