module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x6x1xi32>, %arg2: tensor<16x2xf32>, %arg3: tensor<4x3xf32>) -> (tensor<4x6x4xf32>, tensor<4x6x2xf32>, tensor<8x3xf32>, tensor<4x3xf32>) {
    %0 = stablehlo.constant dense<[0]> : tensor<1xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<1xi32>) -> tensor<4x6x1xi32>
    %2 = stablehlo.constant dense<[15]> : tensor<1xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [2] : (tensor<1xi32>) -> tensor<4x6x1xi32>
    %4 = stablehlo.constant dense<[4]> : tensor<1xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [2] : (tensor<1xi32>) -> tensor<4x6x1xi32>
    %6 = stablehlo.clamp %1, %arg1, %3 : tensor<4x6x1xi32>
    %7 = stablehlo.constant dense<[0, 4, 8, 12, 0, 4, 8, 12]> : tensor<8xi32>
    %8 = stablehlo.partition_id : tensor<ui32>
    %9 = stablehlo.constant dense<1> : tensor<ui32>
    %10 = stablehlo.multiply %8, %9 : tensor<ui32>
    %11 = stablehlo.dynamic_slice %7, %10, sizes = [1] : (tensor<8xi32>, tensor<ui32>) -> tensor<1xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [2] : (tensor<1xi32>) -> tensor<4x6x1xi32>
    %13 = stablehlo.subtract %6, %12 : tensor<4x6x1xi32>
    %14 = stablehlo.compare GE, %13, %1, SIGNED : (tensor<4x6x1xi32>, tensor<4x6x1xi32>) -> tensor<4x6x1xi1>
    %15 = stablehlo.compare LT, %13, %5, SIGNED : (tensor<4x6x1xi32>, tensor<4x6x1xi32>) -> tensor<4x6x1xi1>
    %16 = stablehlo.and %14, %15 : tensor<4x6x1xi1>
    %17 = stablehlo.constant dense<true> : tensor<i1>
    %18 = stablehlo.reduce(%16 init: %17) applies stablehlo.and across dimensions = [2] : (tensor<4x6x1xi1>, tensor<i1>) -> tensor<4x6xi1>
    %19 = "stablehlo.gather"(%arg0, %13) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<4x6x1xi32>) -> tensor<4x6x4xf32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<4x6xi1>) -> tensor<4x6x4xi1>
    %21 = stablehlo.constant dense<0.0> : tensor<4x6x4xf32>
    %22 = stablehlo.select %20, %19, %21 : tensor<4x6x4xi1>, tensor<4x6x4xf32>
    %23 = "stablehlo.all_reduce"(%22) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%24: tensor<f32>, %25: tensor<f32>):
      %26 = stablehlo.add %24, %25 : tensor<f32>
      stablehlo.return %26 : tensor<f32>
    }) : (tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    %27 = "stablehlo.gather"(%arg2, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<16x2xf32>, tensor<4x6x1xi32>) -> tensor<4x6x2xf32>
    %28 = "stablehlo.all_gather"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x3xf32>) -> tensor<8x3xf32>
    %29 = "stablehlo.all_gather"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x3xf32>) -> tensor<8x3xf32>
    %30 = stablehlo.concatenate %28, %29, dim = 0 : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
    %31 = stablehlo.partition_id : tensor<ui32>
    %32 = stablehlo.constant dense<[0, 0, 0, 0, 8, 8, 8, 8]> : tensor<8xi64>
    %33 = stablehlo.dynamic_slice %32, %31, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %34 = stablehlo.reshape %33 : (tensor<1xi64>) -> tensor<i64>
    %35 = stablehlo.constant dense<0> : tensor<i64>
    %36 = stablehlo.dynamic_slice %30, %34, %35, sizes = [8, 3] : (tensor<16x3xf32>, tensor<i64>, tensor<i64>) -> tensor<8x3xf32>
    %37 = "stablehlo.all_gather"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x3xf32>) -> tensor<8x3xf32>
    %38 = stablehlo.reverse %37, dims = [0] : tensor<8x3xf32>
    %39 = stablehlo.partition_id : tensor<ui32>
    %40 = stablehlo.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : tensor<8xi64>
    %41 = stablehlo.dynamic_slice %40, %39, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %42 = stablehlo.reshape %41 : (tensor<1xi64>) -> tensor<i64>
    %43 = stablehlo.constant dense<0> : tensor<i64>
    %44 = stablehlo.dynamic_slice %38, %42, %43, sizes = [4, 3] : (tensor<8x3xf32>, tensor<i64>, tensor<i64>) -> tensor<4x3xf32>
    return %23, %27, %36, %44 : tensor<4x6x4xf32>, tensor<4x6x2xf32>, tensor<8x3xf32>, tensor<4x3xf32>
  }
}
