#loc = loc("f.py":1:2)
"builtin.module"() <{sym_name = "jit_f"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["a"=2, "b"=4]>, sym_name = "mesh"}> : () -> () loc(#loc)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, {}], function_type = (tensor<8x16xf32>, tensor<16x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x16xf32> loc("x"), %arg1: tensor<16x8xf32> loc("y")):
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %1 = func.call @relu(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc)
    func.return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32> loc(#loc)
  }) {jax.x = 1 : i32} : () -> () loc(#loc)
  "func.func"() <{function_type = (tensor<8x8xf32>) -> tensor<8x8xf32>, sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x8xf32>):
    %0 = stablehlo.abs %arg0 : tensor<8x8xf32>
    func.return %0 : tensor<8x8xf32>
  }) : () -> () loc(#loc)
}) {mhlo.num_partitions = 8 : i32} : () -> () loc(#loc)
