module @jit_uneven attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<16x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> (tensor<7x16xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<16xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}, tensor<f32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<8x15xf32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<7xf32> {jax.result_info = "result[5]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<5xf32> {jax.result_info = "result[6]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<7x16xf32> {jax.result_info = "result[7]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<16xf32> {jax.result_info = "result[8]", sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}, tensor<7x12xf32> {jax.result_info = "result[9]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8xf32> {jax.result_info = "result[10]"}, tensor<16xi32> {jax.result_info = "result[11]", sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}, tensor<7x16xf32> {jax.result_info = "result[12]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) {
    %0 = stablehlo.slice %arg0 [1:8, 0:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<8x16xf32>) -> tensor<7x16xf32>
    %1 = stablehlo.concatenate %0, %arg0, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<7x16xf32>, tensor<8x16xf32>) -> tensor<15x16xf32>
    %2 = sdy.constant dense<0> : tensor<i32>
    %3 = call @_pad(%arg0, %2) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x16xf32>, tensor<i32>) -> tensor<11x17xf32>
    %4 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>
    %5 = stablehlo.slice %4 [0:8, 0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<8x12xf32>) -> tensor<8x7xf32>
    %6 = sdy.reshard %5 <@mesh, [{}, {"model"}]> : tensor<8x7xf32>
    %7 = call @diff(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x16xf32>) -> tensor<8x15xf32>
    %8 = sdy.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}]>]>} : (tensor<f32>) -> tensor<5xf32>
    %10 = stablehlo.slice %arg0 [0:1, 0:1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<8x16xf32>) -> tensor<1x1xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x1xf32>) -> tensor<f32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}]>]>} : (tensor<f32>) -> tensor<5xf32>
    %13 = stablehlo.multiply %9, %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}]>]>} : tensor<5xf32>
    %14 = sdy.reshard %13 <@mesh, [{"data"}]> : tensor<5xf32>
    %15 = sdy.constant dense<2.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<7x16xf32>
    %17 = stablehlo.multiply %0, %16 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<7x16xf32>
    %18 = sdy.reshard %17 <@mesh, [{"data"}, {"model"}]> : tensor<7x16xf32>
    %19 = sdy.reshard %18 <@mesh, [{}, {"model"}]> : tensor<7x16xf32>
    %20 = sdy.reshard %18 <@mesh, [{}, {"model"}]> : tensor<7x16xf32>
    %21 = stablehlo.multiply %0, %16 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<7x16xf32>
    %22 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%1 init: %22) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<15x16xf32>, tensor<f32>) -> tensor<16xf32>
    %24 = stablehlo.reduce(%3 init: %22) applies stablehlo.add across dimensions = [0, 1] : (tensor<11x17xf32>, tensor<f32>) -> tensor<f32>
    %25 = sdy.constant dense<1.870000e+02> : tensor<f32>
    %26 = stablehlo.divide %24, %25 : tensor<f32>
    %27 = stablehlo.reduce(%6 init: %22) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x7xf32>, tensor<f32>) -> tensor<f32>
    %28 = sdy.constant dense<0xFF800000> : tensor<f32>
    %29 = stablehlo.reduce(%6 init: %28) applies stablehlo.maximum across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<8x7xf32>, tensor<f32>) -> tensor<7xf32>
    %30 = stablehlo.tanh %14 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}]>]>} : tensor<5xf32>
    %31 = stablehlo.reduce(%18 init: %22) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<7x16xf32>, tensor<f32>) -> tensor<16xf32>
    %32 = stablehlo.dot_general %18, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<7x16xf32>, tensor<16x12xf32>) -> tensor<7x12xf32>
    %33 = stablehlo.reduce(%6 init: %8) applies stablehlo.multiply across dimensions = [1] : (tensor<8x7xf32>, tensor<f32>) -> tensor<8xf32>
    %34 = call @argmax(%20) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<7x16xf32>) -> tensor<16xi32>
    %35 = call @sort(%19) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<7x16xf32>) -> tensor<7x16xf32>
    return %21, %23, %26, %27, %7, %29, %30, %18, %31, %32, %33, %34, %35 : tensor<7x16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>, tensor<8x15xf32>, tensor<7xf32>, tensor<5xf32>, tensor<7x16xf32>, tensor<16xf32>, tensor<7x12xf32>, tensor<8xf32>, tensor<16xi32>, tensor<7x16xf32>
  }
  func.func private @_pad(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<11x17xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1], high = [3, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<11x17xf32>
    return %1 : tensor<11x17xf32>
  }
  func.func private @diff(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> (tensor<8x15xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = stablehlo.slice %arg0 [0:8, 1:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<8x16xf32>) -> tensor<8x15xf32>
    %1 = stablehlo.slice %arg0 [0:8, 0:15] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<8x16xf32>) -> tensor<8x15xf32>
    %2 = stablehlo.subtract %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<8x15xf32>
    return %2 : tensor<8x15xf32>
  }
  func.func private @argmax(%arg0: tensor<7x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}) {
    %0 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<7x16xi32>
    %1 = sdy.constant dense<0xFF800000> : tensor<f32>
    %2 = sdy.constant dense<0> : tensor<i32>
    %3:2 = stablehlo.reduce(%arg0 init: %1), (%0 init: %2) across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>, <@mesh, [{"model"}]>]>} : (tensor<7x16xf32>, tensor<7x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<16xf32>, tensor<16xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %4 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.or %4, %5 : tensor<i1>
      %7 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = stablehlo.and %7, %8 : tensor<i1>
      %10 = stablehlo.or %6, %9 : tensor<i1>
      %11 = stablehlo.select %6, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %12 = stablehlo.select %10, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %11, %12 : tensor<f32>, tensor<i32>
    }
    return %3#1 : tensor<16xi32>
  }
  func.func private @sort(%arg0: tensor<7x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<7x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = sdy.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.compare EQ, %arg1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.select %2, %1, %arg1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = sdy.constant dense<0x7FC00000> : tensor<f32>
      %6 = stablehlo.select %4, %5, %3 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare EQ, %arg2, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %1, %arg2 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = stablehlo.select %9, %5, %8 : tensor<i1>, tensor<f32>
      %11 = stablehlo.compare LT, %6, %10, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<7x16xf32>) -> tensor<7x16xf32>
    return %0 : tensor<7x16xf32>
  }
}
