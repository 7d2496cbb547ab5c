module @t {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: !stablehlo.token) -> (tensor<8x16xf32>, !stablehlo.token) {
    %0 = stablehlo.after_all %arg1 : !stablehlo.token
    %1:2 = "stablehlo.infeed"(%0) <{infeed_config = "x"}> : (!stablehlo.token) -> (tensor<8x16xf32>, !stablehlo.token)
    %2 = stablehlo.add %1#0, %arg0 : tensor<8x16xf32>
    %4 = stablehlo.while(%iterArg = %2) : tensor<8x16xf32> attributes {mhlo.x = 1 : i32}
    cond {
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %7 = stablehlo.sine %iterArg : tensor<8x16xf32>
      stablehlo.return %7 : tensor<8x16xf32>
    }
    %5:2 = stablehlo.optimization_barrier %4, %2 : tensor<8x16xf32>, tensor<8x16xf32>
    %6 = stablehlo.add %5#0, %5#1 : tensor<8x16xf32>
    return %6, %1#1 : tensor<8x16xf32>, !stablehlo.token
  }
}
