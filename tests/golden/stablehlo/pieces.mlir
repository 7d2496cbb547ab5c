module @jit_bn attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, %arg1: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}, %arg2: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}) -> (tensor<8x128x256xf32> {jax.result_info = "result[0]"}, tensor<8x128x512xf32> {jax.result_info = "result[1]"}, tensor<8x130x256xf32> {jax.result_info = "result[2]"}, tensor<8x64x256xf32> {jax.result_info = "result[3]"}, tensor<8x128x256xf32> {jax.result_info = "result[4]"}, tensor<8x128x128xf32> {jax.result_info = "result[5][0]"}, tensor<8x128x128xf32> {jax.result_info = "result[5][1]"}, tensor<2x8x128x256xf32> {jax.result_info = "result[6]"}, tensor<8x128xi32> {jax.result_info = "result[7]"}, tensor<f32> {jax.result_info = "result[8]"}, tensor<8x256x256xf32> {jax.result_info = "result[9]"}, tensor<8x128x256xf32> {jax.result_info = "result[10]"}, tensor<8x128x256xf32> {jax.result_info = "result[11]"}, tensor<8x256x256xf32> {jax.result_info = "result[12]"}, tensor<8x128xf32> {jax.result_info = "result[13]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_0 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2 = stablehlo.divide %0, %1 : tensor<256xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x128x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = call @_var(%arg0, %c) : (tensor<8x128x256xf32>, tensor<i32>) -> tensor<256xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %8 = stablehlo.add %6, %7 : tensor<256xf32>
    %9 = stablehlo.sqrt %8 : tensor<256xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %12 = stablehlo.divide %5, %11 : tensor<8x128x256xf32>
    %13 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<8x128x256xf32>
    %16 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %18 = stablehlo.add %15, %17 : tensor<8x128x256xf32>
    %19 = call @silu(%18) : (tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x128xf32>
    %22 = stablehlo.maximum %21, %20 : tensor<8x128xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<8x128x1xf32>) -> tensor<8x128x256xf32>
    %25 = stablehlo.subtract %19, %24 : tensor<8x128x256xf32>
    %26 = stablehlo.exponential %25 : tensor<8x128x256xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<8x128x1xf32>) -> tensor<8x128x256xf32>
    %30 = stablehlo.divide %26, %29 : tensor<8x128x256xf32>
    %31 = stablehlo.concatenate %18, %18, dim = 2 : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x512xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %32 = call @_pad(%18, %c_5) : (tensor<8x128x256xf32>, tensor<i32>) -> tensor<8x130x256xf32>
    %33 = stablehlo.slice %18 [0:8, 0:128:2, 0:256] : (tensor<8x128x256xf32>) -> tensor<8x64x256xf32>
    %34 = call @_roll_static(%18) : (tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %35 = stablehlo.slice %18 [0:8, 0:128, 0:128] : (tensor<8x128x256xf32>) -> tensor<8x128x128xf32>
    %36 = stablehlo.slice %18 [0:8, 0:128, 128:256] : (tensor<8x128x256xf32>) -> tensor<8x128x128xf32>
    %37 = stablehlo.broadcast_in_dim %18, dims = [1, 2, 3] : (tensor<8x128x256xf32>) -> tensor<1x8x128x256xf32>
    %38 = stablehlo.broadcast_in_dim %18, dims = [1, 2, 3] : (tensor<8x128x256xf32>) -> tensor<1x8x128x256xf32>
    %39 = stablehlo.concatenate %37, %38, dim = 0 : (tensor<1x8x128x256xf32>, tensor<1x8x128x256xf32>) -> tensor<2x8x128x256xf32>
    %40 = call @argmax(%18) : (tensor<8x128x256xf32>) -> tensor<8x128xi32>
    %41 = call @norm(%18) : (tensor<8x128x256xf32>) -> tensor<f32>
    %42 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 3] : (tensor<8x128x256xf32>) -> tensor<8x128x2x256xf32>
    %43 = stablehlo.reshape %42 : (tensor<8x128x2x256xf32>) -> tensor<8x256x256xf32>
    %44 = stablehlo.reverse %18, dims = [0] : tensor<8x128x256xf32>
    %45 = call @argmax(%18) : (tensor<8x128x256xf32>) -> tensor<8x128xi32>
    %46 = call @_one_hot(%45) : (tensor<8x128xi32>) -> tensor<8x128x256xf32>
    %47 = stablehlo.dot_general %18, %18, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x256x256xf32>
    %48 = call @median(%18) : (tensor<8x128x256xf32>) -> tensor<8x128xf32>
    return %30, %31, %32, %33, %34, %35, %36, %39, %40, %41, %43, %44, %46, %47, %48 : tensor<8x128x256xf32>, tensor<8x128x512xf32>, tensor<8x130x256xf32>, tensor<8x64x256xf32>, tensor<8x128x256xf32>, tensor<8x128x128xf32>, tensor<8x128x128xf32>, tensor<2x8x128x256xf32>, tensor<8x128xi32>, tensor<f32>, tensor<8x256x256xf32>, tensor<8x128x256xf32>, tensor<8x128x256xf32>, tensor<8x256x256xf32>, tensor<8x128xf32>
  }
  func.func private @_var(%arg0: tensor<8x128x256xf32>, %arg1: tensor<i32>) -> tensor<256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %cst_0 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1x256xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x1x256xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x128x256xf32>
    %6 = chlo.square %5 : tensor<8x128x256xf32> -> tensor<8x128x256xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %11 = stablehlo.divide %9, %10 : tensor<256xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %13 = call @_where(%12, %11, %cst_4) : (tensor<i1>, tensor<256xf32>, tensor<f32>) -> tensor<256xf32>
    return %13 : tensor<256xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<256xf32>, %arg2: tensor<f32>) -> tensor<256xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<256xf32>
    return %2 : tensor<256xf32>
  }
  func.func private @silu(%arg0: tensor<8x128x256xf32>) -> tensor<8x128x256xf32> {
    %0 = stablehlo.negate %arg0 : tensor<8x128x256xf32>
    %1 = stablehlo.exponential %0 : tensor<8x128x256xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x128x256xf32>
    %3 = stablehlo.add %2, %1 : tensor<8x128x256xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x128x256xf32>
    %5 = stablehlo.divide %4, %3 : tensor<8x128x256xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<8x128x256xf32>
    return %6 : tensor<8x128x256xf32>
  }
  func.func private @_pad(%arg0: tensor<8x128x256xf32>, %arg1: tensor<i32>) -> tensor<8x130x256xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x130x256xf32>
    return %1 : tensor<8x130x256xf32>
  }
  func.func private @_roll_static(%arg0: tensor<8x128x256xf32>) -> tensor<8x128x256xf32> {
    %0 = stablehlo.slice %arg0 [0:8, 127:128, 0:256] : (tensor<8x128x256xf32>) -> tensor<8x1x256xf32>
    %1 = stablehlo.slice %arg0 [0:8, 0:127, 0:256] : (tensor<8x128x256xf32>) -> tensor<8x127x256xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<8x1x256xf32>, tensor<8x127x256xf32>) -> tensor<8x128x256xf32>
    return %2 : tensor<8x128x256xf32>
  }
  func.func private @argmax(%arg0: tensor<8x128x256xf32>) -> tensor<8x128xi32> {
    %0 = stablehlo.iota dim = 2 : tensor<8x128x256xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [2] : (tensor<8x128x256xf32>, tensor<8x128x256xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x128xf32>, tensor<8x128xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<8x128xi32>
  }
  func.func private @norm(%arg0: tensor<8x128x256xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<8x128x256xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @_one_hot(%arg0: tensor<8x128xi32>) -> tensor<8x128x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x128xi32>) -> tensor<8x128x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x256xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x128x1xi32>) -> tensor<8x128x256xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x256xi32>) -> tensor<8x128x256xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x128x256xi32>, tensor<8x128x256xi32>) -> tensor<8x128x256xi1>
    %5 = stablehlo.convert %4 : (tensor<8x128x256xi1>) -> tensor<8x128x256xf32>
    return %5 : tensor<8x128x256xf32>
  }
  func.func private @median(%arg0: tensor<8x128x256xf32>) -> tensor<8x128xf32> {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = call @quantile(%arg0, %cst) : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    return %0 : tensor<8x128xf32>
  }
  func.func private @quantile(%arg0: tensor<8x128x256xf32>, %arg1: tensor<f32>) -> tensor<8x128xf32> {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [2] : (tensor<8x128x256xi1>, tensor<i1>) -> tensor<8x128xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<8x128xi1>) -> tensor<8x128x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %3 = call @_where_0(%2, %cst, %arg0) : (tensor<8x128x1xi1>, tensor<f32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %4 = "stablehlo.sort"(%3) <{dimension = 2 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %22 = stablehlo.compare EQ, %arg2, %cst_9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %23 = stablehlo.select %22, %cst_10, %arg2 : tensor<i1>, tensor<f32>
      %24 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %25 = stablehlo.select %24, %cst_11, %23 : tensor<i1>, tensor<f32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %26 = stablehlo.compare EQ, %arg3, %cst_12, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %27 = stablehlo.select %26, %cst_13, %arg3 : tensor<i1>, tensor<f32>
      %28 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %29 = stablehlo.select %28, %cst_14, %27 : tensor<i1>, tensor<f32>
      %30 = stablehlo.compare LT, %25, %29, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    }) : (tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %cst_0 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.subtract %cst_0, %cst_1 : tensor<f32>
    %6 = stablehlo.multiply %arg1, %5 : tensor<f32>
    %7 = stablehlo.floor %6 : tensor<f32>
    %8 = stablehlo.ceil %6 : tensor<f32>
    %cst_2 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.subtract %cst_2, %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.clamp %cst_4, %7, %9 : tensor<f32>
    %cst_5 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.subtract %cst_5, %cst_6 : tensor<f32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.clamp %cst_7, %8, %11 : tensor<f32>
    %13 = stablehlo.convert %10 : (tensor<f32>) -> tensor<i32>
    %14 = stablehlo.convert %12 : (tensor<f32>) -> tensor<i32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %16 = "stablehlo.gather"(%4, %15) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2]>, indices_are_sorted = false, slice_sizes = array<i64: 8, 128, 1>}> : (tensor<8x128x256xf32>, tensor<1xi32>) -> tensor<8x128xf32>
    %17 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %18 = "stablehlo.gather"(%4, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2]>, indices_are_sorted = false, slice_sizes = array<i64: 8, 128, 1>}> : (tensor<8x128x256xf32>, tensor<1xi32>) -> tensor<8x128xf32>
    %19 = stablehlo.add %16, %18 : tensor<8x128xf32>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x128xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<8x128xf32>
    return %21 : tensor<8x128xf32>
  }
  func.func private @_where_0(%arg0: tensor<8x128x1xi1>, %arg1: tensor<f32>, %arg2: tensor<8x128x256xf32>) -> tensor<8x128x256xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<8x128x1xi1>) -> tensor<8x128x256xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x128x256xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<8x128x256xi1>, tensor<8x128x256xf32>
    return %3 : tensor<8x128x256xf32>
  }
}
