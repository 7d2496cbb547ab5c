module @jit_lstm attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<384x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg1: tensor<16x64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) -> (tensor<384x1024xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) {
    %0 = sdy.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<64x256xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<16x64x384xf32>
    %3 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<16x64x256xf32>
    %4 = sdy.constant dense<0> : tensor<i32>
    %5:17 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %arg0, %iterArg_1 = %4, %iterArg_2 = %1, %iterArg_3 = %1, %iterArg_4 = %2, %iterArg_5 = %3, %iterArg_6 = %3, %iterArg_7 = %3, %iterArg_8 = %3, %iterArg_9 = %3, %iterArg_10 = %3, %iterArg_11 = %3, %iterArg_12 = %3, %iterArg_13 = %3, %iterArg_14 = %3, %iterArg_15 = %3) : tensor<16x64x128xf32>, tensor<384x1024xf32>, tensor<i32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<16x64x384xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"model"}]>, <@mesh, []>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>]>}
    cond {
      %13 = sdy.constant dense<16> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_1, %13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %13 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<16x64x128xf32>, tensor<i32>) -> tensor<64x128xf32>
      %14:14 = func.call @closed_call(%iterArg_0, %iterArg_2, %iterArg_3, %13) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>]>} : (tensor<384x1024xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x128xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x384xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>)
      %15 = func.call @dynamic_update_index_in_dim(%iterArg_4, %14#2, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x384xf32>, tensor<64x384xf32>, tensor<i32>) -> tensor<16x64x384xf32>
      %16 = func.call @dynamic_update_index_in_dim_0(%iterArg_5, %14#3, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %17 = func.call @dynamic_update_index_in_dim_0(%iterArg_6, %14#4, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %18 = func.call @dynamic_update_index_in_dim_0(%iterArg_7, %14#5, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %19 = func.call @dynamic_update_index_in_dim_0(%iterArg_8, %14#6, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %20 = func.call @dynamic_update_index_in_dim_0(%iterArg_9, %14#7, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %21 = func.call @dynamic_update_index_in_dim_0(%iterArg_10, %14#8, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %22 = func.call @dynamic_update_index_in_dim_0(%iterArg_11, %14#9, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %23 = func.call @dynamic_update_index_in_dim_0(%iterArg_12, %14#10, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %24 = func.call @dynamic_update_index_in_dim_0(%iterArg_13, %14#11, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %25 = func.call @dynamic_update_index_in_dim_0(%iterArg_14, %14#12, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %26 = func.call @dynamic_update_index_in_dim_0(%iterArg_15, %14#13, %iterArg_1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<16x64x256xf32>
      %27 = sdy.constant dense<1> : tensor<i32>
      %28 = stablehlo.add %iterArg_1, %27 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %28, %14#0, %14#1, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26 : tensor<16x64x128xf32>, tensor<384x1024xf32>, tensor<i32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<16x64x384xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>
    }
    %6 = sdy.constant dense<1.000000e+00> : tensor<f32>
    %7 = sdy.constant dense<2.621440e+05> : tensor<f32>
    %8 = stablehlo.divide %6, %7 : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<16x64x256xf32>
    %10 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<f32>) -> tensor<64x256xf32>
    %11 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<f32>) -> tensor<384x1024xf32>
    %12:18 = stablehlo.while(%iterArg = %9, %iterArg_0 = %5#5, %iterArg_1 = %5#6, %iterArg_2 = %5#7, %iterArg_3 = %5#8, %iterArg_4 = %5#9, %iterArg_5 = %5#10, %iterArg_6 = %5#11, %iterArg_7 = %5#12, %iterArg_8 = %5#13, %iterArg_9 = %5#14, %iterArg_10 = %5#15, %iterArg_11 = %5#16, %iterArg_12 = %arg0, %iterArg_13 = %4, %iterArg_14 = %11, %iterArg_15 = %10, %iterArg_16 = %10) : tensor<16x64x256xf32>, tensor<16x64x384xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<384x1024xf32>, tensor<i32>, tensor<384x1024xf32>, tensor<64x256xf32>, tensor<64x256xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"data"}, {"model"}]>, <@mesh, [{}, {"model"}]>, <@mesh, []>, <@mesh, [{}, {"model"}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{}, {"model"}]>]>}
    cond {
      %13 = sdy.constant dense<16> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_13, %13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %13 = sdy.reshard %iterArg_11 <@mesh, [{}, {}, {"model"}]> : tensor<16x64x256xf32>
      %14 = sdy.reshard %iterArg_10 <@mesh, [{}, {}, {"model"}]> : tensor<16x64x256xf32>
      %15 = sdy.reshard %iterArg_9 <@mesh, [{}, {}, {"model"}]> : tensor<16x64x256xf32>
      %16 = sdy.reshard %iterArg_8 <@mesh, [{}, {}, {"model"}]> : tensor<16x64x256xf32>
      %17 = sdy.reshard %iterArg_7 <@mesh, [{}, {}, {"model"}]> : tensor<16x64x256xf32>
      %18 = sdy.reshard %iterArg_6 <@mesh, [{}, {}, {"model"}]> : tensor<16x64x256xf32>
      %19 = sdy.reshard %iterArg_5 <@mesh, [{}, {}, {"model"}]> : tensor<16x64x256xf32>
      %20 = sdy.reshard %iterArg_4 <@mesh, [{}, {}, {"model"}]> : tensor<16x64x256xf32>
      %21 = sdy.reshard %iterArg_3 <@mesh, [{}, {}, {"model"}]> : tensor<16x64x256xf32>
      %22 = sdy.reshard %iterArg_2 <@mesh, [{}, {}, {"model"}]> : tensor<16x64x256xf32>
      %23 = sdy.reshard %iterArg_1 <@mesh, [{}, {}, {"model"}]> : tensor<16x64x256xf32>
      %24 = sdy.reshard %iterArg_0 <@mesh, [{}, {}, {}]> : tensor<16x64x384xf32>
      %25 = sdy.constant dense<16> : tensor<i32>
      %26 = stablehlo.subtract %25, %iterArg_13 : tensor<i32>
      %27 = sdy.constant dense<1> : tensor<i32>
      %28 = stablehlo.subtract %26, %27 : tensor<i32>
      %29 = func.call @dynamic_index_in_dim_1(%iterArg, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %30 = func.call @dynamic_index_in_dim_2(%24, %28) : (tensor<16x64x384xf32>, tensor<i32>) -> tensor<64x384xf32>
      %31 = func.call @dynamic_index_in_dim_1(%23, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %32 = func.call @dynamic_index_in_dim_1(%22, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %33 = func.call @dynamic_index_in_dim_1(%21, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %34 = func.call @dynamic_index_in_dim_1(%20, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %35 = func.call @dynamic_index_in_dim_1(%19, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %36 = func.call @dynamic_index_in_dim_1(%18, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %37 = func.call @dynamic_index_in_dim_1(%17, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %38 = func.call @dynamic_index_in_dim_1(%16, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %39 = func.call @dynamic_index_in_dim_1(%15, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %40 = func.call @dynamic_index_in_dim_1(%14, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %41 = func.call @dynamic_index_in_dim_1(%13, %28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %42:3 = func.call @closed_call_3(%iterArg_12, %iterArg_14, %iterArg_15, %iterArg_16, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{}, {"model"}]>]>} : (tensor<384x1024xf32>, tensor<384x1024xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x384xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) -> (tensor<384x1024xf32>, tensor<64x256xf32>, tensor<64x256xf32>)
      %43 = stablehlo.add %iterArg_13, %27 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %43, %42#0, %42#1, %42#2 : tensor<16x64x256xf32>, tensor<16x64x384xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<16x64x256xf32>, tensor<384x1024xf32>, tensor<i32>, tensor<384x1024xf32>, tensor<64x256xf32>, tensor<64x256xf32>
    }
    return %12#15 : tensor<384x1024xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<16x64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %arg0, %arg1, %0, %0, sizes = [1, 64, 128] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x128xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<1x64x128xf32>) -> tensor<64x128xf32>
    return %2 : tensor<64x128xf32>
  }
  func.func private @closed_call(%arg0: tensor<384x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg1: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg2: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg3: tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> (tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x384xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %0 = stablehlo.concatenate %arg3, %arg1, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x128xf32>, tensor<64x256xf32>) -> tensor<64x384xf32>
    %1 = stablehlo.dot_general %0, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x384xf32>, tensor<384x1024xf32>) -> tensor<64x1024xf32>
    %2 = stablehlo.slice %1 [0:64, 0:256] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x1024xf32>) -> tensor<64x256xf32>
    %3 = stablehlo.slice %1 [0:64, 256:512] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x1024xf32>) -> tensor<64x256xf32>
    %4 = stablehlo.slice %1 [0:64, 512:768] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x1024xf32>) -> tensor<64x256xf32>
    %5 = stablehlo.slice %1 [0:64, 768:1024] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<64x1024xf32>) -> tensor<64x256xf32>
    %6 = stablehlo.negate %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %7 = stablehlo.exponential %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %8 = sdy.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<f32>) -> tensor<64x256xf32>
    %10 = stablehlo.add %9, %7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %11 = stablehlo.divide %9, %10 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %12 = stablehlo.subtract %9, %11 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %13 = stablehlo.multiply %11, %12 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %14 = stablehlo.multiply %11, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %15 = stablehlo.negate %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %16 = stablehlo.exponential %15 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %17 = stablehlo.add %9, %16 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %18 = stablehlo.divide %9, %17 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %19 = stablehlo.subtract %9, %18 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %20 = stablehlo.multiply %18, %19 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %21 = stablehlo.tanh %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %22 = stablehlo.subtract %9, %21 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %23 = stablehlo.multiply %18, %21 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %24 = stablehlo.add %14, %23 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %25 = stablehlo.negate %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %26 = stablehlo.exponential %25 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %27 = stablehlo.add %9, %26 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %28 = stablehlo.divide %9, %27 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %29 = stablehlo.subtract %9, %28 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %30 = stablehlo.multiply %28, %29 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %31 = stablehlo.tanh %24 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %32 = stablehlo.subtract %9, %31 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    %33 = stablehlo.multiply %28, %31 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : tensor<64x256xf32>
    return %33, %24, %0, %13, %arg2, %11, %20, %21, %22, %18, %30, %31, %32, %28 : tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x384xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<16x64x384xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}, %arg1: tensor<64x384xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg2: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<16x64x384xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<64x384xf32>) -> tensor<1x64x384xf32>
    %1 = sdy.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x384xf32>, tensor<1x64x384xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x64x384xf32>
    return %2 : tensor<16x64x384xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<16x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}, %arg1: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg2: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<16x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
    %1 = sdy.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x64x256xf32>
    return %2 : tensor<16x64x256xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<16x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %arg0, %arg1, %0, %0, sizes = [1, 64, 256] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"model"}]>]>} : (tensor<16x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x256xf32>
    %2 = stablehlo.reshape %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<1x64x256xf32>) -> tensor<64x256xf32>
    return %2 : tensor<64x256xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<16x64x384xf32>, %arg1: tensor<i32>) -> tensor<64x384xf32> {
    %0 = sdy.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %arg0, %arg1, %0, %0, sizes = [1, 64, 384] : (tensor<16x64x384xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x384xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x64x384xf32>) -> tensor<64x384xf32>
    return %2 : tensor<64x384xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<384x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg1: tensor<384x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg3: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg4: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg5: tensor<64x384xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg6: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg7: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg8: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg9: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg10: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg11: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg12: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg13: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg14: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg15: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg16: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<384x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) {
    %0 = stablehlo.add %arg2, %arg4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %1 = stablehlo.multiply %arg16, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %2 = stablehlo.multiply %0, %arg14 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %3 = stablehlo.multiply %1, %arg15 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %4 = stablehlo.add %arg3, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %5 = stablehlo.multiply %3, %arg14 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %6 = stablehlo.add %4, %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %7 = stablehlo.multiply %2, %arg13 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %8 = stablehlo.multiply %arg12, %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %9 = stablehlo.multiply %6, %arg10 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %10 = stablehlo.multiply %8, %arg11 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %11 = stablehlo.multiply %10, %arg10 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %12 = stablehlo.add %10, %11 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %13 = stablehlo.multiply %9, %arg9 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %14 = stablehlo.multiply %arg8, %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %15 = stablehlo.multiply %6, %arg7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %16 = stablehlo.multiply %15, %arg6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<64x256xf32>
    %17 = stablehlo.concatenate %13, %16, %12, %7, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x1024xf32>
    %18 = stablehlo.dot_general %17, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>} : (tensor<64x1024xf32>, tensor<64x384xf32>) -> tensor<1024x384xf32>
    %19 = stablehlo.transpose %18, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<1024x384xf32>) -> tensor<384x1024xf32>
    %20 = stablehlo.add %arg1, %19 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : tensor<384x1024xf32>
    %21 = stablehlo.dot_general %17, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<64x1024xf32>, tensor<384x1024xf32>) -> tensor<64x384xf32>
    %22 = stablehlo.slice %21 [0:64, 128:384] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>} : (tensor<64x384xf32>) -> tensor<64x256xf32>
    return %20, %22, %14 : tensor<384x1024xf32>, tensor<64x256xf32>, tensor<64x256xf32>
  }
}
