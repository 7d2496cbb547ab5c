module @m attributes {mhlo.num_partitions = 8 : i32} {
  func.func public @main(%arg0: tensor<64x512xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}, %arg1: tensor<512x2048xf32> {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}) -> (tensor<64x2048xf32> {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dims={replicated}}"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<64x512xf32>, tensor<512x2048xf32>) -> tensor<64x2048xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<64x2048xf32>) -> tensor<64x2048xf32>
    return %1 : tensor<64x2048xf32>
  }
}
