module @jit_random attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4xui32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> (tensor<4xui32> {jax.result_info = "result[0][0][0]"}, tensor<4x6xui32> {jax.result_info = "result[0][0][1]"}, tensor<4xui32> {jax.result_info = "result[0][1][0]"}, tensor<5x7x3xui32> {jax.result_info = "result[0][1][1]"}, tensor<4xui32> {jax.result_info = "result[0][2][0]"}, tensor<3x3xui32> {jax.result_info = "result[0][2][1]"}, tensor<4xui32> {jax.result_info = "result[0][3][0]"}, tensor<ui32> {jax.result_info = "result[0][3][1]"}, tensor<4xui32> {jax.result_info = "result[0][4][0]"}, tensor<4x6xui32> {jax.result_info = "result[0][4][1]"}, tensor<4xui32> {jax.result_info = "result[0][5][0]"}, tensor<5x7x3xui32> {jax.result_info = "result[0][5][1]"}, tensor<4xui32> {jax.result_info = "result[0][6][0]"}, tensor<3x3xui32> {jax.result_info = "result[0][6][1]"}, tensor<4xui32> {jax.result_info = "result[0][7][0]"}, tensor<ui32> {jax.result_info = "result[0][7][1]"}, tensor<4xui32> {jax.result_info = "result[0][8][0]"}, tensor<4x6xui32> {jax.result_info = "result[0][8][1]"}, tensor<4xui32> {jax.result_info = "result[0][9][0]"}, tensor<5x7x3xui32> {jax.result_info = "result[0][9][1]"}, tensor<4xui32> {jax.result_info = "result[0][10][0]"}, tensor<3x3xui32> {jax.result_info = "result[0][10][1]"}, tensor<4xui32> {jax.result_info = "result[0][11][0]"}, tensor<ui32> {jax.result_info = "result[0][11][1]"}, tensor<8x16xf32> {jax.result_info = "result[1]"}, tensor<8x6xf32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<5> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %1 = stablehlo.xor %arg0, %0 : tensor<4xui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xui32>) -> tensor<1x4xui32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xui32>) -> tensor<1x4xui32>
    %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<2x4xui32>
    %5 = stablehlo.slice %4 [0:1, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %6 = stablehlo.reshape %5 : (tensor<1x4xui32>) -> tensor<4xui32>
    %7 = stablehlo.reshape %6 : (tensor<4xui32>) -> tensor<2x2xui32>
    %8 = stablehlo.bitcast_convert %7 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %8, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
    %9 = stablehlo.bitcast_convert %output_state : (tensor<2xui64>) -> tensor<2x2xui32>
    %10 = stablehlo.reshape %9 : (tensor<2x2xui32>) -> tensor<4xui32>
    %11 = stablehlo.slice %4 [1:2, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %12 = stablehlo.reshape %11 : (tensor<1x4xui32>) -> tensor<4xui32>
    %13 = stablehlo.reshape %12 : (tensor<4xui32>) -> tensor<2x2xui32>
    %14 = stablehlo.bitcast_convert %13 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_0, %output_1 = stablehlo.rng_bit_generator %14, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x7x3xui32>)
    %15 = stablehlo.bitcast_convert %output_state_0 : (tensor<2xui64>) -> tensor<2x2xui32>
    %16 = stablehlo.reshape %15 : (tensor<2x2xui32>) -> tensor<4xui32>
    %17 = stablehlo.slice %4 [0:1, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %18 = stablehlo.reshape %17 : (tensor<1x4xui32>) -> tensor<4xui32>
    %19 = stablehlo.reshape %18 : (tensor<4xui32>) -> tensor<2x2xui32>
    %20 = stablehlo.bitcast_convert %19 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_2, %output_3 = stablehlo.rng_bit_generator %20, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui8>)
    %21 = stablehlo.bitcast_convert %output_state_2 : (tensor<2xui64>) -> tensor<2x2xui32>
    %22 = stablehlo.reshape %21 : (tensor<2x2xui32>) -> tensor<4xui32>
    %23 = stablehlo.convert %output_3 : (tensor<3x3xui8>) -> tensor<3x3xui32>
    %24 = stablehlo.slice %4 [1:2, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %25 = stablehlo.reshape %24 : (tensor<1x4xui32>) -> tensor<4xui32>
    %26 = stablehlo.reshape %25 : (tensor<4xui32>) -> tensor<2x2xui32>
    %27 = stablehlo.bitcast_convert %26 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_4, %output_5 = stablehlo.rng_bit_generator %27, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui16>)
    %28 = stablehlo.bitcast_convert %output_state_4 : (tensor<2xui64>) -> tensor<2x2xui32>
    %29 = stablehlo.reshape %28 : (tensor<2x2xui32>) -> tensor<4xui32>
    %30 = stablehlo.convert %output_5 : (tensor<ui16>) -> tensor<ui32>
    %31 = stablehlo.slice %4 [0:1, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %32 = stablehlo.reshape %31 : (tensor<1x4xui32>) -> tensor<4xui32>
    %33 = stablehlo.reshape %32 : (tensor<4xui32>) -> tensor<2x2xui32>
    %34 = stablehlo.bitcast_convert %33 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_6, %output_7 = stablehlo.rng_bit_generator %34, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
    %35 = stablehlo.bitcast_convert %output_state_6 : (tensor<2xui64>) -> tensor<2x2xui32>
    %36 = stablehlo.reshape %35 : (tensor<2x2xui32>) -> tensor<4xui32>
    %37 = stablehlo.slice %4 [1:2, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %38 = stablehlo.reshape %37 : (tensor<1x4xui32>) -> tensor<4xui32>
    %39 = stablehlo.reshape %38 : (tensor<4xui32>) -> tensor<2x2xui32>
    %40 = stablehlo.bitcast_convert %39 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_8, %output_9 = stablehlo.rng_bit_generator %40, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x7x3xui32>)
    %41 = stablehlo.bitcast_convert %output_state_8 : (tensor<2xui64>) -> tensor<2x2xui32>
    %42 = stablehlo.reshape %41 : (tensor<2x2xui32>) -> tensor<4xui32>
    %43 = stablehlo.slice %4 [0:1, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %44 = stablehlo.reshape %43 : (tensor<1x4xui32>) -> tensor<4xui32>
    %45 = stablehlo.reshape %44 : (tensor<4xui32>) -> tensor<2x2xui32>
    %46 = stablehlo.bitcast_convert %45 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_10, %output_11 = stablehlo.rng_bit_generator %46, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui8>)
    %47 = stablehlo.bitcast_convert %output_state_10 : (tensor<2xui64>) -> tensor<2x2xui32>
    %48 = stablehlo.reshape %47 : (tensor<2x2xui32>) -> tensor<4xui32>
    %49 = stablehlo.convert %output_11 : (tensor<3x3xui8>) -> tensor<3x3xui32>
    %50 = stablehlo.slice %4 [1:2, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %51 = stablehlo.reshape %50 : (tensor<1x4xui32>) -> tensor<4xui32>
    %52 = stablehlo.reshape %51 : (tensor<4xui32>) -> tensor<2x2xui32>
    %53 = stablehlo.bitcast_convert %52 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_12, %output_13 = stablehlo.rng_bit_generator %53, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui16>)
    %54 = stablehlo.bitcast_convert %output_state_12 : (tensor<2xui64>) -> tensor<2x2xui32>
    %55 = stablehlo.reshape %54 : (tensor<2x2xui32>) -> tensor<4xui32>
    %56 = stablehlo.convert %output_13 : (tensor<ui16>) -> tensor<ui32>
    %57 = stablehlo.slice %4 [0:1, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %58 = stablehlo.reshape %57 : (tensor<1x4xui32>) -> tensor<4xui32>
    %59 = stablehlo.reshape %58 : (tensor<4xui32>) -> tensor<2x2xui32>
    %60 = stablehlo.bitcast_convert %59 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_14, %output_15 = stablehlo.rng_bit_generator %60, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
    %61 = stablehlo.bitcast_convert %output_state_14 : (tensor<2xui64>) -> tensor<2x2xui32>
    %62 = stablehlo.reshape %61 : (tensor<2x2xui32>) -> tensor<4xui32>
    %63 = stablehlo.slice %4 [1:2, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %64 = stablehlo.reshape %63 : (tensor<1x4xui32>) -> tensor<4xui32>
    %65 = stablehlo.reshape %64 : (tensor<4xui32>) -> tensor<2x2xui32>
    %66 = stablehlo.bitcast_convert %65 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_16, %output_17 = stablehlo.rng_bit_generator %66, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x7x3xui32>)
    %67 = stablehlo.bitcast_convert %output_state_16 : (tensor<2xui64>) -> tensor<2x2xui32>
    %68 = stablehlo.reshape %67 : (tensor<2x2xui32>) -> tensor<4xui32>
    %69 = stablehlo.slice %4 [0:1, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %70 = stablehlo.reshape %69 : (tensor<1x4xui32>) -> tensor<4xui32>
    %71 = stablehlo.reshape %70 : (tensor<4xui32>) -> tensor<2x2xui32>
    %72 = stablehlo.bitcast_convert %71 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_18, %output_19 = stablehlo.rng_bit_generator %72, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui8>)
    %73 = stablehlo.bitcast_convert %output_state_18 : (tensor<2xui64>) -> tensor<2x2xui32>
    %74 = stablehlo.reshape %73 : (tensor<2x2xui32>) -> tensor<4xui32>
    %75 = stablehlo.convert %output_19 : (tensor<3x3xui8>) -> tensor<3x3xui32>
    %76 = stablehlo.slice %4 [1:2, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %77 = stablehlo.reshape %76 : (tensor<1x4xui32>) -> tensor<4xui32>
    %78 = stablehlo.reshape %77 : (tensor<4xui32>) -> tensor<2x2xui32>
    %79 = stablehlo.bitcast_convert %78 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_20, %output_21 = stablehlo.rng_bit_generator %79, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui16>)
    %80 = stablehlo.bitcast_convert %output_state_20 : (tensor<2xui64>) -> tensor<2x2xui32>
    %81 = stablehlo.reshape %80 : (tensor<2x2xui32>) -> tensor<4xui32>
    %82 = stablehlo.convert %output_21 : (tensor<ui16>) -> tensor<ui32>
    %83 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %84 = stablehlo.slice %83 [0:2, 0:1] : (tensor<2x2xui32>) -> tensor<2x1xui32>
    %85 = stablehlo.reshape %84 : (tensor<2x1xui32>) -> tensor<2xui32>
    %86 = stablehlo.slice %83 [0:2, 1:2] : (tensor<2x2xui32>) -> tensor<2x1xui32>
    %87 = stablehlo.reshape %86 : (tensor<2x1xui32>) -> tensor<2xui32>
    %88 = stablehlo.iota dim = 0 : tensor<2xui64>
    %c_22 = stablehlo.constant dense<1> : tensor<ui64>
    %89 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<ui64>) -> tensor<2xui64>
    %90 = stablehlo.multiply %89, %88 : tensor<2xui64>
    %c_23 = stablehlo.constant dense<32> : tensor<ui64>
    %91 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<ui64>) -> tensor<2xui64>
    %92 = stablehlo.shift_right_logical %90, %91 : tensor<2xui64>
    %93 = stablehlo.convert %90 : (tensor<2xui64>) -> tensor<2xui32>
    %94 = stablehlo.convert %92 : (tensor<2xui64>) -> tensor<2xui32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [1] : (tensor<2xui32>) -> tensor<1x2xui32>
    %96 = stablehlo.broadcast_in_dim %93, dims = [1] : (tensor<2xui32>) -> tensor<1x2xui32>
    %97 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<2xui32>) -> tensor<2x1xui32>
    %98 = stablehlo.broadcast_in_dim %87, dims = [0] : (tensor<2xui32>) -> tensor<2x1xui32>
    %99:2 = call @threefry2x32(%97, %98, %95, %96) : (tensor<2x1xui32>, tensor<2x1xui32>, tensor<1x2xui32>, tensor<1x2xui32>) -> (tensor<2x2xui32>, tensor<2x2xui32>)
    %100 = stablehlo.broadcast_in_dim %99#0, dims = [0, 1] : (tensor<2x2xui32>) -> tensor<2x2x1xui32>
    %101 = stablehlo.broadcast_in_dim %99#1, dims = [0, 1] : (tensor<2x2xui32>) -> tensor<2x2x1xui32>
    %102 = stablehlo.concatenate %100, %101, dim = 2 : (tensor<2x2x1xui32>, tensor<2x2x1xui32>) -> tensor<2x2x2xui32>
    %103 = stablehlo.transpose %102, dims = [1, 0, 2] : (tensor<2x2x2xui32>) -> tensor<2x2x2xui32>
    %104 = stablehlo.reshape %103 : (tensor<2x2x2xui32>) -> tensor<2x4xui32>
    %105 = stablehlo.slice %104 [0:1, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %106 = stablehlo.reshape %105 : (tensor<1x4xui32>) -> tensor<4xui32>
    %cst = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %107 = call @_bernoulli(%106, %cst) : (tensor<4xui32>, tensor<f32>) -> tensor<8x16xi1>
    %cst_24 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %109 = stablehlo.divide %arg1, %108 : tensor<8x16xf32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %110 = call @_where(%107, %109, %c_25) : (tensor<8x16xi1>, tensor<8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
    %111 = stablehlo.slice %104 [1:2, 0:4] : (tensor<2x4xui32>) -> tensor<1x4xui32>
    %112 = stablehlo.reshape %111 : (tensor<1x4xui32>) -> tensor<4xui32>
    %113 = call @_normal(%112) : (tensor<4xui32>) -> tensor<8x6xf32>
    %114 = stablehlo.slice %arg1 [0:8, 0:6] : (tensor<8x16xf32>) -> tensor<8x6xf32>
    %115 = stablehlo.multiply %113, %114 : tensor<8x6xf32>
    return %10, %output, %16, %output_1, %22, %23, %29, %30, %36, %output_7, %42, %output_9, %48, %49, %55, %56, %62, %output_15, %68, %output_17, %74, %75, %81, %82, %110, %115 : tensor<4xui32>, tensor<4x6xui32>, tensor<4xui32>, tensor<5x7x3xui32>, tensor<4xui32>, tensor<3x3xui32>, tensor<4xui32>, tensor<ui32>, tensor<4xui32>, tensor<4x6xui32>, tensor<4xui32>, tensor<5x7x3xui32>, tensor<4xui32>, tensor<3x3xui32>, tensor<4xui32>, tensor<ui32>, tensor<4xui32>, tensor<4x6xui32>, tensor<4xui32>, tensor<5x7x3xui32>, tensor<4xui32>, tensor<3x3xui32>, tensor<4xui32>, tensor<ui32>, tensor<8x16xf32>, tensor<8x6xf32>
  }
  func.func private @threefry2x32(%arg0: tensor<2x1xui32>, %arg1: tensor<2x1xui32>, %arg2: tensor<1x2xui32>, %arg3: tensor<1x2xui32>) -> (tensor<2x2xui32>, tensor<2x2xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<2x1xui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui32>) -> tensor<2x1xui32>
    %2 = stablehlo.xor %0, %1 : tensor<2x1xui32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x2xui32>) -> tensor<2x2xui32>
    %4 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<2x1xui32>) -> tensor<2x2xui32>
    %5 = stablehlo.add %3, %4 : tensor<2x2xui32>
    %6 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<1x2xui32>) -> tensor<2x2xui32>
    %7 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<2x1xui32>) -> tensor<2x2xui32>
    %8 = stablehlo.add %6, %7 : tensor<2x2xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %5, %iterArg_6 = %8, %iterArg_7 = %arg1, %iterArg_8 = %2, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<4xui32>, tensor<4xui32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      stablehlo.return %11, %10#0, %10#1, %10#2, %10#3, %10#4, %10#5, %10#6, %10#7 : tensor<i32>, tensor<i32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %9#2, %9#3 : tensor<2x2xui32>, tensor<2x2xui32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<2x2xui32>, %arg2: tensor<2x2xui32>, %arg3: tensor<2x1xui32>, %arg4: tensor<2x1xui32>, %arg5: tensor<2x1xui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<4xui32>, tensor<4xui32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
    %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
    %3 = stablehlo.add %arg1, %arg2 : tensor<2x2xui32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>
    %5 = stablehlo.shift_left %arg2, %4 : tensor<2x2xui32>
    %c_0 = stablehlo.constant dense<32> : tensor<ui32>
    %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>
    %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<2x2xui32>
    %9 = stablehlo.or %5, %8 : tensor<2x2xui32>
    %10 = stablehlo.xor %3, %9 : tensor<2x2xui32>
    %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
    %13 = stablehlo.add %3, %10 : tensor<2x2xui32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>
    %15 = stablehlo.shift_left %10, %14 : tensor<2x2xui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui32>
    %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>
    %18 = stablehlo.shift_right_logical %10, %17 : tensor<2x2xui32>
    %19 = stablehlo.or %15, %18 : tensor<2x2xui32>
    %20 = stablehlo.xor %13, %19 : tensor<2x2xui32>
    %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
    %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
    %23 = stablehlo.add %13, %20 : tensor<2x2xui32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<2x2xui32>
    %c_2 = stablehlo.constant dense<32> : tensor<ui32>
    %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>
    %28 = stablehlo.shift_right_logical %20, %27 : tensor<2x2xui32>
    %29 = stablehlo.or %25, %28 : tensor<2x2xui32>
    %30 = stablehlo.xor %23, %29 : tensor<2x2xui32>
    %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
    %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
    %33 = stablehlo.add %23, %30 : tensor<2x2xui32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>
    %35 = stablehlo.shift_left %30, %34 : tensor<2x2xui32>
    %c_3 = stablehlo.constant dense<32> : tensor<ui32>
    %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>
    %38 = stablehlo.shift_right_logical %30, %37 : tensor<2x2xui32>
    %39 = stablehlo.or %35, %38 : tensor<2x2xui32>
    %40 = stablehlo.xor %33, %39 : tensor<2x2xui32>
    %41 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<2x1xui32>) -> tensor<2x2xui32>
    %42 = stablehlo.add %33, %41 : tensor<2x2xui32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1] : (tensor<2x1xui32>) -> tensor<2x2xui32>
    %44 = stablehlo.add %40, %43 : tensor<2x2xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
    %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>
    %48 = stablehlo.add %44, %47 : tensor<2x2xui32>
    return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @_bernoulli(%arg0: tensor<4xui32>, %arg1: tensor<f32>) -> tensor<8x16xi1> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform(%arg0, %cst, %cst_0) : (tensor<4xui32>, tensor<f32>, tensor<f32>) -> tensor<8x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    return %2 : tensor<8x16xi1>
  }
  func.func private @_uniform(%arg0: tensor<4xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<8x16xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.convert %arg2 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %5 = stablehlo.bitcast_convert %4 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %5, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x16xui32>)
    %6 = stablehlo.bitcast_convert %output_state : (tensor<2xui64>) -> tensor<2x2xui32>
    %7 = stablehlo.reshape %6 : (tensor<2x2xui32>) -> tensor<4xui32>
    %c = stablehlo.constant dense<9> : tensor<ui32>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<8x16xui32>
    %9 = stablehlo.shift_right_logical %output, %8 : tensor<8x16xui32>
    %c_0 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %10 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<8x16xui32>
    %11 = stablehlo.or %9, %10 : tensor<8x16xui32>
    %12 = stablehlo.bitcast_convert %11 : (tensor<8x16xui32>) -> tensor<8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %14 = stablehlo.subtract %12, %13 : tensor<8x16xf32>
    %15 = stablehlo.subtract %3, %2 : tensor<1x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<8x16xf32>
    %17 = stablehlo.multiply %14, %16 : tensor<8x16xf32>
    %18 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<8x16xf32>
    %19 = stablehlo.add %17, %18 : tensor<8x16xf32>
    %20 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<8x16xf32>
    %21 = stablehlo.maximum %20, %19 : tensor<8x16xf32>
    return %21 : tensor<8x16xf32>
  }
  func.func private @_where(%arg0: tensor<8x16xi1>, %arg1: tensor<8x16xf32>, %arg2: tensor<i32>) -> tensor<8x16xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8x16xi1>, tensor<8x16xf32>
    return %2 : tensor<8x16xf32>
  }
  func.func private @_normal(%arg0: tensor<4xui32>) -> tensor<8x6xf32> {
    %0 = call @_normal_real(%arg0) : (tensor<4xui32>) -> tensor<8x6xf32>
    return %0 : tensor<8x6xf32>
  }
  func.func private @_normal_real(%arg0: tensor<4xui32>) -> tensor<8x6xf32> {
    %cst = stablehlo.constant dense<-0.99999994> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform_0(%arg0, %cst, %cst_0) : (tensor<4xui32>, tensor<f32>, tensor<f32>) -> tensor<8x6xf32>
    %1 = chlo.erf_inv %0 : tensor<8x6xf32> -> tensor<8x6xf32>
    %cst_1 = stablehlo.constant dense<1.41421354> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<8x6xf32>
    return %3 : tensor<8x6xf32>
  }
  func.func private @_uniform_0(%arg0: tensor<4xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<8x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %3 = stablehlo.bitcast_convert %2 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %3, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x6xui32>)
    %4 = stablehlo.bitcast_convert %output_state : (tensor<2xui64>) -> tensor<2x2xui32>
    %5 = stablehlo.reshape %4 : (tensor<2x2xui32>) -> tensor<4xui32>
    %c = stablehlo.constant dense<9> : tensor<ui32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<8x6xui32>
    %7 = stablehlo.shift_right_logical %output, %6 : tensor<8x6xui32>
    %c_0 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<8x6xui32>
    %9 = stablehlo.or %7, %8 : tensor<8x6xui32>
    %10 = stablehlo.bitcast_convert %9 : (tensor<8x6xui32>) -> tensor<8x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %12 = stablehlo.subtract %10, %11 : tensor<8x6xf32>
    %13 = stablehlo.subtract %1, %0 : tensor<1x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<8x6xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<8x6xf32>
    %16 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<8x6xf32>
    %17 = stablehlo.add %15, %16 : tensor<8x6xf32>
    %18 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<8x6xf32>
    %19 = stablehlo.maximum %18, %17 : tensor<8x6xf32>
    return %19 : tensor<8x6xf32>
  }
}
