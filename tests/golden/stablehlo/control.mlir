module @jit_ctl attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg2: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<64x256xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %arg1, %iterArg_5 = %c, %iterArg_6 = %arg0) : tensor<i32>, tensor<i32>, tensor<64x256xf32>
    cond {
      %7 = stablehlo.convert %iterArg_5 : tensor<i32>
      %8 = stablehlo.compare LT, %7, %iterArg, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_5, %c_7 : tensor<i32>
      %8 = stablehlo.tanh %iterArg_6 : tensor<64x256xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.reduce(%iterArg_6 init: %cst_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<f32>
      %cst_9 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
      %11 = stablehlo.divide %10, %cst_9 : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
      %13 = stablehlo.multiply %9, %12 : tensor<256x256xf32>
      %14 = stablehlo.dot_general %8, %13, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
      stablehlo.return %iterArg, %7, %14 : tensor<i32>, tensor<i32>, tensor<64x256xf32>
    }
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare GT, %arg1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      %7 = stablehlo.sine %0#2 : tensor<64x256xf32>
      stablehlo.return %7 : tensor<64x256xf32>
    }, {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
      %8 = stablehlo.multiply %0#2, %7 : tensor<64x256xf32>
      stablehlo.return %8 : tensor<64x256xf32>
    }) : (tensor<i32>) -> tensor<64x256xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %4 = stablehlo.clamp %c_1, %arg2, %c_2 : tensor<i32>
    %5 = "stablehlo.case"(%4) ({
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
      %8 = stablehlo.add %3, %7 : tensor<64x256xf32>
      stablehlo.return %8 : tensor<64x256xf32>
    }, {
      %7 = stablehlo.negate %3 : tensor<64x256xf32>
      stablehlo.return %7 : tensor<64x256xf32>
    }, {
      %7 = func.call @_flip(%3) : (tensor<64x256xf32>) -> tensor<64x256xf32>
      stablehlo.return %7 : tensor<64x256xf32>
    }) : (tensor<i32>) -> tensor<64x256xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %6:3 = stablehlo.while(%iterArg = %c_4, %iterArg_5 = %c_3, %iterArg_6 = %5) : tensor<i32>, tensor<i32>, tensor<64x256xf32>
    cond {
      %c_7 = stablehlo.constant dense<10> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:2 = func.call @closed_call(%iterArg_5, %iterArg_6) : (tensor<i32>, tensor<64x256xf32>) -> (tensor<i32>, tensor<64x256xf32>)
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_7 : tensor<i32>
      stablehlo.return %8, %7#0, %7#1 : tensor<i32>, tensor<i32>, tensor<64x256xf32>
    }
    return %6#2 : tensor<64x256xf32>
  }
  func.func private @_flip(%arg0: tensor<64x256xf32>) -> tensor<64x256xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<64x256xf32>
    return %0 : tensor<64x256xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<64x256xf32>) -> (tensor<i32>, tensor<64x256xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg1 [0:1, 0:256] : (tensor<64x256xf32>) -> tensor<1x256xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x256xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<1x256xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %arg0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.convert %arg0 : tensor<i32>
    %c_1 = stablehlo.constant dense<64> : tensor<i32>
    %6 = stablehlo.add %5, %c_1 : tensor<i32>
    %7 = stablehlo.select %4, %6, %arg0 : tensor<i1>, tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.dynamic_update_slice %arg1, %3, %7, %c_2 : (tensor<64x256xf32>, tensor<1x256xf32>, tensor<i32>, tensor<i32>) -> tensor<64x256xf32>
    return %0, %8 : tensor<i32>, tensor<64x256xf32>
  }
}
