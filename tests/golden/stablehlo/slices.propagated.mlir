module @slices {
  sdy.mesh @mesh = <["a"=2, "b"=4]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}) -> (tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, tensor<19x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}, tensor<16x63xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<14x30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}) {
    %0 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.slice %arg0 [2:10:2, 0:32] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"b"}]>]>} : (tensor<16x32xf32>) -> tensor<4x32xf32>
    %2 = stablehlo.slice %arg0 [0:16:2, 16:32] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"b"}]>]>} : (tensor<16x32xf32>) -> tensor<8x16xf32>
    %3 = stablehlo.pad %arg1, %0, low = [1, 0], high = [2, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b"}]>]>} : (tensor<16x32xf32>, tensor<f32>) -> tensor<19x32xf32>
    %4 = stablehlo.pad %arg1, %0, low = [0, 0], high = [0, 0], interior = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b"}]>]>} : (tensor<16x32xf32>, tensor<f32>) -> tensor<16x63xf32>
    %5 = stablehlo.pad %arg0, %0, low = [-1, -1], high = [-1, -1], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"b"}]>]>} : (tensor<16x32xf32>, tensor<f32>) -> tensor<14x30xf32>
    %6 = stablehlo.slice %4 [0:16, 0:63:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b"}]>]>} : (tensor<16x63xf32>) -> tensor<16x32xf32>
    %7 = stablehlo.add %6, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b"}]>]>} : tensor<16x32xf32>
    return %1, %2, %3, %4, %5, %7 : tensor<4x32xf32>, tensor<8x16xf32>, tensor<19x32xf32>, tensor<16x63xf32>, tensor<14x30xf32>, tensor<16x32xf32>
  }
}
