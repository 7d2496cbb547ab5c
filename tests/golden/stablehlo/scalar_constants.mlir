module @jit_f {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}) -> (tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>) {
    %cst = stablehlo.constant dense<[-1.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00]> : tensor<8xf32>
    %0 = stablehlo.add %cst, %arg1 : tensor<8xf32>
    %1 = stablehlo.slice %cst [1:2] : (tensor<8xf32>) -> tensor<1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %4 = stablehlo.multiply %3, %arg0 : tensor<8x16xf32>
    %5 = stablehlo.negate %cst : tensor<8xf32>
    return %4, %0, %5 : tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
