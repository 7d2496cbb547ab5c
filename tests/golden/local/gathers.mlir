module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>}, %arg1: tensor<4x6x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg3: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<4x6x8xf32> {jax.result_info = "a", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"data"}]>}, tensor<4x6x8xf32> {jax.result_info = "b", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, tensor<16x3xf32> {jax.result_info = "c", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<8x3xf32> {jax.result_info = "d", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
    %1 = "stablehlo.gather"(%arg2, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
    %2 = stablehlo.concatenate %arg3, %arg3, dim = 0 : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<16x3xf32>
    %3 = stablehlo.reverse %arg3, dims = [0] : tensor<8x3xf32>
    return %0, %1, %2, %3 : tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<16x3xf32>, tensor<8x3xf32>
  }
}
