module @slices {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}) -> (tensor<4x32xf32>, tensor<8x16xf32>, tensor<19x32xf32>, tensor<16x63xf32>, tensor<14x30xf32>, tensor<16x32xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.slice %arg0 [2:10:2, 0:32] : (tensor<16x32xf32>) -> tensor<4x32xf32>
    %1 = stablehlo.slice %arg0 [0:16:2, 16:32] : (tensor<16x32xf32>) -> tensor<8x16xf32>
    %2 = stablehlo.pad %arg1, %cst, low = [1, 0], high = [2, 0], interior = [0, 0] : (tensor<16x32xf32>, tensor<f32>) -> tensor<19x32xf32>
    %3 = stablehlo.pad %arg1, %cst, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16x63xf32>
    %4 = stablehlo.pad %arg0, %cst, low = [-1, -1], high = [-1, -1], interior = [0, 0] : (tensor<16x32xf32>, tensor<f32>) -> tensor<14x30xf32>
    %5 = stablehlo.slice %3 [0:16, 0:63:2] : (tensor<16x63xf32>) -> tensor<16x32xf32>
    %6 = stablehlo.add %5, %arg1 : tensor<16x32xf32>
    return %0, %1, %2, %3, %4, %6 : tensor<4x32xf32>, tensor<8x16xf32>, tensor<19x32xf32>, tensor<16x63xf32>, tensor<14x30xf32>, tensor<16x32xf32>
  }
}
