module @jit_f {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<3xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %1 = call @tril(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    call @nothing() : () -> ()
    %2 = stablehlo.multiply %1, %arg0 : tensor<8x8xf32>
    %3 = stablehlo.multiply %1, %arg1 : tensor<8x8xf32>
    %4 = call @first(%arg0) : (tensor<8x8xf32>) -> tensor<3xf32>
    return %2, %3, %4 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<3xf32>
  }
  func.func private @tril(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %1 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %4 = stablehlo.select %2, %arg0, %3 : tensor<8x8xi1>, tensor<8x8xf32>
    return %4 : tensor<8x8xf32>
  }
  func.func private @nothing() {
    return
  }
  func.func private @first(%arg0: tensor<8x8xf32>) -> tensor<3xf32> {
    %0 = stablehlo.slice %arg0 [0:3, 0:1] : (tensor<8x8xf32>) -> tensor<3x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<3x1xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}
