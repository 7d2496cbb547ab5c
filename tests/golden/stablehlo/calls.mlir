module @calls {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<64x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<512x512xf32>, %arg2: tensor<512x512xf32>) -> tensor<64x512xf32> {
    %0 = call @block(%arg0, %arg1) : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
    %1 = stablehlo.tanh %0 : tensor<64x512xf32>
    %2 = call @block(%1, %arg2) : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
    return %2 : tensor<64x512xf32>
  }
  func.func private @block(%arg0: tensor<64x512xf32>, %arg1: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<64x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"model"}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
    return %0 : tensor<64x512xf32>
  }
}
