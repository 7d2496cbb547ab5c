//! The names that an editor offers, of all notations.

use crate::DType;
use crate::quantized::Preset;
#[cfg(feature = "sharding")]
use crate::sharding::{ops, syntax::FACTOR_LISTS};
#[cfg(feature = "sparse")]
use crate::sparse::{LevelFormat, Properties, syntax::KEYS};
#[cfg(feature = "sparse")]
use crate::sparse_kernel;
use crate::syntax::Offer;
use alloc::vec::Vec;

/// The names that `offer` includes. None if they depend on the program, or belong to a notation whose feature is off.
pub fn names(offer: Offer) -> Vec<&'static str> {
    match offer {
        Offer::Element => DType::ALL.iter().map(|dtype| dtype.name()).collect(),
        Offer::Scaling => {
            let types = DType::ALL.iter().map(|dtype| dtype.name());
            Preset::NAMES.into_iter().chain(types).collect()
        }
        Offer::Arrangement => ["blocks", "planes"].into(),
        Offer::Attribute => ["T", "L", "E", "S", "SC", "M"].into(),
        #[cfg(feature = "sparse")]
        Offer::Format => LevelFormat::NAMES.into(),
        #[cfg(feature = "sparse")]
        Offer::Property => Properties::NAMES.into(),
        #[cfg(feature = "sparse")]
        Offer::Key => KEYS.into(),
        #[cfg(feature = "sparse")]
        Offer::Function => sparse_kernel::functions().collect(),
        #[cfg(feature = "sharding")]
        Offer::Operation => ops::names().collect(),
        #[cfg(feature = "sharding")]
        Offer::FactorList => FACTOR_LISTS.into(),
        #[cfg(feature = "sharding")]
        Offer::MeshProperty => ["device_ids"].into(),
        _ => Vec::new(),
    }
}
