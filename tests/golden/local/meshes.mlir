module @jit_meshes {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  sdy.mesh @other = <["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 4, 6, 5, 7]>
  sdy.mesh @flat = <["a"=8]>
  func.func public @main(%arg0: tensor<12xf32> {sdy.sharding = #sdy.sharding<@flat, [{"a"}]>}, %arg1: tensor<9x12xf32> {sdy.sharding = #sdy.sharding<@flat, [{}, {}]>}, %arg2: tensor<5x7x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg3: tensor<1xf32> {sdy.sharding = #sdy.sharding<@other, [{"y"}]>}, %arg4: tensor<6x3x1xf32> {sdy.sharding = #sdy.sharding<@other, [{}, {"x"}, {}]>}, %arg5: tensor<7x9x7xf32> {sdy.sharding = #sdy.sharding<@flat, [{}, {"a"}, {}]>}, %arg6: tensor<16x3x6xf32> {sdy.sharding = #sdy.sharding<@flat, [{}, {"a"}, {}]>}) -> (tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model", "data"}]>}, tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model":(1)2, "data"}]>}, tensor<9x12xf32> {sdy.sharding = #sdy.sharding<@other, [{}, {"y", "x"}]>}, tensor<12xf32> {sdy.sharding = #sdy.sharding<@other, [{"y"}]>}, tensor<5x7x16xf32> {sdy.sharding = #sdy.sharding<@other, [{}, {"x"}, {}]>}, tensor<7x16xf32> {sdy.sharding = #sdy.sharding<@other, [{"x":(1)2}, {"y", "x":(2)2}]>}, tensor<1xf32> {sdy.sharding = #sdy.sharding<@other, [{"y", "x"}]>}, tensor<f32> {sdy.sharding = #sdy.sharding<@other, []>}, tensor<6x3x1xf32> {sdy.sharding = #sdy.sharding<@other, [{}, {"x":(1)2, "y"}, {}]>}, tensor<6x3x1xf32> {sdy.sharding = #sdy.sharding<@other, [{"y"}, {}, {"x"}]>}, tensor<7x9x7xf32> {sdy.sharding = #sdy.sharding<@other, [{}, {"x"}, {"y"}]>}, tensor<9x7xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}, {}]>}, tensor<16x3x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model", "data"}]>}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"model", "data"}]> : tensor<12xf32>
    %1 = stablehlo.constant dense<-2> : tensor<i32>
    %2 = stablehlo.constant dense<1.500000e+00> : tensor<7xf32>
    %3 = stablehlo.dynamic_update_slice %0, %2, %1 : (tensor<12xf32>, tensor<7xf32>, tensor<i32>) -> tensor<12xf32>
    %4 = sdy.sharding_constraint %arg1 <@other, [{"y"}, {}]> : tensor<9x12xf32>
    %5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%4 init: %5) applies stablehlo.maximum across dimensions = [0] : (tensor<9x12xf32>, tensor<f32>) -> tensor<12xf32>
    %7 = sdy.sharding_constraint %arg2 <@other, [{}, {}, {"y"}]> : tensor<5x7x16xf32>
    %8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%7 init: %8) applies stablehlo.maximum across dimensions = [0] : (tensor<5x7x16xf32>, tensor<f32>) -> tensor<7x16xf32>
    %10 = sdy.sharding_constraint %arg3 <@other, [{"x", "y"}]> : tensor<1xf32>
    %11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.maximum across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %13 = sdy.sharding_constraint %arg4 <@other, [{}, {}, {"y", "x"}]> : tensor<6x3x1xf32>
    %14 = stablehlo.constant dense<-2> : tensor<i32>
    %15 = stablehlo.constant dense<4> : tensor<i32>
    %16 = stablehlo.constant dense<2> : tensor<i32>
    %17 = stablehlo.constant dense<1.500000e+00> : tensor<3x3x1xf32>
    %18 = stablehlo.dynamic_update_slice %13, %17, %14, %15, %16 : (tensor<6x3x1xf32>, tensor<3x3x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x3x1xf32>
    %19 = sdy.sharding_constraint %arg5 <@other, [{}, {"y", "x":(2)2}, {"x":(1)2}]> : tensor<7x9x7xf32>
    %20 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.reduce(%19 init: %20) applies stablehlo.maximum across dimensions = [0] : (tensor<7x9x7xf32>, tensor<f32>) -> tensor<9x7xf32>
    %22 = sdy.sharding_constraint %arg6 <@mesh, [{}, {"data"}, {"model"}]> : tensor<16x3x6xf32>
    %23 = stablehlo.constant dense<2.500000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%22 init: %23) applies stablehlo.add across dimensions = [0, 2] : (tensor<16x3x6xf32>, tensor<f32>) -> tensor<3xf32>
    return %0, %3, %4, %6, %7, %9, %10, %12, %13, %18, %19, %21, %22, %24 : tensor<12xf32>, tensor<12xf32>, tensor<9x12xf32>, tensor<12xf32>, tensor<5x7x16xf32>, tensor<7x16xf32>, tensor<1xf32>, tensor<f32>, tensor<6x3x1xf32>, tensor<6x3x1xf32>, tensor<7x9x7xf32>, tensor<9x7xf32>, tensor<16x3x6xf32>, tensor<3xf32>
  }
}
