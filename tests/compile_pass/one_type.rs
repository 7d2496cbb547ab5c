//! A layout has one type, however and wherever it is spelled.

use tensor_layout::{tiled, tpu};

mod elsewhere {
    pub type Figure1 = tensor_layout::tiled!(F32[3,5]<1,0:T(2,2)>);
}

fn same<T>(_: Option<T>, _: Option<T>) {}

fn main() {
    same(None::<tiled!(f32[3,5]{1,0:T(2,2)})>, None::<elsewhere::Figure1>);
    same(None::<tiled!(f32[3,5])>, None::<tiled!(f32[3,5]{1,0})>);
    same(None::<tiled!(f32[3,5])>, None::<tiled!( f32 [ 3, 5 ] { 1, 0 : } )>);
    same(None::<tiled!(f32[3,5])>, None::<tiled!(f32[3,5]{1,0:L(1)E(0)S(0)M(0)})>);
    same(None::<tiled!(f32[3,5])>, None::<tiled!(f32[3,5]{1,0:D(D,C+~)})>);
    same(
        None::<tiled!(f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)})>,
        None::<tiled!(F32[2,7,8,11,10]{4,3,2,1,0:T(-1,-1,2,-1,3)})>,
    );
    same(
        None::<tiled!(f32[2,3]{0,1} padded to [3,5] with zero)>,
        None::<tiled!(f32[2,3]{0,1} padded to [3,5])>,
    );
    same(
        None::<tiled!(f32[2,{1 + 2}]{0,1} padded to [2,3] with one)>,
        None::<tiled!(f32[2,{1 + 2}]{0,1} padded with one)>,
    );
    same(None::<tiled!(u32[])>, None::<tiled!(u32[]{:S(0)})>);
    same(
        None::<tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)})>,
        None::<tpu!(bf16[1000,384])>,
    );
}
