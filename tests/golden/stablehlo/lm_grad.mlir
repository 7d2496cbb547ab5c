module @jit_lm attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg1: tensor<256x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<8x32x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg3: tensor<256x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg4: tensor<256x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg5: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg6: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg7: tensor<8x128xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<1024x256xf32> {jax.result_info = "result[1]['e']"}, tensor<256x8x32xf32> {jax.result_info = "result[1]['k']"}, tensor<8x32x256xf32> {jax.result_info = "result[1]['o']"}, tensor<256x8x32xf32> {jax.result_info = "result[1]['q']"}, tensor<256x8x32xf32> {jax.result_info = "result[1]['v']"}, tensor<256x1024xf32> {jax.result_info = "result[1]['w1']"}, tensor<1024x256xf32> {jax.result_info = "result[1]['w2']"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x128xi32>
    %1 = stablehlo.compare LT, %arg7, %0, SIGNED : (tensor<8x128xi32>, tensor<8x128xi32>) -> tensor<8x128xi1>
    %c_0 = stablehlo.constant dense<1024> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x128xi32>
    %3 = stablehlo.add %arg7, %2 : tensor<8x128xi32>
    %4 = stablehlo.select %1, %3, %arg7 : tensor<8x128xi1>, tensor<8x128xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x128xi32>) -> tensor<8x128x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256>}> : (tensor<1024x256xf32>, tensor<8x128x1xi32>) -> tensor<8x128x256xf32>
    %7 = stablehlo.dot_general %6, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x128x256xf32>, tensor<256x8x32xf32>) -> tensor<8x128x8x32xf32>
    %8 = stablehlo.dot_general %6, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x128x256xf32>, tensor<256x8x32xf32>) -> tensor<8x128x8x32xf32>
    %9 = stablehlo.dot_general %6, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x128x256xf32>, tensor<256x8x32xf32>) -> tensor<8x128x8x32xf32>
    %10 = stablehlo.dot_general %7, %8, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x128x8x32xf32>, tensor<8x128x8x32xf32>) -> tensor<8x8x128x128xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x128x128xf32>
    %12 = stablehlo.divide %10, %11 : tensor<8x8x128x128xf32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<128x128xi1>
    %14 = call @tril(%13) : (tensor<128x128xi1>) -> tensor<128x128xi1>
    %cst_2 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %15:2 = call @_where(%14, %12, %cst_2) : (tensor<128x128xi1>, tensor<8x8x128x128xf32>, tensor<f32>) -> (tensor<8x8x128x128xf32>, tensor<8x8x128x128xi1>)
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15#0 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<8x8x128x128xf32>, tensor<f32>) -> tensor<8x8x128xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x8x128xf32>
    %18 = stablehlo.maximum %17, %16 : tensor<8x8x128xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<8x8x128xf32>) -> tensor<8x8x128x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<8x8x128x1xf32>) -> tensor<8x8x128x128xf32>
    %21 = stablehlo.subtract %15#0, %20 : tensor<8x8x128x128xf32>
    %22 = stablehlo.exponential %21 : tensor<8x8x128x128xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<8x8x128x128xf32>, tensor<f32>) -> tensor<8x8x128xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<8x8x128xf32>) -> tensor<8x8x128x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<8x8x128x1xf32>) -> tensor<8x8x128x128xf32>
    %26 = stablehlo.divide %22, %25 : tensor<8x8x128x128xf32>
    %27 = stablehlo.multiply %24, %24 : tensor<8x8x128x1xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x8x128x1xf32>
    %29 = stablehlo.divide %28, %27 : tensor<8x8x128x1xf32>
    %30 = stablehlo.dot_general %9, %26, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x128x8x32xf32>, tensor<8x8x128x128xf32>) -> tensor<8x8x32x128xf32>
    %31 = stablehlo.dot_general %30, %arg2, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x32x128xf32>, tensor<8x32x256xf32>) -> tensor<8x128x256xf32>
    %32 = stablehlo.add %6, %31 : tensor<8x128x256xf32>
    %33 = stablehlo.dot_general %32, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x128x256xf32>, tensor<256x1024xf32>) -> tensor<8x128x1024xf32>
    %34 = stablehlo.multiply %33, %33 : tensor<8x128x1024xf32>
    %35 = stablehlo.multiply %34, %33 : tensor<8x128x1024xf32>
    %36 = stablehlo.multiply %33, %33 : tensor<8x128x1024xf32>
    %cst_7 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x128x1024xf32>
    %38 = stablehlo.multiply %37, %36 : tensor<8x128x1024xf32>
    %cst_8 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x128x1024xf32>
    %40 = stablehlo.multiply %39, %35 : tensor<8x128x1024xf32>
    %41 = stablehlo.add %33, %40 : tensor<8x128x1024xf32>
    %cst_9 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x128x1024xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<8x128x1024xf32>
    %44 = stablehlo.tanh %43 : tensor<8x128x1024xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x128x1024xf32>
    %46 = stablehlo.subtract %45, %44 : tensor<8x128x1024xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x128x1024xf32>
    %48 = stablehlo.add %47, %44 : tensor<8x128x1024xf32>
    %cst_12 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x128x1024xf32>
    %50 = stablehlo.multiply %49, %48 : tensor<8x128x1024xf32>
    %51 = stablehlo.multiply %33, %50 : tensor<8x128x1024xf32>
    %52 = stablehlo.dot_general %51, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x128x1024xf32>, tensor<1024x256xf32>) -> tensor<8x128x256xf32>
    %53 = stablehlo.add %32, %52 : tensor<8x128x256xf32>
    %54 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %55 = stablehlo.dot_general %53, %54, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x128x256xf32>, tensor<256x1024xf32>) -> tensor<8x128x1024xf32>
    %56:3 = call @log_softmax(%55) : (tensor<8x128x1024xf32>) -> (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>, tensor<8x128x1xf32>)
    %57 = stablehlo.slice %56#0 [0:8, 0:127, 0:1024] : (tensor<8x128x1024xf32>) -> tensor<8x127x1024xf32>
    %58 = stablehlo.slice %arg7 [0:8, 1:128] : (tensor<8x128xi32>) -> tensor<8x127xi32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1] : (tensor<8x127xi32>) -> tensor<8x127x1xi32>
    %60:2 = call @take_along_axis(%57, %59) : (tensor<8x127x1024xf32>, tensor<8x127x1xi32>) -> (tensor<8x127x1xf32>, tensor<8x127x1x1xi32>)
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.reduce(%60#0 init: %cst_13) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x127x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_14 = stablehlo.constant dense<1.016000e+03> : tensor<f32>
    %62 = stablehlo.divide %61, %cst_14 : tensor<f32>
    %63 = stablehlo.negate %62 : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.negate %cst_15 : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.016000e+03> : tensor<f32>
    %65 = stablehlo.divide %64, %cst_16 : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [] : (tensor<f32>) -> tensor<8x127x1xf32>
    %67 = call @take_along_axis_0(%60#1, %66) : (tensor<8x127x1x1xi32>, tensor<8x127x1xf32>) -> tensor<8x127x1024xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.pad %67, %cst_17, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<8x127x1024xf32>, tensor<f32>) -> tensor<8x128x1024xf32>
    %69 = call @log_softmax_1(%56#1, %56#2, %68) : (tensor<8x128x1024xf32>, tensor<8x128x1xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %70 = stablehlo.dot_general %69, %53, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x128x1024xf32>, tensor<8x128x256xf32>) -> tensor<1024x256xf32>
    %71 = stablehlo.transpose %70, dims = [1, 0] : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %72 = stablehlo.dot_general %69, %54, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x128x1024xf32>, tensor<256x1024xf32>) -> tensor<8x128x256xf32>
    %73 = stablehlo.transpose %71, dims = [1, 0] : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %74 = stablehlo.dot_general %72, %51, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x128x256xf32>, tensor<8x128x1024xf32>) -> tensor<256x1024xf32>
    %75 = stablehlo.transpose %74, dims = [1, 0] : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %76 = stablehlo.dot_general %72, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x128x256xf32>, tensor<1024x256xf32>) -> tensor<8x128x1024xf32>
    %77 = stablehlo.multiply %33, %76 : tensor<8x128x1024xf32>
    %78 = stablehlo.multiply %76, %50 : tensor<8x128x1024xf32>
    %cst_18 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x128x1024xf32>
    %80 = stablehlo.multiply %79, %77 : tensor<8x128x1024xf32>
    %81 = stablehlo.multiply %80, %46 : tensor<8x128x1024xf32>
    %82 = stablehlo.multiply %81, %44 : tensor<8x128x1024xf32>
    %83 = stablehlo.add %81, %82 : tensor<8x128x1024xf32>
    %cst_19 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x128x1024xf32>
    %85 = stablehlo.multiply %84, %83 : tensor<8x128x1024xf32>
    %86 = stablehlo.add %78, %85 : tensor<8x128x1024xf32>
    %cst_20 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x128x1024xf32>
    %88 = stablehlo.multiply %87, %85 : tensor<8x128x1024xf32>
    %89 = stablehlo.multiply %88, %38 : tensor<8x128x1024xf32>
    %90 = stablehlo.add %86, %89 : tensor<8x128x1024xf32>
    %91 = stablehlo.dot_general %90, %32, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x128x1024xf32>, tensor<8x128x256xf32>) -> tensor<1024x256xf32>
    %92 = stablehlo.transpose %91, dims = [1, 0] : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %93 = stablehlo.dot_general %90, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x128x1024xf32>, tensor<256x1024xf32>) -> tensor<8x128x256xf32>
    %94 = stablehlo.add %72, %93 : tensor<8x128x256xf32>
    %95 = stablehlo.dot_general %94, %30, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x128x256xf32>, tensor<8x8x32x128xf32>) -> tensor<256x8x32xf32>
    %96 = stablehlo.transpose %95, dims = [1, 2, 0] : (tensor<256x8x32xf32>) -> tensor<8x32x256xf32>
    %97 = stablehlo.dot_general %94, %arg2, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x128x256xf32>, tensor<8x32x256xf32>) -> tensor<8x128x8x32xf32>
    %98 = stablehlo.transpose %97, dims = [0, 2, 3, 1] : (tensor<8x128x8x32xf32>) -> tensor<8x8x32x128xf32>
    %99 = stablehlo.dot_general %98, %9, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x8x32x128xf32>, tensor<8x128x8x32xf32>) -> tensor<8x8x128x128xf32>
    %100 = stablehlo.dot_general %98, %26, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x32x128xf32>, tensor<8x8x128x128xf32>) -> tensor<8x8x32x128xf32>
    %101 = stablehlo.transpose %100, dims = [0, 3, 1, 2] : (tensor<8x8x32x128xf32>) -> tensor<8x128x8x32xf32>
    %102 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<8x8x128x1xf32>) -> tensor<8x8x128x128xf32>
    %103 = stablehlo.multiply %99, %102 : tensor<8x8x128x128xf32>
    %104 = stablehlo.multiply %103, %22 : tensor<8x8x128x128xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.reduce(%104 init: %cst_21) applies stablehlo.add across dimensions = [3] : (tensor<8x8x128x128xf32>, tensor<f32>) -> tensor<8x8x128xf32>
    %106 = stablehlo.reshape %105 : (tensor<8x8x128xf32>) -> tensor<8x8x128x1xf32>
    %107 = stablehlo.negate %106 : tensor<8x8x128x1xf32>
    %108 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<8x8x128x1xf32>) -> tensor<8x8x128x128xf32>
    %109 = stablehlo.divide %99, %108 : tensor<8x8x128x128xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.reduce(%107 init: %cst_22) applies stablehlo.add across dimensions = [3] : (tensor<8x8x128x1xf32>, tensor<f32>) -> tensor<8x8x128xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2] : (tensor<8x8x128xf32>) -> tensor<8x8x128x128xf32>
    %112 = stablehlo.add %109, %111 : tensor<8x8x128x128xf32>
    %113 = stablehlo.multiply %112, %22 : tensor<8x8x128x128xf32>
    %114 = call @_where_2(%15#1, %113) : (tensor<8x8x128x128xi1>, tensor<8x8x128x128xf32>) -> tensor<8x8x128x128xf32>
    %cst_23 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x8x128x128xf32>
    %116 = stablehlo.divide %114, %115 : tensor<8x8x128x128xf32>
    %117 = stablehlo.dot_general %116, %7, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x128x128xf32>, tensor<8x128x8x32xf32>) -> tensor<8x8x128x32xf32>
    %118 = stablehlo.transpose %117, dims = [0, 2, 1, 3] : (tensor<8x8x128x32xf32>) -> tensor<8x128x8x32xf32>
    %119 = stablehlo.dot_general %116, %8, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x128x128xf32>, tensor<8x128x8x32xf32>) -> tensor<8x8x128x32xf32>
    %120 = stablehlo.transpose %119, dims = [0, 2, 1, 3] : (tensor<8x8x128x32xf32>) -> tensor<8x128x8x32xf32>
    %121 = stablehlo.dot_general %101, %6, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x128x8x32xf32>, tensor<8x128x256xf32>) -> tensor<8x32x256xf32>
    %122 = stablehlo.transpose %121, dims = [2, 0, 1] : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %123 = stablehlo.dot_general %101, %arg4, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<8x128x256xf32>
    %124 = stablehlo.add %94, %123 : tensor<8x128x256xf32>
    %125 = stablehlo.dot_general %118, %6, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x128x8x32xf32>, tensor<8x128x256xf32>) -> tensor<8x32x256xf32>
    %126 = stablehlo.transpose %125, dims = [2, 0, 1] : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %127 = stablehlo.dot_general %118, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<8x128x256xf32>
    %128 = stablehlo.add %124, %127 : tensor<8x128x256xf32>
    %129 = stablehlo.dot_general %120, %6, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x128x8x32xf32>, tensor<8x128x256xf32>) -> tensor<8x32x256xf32>
    %130 = stablehlo.transpose %129, dims = [2, 0, 1] : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %131 = stablehlo.dot_general %120, %arg3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<8x128x256xf32>
    %132 = stablehlo.add %128, %131 : tensor<8x128x256xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %134 = "stablehlo.scatter"(%133, %5, %132) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %136 = stablehlo.add %arg8, %arg9 : tensor<f32>
      stablehlo.return %136 : tensor<f32>
    }) : (tensor<1024x256xf32>, tensor<8x128x1xi32>, tensor<8x128x256xf32>) -> tensor<1024x256xf32>
    %135 = stablehlo.add %73, %134 : tensor<1024x256xf32>
    return %63, %135, %126, %96, %130, %122, %92, %75 : tensor<f32>, tensor<1024x256xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>
  }
  func.func private @tril(%arg0: tensor<128x128xi1>) -> tensor<128x128xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<128x128xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<128x128xi32>
    %2 = stablehlo.add %0, %1 : tensor<128x128xi32>
    %3 = stablehlo.iota dim = 1 : tensor<128x128xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<128x128xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<128x128xi1>, tensor<128x128xi1>
    return %6 : tensor<128x128xi1>
  }
  func.func private @_where(%arg0: tensor<128x128xi1>, %arg1: tensor<8x8x128x128xf32>, %arg2: tensor<f32>) -> (tensor<8x8x128x128xf32>, tensor<8x8x128x128xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<128x128xi1>) -> tensor<8x8x128x128xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x8x128x128xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<8x8x128x128xi1>, tensor<8x8x128x128xf32>
    return %3, %1 : tensor<8x8x128x128xf32>, tensor<8x8x128x128xi1>
  }
  func.func private @log_softmax(%arg0: tensor<8x128x1024xf32>) -> (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>, tensor<8x128x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<8x128x1024xf32>, tensor<f32>) -> tensor<8x128xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x128xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<8x128xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x128x1xf32>) -> tensor<8x128x1024xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x128x1024xf32>
    %6 = stablehlo.exponential %5 : tensor<8x128x1024xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x128x1024xf32>, tensor<f32>) -> tensor<8x128xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %9 = stablehlo.log %8 : tensor<8x128x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<8x128x1xf32>) -> tensor<8x128x1024xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<8x128x1024xf32>
    return %11, %6, %8 : tensor<8x128x1024xf32>, tensor<8x128x1024xf32>, tensor<8x128x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x127x1024xf32>, %arg1: tensor<8x127x1xi32>) -> (tensor<8x127x1xf32>, tensor<8x127x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x127x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x127x1xi32>, tensor<8x127x1xi32>) -> tensor<8x127x1xi1>
    %c_0 = stablehlo.constant dense<1024> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x127x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x127x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<8x127x1xi1>, tensor<8x127x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x127x1xi32>) -> tensor<8x127x1x1xi32>
    %c_1 = stablehlo.constant dense<1023> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x127x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x127x1x1xi32>, tensor<8x127x1x1xi32>) -> tensor<8x127x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<8x127x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x127x1x1xi32>, tensor<8x127x1x1xi32>) -> tensor<8x127x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x127x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<8x127x1x1xi1>, tensor<i1>) -> tensor<8x127x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x127x1024xf32>, tensor<8x127x1x1xi32>) -> tensor<8x127x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x127x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<8x127x1xi1>, tensor<8x127x1xf32>
    return %15, %5 : tensor<8x127x1xf32>, tensor<8x127x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<8x127x1x1xi32>, %arg1: tensor<8x127x1xf32>) -> tensor<8x127x1024xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x127x1024xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x127x1024xf32>, tensor<8x127x1x1xi32>, tensor<8x127x1xf32>) -> tensor<8x127x1024xf32>
    return %1 : tensor<8x127x1024xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<8x128x1024xf32>, %arg1: tensor<8x128x1xf32>, %arg2: tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32> {
    %0 = stablehlo.negate %arg2 : tensor<8x128x1024xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x128x1024xf32>, tensor<f32>) -> tensor<8x128xf32>
    %2 = stablehlo.reshape %1 : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<8x128x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x128x1xf32>, tensor<f32>) -> tensor<8x128xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x128xf32>) -> tensor<8x128x1024xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<8x128x1024xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<8x128x1024xf32>
    return %7 : tensor<8x128x1024xf32>
  }
  func.func private @_where_2(%arg0: tensor<8x8x128x128xi1>, %arg1: tensor<8x8x128x128xf32>) -> tensor<8x8x128x128xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x128x128xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x8x128x128xi1>, tensor<8x8x128x128xf32>
    return %1 : tensor<8x8x128x128xf32>
  }
}
