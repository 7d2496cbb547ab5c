module @two_meshes {
  sdy.mesh @eight = <["a"=2, "b"=4]>
  sdy.mesh @three = <["c"=3]>
  func.func public @main(%arg0: tensor<24x16xf32> {sdy.sharding = #sdy.sharding<@eight, [{"a"}, {?}]>}, %arg1: tensor<24x16xf32> {sdy.sharding = #sdy.sharding<@three, [{"c"}, {}]>}, %arg2: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@eight, [{?}, {"b"}]>}, %arg3: tensor<3x16xf32>) -> (tensor<24x8xf32>, tensor<24x16xf32>, tensor<16x24xf32>, tensor<27x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0] : (tensor<24x16xf32>, tensor<16x8xf32>) -> tensor<24x8xf32>
    %1 = stablehlo.tanh %0 : tensor<24x8xf32>
    %2 = stablehlo.negate %arg1 : tensor<24x16xf32>
    %3 = stablehlo.add %2, %arg0 : tensor<24x16xf32>
    %4 = stablehlo.transpose %2, dims = [1, 0] : (tensor<24x16xf32>) -> tensor<16x24xf32>
    %5 = stablehlo.concatenate %2, %arg3, dim = 0 : (tensor<24x16xf32>, tensor<3x16xf32>) -> tensor<27x16xf32>
    return %1, %3, %4, %5 : tensor<24x8xf32>, tensor<24x16xf32>, tensor<16x24xf32>, tensor<27x16xf32>
  }
}
