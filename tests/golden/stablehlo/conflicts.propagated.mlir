module @conflicts {
  sdy.mesh @mesh = <["a"=2, "b"=4]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", "a"}]>}, %arg1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a", "b"}]>}, %arg2: tensor<16x16xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg3: tensor<i32>, %arg4: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<32x16xf32>, tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", "a"}]>}, tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", "a"}]>}, tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", "a"}]>}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<16x16xf32>
    %1 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %2 = sdy.reshard %arg1 <@mesh, [{}, {"b", "a"}]> : tensor<16x16xf32>
    %3 = stablehlo.concatenate %arg0, %2, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b", "a"}]>]>} : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %4 = sdy.reshard %3 <@mesh, [{}, {}]> : tensor<32x16xf32>
    %5 = stablehlo.select %arg2, %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<16x16xi1>, tensor<16x16xf32>
    %6 = stablehlo.dynamic_update_slice %arg0, %arg4, %arg3, %arg3 : (tensor<16x16xf32>, tensor<4x16xf32>, tensor<i32>, tensor<i32>) -> tensor<16x16xf32>
    %7 = sdy.reshard %arg0 <@mesh, [{"b", "a"}, {}]> : tensor<16x16xf32>
    %8 = sdy.reshard %arg1 <@mesh, [{"b", "a"}, {}]> : tensor<16x16xf32>
    %9 = stablehlo.concatenate %7, %8, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", "a"}, {}]>]>} : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x32xf32>
    %10 = sdy.reshard %9 <@mesh, [{}, {}]> : tensor<16x32xf32>
    %11 = stablehlo.reverse %arg0, dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b", "a"}]>]>} : tensor<16x16xf32>
    %12 = stablehlo.slice %arg0 [0:8, 0:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b", "a"}]>]>} : (tensor<16x16xf32>) -> tensor<8x16xf32>
    %13 = stablehlo.sine %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b", "a"}]>]>} : tensor<16x16xf32>
    return %0, %1, %4, %5, %6, %10, %11, %12, %13 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<32x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<16x16xf32>
  }
}
