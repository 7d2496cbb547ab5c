module @jit_functions attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg2: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> (tensor<8x16xf32> {jax.result_info = "result[0]"}, tensor<8x16xf32> {jax.result_info = "result[1]"}, tensor<8x16xf32> {jax.result_info = "result[2]"}, tensor<8x16xf32> {jax.result_info = "result[3]"}, tensor<8x16xf32> {jax.result_info = "result[4]"}, tensor<8x16xf32> {jax.result_info = "result[5]"}, tensor<8x16xf32> {jax.result_info = "result[6]"}, tensor<8x16xf32> {jax.result_info = "result[7]"}, tensor<8x16xf32> {jax.result_info = "result[8]"}, tensor<8x16xf32> {jax.result_info = "result[9]"}, tensor<8x16xf32> {jax.result_info = "result[10]"}, tensor<8x16xf32> {jax.result_info = "result[11]"}, tensor<8x16xf32> {jax.result_info = "result[12]"}, tensor<8x16xf32> {jax.result_info = "result[13]"}, tensor<8x16xi32> {jax.result_info = "result[14]"}, tensor<8x16xi32> {jax.result_info = "result[15]"}, tensor<8x16xf32> {jax.result_info = "result[16]"}, tensor<8x16xf32> {jax.result_info = "result[17]"}) {
    %0 = stablehlo.abs %arg0 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %4 = stablehlo.divide %arg0, %3 : tensor<8x16xf32>
    %5 = chlo.asin %4 : tensor<8x16xf32> -> tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %7 = stablehlo.divide %arg0, %6 : tensor<8x16xf32>
    %8 = chlo.acos %7 : tensor<8x16xf32> -> tensor<8x16xf32>
    %9 = chlo.atan %arg0 : tensor<8x16xf32> -> tensor<8x16xf32>
    %10 = chlo.sinh %arg0 : tensor<8x16xf32> -> tensor<8x16xf32>
    %11 = chlo.cosh %arg0 : tensor<8x16xf32> -> tensor<8x16xf32>
    %12 = chlo.asinh %arg0 : tensor<8x16xf32> -> tensor<8x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %14 = stablehlo.add %2, %13 : tensor<8x16xf32>
    %15 = call @arccosh(%14) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %cst_3 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %17 = stablehlo.divide %arg0, %16 : tensor<8x16xf32>
    %18 = chlo.atanh %17 : tensor<8x16xf32> -> tensor<8x16xf32>
    %19 = chlo.erf %arg0 : tensor<8x16xf32> -> tensor<8x16xf32>
    %20 = chlo.erfc %arg0 : tensor<8x16xf32> -> tensor<8x16xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %22 = stablehlo.divide %arg0, %21 : tensor<8x16xf32>
    %23 = chlo.erf_inv %22 : tensor<8x16xf32> -> tensor<8x16xf32>
    %24 = chlo.lgamma %2 : tensor<8x16xf32> -> tensor<8x16xf32>
    %25 = chlo.next_after %arg0, %arg1 : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
    %26 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<8x16xf32>
    %27 = stablehlo.count_leading_zeros %arg2 : tensor<8x16xi32>
    %28 = stablehlo.popcnt %arg2 : tensor<8x16xi32>
    %29 = call @floor_divide(%arg0, %arg1) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %30 = call @copysign(%arg0, %arg1) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    return %5, %8, %9, %10, %11, %12, %15, %18, %19, %20, %23, %24, %25, %26, %27, %28, %29, %30 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xi32>, tensor<8x16xi32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  func.func private @arccosh(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = chlo.acosh %arg0 : tensor<8x16xf32> -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
  func.func private @floor_divide(%arg0: tensor<8x16xf32>, %arg1: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2 = stablehlo.compare EQ, %arg1, %1, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %3 = stablehlo.subtract %arg0, %0 : tensor<8x16xf32>
    %4 = call @_where(%2, %arg0, %3) : (tensor<8x16xi1>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %5 = stablehlo.divide %4, %arg1 : tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %7 = stablehlo.compare NE, %0, %6, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %8 = stablehlo.sign %arg1 : tensor<8x16xf32>
    %9 = stablehlo.sign %0 : tensor<8x16xf32>
    %10 = stablehlo.compare NE, %8, %9, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x16xi1>
    %12 = stablehlo.add %0, %arg1 : tensor<8x16xf32>
    %13 = stablehlo.select %11, %12, %0 : tensor<8x16xi1>, tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %15 = stablehlo.subtract %5, %14 : tensor<8x16xf32>
    %16 = stablehlo.select %11, %15, %5 : tensor<8x16xi1>, tensor<8x16xf32>
    %17 = stablehlo.round_nearest_afz %16 : tensor<8x16xf32>
    return %17 : tensor<8x16xf32>
  }
  func.func private @_where(%arg0: tensor<8x16xi1>, %arg1: tensor<8x16xf32>, %arg2: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8x16xi1>, tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
  func.func private @copysign(%arg0: tensor<8x16xf32>, %arg1: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = call @signbit(%arg1) : (tensor<8x16xf32>) -> tensor<8x16xi1>
    %1 = stablehlo.abs %arg0 : tensor<8x16xf32>
    %2 = stablehlo.negate %1 : tensor<8x16xf32>
    %3 = stablehlo.abs %arg0 : tensor<8x16xf32>
    %4 = call @_where(%0, %2, %3) : (tensor<8x16xi1>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    return %4 : tensor<8x16xf32>
  }
  func.func private @signbit(%arg0: tensor<8x16xf32>) -> tensor<8x16xi1> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<8x16xf32>) -> tensor<8x16xi32>
    %c = stablehlo.constant dense<31> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<8x16xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %4 = stablehlo.compare NE, %2, %3, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
    %5 = stablehlo.convert %4 : tensor<8x16xi1>
    return %5 : tensor<8x16xi1>
  }
}
