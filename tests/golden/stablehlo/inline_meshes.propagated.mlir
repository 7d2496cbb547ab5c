module {
  sdy.mesh @mesh = <["a"=2, "b"=4]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 4 : i64}]}}
  sdy.mesh @mesh_0 = <["c"=8]> {stablehlo.mesh = {axes = [{name = "c", size = 8 : i64}]}}
  sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]> {stablehlo.mesh = {axes = [], device_ids = dense<3> : tensor<1xi64>}}
  sdy.mesh @mesh_1 = <["d"=4, "e"=2]> {stablehlo.mesh = {axes = [{name = "d", size = 4 : i64}, {name = "e", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{"c"}, {}]>}, %arg2: tensor<4xf32> {sdy.sharding = #sdy.sharding<@maximal_mesh_3, []>}, %arg3: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh_1, [{"d"}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{"c"}, {}]>}, tensor<4xf32>, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh_1, [{"d"}]>}) {
    %0 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x16xf32>
    %1 = stablehlo.abs %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh_0, [{"c"}, {}]>]>} : tensor<16x8xf32>
    %2 = stablehlo.abs %arg2 : tensor<4xf32>
    %3 = stablehlo.abs %arg3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh_1, [{"d"}]>]>} : tensor<4xf32>
    return %0, %1, %2, %3 : tensor<8x16xf32>, tensor<16x8xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
