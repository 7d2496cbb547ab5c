module @jit_partial_manual attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<4x16xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"data", ?}, {?}]>, <@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={"data"} (%arg2: tensor<4x16xf32>, %arg3: tensor<16x16xf32>) {
      %2 = sdy.sharding_constraint %arg2 <@mesh, [{}, {"model"}]> : tensor<4x16xf32>
      %3 = stablehlo.dot_general %2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
      %4 = sdy.sharding_constraint %3 <@mesh, [{?}, {?}]> : tensor<4x16xf32>
      %5 = stablehlo.tanh %4 : tensor<4x16xf32>
      %6 = sdy.sharding_constraint %5 <@mesh, [{?}, {?}]> : tensor<4x16xf32>
      %7 = "stablehlo.all_reduce"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %19 = stablehlo.add %arg4, %arg5 : tensor<f32>
        %20 = sdy.sharding_constraint %19 <@mesh, []> : tensor<f32>
        stablehlo.return %20 : tensor<f32>
      }) : (tensor<4x16xf32>) -> tensor<4x16xf32>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
      %9 = sdy.sharding_constraint %8 <@mesh, [{?}, {?}]> : tensor<4x16xf32>
      %10 = stablehlo.divide %7, %9 : tensor<4x16xf32>
      %11 = sdy.sharding_constraint %10 <@mesh, [{?}, {?}]> : tensor<4x16xf32>
      %12 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, []>] manual_axes={"model"} () {
        %c = stablehlo.constant dense<4> : tensor<ui32>
        %c_0 = stablehlo.constant dense<2> : tensor<ui32>
        %19 = stablehlo.partition_id : tensor<ui32>
        %20 = stablehlo.divide %19, %c : tensor<ui32>
        %21 = stablehlo.remainder %20, %c_0 : tensor<ui32>
        %22 = stablehlo.convert %21 : (tensor<ui32>) -> tensor<i32>
        sdy.return %22 : tensor<i32>
      } : () -> tensor<i32>
      %13 = stablehlo.convert %12 : (tensor<i32>) -> tensor<f32>
      %14 = sdy.sharding_constraint %13 <@mesh, []> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
      %16 = sdy.sharding_constraint %15 <@mesh, [{?}, {?}]> : tensor<4x16xf32>
      %17 = stablehlo.add %11, %16 : tensor<4x16xf32>
      %18 = sdy.sharding_constraint %17 <@mesh, [{?}, {?}]> : tensor<4x16xf32>
      sdy.return %18 : tensor<4x16xf32>
    } : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
    %1 = call @"<lambda>"(%0) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
  func.func private @"<lambda>"(%arg0: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %0 = call @cumsum(%arg0) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
  func.func private @cumsum(%arg0: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [15, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 16>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
}
