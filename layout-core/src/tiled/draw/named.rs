//! A tiled layout whose dimensions have the letters of XLA's document on shapes.

use super::Formula;
use crate::draw::{Draw, Facts, Picture};
use crate::tiled::TiledSpec;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A tiled layout that is drawn with the letters of XLA's document for its dimensions: `y` and `x`, preceded by `z` in three
/// dimensions, and by `p` and `z` in four. With more dimensions the picture is that of the layout itself.
///
/// ```
/// use tensor_layout::{TiledSpec, draw::{Draw, Named}};
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
/// let facts = Named(&spec).facts();
/// assert_eq!(facts.get("dimensions").unwrap().text, "y=3, x=5");
/// assert_eq!(facts.get("order").unwrap().text, "dim 0 is major");
/// assert_eq!(facts.get("index").unwrap().text, "(y/2*3 + x/2)*4 + y%2*2 + x%2");
/// assert_eq!(Named(&spec).picture().panels[0].caption, "y down, x to the right");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Named<'a>(pub &'a TiledSpec);

impl Draw for Named<'_> {
    fn notation(&self) -> String {
        self.0.notation()
    }

    fn facts(&self) -> Facts {
        let mut facts = self.0.facts();
        let Some(names) = self.0.dim_names() else { return facts };
        if let Some(index) = facts.0.iter_mut().find(|fact| fact.name == "index") {
            index.text = format!("{}", Formula::named(self.0, names));
        }
        let dims: Vec<_> =
            names.iter().zip(self.0.dims()).map(|(n, size)| format!("{n}={size}")).collect();
        facts.words("dimensions", dims.join(", "));
        facts.words("minor to major", {
            let order: Vec<_> = self.0.minor_to_major().iter().map(|dim| names[*dim]).collect();
            order.join(", ")
        });
        if let Some(order) = self.0.order_name() {
            facts.words("order", order);
        }
        facts
    }

    fn picture(&self) -> Picture {
        let mut picture = self.0.picture();
        let Some(names) = self.0.dim_names() else { return picture };
        // Dimensions that a tile combines have no letter.
        if self.0.tile_dims().is_none() {
            return picture;
        }
        let axes = match self.0.minor_to_major() {
            [] => return picture,
            [_] => format!("{} to the right", names[0]),
            [a, b, ..] => {
                format!("{} down, {} to the right", names[*a.min(b)], names[*a.max(b)])
            }
        };
        for panel in &mut picture.panels {
            let before = if panel.caption.is_empty() { "" } else { "; " };
            panel.caption += &format!("{before}{axes}");
        }
        picture
    }

    fn digits(&self) -> Option<String> {
        self.0.digits()
    }
}
