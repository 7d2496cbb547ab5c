module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<16x16xf32>) -> (tensor<8x2xf32>, tensor<4x4xf32>, tensor<f32>) {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x16xf32>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
    %5 = "stablehlo.reduce_scatter"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.add %2, %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<4x16xf32>) -> tensor<4x4xf32>
    %6 = "stablehlo.collective_permute"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [4, 5], [5, 6], [6, 7]]> : tensor<6x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %7 = "stablehlo.all_to_all"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
    %11 = "stablehlo.all_reduce"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
    ^bb0(%8: tensor<f32>, %9: tensor<f32>):
      %10 = stablehlo.add %8, %9 : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %12 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %14 = stablehlo.divide %11, %13 : tensor<8x2xf32>
    %15 = stablehlo.add %7, %14 : tensor<8x2xf32>
    %16 = stablehlo.constant dense<1> : tensor<ui32>
    %17 = stablehlo.constant dense<4> : tensor<ui32>
    %18 = stablehlo.partition_id : tensor<ui32>
    %19 = stablehlo.divide %18, %16 : tensor<ui32>
    %20 = stablehlo.remainder %19, %17 : tensor<ui32>
    %21 = stablehlo.convert %20 : (tensor<ui32>) -> tensor<i32>
    %22 = stablehlo.convert %21 : (tensor<i32>) -> tensor<f32>
    %23 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %24 = stablehlo.multiply %22, %23 : tensor<f32>
    %25 = stablehlo.convert %24 : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %27 = stablehlo.add %15, %26 : tensor<8x2xf32>
    %31 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%28: tensor<f32>, %29: tensor<f32>):
      %30 = stablehlo.maximum %28, %29 : tensor<f32>
      stablehlo.return %30 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%arg1 init: %32) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x16xf32>, tensor<f32>) -> tensor<f32>
    %37 = "stablehlo.all_reduce"(%33) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%34: tensor<f32>, %35: tensor<f32>):
      %36 = stablehlo.add %34, %35 : tensor<f32>
      stablehlo.return %36 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    return %27, %31, %37 : tensor<8x2xf32>, tensor<4x4xf32>, tensor<f32>
  }
}
