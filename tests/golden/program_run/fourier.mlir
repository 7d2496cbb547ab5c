module @jit_fourier attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<8x7xf32> {jax.result_info = "result[0]"}, tensor<8x12xf32> {jax.result_info = "result[1]"}, tensor<8x12xf32> {jax.result_info = "result[2]"}, tensor<8x9xf32> {jax.result_info = "result[3]"}, tensor<8x10xf32> {jax.result_info = "result[4]"}, tensor<8x12xf32> {jax.result_info = "result[5]"}, tensor<8x12xf32> {jax.result_info = "result[6]"}, tensor<8x12xf32> {jax.result_info = "result[7]"}, tensor<8x8xf32> {jax.result_info = "result[8]"}, tensor<12xf32> {jax.result_info = "result[9]"}, tensor<8x12xf32> {jax.result_info = "result[10]"}, tensor<8x12xf32> {jax.result_info = "result[11]"}, tensor<8x8xi32> {jax.result_info = "result[12]"}) {
    %0 = stablehlo.convert %arg1 : (tensor<8x12xf32>) -> tensor<8x12xcomplex<f32>>
    %cst = stablehlo.constant dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<8x12xcomplex<f32>>
    %2 = stablehlo.multiply %1, %0 : tensor<8x12xcomplex<f32>>
    %3 = stablehlo.convert %arg0 : (tensor<8x12xf32>) -> tensor<8x12xcomplex<f32>>
    %4 = stablehlo.add %3, %2 : tensor<8x12xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<8x12xf32>
    %7 = stablehlo.convert %6 : (tensor<8x12xf32>) -> tensor<8x12xi32>
    %8 = call @fft(%arg0) : (tensor<8x12xf32>) -> tensor<8x7xcomplex<f32>>
    %9 = stablehlo.abs %8 : (tensor<8x7xcomplex<f32>>) -> tensor<8x7xf32>
    %10 = call @fft(%arg0) : (tensor<8x12xf32>) -> tensor<8x7xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<8x7xcomplex<f32>>
    %12 = stablehlo.multiply %10, %11 : tensor<8x7xcomplex<f32>>
    %13 = call @fft_0(%12) : (tensor<8x7xcomplex<f32>>) -> tensor<8x12xf32>
    %14 = call @fft_1(%arg0) : (tensor<8x12xf32>) -> tensor<8x12xcomplex<f32>>
    %15 = stablehlo.real %14 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %16 = stablehlo.slice %4 [0:8, 0:9] : (tensor<8x12xcomplex<f32>>) -> tensor<8x9xcomplex<f32>>
    %17 = call @fft_2(%16) : (tensor<8x9xcomplex<f32>>) -> tensor<8x9xcomplex<f32>>
    %18 = stablehlo.imag %17 : (tensor<8x9xcomplex<f32>>) -> tensor<8x9xf32>
    %19 = stablehlo.slice %4 [0:8, 0:6] : (tensor<8x12xcomplex<f32>>) -> tensor<8x6xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %20 = call @_pad(%19, %c) : (tensor<8x6xcomplex<f32>>, tensor<i32>) -> tensor<8x6xcomplex<f32>>
    %21 = call @fft_3(%20) : (tensor<8x6xcomplex<f32>>) -> tensor<8x10xf32>
    %22 = stablehlo.abs %4 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %23 = call @angle(%4) : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %24 = stablehlo.exponential %4 : tensor<8x12xcomplex<f32>>
    %25 = stablehlo.real %4 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %26 = stablehlo.imag %4 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %27 = stablehlo.negate %26 : tensor<8x12xf32>
    %28 = stablehlo.complex %25, %27 : tensor<8x12xcomplex<f32>>
    %29 = stablehlo.multiply %4, %28 : tensor<8x12xcomplex<f32>>
    %cst_2 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %30 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f32>>) -> tensor<8x12xcomplex<f32>>
    %31 = stablehlo.add %29, %30 : tensor<8x12xcomplex<f32>>
    %32 = stablehlo.divide %24, %31 : tensor<8x12xcomplex<f32>>
    %33 = stablehlo.real %32 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %34 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x12xcomplex<f32>>) -> tensor<12x8xcomplex<f32>>
    %35 = stablehlo.dot_general %4, %34, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xcomplex<f32>>, tensor<12x8xcomplex<f32>>) -> tensor<8x8xcomplex<f32>>
    %36 = stablehlo.imag %35 : (tensor<8x8xcomplex<f32>>) -> tensor<8x8xf32>
    %cst_3 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %37 = stablehlo.reduce(%4 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<8x12xcomplex<f32>>, tensor<complex<f32>>) -> tensor<12xcomplex<f32>>
    %38 = stablehlo.real %37 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %39 = stablehlo.sqrt %4 : tensor<8x12xcomplex<f32>>
    %40 = stablehlo.imag %39 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %41 = stablehlo.real %4 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %42 = stablehlo.imag %4 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %43 = stablehlo.negate %42 : tensor<8x12xf32>
    %44 = stablehlo.complex %41, %43 : tensor<8x12xcomplex<f32>>
    %45 = stablehlo.compare EQ, %4, %44, FLOAT : (tensor<8x12xcomplex<f32>>, tensor<8x12xcomplex<f32>>) -> tensor<8x12xi1>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = call @_where(%45, %cst_4, %cst_5) : (tensor<8x12xi1>, tensor<f32>, tensor<f32>) -> tensor<8x12xf32>
    %47 = stablehlo.transpose %7, dims = [1, 0] : (tensor<8x12xi32>) -> tensor<12x8xi32>
    %48 = stablehlo.dot_general %7, %47, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xi32>, tensor<12x8xi32>) -> tensor<8x8xi32>
    return %9, %13, %15, %18, %21, %22, %23, %33, %36, %38, %40, %46, %48 : tensor<8x7xf32>, tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x9xf32>, tensor<8x10xf32>, tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x8xf32>, tensor<12xf32>, tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x8xi32>
  }
  func.func private @fft(%arg0: tensor<8x12xf32>) -> tensor<8x7xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [12] : (tensor<8x12xf32>) -> tensor<8x7xcomplex<f32>>
    return %0 : tensor<8x7xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<8x7xcomplex<f32>>) -> tensor<8x12xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [12] : (tensor<8x7xcomplex<f32>>) -> tensor<8x12xf32>
    return %0 : tensor<8x12xf32>
  }
  func.func private @fft_1(%arg0: tensor<8x12xf32>) -> tensor<8x12xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<8x12xf32>) -> tensor<8x12xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [8, 12] : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xcomplex<f32>>
    return %1 : tensor<8x12xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<8x9xcomplex<f32>>) -> tensor<8x9xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [9] : (tensor<8x9xcomplex<f32>>) -> tensor<8x9xcomplex<f32>>
    return %0 : tensor<8x9xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<8x6xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<8x6xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<8x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<8x6xcomplex<f32>>
    return %1 : tensor<8x6xcomplex<f32>>
  }
  func.func private @fft_3(%arg0: tensor<8x6xcomplex<f32>>) -> tensor<8x10xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [10] : (tensor<8x6xcomplex<f32>>) -> tensor<8x10xf32>
    return %0 : tensor<8x10xf32>
  }
  func.func private @angle(%arg0: tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32> {
    %0 = stablehlo.real %arg0 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %1 = stablehlo.imag %arg0 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %2 = stablehlo.atan2 %1, %0 : tensor<8x12xf32>
    return %2 : tensor<8x12xf32>
  }
  func.func private @_where(%arg0: tensor<8x12xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<8x12xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<8x12xi1>, tensor<8x12xf32>
    return %2 : tensor<8x12xf32>
  }
}
