//! The warning about a layout that is mostly padding.

use super::TiledSpec;
use crate::draw::percent;
use alloc::format;
use alloc::string::String;

/// The size of storage, in bytes, below which padding is not worth a warning: 64 tiles of (8,128) words. A bias of ten numbers
/// takes a whole tile on any TPU, which is not counted as waste.
const LEAST: usize = 256 << 10;

impl TiledSpec {
    /// The warning for a layout that stores more bytes of padding than of elements; `None` for any other layout, and for arrays
    /// that take less than 256 KiB.
    ///
    /// ```
    /// # use tensor_layout::TiledSpec;
    /// let column: TiledSpec = "f32[1024,1]{1,0:T(8,128)}".parse().unwrap();
    /// let warning = "99.2 % of 524288 bytes are padding: f32[1024,1]{1,0:T(8,128)} has 4096 bytes of elements";
    /// assert_eq!(column.padding_warning().as_deref(), Some(warning));
    /// let bias: TiledSpec = "f32[10]{0:T(1024)}".parse().unwrap();
    /// assert_eq!(bias.padding_warning(), None);
    /// ```
    pub fn padding_warning(&self) -> Option<String> {
        let (padding, storage) = (self.padding_bytes(), self.storage_bytes());
        (storage >= LEAST && padding > storage / 2).then(|| {
            let (share, elements) = (percent(padding, storage), self.logical_bytes());
            format!(
                "{share} of {storage} bytes are padding: {self} has {elements} bytes of elements"
            )
        })
    }
}
