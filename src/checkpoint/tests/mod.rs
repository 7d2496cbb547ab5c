//! Round trips, files of other programs, and invalid files: the code that all tests share.

mod damage;
mod manifests;
mod pack;
mod pruned;
mod quantized;
mod read;
mod shards;
mod sparse;
mod sparse_shards;
mod together;
mod write;

use super::*;
use crate::sparse::Encoded;
use crate::sparse::formats::TwoOfFour;
use crate::sparse::types::*;
use crate::typed::Layout;
use crate::{tiled, tpu};
use half::bf16;
use layout_core::tiled::TiledSpec;
use std::fs;
use std::path::PathBuf;

type Rows = tiled!(f32[3,5]{1,0:T(2,2)});
type Ragged = tiled!(f32[3,5]{1,0});
type Nibbles = tiled!(s4[3,5]{1,0:E(4)});
type Weights = tpu!(bf16[20, 130]);
/// A file in the directory of temporary files, removed at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let name = format!("tensor-layout-{}-{name}.safetensors", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn partial(&self) -> PathBuf {
        self.0.with_added_extension("partial")
    }

    fn gate(&self) -> PathBuf {
        self.0.with_added_extension("partial.gate")
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        let _ = fs::remove_file(self.partial());
    }
}

fn values() -> Vec<f32> {
    (0..15).map(|n| n as f32).collect()
}

fn weights() -> Vec<bf16> {
    (0..20 * 130).map(|n| bf16::from_f32(n as f32)).collect()
}

fn tensors() -> Vec<(&'static str, TiledSpec, Vec<u8>)> {
    let nibbles: Vec<i8> = (0..15).map(|n| n - 8).collect();
    let (rows, ragged) = (Rows::pack(&values()).unwrap(), Ragged::pack(&values()).unwrap());
    let nibbles = Nibbles::pack(&nibbles).unwrap();
    let weights = Weights::pack(&weights()).unwrap();
    vec![
        ("rows", Rows::SPEC, rows.as_bytes().to_vec()),
        ("nibbles", Nibbles::SPEC, nibbles.as_bytes().to_vec()),
        ("a \"ragged\" one", Ragged::SPEC, ragged.as_bytes().to_vec()),
        ("weights", Weights::SPEC, weights.as_bytes().to_vec()),
    ]
}

fn announced() -> Vec<(&'static str, TiledSpec)> {
    tensors().into_iter().map(|(name, spec, _)| (name, spec)).collect()
}

fn write(file: &Temporary) {
    let mut writer = Writer::create(&file.0, announced()).unwrap();
    for (name, _, bytes) in tensors() {
        for part in bytes.chunks(100) {
            writer.append(name, part).unwrap();
        }
    }
    writer.finish().unwrap();
}
