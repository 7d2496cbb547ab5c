module @jit_softmax_bf16 attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}]>}, %arg1: tensor<8x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<16x4xbf16> {jax.result_info = "result[0]"}, tensor<8xbf16> {jax.result_info = "result[1]"}, tensor<bf16> {jax.result_info = "result[2]"}, tensor<bf16> {jax.result_info = "result[3]"}, tensor<8xi1> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xbf16>, tensor<8x4xbf16>) -> tensor<16x4xbf16>
    %1 = stablehlo.convert %0 : (tensor<16x4xbf16>) -> tensor<16x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<16x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<16x4xf32>
    %8 = stablehlo.exponential %7 : tensor<16x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<16x4xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %12 = stablehlo.divide %8, %11 : tensor<16x4xf32>
    %13 = stablehlo.convert %12 : (tensor<16x4xf32>) -> tensor<16x4xbf16>
    %cst_2 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %14 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.maximum across dimensions = [0] : (tensor<16x8xbf16>, tensor<bf16>) -> tensor<8xbf16>
    %cst_3 = stablehlo.constant dense<0x7F80> : tensor<bf16>
    %15 = stablehlo.reduce(%arg0 init: %cst_3) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<16x8xbf16>, tensor<bf16>) -> tensor<bf16>
    %16 = stablehlo.slice %arg0 [0:16, 0:2] : (tensor<16x8xbf16>) -> tensor<16x2xbf16>
    %17 = stablehlo.convert %16 : (tensor<16x2xbf16>) -> tensor<16x2xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<16x2xf32>, tensor<f32>) -> tensor<f32>
    %19 = stablehlo.convert %18 : (tensor<f32>) -> tensor<bf16>
    %cst_5 = stablehlo.constant dense<4.492190e-01> : tensor<bf16>
    %20 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<16x8xbf16>
    %21 = stablehlo.compare GT, %arg0, %20, FLOAT : (tensor<16x8xbf16>, tensor<16x8xbf16>) -> tensor<16x8xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %22 = stablehlo.reduce(%21 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<16x8xi1>, tensor<i1>) -> tensor<8xi1>
    return %13, %14, %15, %19, %22 : tensor<16x4xbf16>, tensor<8xbf16>, tensor<bf16>, tensor<bf16>, tensor<8xi1>
  }
}
