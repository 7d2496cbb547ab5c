module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<9x12xf32>, %arg2: tensor<5x2x16xf32>, %arg3: tensor<1xf32>, %arg4: tensor<6x1x1xf32>, %arg5: tensor<7x2x7xf32>, %arg6: tensor<16x1x6xf32>) -> (tensor<2xf32>, tensor<3xf32>, tensor<9x2xf32>, tensor<6xf32>, tensor<5x2x16xf32>, tensor<4x4xf32>, tensor<1xf32>, tensor<f32>, tensor<6x1x1xf32>, tensor<3x3x1xf32>, tensor<7x3x4xf32>, tensor<3x7xf32>, tensor<4x3x6xf32>, tensor<1xf32>) {
    %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 0], [2, 1], [4, 2], [6, 3], [1, 4], [3, 5], [5, 6], [7, 7]]> : tensor<8x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    %1 = stablehlo.constant dense<-2> : tensor<i32>
    %2 = stablehlo.constant dense<1.500000e+00> : tensor<7xf32>
    %3 = "stablehlo.all_gather"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4, 1, 5, 2, 6, 3, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<16xf32>
    %4 = stablehlo.slice %3 [0:12] : (tensor<16xf32>) -> tensor<12xf32>
    %5 = stablehlo.partition_id : tensor<ui32>
    %6 = stablehlo.constant dense<[0, 0, 6, 6, 3, 3, 9, 9]> : tensor<8xi64>
    %7 = stablehlo.dynamic_slice %6, %5, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %8 = stablehlo.reshape %7 : (tensor<1xi64>) -> tensor<i64>
    %9 = stablehlo.dynamic_slice %4, %8, sizes = [3] : (tensor<12xf32>, tensor<i64>) -> tensor<3xf32>
    %10 = stablehlo.constant dense<0.0> : tensor<f32>
    %11 = stablehlo.pad %9, %10, low = [7], high = [7], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<17xf32>
    %12 = stablehlo.partition_id : tensor<ui32>
    %13 = stablehlo.constant dense<[0, 0, 6, 6, 3, 3, 9, 9]> : tensor<8xi64>
    %14 = stablehlo.dynamic_slice %13, %12, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %15 = stablehlo.reshape %14 : (tensor<1xi64>) -> tensor<i64>
    %16 = stablehlo.constant dense<0> : tensor<i64>
    %17 = stablehlo.constant dense<5> : tensor<i64>
    %18 = stablehlo.constant dense<7> : tensor<i64>
    %19 = stablehlo.convert %1 : (tensor<i32>) -> tensor<i64>
    %20 = stablehlo.clamp %16, %19, %17 : tensor<i64>
    %21 = stablehlo.subtract %20, %15 : tensor<i64>
    %22 = stablehlo.add %21, %18 : tensor<i64>
    %23 = stablehlo.maximum %22, %16 : tensor<i64>
    %24 = stablehlo.convert %23 : (tensor<i64>) -> tensor<i32>
    %25 = stablehlo.dynamic_update_slice %11, %2, %24 : (tensor<17xf32>, tensor<7xf32>, tensor<i32>) -> tensor<17xf32>
    %26 = stablehlo.slice %25 [7:10] : (tensor<17xf32>) -> tensor<3xf32>
    %27 = stablehlo.constant dense<0.0> : tensor<f32>
    %28 = stablehlo.pad %arg1, %27, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<9x12xf32>, tensor<f32>) -> tensor<10x12xf32>
    %29 = stablehlo.partition_id : tensor<ui32>
    %30 = stablehlo.constant dense<[0, 5, 5, 0, 0, 0, 5, 5]> : tensor<8xi64>
    %31 = stablehlo.dynamic_slice %30, %29, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %32 = stablehlo.reshape %31 : (tensor<1xi64>) -> tensor<i64>
    %33 = stablehlo.constant dense<0> : tensor<i64>
    %34 = stablehlo.dynamic_slice %28, %32, %33, sizes = [5, 12] : (tensor<10x12xf32>, tensor<i64>, tensor<i64>) -> tensor<5x12xf32>
    %35 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %36 = "stablehlo.all_to_all"(%34) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[3, 1], [0, 2], [4, 6], [5, 7]]> : tensor<4x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<5x12xf32>) -> tensor<10x6xf32>
    %37 = stablehlo.slice %36 [0:9, 0:6] : (tensor<10x6xf32>) -> tensor<9x6xf32>
    %38 = stablehlo.reduce(%37 init: %35) applies stablehlo.maximum across dimensions = [0] : (tensor<9x6xf32>, tensor<f32>) -> tensor<6xf32>
    %39 = "stablehlo.all_gather"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<5x2x16xf32>) -> tensor<5x8x16xf32>
    %40 = stablehlo.slice %39 [0:5, 0:7, 0:16] : (tensor<5x8x16xf32>) -> tensor<5x7x16xf32>
    %41 = stablehlo.constant dense<0> : tensor<i64>
    %42 = stablehlo.constant dense<0> : tensor<i64>
    %43 = stablehlo.partition_id : tensor<ui32>
    %44 = stablehlo.constant dense<[0, 8, 8, 0, 0, 0, 8, 8]> : tensor<8xi64>
    %45 = stablehlo.dynamic_slice %44, %43, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %46 = stablehlo.reshape %45 : (tensor<1xi64>) -> tensor<i64>
    %47 = stablehlo.dynamic_slice %40, %41, %42, %46, sizes = [5, 7, 8] : (tensor<5x7x16xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<5x7x8xf32>
    %48 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %49 = stablehlo.constant dense<0.0> : tensor<f32>
    %50 = stablehlo.pad %47, %49, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<5x7x8xf32>, tensor<f32>) -> tensor<5x8x8xf32>
    %51 = stablehlo.constant dense<0> : tensor<i64>
    %52 = stablehlo.partition_id : tensor<ui32>
    %53 = stablehlo.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : tensor<8xi64>
    %54 = stablehlo.dynamic_slice %53, %52, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %55 = stablehlo.reshape %54 : (tensor<1xi64>) -> tensor<i64>
    %56 = stablehlo.partition_id : tensor<ui32>
    %57 = stablehlo.constant dense<[4, 0, 4, 0, 0, 4, 0, 4]> : tensor<8xi64>
    %58 = stablehlo.dynamic_slice %57, %56, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %59 = stablehlo.reshape %58 : (tensor<1xi64>) -> tensor<i64>
    %60 = stablehlo.dynamic_slice %50, %51, %55, %59, sizes = [5, 4, 4] : (tensor<5x8x8xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<5x4x4xf32>
    %61 = stablehlo.reduce(%60 init: %48) applies stablehlo.maximum across dimensions = [0] : (tensor<5x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %62 = "stablehlo.all_gather"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[3, 1], [0, 2], [4, 6], [5, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
    %63 = stablehlo.slice %62 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %64 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %65 = "stablehlo.all_gather"(%63) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[3, 1, 0, 2, 4, 6, 5, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<8xf32>
    %66 = stablehlo.slice %65 [0:1] : (tensor<8xf32>) -> tensor<1xf32>
    %67 = stablehlo.reduce(%66 init: %64) applies stablehlo.maximum across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %68 = "stablehlo.all_gather"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[3, 0, 4, 5], [1, 2, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<6x1x1xf32>) -> tensor<6x4x1xf32>
    %69 = stablehlo.slice %68 [0:6, 0:3, 0:1] : (tensor<6x4x1xf32>) -> tensor<6x3x1xf32>
    %70 = stablehlo.constant dense<-2> : tensor<i32>
    %71 = stablehlo.constant dense<4> : tensor<i32>
    %72 = stablehlo.constant dense<2> : tensor<i32>
    %73 = stablehlo.constant dense<1.500000e+00> : tensor<3x3x1xf32>
    %74 = "stablehlo.all_gather"(%69) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, all_gather_dim = 2 : i64, replica_groups = dense<[[3, 0, 4, 5, 1, 2, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<6x3x1xf32>) -> tensor<6x3x8xf32>
    %75 = stablehlo.slice %74 [0:6, 0:3, 0:1] : (tensor<6x3x8xf32>) -> tensor<6x3x1xf32>
    %76 = stablehlo.constant dense<0.0> : tensor<f32>
    %77 = stablehlo.pad %75, %76, low = [0, 0, 0], high = [0, 0, 3], interior = [0, 0, 0] : (tensor<6x3x1xf32>, tensor<f32>) -> tensor<6x3x4xf32>
    %78 = stablehlo.partition_id : tensor<ui32>
    %79 = stablehlo.constant dense<[0, 3, 3, 0, 0, 0, 3, 3]> : tensor<8xi64>
    %80 = stablehlo.dynamic_slice %79, %78, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %81 = stablehlo.reshape %80 : (tensor<1xi64>) -> tensor<i64>
    %82 = stablehlo.constant dense<0> : tensor<i64>
    %83 = stablehlo.partition_id : tensor<ui32>
    %84 = stablehlo.constant dense<[1, 0, 1, 0, 2, 3, 2, 3]> : tensor<8xi64>
    %85 = stablehlo.dynamic_slice %84, %83, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %86 = stablehlo.reshape %85 : (tensor<1xi64>) -> tensor<i64>
    %87 = stablehlo.dynamic_slice %77, %81, %82, %86, sizes = [3, 3, 1] : (tensor<6x3x4xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<3x3x1xf32>
    %88 = stablehlo.constant dense<0.0> : tensor<f32>
    %89 = stablehlo.pad %87, %88, low = [3, 0, 0], high = [3, 0, 0], interior = [0, 0, 0] : (tensor<3x3x1xf32>, tensor<f32>) -> tensor<9x3x1xf32>
    %90 = stablehlo.partition_id : tensor<ui32>
    %91 = stablehlo.constant dense<[0, 3, 3, 0, 0, 0, 3, 3]> : tensor<8xi64>
    %92 = stablehlo.dynamic_slice %91, %90, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %93 = stablehlo.reshape %92 : (tensor<1xi64>) -> tensor<i64>
    %94 = stablehlo.constant dense<0> : tensor<i64>
    %95 = stablehlo.constant dense<3> : tensor<i64>
    %96 = stablehlo.constant dense<3> : tensor<i64>
    %97 = stablehlo.convert %70 : (tensor<i32>) -> tensor<i64>
    %98 = stablehlo.clamp %94, %97, %95 : tensor<i64>
    %99 = stablehlo.subtract %98, %93 : tensor<i64>
    %100 = stablehlo.add %99, %96 : tensor<i64>
    %101 = stablehlo.maximum %100, %94 : tensor<i64>
    %102 = stablehlo.convert %101 : (tensor<i64>) -> tensor<i32>
    %103 = stablehlo.dynamic_update_slice %89, %73, %102, %71, %72 : (tensor<9x3x1xf32>, tensor<3x3x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x3x1xf32>
    %104 = stablehlo.slice %103 [3:6, 0:3, 0:1] : (tensor<9x3x1xf32>) -> tensor<3x3x1xf32>
    %105 = "stablehlo.all_gather"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 9, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<7x2x7xf32>) -> tensor<7x16x7xf32>
    %106 = stablehlo.slice %105 [0:7, 0:9, 0:7] : (tensor<7x16x7xf32>) -> tensor<7x9x7xf32>
    %107 = stablehlo.constant dense<0.0> : tensor<f32>
    %108 = stablehlo.pad %106, %107, low = [0, 0, 0], high = [0, 3, 1], interior = [0, 0, 0] : (tensor<7x9x7xf32>, tensor<f32>) -> tensor<7x12x8xf32>
    %109 = stablehlo.constant dense<0> : tensor<i64>
    %110 = stablehlo.partition_id : tensor<ui32>
    %111 = stablehlo.constant dense<[3, 6, 9, 0, 0, 3, 6, 9]> : tensor<8xi64>
    %112 = stablehlo.dynamic_slice %111, %110, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %113 = stablehlo.reshape %112 : (tensor<1xi64>) -> tensor<i64>
    %114 = stablehlo.partition_id : tensor<ui32>
    %115 = stablehlo.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : tensor<8xi64>
    %116 = stablehlo.dynamic_slice %115, %114, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %117 = stablehlo.reshape %116 : (tensor<1xi64>) -> tensor<i64>
    %118 = stablehlo.dynamic_slice %108, %109, %113, %117, sizes = [7, 3, 4] : (tensor<7x12x8xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<7x3x4xf32>
    %119 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %120 = "stablehlo.collective_permute"(%118) <{channel_handle = #stablehlo.channel_handle<handle = 10, type = 1>, source_target_pairs = dense<[[0, 0], [4, 1], [5, 2], [3, 3], [1, 4], [2, 5], [6, 6], [7, 7]]> : tensor<8x2xi64>}> : (tensor<7x3x4xf32>) -> tensor<7x3x4xf32>
    %121 = "stablehlo.all_gather"(%120) <{channel_handle = #stablehlo.channel_handle<handle = 11, type = 1>, all_gather_dim = 2 : i64, replica_groups = dense<[[3, 1], [0, 2], [4, 6], [5, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<7x3x4xf32>) -> tensor<7x3x8xf32>
    %122 = stablehlo.slice %121 [0:7, 0:3, 0:7] : (tensor<7x3x8xf32>) -> tensor<7x3x7xf32>
    %123 = stablehlo.reduce(%122 init: %119) applies stablehlo.maximum across dimensions = [0] : (tensor<7x3x7xf32>, tensor<f32>) -> tensor<3x7xf32>
    %124 = "stablehlo.all_gather"(%arg6) <{channel_handle = #stablehlo.channel_handle<handle = 12, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<16x1x6xf32>) -> tensor<16x8x6xf32>
    %125 = stablehlo.slice %124 [0:16, 0:3, 0:6] : (tensor<16x8x6xf32>) -> tensor<16x3x6xf32>
    %126 = stablehlo.constant dense<0.0> : tensor<f32>
    %127 = stablehlo.pad %125, %126, low = [0, 0, 0], high = [0, 1, 2], interior = [0, 0, 0] : (tensor<16x3x6xf32>, tensor<f32>) -> tensor<16x4x8xf32>
    %128 = stablehlo.constant dense<0> : tensor<i64>
    %129 = stablehlo.partition_id : tensor<ui32>
    %130 = stablehlo.constant dense<[0, 0, 0, 0, 2, 2, 2, 2]> : tensor<8xi64>
    %131 = stablehlo.dynamic_slice %130, %129, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %132 = stablehlo.reshape %131 : (tensor<1xi64>) -> tensor<i64>
    %133 = stablehlo.partition_id : tensor<ui32>
    %134 = stablehlo.constant dense<[0, 2, 4, 6, 0, 2, 4, 6]> : tensor<8xi64>
    %135 = stablehlo.dynamic_slice %134, %133, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %136 = stablehlo.reshape %135 : (tensor<1xi64>) -> tensor<i64>
    %137 = stablehlo.dynamic_slice %127, %128, %132, %136, sizes = [16, 2, 2] : (tensor<16x4x8xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<16x2x2xf32>
    %138 = stablehlo.constant dense<2.500000e+00> : tensor<f32>
    %139 = "stablehlo.all_gather"(%137) <{channel_handle = #stablehlo.channel_handle<handle = 13, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<16x2x2xf32>) -> tensor<16x4x2xf32>
    %140 = "stablehlo.all_gather"(%139) <{channel_handle = #stablehlo.channel_handle<handle = 14, type = 1>, all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<16x4x2xf32>) -> tensor<16x4x8xf32>
    %141 = stablehlo.slice %140 [0:16, 0:3, 0:6] : (tensor<16x4x8xf32>) -> tensor<16x3x6xf32>
    %142 = stablehlo.constant dense<0.0> : tensor<f32>
    %143 = stablehlo.pad %141, %142, low = [0, 0, 0], high = [0, 5, 0], interior = [0, 0, 0] : (tensor<16x3x6xf32>, tensor<f32>) -> tensor<16x8x6xf32>
    %144 = stablehlo.constant dense<0> : tensor<i64>
    %145 = stablehlo.partition_id : tensor<ui32>
    %146 = stablehlo.constant dense<[0, 2, 4, 6, 1, 3, 5, 7]> : tensor<8xi64>
    %147 = stablehlo.dynamic_slice %146, %145, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %148 = stablehlo.reshape %147 : (tensor<1xi64>) -> tensor<i64>
    %149 = stablehlo.constant dense<0> : tensor<i64>
    %150 = stablehlo.dynamic_slice %143, %144, %148, %149, sizes = [16, 1, 6] : (tensor<16x8x6xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<16x1x6xf32>
    %151 = stablehlo.reduce(%150 init: %138) applies stablehlo.add across dimensions = [0, 2] : (tensor<16x1x6xf32>, tensor<f32>) -> tensor<1xf32>
    %152 = "stablehlo.all_gather"(%34) <{channel_handle = #stablehlo.channel_handle<handle = 15, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[3, 1], [0, 2], [4, 6], [5, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<5x12xf32>) -> tensor<10x12xf32>
    %153 = stablehlo.slice %152 [0:9, 0:12] : (tensor<10x12xf32>) -> tensor<9x12xf32>
    %154 = stablehlo.constant dense<0.0> : tensor<f32>
    %155 = stablehlo.pad %153, %154, low = [0, 0], high = [0, 4], interior = [0, 0] : (tensor<9x12xf32>, tensor<f32>) -> tensor<9x16xf32>
    %156 = stablehlo.constant dense<0> : tensor<i64>
    %157 = stablehlo.partition_id : tensor<ui32>
    %158 = stablehlo.constant dense<[2, 8, 10, 0, 4, 6, 12, 14]> : tensor<8xi64>
    %159 = stablehlo.dynamic_slice %158, %157, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %160 = stablehlo.reshape %159 : (tensor<1xi64>) -> tensor<i64>
    %161 = stablehlo.dynamic_slice %155, %156, %160, sizes = [9, 2] : (tensor<9x16xf32>, tensor<i64>, tensor<i64>) -> tensor<9x2xf32>
    %162 = stablehlo.constant dense<0.0> : tensor<f32>
    %163 = stablehlo.pad %47, %162, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<5x7x8xf32>, tensor<f32>) -> tensor<5x8x8xf32>
    %164 = stablehlo.constant dense<0> : tensor<i64>
    %165 = stablehlo.partition_id : tensor<ui32>
    %166 = stablehlo.constant dense<[2, 0, 2, 0, 4, 6, 4, 6]> : tensor<8xi64>
    %167 = stablehlo.dynamic_slice %166, %165, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %168 = stablehlo.reshape %167 : (tensor<1xi64>) -> tensor<i64>
    %169 = stablehlo.constant dense<0> : tensor<i64>
    %170 = stablehlo.dynamic_slice %163, %164, %168, %169, sizes = [5, 2, 8] : (tensor<5x8x8xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<5x2x8xf32>
    %171 = "stablehlo.all_gather"(%170) <{channel_handle = #stablehlo.channel_handle<handle = 16, type = 1>, all_gather_dim = 2 : i64, replica_groups = dense<[[3, 1], [0, 2], [4, 6], [5, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<5x2x8xf32>) -> tensor<5x2x16xf32>
    %172 = "stablehlo.collective_permute"(%63) <{channel_handle = #stablehlo.channel_handle<handle = 17, type = 1>, source_target_pairs = dense<[[1, 0], [4, 1], [6, 2], [3, 3], [0, 4], [2, 5], [5, 6], [7, 7]]> : tensor<8x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
    %173 = "stablehlo.all_gather"(%69) <{channel_handle = #stablehlo.channel_handle<handle = 18, type = 1>, all_gather_dim = 2 : i64, replica_groups = dense<[[3, 0, 4, 5, 1, 2, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<6x3x1xf32>) -> tensor<6x3x8xf32>
    %174 = stablehlo.slice %173 [0:6, 0:3, 0:1] : (tensor<6x3x8xf32>) -> tensor<6x3x1xf32>
    %175 = stablehlo.constant dense<0.0> : tensor<f32>
    %176 = stablehlo.pad %174, %175, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<6x3x1xf32>, tensor<f32>) -> tensor<6x4x1xf32>
    %177 = stablehlo.constant dense<0> : tensor<i64>
    %178 = stablehlo.partition_id : tensor<ui32>
    %179 = stablehlo.constant dense<[0, 1, 1, 0, 2, 2, 3, 3]> : tensor<8xi64>
    %180 = stablehlo.dynamic_slice %179, %178, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %181 = stablehlo.reshape %180 : (tensor<1xi64>) -> tensor<i64>
    %182 = stablehlo.constant dense<0> : tensor<i64>
    %183 = stablehlo.dynamic_slice %176, %177, %181, %182, sizes = [6, 1, 1] : (tensor<6x4x1xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<6x1x1xf32>
    %184 = "stablehlo.collective_permute"(%118) <{channel_handle = #stablehlo.channel_handle<handle = 19, type = 1>, source_target_pairs = dense<[[0, 0], [4, 1], [5, 2], [3, 3], [1, 4], [2, 5], [6, 6], [7, 7]]> : tensor<8x2xi64>}> : (tensor<7x3x4xf32>) -> tensor<7x3x4xf32>
    %185 = "stablehlo.all_to_all"(%137) <{channel_handle = #stablehlo.channel_handle<handle = 20, type = 1>, concat_dimension = 2 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<16x2x2xf32>) -> tensor<4x2x8xf32>
    %186 = stablehlo.slice %185 [0:4, 0:2, 0:6] : (tensor<4x2x8xf32>) -> tensor<4x2x6xf32>
    %187 = "stablehlo.all_gather"(%186) <{channel_handle = #stablehlo.channel_handle<handle = 21, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x2x6xf32>) -> tensor<4x4x6xf32>
    %188 = stablehlo.slice %187 [0:4, 0:3, 0:6] : (tensor<4x4x6xf32>) -> tensor<4x3x6xf32>
    return %0, %26, %161, %38, %171, %61, %172, %67, %183, %104, %184, %123, %188, %151 : tensor<2xf32>, tensor<3xf32>, tensor<9x2xf32>, tensor<6xf32>, tensor<5x2x16xf32>, tensor<4x4xf32>, tensor<1xf32>, tensor<f32>, tensor<6x1x1xf32>, tensor<3x3x1xf32>, tensor<7x3x4xf32>, tensor<3x7xf32>, tensor<4x3x6xf32>, tensor<1xf32>
  }
}
