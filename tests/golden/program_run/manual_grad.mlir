module @jit_ring attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<32x8xf32> {jax.result_info = "result[1]['v']"}, tensor<16x32xf32> {jax.result_info = "result[1]['w']"}) {
    %0:4 = sdy.manual_computation(%arg1, %arg2) in_shardings=[<@mesh, [{?}, {?}]>, <@mesh, [{"data", ?}, {?}]>] out_shardings=[<@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>] manual_axes={"data"} (%arg3: tensor<16x32xf32>, %arg4: tensor<4x16xf32>) {
      %14 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
      %15 = sdy.sharding_constraint %14 <@mesh, [{?}, {?}]> : tensor<4x32xf32>
      %16 = "stablehlo.collective_permute"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 4], [4, 0], [1, 5], [5, 1], [2, 6], [6, 2], [3, 7], [7, 3]]> : tensor<8x2xi64>}> : (tensor<4x16xf32>) -> tensor<4x16xf32>
      %17 = stablehlo.dot_general %16, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
      %18 = sdy.sharding_constraint %17 <@mesh, [{?}, {?}]> : tensor<4x32xf32>
      %19 = stablehlo.tanh %18 : tensor<4x32xf32>
      %20 = sdy.sharding_constraint %19 <@mesh, [{?}, {?}]> : tensor<4x32xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
      %22 = sdy.sharding_constraint %21 <@mesh, [{?}, {?}]> : tensor<4x32xf32>
      %23 = stablehlo.subtract %22, %20 : tensor<4x32xf32>
      %24 = sdy.sharding_constraint %23 <@mesh, [{?}, {?}]> : tensor<4x32xf32>
      %25 = stablehlo.add %15, %20 : tensor<4x32xf32>
      %26 = sdy.sharding_constraint %25 <@mesh, [{?}, {?}]> : tensor<4x32xf32>
      sdy.return %16, %20, %24, %26 : tensor<4x16xf32>, tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>
    } : (tensor<16x32xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x32xf32>)
    %1 = stablehlo.dot_general %0#3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<32x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %4 = stablehlo.multiply %3, %1 : tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %6 = stablehlo.divide %5, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %7 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %9 = stablehlo.multiply %8, %4 : tensor<8x8xf32>
    %10 = stablehlo.dot_general %9, %0#3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %11 = stablehlo.transpose %10, dims = [1, 0] : (tensor<8x32xf32>) -> tensor<32x8xf32>
    %12 = stablehlo.dot_general %9, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<32x8xf32>) -> tensor<8x32xf32>
    %13 = sdy.manual_computation(%12, %arg2, %0#0, %0#1, %0#2) in_shardings=[<@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>, <@mesh, [{"data", ?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={"data"} (%arg3: tensor<4x32xf32>, %arg4: tensor<4x16xf32>, %arg5: tensor<4x16xf32>, %arg6: tensor<4x32xf32>, %arg7: tensor<4x32xf32>) {
      %14 = stablehlo.multiply %arg3, %arg7 : tensor<4x32xf32>
      %15 = sdy.sharding_constraint %14 <@mesh, [{?}, {?}]> : tensor<4x32xf32>
      %16 = stablehlo.multiply %15, %arg6 : tensor<4x32xf32>
      %17 = sdy.sharding_constraint %16 <@mesh, [{?}, {?}]> : tensor<4x32xf32>
      %18 = stablehlo.add %15, %17 : tensor<4x32xf32>
      %19 = sdy.sharding_constraint %18 <@mesh, [{?}, {?}]> : tensor<4x32xf32>
      %20 = stablehlo.dot_general %19, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<4x16xf32>) -> tensor<32x16xf32>
      %21 = sdy.sharding_constraint %20 <@mesh, [{?}, {?}]> : tensor<32x16xf32>
      %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %23 = sdy.sharding_constraint %22 <@mesh, [{?}, {?}]> : tensor<16x32xf32>
      %24 = "stablehlo.all_reduce"(%23) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
        %32 = stablehlo.add %arg8, %arg9 : tensor<f32>
        %33 = sdy.sharding_constraint %32 <@mesh, []> : tensor<f32>
        stablehlo.return %33 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %25 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<4x16xf32>) -> tensor<32x16xf32>
      %26 = sdy.sharding_constraint %25 <@mesh, [{?}, {?}]> : tensor<32x16xf32>
      %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %28 = sdy.sharding_constraint %27 <@mesh, [{?}, {?}]> : tensor<16x32xf32>
      %29 = "stablehlo.all_reduce"(%28) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
        %32 = stablehlo.add %arg8, %arg9 : tensor<f32>
        %33 = sdy.sharding_constraint %32 <@mesh, []> : tensor<f32>
        stablehlo.return %33 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %30 = stablehlo.add %24, %29 : tensor<16x32xf32>
      %31 = sdy.sharding_constraint %30 <@mesh, [{?}, {?}]> : tensor<16x32xf32>
      sdy.return %31 : tensor<16x32xf32>
    } : (tensor<8x32xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<16x32xf32>
    return %6, %11, %13 : tensor<f32>, tensor<32x8xf32>, tensor<16x32xf32>
  }
}
