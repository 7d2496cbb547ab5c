module @jit_rnn attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}, %arg1: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg3: tensor<16x64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) -> (tensor<256xf32> {jax.result_info = "result['b']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}, tensor<256x256xf32> {jax.result_info = "result['wh']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<128x256xf32> {jax.result_info = "result['wx']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) {
    %0 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<64x256xf32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<256xf32>) -> tensor<1x256xf32>
    %3 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<16x64x256xf32>
    %4 = sdy.constant dense<0> : tensor<i32>
    %5:10 = stablehlo.while(%iterArg = %arg3, %iterArg_0 = %arg2, %iterArg_1 = %arg1, %iterArg_2 = %2, %iterArg_3 = %4, %iterArg_4 = %1, %iterArg_5 = %3, %iterArg_6 = %3, %iterArg_7 = %3, %iterArg_8 = %3) : tensor<16x64x128xf32>, tensor<128x256xf32>, tensor<256x256xf32>, tensor<1x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{}, {"model"}]>, <@mesh, []>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>]>}
    cond {
      %16 = sdy.constant dense<16> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_3, %16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %16 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_3) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<16x64x128xf32>, tensor<i32>) -> tensor<64x128xf32>
      %17:5 = func.call @closed_call(%iterArg_0, %iterArg_1, %iterArg_2, %iterArg_4, %16) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>]>} : (tensor<128x256xf32>, tensor<256x256xf32>, tensor<1x256xf32>, tensor<64x256xf32>, tensor<64x128xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>)
      %18 = func.call @dynamic_update_index_in_dim(%iterArg_5, %17#1, %iterArg_3) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %19 = func.call @dynamic_update_index_in_dim(%iterArg_6, %17#2, %iterArg_3) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %20 = func.call @dynamic_update_index_in_dim(%iterArg_7, %17#3, %iterArg_3) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %21 = func.call @dynamic_update_index_in_dim(%iterArg_8, %17#4, %iterArg_3) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %22 = sdy.constant dense<1> : tensor<i32>
      %23 = stablehlo.add %iterArg_3, %22 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %iterArg_2, %23, %17#0, %18, %19, %20, %21 : tensor<16x64x128xf32>, tensor<128x256xf32>, tensor<256x256xf32>, tensor<1x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>
    }
    %6 = sdy.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<16x64x256xf32>
    %8 = stablehlo.multiply %7, %5#6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : tensor<16x64x256xf32>
    %9 = sdy.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<16x64x256xf32>
    %11 = stablehlo.multiply %10, %8 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : tensor<16x64x256xf32>
    %12 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<f32>) -> tensor<128x256xf32>
    %13 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<f32>) -> tensor<256x256xf32>
    %14 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<f32>) -> tensor<256xf32>
    %15:11 = stablehlo.while(%iterArg = %11, %iterArg_0 = %arg3, %iterArg_1 = %5#7, %iterArg_2 = %5#8, %iterArg_3 = %5#9, %iterArg_4 = %arg1, %iterArg_5 = %4, %iterArg_6 = %12, %iterArg_7 = %13, %iterArg_8 = %14, %iterArg_9 = %1) : tensor<16x64x256xf32>, tensor<16x64x128xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<256x256xf32>, tensor<i32>, tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<64x256xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"model"}]>, <@mesh, []>, <@mesh, [{}, {"model"}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{"model"}]>, <@mesh, [{"data"}, {"model"}]>]>}
    cond {
      %16 = sdy.constant dense<16> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_5, %16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %16 = sdy.reshard %iterArg_1 <@mesh, [{}, {"data"}, {}]> : tensor<16x64x256xf32>
      %17 = sdy.constant dense<16> : tensor<i32>
      %18 = stablehlo.subtract %17, %iterArg_5 : tensor<i32>
      %19 = sdy.constant dense<1> : tensor<i32>
      %20 = stablehlo.subtract %18, %19 : tensor<i32>
      %21 = func.call @dynamic_index_in_dim_0(%iterArg, %20) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %22 = func.call @dynamic_index_in_dim(%iterArg_0, %20) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<16x64x128xf32>, tensor<i32>) -> tensor<64x128xf32>
      %23 = func.call @dynamic_index_in_dim_0_4(%16, %20) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %24 = func.call @dynamic_index_in_dim_0(%iterArg_2, %20) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %25 = func.call @dynamic_index_in_dim_0(%iterArg_3, %20) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %26:4 = func.call @closed_call_1(%iterArg_4, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %21, %22, %23, %24, %25) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{"model"}]>, <@mesh, [{"data"}, {"model"}]>]>} : (tensor<256x256xf32>, tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x128xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) -> (tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<64x256xf32>)
      %27 = stablehlo.add %iterArg_5, %19 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %27, %26#0, %26#1, %26#2, %26#3 : tensor<16x64x256xf32>, tensor<16x64x128xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<256x256xf32>, tensor<i32>, tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<64x256xf32>
    }
    return %15#9, %15#8, %15#7 : tensor<256xf32>, tensor<256x256xf32>, tensor<128x256xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<16x64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %arg0, %arg1, %0, %0, sizes = [1, 64, 128] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {}]>]>} : (tensor<16x64x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x128xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<1x64x128xf32>) -> tensor<64x128xf32>
    return %2 : tensor<64x128xf32>
  }
  func.func private @closed_call(%arg0: tensor<128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg1: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<1x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg3: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg4: tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x128xf32>, tensor<128x256xf32>) -> tensor<64x256xf32>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
    %2 = stablehlo.add %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<1x256xf32>) -> tensor<64x256xf32>
    %4 = stablehlo.add %2, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %5 = stablehlo.tanh %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %6 = sdy.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<64x256xf32>
    %8 = stablehlo.subtract %7, %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    return %5, %5, %arg3, %5, %8 : tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<16x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}, %arg1: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg2: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<16x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
    %1 = sdy.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x64x256xf32>
    return %2 : tensor<16x64x256xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<16x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %arg0, %arg1, %0, %0, sizes = [1, 64, 256] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x256xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<1x64x256xf32>) -> tensor<64x256xf32>
    return %2 : tensor<64x256xf32>
  }
  func.func private @dynamic_index_in_dim_0_4(%arg0: tensor<16x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %arg0, %arg1, %0, %0, sizes = [1, 64, 256] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {}]>]>} : (tensor<16x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x256xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<1x64x256xf32>) -> tensor<64x256xf32>
    return %2 : tensor<64x256xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg1: tensor<128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg3: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}, %arg4: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg5: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg6: tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg7: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg8: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg9: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> (tensor<128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %0 = stablehlo.add %arg4, %arg5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %1 = stablehlo.multiply %0, %arg9 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %2 = stablehlo.multiply %1, %arg8 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %3 = stablehlo.add %1, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %4 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<64x256xf32>, tensor<f32>) -> tensor<256xf32>
    %6 = stablehlo.reshape %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<256xf32>) -> tensor<1x256xf32>
    %7 = stablehlo.reduce(%6 init: %4) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : (tensor<1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %8 = stablehlo.add %arg3, %7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>} : tensor<256xf32>
    %9 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<256x256xf32>
    %10 = stablehlo.transpose %9, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %11 = stablehlo.add %arg2, %10 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<256x256xf32>
    %12 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
    %13 = stablehlo.dot_general %3, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<64x256xf32>, tensor<64x128xf32>) -> tensor<256x128xf32>
    %14 = stablehlo.transpose %13, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<256x128xf32>) -> tensor<128x256xf32>
    %15 = stablehlo.add %arg1, %14 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<128x256xf32>
    return %15, %11, %8, %12 : tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<64x256xf32>
  }
}
