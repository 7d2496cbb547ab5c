module @reshards {
  sdy.mesh @mesh = <["z"=2, "a"=4, "m"=2]> {stablehlo.mesh = {axes = [{name = "z", size = 2 : i64}, {name = "a", size = 4 : i64}, {name = "m", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(2)2}, {"a":(1)2}]>}, %arg1: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m"}, {"a":(1)2}]>}, %arg3: tensor<6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(2)2}, {"a":(1)2}]>}, %arg4: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"m"}]>}, %arg5: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", "a":(2)2}, {"m", "a":(1)2}]>}, %arg6: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(2)2, "a":(1)2}, {}]>}, %arg7: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(2)2}, {}]>}, %arg8: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m"}, {"z"}]>}, %arg9: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}, %arg10: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg11: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a":(1)2, "z"}]>}, %arg12: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2, "z"}, {"m"}]>}, %arg13: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"m"}]>}, %arg14: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", "a":(1)2}, {"m", "a":(2)2}]>}, %arg15: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a":(1)2, "z"}]>}, %arg16: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2, "z"}, {}]>}, %arg17: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"m", "a":(1)2}]>}, %arg18: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}, {}]>}, %arg19: tensor<64x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a":(2)2}]>}, %arg20: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(2)2}, {"a":(1)2}]>}, %arg21: tensor<6x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m"}, {"a"}]>}, %arg22: tensor<6x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a":(2)2}]>}, %arg23: tensor<6x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}, {"z"}]>}, %arg24: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg25: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"a":(2)2, "a":(1)2}]>}, %arg26: tensor<32x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"m"}]>}, %arg27: tensor<16x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m"}, {"a":(1)2}, {}]>}, %arg28: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a":(2)2}]>}, %arg29: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}, {"m"}]>}, %arg30: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}, {"z"}]>}, %arg31: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z"}]>}, %arg32: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {}]>}, %arg33: tensor<32x16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"a":(1)2}]>}, %arg34: tensor<32x16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}, {"z", "m"}, {}]>}) -> (tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(2)2}, {}]>}, tensor<6x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a":(2)2}]>}, tensor<32x160xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(2)2}, {"m"}]>}, tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2, "z"}, {}]>}, tensor<48x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"m"}]>}, tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a":(1)2, "z"}]>}, tensor<96x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"m", "a":(2)2}]>}, tensor<80x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a":(1)2}]>}, tensor<6x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m"}, {"a":(1)2}]>}, tensor<128x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2, "m"}, {}]>}, tensor<48x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"a":(1)2}, {"m"}]>}, tensor<48x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(2)2}, {"a":(1)2}]>}, tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z"}]>}, tensor<64x16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(2)2}, {}, {"z"}]>}) {
    %0 = sdy.reshard %arg0 <@mesh, [{}, {"a"}]> : tensor<32x32xf32>
    %1 = sdy.reshard %arg1 <@mesh, [{}, {"a"}]> : tensor<32x32xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a"}]>]>} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    %3 = sdy.reshard %2 <@mesh, [{"a":(2)2}, {"a":(1)2}]> : tensor<64x32xf32>
    %4 = sdy.reshard %arg2 <@mesh, [{"m"}, {}]> : tensor<6x16xf32>
    %5 = sdy.reshard %arg3 <@mesh, [{"m"}, {}]> : tensor<6x16xf32>
    %6 = stablehlo.concatenate %4, %5, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"m"}, {}]>]>} : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x32xf32>
    %7 = sdy.reshard %6 <@mesh, [{}, {"a":(1)2}]> : tensor<6x32xf32>
    %8 = sdy.reshard %arg4 <@mesh, [{}, {"m", "a":(1)2, "z", "a":(2)2}]> : tensor<32x16xf32>
    %9 = sdy.reshard %arg5 <@mesh, [{}, {"m", "a":(1)2, "z", "a":(2)2}]> : tensor<32x16xf32>
    %10 = stablehlo.concatenate %8, %9, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"m", "a":(1)2, "z", "a":(2)2}]>]>} : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    %11 = sdy.reshard %10 <@mesh, [{"z"}, {"a":(2)2}]> : tensor<64x16xf32>
    %12 = sdy.reshard %arg6 <@mesh, [{"a":(2)2, "a":(1)2, "m"}, {}]> : tensor<32x32xf32>
    %13 = sdy.reshard %arg7 <@mesh, [{"a":(2)2, "a":(1)2, "m"}, {}]> : tensor<32x64xf32>
    %14 = sdy.reshard %arg8 <@mesh, [{"a":(2)2, "a":(1)2, "m"}, {}]> : tensor<32x64xf32>
    %15 = stablehlo.concatenate %12, %13, %14, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a":(2)2, "a":(1)2, "m"}, {}]>]>} : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x160xf32>
    %16 = sdy.reshard %15 <@mesh, [{"a":(2)2}, {"m"}]> : tensor<32x160xf32>
    %17 = stablehlo.dot_general %arg9, %arg10, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
    %18 = stablehlo.dot_general %arg11, %arg12, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a":(1)2, "z"}, {"m"}]>]>} : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %19 = sdy.reshard %arg13 <@mesh, [{}, {"m", "a":(2)2, "z"}]> : tensor<32x8xf32>
    %20 = sdy.reshard %arg14 <@mesh, [{}, {"m", "a":(2)2, "z"}]> : tensor<16x8xf32>
    %21 = stablehlo.concatenate %19, %20, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"m", "a":(2)2, "z"}]>]>} : (tensor<32x8xf32>, tensor<16x8xf32>) -> tensor<48x8xf32>
    %22 = sdy.reshard %21 <@mesh, [{"z", "a":(1)2}, {"m", "a":(2)2}]> : tensor<48x8xf32>
    %23 = stablehlo.dot_general %arg15, %arg16, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a":(1)2, "z"}]>]>} : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
    %24 = sdy.reshard %arg17 <@mesh, [{}, {"m", "a":(2)2, "a":(1)2}]> : tensor<64x32xf32>
    %25 = sdy.reshard %arg18 <@mesh, [{}, {"m", "a":(2)2, "a":(1)2}]> : tensor<32x32xf32>
    %26 = stablehlo.concatenate %24, %25, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"m", "a":(2)2, "a":(1)2}]>]>} : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<96x32xf32>
    %27 = sdy.reshard %26 <@mesh, [{"a":(1)2}, {"m", "a":(2)2}]> : tensor<96x32xf32>
    %28 = sdy.reshard %arg19 <@mesh, [{}, {"a":(1)2}]> : tensor<64x6xf32>
    %29 = sdy.reshard %arg20 <@mesh, [{}, {"a":(1)2}]> : tensor<16x6xf32>
    %30 = stablehlo.concatenate %28, %29, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a":(1)2}]>]>} : (tensor<64x6xf32>, tensor<16x6xf32>) -> tensor<80x6xf32>
    %31 = sdy.reshard %30 <@mesh, [{"a":(2)2}, {"a":(1)2}]> : tensor<80x6xf32>
    %32 = sdy.reshard %arg21 <@mesh, [{"m", "a":(2)2}, {}]> : tensor<6x32xf32>
    %33 = sdy.reshard %arg22 <@mesh, [{"m", "a":(2)2}, {}]> : tensor<6x64xf32>
    %34 = sdy.reshard %arg23 <@mesh, [{"m", "a":(2)2}, {}]> : tensor<6x32xf32>
    %35 = stablehlo.concatenate %32, %33, %34, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"m", "a":(2)2}, {}]>]>} : (tensor<6x32xf32>, tensor<6x64xf32>, tensor<6x32xf32>) -> tensor<6x128xf32>
    %36 = sdy.reshard %35 <@mesh, [{"m", "a":(2)2}, {"a":(1)2}]> : tensor<6x128xf32>
    %37 = sdy.reshard %arg24 <@mesh, [{}, {"a":(2)2, "a":(1)2, "m"}]> : tensor<64x8xf32>
    %38 = sdy.reshard %arg25 <@mesh, [{}, {"a":(2)2, "a":(1)2, "m"}]> : tensor<64x8xf32>
    %39 = stablehlo.concatenate %37, %38, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a":(2)2, "a":(1)2, "m"}]>]>} : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<128x8xf32>
    %40 = sdy.reshard %39 <@mesh, [{"a":(1)2, "m"}, {"a":(2)2}]> : tensor<128x8xf32>
    %41 = sdy.reshard %arg26 <@mesh, [{}, {"a":(1)2, "z"}, {"m"}]> : tensor<32x8x16xf32>
    %42 = sdy.reshard %arg27 <@mesh, [{}, {"a":(1)2, "z"}, {"m"}]> : tensor<16x8x16xf32>
    %43 = stablehlo.concatenate %41, %42, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a":(1)2, "z"}, {"m"}]>]>} : (tensor<32x8x16xf32>, tensor<16x8x16xf32>) -> tensor<48x8x16xf32>
    %44 = sdy.reshard %43 <@mesh, [{"z"}, {"a":(1)2}, {"m"}]> : tensor<48x8x16xf32>
    %45 = sdy.reshard %arg28 <@mesh, [{}, {"a":(1)2}]> : tensor<16x6xf32>
    %46 = sdy.reshard %arg29 <@mesh, [{}, {"a":(1)2}]> : tensor<16x6xf32>
    %47 = sdy.reshard %arg30 <@mesh, [{}, {"a":(1)2}]> : tensor<16x6xf32>
    %48 = stablehlo.concatenate %45, %46, %47, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a":(1)2}]>]>} : (tensor<16x6xf32>, tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<48x6xf32>
    %49 = sdy.reshard %48 <@mesh, [{"a":(2)2}, {"a":(1)2}]> : tensor<48x6xf32>
    %50 = stablehlo.dot_general %arg31, %arg32, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"z"}]>]>} : (tensor<64x16xf32>, tensor<16x64xf32>) -> tensor<64x64xf32>
    %51 = sdy.reshard %arg33 <@mesh, [{}, {"a":(2)2}, {"z"}]> : tensor<32x16x6xf32>
    %52 = sdy.reshard %arg34 <@mesh, [{}, {"a":(2)2}, {"z"}]> : tensor<32x16x6xf32>
    %53 = stablehlo.concatenate %51, %52, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a":(2)2}, {"z"}]>]>} : (tensor<32x16x6xf32>, tensor<32x16x6xf32>) -> tensor<64x16x6xf32>
    %54 = sdy.reshard %53 <@mesh, [{"a":(2)2}, {}, {"z"}]> : tensor<64x16x6xf32>
    return %3, %7, %11, %16, %17, %18, %22, %23, %27, %31, %36, %40, %44, %49, %50, %54 : tensor<64x32xf32>, tensor<6x32xf32>, tensor<64x16xf32>, tensor<32x160xf32>, tensor<32x64xf32>, tensor<16x16xf32>, tensor<48x8xf32>, tensor<64x16xf32>, tensor<96x32xf32>, tensor<80x6xf32>, tensor<6x128xf32>, tensor<128x8xf32>, tensor<48x8x16xf32>, tensor<48x6xf32>, tensor<64x64xf32>, tensor<64x16x6xf32>
  }
}
