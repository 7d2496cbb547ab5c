module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x4xf32>, %arg1: tensor<8xi32>, %arg2: tensor<8x16xf32>) -> (tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<32x16xf32>, tensor<32xi32>, tensor<16x4xf32>, tensor<16x4xf32>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %3 = stablehlo.constant dense<32> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %5 = stablehlo.add %arg1, %4 : tensor<8xi32>
    %6 = stablehlo.select %2, %5, %arg1 : tensor<8xi1>, tensor<8xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %8 = "stablehlo.all_gather"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<16x4xf32>) -> tensor<32x4xf32>
    %9 = "stablehlo.gather"(%8, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<32x4xf32>, tensor<8x1xi32>) -> tensor<8x4xf32>
    %10 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %12 = stablehlo.compare LT, %arg1, %11, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %13 = stablehlo.constant dense<32> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %15 = stablehlo.add %arg1, %14 : tensor<8xi32>
    %16 = stablehlo.select %12, %15, %arg1 : tensor<8xi1>, tensor<8xi32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %18 = "stablehlo.all_gather"(%17) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8x1xi32>) -> tensor<16x1xi32>
    %19 = stablehlo.constant dense<0> : tensor<i64>
    %20 = stablehlo.partition_id : tensor<ui32>
    %21 = stablehlo.constant dense<[0, 4, 8, 12, 0, 4, 8, 12]> : tensor<8xi64>
    %22 = stablehlo.dynamic_slice %21, %20, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %23 = stablehlo.reshape %22 : (tensor<1xi64>) -> tensor<i64>
    %24 = stablehlo.dynamic_slice %arg2, %19, %23, sizes = [8, 4] : (tensor<8x16xf32>, tensor<i64>, tensor<i64>) -> tensor<8x4xf32>
    %25 = "stablehlo.all_gather"(%24) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<16x4xf32>
    %26 = stablehlo.constant dense<[0, 0, 0, 0, 16, 16, 16, 16]> : tensor<8xi32>
    %27 = stablehlo.partition_id : tensor<ui32>
    %28 = stablehlo.constant dense<1> : tensor<ui32>
    %29 = stablehlo.multiply %27, %28 : tensor<ui32>
    %30 = stablehlo.dynamic_slice %26, %29, sizes = [1] : (tensor<8xi32>, tensor<ui32>) -> tensor<1xi32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<1xi32>) -> tensor<16x1xi32>
    %32 = stablehlo.subtract %18, %31 : tensor<16x1xi32>
    %36 = "stablehlo.scatter"(%arg0, %32, %25) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%33: tensor<f32>, %34: tensor<f32>):
      %35 = stablehlo.add %33, %34 : tensor<f32>
      stablehlo.return %35 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<16x1xi32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %37 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %39 = stablehlo.compare LT, %arg1, %38, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %40 = stablehlo.constant dense<32> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %42 = stablehlo.add %arg1, %41 : tensor<8xi32>
    %43 = stablehlo.select %39, %42, %arg1 : tensor<8xi1>, tensor<8xi32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %47 = "stablehlo.all_gather"(%44) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8x1xi32>) -> tensor<16x1xi32>
    %48 = "stablehlo.all_gather"(%46) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<16x4xf32>
    %49 = stablehlo.constant dense<[0, 0, 0, 0, 16, 16, 16, 16]> : tensor<8xi32>
    %50 = stablehlo.partition_id : tensor<ui32>
    %51 = stablehlo.constant dense<1> : tensor<ui32>
    %52 = stablehlo.multiply %50, %51 : tensor<ui32>
    %53 = stablehlo.dynamic_slice %49, %52, sizes = [1] : (tensor<8xi32>, tensor<ui32>) -> tensor<1xi32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [1] : (tensor<1xi32>) -> tensor<16x1xi32>
    %55 = stablehlo.subtract %47, %54 : tensor<16x1xi32>
    %58 = "stablehlo.scatter"(%arg0, %55, %48) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%56: tensor<f32>, %57: tensor<f32>):
      stablehlo.return %57 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<16x1xi32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %59 = stablehlo.constant dense<0> : tensor<i32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %61 = stablehlo.compare LT, %arg1, %60, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %62 = stablehlo.constant dense<32> : tensor<i32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %64 = stablehlo.add %arg1, %63 : tensor<8xi32>
    %65 = stablehlo.select %61, %64, %arg1 : tensor<8xi1>, tensor<8xi32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %67 = "stablehlo.all_gather"(%66) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8x1xi32>) -> tensor<16x1xi32>
    %68 = stablehlo.constant dense<0> : tensor<i64>
    %69 = stablehlo.partition_id : tensor<ui32>
    %70 = stablehlo.constant dense<[0, 4, 8, 12, 0, 4, 8, 12]> : tensor<8xi64>
    %71 = stablehlo.dynamic_slice %70, %69, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %72 = stablehlo.reshape %71 : (tensor<1xi64>) -> tensor<i64>
    %73 = stablehlo.dynamic_slice %arg2, %68, %72, sizes = [8, 4] : (tensor<8x16xf32>, tensor<i64>, tensor<i64>) -> tensor<8x4xf32>
    %74 = "stablehlo.all_gather"(%73) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<16x4xf32>
    %75 = stablehlo.constant dense<[0, 0, 0, 0, 16, 16, 16, 16]> : tensor<8xi32>
    %76 = stablehlo.partition_id : tensor<ui32>
    %77 = stablehlo.constant dense<1> : tensor<ui32>
    %78 = stablehlo.multiply %76, %77 : tensor<ui32>
    %79 = stablehlo.dynamic_slice %75, %78, sizes = [1] : (tensor<8xi32>, tensor<ui32>) -> tensor<1xi32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [1] : (tensor<1xi32>) -> tensor<16x1xi32>
    %81 = stablehlo.subtract %67, %80 : tensor<16x1xi32>
    %85 = "stablehlo.scatter"(%arg0, %81, %74) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%82: tensor<f32>, %83: tensor<f32>):
      %84 = stablehlo.maximum %82, %83 : tensor<f32>
      stablehlo.return %84 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<16x1xi32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %86 = stablehlo.constant dense<0> : tensor<i32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %88 = stablehlo.compare LT, %arg1, %87, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %89 = stablehlo.constant dense<32> : tensor<i32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %91 = stablehlo.add %arg1, %90 : tensor<8xi32>
    %92 = stablehlo.select %88, %91, %arg1 : tensor<8xi1>, tensor<8xi32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %94 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %96 = "stablehlo.all_gather"(%93) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8x1xi32>) -> tensor<16x1xi32>
    %97 = "stablehlo.all_gather"(%95) <{channel_handle = #stablehlo.channel_handle<handle = 9, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<16x4xf32>
    %98 = stablehlo.constant dense<[0, 0, 0, 0, 16, 16, 16, 16]> : tensor<8xi32>
    %99 = stablehlo.partition_id : tensor<ui32>
    %100 = stablehlo.constant dense<1> : tensor<ui32>
    %101 = stablehlo.multiply %99, %100 : tensor<ui32>
    %102 = stablehlo.dynamic_slice %98, %101, sizes = [1] : (tensor<8xi32>, tensor<ui32>) -> tensor<1xi32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [1] : (tensor<1xi32>) -> tensor<16x1xi32>
    %104 = stablehlo.subtract %96, %103 : tensor<16x1xi32>
    %108 = "stablehlo.scatter"(%arg0, %104, %97) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%105: tensor<f32>, %106: tensor<f32>):
      %107 = stablehlo.multiply %105, %106 : tensor<f32>
      stablehlo.return %107 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<16x1xi32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %109 = stablehlo.constant dense<16> : tensor<i32>
    %110 = stablehlo.convert %109 : tensor<i32>
    %111 = stablehlo.constant dense<0> : tensor<i32>
    %112 = stablehlo.compare EQ, %110, %111, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %113 = stablehlo.constant dense<1> : tensor<i32>
    %114 = stablehlo.select %112, %113, %110 : tensor<i1>, tensor<i32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %116 = stablehlo.remainder %arg1, %115 : tensor<8xi32>
    %117 = stablehlo.constant dense<0> : tensor<i32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %119 = stablehlo.compare NE, %116, %118, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %120 = stablehlo.constant dense<0> : tensor<i32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %122 = stablehlo.compare LT, %116, %121, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %123 = stablehlo.constant dense<0> : tensor<i32>
    %124 = stablehlo.compare LT, %114, %123, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %125 = stablehlo.broadcast_in_dim %124, dims = [] : (tensor<i1>) -> tensor<8xi1>
    %126 = stablehlo.compare NE, %122, %125, UNSIGNED : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
    %127 = stablehlo.and %126, %119 : tensor<8xi1>
    %128 = stablehlo.broadcast_in_dim %114, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %129 = stablehlo.add %116, %128 : tensor<8xi32>
    %130 = stablehlo.select %127, %129, %116 : tensor<8xi1>, tensor<8xi32>
    %131 = stablehlo.constant dense<0> : tensor<i32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %133 = stablehlo.compare LT, %arg1, %132, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %134 = stablehlo.constant dense<32> : tensor<i32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %136 = stablehlo.add %arg1, %135 : tensor<8xi32>
    %137 = stablehlo.select %133, %136, %arg1 : tensor<8xi1>, tensor<8xi32>
    %138 = stablehlo.constant dense<0> : tensor<i32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %140 = stablehlo.compare LT, %130, %139, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %141 = stablehlo.constant dense<16> : tensor<i32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %143 = stablehlo.add %130, %142 : tensor<8xi32>
    %144 = stablehlo.select %140, %143, %130 : tensor<8xi1>, tensor<8xi32>
    %145 = stablehlo.broadcast_in_dim %137, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %146 = stablehlo.broadcast_in_dim %144, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %147 = stablehlo.concatenate %145, %146, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
    %148 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %150 = "stablehlo.all_gather"(%147) <{channel_handle = #stablehlo.channel_handle<handle = 10, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8x2xi32>) -> tensor<16x2xi32>
    %151 = "stablehlo.all_gather"(%149) <{channel_handle = #stablehlo.channel_handle<handle = 11, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8xf32>) -> tensor<16xf32>
    %152 = stablehlo.constant dense<[0, 0, 0, 4, 0, 8, 0, 12, 16, 0, 16, 4, 16, 8, 16, 12]> : tensor<16xi32>
    %153 = stablehlo.partition_id : tensor<ui32>
    %154 = stablehlo.constant dense<2> : tensor<ui32>
    %155 = stablehlo.multiply %153, %154 : tensor<ui32>
    %156 = stablehlo.dynamic_slice %152, %155, sizes = [2] : (tensor<16xi32>, tensor<ui32>) -> tensor<2xi32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [1] : (tensor<2xi32>) -> tensor<16x2xi32>
    %158 = stablehlo.subtract %150, %157 : tensor<16x2xi32>
    %162 = "stablehlo.scatter"(%arg0, %158, %151) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%159: tensor<f32>, %160: tensor<f32>):
      %161 = stablehlo.multiply %159, %160 : tensor<f32>
      stablehlo.return %161 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<16x2xi32>, tensor<16xf32>) -> tensor<16x4xf32>
    %163 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %165 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %166 = stablehlo.constant dense<0.0> : tensor<32x16xf32>
    %170 = "stablehlo.scatter"(%166, %165, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%167: tensor<f32>, %168: tensor<f32>):
      %169 = stablehlo.add %167, %168 : tensor<f32>
      stablehlo.return %169 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<8x1xi32>, tensor<8x16xf32>) -> tensor<32x16xf32>
    %171 = "stablehlo.all_reduce"(%170) <{channel_handle = #stablehlo.channel_handle<handle = 12, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%172: tensor<f32>, %173: tensor<f32>):
      %174 = stablehlo.add %172, %173 : tensor<f32>
      stablehlo.return %174 : tensor<f32>
    }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %175 = stablehlo.add %171, %164 : tensor<32x16xf32>
    %176 = stablehlo.constant dense<0> : tensor<i32>
    %177 = stablehlo.broadcast_in_dim %176, dims = [] : (tensor<i32>) -> tensor<32xi32>
    %178 = stablehlo.constant dense<0> : tensor<i32>
    %179 = stablehlo.convert %178 : tensor<i32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %181 = stablehlo.maximum %180, %arg1 : tensor<8xi32>
    %182 = stablehlo.constant dense<0> : tensor<i32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %184 = stablehlo.compare LT, %181, %183, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %185 = stablehlo.constant dense<32> : tensor<i32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %187 = stablehlo.add %181, %186 : tensor<8xi32>
    %188 = stablehlo.select %184, %187, %181 : tensor<8xi1>, tensor<8xi32>
    %189 = stablehlo.broadcast_in_dim %188, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %190 = stablehlo.constant dense<1> : tensor<i32>
    %191 = stablehlo.broadcast_in_dim %190, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %192 = stablehlo.constant dense<0> : tensor<32xi32>
    %196 = "stablehlo.scatter"(%192, %189, %191) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%193: tensor<i32>, %194: tensor<i32>):
      %195 = stablehlo.add %193, %194 : tensor<i32>
      stablehlo.return %195 : tensor<i32>
    }) : (tensor<32xi32>, tensor<8x1xi32>, tensor<8xi32>) -> tensor<32xi32>
    %197 = "stablehlo.all_reduce"(%196) <{channel_handle = #stablehlo.channel_handle<handle = 13, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%198: tensor<i32>, %199: tensor<i32>):
      %200 = stablehlo.add %198, %199 : tensor<i32>
      stablehlo.return %200 : tensor<i32>
    }) : (tensor<32xi32>) -> tensor<32xi32>
    %201 = stablehlo.add %197, %177 : tensor<32xi32>
    %202 = "stablehlo.all_gather"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 14, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8xi32>) -> tensor<16xi32>
    %203 = stablehlo.slice %202 [0:1] : (tensor<16xi32>) -> tensor<1xi32>
    %204 = "stablehlo.all_gather"(%203) <{channel_handle = #stablehlo.channel_handle<handle = 15, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<1xi32>) -> tensor<2xi32>
    %205 = stablehlo.slice %204 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %206 = stablehlo.reshape %205 : (tensor<1xi32>) -> tensor<i32>
    %207 = stablehlo.constant dense<0> : tensor<i32>
    %208 = stablehlo.compare LT, %206, %207, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %209 = stablehlo.constant dense<32> : tensor<i32>
    %210 = stablehlo.add %206, %209 : tensor<i32>
    %211 = stablehlo.select %208, %210, %206 : tensor<i1>, tensor<i32>
    %212 = stablehlo.broadcast_in_dim %211, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %213 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %213, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %215 = stablehlo.constant dense<[0, 0, 0, 0, 16, 16, 16, 16]> : tensor<8xi32>
    %216 = stablehlo.partition_id : tensor<ui32>
    %217 = stablehlo.constant dense<1> : tensor<ui32>
    %218 = stablehlo.multiply %216, %217 : tensor<ui32>
    %219 = stablehlo.dynamic_slice %215, %218, sizes = [1] : (tensor<8xi32>, tensor<ui32>) -> tensor<1xi32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [0] : (tensor<1xi32>) -> tensor<1xi32>
    %221 = stablehlo.subtract %212, %220 : tensor<1xi32>
    %224 = "stablehlo.scatter"(%arg0, %221, %214) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%222: tensor<f32>, %223: tensor<f32>):
      stablehlo.return %223 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<1xi32>, tensor<4xf32>) -> tensor<16x4xf32>
    %225 = "stablehlo.all_gather"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 16, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8xi32>) -> tensor<16xi32>
    %226 = stablehlo.slice %225 [1:2] : (tensor<16xi32>) -> tensor<1xi32>
    %227 = "stablehlo.all_gather"(%226) <{channel_handle = #stablehlo.channel_handle<handle = 17, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<1xi32>) -> tensor<2xi32>
    %228 = stablehlo.slice %227 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %229 = stablehlo.reshape %228 : (tensor<1xi32>) -> tensor<i32>
    %230 = stablehlo.constant dense<0> : tensor<i32>
    %231 = stablehlo.compare LT, %229, %230, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %232 = stablehlo.constant dense<32> : tensor<i32>
    %233 = stablehlo.add %229, %232 : tensor<i32>
    %234 = stablehlo.select %231, %233, %229 : tensor<i1>, tensor<i32>
    %235 = stablehlo.constant dense<0> : tensor<i32>
    %236 = stablehlo.constant dense<0> : tensor<i64>
    %237 = stablehlo.partition_id : tensor<ui32>
    %238 = stablehlo.constant dense<[0, 4, 8, 12, 0, 4, 8, 12]> : tensor<8xi64>
    %239 = stablehlo.dynamic_slice %238, %237, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %240 = stablehlo.reshape %239 : (tensor<1xi64>) -> tensor<i64>
    %241 = stablehlo.dynamic_slice %arg2, %236, %240, sizes = [8, 4] : (tensor<8x16xf32>, tensor<i64>, tensor<i64>) -> tensor<8x4xf32>
    %242 = "stablehlo.all_gather"(%241) <{channel_handle = #stablehlo.channel_handle<handle = 18, type = 1>, all_gather_dim = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<16x4xf32>
    %243 = stablehlo.constant dense<0.0> : tensor<f32>
    %244 = stablehlo.pad %arg0, %243, low = [16, 0], high = [16, 0], interior = [0, 0] : (tensor<16x4xf32>, tensor<f32>) -> tensor<48x4xf32>
    %245 = stablehlo.partition_id : tensor<ui32>
    %246 = stablehlo.constant dense<[0, 0, 0, 0, 16, 16, 16, 16]> : tensor<8xi64>
    %247 = stablehlo.dynamic_slice %246, %245, sizes = [1] : (tensor<8xi64>, tensor<ui32>) -> tensor<1xi64>
    %248 = stablehlo.reshape %247 : (tensor<1xi64>) -> tensor<i64>
    %249 = stablehlo.constant dense<0> : tensor<i64>
    %250 = stablehlo.constant dense<16> : tensor<i64>
    %251 = stablehlo.constant dense<16> : tensor<i64>
    %252 = stablehlo.convert %234 : (tensor<i32>) -> tensor<i64>
    %253 = stablehlo.clamp %249, %252, %250 : tensor<i64>
    %254 = stablehlo.subtract %253, %248 : tensor<i64>
    %255 = stablehlo.add %254, %251 : tensor<i64>
    %256 = stablehlo.maximum %255, %249 : tensor<i64>
    %257 = stablehlo.convert %256 : (tensor<i64>) -> tensor<i32>
    %258 = stablehlo.dynamic_update_slice %244, %242, %257, %235 : (tensor<48x4xf32>, tensor<16x4xf32>, tensor<i32>, tensor<i32>) -> tensor<48x4xf32>
    %259 = stablehlo.slice %258 [16:32, 0:4] : (tensor<48x4xf32>) -> tensor<16x4xf32>
    return %9, %36, %58, %85, %108, %162, %175, %201, %224, %259 : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<32x16xf32>, tensor<32xi32>, tensor<16x4xf32>, tensor<16x4xf32>
  }
}
