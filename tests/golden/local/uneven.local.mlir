module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x12xf32>) -> (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<8xf32>, tensor<3xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x12xf32>, tensor<4xi32>, tensor<4x4xf32>, tensor<4xf32>) {
    %0 = "stablehlo.all_gather"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %1 = "stablehlo.all_gather"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x16xf32>
    %2 = stablehlo.slice %1 [1:8, 0:16] : (tensor<8x16xf32>) -> tensor<7x16xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.pad %2, %3, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<7x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %5 = stablehlo.partition_id : tensor<ui32>
    %6 = stablehlo.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : tensor<8xi64>
    %7 = stablehlo.dynamic_slice %6, %5, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %8 = stablehlo.reshape %7 : (tensor<1xi64>) -> tensor<i64>
    %9 = stablehlo.partition_id : tensor<ui32>
    %10 = stablehlo.constant dense<[0, 4, 8, 12, 0, 4, 8, 12]> : tensor<8xi64>
    %11 = stablehlo.dynamic_slice %10, %9, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %12 = stablehlo.reshape %11 : (tensor<1xi64>) -> tensor<i64>
    %13 = stablehlo.dynamic_slice %4, %8, %12, sizes = [4, 4] : (tensor<8x16xf32>, tensor<i64>, tensor<i64>) -> tensor<4x4xf32>
    %14 = "stablehlo.all_gather"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x16xf32>
    %15 = "stablehlo.all_to_all"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x12xf32>) -> tensor<16x3xf32>
    %16 = stablehlo.dot_general %14, %15, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x3xf32>) -> tensor<4x3xf32>
    %17 = "stablehlo.all_gather"(%16) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x3xf32>) -> tensor<8x3xf32>
    %18 = "stablehlo.all_gather"(%17) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x3xf32>) -> tensor<8x12xf32>
    %19 = stablehlo.slice %18 [0:8, 0:7] : (tensor<8x12xf32>) -> tensor<8x7xf32>
    %20 = stablehlo.constant dense<0.0> : tensor<f32>
    %21 = stablehlo.pad %19, %20, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<8x7xf32>, tensor<f32>) -> tensor<8x8xf32>
    %22 = stablehlo.constant dense<0> : tensor<i64>
    %23 = stablehlo.partition_id : tensor<ui32>
    %24 = stablehlo.constant dense<[0, 2, 4, 6, 0, 2, 4, 6]> : tensor<8xi64>
    %25 = stablehlo.dynamic_slice %24, %23, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %26 = stablehlo.reshape %25 : (tensor<1xi64>) -> tensor<i64>
    %27 = stablehlo.dynamic_slice %21, %22, %26, sizes = [8, 2] : (tensor<8x8xf32>, tensor<i64>, tensor<i64>) -> tensor<8x2xf32>
    %28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %30 = stablehlo.multiply %13, %29 : tensor<4x4xf32>
    %31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %33 = "stablehlo.all_gather"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %34 = "stablehlo.all_gather"(%33) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x16xf32>
    %35 = stablehlo.slice %34 [0:1, 0:1] : (tensor<8x16xf32>) -> tensor<1x1xf32>
    %36 = "stablehlo.all_gather"(%35) <{channel_handle = #stablehlo.channel_handle<handle = 9, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<1x1xf32>) -> tensor<2x1xf32>
    %37 = "stablehlo.all_gather"(%36) <{channel_handle = #stablehlo.channel_handle<handle = 10, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %38 = stablehlo.slice %37 [0:1, 0:1] : (tensor<2x4xf32>) -> tensor<1x1xf32>
    %39 = stablehlo.reshape %38 : (tensor<1x1xf32>) -> tensor<f32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %41 = stablehlo.multiply %32, %40 : tensor<3xf32>
    %42 = "stablehlo.all_gather"(%13) <{channel_handle = #stablehlo.channel_handle<handle = 11, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %43 = "stablehlo.all_gather"(%42) <{channel_handle = #stablehlo.channel_handle<handle = 12, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x16xf32>
    %44 = stablehlo.slice %43 [0:7, 0:16] : (tensor<8x16xf32>) -> tensor<7x16xf32>
    %45 = "stablehlo.all_gather"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 13, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %46 = "stablehlo.all_gather"(%45) <{channel_handle = #stablehlo.channel_handle<handle = 14, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x16xf32>
    %47 = stablehlo.concatenate %44, %46, dim = 0 : (tensor<7x16xf32>, tensor<8x16xf32>) -> tensor<15x16xf32>
    %48 = stablehlo.constant dense<0.0> : tensor<f32>
    %49 = stablehlo.pad %47, %48, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<15x16xf32>, tensor<f32>) -> tensor<16x16xf32>
    %50 = stablehlo.partition_id : tensor<ui32>
    %51 = stablehlo.constant dense<[0, 0, 0, 0, 8, 8, 8, 8]> : tensor<8xi64>
    %52 = stablehlo.dynamic_slice %51, %50, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %53 = stablehlo.reshape %52 : (tensor<1xi64>) -> tensor<i64>
    %54 = stablehlo.partition_id : tensor<ui32>
    %55 = stablehlo.constant dense<[0, 4, 8, 12, 0, 4, 8, 12]> : tensor<8xi64>
    %56 = stablehlo.dynamic_slice %55, %54, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %57 = stablehlo.reshape %56 : (tensor<1xi64>) -> tensor<i64>
    %58 = stablehlo.dynamic_slice %49, %53, %57, sizes = [8, 4] : (tensor<16x16xf32>, tensor<i64>, tensor<i64>) -> tensor<8x4xf32>
    %59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.partition_id : tensor<ui32>
    %61 = stablehlo.constant dense<[8, 8, 8, 8, 7, 7, 7, 7]> : tensor<8xi64>
    %62 = stablehlo.dynamic_slice %61, %60, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %63 = stablehlo.reshape %62 : (tensor<1xi64>) -> tensor<i64>
    %64 = stablehlo.iota dim = 0 : tensor<8x4xi64>
    %66 = stablehlo.broadcast_in_dim %63, dims = [] : (tensor<i64>) -> tensor<8x4xi64>
    %67 = stablehlo.compare LT, %64, %66, SIGNED : (tensor<8x4xi64>, tensor<8x4xi64>) -> tensor<8x4xi1>
    %65 = stablehlo.broadcast_in_dim %59, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %68 = stablehlo.select %67, %58, %65 : tensor<8x4xi1>, tensor<8x4xf32>
    %69 = stablehlo.reduce(%68 init: %59) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %70 = "stablehlo.all_reduce"(%69) <{channel_handle = #stablehlo.channel_handle<handle = 15, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%71: tensor<f32>, %72: tensor<f32>):
      %73 = stablehlo.add %71, %72 : tensor<f32>
      stablehlo.return %73 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %74 = stablehlo.constant dense<0> : tensor<i32>
    %75 = stablehlo.convert %74 : (tensor<i32>) -> tensor<f32>
    %76 = "stablehlo.all_gather"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 16, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %77 = "stablehlo.all_gather"(%76) <{channel_handle = #stablehlo.channel_handle<handle = 17, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x16xf32>
    %78 = stablehlo.pad %77, %75, low = [0, 1], high = [3, 0], interior = [0, 0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<11x17xf32>
    %79 = stablehlo.constant dense<0.0> : tensor<f32>
    %80 = stablehlo.pad %78, %79, low = [0, 0], high = [1, 3], interior = [0, 0] : (tensor<11x17xf32>, tensor<f32>) -> tensor<12x20xf32>
    %81 = stablehlo.partition_id : tensor<ui32>
    %82 = stablehlo.constant dense<[0, 0, 0, 0, 6, 6, 6, 6]> : tensor<8xi64>
    %83 = stablehlo.dynamic_slice %82, %81, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %84 = stablehlo.reshape %83 : (tensor<1xi64>) -> tensor<i64>
    %85 = stablehlo.partition_id : tensor<ui32>
    %86 = stablehlo.constant dense<[0, 5, 10, 15, 0, 5, 10, 15]> : tensor<8xi64>
    %87 = stablehlo.dynamic_slice %86, %85, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %88 = stablehlo.reshape %87 : (tensor<1xi64>) -> tensor<i64>
    %89 = stablehlo.dynamic_slice %80, %84, %88, sizes = [6, 5] : (tensor<12x20xf32>, tensor<i64>, tensor<i64>) -> tensor<6x5xf32>
    %90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.partition_id : tensor<ui32>
    %92 = stablehlo.constant dense<[6, 6, 6, 6, 5, 5, 5, 5]> : tensor<8xi64>
    %93 = stablehlo.dynamic_slice %92, %91, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %94 = stablehlo.reshape %93 : (tensor<1xi64>) -> tensor<i64>
    %95 = stablehlo.iota dim = 0 : tensor<6x5xi64>
    %97 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<i64>) -> tensor<6x5xi64>
    %98 = stablehlo.compare LT, %95, %97, SIGNED : (tensor<6x5xi64>, tensor<6x5xi64>) -> tensor<6x5xi1>
    %96 = stablehlo.broadcast_in_dim %90, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %99 = stablehlo.select %98, %89, %96 : tensor<6x5xi1>, tensor<6x5xf32>
    %100 = stablehlo.partition_id : tensor<ui32>
    %101 = stablehlo.constant dense<[5, 5, 5, 2, 5, 5, 5, 2]> : tensor<8xi64>
    %102 = stablehlo.dynamic_slice %101, %100, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %103 = stablehlo.reshape %102 : (tensor<1xi64>) -> tensor<i64>
    %104 = stablehlo.iota dim = 1 : tensor<6x5xi64>
    %106 = stablehlo.broadcast_in_dim %103, dims = [] : (tensor<i64>) -> tensor<6x5xi64>
    %107 = stablehlo.compare LT, %104, %106, SIGNED : (tensor<6x5xi64>, tensor<6x5xi64>) -> tensor<6x5xi1>
    %105 = stablehlo.broadcast_in_dim %90, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %108 = stablehlo.select %107, %99, %105 : tensor<6x5xi1>, tensor<6x5xf32>
    %109 = stablehlo.reduce(%108 init: %90) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x5xf32>, tensor<f32>) -> tensor<f32>
    %110 = "stablehlo.all_reduce"(%109) <{channel_handle = #stablehlo.channel_handle<handle = 18, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
    ^bb0(%111: tensor<f32>, %112: tensor<f32>):
      %113 = stablehlo.add %111, %112 : tensor<f32>
      stablehlo.return %113 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %114 = stablehlo.constant dense<1.870000e+02> : tensor<f32>
    %115 = stablehlo.divide %110, %114 : tensor<f32>
    %116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.partition_id : tensor<ui32>
    %118 = stablehlo.constant dense<[2, 2, 2, 1, 2, 2, 2, 1]> : tensor<8xi64>
    %119 = stablehlo.dynamic_slice %118, %117, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %120 = stablehlo.reshape %119 : (tensor<1xi64>) -> tensor<i64>
    %121 = stablehlo.iota dim = 1 : tensor<8x2xi64>
    %123 = stablehlo.broadcast_in_dim %120, dims = [] : (tensor<i64>) -> tensor<8x2xi64>
    %124 = stablehlo.compare LT, %121, %123, SIGNED : (tensor<8x2xi64>, tensor<8x2xi64>) -> tensor<8x2xi1>
    %122 = stablehlo.broadcast_in_dim %116, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %125 = stablehlo.select %124, %27, %122 : tensor<8x2xi1>, tensor<8x2xf32>
    %126 = stablehlo.reduce(%125 init: %116) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
    %127 = "stablehlo.all_reduce"(%126) <{channel_handle = #stablehlo.channel_handle<handle = 19, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%128: tensor<f32>, %129: tensor<f32>):
      %130 = stablehlo.add %128, %129 : tensor<f32>
      stablehlo.return %130 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %131 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %132 = stablehlo.reduce(%27 init: %131) applies stablehlo.maximum across dimensions = [0] : (tensor<8x2xf32>, tensor<f32>) -> tensor<2xf32>
    %133 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %134 = stablehlo.partition_id : tensor<ui32>
    %135 = stablehlo.constant dense<[2, 2, 2, 1, 2, 2, 2, 1]> : tensor<8xi64>
    %136 = stablehlo.dynamic_slice %135, %134, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %137 = stablehlo.reshape %136 : (tensor<1xi64>) -> tensor<i64>
    %138 = stablehlo.iota dim = 1 : tensor<8x2xi64>
    %140 = stablehlo.broadcast_in_dim %137, dims = [] : (tensor<i64>) -> tensor<8x2xi64>
    %141 = stablehlo.compare LT, %138, %140, SIGNED : (tensor<8x2xi64>, tensor<8x2xi64>) -> tensor<8x2xi1>
    %139 = stablehlo.broadcast_in_dim %133, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %142 = stablehlo.select %141, %27, %139 : tensor<8x2xi1>, tensor<8x2xf32>
    %143 = stablehlo.reduce(%142 init: %133) applies stablehlo.multiply across dimensions = [1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<8xf32>
    %144 = "stablehlo.all_reduce"(%143) <{channel_handle = #stablehlo.channel_handle<handle = 20, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%145: tensor<f32>, %146: tensor<f32>):
      %147 = stablehlo.multiply %145, %146 : tensor<f32>
      stablehlo.return %147 : tensor<f32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    %148 = stablehlo.tanh %41 : tensor<3xf32>
    %149 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.partition_id : tensor<ui32>
    %151 = stablehlo.constant dense<[4, 4, 4, 4, 3, 3, 3, 3]> : tensor<8xi64>
    %152 = stablehlo.dynamic_slice %151, %150, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %153 = stablehlo.reshape %152 : (tensor<1xi64>) -> tensor<i64>
    %154 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %156 = stablehlo.broadcast_in_dim %153, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %157 = stablehlo.compare LT, %154, %156, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %155 = stablehlo.broadcast_in_dim %149, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %158 = stablehlo.select %157, %30, %155 : tensor<4x4xi1>, tensor<4x4xf32>
    %159 = stablehlo.reduce(%158 init: %149) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %160 = "stablehlo.all_reduce"(%159) <{channel_handle = #stablehlo.channel_handle<handle = 21, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%161: tensor<f32>, %162: tensor<f32>):
      %163 = stablehlo.add %161, %162 : tensor<f32>
      stablehlo.return %163 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %164 = stablehlo.constant dense<0.0> : tensor<f32>
    %165 = stablehlo.constant dense<0.0> : tensor<f32>
    %166 = stablehlo.dot_general %30, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x12xf32>) -> tensor<4x12xf32>
    %167 = "stablehlo.all_reduce"(%166) <{channel_handle = #stablehlo.channel_handle<handle = 22, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%168: tensor<f32>, %169: tensor<f32>):
      %170 = stablehlo.add %168, %169 : tensor<f32>
      stablehlo.return %170 : tensor<f32>
    }) : (tensor<4x12xf32>) -> tensor<4x12xf32>
    %171 = stablehlo.iota dim = 0 : tensor<7x16xi32>
    %172 = stablehlo.constant dense<0> : tensor<i32>
    %173 = stablehlo.pad %171, %172, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<7x16xi32>, tensor<i32>) -> tensor<8x16xi32>
    %174 = stablehlo.partition_id : tensor<ui32>
    %175 = stablehlo.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : tensor<8xi64>
    %176 = stablehlo.dynamic_slice %175, %174, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %177 = stablehlo.reshape %176 : (tensor<1xi64>) -> tensor<i64>
    %178 = stablehlo.partition_id : tensor<ui32>
    %179 = stablehlo.constant dense<[0, 4, 8, 12, 0, 4, 8, 12]> : tensor<8xi64>
    %180 = stablehlo.dynamic_slice %179, %178, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %181 = stablehlo.reshape %180 : (tensor<1xi64>) -> tensor<i64>
    %182 = stablehlo.dynamic_slice %173, %177, %181, sizes = [4, 4] : (tensor<8x16xi32>, tensor<i64>, tensor<i64>) -> tensor<4x4xi32>
    %183 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %184 = stablehlo.constant dense<0> : tensor<i32>
    %185 = "stablehlo.all_gather"(%30) <{channel_handle = #stablehlo.channel_handle<handle = 23, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %186 = "stablehlo.all_gather"(%185) <{channel_handle = #stablehlo.channel_handle<handle = 24, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x16xf32>
    %187 = stablehlo.slice %186 [0:7, 0:16] : (tensor<8x16xf32>) -> tensor<7x16xf32>
    %188 = "stablehlo.all_gather"(%182) <{channel_handle = #stablehlo.channel_handle<handle = 25, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x4xi32>) -> tensor<8x4xi32>
    %189 = "stablehlo.all_gather"(%188) <{channel_handle = #stablehlo.channel_handle<handle = 26, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x4xi32>) -> tensor<8x16xi32>
    %190 = stablehlo.slice %189 [0:7, 0:16] : (tensor<8x16xi32>) -> tensor<7x16xi32>
    %204:2 = stablehlo.reduce(%187 init: %183), (%190 init: %184) across dimensions = [0] : (tensor<7x16xf32>, tensor<7x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<16xf32>, tensor<16xi32>)
     reducer(%191: tensor<f32>, %193: tensor<f32>) (%192: tensor<i32>, %194: tensor<i32>)  {
      %195 = stablehlo.compare GT, %191, %193, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %196 = stablehlo.compare NE, %191, %191, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %197 = stablehlo.or %195, %196 : tensor<i1>
      %198 = stablehlo.compare EQ, %191, %193, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %199 = stablehlo.compare LT, %192, %194, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %200 = stablehlo.and %198, %199 : tensor<i1>
      %201 = stablehlo.or %197, %200 : tensor<i1>
      %202 = stablehlo.select %197, %191, %193 : tensor<i1>, tensor<f32>
      %203 = stablehlo.select %201, %192, %194 : tensor<i1>, tensor<i32>
      stablehlo.return %202, %203 : tensor<f32>, tensor<i32>
    }
    %205 = stablehlo.partition_id : tensor<ui32>
    %206 = stablehlo.constant dense<[0, 4, 8, 12, 0, 4, 8, 12]> : tensor<8xi64>
    %207 = stablehlo.dynamic_slice %206, %205, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %208 = stablehlo.reshape %207 : (tensor<1xi64>) -> tensor<i64>
    %209 = stablehlo.dynamic_slice %204#0, %208, sizes = [4] : (tensor<16xf32>, tensor<i64>) -> tensor<4xf32>
    %210 = stablehlo.partition_id : tensor<ui32>
    %211 = stablehlo.constant dense<[0, 4, 8, 12, 0, 4, 8, 12]> : tensor<8xi64>
    %212 = stablehlo.dynamic_slice %211, %210, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %213 = stablehlo.reshape %212 : (tensor<1xi64>) -> tensor<i64>
    %214 = stablehlo.dynamic_slice %204#1, %213, sizes = [4] : (tensor<16xi32>, tensor<i64>) -> tensor<4xi32>
    %215 = "stablehlo.all_gather"(%30) <{channel_handle = #stablehlo.channel_handle<handle = 27, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %216 = "stablehlo.all_gather"(%215) <{channel_handle = #stablehlo.channel_handle<handle = 28, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x16xf32>
    %217 = stablehlo.slice %216 [0:7, 0:16] : (tensor<8x16xf32>) -> tensor<7x16xf32>
    %235 = "stablehlo.sort"(%217) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%218: tensor<f32>, %219: tensor<f32>):
      %220 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %221 = stablehlo.compare EQ, %218, %220, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %222 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %223 = stablehlo.select %221, %222, %218 : tensor<i1>, tensor<f32>
      %224 = stablehlo.compare NE, %218, %218, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %225 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %226 = stablehlo.select %224, %225, %223 : tensor<i1>, tensor<f32>
      %227 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %228 = stablehlo.compare EQ, %219, %227, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %229 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %230 = stablehlo.select %228, %229, %219 : tensor<i1>, tensor<f32>
      %231 = stablehlo.compare NE, %219, %219, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %232 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %233 = stablehlo.select %231, %232, %230 : tensor<i1>, tensor<f32>
      %234 = stablehlo.compare LT, %226, %233, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %234 : tensor<i1>
    }) : (tensor<7x16xf32>) -> tensor<7x16xf32>
    %236 = stablehlo.constant dense<0.0> : tensor<f32>
    %237 = stablehlo.pad %235, %236, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<7x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %238 = stablehlo.partition_id : tensor<ui32>
    %239 = stablehlo.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : tensor<8xi64>
    %240 = stablehlo.dynamic_slice %239, %238, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %241 = stablehlo.reshape %240 : (tensor<1xi64>) -> tensor<i64>
    %242 = stablehlo.partition_id : tensor<ui32>
    %243 = stablehlo.constant dense<[0, 4, 8, 12, 0, 4, 8, 12]> : tensor<8xi64>
    %244 = stablehlo.dynamic_slice %243, %242, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %245 = stablehlo.reshape %244 : (tensor<1xi64>) -> tensor<i64>
    %246 = stablehlo.dynamic_slice %237, %241, %245, sizes = [4, 4] : (tensor<8x16xf32>, tensor<i64>, tensor<i64>) -> tensor<4x4xf32>
    %247 = "stablehlo.all_gather"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 29, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %248 = "stablehlo.all_gather"(%247) <{channel_handle = #stablehlo.channel_handle<handle = 30, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x16xf32>
    %249 = stablehlo.slice %248 [8:8, 0:16] : (tensor<8x16xf32>) -> tensor<0x16xf32>
    %250 = stablehlo.constant dense<0> : tensor<i64>
    %251 = stablehlo.partition_id : tensor<ui32>
    %252 = stablehlo.constant dense<[0, 4, 8, 12, 0, 4, 8, 12]> : tensor<8xi64>
    %253 = stablehlo.dynamic_slice %252, %251, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %254 = stablehlo.reshape %253 : (tensor<1xi64>) -> tensor<i64>
    %255 = stablehlo.dynamic_slice %249, %250, %254, sizes = [0, 4] : (tensor<0x16xf32>, tensor<i64>, tensor<i64>) -> tensor<0x4xf32>
    %256 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %257 = stablehlo.reduce(%255 init: %256) applies stablehlo.add across dimensions = [0] : (tensor<0x4xf32>, tensor<f32>) -> tensor<4xf32>
    %258 = "stablehlo.all_reduce"(%257) <{channel_handle = #stablehlo.channel_handle<handle = 31, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%259: tensor<f32>, %260: tensor<f32>):
      %261 = stablehlo.add %259, %260 : tensor<f32>
      stablehlo.return %261 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %70, %115, %127, %132, %144, %148, %30, %160, %167, %214, %246, %258 : tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<8xf32>, tensor<3xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x12xf32>, tensor<4xi32>, tensor<4x4xf32>, tensor<4xf32>
  }
}
