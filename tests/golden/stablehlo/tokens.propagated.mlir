module @t {
  sdy.mesh @mesh = <["a"=2, "b"=4]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: !stablehlo.token) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, !stablehlo.token) {
    %0 = stablehlo.after_all %arg1 : !stablehlo.token
    %1:2 = "stablehlo.infeed"(%0) <{infeed_config = "x"}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>, <@mesh, []>]>} : (!stablehlo.token) -> (tensor<8x16xf32>, !stablehlo.token)
    %2 = stablehlo.add %1#0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x16xf32>
    %3 = stablehlo.while(%iterArg = %2) : tensor<8x16xf32> attributes {mhlo.x = 1 : i32, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>}
    cond {
      %6 = sdy.constant dense<true> : tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %6 = stablehlo.sine %iterArg {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x16xf32>
      stablehlo.return %6 : tensor<8x16xf32>
    }
    %4:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>]>} %3, %2 : tensor<8x16xf32>, tensor<8x16xf32>
    %5 = stablehlo.add %4#0, %4#1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x16xf32>
    return %5, %1#1 : tensor<8x16xf32>, !stablehlo.token
  }
}
