module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2, "b"=4]>, [{"a"}, {}]>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<mesh<["c"=8]>, [{"c"}, {}]>}, %arg2: tensor<4xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[3]>, []>}, %arg3: tensor<4xf32> {sdy.sharding = #sdy.sharding<mesh<["d"=4, "e"=2]>, [{"d"}]>}) -> (tensor<8x16xf32>, tensor<16x8xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.abs %arg0 : tensor<8x16xf32>
    %1 = stablehlo.abs %arg1 : tensor<16x8xf32>
    %2 = stablehlo.abs %arg2 : tensor<4xf32>
    %3 = stablehlo.abs %arg3 : tensor<4xf32>
    return %0, %1, %2, %3 : tensor<8x16xf32>, tensor<16x8xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
