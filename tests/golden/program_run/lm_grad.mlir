module @jit_lm attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg1: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<4x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg3: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg4: tensor<4x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<32x16xf32> {jax.result_info = "result[1]['e']"}, tensor<16x4x4xf32> {jax.result_info = "result[1]['k']"}, tensor<4x4x16xf32> {jax.result_info = "result[1]['o']"}, tensor<16x4x4xf32> {jax.result_info = "result[1]['q']"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %1 = stablehlo.compare LT, %arg4, %0, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %3 = stablehlo.add %arg4, %2 : tensor<4x8xi32>
    %4 = stablehlo.select %1, %3, %arg4 : tensor<4x8xi1>, tensor<4x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
    %7 = stablehlo.dot_general %6, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x4x4xf32>) -> tensor<4x8x4x4xf32>
    %8 = stablehlo.dot_general %6, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x4x4xf32>) -> tensor<4x8x4x4xf32>
    %9 = stablehlo.dot_general %7, %8, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %11 = stablehlo.reshape %10 : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %13 = stablehlo.compare EQ, %9, %12, FLOAT : (tensor<4x4x8x8xf32>, tensor<4x4x8x8xf32>) -> tensor<4x4x8x8xi1>
    %14 = stablehlo.convert %13 : (tensor<4x4x8x8xi1>) -> tensor<4x4x8x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %17 = stablehlo.maximum %16, %10 : tensor<4x4x8xf32>
    %18 = stablehlo.compare EQ, %10, %17, FLOAT : (tensor<4x4x8xf32>, tensor<4x4x8xf32>) -> tensor<4x4x8xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %21 = stablehlo.select %18, %19, %20 : tensor<4x4x8xi1>, tensor<4x4x8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %23 = stablehlo.compare EQ, %22, %17, FLOAT : (tensor<4x4x8xf32>, tensor<4x4x8xf32>) -> tensor<4x4x8xi1>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %26 = stablehlo.select %23, %24, %25 : tensor<4x4x8xi1>, tensor<4x4x8xf32>
    %27 = stablehlo.divide %21, %26 : tensor<4x4x8xf32>
    %28 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %30 = stablehlo.subtract %9, %29 : tensor<4x4x8x8xf32>
    %31 = stablehlo.exponential %30 : tensor<4x4x8x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %35 = stablehlo.divide %31, %34 : tensor<4x4x8x8xf32>
    %36 = stablehlo.multiply %33, %33 : tensor<4x4x8x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x4x8x1xf32>
    %38 = stablehlo.divide %37, %36 : tensor<4x4x8x1xf32>
    %39 = stablehlo.dot_general %7, %35, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %40 = stablehlo.dot_general %39, %arg2, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<4x4x16xf32>) -> tensor<4x8x16xf32>
    %41 = stablehlo.add %6, %40 : tensor<4x8x16xf32>
    %42 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %43 = stablehlo.dot_general %41, %42, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %44:3 = call @log_softmax(%43) : (tensor<4x8x32xf32>) -> (tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x1xf32>)
    %45 = stablehlo.slice %44#0 [0:4, 0:7, 0:32] : (tensor<4x8x32xf32>) -> tensor<4x7x32xf32>
    %46 = stablehlo.slice %arg4 [0:4, 1:8] : (tensor<4x8xi32>) -> tensor<4x7xi32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1] : (tensor<4x7xi32>) -> tensor<4x7x1xi32>
    %48:2 = call @take_along_axis(%45, %47) : (tensor<4x7x32xf32>, tensor<4x7x1xi32>) -> (tensor<4x7x1xf32>, tensor<4x7x1x1xi32>)
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%48#0 init: %cst_10) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x7x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<2.800000e+01> : tensor<f32>
    %50 = stablehlo.divide %49, %cst_11 : tensor<f32>
    %51 = stablehlo.negate %50 : tensor<f32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.negate %cst_12 : tensor<f32>
    %cst_13 = stablehlo.constant dense<2.800000e+01> : tensor<f32>
    %53 = stablehlo.divide %52, %cst_13 : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [] : (tensor<f32>) -> tensor<4x7x1xf32>
    %55 = call @take_along_axis_0(%48#1, %54) : (tensor<4x7x1x1xi32>, tensor<4x7x1xf32>) -> tensor<4x7x32xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.pad %55, %cst_14, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<4x7x32xf32>, tensor<f32>) -> tensor<4x8x32xf32>
    %57 = call @log_softmax_1(%44#1, %44#2, %56) : (tensor<4x8x32xf32>, tensor<4x8x1xf32>, tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
    %58 = stablehlo.dot_general %57, %41, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %59 = stablehlo.transpose %58, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %60 = stablehlo.dot_general %57, %42, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %61 = stablehlo.transpose %59, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %62 = stablehlo.dot_general %60, %39, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x4x4x8xf32>) -> tensor<16x4x4xf32>
    %63 = stablehlo.transpose %62, dims = [1, 2, 0] : (tensor<16x4x4xf32>) -> tensor<4x4x16xf32>
    %64 = stablehlo.dot_general %60, %arg2, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x4x16xf32>) -> tensor<4x8x4x4xf32>
    %65 = stablehlo.transpose %64, dims = [0, 2, 3, 1] : (tensor<4x8x4x4xf32>) -> tensor<4x4x4x8xf32>
    %66 = stablehlo.dot_general %65, %7, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x8xf32>
    %67 = stablehlo.dot_general %65, %35, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %68 = stablehlo.transpose %67, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xf32>) -> tensor<4x8x4x4xf32>
    %69 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %70 = stablehlo.multiply %66, %69 : tensor<4x4x8x8xf32>
    %71 = stablehlo.multiply %70, %31 : tensor<4x4x8x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.reduce(%71 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %73 = stablehlo.reshape %72 : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %74 = stablehlo.negate %73 : tensor<4x4x8x1xf32>
    %75 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %76 = stablehlo.divide %66, %75 : tensor<4x4x8x8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%74 init: %cst_16) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x1xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x8xf32>
    %79 = stablehlo.add %76, %78 : tensor<4x4x8x8xf32>
    %80 = stablehlo.multiply %79, %31 : tensor<4x4x8x8xf32>
    %81 = stablehlo.dot_general %80, %7, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x4xf32>
    %82 = stablehlo.transpose %81, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %83 = stablehlo.dot_general %80, %8, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x4xf32>
    %84 = stablehlo.transpose %83, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %85 = stablehlo.add %68, %84 : tensor<4x8x4x4xf32>
    %86 = stablehlo.dot_general %82, %6, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %87 = stablehlo.transpose %86, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %88 = stablehlo.dot_general %82, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<4x8x16xf32>
    %89 = stablehlo.add %60, %88 : tensor<4x8x16xf32>
    %90 = stablehlo.dot_general %85, %6, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %91 = stablehlo.transpose %90, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %92 = stablehlo.dot_general %85, %arg3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<4x8x16xf32>
    %93 = stablehlo.add %89, %92 : tensor<4x8x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %95 = "stablehlo.scatter"(%94, %5, %93) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %97 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %97 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %96 = stablehlo.add %61, %95 : tensor<32x16xf32>
    return %51, %96, %87, %63, %91 : tensor<f32>, tensor<32x16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x8x32xf32>) -> (tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x8x32xf32>
    %6 = stablehlo.exponential %5 : tensor<4x8x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %9 = stablehlo.log %8 : tensor<4x8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x8x32xf32>
    return %11, %6, %8 : tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x7x32xf32>, %arg1: tensor<4x7x1xi32>) -> (tensor<4x7x1xf32>, tensor<4x7x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x7x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x7x1xi32>, tensor<4x7x1xi32>) -> tensor<4x7x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x7x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x7x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x7x1xi1>, tensor<4x7x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x7x1xi32>) -> tensor<4x7x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x7x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x7x1x1xi32>, tensor<4x7x1x1xi32>) -> tensor<4x7x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x7x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x7x1x1xi32>, tensor<4x7x1x1xi32>) -> tensor<4x7x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x7x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x7x1x1xi1>, tensor<i1>) -> tensor<4x7x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x7x32xf32>, tensor<4x7x1x1xi32>) -> tensor<4x7x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x7x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x7x1xi1>, tensor<4x7x1xf32>
    return %15, %5 : tensor<4x7x1xf32>, tensor<4x7x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<4x7x1x1xi32>, %arg1: tensor<4x7x1xf32>) -> tensor<4x7x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x7x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x7x32xf32>, tensor<4x7x1x1xi32>, tensor<4x7x1xf32>) -> tensor<4x7x32xf32>
    return %1 : tensor<4x7x32xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<4x8x32xf32>, %arg1: tensor<4x8x1xf32>, %arg2: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
    %0 = stablehlo.negate %arg2 : tensor<4x8x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<4x8x32xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<4x8x32xf32>
    return %7 : tensor<4x8x32xf32>
  }
}
