module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<16x8xf32>, %arg2: tensor<4x16xf32>) -> (tensor<f32>, tensor<8x8xf32>, tensor<16x8xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %1 = "stablehlo.collective_permute"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 4], [4, 0], [1, 5], [5, 1], [2, 6], [6, 2], [3, 7], [7, 3]]> : tensor<8x2xi64>}> : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.tanh %2 : tensor<4x8xf32>
    %4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %6 = stablehlo.subtract %5, %3 : tensor<4x8xf32>
    %7 = stablehlo.add %0, %3 : tensor<4x8xf32>
    %8 = stablehlo.dot_general %7, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %9 = "stablehlo.all_reduce"(%8) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%10: tensor<f32>, %11: tensor<f32>):
      %12 = stablehlo.add %10, %11 : tensor<f32>
      stablehlo.return %12 : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %13 = stablehlo.multiply %9, %9 : tensor<4x8xf32>
    %14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %16 = stablehlo.multiply %15, %9 : tensor<4x8xf32>
    %17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%13 init: %17) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.all_reduce"(%18) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%20: tensor<f32>, %21: tensor<f32>):
      %22 = stablehlo.add %20, %21 : tensor<f32>
      stablehlo.return %22 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %23 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %24 = stablehlo.divide %19, %23 : tensor<f32>
    %25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %27 = stablehlo.divide %25, %26 : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %29 = stablehlo.multiply %28, %16 : tensor<4x8xf32>
    %30 = stablehlo.dot_general %29, %7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %31 = "stablehlo.all_reduce"(%30) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%32: tensor<f32>, %33: tensor<f32>):
      %34 = stablehlo.add %32, %33 : tensor<f32>
      stablehlo.return %34 : tensor<f32>
    }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %35 = stablehlo.transpose %31, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %36 = stablehlo.dot_general %29, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %37 = stablehlo.multiply %36, %6 : tensor<4x8xf32>
    %38 = stablehlo.multiply %37, %3 : tensor<4x8xf32>
    %39 = stablehlo.add %37, %38 : tensor<4x8xf32>
    %40 = stablehlo.dot_general %39, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
    %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %45 = "stablehlo.all_reduce"(%41) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%42: tensor<f32>, %43: tensor<f32>):
      %44 = stablehlo.add %42, %43 : tensor<f32>
      stablehlo.return %44 : tensor<f32>
    }) : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %46 = stablehlo.dot_general %36, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
    %47 = stablehlo.transpose %46, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %51 = "stablehlo.all_reduce"(%47) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%48: tensor<f32>, %49: tensor<f32>):
      %50 = stablehlo.add %48, %49 : tensor<f32>
      stablehlo.return %50 : tensor<f32>
    }) : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %52 = stablehlo.add %45, %51 : tensor<16x8xf32>
    return %24, %35, %52 : tensor<f32>, tensor<8x8xf32>, tensor<16x8xf32>
  }
}
