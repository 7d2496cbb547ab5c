module @conflicts {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b","a"}]>}, %arg1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a","b"}]>}, %p: tensor<16x16xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %i: tensor<i32>, %u: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<32x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<16x16xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<16x16xf32>
    %1 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %2 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %3 = stablehlo.select %p, %arg0, %arg1 : tensor<16x16xi1>, tensor<16x16xf32>
    %4 = stablehlo.dynamic_update_slice %arg0, %u, %i, %i : (tensor<16x16xf32>, tensor<4x16xf32>, tensor<i32>, tensor<i32>) -> tensor<16x16xf32>
    %5 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x32xf32>
    %6 = stablehlo.reverse %arg0, dims = [1] : tensor<16x16xf32>
    %7 = stablehlo.slice %arg0 [0:8, 0:16] : (tensor<16x16xf32>) -> tensor<8x16xf32>
    %8 = stablehlo.sine %arg0 : tensor<16x16xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<32x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<16x16xf32>
  }
}
