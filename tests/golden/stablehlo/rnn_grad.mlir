module @jit_rnn attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}, %arg1: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg3: tensor<16x64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) -> (tensor<256xf32> {jax.result_info = "result['b']"}, tensor<256x256xf32> {jax.result_info = "result['wh']"}, tensor<128x256xf32> {jax.result_info = "result['wx']"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x64x256xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x64x256xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x64x256xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x64x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6:10 = stablehlo.while(%iterArg = %arg3, %iterArg_11 = %arg2, %iterArg_12 = %arg1, %iterArg_13 = %1, %iterArg_14 = %c, %iterArg_15 = %0, %iterArg_16 = %2, %iterArg_17 = %3, %iterArg_18 = %4, %iterArg_19 = %5) : tensor<16x64x128xf32>, tensor<128x256xf32>, tensor<256x256xf32>, tensor<1x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>
    cond {
      %c_20 = stablehlo.constant dense<16> : tensor<i32>
      %16 = stablehlo.compare LT, %iterArg_14, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %16 : tensor<i1>
    } do {
      %16 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_14) : (tensor<16x64x128xf32>, tensor<i32>) -> tensor<64x128xf32>
      %17:5 = func.call @closed_call(%iterArg_11, %iterArg_12, %iterArg_13, %iterArg_15, %16) : (tensor<128x256xf32>, tensor<256x256xf32>, tensor<1x256xf32>, tensor<64x256xf32>, tensor<64x128xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>)
      %18 = func.call @dynamic_update_index_in_dim(%iterArg_16, %17#1, %iterArg_14) : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %19 = func.call @dynamic_update_index_in_dim(%iterArg_17, %17#2, %iterArg_14) : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %20 = func.call @dynamic_update_index_in_dim(%iterArg_18, %17#3, %iterArg_14) : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %21 = func.call @dynamic_update_index_in_dim(%iterArg_19, %17#4, %iterArg_14) : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %c_20 = stablehlo.constant dense<1> : tensor<i32>
      %22 = stablehlo.add %iterArg_14, %c_20 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %22, %17#0, %18, %19, %20, %21 : tensor<16x64x128xf32>, tensor<128x256xf32>, tensor<256x256xf32>, tensor<1x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>
    }
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x64x256xf32>
    %8 = stablehlo.multiply %7, %6#6 : tensor<16x64x256xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x64x256xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<16x64x256xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<128x256xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %15:11 = stablehlo.while(%iterArg = %10, %iterArg_11 = %arg3, %iterArg_12 = %6#7, %iterArg_13 = %6#8, %iterArg_14 = %6#9, %iterArg_15 = %arg1, %iterArg_16 = %c_10, %iterArg_17 = %12, %iterArg_18 = %13, %iterArg_19 = %14, %iterArg_20 = %11) : tensor<16x64x256xf32>, tensor<16x64x128xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<256x256xf32>, tensor<i32>, tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<64x256xf32>
    cond {
      %c_21 = stablehlo.constant dense<16> : tensor<i32>
      %16 = stablehlo.compare LT, %iterArg_16, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %16 : tensor<i1>
    } do {
      %c_21 = stablehlo.constant dense<16> : tensor<i32>
      %16 = stablehlo.subtract %c_21, %iterArg_16 : tensor<i32>
      %c_22 = stablehlo.constant dense<1> : tensor<i32>
      %17 = stablehlo.subtract %16, %c_22 : tensor<i32>
      %18 = func.call @dynamic_index_in_dim_0(%iterArg, %17) : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %19 = func.call @dynamic_index_in_dim(%iterArg_11, %17) : (tensor<16x64x128xf32>, tensor<i32>) -> tensor<64x128xf32>
      %20 = func.call @dynamic_index_in_dim_0(%iterArg_12, %17) : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %21 = func.call @dynamic_index_in_dim_0(%iterArg_13, %17) : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %22 = func.call @dynamic_index_in_dim_0(%iterArg_14, %17) : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %23:4 = func.call @closed_call_1(%iterArg_15, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %18, %19, %20, %21, %22) : (tensor<256x256xf32>, tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x128xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) -> (tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<64x256xf32>)
      %c_23 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.add %iterArg_16, %c_23 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %24, %23#0, %23#1, %23#2, %23#3 : tensor<16x64x256xf32>, tensor<16x64x128xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<256x256xf32>, tensor<i32>, tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<64x256xf32>
    }
    return %15#9, %15#8, %15#7 : tensor<256xf32>, tensor<256x256xf32>, tensor<128x256xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<16x64x128xf32>, %arg1: tensor<i32>) -> tensor<64x128xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 128] : (tensor<16x64x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x128xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x128xf32>) -> tensor<64x128xf32>
    return %1 : tensor<64x128xf32>
  }
  func.func private @closed_call(%arg0: tensor<128x256xf32>, %arg1: tensor<256x256xf32>, %arg2: tensor<1x256xf32>, %arg3: tensor<64x256xf32>, %arg4: tensor<64x128xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x128xf32>, tensor<128x256xf32>) -> tensor<64x256xf32>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
    %2 = stablehlo.add %0, %1 : tensor<64x256xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<64x256xf32>
    %4 = stablehlo.add %2, %3 : tensor<64x256xf32>
    %5 = stablehlo.tanh %4 : tensor<64x256xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<64x256xf32>
    return %5, %5, %arg3, %5, %7 : tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<16x64x256xf32>, %arg1: tensor<64x256xf32>, %arg2: tensor<i32>) -> tensor<16x64x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<16x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x64x256xf32>
    return %1 : tensor<16x64x256xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<16x64x256xf32>, %arg1: tensor<i32>) -> tensor<64x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 256] : (tensor<16x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x256xf32>) -> tensor<64x256xf32>
    return %1 : tensor<64x256xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<256x256xf32>, %arg1: tensor<128x256xf32>, %arg2: tensor<256x256xf32>, %arg3: tensor<256xf32>, %arg4: tensor<64x256xf32>, %arg5: tensor<64x256xf32>, %arg6: tensor<64x128xf32>, %arg7: tensor<64x256xf32>, %arg8: tensor<64x256xf32>, %arg9: tensor<64x256xf32>) -> (tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<64x256xf32>) {
    %0 = stablehlo.add %arg4, %arg5 : tensor<64x256xf32>
    %1 = stablehlo.multiply %0, %arg9 : tensor<64x256xf32>
    %2 = stablehlo.multiply %1, %arg8 : tensor<64x256xf32>
    %3 = stablehlo.add %1, %2 : tensor<64x256xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<64x256xf32>, tensor<f32>) -> tensor<256xf32>
    %5 = stablehlo.reshape %4 : (tensor<256xf32>) -> tensor<1x256xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %7 = stablehlo.add %arg3, %6 : tensor<256xf32>
    %8 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<256x256xf32>
    %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %10 = stablehlo.add %arg2, %9 : tensor<256x256xf32>
    %11 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
    %12 = stablehlo.dot_general %3, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x256xf32>, tensor<64x128xf32>) -> tensor<256x128xf32>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<256x128xf32>) -> tensor<128x256xf32>
    %14 = stablehlo.add %arg1, %13 : tensor<128x256xf32>
    return %14, %10, %7, %11 : tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<64x256xf32>
  }
}
