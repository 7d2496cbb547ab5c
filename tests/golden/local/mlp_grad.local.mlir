module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<16x8xf32>, %arg2: tensor<8x16xf32>, %arg3: tensor<4x16xf32>, %arg4: tensor<4x16xf32>) -> (tensor<f32>, tensor<8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.add %0, %2 : tensor<4x8xf32>
    %4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %6 = stablehlo.maximum %3, %5 : tensor<4x8xf32>
    %7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %9 = stablehlo.compare GT, %3, %8, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %10 = stablehlo.dot_general %6, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %11 = "stablehlo.all_reduce"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%12: tensor<f32>, %13: tensor<f32>):
      %14 = stablehlo.add %12, %13 : tensor<f32>
      stablehlo.return %14 : tensor<f32>
    }) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %15 = stablehlo.subtract %11, %arg4 : tensor<4x16xf32>
    %16 = stablehlo.multiply %15, %15 : tensor<4x16xf32>
    %17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %19 = stablehlo.multiply %18, %15 : tensor<4x16xf32>
    %20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%16 init: %20) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.all_reduce"(%21) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%23: tensor<f32>, %24: tensor<f32>):
      %25 = stablehlo.add %23, %24 : tensor<f32>
      stablehlo.return %25 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %26 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %27 = stablehlo.divide %22, %26 : tensor<f32>
    %28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %30 = stablehlo.divide %28, %29 : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %32 = stablehlo.multiply %31, %19 : tensor<4x16xf32>
    %33 = stablehlo.dot_general %32, %6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
    %34 = "stablehlo.all_reduce"(%33) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%35: tensor<f32>, %36: tensor<f32>):
      %37 = stablehlo.add %35, %36 : tensor<f32>
      stablehlo.return %37 : tensor<f32>
    }) : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %38 = stablehlo.transpose %34, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %39 = stablehlo.dot_general %32, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
    %40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %42 = stablehlo.select %9, %39, %41 : tensor<4x8xi1>, tensor<4x8xf32>
    %43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%42 init: %43) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %45 = "stablehlo.all_reduce"(%44) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%46: tensor<f32>, %47: tensor<f32>):
      %48 = stablehlo.add %46, %47 : tensor<f32>
      stablehlo.return %48 : tensor<f32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    %49 = stablehlo.reshape %45 : (tensor<8xf32>) -> tensor<1x8xf32>
    %50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%49 init: %50) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %52 = stablehlo.dot_general %42, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
    %53 = "stablehlo.all_reduce"(%52) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%54: tensor<f32>, %55: tensor<f32>):
      %56 = stablehlo.add %54, %55 : tensor<f32>
      stablehlo.return %56 : tensor<f32>
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %57 = stablehlo.transpose %53, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    return %27, %51, %57, %38 : tensor<f32>, tensor<8xf32>, tensor<16x8xf32>, tensor<8x16xf32>
  }
}
