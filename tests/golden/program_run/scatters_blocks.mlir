module @jit_scatters attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %arg2: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<16x16xf32> {jax.result_info = "result[0]"}, tensor<32x16xf32> {jax.result_info = "result[1]"}, tensor<32x16xf32> {jax.result_info = "result[2]"}, tensor<32x16xf32> {jax.result_info = "result[3]"}, tensor<32x16xf32> {jax.result_info = "result[4]"}, tensor<32x16xf32> {jax.result_info = "result[5]"}, tensor<32x16xf32> {jax.result_info = "result[6]"}, tensor<32xi32> {jax.result_info = "result[7]"}, tensor<32x16xf32> {jax.result_info = "result[8]"}, tensor<32x16xf32> {jax.result_info = "result[9]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<16xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<16xi1>, tensor<16xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<16x1xi32>) -> tensor<16x16xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %8 = stablehlo.compare LT, %arg1, %7, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_2 = stablehlo.constant dense<32> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %10 = stablehlo.add %arg1, %9 : tensor<16xi32>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<16xi1>, tensor<16xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %13 = "stablehlo.scatter"(%arg0, %12, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %80 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %80 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<16x1xi32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %15 = stablehlo.compare LT, %arg1, %14, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_4 = stablehlo.constant dense<32> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %17 = stablehlo.add %arg1, %16 : tensor<16xi32>
    %18 = stablehlo.select %15, %17, %arg1 : tensor<16xi1>, tensor<16xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %21 = "stablehlo.scatter"(%arg0, %19, %20) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<16x1xi32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %23 = stablehlo.compare LT, %arg1, %22, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_6 = stablehlo.constant dense<32> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %25 = stablehlo.add %arg1, %24 : tensor<16xi32>
    %26 = stablehlo.select %23, %25, %arg1 : tensor<16xi1>, tensor<16xi32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %28 = "stablehlo.scatter"(%arg0, %27, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %80 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %80 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<16x1xi32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %30 = stablehlo.compare LT, %arg1, %29, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_8 = stablehlo.constant dense<32> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %32 = stablehlo.add %arg1, %31 : tensor<16xi32>
    %33 = stablehlo.select %30, %32, %arg1 : tensor<16xi1>, tensor<16xi32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %36 = "stablehlo.scatter"(%arg0, %34, %35) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %80 = stablehlo.multiply %arg3, %arg4 : tensor<f32>
      stablehlo.return %80 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<16x1xi32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %c_10 = stablehlo.constant dense<16> : tensor<i32>
    %37 = call @remainder(%arg1, %c_10) : (tensor<16xi32>, tensor<i32>) -> tensor<16xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %39 = stablehlo.compare LT, %arg1, %38, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_12 = stablehlo.constant dense<32> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %41 = stablehlo.add %arg1, %40 : tensor<16xi32>
    %42 = stablehlo.select %39, %41, %arg1 : tensor<16xi1>, tensor<16xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %44 = stablehlo.compare LT, %37, %43, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_14 = stablehlo.constant dense<16> : tensor<i32>
    %45 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %46 = stablehlo.add %37, %45 : tensor<16xi32>
    %47 = stablehlo.select %44, %46, %37 : tensor<16xi1>, tensor<16xi32>
    %48 = stablehlo.broadcast_in_dim %42, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %49 = stablehlo.broadcast_in_dim %47, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %50 = stablehlo.concatenate %48, %49, dim = 1 : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x2xi32>
    %cst_15 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %52 = "stablehlo.scatter"(%arg0, %50, %51) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %80 = stablehlo.multiply %arg3, %arg4 : tensor<f32>
      stablehlo.return %80 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<16x2xi32>, tensor<16xf32>) -> tensor<32x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %54 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %55 = "stablehlo.scatter"(%53, %54, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %80 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %80 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<16x1xi32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<32xi32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %57 = call @clip(%arg1, %c_18) : (tensor<16xi32>, tensor<i32>) -> tensor<16xi32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %58 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %59 = stablehlo.compare LT, %57, %58, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_20 = stablehlo.constant dense<32> : tensor<i32>
    %60 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %61 = stablehlo.add %57, %60 : tensor<16xi32>
    %62 = stablehlo.select %59, %61, %57 : tensor<16xi1>, tensor<16xi32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %c_21 = stablehlo.constant dense<1> : tensor<i32>
    %64 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %65 = "stablehlo.scatter"(%56, %63, %64) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %80 = stablehlo.add %arg3, %arg4 : tensor<i32>
      stablehlo.return %80 : tensor<i32>
    }) : (tensor<32xi32>, tensor<16x1xi32>, tensor<16xi32>) -> tensor<32xi32>
    %66 = stablehlo.slice %arg1 [0:1] : (tensor<16xi32>) -> tensor<1xi32>
    %67 = stablehlo.reshape %66 : (tensor<1xi32>) -> tensor<i32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %68 = stablehlo.compare LT, %67, %c_22, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_23 = stablehlo.constant dense<32> : tensor<i32>
    %69 = stablehlo.add %67, %c_23 : tensor<i32>
    %70 = stablehlo.select %68, %69, %67 : tensor<i1>, tensor<i32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_24 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %73 = "stablehlo.scatter"(%arg0, %71, %72) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<1xi32>, tensor<16xf32>) -> tensor<32x16xf32>
    %74 = stablehlo.slice %arg1 [1:2] : (tensor<16xi32>) -> tensor<1xi32>
    %75 = stablehlo.reshape %74 : (tensor<1xi32>) -> tensor<i32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %76 = stablehlo.compare LT, %75, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_26 = stablehlo.constant dense<32> : tensor<i32>
    %77 = stablehlo.add %75, %c_26 : tensor<i32>
    %78 = stablehlo.select %76, %77, %75 : tensor<i1>, tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %79 = stablehlo.dynamic_update_slice %arg0, %arg2, %78, %c_27 : (tensor<32x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<i32>) -> tensor<32x16xf32>
    return %6, %13, %21, %28, %36, %52, %55, %65, %73, %79 : tensor<16x16xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32xi32>, tensor<32x16xf32>, tensor<32x16xf32>
  }
  func.func private @remainder(%arg0: tensor<16xi32>, %arg1: tensor<i32>) -> tensor<16xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<16xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<16xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<16xi1>, tensor<16xi1>) -> tensor<16xi1>
    %12 = stablehlo.and %11, %6 : tensor<16xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %14 = stablehlo.add %4, %13 : tensor<16xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<16xi1>, tensor<16xi32>
    return %15 : tensor<16xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @clip(%arg0: tensor<16xi32>, %arg1: tensor<i32>) -> tensor<16xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<16xi32>
    return %2 : tensor<16xi32>
  }
}
