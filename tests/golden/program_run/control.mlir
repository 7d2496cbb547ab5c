module @jit_control attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<8x8xf32> {jax.result_info = "result[0]"}, tensor<11x9xf32> {jax.result_info = "result[1]"}, tensor<4x5xf32> {jax.result_info = "result[2]"}, tensor<8x16xf32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %arg1, %iterArg_5 = %c, %iterArg_6 = %arg0) : tensor<i32>, tensor<i32>, tensor<8x8xf32>
    cond {
      %10 = stablehlo.convert %iterArg_5 : tensor<i32>
      %11 = stablehlo.compare LT, %10, %iterArg, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg_5, %c_7 : tensor<i32>
      %11 = stablehlo.transpose %iterArg_6, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %12 = stablehlo.dot_general %iterArg_6, %11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %13 = stablehlo.dot_general %12, %iterArg_6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %14 = stablehlo.tanh %13 : tensor<8x8xf32>
      stablehlo.return %iterArg, %10, %14 : tensor<i32>, tensor<i32>, tensor<8x8xf32>
    }
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.compare GT, %arg1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      %10 = stablehlo.sine %0#2 : tensor<8x8xf32>
      stablehlo.return %10 : tensor<8x8xf32>
    }, {
      %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
      %11 = stablehlo.multiply %0#2, %10 : tensor<8x8xf32>
      stablehlo.return %11 : tensor<8x8xf32>
    }) : (tensor<i32>) -> tensor<8x8xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %4 = stablehlo.clamp %c_1, %arg1, %c_2 : tensor<i32>
    %5 = "stablehlo.case"(%4) ({
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
      %11 = stablehlo.add %3, %10 : tensor<8x8xf32>
      stablehlo.return %11 : tensor<8x8xf32>
    }, {
      %10 = stablehlo.negate %3 : tensor<8x8xf32>
      stablehlo.return %10 : tensor<8x8xf32>
    }, {
      %10 = func.call @_flip(%3) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      stablehlo.return %10 : tensor<8x8xf32>
    }) : (tensor<i32>) -> tensor<8x8xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %6:3 = stablehlo.while(%iterArg = %c_4, %iterArg_5 = %c_3, %iterArg_6 = %5) : tensor<i32>, tensor<i32>, tensor<8x8xf32>
    cond {
      %c_7 = stablehlo.constant dense<4> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10:2 = func.call @closed_call(%iterArg_5, %iterArg_6) : (tensor<i32>, tensor<8x8xf32>) -> (tensor<i32>, tensor<8x8xf32>)
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %iterArg, %c_7 : tensor<i32>
      stablehlo.return %11, %10#0, %10#1 : tensor<i32>, tensor<i32>, tensor<8x8xf32>
    }
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %7 = call @_pad(%6#2, %cst) : (tensor<8x8xf32>, tensor<f32>) -> tensor<11x9xf32>
    %8 = stablehlo.slice %6#2 [1:8:2, 2:7] : (tensor<8x8xf32>) -> tensor<4x5xf32>
    %9 = stablehlo.concatenate %6#2, %arg0, dim = 1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
    return %6#2, %7, %8, %9 : tensor<8x8xf32>, tensor<11x9xf32>, tensor<4x5xf32>, tensor<8x16xf32>
  }
  func.func private @_flip(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<8x8xf32>) -> (tensor<i32>, tensor<8x8xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg1 [0:1, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<1x8xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %arg0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.convert %arg0 : tensor<i32>
    %c_1 = stablehlo.constant dense<8> : tensor<i32>
    %6 = stablehlo.add %5, %c_1 : tensor<i32>
    %7 = stablehlo.select %4, %6, %arg0 : tensor<i1>, tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.dynamic_update_slice %arg1, %3, %7, %c_2 : (tensor<8x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
    return %0, %8 : tensor<i32>, tensor<8x8xf32>
  }
  func.func private @_pad(%arg0: tensor<8x8xf32>, %arg1: tensor<f32>) -> tensor<11x9xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0], high = [2, 1], interior = [0, 0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<11x9xf32>
    return %1 : tensor<11x9xf32>
  }
}
