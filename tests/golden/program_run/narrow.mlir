module @jit_narrow attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> (tensor<8x8xf32> {jax.result_info = "result[0]"}, tensor<16x8xf32> {jax.result_info = "result[1]"}, tensor<4x4xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<8x16xf32>) -> tensor<8x16xf8E4M3FN>
    %1 = stablehlo.convert %arg1 : (tensor<16x8xf32>) -> tensor<16x8xf8E5M2>
    %2 = stablehlo.convert %1 : (tensor<16x8xf8E5M2>) -> tensor<16x8xf8E4M3FN>
    %3 = stablehlo.dot_general %0, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf8E4M3FN>, tensor<16x8xf8E4M3FN>) -> tensor<8x8xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f8E4M3FN>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f8E4M3FN>) -> tensor<8x16xf8E4M3FN>
    %5 = stablehlo.compare GT, %0, %4, FLOAT : (tensor<8x16xf8E4M3FN>, tensor<8x16xf8E4M3FN>) -> tensor<8x16xi1>
    %cst_0 = stablehlo.constant dense<-1.500000e+00> : tensor<f8E4M3FN>
    %6 = call @_where(%5, %0, %cst_0) : (tensor<8x16xi1>, tensor<8x16xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<8x16xf8E4M3FN>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<8x16xf8E4M3FN>) -> tensor<16x8xf8E4M3FN>
    %8 = stablehlo.convert %7 : (tensor<16x8xf8E4M3FN>) -> tensor<16x8xf32>
    %9 = stablehlo.slice %1 [1:5, 0:8:2] : (tensor<16x8xf8E5M2>) -> tensor<4x4xf8E5M2>
    %10 = stablehlo.convert %9 : (tensor<4x4xf8E5M2>) -> tensor<4x4xf32>
    return %3, %8, %10 : tensor<8x8xf32>, tensor<16x8xf32>, tensor<4x4xf32>
  }
  func.func private @_where(%arg0: tensor<8x16xi1>, %arg1: tensor<8x16xf8E4M3FN>, %arg2: tensor<f8E4M3FN>) -> tensor<8x16xf8E4M3FN> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f8E4M3FN>) -> tensor<8x16xf8E4M3FN>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x16xi1>, tensor<8x16xf8E4M3FN>
    return %1 : tensor<8x16xf8E4M3FN>
  }
}
