module @jit_train attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, %arg1: tensor<4x1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<4x256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, %arg3: tensor<4x1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg4: tensor<4x256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, %arg5: tensor<4x1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg6: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg7: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<4x256x1024xf32> {jax.result_info = "result[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, tensor<4x1024x256xf32> {jax.result_info = "result[0][1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<4x256x1024xf32> {jax.result_info = "result[1][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, tensor<4x1024x256xf32> {jax.result_info = "result[1][1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<4x256x1024xf32> {jax.result_info = "result[2][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, tensor<4x1024x256xf32> {jax.result_info = "result[2][1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<f32> {jax.result_info = "result[3]"}) {
    %0 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {}]>]>} : (tensor<f32>) -> tensor<4x64x256xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<4x64x1024xf32>
    %3 = sdy.constant dense<0> : tensor<i32>
    %4:7 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %3, %iterArg_2 = %arg6, %iterArg_3 = %1, %iterArg_4 = %2, %iterArg_5 = %2) : tensor<4x256x1024xf32>, tensor<4x1024x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<4x64x256xf32>, tensor<4x64x1024xf32>, tensor<4x64x1024xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, []>, <@mesh, [{"data"}, {}]>, <@mesh, [{}, {"data"}, {}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>]>}
    cond {
      %62 = sdy.constant dense<4> : tensor<i32>
      %63 = stablehlo.compare LT, %iterArg_1, %62, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %63 : tensor<i1>
    } do {
      %62 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<4x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %63 = func.call @dynamic_index_in_dim_0(%iterArg_0, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<4x1024x256xf32>, tensor<i32>) -> tensor<1024x256xf32>
      %64:4 = func.call @closed_call(%iterArg_2, %62, %63) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x1024xf32>, tensor<64x1024xf32>)
      %65 = func.call @dynamic_update_index_in_dim(%iterArg_3, %64#1, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {}]>]>} : (tensor<4x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<4x64x256xf32>
      %66 = func.call @dynamic_update_index_in_dim_1(%iterArg_4, %64#2, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<4x64x1024xf32>, tensor<64x1024xf32>, tensor<i32>) -> tensor<4x64x1024xf32>
      %67 = func.call @dynamic_update_index_in_dim_1(%iterArg_5, %64#3, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<4x64x1024xf32>, tensor<64x1024xf32>, tensor<i32>) -> tensor<4x64x1024xf32>
      %68 = sdy.constant dense<1> : tensor<i32>
      %69 = stablehlo.add %iterArg_1, %68 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %69, %64#0, %65, %66, %67 : tensor<4x256x1024xf32>, tensor<4x1024x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<4x64x256xf32>, tensor<4x64x1024xf32>, tensor<4x64x1024xf32>
    }
    %5 = stablehlo.subtract %4#3, %arg7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<64x256xf32>
    %6 = stablehlo.multiply %5, %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<64x256xf32>
    %7 = sdy.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<f32>) -> tensor<64x256xf32>
    %9 = stablehlo.multiply %8, %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<64x256xf32>
    %10 = stablehlo.reduce(%6 init: %0) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<f32>
    %11 = sdy.constant dense<1.638400e+04> : tensor<f32>
    %12 = stablehlo.divide %10, %11 : tensor<f32>
    %13 = sdy.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.divide %13, %11 : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<f32>) -> tensor<64x256xf32>
    %16 = stablehlo.multiply %15, %9 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<64x256xf32>
    %17 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<4x256x1024xf32>
    %18 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<f32>) -> tensor<4x1024x256xf32>
    %19:9 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %4#4, %iterArg_1 = %4#5, %iterArg_2 = %4#6, %iterArg_3 = %arg1, %iterArg_4 = %3, %iterArg_5 = %16, %iterArg_6 = %17, %iterArg_7 = %18) : tensor<4x256x1024xf32>, tensor<4x64x256xf32>, tensor<4x64x1024xf32>, tensor<4x64x1024xf32>, tensor<4x1024x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<4x256x1024xf32>, tensor<4x1024x256xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>, <@mesh, [{}, {"data"}, {}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, []>, <@mesh, [{"data"}, {}]>, <@mesh, [{}, {}, {"model"}]>, <@mesh, [{}, {"model"}, {}]>]>}
    cond {
      %62 = sdy.constant dense<4> : tensor<i32>
      %63 = stablehlo.compare LT, %iterArg_4, %62, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %63 : tensor<i1>
    } do {
      %62 = sdy.constant dense<4> : tensor<i32>
      %63 = stablehlo.subtract %62, %iterArg_4 : tensor<i32>
      %64 = sdy.constant dense<1> : tensor<i32>
      %65 = stablehlo.subtract %63, %64 : tensor<i32>
      %66 = func.call @dynamic_index_in_dim(%iterArg, %65) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<4x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %67 = func.call @dynamic_index_in_dim_2(%iterArg_0, %65) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<4x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %68 = func.call @dynamic_index_in_dim_3(%iterArg_1, %65) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<4x64x1024xf32>, tensor<i32>) -> tensor<64x1024xf32>
      %69 = func.call @dynamic_index_in_dim_3(%iterArg_2, %65) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<4x64x1024xf32>, tensor<i32>) -> tensor<64x1024xf32>
      %70 = func.call @dynamic_index_in_dim_0(%iterArg_3, %65) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<4x1024x256xf32>, tensor<i32>) -> tensor<1024x256xf32>
      %71:3 = func.call @closed_call_4(%iterArg_5, %66, %67, %68, %69, %70) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{"model"}, {}]>]>} : (tensor<64x256xf32>, tensor<256x1024xf32>, tensor<64x256xf32>, tensor<64x1024xf32>, tensor<64x1024xf32>, tensor<1024x256xf32>) -> (tensor<64x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>)
      %72 = func.call @dynamic_update_index_in_dim_5(%iterArg_6, %71#1, %65) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<4x256x1024xf32>, tensor<256x1024xf32>, tensor<i32>) -> tensor<4x256x1024xf32>
      %73 = func.call @dynamic_update_index_in_dim_6(%iterArg_7, %71#2, %65) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<4x1024x256xf32>, tensor<1024x256xf32>, tensor<i32>) -> tensor<4x1024x256xf32>
      %74 = stablehlo.add %iterArg_4, %64 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %74, %71#0, %72, %73 : tensor<4x256x1024xf32>, tensor<4x64x256xf32>, tensor<4x64x1024xf32>, tensor<4x64x1024xf32>, tensor<4x1024x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<4x256x1024xf32>, tensor<4x1024x256xf32>
    }
    %20 = sdy.constant dense<0.899999976> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<4x256x1024xf32>
    %22 = stablehlo.multiply %21, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %23 = sdy.constant dense<1.000000e-01> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<4x256x1024xf32>
    %25 = stablehlo.multiply %24, %19#7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %26 = stablehlo.add %22, %25 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %27 = stablehlo.broadcast_in_dim %20, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<f32>) -> tensor<4x1024x256xf32>
    %28 = stablehlo.multiply %27, %arg3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    %29 = stablehlo.broadcast_in_dim %23, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<f32>) -> tensor<4x1024x256xf32>
    %30 = stablehlo.multiply %29, %19#8 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    %31 = stablehlo.add %28, %30 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    %32 = sdy.constant dense<9.900000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<4x256x1024xf32>
    %34 = stablehlo.multiply %33, %arg4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %35 = sdy.constant dense<0.00999999977> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<4x256x1024xf32>
    %37 = stablehlo.multiply %36, %19#7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %38 = stablehlo.multiply %37, %19#7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %39 = stablehlo.add %34, %38 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %40 = stablehlo.broadcast_in_dim %32, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<f32>) -> tensor<4x1024x256xf32>
    %41 = stablehlo.multiply %40, %arg5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    %42 = stablehlo.broadcast_in_dim %35, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<f32>) -> tensor<4x1024x256xf32>
    %43 = stablehlo.multiply %42, %19#8 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    %44 = stablehlo.multiply %43, %19#8 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    %45 = stablehlo.add %41, %44 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    %46 = sdy.constant dense<1.000000e-03> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<4x256x1024xf32>
    %48 = stablehlo.multiply %47, %26 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %49 = stablehlo.sqrt %39 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %50 = sdy.constant dense<9.99999993E-9> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<4x256x1024xf32>
    %52 = stablehlo.add %49, %51 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %53 = stablehlo.divide %48, %52 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %54 = stablehlo.subtract %arg0, %53 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : tensor<4x256x1024xf32>
    %55 = stablehlo.broadcast_in_dim %46, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<f32>) -> tensor<4x1024x256xf32>
    %56 = stablehlo.multiply %55, %31 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    %57 = stablehlo.sqrt %45 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    %58 = stablehlo.broadcast_in_dim %50, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<f32>) -> tensor<4x1024x256xf32>
    %59 = stablehlo.add %57, %58 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    %60 = stablehlo.divide %56, %59 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    %61 = stablehlo.subtract %arg1, %60 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : tensor<4x1024x256xf32>
    return %54, %61, %26, %31, %39, %45, %12 : tensor<4x256x1024xf32>, tensor<4x1024x256xf32>, tensor<4x256x1024xf32>, tensor<4x1024x256xf32>, tensor<4x256x1024xf32>, tensor<4x1024x256xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %arg0, %arg1, %0, %0, sizes = [1, 256, 1024] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<4x256x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x1024xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<1x256x1024xf32>) -> tensor<256x1024xf32>
    return %2 : tensor<256x1024xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<4x1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %arg0, %arg1, %0, %0, sizes = [1, 1024, 256] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<4x1024x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1024x256xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<1x1024x256xf32>) -> tensor<1024x256xf32>
    return %2 : tensor<1024x256xf32>
  }
  func.func private @closed_call(%arg0: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> (tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x256xf32>, tensor<256x1024xf32>) -> tensor<64x1024xf32>
    %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x1024xf32>
    %2 = sdy.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<64x1024xf32>
    %4 = stablehlo.subtract %3, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x1024xf32>
    %5 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<64x1024xf32>, tensor<1024x256xf32>) -> tensor<64x256xf32>
    %6 = stablehlo.add %arg0, %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<64x256xf32>
    return %6, %arg0, %1, %4 : tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x1024xf32>, tensor<64x1024xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}, %arg1: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg2: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<4x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {}]>]>} : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
    %1 = sdy.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {}]>]>} : (tensor<4x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x256xf32>
    return %2 : tensor<4x64x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<4x64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}, %arg1: tensor<64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg2: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<4x64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<64x1024xf32>) -> tensor<1x64x1024xf32>
    %1 = sdy.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<4x64x1024xf32>, tensor<1x64x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x1024xf32>
    return %2 : tensor<4x64x1024xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<4x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %arg0, %arg1, %0, %0, sizes = [1, 64, 256] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {}]>]>} : (tensor<4x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x256xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<1x64x256xf32>) -> tensor<64x256xf32>
    return %2 : tensor<64x256xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<4x64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %arg0, %arg1, %0, %0, sizes = [1, 64, 1024] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<4x64x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x1024xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<1x64x1024xf32>) -> tensor<64x1024xf32>
    return %2 : tensor<64x1024xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg3: tensor<64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg4: tensor<64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg5: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> (tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<64x256xf32>, tensor<64x1024xf32>) -> tensor<256x1024xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %2 = stablehlo.dot_general %arg0, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x256xf32>, tensor<1024x256xf32>) -> tensor<64x1024xf32>
    %3 = stablehlo.multiply %2, %arg4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x1024xf32>
    %4 = stablehlo.multiply %3, %arg3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x1024xf32>
    %5 = stablehlo.add %3, %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x1024xf32>
    %6 = stablehlo.dot_general %5, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<64x1024xf32>, tensor<64x256xf32>) -> tensor<1024x256xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %8 = stablehlo.dot_general %5, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<64x1024xf32>, tensor<256x1024xf32>) -> tensor<64x256xf32>
    %9 = stablehlo.add %arg0, %8 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<64x256xf32>
    return %9, %7, %1 : tensor<64x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<4x256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, %arg1: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<4x256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<256x1024xf32>) -> tensor<1x256x1024xf32>
    %1 = sdy.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<4x256x1024xf32>, tensor<1x256x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x256x1024xf32>
    return %2 : tensor<4x256x1024xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<4x1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg1: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg2: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<4x1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<1024x256xf32>) -> tensor<1x1024x256xf32>
    %1 = sdy.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}, {}]>]>} : (tensor<4x1024x256xf32>, tensor<1x1024x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1024x256xf32>
    return %2 : tensor<4x1024x256xf32>
  }
}
