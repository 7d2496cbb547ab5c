module @jit_lm attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg1: tensor<256x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<8x32x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg3: tensor<256x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg4: tensor<256x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg5: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg6: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg7: tensor<8x128xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<1024x256xf32> {jax.result_info = "result[1]['e']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<256x8x32xf32> {jax.result_info = "result[1]['k']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<8x32x256xf32> {jax.result_info = "result[1]['o']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<256x8x32xf32> {jax.result_info = "result[1]['q']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<256x8x32xf32> {jax.result_info = "result[1]['v']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<256x1024xf32> {jax.result_info = "result[1]['w1']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<1024x256xf32> {jax.result_info = "result[1]['w2']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<i32>) -> tensor<8x128xi32>
    %2 = stablehlo.compare LT, %arg7, %1, SIGNED {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128xi32>, tensor<8x128xi32>) -> tensor<8x128xi1>
    %3 = sdy.constant dense<1024> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<i32>) -> tensor<8x128xi32>
    %5 = stablehlo.add %arg7, %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<8x128xi32>
    %6 = stablehlo.select %2, %5, %arg7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<8x128xi1>, tensor<8x128xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128xi32>) -> tensor<8x128x1xi32>
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<1024x256xf32>, tensor<8x128x1xi32>) -> tensor<8x128x256xf32>
    %9 = stablehlo.dot_general %8, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<256x8x32xf32>) -> tensor<8x128x8x32xf32>
    %10 = stablehlo.dot_general %8, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<256x8x32xf32>) -> tensor<8x128x8x32xf32>
    %11 = stablehlo.dot_general %8, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<256x8x32xf32>) -> tensor<8x128x8x32xf32>
    %12 = stablehlo.dot_general %9, %10, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x128x8x32xf32>, tensor<8x128x8x32xf32>) -> tensor<8x8x128x128xf32>
    %13 = sdy.constant dense<8.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<f32>) -> tensor<8x8x128x128xf32>
    %15 = stablehlo.divide %12, %14 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xf32>
    %16 = sdy.constant dense<true> : tensor<i1>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<i1>) -> tensor<128x128xi1>
    %18 = call @tril(%17) : (tensor<128x128xi1>) -> tensor<128x128xi1>
    %19 = sdy.constant dense<-1.000000e+09> : tensor<f32>
    %20:2 = call @_where(%18, %15, %19) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>, <@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<128x128xi1>, tensor<8x8x128x128xf32>, tensor<f32>) -> (tensor<8x8x128x128xf32>, tensor<8x8x128x128xi1>)
    %21 = sdy.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.reduce(%20#0 init: %21) applies stablehlo.maximum across dimensions = [3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}]>]>} : (tensor<8x8x128x128xf32>, tensor<f32>) -> tensor<8x8x128xf32>
    %23 = stablehlo.broadcast_in_dim %21, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}]>]>} : (tensor<f32>) -> tensor<8x8x128xf32>
    %24 = stablehlo.maximum %23, %22 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}]>]>} : tensor<8x8x128xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x128xf32>) -> tensor<8x8x128x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x128x1xf32>) -> tensor<8x8x128x128xf32>
    %27 = stablehlo.subtract %20#0, %26 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xf32>
    %28 = stablehlo.exponential %27 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xf32>
    %29 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%28 init: %29) applies stablehlo.add across dimensions = [3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}]>]>} : (tensor<8x8x128x128xf32>, tensor<f32>) -> tensor<8x8x128xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x128xf32>) -> tensor<8x8x128x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x128x1xf32>) -> tensor<8x8x128x128xf32>
    %33 = stablehlo.divide %28, %32 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xf32>
    %34 = stablehlo.multiply %31, %31 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x1xf32>
    %35 = sdy.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<f32>) -> tensor<8x8x128x1xf32>
    %37 = stablehlo.divide %36, %34 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x1xf32>
    %38 = stablehlo.dot_general %11, %33, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x128x8x32xf32>, tensor<8x8x128x128xf32>) -> tensor<8x8x32x128xf32>
    %39 = stablehlo.dot_general %38, %arg2, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x8x32x128xf32>, tensor<8x32x256xf32>) -> tensor<8x128x256xf32>
    %40 = stablehlo.add %8, %39 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : tensor<8x128x256xf32>
    %41 = stablehlo.dot_general %40, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>, tensor<256x1024xf32>) -> tensor<8x128x1024xf32>
    %42 = stablehlo.multiply %41, %41 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %43 = stablehlo.multiply %42, %41 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %44 = stablehlo.multiply %41, %41 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %45 = sdy.constant dense<3.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x128x1024xf32>
    %47 = stablehlo.multiply %46, %44 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %48 = sdy.constant dense<4.471500e-02> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x128x1024xf32>
    %50 = stablehlo.multiply %49, %43 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %51 = stablehlo.add %41, %50 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %52 = sdy.constant dense<0.797884583> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x128x1024xf32>
    %54 = stablehlo.multiply %53, %51 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %55 = stablehlo.tanh %54 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %56 = stablehlo.broadcast_in_dim %35, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x128x1024xf32>
    %57 = stablehlo.subtract %56, %55 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %58 = stablehlo.add %56, %55 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %59 = sdy.constant dense<5.000000e-01> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x128x1024xf32>
    %61 = stablehlo.multiply %60, %58 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %62 = stablehlo.multiply %41, %61 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %63 = stablehlo.dot_general %62, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128x1024xf32>, tensor<1024x256xf32>) -> tensor<8x128x256xf32>
    %64 = stablehlo.add %40, %63 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : tensor<8x128x256xf32>
    %65 = stablehlo.transpose %arg0, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %66 = stablehlo.dot_general %64, %65, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>, tensor<256x1024xf32>) -> tensor<8x128x1024xf32>
    %67:3 = call @log_softmax(%66) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>, <@mesh, [{"data"}, {}, {"model"}]>, <@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128x1024xf32>) -> (tensor<8x128x1024xf32>, tensor<8x128x1024xf32>, tensor<8x128x1xf32>)
    %68 = stablehlo.slice %67#0 [0:8, 0:127, 0:1024] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x1024xf32>) -> tensor<8x127x1024xf32>
    %69 = stablehlo.slice %arg7 [0:8, 1:128] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128xi32>) -> tensor<8x127xi32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x127xi32>) -> tensor<8x127x1xi32>
    %71:2 = call @take_along_axis(%68, %70) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>, <@mesh, [{"data"}, {}, {}, {}]>]>} : (tensor<8x127x1024xf32>, tensor<8x127x1xi32>) -> (tensor<8x127x1xf32>, tensor<8x127x1x1xi32>)
    %72 = stablehlo.reduce(%71#0 init: %29) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x127x1xf32>, tensor<f32>) -> tensor<f32>
    %73 = sdy.constant dense<1.016000e+03> : tensor<f32>
    %74 = stablehlo.divide %72, %73 : tensor<f32>
    %75 = stablehlo.negate %74 : tensor<f32>
    %76 = stablehlo.negate %35 : tensor<f32>
    %77 = stablehlo.divide %76, %73 : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<f32>) -> tensor<8x127x1xf32>
    %79 = call @take_along_axis_0(%71#1, %78) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x127x1x1xi32>, tensor<8x127x1xf32>) -> tensor<8x127x1024xf32>
    %80 = stablehlo.pad %79, %29, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x127x1024xf32>, tensor<f32>) -> tensor<8x128x1024xf32>
    %81 = call @log_softmax_1(%67#1, %67#2, %80) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x1024xf32>, tensor<8x128x1xf32>, tensor<8x128x1024xf32>) -> tensor<8x128x1024xf32>
    %82 = stablehlo.dot_general %81, %64, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<8x128x1024xf32>, tensor<8x128x256xf32>) -> tensor<1024x256xf32>
    %83 = stablehlo.transpose %82, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %84 = stablehlo.dot_general %81, %65, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128x1024xf32>, tensor<256x1024xf32>) -> tensor<8x128x256xf32>
    %85 = stablehlo.transpose %83, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %86 = stablehlo.dot_general %84, %62, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<8x128x256xf32>, tensor<8x128x1024xf32>) -> tensor<256x1024xf32>
    %87 = stablehlo.transpose %86, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %88 = stablehlo.dot_general %84, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x256xf32>, tensor<1024x256xf32>) -> tensor<8x128x1024xf32>
    %89 = stablehlo.multiply %41, %88 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %90 = stablehlo.multiply %88, %61 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %91 = stablehlo.multiply %60, %89 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %92 = stablehlo.multiply %91, %57 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %93 = stablehlo.multiply %92, %55 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %94 = stablehlo.add %92, %93 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %95 = stablehlo.multiply %53, %94 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %96 = stablehlo.add %90, %95 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %97 = stablehlo.multiply %49, %95 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %98 = stablehlo.multiply %97, %47 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %99 = stablehlo.add %96, %98 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %100 = stablehlo.dot_general %99, %40, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<8x128x1024xf32>, tensor<8x128x256xf32>) -> tensor<1024x256xf32>
    %101 = stablehlo.transpose %100, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %102 = stablehlo.dot_general %99, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128x1024xf32>, tensor<256x1024xf32>) -> tensor<8x128x256xf32>
    %103 = stablehlo.add %84, %102 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : tensor<8x128x256xf32>
    %104 = stablehlo.dot_general %103, %38, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<8x8x32x128xf32>) -> tensor<256x8x32xf32>
    %105 = stablehlo.transpose %104, dims = [1, 2, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}, {}]>]>} : (tensor<256x8x32xf32>) -> tensor<8x32x256xf32>
    %106 = stablehlo.dot_general %103, %arg2, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}, {}]>]>} : (tensor<8x128x256xf32>, tensor<8x32x256xf32>) -> tensor<8x128x8x32xf32>
    %107 = stablehlo.transpose %106, dims = [0, 2, 3, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x128x8x32xf32>) -> tensor<8x8x32x128xf32>
    %108 = stablehlo.dot_general %107, %11, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x32x128xf32>, tensor<8x128x8x32xf32>) -> tensor<8x8x128x128xf32>
    %109 = stablehlo.dot_general %107, %33, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x32x128xf32>, tensor<8x8x128x128xf32>) -> tensor<8x8x32x128xf32>
    %110 = stablehlo.transpose %109, dims = [0, 3, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}, {}]>]>} : (tensor<8x8x32x128xf32>) -> tensor<8x128x8x32xf32>
    %111 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x128x1xf32>) -> tensor<8x8x128x128xf32>
    %112 = stablehlo.multiply %108, %111 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xf32>
    %113 = stablehlo.multiply %112, %28 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xf32>
    %114 = stablehlo.reduce(%113 init: %29) applies stablehlo.add across dimensions = [3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}]>]>} : (tensor<8x8x128x128xf32>, tensor<f32>) -> tensor<8x8x128xf32>
    %115 = stablehlo.reshape %114 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x128xf32>) -> tensor<8x8x128x1xf32>
    %116 = stablehlo.negate %115 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x1xf32>
    %117 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x128x1xf32>) -> tensor<8x8x128x128xf32>
    %118 = stablehlo.divide %108, %117 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xf32>
    %119 = stablehlo.reduce(%116 init: %29) applies stablehlo.add across dimensions = [3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}]>]>} : (tensor<8x8x128x1xf32>, tensor<f32>) -> tensor<8x8x128xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x128xf32>) -> tensor<8x8x128x128xf32>
    %121 = stablehlo.add %118, %120 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xf32>
    %122 = stablehlo.multiply %121, %28 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xf32>
    %123 = call @_where_2(%20#1, %122) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x128x128xi1>, tensor<8x8x128x128xf32>) -> tensor<8x8x128x128xf32>
    %124 = stablehlo.divide %123, %14 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xf32>
    %125 = stablehlo.dot_general %124, %9, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x128x128xf32>, tensor<8x128x8x32xf32>) -> tensor<8x8x128x32xf32>
    %126 = stablehlo.transpose %125, dims = [0, 2, 1, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}, {}]>]>} : (tensor<8x8x128x32xf32>) -> tensor<8x128x8x32xf32>
    %127 = stablehlo.dot_general %124, %10, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<8x8x128x128xf32>, tensor<8x128x8x32xf32>) -> tensor<8x8x128x32xf32>
    %128 = stablehlo.transpose %127, dims = [0, 2, 1, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}, {}]>]>} : (tensor<8x8x128x32xf32>) -> tensor<8x128x8x32xf32>
    %129 = stablehlo.dot_general %110, %8, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}, {}]>]>} : (tensor<8x128x8x32xf32>, tensor<8x128x256xf32>) -> tensor<8x32x256xf32>
    %130 = stablehlo.transpose %129, dims = [2, 0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %131 = stablehlo.dot_general %110, %arg4, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<8x128x256xf32>
    %132 = stablehlo.add %103, %131 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : tensor<8x128x256xf32>
    %133 = stablehlo.dot_general %126, %8, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}, {}]>]>} : (tensor<8x128x8x32xf32>, tensor<8x128x256xf32>) -> tensor<8x32x256xf32>
    %134 = stablehlo.transpose %133, dims = [2, 0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %135 = stablehlo.dot_general %126, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<8x128x256xf32>
    %136 = stablehlo.add %132, %135 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : tensor<8x128x256xf32>
    %137 = stablehlo.dot_general %128, %8, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}, {}]>]>} : (tensor<8x128x8x32xf32>, tensor<8x128x256xf32>) -> tensor<8x32x256xf32>
    %138 = stablehlo.transpose %137, dims = [2, 0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %139 = stablehlo.dot_general %128, %arg3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<8x128x256xf32>
    %140 = stablehlo.add %136, %139 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : tensor<8x128x256xf32>
    %141 = stablehlo.broadcast_in_dim %29, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<f32>) -> tensor<1024x256xf32>
    %142 = "stablehlo.scatter"(%141, %7, %140) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %144 = stablehlo.add %arg8, %arg9 : tensor<f32>
      stablehlo.return %144 : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<1024x256xf32>, tensor<8x128x1xi32>, tensor<8x128x256xf32>) -> tensor<1024x256xf32>
    %143 = stablehlo.add %85, %142 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : tensor<1024x256xf32>
    return %75, %143, %134, %105, %138, %130, %101, %87 : tensor<f32>, tensor<1024x256xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>
  }
  func.func private @tril(%arg0: tensor<128x128xi1>) -> tensor<128x128xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<128x128xi32>
    %1 = sdy.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<128x128xi32>
    %3 = stablehlo.add %0, %2 : tensor<128x128xi32>
    %4 = stablehlo.iota dim = 1 : tensor<128x128xi32>
    %5 = stablehlo.compare GE, %3, %4, SIGNED : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
    %6 = sdy.constant dense<false> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<128x128xi1>
    %8 = stablehlo.select %5, %arg0, %7 : tensor<128x128xi1>, tensor<128x128xi1>
    return %8 : tensor<128x128xi1>
  }
  func.func private @_where(%arg0: tensor<128x128xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<8x8x128x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}, %arg2: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<8x8x128x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}, tensor<8x8x128x128xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<128x128xi1>) -> tensor<8x8x128x128xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<f32>) -> tensor<8x8x128x128xf32>
    %3 = stablehlo.select %1, %arg1, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xi1>, tensor<8x8x128x128xf32>
    return %3, %1 : tensor<8x8x128x128xf32>, tensor<8x8x128x128xi1>
  }
  func.func private @log_softmax(%arg0: tensor<8x128x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) -> (tensor<8x128x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, tensor<8x128x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, tensor<8x128x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) {
    %0 = sdy.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.maximum across dimensions = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x1024xf32>, tensor<f32>) -> tensor<8x128xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<f32>) -> tensor<8x128xf32>
    %3 = stablehlo.maximum %2, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<8x128xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x1xf32>) -> tensor<8x128x1024xf32>
    %6 = stablehlo.subtract %arg0, %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %7 = stablehlo.exponential %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %8 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%7 init: %8) applies stablehlo.add across dimensions = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x1024xf32>, tensor<f32>) -> tensor<8x128xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %11 = stablehlo.log %10 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : tensor<8x128x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128x1xf32>) -> tensor<8x128x1024xf32>
    %13 = stablehlo.subtract %6, %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    return %13, %7, %10 : tensor<8x128x1024xf32>, tensor<8x128x1024xf32>, tensor<8x128x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x127x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, %arg1: tensor<8x127x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<8x127x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, tensor<8x127x1x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}, {}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<i32>) -> tensor<8x127x1xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x127x1xi32>, tensor<8x127x1xi32>) -> tensor<8x127x1xi1>
    %3 = sdy.constant dense<1024> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<i32>) -> tensor<8x127x1xi32>
    %5 = stablehlo.add %arg1, %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : tensor<8x127x1xi32>
    %6 = stablehlo.select %2, %5, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : tensor<8x127x1xi1>, tensor<8x127x1xi32>
    %7 = stablehlo.reshape %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}, {}]>]>} : (tensor<8x127x1xi32>) -> tensor<8x127x1x1xi32>
    %8 = sdy.constant dense<1023> : tensor<1xi32>
    %9 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}, {}]>]>} : (tensor<i32>) -> tensor<8x127x1x1xi32>
    %10 = stablehlo.compare GE, %7, %9, SIGNED {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}, {}]>]>} : (tensor<8x127x1x1xi32>, tensor<8x127x1x1xi32>) -> tensor<8x127x1x1xi1>
    %11 = stablehlo.broadcast_in_dim %8, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}, {}]>]>} : (tensor<1x1x1x1xi32>) -> tensor<8x127x1x1xi32>
    %13 = stablehlo.compare LE, %7, %12, SIGNED {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}, {}]>]>} : (tensor<8x127x1x1xi32>, tensor<8x127x1x1xi32>) -> tensor<8x127x1x1xi1>
    %14 = stablehlo.and %10, %13 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}, {}]>]>} : tensor<8x127x1x1xi1>
    %15 = sdy.constant dense<true> : tensor<i1>
    %16 = stablehlo.reduce(%14 init: %15) applies stablehlo.and across dimensions = [3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x127x1x1xi1>, tensor<i1>) -> tensor<8x127x1xi1>
    %17 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x127x1024xf32>, tensor<8x127x1x1xi32>) -> tensor<8x127x1xf32>
    %18 = sdy.constant dense<0x7FC00000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<f32>) -> tensor<8x127x1xf32>
    %20 = stablehlo.select %16, %17, %19 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : tensor<8x127x1xi1>, tensor<8x127x1xf32>
    return %20, %7 : tensor<8x127x1xf32>, tensor<8x127x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<8x127x1x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}, {}]>}, %arg1: tensor<8x127x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<8x127x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) {
    %0 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x127x1024xf32>
    %2 = "stablehlo.scatter"(%1, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %3 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x127x1024xf32>, tensor<8x127x1x1xi32>, tensor<8x127x1xf32>) -> tensor<8x127x1024xf32>
    return %2 : tensor<8x127x1024xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<8x128x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}, %arg1: tensor<8x128x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %arg2: tensor<8x128x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) -> (tensor<8x128x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) {
    %0 = stablehlo.negate %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %1 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x1024xf32>, tensor<f32>) -> tensor<8x128xf32>
    %3 = stablehlo.reshape %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : (tensor<8x128xf32>) -> tensor<8x128x1xf32>
    %4 = stablehlo.divide %3, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {}]>]>} : tensor<8x128x1xf32>
    %5 = stablehlo.reduce(%4 init: %1) applies stablehlo.add across dimensions = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<8x128x1xf32>, tensor<f32>) -> tensor<8x128xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : (tensor<8x128xf32>) -> tensor<8x128x1024xf32>
    %7 = stablehlo.multiply %6, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    %8 = stablehlo.add %arg2, %7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}, {"model"}]>]>} : tensor<8x128x1024xf32>
    return %8 : tensor<8x128x1024xf32>
  }
  func.func private @_where_2(%arg0: tensor<8x8x128x128xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}, %arg1: tensor<8x8x128x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}) -> (tensor<8x8x128x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}) {
    %0 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : (tensor<f32>) -> tensor<8x8x128x128xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}, {}, {}]>]>} : tensor<8x8x128x128xi1>, tensor<8x8x128x128xf32>
    return %2 : tensor<8x8x128x128xf32>
  }
}
