module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x2xf32>, %arg1: tensor<4x4xf32>) -> (tensor<4x2xf32>, tensor<8x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<8x4xf32>) {
    %0 = stablehlo.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
    %1 = stablehlo.partition_id : tensor<ui32>
    %2 = stablehlo.constant dense<[0, 2, 0, 2]> : tensor<4xi64>
    %3 = stablehlo.dynamic_slice %2, %1, sizes = [1] : (tensor<4xi64>, tensor<ui32>) -> tensor<1xi64>
    %4 = stablehlo.reshape %3 : (tensor<1xi64>) -> tensor<i64>
    %5 = stablehlo.constant dense<0> : tensor<i64>
    %6 = stablehlo.dynamic_slice %0, %4, %5, sizes = [2, 1] : (tensor<4x1xf32>, tensor<i64>, tensor<i64>) -> tensor<2x1xf32>
    %7 = stablehlo.slice %arg1 [0:4, 1:3] : (tensor<4x4xf32>) -> tensor<4x2xf32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %9 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 0], [2, 1], [1, 2], [3, 3]]> : tensor<4x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %10 = "stablehlo.all_to_all"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
    %11 = "stablehlo.all_gather"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
    return %9, %10, %7, %8, %11 : tensor<4x2xf32>, tensor<8x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<8x4xf32>
  }
}
