module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<4x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg2: tensor<4x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg3: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<8x4xf32> {jax.result_info = "result['g']"}, tensor<4x8x16xf32> {jax.result_info = "result['w1']"}, tensor<4x16x8xf32> {jax.result_info = "result['w2']"}) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %2 = stablehlo.reshape %1 : (tensor<16xf32>) -> tensor<16x1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %4 = stablehlo.compare EQ, %0, %3, FLOAT : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xi1>
    %5 = stablehlo.convert %4 : (tensor<16x4xi1>) -> tensor<16x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %8 = stablehlo.maximum %7, %1 : tensor<16xf32>
    %9 = stablehlo.compare EQ, %1, %8, FLOAT : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %12 = stablehlo.select %9, %10, %11 : tensor<16xi1>, tensor<16xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %14 = stablehlo.compare EQ, %13, %8, FLOAT : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %17 = stablehlo.select %14, %15, %16 : tensor<16xi1>, tensor<16xf32>
    %18 = stablehlo.divide %12, %17 : tensor<16xf32>
    %19 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %21 = stablehlo.subtract %0, %20 : tensor<16x4xf32>
    %22 = stablehlo.exponential %21 : tensor<16x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %26 = stablehlo.divide %22, %25 : tensor<16x4xf32>
    %27 = stablehlo.multiply %24, %24 : tensor<16x1xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %29 = stablehlo.divide %28, %27 : tensor<16x1xf32>
    %values, %indices = chlo.top_k(%26, k = 2) : tensor<16x4xf32> -> (tensor<16x2xf32>, tensor<16x2xi32>)
    %30 = stablehlo.reshape %indices : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %31 = call @_one_hot(%indices) : (tensor<16x2xi32>) -> tensor<16x2x4xf32>
    %32 = stablehlo.broadcast_in_dim %values, dims = [0, 1] : (tensor<16x2xf32>) -> tensor<16x2x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<16x2x1xf32>) -> tensor<16x2x4xf32>
    %34 = stablehlo.multiply %31, %33 : tensor<16x2x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<16x2x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    %36 = call @cumsum(%35) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %37 = stablehlo.dot_general %arg1, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x8xf32>) -> tensor<4x16x16xf32>
    %38 = stablehlo.transpose %37, dims = [0, 2, 1] : (tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %39:3 = call @silu(%38) : (tensor<4x16x16xf32>) -> (tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>)
    %cst_10 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %41 = stablehlo.compare LT, %36, %40, FLOAT : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xi1>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %42:2 = call @_where(%41, %35, %c) : (tensor<16x4xi1>, tensor<16x4xf32>, tensor<i32>) -> (tensor<16x4xf32>, tensor<16x4xf32>)
    %43 = stablehlo.dot_general %arg2, %39#0, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<4x16x16xf32>) -> tensor<4x8x16xf32>
    %44 = stablehlo.dot_general %42#0, %43, batching_dims = [0] x [2], contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<4x8x16xf32>) -> tensor<16x8xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<f32>
    %46 = "stablehlo.reduce_window"(%44, %45) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %85 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      stablehlo.return %85 : tensor<f32>
    }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %47 = stablehlo.multiply %44, %44 : tensor<16x8xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %49 = stablehlo.multiply %48, %44 : tensor<16x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%47 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %52 = stablehlo.multiply %51, %49 : tensor<16x8xf32>
    %53 = stablehlo.dot_general %52, %42#0, batching_dims = [0] x [0], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<16x4xf32>) -> tensor<16x8x4xf32>
    %54 = stablehlo.transpose %53, dims = [2, 1, 0] : (tensor<16x8x4xf32>) -> tensor<4x8x16xf32>
    %55 = stablehlo.dot_general %52, %43, batching_dims = [0] x [2], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<4x8x16xf32>) -> tensor<16x4xf32>
    %56 = stablehlo.dot_general %54, %arg2, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x16x8xf32>) -> tensor<4x16x16xf32>
    %57 = stablehlo.dot_general %54, %39#0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x16x16xf32>) -> tensor<4x8x16xf32>
    %58 = stablehlo.transpose %57, dims = [0, 2, 1] : (tensor<4x8x16xf32>) -> tensor<4x16x8xf32>
    %59 = call @_where_1(%41, %42#1, %55) : (tensor<16x4xi1>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %60 = call @silu_2(%39#1, %39#2, %38, %56) : (tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %61 = stablehlo.transpose %60, dims = [0, 2, 1] : (tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %62 = stablehlo.dot_general %61, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<16x8xf32>) -> tensor<4x16x8xf32>
    %63 = stablehlo.transpose %62, dims = [0, 2, 1] : (tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
    %64 = stablehlo.broadcast_in_dim %59, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x2x4xf32>
    %65 = stablehlo.multiply %31, %64 : tensor<16x2x4xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%65 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<16x2x4xf32>, tensor<f32>) -> tensor<16x2xf32>
    %67 = stablehlo.reshape %66 : (tensor<16x2xf32>) -> tensor<16x2x1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.reduce(%67 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<16x2x1xf32>, tensor<f32>) -> tensor<16x2xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %70 = "stablehlo.scatter"(%69, %30, %68) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %85 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %85 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x4xf32>
    %71 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %72 = stablehlo.multiply %70, %71 : tensor<16x4xf32>
    %73 = stablehlo.multiply %72, %22 : tensor<16x4xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%73 init: %cst_18) applies stablehlo.add across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %75 = stablehlo.reshape %74 : (tensor<16xf32>) -> tensor<16x1xf32>
    %76 = stablehlo.negate %75 : tensor<16x1xf32>
    %77 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %78 = stablehlo.divide %70, %77 : tensor<16x4xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%76 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0] : (tensor<16xf32>) -> tensor<16x4xf32>
    %81 = stablehlo.add %78, %80 : tensor<16x4xf32>
    %82 = stablehlo.multiply %81, %22 : tensor<16x4xf32>
    %83 = stablehlo.dot_general %82, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %84 = stablehlo.transpose %83, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    return %84, %63, %58 : tensor<8x4xf32>, tensor<4x8x16xf32>, tensor<4x16x8xf32>
  }
  func.func private @_one_hot(%arg0: tensor<16x2xi32>) -> tensor<16x2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<16x2x1xi32>) -> tensor<16x2x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x4xi32>) -> tensor<16x2x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<16x2x4xi32>, tensor<16x2x4xi32>) -> tensor<16x2x4xi1>
    %5 = stablehlo.convert %4 : (tensor<16x2x4xi1>) -> tensor<16x2x4xf32>
    return %5 : tensor<16x2x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    return %0 : tensor<16x4xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[15, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 16, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    return %1 : tensor<16x4xf32>
  }
  func.func private @silu(%arg0: tensor<4x16x16xf32>) -> (tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<4x16x16xf32>
    %1 = stablehlo.exponential %0 : tensor<4x16x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x16x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x16x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x16x16xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<4x16x16xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<4x16x16xf32>
    return %9, %8, %5 : tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>
  }
  func.func private @_where(%arg0: tensor<16x4xi1>, %arg1: tensor<16x4xf32>, %arg2: tensor<i32>) -> (tensor<16x4xf32>, tensor<16x4xf32>) {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<16x4xi1>, tensor<16x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    return %2, %3 : tensor<16x4xf32>, tensor<16x4xf32>
  }
  func.func private @_where_1(%arg0: tensor<16x4xi1>, %arg1: tensor<16x4xf32>, %arg2: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<16x4xi1>, tensor<16x4xf32>
    return %1 : tensor<16x4xf32>
  }
  func.func private @silu_2(%arg0: tensor<4x16x16xf32>, %arg1: tensor<4x16x16xf32>, %arg2: tensor<4x16x16xf32>, %arg3: tensor<4x16x16xf32>) -> tensor<4x16x16xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x16x16xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x16x16xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<4x16x16xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x16x16xf32>
    return %3 : tensor<4x16x16xf32>
  }
}
