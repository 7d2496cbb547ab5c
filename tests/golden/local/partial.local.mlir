module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x4xf32>) -> (tensor<4x4xf32>, tensor<3xf32>, tensor<4x1xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.add %0, %0 : tensor<4x4xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = stablehlo.add %3, %4 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %7 = stablehlo.constant dense<0.0> : tensor<f32>
    %8 = stablehlo.reduce(%arg0 init: %7) applies stablehlo.add across dimensions = [0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
    %9 = "stablehlo.all_reduce"(%8) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%10: tensor<f32>, %11: tensor<f32>):
      %12 = stablehlo.add %10, %11 : tensor<f32>
      stablehlo.return %12 : tensor<f32>
    }) : (tensor<3xf32>) -> tensor<3xf32>
    %13 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %14 = stablehlo.add %9, %13 : tensor<3xf32>
    %15 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%16: tensor<f32>, %17: tensor<f32>):
      %18 = stablehlo.add %16, %17 : tensor<f32>
      stablehlo.return %18 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %19 = stablehlo.constant dense<0> : tensor<i64>
    %20 = stablehlo.partition_id : tensor<ui32>
    %21 = stablehlo.constant dense<[0, 1, 2, 3, 0, 1, 2, 3]> : tensor<8xi64>
    %22 = stablehlo.dynamic_slice %21, %20, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %23 = stablehlo.reshape %22 : (tensor<1xi64>) -> tensor<i64>
    %24 = stablehlo.dynamic_slice %15, %19, %23, sizes = [4, 1] : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<4x1xf32>
    %25 = stablehlo.tanh %24 : tensor<4x1xf32>
    return %2, %14, %25 : tensor<4x4xf32>, tensor<3xf32>, tensor<4x1xf32>
  }
}
