module @jit_ctl attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg2: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<64x256xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1:3 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %0, %iterArg_1 = %arg0) : tensor<i32>, tensor<i32>, tensor<64x256xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, []>, <@mesh, [{"data"}, {"model"}]>]>}
    cond {
      %10 = stablehlo.convert %iterArg_0 : tensor<i32>
      %11 = stablehlo.compare LT, %10, %iterArg, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %10 = sdy.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %iterArg_0, %10 : tensor<i32>
      %12 = stablehlo.tanh %iterArg_1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
      %13 = sdy.constant dense<1.000000e+00> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %13, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<f32>) -> tensor<256x256xf32>
      %15 = sdy.constant dense<0.000000e+00> : tensor<f32>
      %16 = stablehlo.reduce(%iterArg_1 init: %15) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<f32>
      %17 = sdy.constant dense<1.638400e+04> : tensor<f32>
      %18 = stablehlo.divide %16, %17 : tensor<f32>
      %19 = stablehlo.broadcast_in_dim %18, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<f32>) -> tensor<256x256xf32>
      %20 = stablehlo.multiply %14, %19 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<256x256xf32>
      %21 = stablehlo.dot_general %12, %20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
      stablehlo.return %iterArg, %11, %21 : tensor<i32>, tensor<i32>, tensor<64x256xf32>
    }
    %2 = sdy.constant dense<3> : tensor<i32>
    %3 = stablehlo.compare GT, %arg1, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.convert %3 : (tensor<i1>) -> tensor<i32>
    %5 = "stablehlo.case"(%4) ({
      %10 = stablehlo.sine %1#2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
      stablehlo.return %10 : tensor<64x256xf32>
    }, {
      %10 = sdy.constant dense<2.000000e+00> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<64x256xf32>
      %12 = stablehlo.multiply %1#2, %11 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
      stablehlo.return %12 : tensor<64x256xf32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<i32>) -> tensor<64x256xf32>
    %6 = sdy.constant dense<2> : tensor<i32>
    %7 = stablehlo.clamp %0, %arg2, %6 : tensor<i32>
    %8 = "stablehlo.case"(%7) ({
      %10 = sdy.constant dense<1.000000e+00> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<64x256xf32>
      %12 = stablehlo.add %5, %11 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
      stablehlo.return %12 : tensor<64x256xf32>
    }, {
      %10 = stablehlo.negate %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
      stablehlo.return %10 : tensor<64x256xf32>
    }, {
      %10 = func.call @_flip(%5) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x256xf32>) -> tensor<64x256xf32>
      stablehlo.return %10 : tensor<64x256xf32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<i32>) -> tensor<64x256xf32>
    %9:3 = stablehlo.while(%iterArg = %0, %iterArg_0 = %0, %iterArg_1 = %8) : tensor<i32>, tensor<i32>, tensor<64x256xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, []>, <@mesh, [{"data"}, {"model"}]>]>}
    cond {
      %10 = sdy.constant dense<10> : tensor<i32>
      %11 = stablehlo.compare LT, %iterArg, %10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %10:2 = func.call @closed_call(%iterArg_0, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"data"}, {"model"}]>]>} : (tensor<i32>, tensor<64x256xf32>) -> (tensor<i32>, tensor<64x256xf32>)
      %11 = sdy.constant dense<1> : tensor<i32>
      %12 = stablehlo.add %iterArg, %11 : tensor<i32>
      stablehlo.return %12, %10#0, %10#1 : tensor<i32>, tensor<i32>, tensor<64x256xf32>
    }
    return %9#2 : tensor<64x256xf32>
  }
  func.func private @_flip(%arg0: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> (tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    return %0 : tensor<64x256xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg1: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> (tensor<i32>, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %0 = sdy.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %arg0, %0 : tensor<i32>
    %2 = stablehlo.slice %arg1 [0:1, 0:256] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x256xf32>) -> tensor<1x256xf32>
    %3 = sdy.constant dense<2.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<1x256xf32>
    %5 = stablehlo.multiply %2, %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<1x256xf32>
    %6 = sdy.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %arg0, %6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = stablehlo.convert %arg0 : tensor<i32>
    %9 = sdy.constant dense<64> : tensor<i32>
    %10 = stablehlo.add %8, %9 : tensor<i32>
    %11 = stablehlo.select %7, %10, %arg0 : tensor<i1>, tensor<i32>
    %12 = stablehlo.dynamic_update_slice %arg1, %5, %11, %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x256xf32>, tensor<1x256xf32>, tensor<i32>, tensor<i32>) -> tensor<64x256xf32>
    return %1, %12 : tensor<i32>, tensor<64x256xf32>
  }
}
