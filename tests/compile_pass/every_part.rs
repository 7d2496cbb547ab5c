//! Every part of the notation, in a type whose spec states the same.

use tensor_layout::tiled;

macro_rules! print_as_themselves {
    ($($text:literal: $layout:ty;)*) => { $( assert_eq!(<$layout>::SPEC.to_string(), $text); )* };
}

fn main() {
    print_as_themselves! {
        "pred[]": tiled!(pred[]);
        "f32[]{:T(256)}": tiled!(f32[]{:T(256)});
        "u32[]{:T(8)S(8)}": tiled!(u32[]{:T(8)S(8)});
        "c128[7]{0}": tiled!(c128[7]);
        "f32[0,5]{0,1}": tiled!(f32[0,5]{0,1});
        "bf16[2048]{0:T(1024)(128)(2,1)}": tiled!(bf16[2048]{0:T(1024)(128)(2,1)});
        "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}": tiled!(F32[2,7,8,11,10]<4,3,2,1,0:T(*,*,2,*,3)>);
        "s8[1,2,3,1,2,3,1,2]{0,7,1,6,2,5,3,4:T(1,1,1,1,2,1,4,8)(4,1)(2,1)(1,2,1)}":
            tiled!(s8[1,2,3,1,2,3,1,2]{0,7,1,6,2,5,3,4:T(1,1,1,1,2,1,4,8)(4,1)(2,1)(1,2,1)});
        "s4[8,32768,1,256]{3,1,0,2:T(64,128)(8,1)L(1024)E(4)S(1)SC(1:2)(2:64,130)M(16)}":
            tiled!(s4[8,32768,1,256]{3,1,0,2:T(64,128)(8,1)L(1024)E(4)S(1)SC(1:2)(2:64,130)M(16)});
        "f32[<=23,44]{1,0}": tiled!(f32[<=23,44]);
        "f32[2,3]{0,1} padded to [3,5] with lowest": tiled!(f32[2,3]{0,1} padded to [3,5] with lowest);
    }
}
