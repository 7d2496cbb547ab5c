module @jit_fft attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<64x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<64x64x33xcomplex<f32>> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, tensor<64x64x64xcomplex<f32>> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, tensor<64x64x64xf32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) {
    %0 = call @fft(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<64x64x64xf32>) -> tensor<64x64x33xcomplex<f32>>
    %1 = call @fft_0(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<64x64x64xf32>) -> tensor<64x64x64xcomplex<f32>>
    %2 = call @fft(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<64x64x64xf32>) -> tensor<64x64x33xcomplex<f32>>
    %3 = call @fft_1_2(%2) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<64x64x33xcomplex<f32>>) -> tensor<64x64x64xf32>
    return %0, %1, %3 : tensor<64x64x33xcomplex<f32>>, tensor<64x64x64xcomplex<f32>>, tensor<64x64x64xf32>
  }
  func.func private @fft(%arg0: tensor<64x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<64x64x33xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [64] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<64x64x64xf32>) -> tensor<64x64x33xcomplex<f32>>
    return %0 : tensor<64x64x33xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<64x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<64x64x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) {
    %0 = stablehlo.convert %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<64x64x64xf32>) -> tensor<64x64x64xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [64, 64] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<64x64x64xcomplex<f32>>) -> tensor<64x64x64xcomplex<f32>>
    return %1 : tensor<64x64x64xcomplex<f32>>
  }
  func.func private @fft_1_2(%arg0: tensor<64x64x33xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<64x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [64] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<64x64x33xcomplex<f32>>) -> tensor<64x64x64xf32>
    return %0 : tensor<64x64x64xf32>
  }
}
