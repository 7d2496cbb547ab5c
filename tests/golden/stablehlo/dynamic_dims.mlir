module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%arg0: tensor<?x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, %arg1: tensor<?x8xf32>, %arg2: tensor<?x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}, %arg3: tensor<?x4xf32>, %arg4: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> (tensor<8x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>, tensor<?x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}) {
    sdy.sharding_group %arg0 group_id=0 : tensor<?x8xf32>
    sdy.sharding_group %arg1 group_id=0 : tensor<?x8xf32>
    %0 = stablehlo.tanh %arg4 : tensor<8x8xf32>
    return %0, %arg0, %arg1, %arg2, %arg3 : tensor<8x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  }
}
