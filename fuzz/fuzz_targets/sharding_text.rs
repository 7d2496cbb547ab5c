//! Any text is a mesh, a sharding or a rule, or an error; and what is read prints as it was meant.
#![no_main]

use layout_core::sharding::{Mesh, OpShardingRule, TensorSharding};
use libfuzzer_sys::fuzz_target;

/// Reads `text`, prints it, and reads that again.
fn round_trip<T>(text: &str)
where
    T: core::str::FromStr<Err = layout_core::ParseError> + core::fmt::Display + PartialEq + core::fmt::Debug,
{
    match text.parse::<T>() {
        Ok(value) => {
            let printed = value.to_string();
            assert_eq!(printed.parse().as_ref(), Ok(&value), "{printed}");
        }
        Err(error) => assert!(!error.mistakes().is_empty() && !error.to_string().is_empty()),
    }
}

fuzz_target!(|text: &str| {
    round_trip::<Mesh>(text);
    round_trip::<TensorSharding>(text);
    round_trip::<OpShardingRule>(text);
});
