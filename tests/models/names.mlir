sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%runner: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %MLIR: tensor<8x4xf32>, %COLLECTIVES: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %outputs = stablehlo.add %runner, %MLIR : tensor<8x4xf32>
  %transport = stablehlo.add %outputs, %COLLECTIVES : tensor<8x4xf32>
  return %transport : tensor<8x4xf32>
}
