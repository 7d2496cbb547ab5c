module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<2x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, %arg1: tensor<2x32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<2x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}, %arg3: tensor<2x32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {"data"}]>}, %arg4: tensor<2x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}]>}, %arg5: tensor<2x32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {"data"}]>}, %arg6: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg7: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<2x16x32xf32> {jax.result_info = "result[0][0]"}, tensor<2x32x16xf32> {jax.result_info = "result[0][1]"}, tensor<2x16x32xf32> {jax.result_info = "result[1][0]"}, tensor<2x32x16xf32> {jax.result_info = "result[1][1]"}, tensor<2x16x32xf32> {jax.result_info = "result[2][0]"}, tensor<2x32x16xf32> {jax.result_info = "result[2][1]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:7 = stablehlo.while(%iterArg = %arg0, %iterArg_23 = %arg1, %iterArg_24 = %c, %iterArg_25 = %arg6, %iterArg_26 = %0, %iterArg_27 = %1, %iterArg_28 = %2) : tensor<2x16x32xf32>, tensor<2x32x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x32xf32>, tensor<2x8x32xf32>
    cond {
      %c_29 = stablehlo.constant dense<2> : tensor<i32>
      %55 = stablehlo.compare LT, %iterArg_24, %c_29, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %55 : tensor<i1>
    } do {
      %55 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_24) : (tensor<2x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %56 = func.call @dynamic_index_in_dim_0(%iterArg_23, %iterArg_24) : (tensor<2x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %57:4 = func.call @closed_call(%iterArg_25, %55, %56) : (tensor<8x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x32xf32>)
      %58 = func.call @dynamic_update_index_in_dim(%iterArg_26, %57#1, %iterArg_24) : (tensor<2x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<2x8x16xf32>
      %59 = func.call @dynamic_update_index_in_dim_1(%iterArg_27, %57#2, %iterArg_24) : (tensor<2x8x32xf32>, tensor<8x32xf32>, tensor<i32>) -> tensor<2x8x32xf32>
      %60 = func.call @dynamic_update_index_in_dim_1(%iterArg_28, %57#3, %iterArg_24) : (tensor<2x8x32xf32>, tensor<8x32xf32>, tensor<i32>) -> tensor<2x8x32xf32>
      %c_29 = stablehlo.constant dense<1> : tensor<i32>
      %61 = stablehlo.add %iterArg_24, %c_29 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_23, %61, %57#0, %58, %59, %60 : tensor<2x16x32xf32>, tensor<2x32x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x32xf32>, tensor<2x8x32xf32>
    }
    %4 = stablehlo.subtract %3#3, %arg7 : tensor<8x16xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<8x16xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<8x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %9 = stablehlo.divide %8, %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %11 = stablehlo.divide %cst_6, %cst_7 : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %13 = stablehlo.multiply %12, %7 : tensor<8x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %16:9 = stablehlo.while(%iterArg = %arg0, %iterArg_23 = %3#4, %iterArg_24 = %3#5, %iterArg_25 = %3#6, %iterArg_26 = %arg1, %iterArg_27 = %c_10, %iterArg_28 = %13, %iterArg_29 = %14, %iterArg_30 = %15) : tensor<2x16x32xf32>, tensor<2x8x16xf32>, tensor<2x8x32xf32>, tensor<2x8x32xf32>, tensor<2x32x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<2x16x32xf32>, tensor<2x32x16xf32>
    cond {
      %c_31 = stablehlo.constant dense<2> : tensor<i32>
      %55 = stablehlo.compare LT, %iterArg_27, %c_31, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %55 : tensor<i1>
    } do {
      %c_31 = stablehlo.constant dense<2> : tensor<i32>
      %55 = stablehlo.subtract %c_31, %iterArg_27 : tensor<i32>
      %c_32 = stablehlo.constant dense<1> : tensor<i32>
      %56 = stablehlo.subtract %55, %c_32 : tensor<i32>
      %57 = func.call @dynamic_index_in_dim(%iterArg, %56) : (tensor<2x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %58 = func.call @dynamic_index_in_dim_2(%iterArg_23, %56) : (tensor<2x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %59 = func.call @dynamic_index_in_dim_3(%iterArg_24, %56) : (tensor<2x8x32xf32>, tensor<i32>) -> tensor<8x32xf32>
      %60 = func.call @dynamic_index_in_dim_3(%iterArg_25, %56) : (tensor<2x8x32xf32>, tensor<i32>) -> tensor<8x32xf32>
      %61 = func.call @dynamic_index_in_dim_0(%iterArg_26, %56) : (tensor<2x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %62:3 = func.call @closed_call_4(%iterArg_28, %57, %58, %59, %60, %61) : (tensor<8x16xf32>, tensor<16x32xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<32x16xf32>) -> (tensor<8x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>)
      %63 = func.call @dynamic_update_index_in_dim_5(%iterArg_29, %62#1, %56) : (tensor<2x16x32xf32>, tensor<16x32xf32>, tensor<i32>) -> tensor<2x16x32xf32>
      %64 = func.call @dynamic_update_index_in_dim_6(%iterArg_30, %62#2, %56) : (tensor<2x32x16xf32>, tensor<32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>
      %c_33 = stablehlo.constant dense<1> : tensor<i32>
      %65 = stablehlo.add %iterArg_27, %c_33 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %65, %62#0, %63, %64 : tensor<2x16x32xf32>, tensor<2x8x16xf32>, tensor<2x8x32xf32>, tensor<2x8x32xf32>, tensor<2x32x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<2x16x32xf32>, tensor<2x32x16xf32>
    }
    %cst_11 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %18 = stablehlo.multiply %17, %arg2 : tensor<2x16x32xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %20 = stablehlo.multiply %19, %16#7 : tensor<2x16x32xf32>
    %21 = stablehlo.add %18, %20 : tensor<2x16x32xf32>
    %cst_13 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %23 = stablehlo.multiply %22, %arg3 : tensor<2x32x16xf32>
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %25 = stablehlo.multiply %24, %16#8 : tensor<2x32x16xf32>
    %26 = stablehlo.add %23, %25 : tensor<2x32x16xf32>
    %cst_15 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %28 = stablehlo.multiply %27, %arg4 : tensor<2x16x32xf32>
    %cst_16 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %30 = stablehlo.multiply %29, %16#7 : tensor<2x16x32xf32>
    %31 = stablehlo.multiply %30, %16#7 : tensor<2x16x32xf32>
    %32 = stablehlo.add %28, %31 : tensor<2x16x32xf32>
    %cst_17 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %34 = stablehlo.multiply %33, %arg5 : tensor<2x32x16xf32>
    %cst_18 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %36 = stablehlo.multiply %35, %16#8 : tensor<2x32x16xf32>
    %37 = stablehlo.multiply %36, %16#8 : tensor<2x32x16xf32>
    %38 = stablehlo.add %34, %37 : tensor<2x32x16xf32>
    %cst_19 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %40 = stablehlo.multiply %39, %21 : tensor<2x16x32xf32>
    %41 = stablehlo.abs %32 : tensor<2x16x32xf32>
    %42 = stablehlo.sqrt %41 : tensor<2x16x32xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %44 = stablehlo.add %42, %43 : tensor<2x16x32xf32>
    %45 = stablehlo.divide %40, %44 : tensor<2x16x32xf32>
    %46 = stablehlo.subtract %arg0, %45 : tensor<2x16x32xf32>
    %cst_21 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %48 = stablehlo.multiply %47, %26 : tensor<2x32x16xf32>
    %49 = stablehlo.abs %38 : tensor<2x32x16xf32>
    %50 = stablehlo.sqrt %49 : tensor<2x32x16xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %52 = stablehlo.add %50, %51 : tensor<2x32x16xf32>
    %53 = stablehlo.divide %48, %52 : tensor<2x32x16xf32>
    %54 = stablehlo.subtract %arg1, %53 : tensor<2x32x16xf32>
    return %46, %54, %21, %26, %32, %38, %9 : tensor<2x16x32xf32>, tensor<2x32x16xf32>, tensor<2x16x32xf32>, tensor<2x32x16xf32>, tensor<2x16x32xf32>, tensor<2x32x16xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x16x32xf32>, %arg1: tensor<i32>) -> tensor<16x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 32] : (tensor<2x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x32xf32>) -> tensor<16x32xf32>
    return %1 : tensor<16x32xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<2x32x16xf32>, %arg1: tensor<i32>) -> tensor<32x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 16] : (tensor<2x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x16xf32>) -> tensor<32x16xf32>
    return %1 : tensor<32x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x16xf32>, %arg1: tensor<16x32xf32>, %arg2: tensor<32x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x32xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %1 = stablehlo.tanh %0 : tensor<8x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<8x32xf32>
    %4 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
    %5 = stablehlo.add %arg0, %4 : tensor<8x16xf32>
    return %5, %arg0, %1, %3 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x8x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<i32>) -> tensor<2x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x16xf32>
    return %1 : tensor<2x8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<2x8x32xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<i32>) -> tensor<2x8x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x32xf32>
    return %1 : tensor<2x8x32xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<2x8x16xf32>, %arg1: tensor<i32>) -> tensor<8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 16] : (tensor<2x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<2x8x32xf32>, %arg1: tensor<i32>) -> tensor<8x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 32] : (tensor<2x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    return %1 : tensor<8x32xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<8x16xf32>, %arg1: tensor<16x32xf32>, %arg2: tensor<8x16xf32>, %arg3: tensor<8x32xf32>, %arg4: tensor<8x32xf32>, %arg5: tensor<32x16xf32>) -> (tensor<8x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x32xf32>) -> tensor<16x32xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %2 = stablehlo.dot_general %arg0, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<32x16xf32>) -> tensor<8x32xf32>
    %3 = stablehlo.multiply %2, %arg4 : tensor<8x32xf32>
    %4 = stablehlo.multiply %3, %arg3 : tensor<8x32xf32>
    %5 = stablehlo.add %3, %4 : tensor<8x32xf32>
    %6 = stablehlo.dot_general %5, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %8 = stablehlo.dot_general %5, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<16x32xf32>) -> tensor<8x16xf32>
    %9 = stablehlo.add %arg0, %8 : tensor<8x16xf32>
    return %9, %7, %1 : tensor<8x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<2x16x32xf32>, %arg1: tensor<16x32xf32>, %arg2: tensor<i32>) -> tensor<2x16x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x16x32xf32>, tensor<1x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x32xf32>
    return %1 : tensor<2x16x32xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<2x32x16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<i32>) -> tensor<2x32x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x16xf32>) -> tensor<1x32x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x32x16xf32>, tensor<1x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x32x16xf32>
    return %1 : tensor<2x32x16xf32>
  }
}
