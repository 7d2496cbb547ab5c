module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x2x2xf32>, %arg1: tensor<3x3x1x2xf32>, %arg2: tensor<2x8x8x2xf32>) -> (tensor<f32>, tensor<3x3x2x2xf32>, tensor<3x3x1x2xf32>) {
    %0 = stablehlo.convolution(%arg2, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x8x2xf32>, tensor<3x3x2x2xf32>) -> tensor<2x8x8x2xf32>
    %1 = stablehlo.tanh %0 : tensor<2x8x8x2xf32>
    %2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<2x8x8x2xf32>
    %4 = stablehlo.subtract %3, %1 : tensor<2x8x8x2xf32>
    %5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<f32>
    %10 = "stablehlo.reduce_window"(%1, %6) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%7: tensor<f32>, %8: tensor<f32>):
      %9 = stablehlo.maximum %7, %8 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<2x8x8x2xf32>, tensor<f32>) -> tensor<2x4x4x2xf32>
    %11 = stablehlo.convolution(%10, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x2xf32>, tensor<3x3x1x2xf32>) -> tensor<2x4x4x2xf32>
    %12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.reduce_window"(%11, %13) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%14: tensor<f32>, %15: tensor<f32>):
      %16 = stablehlo.add %14, %15 : tensor<f32>
      stablehlo.return %16 : tensor<f32>
    }) : (tensor<2x4x4x2xf32>, tensor<f32>) -> tensor<2x2x2x2xf32>
    %18 = stablehlo.multiply %17, %17 : tensor<2x2x2x2xf32>
    %19 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<f32>) -> tensor<2x2x2x2xf32>
    %21 = stablehlo.multiply %20, %17 : tensor<2x2x2x2xf32>
    %22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%18 init: %22) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x2x2x2xf32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.all_reduce"(%23) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
    ^bb0(%25: tensor<f32>, %26: tensor<f32>):
      %27 = stablehlo.add %25, %26 : tensor<f32>
      stablehlo.return %27 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<f32>) -> tensor<2x2x2x2xf32>
    %30 = stablehlo.multiply %29, %21 : tensor<2x2x2x2xf32>
    %31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.pad %30, %31, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 1, 1, 0] : (tensor<2x2x2x2xf32>, tensor<f32>) -> tensor<2x5x5x2xf32>
    %33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<f32>) -> tensor<f32>
    %38 = "stablehlo.reduce_window"(%32, %34) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%35: tensor<f32>, %36: tensor<f32>):
      %37 = stablehlo.add %35, %36 : tensor<f32>
      stablehlo.return %37 : tensor<f32>
    }) : (tensor<2x5x5x2xf32>, tensor<f32>) -> tensor<2x4x4x2xf32>
    %39 = stablehlo.convolution(%10, %38) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x2xf32>, tensor<2x4x4x2xf32>) -> tensor<3x3x1x2xf32>
    %40 = "stablehlo.all_reduce"(%39) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%41: tensor<f32>, %42: tensor<f32>):
      %43 = stablehlo.add %41, %42 : tensor<f32>
      stablehlo.return %43 : tensor<f32>
    }) : (tensor<3x3x1x2xf32>) -> tensor<3x3x1x2xf32>
    %44 = stablehlo.reshape %arg1 : (tensor<3x3x1x2xf32>) -> tensor<3x3x1x2x1xf32>
    %45 = stablehlo.transpose %44, dims = [0, 1, 3, 2, 4] : (tensor<3x3x1x2x1xf32>) -> tensor<3x3x2x1x1xf32>
    %46 = stablehlo.reshape %45 : (tensor<3x3x2x1x1xf32>) -> tensor<3x3x2x1xf32>
    %47 = stablehlo.reverse %46, dims = [0, 1] : tensor<3x3x2x1xf32>
    %48 = stablehlo.convolution(%38, %47) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x2xf32>, tensor<3x3x2x1xf32>) -> tensor<2x4x4x2xf32>
    %49 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.pad %1, %49, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x8x8x2xf32>, tensor<f32>) -> tensor<2x8x8x2xf32>
    %51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = "stablehlo.all_gather"(%50) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<2x8x8x2xf32>) -> tensor<4x8x8x2xf32>
    %53 = "stablehlo.all_gather"(%52) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, all_gather_dim = 3 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<4x8x8x2xf32>) -> tensor<4x8x8x8xf32>
    %54 = "stablehlo.all_gather"(%48) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<2x4x4x2xf32>) -> tensor<4x4x4x2xf32>
    %55 = "stablehlo.all_gather"(%54) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, all_gather_dim = 3 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<4x4x4x2xf32>) -> tensor<4x4x4x8xf32>
    %62 = "stablehlo.select_and_scatter"(%53, %55, %51) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%56: tensor<f32>, %57: tensor<f32>):
      %60 = stablehlo.compare GE, %56, %57, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %60 : tensor<i1>
    }, {
    ^bb0(%58: tensor<f32>, %59: tensor<f32>):
      %61 = stablehlo.add %58, %59 : tensor<f32>
      stablehlo.return %61 : tensor<f32>
    }) : (tensor<4x8x8x8xf32>, tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x8x8x8xf32>
    %63 = stablehlo.partition_id : tensor<ui32>
    %64 = stablehlo.constant dense<[0, 0, 0, 0, 2, 2, 2, 2]> : tensor<8xi64>
    %65 = stablehlo.dynamic_slice %64, %63, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %66 = stablehlo.reshape %65 : (tensor<1xi64>) -> tensor<i64>
    %67 = stablehlo.constant dense<0> : tensor<i64>
    %68 = stablehlo.constant dense<0> : tensor<i64>
    %69 = stablehlo.partition_id : tensor<ui32>
    %70 = stablehlo.constant dense<[0, 2, 4, 6, 0, 2, 4, 6]> : tensor<8xi64>
    %71 = stablehlo.dynamic_slice %70, %69, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %72 = stablehlo.reshape %71 : (tensor<1xi64>) -> tensor<i64>
    %73 = stablehlo.dynamic_slice %62, %66, %67, %68, %72, sizes = [2, 8, 8, 2] : (tensor<4x8x8x8xf32>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2x8x8x2xf32>
    %74 = stablehlo.slice %73 [0:2, 0:8, 0:8, 0:2] : (tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
    %75 = stablehlo.multiply %74, %4 : tensor<2x8x8x2xf32>
    %76 = stablehlo.multiply %75, %1 : tensor<2x8x8x2xf32>
    %77 = stablehlo.add %75, %76 : tensor<2x8x8x2xf32>
    %78 = stablehlo.convolution(%arg2, %77) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x8x2xf32>, tensor<2x8x8x2xf32>) -> tensor<3x3x2x2xf32>
    %79 = "stablehlo.all_reduce"(%78) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%80: tensor<f32>, %81: tensor<f32>):
      %82 = stablehlo.add %80, %81 : tensor<f32>
      stablehlo.return %82 : tensor<f32>
    }) : (tensor<3x3x2x2xf32>) -> tensor<3x3x2x2xf32>
    return %24, %79, %40 : tensor<f32>, tensor<3x3x2x2xf32>, tensor<3x3x1x2xf32>
  }
}
