module @jit_sm attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<32x32xf32> {jax.result_info = "result"}) {
    %0 = sdy.reshard %arg0 <@mesh, [{"data"}, {}]> : tensor<64x256xf32>
    %1 = sdy.manual_computation(%0, %arg1) in_shardings=[<@mesh, [{"data"}, {"model"}]>, <@mesh, [{}, {"model"}]>] out_shardings=[<@mesh, [{"data"}, {"model"}]>] manual_axes={"data", "model"} (%arg2: tensor<32x64xf32>, %arg3: tensor<256x256xf32>) {
      %6 = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<32x64xf32>) -> tensor<32x256xf32>
      %7 = stablehlo.dot_general %6, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<256x256xf32>) -> tensor<32x256xf32>
      %8 = "stablehlo.reduce_scatter"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %11 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %11 : tensor<f32>
      }) : (tensor<32x256xf32>) -> tensor<16x256xf32>
      %9 = "stablehlo.collective_permute"(%8) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 4], [4, 0], [1, 5], [5, 1], [2, 6], [6, 2], [3, 7], [7, 3]]> : tensor<8x2xi64>}> : (tensor<16x256xf32>) -> tensor<16x256xf32>
      %10 = "stablehlo.all_reduce"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %11 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %11 : tensor<f32>
      }) : (tensor<16x256xf32>) -> tensor<16x256xf32>
      sdy.return %10 : tensor<16x256xf32>
    } : (tensor<64x256xf32>, tensor<256x1024xf32>) -> tensor<32x1024xf32>
    %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"data"}, {"model"}]>] out_shardings=[<@mesh, [{"data"}, {"model"}]>] manual_axes={"data"} (%arg2: tensor<16x1024xf32>) {
      %6 = stablehlo.sine %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<16x1024xf32>
      %7 = sdy.reshard %6 <@mesh, [{}, {"model"}]> : tensor<16x1024xf32>
      %8 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, []>] manual_axes={"model"} () {
        %15 = sdy.constant dense<4> : tensor<ui32>
        %16 = sdy.constant dense<2> : tensor<ui32>
        %17 = stablehlo.partition_id : tensor<ui32>
        %18 = stablehlo.divide %17, %15 : tensor<ui32>
        %19 = stablehlo.remainder %18, %16 : tensor<ui32>
        %20 = stablehlo.convert %19 : (tensor<ui32>) -> tensor<i32>
        sdy.return %20 : tensor<i32>
      } : () -> tensor<i32>
      %9 = stablehlo.convert %8 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : (tensor<i32>) -> tensor<f32>
      %10 = sdy.reshard %9 <@mesh, []> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<f32>) -> tensor<16x1024xf32>
      %12 = sdy.reshard %11 <@mesh, [{}, {"model"}]> : tensor<16x1024xf32>
      %13 = stablehlo.multiply %7, %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<16x1024xf32>
      %14 = sdy.reshard %13 <@mesh, [{}, {"model"}]> : tensor<16x1024xf32>
      sdy.return %14 : tensor<16x1024xf32>
    } : (tensor<32x1024xf32>) -> tensor<32x1024xf32>
    %3 = stablehlo.transpose %2, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {"data"}]>]>} : (tensor<32x1024xf32>) -> tensor<1024x32xf32>
    %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<32x1024xf32>, tensor<1024x32xf32>) -> tensor<32x32xf32>
    %5 = sdy.reshard %4 <@mesh, [{}, {}]> : tensor<32x32xf32>
    return %5 : tensor<32x32xf32>
  }
}
