module @jit_train attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, %arg1: tensor<4x1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<4x256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, %arg3: tensor<4x1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg4: tensor<4x256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, %arg5: tensor<4x1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg6: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg7: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<4x256x1024xf32> {jax.result_info = "result[0][0]"}, tensor<4x1024x256xf32> {jax.result_info = "result[0][1]"}, tensor<4x256x1024xf32> {jax.result_info = "result[1][0]"}, tensor<4x1024x256xf32> {jax.result_info = "result[1][1]"}, tensor<4x256x1024xf32> {jax.result_info = "result[2][0]"}, tensor<4x1024x256xf32> {jax.result_info = "result[2][1]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x64x256xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x64x1024xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x64x1024xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:7 = stablehlo.while(%iterArg = %arg0, %iterArg_22 = %arg1, %iterArg_23 = %c, %iterArg_24 = %arg6, %iterArg_25 = %0, %iterArg_26 = %1, %iterArg_27 = %2) : tensor<4x256x1024xf32>, tensor<4x1024x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<4x64x256xf32>, tensor<4x64x1024xf32>, tensor<4x64x1024xf32>
    cond {
      %c_28 = stablehlo.constant dense<4> : tensor<i32>
      %52 = stablehlo.compare LT, %iterArg_23, %c_28, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %52 : tensor<i1>
    } do {
      %52 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_23) : (tensor<4x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %53 = func.call @dynamic_index_in_dim_0(%iterArg_22, %iterArg_23) : (tensor<4x1024x256xf32>, tensor<i32>) -> tensor<1024x256xf32>
      %54:4 = func.call @closed_call(%iterArg_24, %52, %53) : (tensor<64x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x1024xf32>, tensor<64x1024xf32>)
      %55 = func.call @dynamic_update_index_in_dim(%iterArg_25, %54#1, %iterArg_23) : (tensor<4x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<4x64x256xf32>
      %56 = func.call @dynamic_update_index_in_dim_1(%iterArg_26, %54#2, %iterArg_23) : (tensor<4x64x1024xf32>, tensor<64x1024xf32>, tensor<i32>) -> tensor<4x64x1024xf32>
      %57 = func.call @dynamic_update_index_in_dim_1(%iterArg_27, %54#3, %iterArg_23) : (tensor<4x64x1024xf32>, tensor<64x1024xf32>, tensor<i32>) -> tensor<4x64x1024xf32>
      %c_28 = stablehlo.constant dense<1> : tensor<i32>
      %58 = stablehlo.add %iterArg_23, %c_28 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_22, %58, %54#0, %55, %56, %57 : tensor<4x256x1024xf32>, tensor<4x1024x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<4x64x256xf32>, tensor<4x64x1024xf32>, tensor<4x64x1024xf32>
    }
    %4 = stablehlo.subtract %3#3, %arg7 : tensor<64x256xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<64x256xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<64x256xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
    %9 = stablehlo.divide %8, %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
    %10 = stablehlo.divide %cst_5, %cst_6 : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %12 = stablehlo.multiply %11, %7 : tensor<64x256xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x256x1024xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x1024x256xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %15:9 = stablehlo.while(%iterArg = %arg0, %iterArg_22 = %3#4, %iterArg_23 = %3#5, %iterArg_24 = %3#6, %iterArg_25 = %arg1, %iterArg_26 = %c_9, %iterArg_27 = %12, %iterArg_28 = %13, %iterArg_29 = %14) : tensor<4x256x1024xf32>, tensor<4x64x256xf32>, tensor<4x64x1024xf32>, tensor<4x64x1024xf32>, tensor<4x1024x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<4x256x1024xf32>, tensor<4x1024x256xf32>
    cond {
      %c_30 = stablehlo.constant dense<4> : tensor<i32>
      %52 = stablehlo.compare LT, %iterArg_26, %c_30, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %52 : tensor<i1>
    } do {
      %c_30 = stablehlo.constant dense<4> : tensor<i32>
      %52 = stablehlo.subtract %c_30, %iterArg_26 : tensor<i32>
      %c_31 = stablehlo.constant dense<1> : tensor<i32>
      %53 = stablehlo.subtract %52, %c_31 : tensor<i32>
      %54 = func.call @dynamic_index_in_dim(%iterArg, %53) : (tensor<4x256x1024xf32>, tensor<i32>) -> tensor<256x1024xf32>
      %55 = func.call @dynamic_index_in_dim_2(%iterArg_22, %53) : (tensor<4x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %56 = func.call @dynamic_index_in_dim_3(%iterArg_23, %53) : (tensor<4x64x1024xf32>, tensor<i32>) -> tensor<64x1024xf32>
      %57 = func.call @dynamic_index_in_dim_3(%iterArg_24, %53) : (tensor<4x64x1024xf32>, tensor<i32>) -> tensor<64x1024xf32>
      %58 = func.call @dynamic_index_in_dim_0(%iterArg_25, %53) : (tensor<4x1024x256xf32>, tensor<i32>) -> tensor<1024x256xf32>
      %59:3 = func.call @closed_call_4(%iterArg_27, %54, %55, %56, %57, %58) : (tensor<64x256xf32>, tensor<256x1024xf32>, tensor<64x256xf32>, tensor<64x1024xf32>, tensor<64x1024xf32>, tensor<1024x256xf32>) -> (tensor<64x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>)
      %60 = func.call @dynamic_update_index_in_dim_5(%iterArg_28, %59#1, %53) : (tensor<4x256x1024xf32>, tensor<256x1024xf32>, tensor<i32>) -> tensor<4x256x1024xf32>
      %61 = func.call @dynamic_update_index_in_dim_6(%iterArg_29, %59#2, %53) : (tensor<4x1024x256xf32>, tensor<1024x256xf32>, tensor<i32>) -> tensor<4x1024x256xf32>
      %c_32 = stablehlo.constant dense<1> : tensor<i32>
      %62 = stablehlo.add %iterArg_26, %c_32 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %62, %59#0, %60, %61 : tensor<4x256x1024xf32>, tensor<4x64x256xf32>, tensor<4x64x1024xf32>, tensor<4x64x1024xf32>, tensor<4x1024x256xf32>, tensor<i32>, tensor<64x256xf32>, tensor<4x256x1024xf32>, tensor<4x1024x256xf32>
    }
    %cst_10 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x256x1024xf32>
    %17 = stablehlo.multiply %16, %arg2 : tensor<4x256x1024xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x256x1024xf32>
    %19 = stablehlo.multiply %18, %15#7 : tensor<4x256x1024xf32>
    %20 = stablehlo.add %17, %19 : tensor<4x256x1024xf32>
    %cst_12 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x1024x256xf32>
    %22 = stablehlo.multiply %21, %arg3 : tensor<4x1024x256xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x1024x256xf32>
    %24 = stablehlo.multiply %23, %15#8 : tensor<4x1024x256xf32>
    %25 = stablehlo.add %22, %24 : tensor<4x1024x256xf32>
    %cst_14 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x256x1024xf32>
    %27 = stablehlo.multiply %26, %arg4 : tensor<4x256x1024xf32>
    %cst_15 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x256x1024xf32>
    %29 = stablehlo.multiply %28, %15#7 : tensor<4x256x1024xf32>
    %30 = stablehlo.multiply %29, %15#7 : tensor<4x256x1024xf32>
    %31 = stablehlo.add %27, %30 : tensor<4x256x1024xf32>
    %cst_16 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x1024x256xf32>
    %33 = stablehlo.multiply %32, %arg5 : tensor<4x1024x256xf32>
    %cst_17 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x1024x256xf32>
    %35 = stablehlo.multiply %34, %15#8 : tensor<4x1024x256xf32>
    %36 = stablehlo.multiply %35, %15#8 : tensor<4x1024x256xf32>
    %37 = stablehlo.add %33, %36 : tensor<4x1024x256xf32>
    %cst_18 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x256x1024xf32>
    %39 = stablehlo.multiply %38, %20 : tensor<4x256x1024xf32>
    %40 = stablehlo.sqrt %31 : tensor<4x256x1024xf32>
    %cst_19 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x256x1024xf32>
    %42 = stablehlo.add %40, %41 : tensor<4x256x1024xf32>
    %43 = stablehlo.divide %39, %42 : tensor<4x256x1024xf32>
    %44 = stablehlo.subtract %arg0, %43 : tensor<4x256x1024xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x1024x256xf32>
    %46 = stablehlo.multiply %45, %25 : tensor<4x1024x256xf32>
    %47 = stablehlo.sqrt %37 : tensor<4x1024x256xf32>
    %cst_21 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x1024x256xf32>
    %49 = stablehlo.add %47, %48 : tensor<4x1024x256xf32>
    %50 = stablehlo.divide %46, %49 : tensor<4x1024x256xf32>
    %51 = stablehlo.subtract %arg1, %50 : tensor<4x1024x256xf32>
    return %44, %51, %20, %25, %31, %37, %9 : tensor<4x256x1024xf32>, tensor<4x1024x256xf32>, tensor<4x256x1024xf32>, tensor<4x1024x256xf32>, tensor<4x256x1024xf32>, tensor<4x1024x256xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x256x1024xf32>, %arg1: tensor<i32>) -> tensor<256x1024xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 256, 1024] : (tensor<4x256x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x1024xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x256x1024xf32>) -> tensor<256x1024xf32>
    return %1 : tensor<256x1024xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<4x1024x256xf32>, %arg1: tensor<i32>) -> tensor<1024x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1024, 256] : (tensor<4x1024x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1024x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1024x256xf32>) -> tensor<1024x256xf32>
    return %1 : tensor<1024x256xf32>
  }
  func.func private @closed_call(%arg0: tensor<64x256xf32>, %arg1: tensor<256x1024xf32>, %arg2: tensor<1024x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x1024xf32>, tensor<64x1024xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x256xf32>, tensor<256x1024xf32>) -> tensor<64x1024xf32>
    %1 = stablehlo.tanh %0 : tensor<64x1024xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x1024xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<64x1024xf32>
    %4 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x1024xf32>, tensor<1024x256xf32>) -> tensor<64x256xf32>
    %5 = stablehlo.add %arg0, %4 : tensor<64x256xf32>
    return %5, %arg0, %1, %3 : tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x1024xf32>, tensor<64x1024xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x64x256xf32>, %arg1: tensor<64x256xf32>, %arg2: tensor<i32>) -> tensor<4x64x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x256xf32>
    return %1 : tensor<4x64x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<4x64x1024xf32>, %arg1: tensor<64x1024xf32>, %arg2: tensor<i32>) -> tensor<4x64x1024xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x1024xf32>) -> tensor<1x64x1024xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x64x1024xf32>, tensor<1x64x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x1024xf32>
    return %1 : tensor<4x64x1024xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<4x64x256xf32>, %arg1: tensor<i32>) -> tensor<64x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 256] : (tensor<4x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x256xf32>) -> tensor<64x256xf32>
    return %1 : tensor<64x256xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<4x64x1024xf32>, %arg1: tensor<i32>) -> tensor<64x1024xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 1024] : (tensor<4x64x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x1024xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x1024xf32>) -> tensor<64x1024xf32>
    return %1 : tensor<64x1024xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<64x256xf32>, %arg1: tensor<256x1024xf32>, %arg2: tensor<64x256xf32>, %arg3: tensor<64x1024xf32>, %arg4: tensor<64x1024xf32>, %arg5: tensor<1024x256xf32>) -> (tensor<64x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x256xf32>, tensor<64x1024xf32>) -> tensor<256x1024xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %2 = stablehlo.dot_general %arg0, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x256xf32>, tensor<1024x256xf32>) -> tensor<64x1024xf32>
    %3 = stablehlo.multiply %2, %arg4 : tensor<64x1024xf32>
    %4 = stablehlo.multiply %3, %arg3 : tensor<64x1024xf32>
    %5 = stablehlo.add %3, %4 : tensor<64x1024xf32>
    %6 = stablehlo.dot_general %5, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x1024xf32>, tensor<64x256xf32>) -> tensor<1024x256xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %8 = stablehlo.dot_general %5, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x1024xf32>, tensor<256x1024xf32>) -> tensor<64x256xf32>
    %9 = stablehlo.add %arg0, %8 : tensor<64x256xf32>
    return %9, %7, %1 : tensor<64x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<4x256x1024xf32>, %arg1: tensor<256x1024xf32>, %arg2: tensor<i32>) -> tensor<4x256x1024xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<256x1024xf32>) -> tensor<1x256x1024xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x256x1024xf32>, tensor<1x256x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x256x1024xf32>
    return %1 : tensor<4x256x1024xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<4x1024x256xf32>, %arg1: tensor<1024x256xf32>, %arg2: tensor<i32>) -> tensor<4x1024x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1024x256xf32>) -> tensor<1x1024x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x1024x256xf32>, tensor<1x1024x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1024x256xf32>
    return %1 : tensor<4x1024x256xf32>
  }
}
