module @jit_uneven attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<16x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> (tensor<7x16xf32> {jax.result_info = "result[0]"}, tensor<16xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<8x15xf32> {jax.result_info = "result[4]"}, tensor<7xf32> {jax.result_info = "result[5]"}, tensor<5xf32> {jax.result_info = "result[6]"}, tensor<7x16xf32> {jax.result_info = "result[7]"}, tensor<16xf32> {jax.result_info = "result[8]"}, tensor<7x12xf32> {jax.result_info = "result[9]"}, tensor<8xf32> {jax.result_info = "result[10]"}, tensor<16xi32> {jax.result_info = "result[11]"}, tensor<7x16xf32> {jax.result_info = "result[12]"}) {
    %0 = stablehlo.slice %arg0 [1:8, 0:16] : (tensor<8x16xf32>) -> tensor<7x16xf32>
    %1 = stablehlo.concatenate %0, %arg0, dim = 0 : (tensor<7x16xf32>, tensor<8x16xf32>) -> tensor<15x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = call @_pad(%arg0, %c) : (tensor<8x16xf32>, tensor<i32>) -> tensor<11x17xf32>
    %3 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>
    %4 = stablehlo.slice %3 [0:8, 0:7] : (tensor<8x12xf32>) -> tensor<8x7xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{}, {"model"}]> : tensor<8x7xf32>
    %6 = call @diff(%arg0) : (tensor<8x16xf32>) -> tensor<8x15xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %8 = stablehlo.slice %arg0 [0:1, 0:1] : (tensor<8x16xf32>) -> tensor<1x1xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x1xf32>) -> tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %11 = stablehlo.multiply %7, %10 : tensor<5xf32>
    %12 = sdy.sharding_constraint %11 <@mesh, [{"data"}]> : tensor<5xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7x16xf32>
    %14 = stablehlo.multiply %0, %13 : tensor<7x16xf32>
    %15 = sdy.sharding_constraint %14 <@mesh, [{"data"}, {"model"}]> : tensor<7x16xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7x16xf32>
    %17 = stablehlo.multiply %0, %16 : tensor<7x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%1 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<15x16xf32>, tensor<f32>) -> tensor<16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%2 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<11x17xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<1.870000e+02> : tensor<f32>
    %20 = stablehlo.divide %19, %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%5 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x7xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.reduce(%5 init: %cst_6) applies stablehlo.maximum across dimensions = [0] : (tensor<8x7xf32>, tensor<f32>) -> tensor<7xf32>
    %23 = stablehlo.tanh %12 : tensor<5xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%15 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<7x16xf32>, tensor<f32>) -> tensor<16xf32>
    %25 = stablehlo.dot_general %15, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x16xf32>, tensor<16x12xf32>) -> tensor<7x12xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%5 init: %cst_8) applies stablehlo.multiply across dimensions = [1] : (tensor<8x7xf32>, tensor<f32>) -> tensor<8xf32>
    %27 = call @argmax(%15) : (tensor<7x16xf32>) -> tensor<16xi32>
    %28 = call @sort(%15) : (tensor<7x16xf32>) -> tensor<7x16xf32>
    return %17, %18, %20, %21, %6, %22, %23, %15, %24, %25, %26, %27, %28 : tensor<7x16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>, tensor<8x15xf32>, tensor<7xf32>, tensor<5xf32>, tensor<7x16xf32>, tensor<16xf32>, tensor<7x12xf32>, tensor<8xf32>, tensor<16xi32>, tensor<7x16xf32>
  }
  func.func private @_pad(%arg0: tensor<8x16xf32>, %arg1: tensor<i32>) -> tensor<11x17xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1], high = [3, 0], interior = [0, 0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<11x17xf32>
    return %1 : tensor<11x17xf32>
  }
  func.func private @diff(%arg0: tensor<8x16xf32>) -> tensor<8x15xf32> {
    %0 = stablehlo.slice %arg0 [0:8, 1:16] : (tensor<8x16xf32>) -> tensor<8x15xf32>
    %1 = stablehlo.slice %arg0 [0:8, 0:15] : (tensor<8x16xf32>) -> tensor<8x15xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<8x15xf32>
    return %2 : tensor<8x15xf32>
  }
  func.func private @argmax(%arg0: tensor<7x16xf32>) -> tensor<16xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<7x16xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<7x16xf32>, tensor<7x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<16xf32>, tensor<16xi32>)
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
    return %1#1 : tensor<16xi32>
  }
  func.func private @sort(%arg0: tensor<7x16xf32>) -> tensor<7x16xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<7x16xf32>) -> tensor<7x16xf32>
    return %0 : tensor<7x16xf32>
  }
}
