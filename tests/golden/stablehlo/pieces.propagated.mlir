module @jit_bn attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, %arg1: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}, %arg2: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}) -> (tensor<8x128x256xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, tensor<8x128x512xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, tensor<8x130x256xf32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, tensor<8x64x256xf32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, tensor<8x128x256xf32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, tensor<8x128x128xf32> {jax.result_info = "result[5][0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, tensor<8x128x128xf32> {jax.result_info = "result[5][1]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, tensor<2x8x128x256xf32> {jax.result_info = "result[6]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}, {"model"}]>}, tensor<8x128xi32> {jax.result_info = "result[7]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<f32> {jax.result_info = "result[8]"}, tensor<8x256x256xf32> {jax.result_info = "result[9]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, tensor<8x128x256xf32> {jax.result_info = "result[10]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, tensor<8x128x256xf32> {jax.result_info = "result[11]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, tensor<8x256x256xf32> {jax.result_info = "result[12]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}]>}, tensor<8x128xf32> {jax.result_info = "result[13]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2 = sdy.constant dense<1.024000e+03> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<f32>) -> tensor<256xf32>
    %4 = stablehlo.divide %1, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : tensor<256xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %7 = stablehlo.subtract %arg0, %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %8 = sdy.constant dense<0> : tensor<i32>
    %9 = call @_var(%arg0, %8) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<8x128x256xf32>, tensor<i32>) -> tensor<256xf32>
    %10 = sdy.constant dense<9.99999974E-6> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<f32>) -> tensor<256xf32>
    %12 = stablehlo.add %9, %11 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : tensor<256xf32>
    %13 = stablehlo.sqrt %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : tensor<256xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %16 = stablehlo.divide %7, %15 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %17 = stablehlo.broadcast_in_dim %arg1, dims = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %19 = stablehlo.multiply %16, %18 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %20 = stablehlo.broadcast_in_dim %arg2, dims = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %22 = stablehlo.add %19, %21 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %23 = call @silu(%22) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %24 = sdy.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.reduce(%23 init: %24) applies stablehlo.maximum across dimensions = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    %26 = stablehlo.broadcast_in_dim %24, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<f32>) -> tensor<8x128xf32>
    %27 = stablehlo.maximum %26, %25 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<8x128xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x1xf32>) -> tensor<8x128x256xf32>
    %30 = stablehlo.subtract %23, %29 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %31 = stablehlo.exponential %30 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %32 = stablehlo.reduce(%31 init: %0) applies stablehlo.add across dimensions = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x1xf32>) -> tensor<8x128x256xf32>
    %35 = stablehlo.divide %31, %34 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %36 = stablehlo.concatenate %22, %22, dim = 2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x512xf32>
    %37 = call @_pad(%22, %8) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>, tensor<i32>) -> tensor<8x130x256xf32>
    %38 = stablehlo.slice %22 [0:8, 0:128:2, 0:256] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x64x256xf32>
    %39 = call @_roll_static(%22) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %40 = stablehlo.slice %22 [0:8, 0:128, 0:128] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x128x128xf32>
    %41 = stablehlo.slice %22 [0:8, 0:128, 128:256] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x128x128xf32>
    %42 = stablehlo.broadcast_in_dim %22, dims = [1, 2, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>) -> tensor<1x8x128x256xf32>
    %43 = stablehlo.broadcast_in_dim %22, dims = [1, 2, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>) -> tensor<1x8x128x256xf32>
    %44 = stablehlo.concatenate %42, %43, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {}, {"model"}]>]>} : (tensor<1x8x128x256xf32>, tensor<1x8x128x256xf32>) -> tensor<2x8x128x256xf32>
    %45 = call @argmax(%22) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x128xi32>
    %46 = call @norm(%22) : (tensor<8x128x256xf32>) -> tensor<f32>
    %47 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x128x2x256xf32>
    %48 = stablehlo.reshape %47 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x2x256xf32>) -> tensor<8x256x256xf32>
    %49 = stablehlo.reverse %22, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %50 = call @argmax(%22) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x128xi32>
    %51 = call @_one_hot(%50) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128xi32>) -> tensor<8x128x256xf32>
    %52 = stablehlo.dot_general %22, %22, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x256x256xf32>
    %53 = call @median(%22) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x128xf32>
    return %35, %36, %37, %38, %39, %40, %41, %44, %45, %46, %48, %49, %51, %52, %53 : tensor<8x128x256xf32>, tensor<8x128x512xf32>, tensor<8x130x256xf32>, tensor<8x64x256xf32>, tensor<8x128x256xf32>, tensor<8x128x128xf32>, tensor<8x128x128xf32>, tensor<2x8x128x256xf32>, tensor<8x128xi32>, tensor<f32>, tensor<8x256x256xf32>, tensor<8x128x256xf32>, tensor<8x128x256xf32>, tensor<8x256x256xf32>, tensor<8x128xf32>
  }
  func.func private @_where(%arg0: tensor<i1> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg1: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}, %arg2: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<f32>) -> tensor<256xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : tensor<i1>, tensor<256xf32>
    return %2 : tensor<256xf32>
  }
  func.func private @_var(%arg0: tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}) {
    %0 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %3 = sdy.constant dense<1.024000e+03> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<1x1x256xf32>
    %5 = stablehlo.divide %2, %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<1x1x256xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<1x1x256xf32>) -> tensor<8x128x256xf32>
    %7 = stablehlo.subtract %arg0, %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %8 = chlo.square %7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<8x128x256xf32> -> tensor<8x128x256xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %10 = stablehlo.subtract %3, %9 : tensor<f32>
    %11 = stablehlo.reduce(%8 init: %0) applies stablehlo.add across dimensions = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<f32>) -> tensor<256xf32>
    %13 = stablehlo.divide %11, %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : tensor<256xf32>
    %14 = stablehlo.compare GT, %10, %0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %15 = sdy.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%14, %13, %15) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<i1>, tensor<256xf32>, tensor<f32>) -> tensor<256xf32>
    return %16 : tensor<256xf32>
  }
  func.func private @silu(%arg0: tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) -> (tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) {
    %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %1 = stablehlo.exponential %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %2 = sdy.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x128x256xf32>
    %4 = stablehlo.add %3, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %5 = stablehlo.divide %3, %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %6 = stablehlo.multiply %arg0, %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    return %6 : tensor<8x128x256xf32>
  }
  func.func private @_pad(%arg0: tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<8x130x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x130x256xf32>
    return %1 : tensor<8x130x256xf32>
  }
  func.func private @_roll_static(%arg0: tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) -> (tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) {
    %0 = stablehlo.slice %arg0 [0:8, 127:128, 0:256] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x1x256xf32>
    %1 = stablehlo.slice %arg0 [0:8, 0:127, 0:256] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x127x256xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x1x256xf32>, tensor<8x127x256xf32>) -> tensor<8x128x256xf32>
    return %2 : tensor<8x128x256xf32>
  }
  func.func private @argmax(%arg0: tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) -> (tensor<8x128xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = stablehlo.iota dim = 2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xi32>
    %1 = sdy.constant dense<0xFF800000> : tensor<f32>
    %2 = sdy.constant dense<0> : tensor<i32>
    %3:2 = stablehlo.reduce(%arg0 init: %1), (%0 init: %2) across dimensions = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<8x128x256xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x128xf32>, tensor<8x128xi32>)
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
    return %3#1 : tensor<8x128xi32>
  }
  func.func private @norm(%arg0: tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xf32>
    %1 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.sqrt %2 : tensor<f32>
    return %3 : tensor<f32>
  }
  func.func private @_one_hot(%arg0: tensor<8x128xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128xi32>) -> tensor<8x128x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x256xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128x1xi32>) -> tensor<8x128x256xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<1x1x256xi32>) -> tensor<8x128x256xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128x256xi32>, tensor<8x128x256xi32>) -> tensor<8x128x256xi1>
    %5 = stablehlo.convert %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128x256xi1>) -> tensor<8x128x256xf32>
    return %5 : tensor<8x128x256xf32>
  }
  func.func private @_where_0(%arg0: tensor<8x128x1xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %arg1: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg2: tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) -> (tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x1xi1>) -> tensor<8x128x256xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x128x256xf32>
    %3 = stablehlo.select %1, %2, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x256xi1>, tensor<8x128x256xf32>
    return %3 : tensor<8x128x256xf32>
  }
  func.func private @quantile(%arg0: tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, %arg1: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<8x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>, tensor<8x128x256xf32>) -> tensor<8x128x256xi1>
    %1 = sdy.constant dense<false> : tensor<i1>
    %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.or across dimensions = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x256xi1>, tensor<i1>) -> tensor<8x128xi1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128xi1>) -> tensor<8x128x1xi1>
    %4 = sdy.constant dense<0x7FC00000> : tensor<f32>
    %5 = call @_where_0(%3, %4, %arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x1xi1>, tensor<f32>, tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %6 = "stablehlo.sort"(%5) <{dimension = 2 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %28 = sdy.constant dense<0.000000e+00> : tensor<f32>
      %29 = stablehlo.compare EQ, %arg2, %28, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %30 = stablehlo.select %29, %28, %arg2 : tensor<i1>, tensor<f32>
      %31 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %32 = sdy.constant dense<0x7FC00000> : tensor<f32>
      %33 = stablehlo.select %31, %32, %30 : tensor<i1>, tensor<f32>
      %34 = stablehlo.compare EQ, %arg3, %28, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %35 = stablehlo.select %34, %28, %arg3 : tensor<i1>, tensor<f32>
      %36 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %37 = stablehlo.select %36, %32, %35 : tensor<i1>, tensor<f32>
      %38 = stablehlo.compare LT, %33, %37, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %38 : tensor<i1>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>) -> tensor<8x128x256xf32>
    %7 = sdy.constant dense<2.560000e+02> : tensor<f32>
    %8 = sdy.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.subtract %7, %8 : tensor<f32>
    %10 = stablehlo.multiply %arg1, %9 : tensor<f32>
    %11 = stablehlo.floor %10 : tensor<f32>
    %12 = stablehlo.ceil %10 : tensor<f32>
    %13 = stablehlo.subtract %7, %8 : tensor<f32>
    %14 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.clamp %14, %11, %13 : tensor<f32>
    %16 = stablehlo.subtract %7, %8 : tensor<f32>
    %17 = stablehlo.clamp %14, %12, %16 : tensor<f32>
    %18 = stablehlo.convert %15 : (tensor<f32>) -> tensor<i32>
    %19 = stablehlo.convert %17 : (tensor<f32>) -> tensor<i32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %21 = "stablehlo.gather"(%6, %20) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2]>, indices_are_sorted = false, slice_sizes = array<i64: 8, 128, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<1xi32>) -> tensor<8x128xf32>
    %22 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %23 = "stablehlo.gather"(%6, %22) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2]>, indices_are_sorted = false, slice_sizes = array<i64: 8, 128, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<1xi32>) -> tensor<8x128xf32>
    %24 = stablehlo.add %21, %23 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<8x128xf32>
    %25 = sdy.constant dense<5.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<f32>) -> tensor<8x128xf32>
    %27 = stablehlo.multiply %24, %26 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<8x128xf32>
    return %27 : tensor<8x128xf32>
  }
  func.func private @median(%arg0: tensor<8x128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) -> (tensor<8x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = sdy.constant dense<5.000000e-01> : tensor<f32>
    %1 = call @quantile(%arg0, %0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<f32>) -> tensor<8x128xf32>
    return %1 : tensor<8x128xf32>
  }
}
