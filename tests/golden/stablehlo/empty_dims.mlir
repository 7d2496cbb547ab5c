module @empty_dims {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%arg0: tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>}, %arg2: tensor<8x0xf32>) -> (tensor<0x8xf32>, tensor<0x8xf32>, tensor<16x0xf32>, tensor<8xf32>, tensor<16x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<0x8xf32>, tensor<0x8xf32>) -> tensor<0x8xf32>
    %1 = stablehlo.tanh %arg0 : tensor<0x8xf32>
    %2 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x0xf32>) -> tensor<16x0xf32>
    %3 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<0x8xf32>, tensor<f32>) -> tensor<8xf32>
    %4 = stablehlo.dot_general %2, %1, contracting_dims = [1] x [0] : (tensor<16x0xf32>, tensor<0x8xf32>) -> tensor<16x8xf32>
    %5 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<8x0xf32>) -> tensor<0x8xf32>
    %6 = stablehlo.reshape %5 : (tensor<0x8xf32>) -> tensor<0x2x4xf32>
    return %0, %1, %2, %3, %4 : tensor<0x8xf32>, tensor<0x8xf32>, tensor<16x0xf32>, tensor<8xf32>, tensor<16x8xf32>
  }
}
