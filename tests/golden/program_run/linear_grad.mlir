module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x5x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %arg1: tensor<4x5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<4x5x5xf32> {jax.result_info = "result[0]"}, tensor<4x5x4xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %1 = stablehlo.dot_general %arg0, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %2 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %5 = stablehlo.add %2, %4 : tensor<5x5xi32>
    %6 = stablehlo.compare EQ, %5, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %7 = stablehlo.convert %6 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<5x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<1x5x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x5x5xf32>) -> tensor<4x5x5xf32>
    %12 = stablehlo.add %1, %11 : tensor<4x5x5xf32>
    %13:7 = call @cholesky(%12) : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<1x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>)
    %14 = stablehlo.custom_call @lapack_strsm_ffi(%13#0, %arg1) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=4, n=5, o=4}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %15 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %17 = stablehlo.add %15, %16 : tensor<5x5xi32>
    %18 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %19 = stablehlo.compare GE, %17, %18, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %20 = stablehlo.broadcast_in_dim %19, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<4x5x5xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %22 = stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<4x5x4xf32>) -> tensor<4x4x5xf32>
    %23 = stablehlo.custom_call @lapack_strsm_ffi(%13#0, %22) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=4, m=5, n=4, o=5}, custom>} : (tensor<4x5x5xf32>, tensor<4x4x5xf32>) -> tensor<4x4x5xf32>
    %24 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %26 = stablehlo.add %24, %25 : tensor<5x5xi32>
    %27 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %28 = stablehlo.compare GE, %26, %27, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %29 = stablehlo.broadcast_in_dim %28, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<4x5x5xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %31 = stablehlo.slice %arg0 [0:4, 0:5, 0:4] : (tensor<4x5x5xf32>) -> tensor<4x5x4xf32>
    %32:6 = call @qr(%31) : (tensor<4x5x4xf32>) -> (tensor<4x5x4xf32>, tensor<4x4x4xf32>, tensor<4x4x5xf32>, tensor<4x4x4xi1>, tensor<4x4x4xf32>, tensor<1x4x4xf32>)
    %33:5 = call @eigh(%12) : (tensor<4x5x5xf32>) -> (tensor<4x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<5x2xi32>)
    %34 = stablehlo.negate %12 : tensor<4x5x5xf32>
    %35:7 = call @cholesky(%34) : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<1x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>)
    %36 = stablehlo.compare NE, %35#0, %35#0, FLOAT : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xi1>
    %37 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %38 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %40 = stablehlo.add %37, %39 : tensor<5x5xi32>
    %41 = stablehlo.compare EQ, %40, %38, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %42 = stablehlo.convert %41 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %44 = stablehlo.multiply %43, %42 : tensor<5x5xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<1x5x5xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<1x5x5xf32>) -> tensor<4x5x5xf32>
    %47 = stablehlo.add %arg0, %46 : tensor<4x5x5xf32>
    %48:4 = call @solve(%47, %arg1) : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> (tensor<4x5x4xf32>, tensor<4x4x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>)
    %49:4 = call @inv(%12) : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>)
    %50:9 = call @det(%arg0) : (tensor<4x5x5xf32>) -> (tensor<4xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<4x5x2xi32>, tensor<4x5x5xf32>, tensor<4x1x1xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>)
    %51 = stablehlo.abs %32#1 : tensor<4x4x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x4x4xf32>
    %53 = stablehlo.compare GE, %32#1, %52, FLOAT : (tensor<4x4x4xf32>, tensor<4x4x4xf32>) -> tensor<4x4x4xi1>
    %54 = stablehlo.dot_general %32#0, %32#1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x4xf32>, tensor<4x4x4xf32>) -> tensor<4x5x4xf32>
    %55 = stablehlo.sqrt %33#0 : tensor<4x5xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %57 = stablehlo.divide %56, %55 : tensor<4x5xf32>
    %58 = stablehlo.dot_general %33#1, %55, batching_dims = [0, 2] x [0, 1], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5xf32>) -> tensor<4x5x5xf32>
    %59 = stablehlo.transpose %58, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %60 = stablehlo.dot_general %33#1, %59, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %61 = stablehlo.sine %13#0 : tensor<4x5x5xf32>
    %62 = stablehlo.cosine %13#0 : tensor<4x5x5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%61 init: %cst_8) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x5x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.add %cst_9, %63 : tensor<f32>
    %65 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %66 = stablehlo.dot_general %arg0, %65, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %67 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %68 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %69 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %70 = stablehlo.add %67, %69 : tensor<5x5xi32>
    %71 = stablehlo.compare EQ, %70, %68, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %72 = stablehlo.convert %71 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %cst_11 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<5x5xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<1x5x5xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2] : (tensor<1x5x5xf32>) -> tensor<4x5x5xf32>
    %77 = stablehlo.add %66, %76 : tensor<4x5x5xf32>
    %78:7 = call @cholesky(%77) : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<1x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>)
    %79 = stablehlo.custom_call @lapack_strsm_ffi(%78#0, %arg1) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=4, n=5, o=4}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %80 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %81 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %82 = stablehlo.add %80, %81 : tensor<5x5xi32>
    %83 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %84 = stablehlo.compare GE, %82, %83, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %85 = stablehlo.broadcast_in_dim %84, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<4x5x5xi1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %87 = stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<4x5x4xf32>) -> tensor<4x4x5xf32>
    %88 = stablehlo.custom_call @lapack_strsm_ffi(%78#0, %87) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=4, m=5, n=4, o=5}, custom>} : (tensor<4x5x5xf32>, tensor<4x4x5xf32>) -> tensor<4x4x5xf32>
    %89 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %90 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %91 = stablehlo.add %89, %90 : tensor<5x5xi32>
    %92 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %93 = stablehlo.compare GE, %91, %92, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %94 = stablehlo.broadcast_in_dim %93, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<4x5x5xi1>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %96 = stablehlo.slice %arg0 [0:4, 0:5, 0:4] : (tensor<4x5x5xf32>) -> tensor<4x5x4xf32>
    %97:6 = call @qr(%96) : (tensor<4x5x4xf32>) -> (tensor<4x5x4xf32>, tensor<4x4x4xf32>, tensor<4x4x5xf32>, tensor<4x4x4xi1>, tensor<4x4x4xf32>, tensor<1x4x4xf32>)
    %98:5 = call @eigh(%77) : (tensor<4x5x5xf32>) -> (tensor<4x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<5x2xi32>)
    %99 = stablehlo.negate %77 : tensor<4x5x5xf32>
    %100:7 = call @cholesky(%99) : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<1x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>)
    %101 = stablehlo.compare NE, %100#0, %100#0, FLOAT : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xi1>
    %102 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %103 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %104 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %105 = stablehlo.add %102, %104 : tensor<5x5xi32>
    %106 = stablehlo.compare EQ, %105, %103, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %107 = stablehlo.convert %106 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %109 = stablehlo.multiply %108, %107 : tensor<5x5xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<1x5x5xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2] : (tensor<1x5x5xf32>) -> tensor<4x5x5xf32>
    %112 = stablehlo.add %arg0, %111 : tensor<4x5x5xf32>
    %113:4 = call @solve(%112, %arg1) : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> (tensor<4x5x4xf32>, tensor<4x4x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>)
    %114:4 = call @inv(%77) : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>)
    %115:9 = call @det(%arg0) : (tensor<4x5x5xf32>) -> (tensor<4xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<4x5x2xi32>, tensor<4x5x5xf32>, tensor<4x1x1xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>)
    %116 = stablehlo.abs %97#1 : tensor<4x4x4xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x4x4xf32>
    %118 = stablehlo.compare GE, %97#1, %117, FLOAT : (tensor<4x4x4xf32>, tensor<4x4x4xf32>) -> tensor<4x4x4xi1>
    %119 = stablehlo.dot_general %97#0, %97#1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x4xf32>, tensor<4x4x4xf32>) -> tensor<4x5x4xf32>
    %120 = stablehlo.sqrt %98#0 : tensor<4x5xf32>
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %122 = stablehlo.divide %121, %120 : tensor<4x5xf32>
    %123 = stablehlo.dot_general %98#1, %120, batching_dims = [0, 2] x [0, 1], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5xf32>) -> tensor<4x5x5xf32>
    %124 = stablehlo.transpose %123, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %125 = stablehlo.dot_general %98#1, %124, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %126 = stablehlo.sine %79 : tensor<4x5x4xf32>
    %127 = stablehlo.cosine %79 : tensor<4x5x4xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %128 = stablehlo.reduce(%126 init: %cst_20) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x5x4xf32>, tensor<f32>) -> tensor<f32>
    %129 = stablehlo.add %64, %128 : tensor<f32>
    %130 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %131 = stablehlo.dot_general %arg0, %130, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %132 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %133 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %134 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %135 = stablehlo.add %132, %134 : tensor<5x5xi32>
    %136 = stablehlo.compare EQ, %135, %133, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %137 = stablehlo.convert %136 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %cst_22 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %139 = stablehlo.multiply %138, %137 : tensor<5x5xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<1x5x5xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2] : (tensor<1x5x5xf32>) -> tensor<4x5x5xf32>
    %142 = stablehlo.add %131, %141 : tensor<4x5x5xf32>
    %143:7 = call @cholesky(%142) : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<1x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>)
    %144 = stablehlo.custom_call @lapack_strsm_ffi(%143#0, %arg1) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=4, n=5, o=4}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %145 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %146 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %147 = stablehlo.add %145, %146 : tensor<5x5xi32>
    %148 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %149 = stablehlo.compare GE, %147, %148, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %150 = stablehlo.broadcast_in_dim %149, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<4x5x5xi1>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %152 = stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<4x5x4xf32>) -> tensor<4x4x5xf32>
    %153 = stablehlo.custom_call @lapack_strsm_ffi(%143#0, %152) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=4, m=5, n=4, o=5}, custom>} : (tensor<4x5x5xf32>, tensor<4x4x5xf32>) -> tensor<4x4x5xf32>
    %154 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %155 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %156 = stablehlo.add %154, %155 : tensor<5x5xi32>
    %157 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %158 = stablehlo.compare GE, %156, %157, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %159 = stablehlo.broadcast_in_dim %158, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<4x5x5xi1>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %161 = stablehlo.slice %arg0 [0:4, 0:5, 0:4] : (tensor<4x5x5xf32>) -> tensor<4x5x4xf32>
    %162:6 = call @qr(%161) : (tensor<4x5x4xf32>) -> (tensor<4x5x4xf32>, tensor<4x4x4xf32>, tensor<4x4x5xf32>, tensor<4x4x4xi1>, tensor<4x4x4xf32>, tensor<1x4x4xf32>)
    %163:5 = call @eigh(%142) : (tensor<4x5x5xf32>) -> (tensor<4x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<5x2xi32>)
    %164 = stablehlo.negate %142 : tensor<4x5x5xf32>
    %165:7 = call @cholesky(%164) : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<1x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>)
    %166 = stablehlo.compare NE, %165#0, %165#0, FLOAT : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xi1>
    %167 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %168 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %169 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %170 = stablehlo.add %167, %169 : tensor<5x5xi32>
    %171 = stablehlo.compare EQ, %170, %168, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %172 = stablehlo.convert %171 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %174 = stablehlo.multiply %173, %172 : tensor<5x5xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<1x5x5xf32>
    %176 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 2] : (tensor<1x5x5xf32>) -> tensor<4x5x5xf32>
    %177 = stablehlo.add %arg0, %176 : tensor<4x5x5xf32>
    %178:4 = call @solve(%177, %arg1) : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> (tensor<4x5x4xf32>, tensor<4x4x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>)
    %179:4 = call @inv(%142) : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>)
    %180:9 = call @det(%arg0) : (tensor<4x5x5xf32>) -> (tensor<4xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<4x5x2xi32>, tensor<4x5x5xf32>, tensor<4x1x1xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>)
    %181 = stablehlo.abs %162#1 : tensor<4x4x4xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x4x4xf32>
    %183 = stablehlo.compare GE, %162#1, %182, FLOAT : (tensor<4x4x4xf32>, tensor<4x4x4xf32>) -> tensor<4x4x4xi1>
    %184 = stablehlo.dot_general %162#0, %162#1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x4xf32>, tensor<4x4x4xf32>) -> tensor<4x5x4xf32>
    %185 = stablehlo.sqrt %163#0 : tensor<4x5xf32>
    %cst_30 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %187 = stablehlo.divide %186, %185 : tensor<4x5xf32>
    %188 = stablehlo.dot_general %163#1, %185, batching_dims = [0, 2] x [0, 1], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5xf32>) -> tensor<4x5x5xf32>
    %189 = stablehlo.transpose %188, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %190 = stablehlo.dot_general %163#1, %189, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %191 = stablehlo.sine %153 : tensor<4x4x5xf32>
    %192 = stablehlo.cosine %153 : tensor<4x4x5xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %193 = stablehlo.reduce(%191 init: %cst_31) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x4x5xf32>, tensor<f32>) -> tensor<f32>
    %194 = stablehlo.add %129, %193 : tensor<f32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x4x5xf32>
    %196 = stablehlo.multiply %195, %192 : tensor<4x4x5xf32>
    %197 = stablehlo.custom_call @lapack_strsm_ffi(%143#0, %196) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=4, m=5, n=4, o=5}, custom>} : (tensor<4x5x5xf32>, tensor<4x4x5xf32>) -> tensor<4x4x5xf32>
    %198 = stablehlo.custom_call @lapack_strsm_ffi(%143#0, %196) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=4, m=5, n=4, o=5}, custom>} : (tensor<4x5x5xf32>, tensor<4x4x5xf32>) -> tensor<4x4x5xf32>
    %199 = stablehlo.dot_general %198, %153, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x4x5xf32>, tensor<4x4x5xf32>) -> tensor<4x5x5xf32>
    %200 = stablehlo.transpose %199, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %201 = stablehlo.transpose %200, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %202 = stablehlo.negate %201 : tensor<4x5x5xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %204 = stablehlo.select %159, %202, %203 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
    %205 = stablehlo.transpose %197, dims = [0, 2, 1] : (tensor<4x4x5xf32>) -> tensor<4x5x4xf32>
    %206 = call @cholesky_4(%143#1, %143#2, %143#3, %143#4, %143#5, %143#6, %204) : (tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<1x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %207 = stablehlo.dot_general %206, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %208 = stablehlo.transpose %207, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %209 = stablehlo.dot_general %206, %130, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %210 = stablehlo.transpose %208, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %211 = stablehlo.add %209, %210 : tensor<4x5x5xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x5x4xf32>
    %213 = stablehlo.multiply %212, %127 : tensor<4x5x4xf32>
    %214 = stablehlo.custom_call @lapack_strsm_ffi(%78#0, %213) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=4, n=5, o=4}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %215 = stablehlo.add %205, %214 : tensor<4x5x4xf32>
    %216 = stablehlo.custom_call @lapack_strsm_ffi(%78#0, %213) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=4, n=5, o=4}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %217 = stablehlo.dot_general %216, %79, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<4x5x4xf32>, tensor<4x5x4xf32>) -> tensor<4x5x5xf32>
    %218 = stablehlo.negate %217 : tensor<4x5x5xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %220 = stablehlo.select %85, %218, %219 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
    %221 = call @cholesky_4(%78#1, %78#2, %78#3, %78#4, %78#5, %78#6, %220) : (tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<1x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %222 = stablehlo.dot_general %221, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %223 = stablehlo.transpose %222, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %224 = stablehlo.dot_general %221, %65, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %225 = stablehlo.add %211, %224 : tensor<4x5x5xf32>
    %226 = stablehlo.transpose %223, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %227 = stablehlo.add %225, %226 : tensor<4x5x5xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %229 = stablehlo.multiply %228, %62 : tensor<4x5x5xf32>
    %230 = call @cholesky_4(%13#1, %13#2, %13#3, %13#4, %13#5, %13#6, %229) : (tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<1x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %231 = stablehlo.dot_general %230, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %232 = stablehlo.transpose %231, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %233 = stablehlo.dot_general %230, %0, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %234 = stablehlo.add %227, %233 : tensor<4x5x5xf32>
    %235 = stablehlo.transpose %232, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %236 = stablehlo.add %234, %235 : tensor<4x5x5xf32>
    return %236, %215 : tensor<4x5x5xf32>, tensor<4x5x4xf32>
  }
  func.func private @cholesky(%arg0: tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<1x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4x5x5xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x5x5xf32>
    %4:2 = stablehlo.custom_call @lapack_spotrf_ffi(%3) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=4, j=5, k=5, l=5, m=5}, custom>} : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %6 = stablehlo.compare EQ, %4#1, %5, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xi1>) -> tensor<4x1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<4x1x1xi1>) -> tensor<4x5x5xi1>
    %10 = stablehlo.select %9, %4#0, %8 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
    %11 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %13 = stablehlo.add %11, %12 : tensor<5x5xi32>
    %14 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %15 = stablehlo.compare GE, %13, %14, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<4x5x5xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %18 = stablehlo.select %16, %10, %17 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
    %19 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %21 = stablehlo.add %19, %20 : tensor<5x5xi32>
    %22 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %23 = stablehlo.compare GE, %21, %22, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %24 = stablehlo.broadcast_in_dim %23, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<4x5x5xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %26 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %28 = stablehlo.add %26, %27 : tensor<5x5xi32>
    %29 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %30 = stablehlo.compare EQ, %28, %29, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %31 = stablehlo.convert %30 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %33 = stablehlo.add %32, %31 : tensor<5x5xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<1x5x5xf32>
    %35 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %37 = stablehlo.add %35, %36 : tensor<5x5xi32>
    %38 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %39 = stablehlo.compare GE, %37, %38, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %40 = stablehlo.broadcast_in_dim %39, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<4x5x5xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %42 = stablehlo.select %40, %18, %41 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    return %42, %18, %24, %25, %34, %40, %43 : tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<1x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>
  }
  func.func private @qr(%arg0: tensor<4x5x4xf32>) -> (tensor<4x5x4xf32>, tensor<4x4x4xf32>, tensor<4x4x5xf32>, tensor<4x4x4xi1>, tensor<4x4x4xf32>, tensor<1x4x4xf32>) {
    %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=4, j=5, k=4, l=5, m=4, n=4}, custom>} : (tensor<4x5x4xf32>) -> (tensor<4x5x4xf32>, tensor<4x4xf32>)
    %1 = stablehlo.custom_call @lapack_sorgqr_ffi(%0#0, %0#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=4, j=5, k=4, l=4, m=5, n=4}, custom>} : (tensor<4x5x4xf32>, tensor<4x4xf32>) -> tensor<4x5x4xf32>
    %2 = stablehlo.slice %0#0 [0:4, 0:4, 0:4] : (tensor<4x5x4xf32>) -> tensor<4x4x4xf32>
    %3 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %5 = stablehlo.add %3, %4 : tensor<4x4xi32>
    %6 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<4x4xi1>) -> tensor<4x4x4xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x4xf32>
    %10 = stablehlo.select %8, %9, %2 : tensor<4x4x4xi1>, tensor<4x4x4xf32>
    %11 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<4x5x4xf32>) -> tensor<4x4x5xf32>
    %12 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %c_0 = stablehlo.constant dense<-1> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %14 = stablehlo.add %12, %13 : tensor<4x4xi32>
    %15 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %16 = stablehlo.compare GE, %14, %15, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<4x4xi1>) -> tensor<4x4x4xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4x4xf32>
    %19 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %21 = stablehlo.add %19, %20 : tensor<4x4xi32>
    %22 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %23 = stablehlo.compare EQ, %21, %22, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %24 = stablehlo.convert %23 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    return %1, %10, %11, %17, %18, %25 : tensor<4x5x4xf32>, tensor<4x4x4xf32>, tensor<4x4x5xf32>, tensor<4x4x4xi1>, tensor<4x4x4xf32>, tensor<1x4x4xf32>
  }
  func.func private @eigh(%arg0: tensor<4x5x5xf32>) -> (tensor<4x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<5x2xi32>) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4x5x5xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x5x5xf32>
    %4 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %5 = stablehlo.add %3, %4 : tensor<4x5x5xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %7 = stablehlo.divide %5, %6 : tensor<4x5x5xf32>
    %8:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%7) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=4, j=5, k=5, l=5, m=5, n=5}, custom>} : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5xf32>, tensor<4xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %10 = stablehlo.compare EQ, %8#2, %9, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<4xi1>) -> tensor<4x1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<4x1x1xi1>) -> tensor<4x5x5xi1>
    %14 = stablehlo.select %13, %8#0, %12 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
    %15 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<4xi1>) -> tensor<4x1xi1>
    %cst_2 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<4x1xi1>) -> tensor<4x5xi1>
    %18 = stablehlo.select %17, %8#1, %16 : tensor<4x5xi1>, tensor<4x5xf32>
    %19 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %21 = stablehlo.add %19, %20 : tensor<5x5xi32>
    %22 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %23 = stablehlo.compare EQ, %21, %22, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %24 = stablehlo.convert %23 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %25 = stablehlo.broadcast_in_dim %18, dims = [0, 2] : (tensor<4x5xf32>) -> tensor<4x1x5xf32>
    %26 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<1x5x5xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x5x5xf32>) -> tensor<4x5x5xf32>
    %28 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<4x1x5xf32>) -> tensor<4x5x5xf32>
    %29 = stablehlo.add %27, %28 : tensor<4x5x5xf32>
    %30 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x5xf32>
    %32 = stablehlo.subtract %29, %31 : tensor<4x5x5xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %34 = stablehlo.divide %33, %32 : tensor<4x5x5xf32>
    %35 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<1x5x5xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<1x5x5xf32>) -> tensor<4x5x5xf32>
    %37 = stablehlo.subtract %34, %36 : tensor<4x5x5xf32>
    %38 = stablehlo.transpose %14, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %39 = stablehlo.iota dim = 0 : tensor<5xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %41 = stablehlo.compare LT, %39, %40, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_6 = stablehlo.constant dense<5> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %43 = stablehlo.add %39, %42 : tensor<5xi32>
    %44 = stablehlo.select %41, %43, %39 : tensor<5xi1>, tensor<5xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %45 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %46 = stablehlo.compare LT, %39, %45, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_8 = stablehlo.constant dense<5> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %48 = stablehlo.add %39, %47 : tensor<5xi32>
    %49 = stablehlo.select %46, %48, %39 : tensor<5xi1>, tensor<5xi32>
    %50 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %51 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %52 = stablehlo.concatenate %50, %51, dim = 1 : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x2xi32>
    return %18, %14, %38, %37, %52 : tensor<4x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<5x2xi32>
  }
  func.func private @solve(%arg0: tensor<4x5x5xf32>, %arg1: tensor<4x5x4xf32>) -> (tensor<4x5x4xf32>, tensor<4x4x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>) {
    %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=4, j=5, k=5, l=5, m=5, n=5}, custom>} : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5xi32>, tensor<4xi32>)
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x5xi32>
    %2 = stablehlo.subtract %0#1, %1 : tensor<4x5xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.compare GE, %0#2, %3, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi1>) -> tensor<4x1x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x1x1xi1>) -> tensor<4x5x5xi1>
    %8 = stablehlo.select %7, %0#0, %6 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
    %9 = stablehlo.iota dim = 1 : tensor<4x5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %10:4 = stablehlo.while(%iterArg = %2, %iterArg_3 = %c_2, %iterArg_4 = %c_1, %iterArg_5 = %9) : tensor<4x5xi32>, tensor<i32>, tensor<i32>, tensor<4x5xi32>
    cond {
      %c_6 = stablehlo.constant dense<5> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14:2 = func.call @closed_call(%iterArg, %iterArg_4, %iterArg_5) : (tensor<4x5xi32>, tensor<i32>, tensor<4x5xi32>) -> (tensor<i32>, tensor<4x5xi32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %15, %14#0, %14#1 : tensor<4x5xi32>, tensor<i32>, tensor<i32>, tensor<4x5xi32>
    }
    %11 = stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<4x5x4xf32>) -> tensor<4x4x5xf32>
    %12 = call @_lu_solve(%8, %10#3, %11) : (tensor<4x5x5xf32>, tensor<4x5xi32>, tensor<4x4x5xf32>) -> tensor<4x4x5xf32>
    %13 = stablehlo.transpose %12, dims = [0, 2, 1] : (tensor<4x4x5xf32>) -> tensor<4x5x4xf32>
    return %13, %12, %8, %10#3 : tensor<4x5x4xf32>, tensor<4x4x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>
  }
  func.func private @closed_call(%arg0: tensor<4x5xi32>, %arg1: tensor<i32>, %arg2: tensor<4x5xi32>) -> (tensor<i32>, tensor<4x5xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i32>
    %c_1 = stablehlo.constant dense<5> : tensor<i32>
    %3 = stablehlo.add %2, %c_1 : tensor<i32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 4, 1>}> : (tensor<4x5xi32>, tensor<1xi32>) -> tensor<4x1xi32>
    %7 = stablehlo.reshape %6 : (tensor<4x1xi32>) -> tensor<4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %arg1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = stablehlo.convert %arg1 : tensor<i32>
    %c_3 = stablehlo.constant dense<5> : tensor<i32>
    %10 = stablehlo.add %9, %c_3 : tensor<i32>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<i1>, tensor<i32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %13 = "stablehlo.gather"(%arg2, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 4, 1>}> : (tensor<4x5xi32>, tensor<1xi32>) -> tensor<4x1xi32>
    %14 = stablehlo.reshape %13 : (tensor<4x1xi32>) -> tensor<4xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %16 = stablehlo.compare LT, %7, %15, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_5 = stablehlo.constant dense<5> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %18 = stablehlo.add %7, %17 : tensor<4xi32>
    %19 = stablehlo.select %16, %18, %7 : tensor<4xi1>, tensor<4xi32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %21 = "stablehlo.gather"(%arg2, %20) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<4x5xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>
    %22 = stablehlo.reshape %21 : (tensor<4x1xi32>) -> tensor<4xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.compare LT, %arg1, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<5> : tensor<i32>
    %24 = stablehlo.add %arg1, %c_7 : tensor<i32>
    %25 = stablehlo.select %23, %24, %arg1 : tensor<i1>, tensor<i32>
    %26 = stablehlo.convert %25 : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %28 = "stablehlo.scatter"(%arg2, %27, %22) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<4x5xi32>, tensor<1xi32>, tensor<4xi32>) -> tensor<4x5xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %30 = stablehlo.compare LT, %7, %29, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_9 = stablehlo.constant dense<5> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %32 = stablehlo.add %7, %31 : tensor<4xi32>
    %33 = stablehlo.select %30, %32, %7 : tensor<4xi1>, tensor<4xi32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %35 = "stablehlo.scatter"(%28, %34, %14) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<4x5xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<4x5xi32>
    return %0, %35 : tensor<i32>, tensor<4x5xi32>
  }
  func.func private @_lu_solve(%arg0: tensor<4x5x5xf32>, %arg1: tensor<4x5xi32>, %arg2: tensor<4x4x5xf32>) -> tensor<4x4x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2] : (tensor<4x4x5xf32>) -> tensor<4x4x5x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x5xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<4x5xi32>, tensor<4x5xi32>) -> tensor<4x5xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x5xi32>
    %4 = stablehlo.add %arg1, %3 : tensor<4x5xi32>
    %5 = stablehlo.select %2, %4, %arg1 : tensor<4x5xi1>, tensor<4x5xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<4x5xi32>) -> tensor<4x5x1xi32>
    %7 = "stablehlo.gather"(%0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1, 1>}> : (tensor<4x4x5x1xf32>, tensor<4x5x1xi32>) -> tensor<4x4x5x1xf32>
    %8 = stablehlo.transpose %7, dims = [0, 2, 3, 1] : (tensor<4x4x5x1xf32>) -> tensor<4x5x1x4xf32>
    %9 = stablehlo.reshape %8 : (tensor<4x5x1x4xf32>) -> tensor<4x5x4xf32>
    %10 = stablehlo.custom_call @lapack_strsm_ffi(%arg0, %9) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=4, n=5, o=4}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %11 = stablehlo.reshape %10 : (tensor<4x5x4xf32>) -> tensor<4x5x1x4xf32>
    %12 = stablehlo.reshape %11 : (tensor<4x5x1x4xf32>) -> tensor<4x5x4xf32>
    %13 = stablehlo.custom_call @lapack_strsm_ffi(%arg0, %12) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=4, n=5, o=4}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %14 = stablehlo.reshape %13 : (tensor<4x5x4xf32>) -> tensor<4x5x1x4xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<4x5x1x4xf32>) -> tensor<4x4x5x1xf32>
    %16 = stablehlo.reshape %15 : (tensor<4x4x5x1xf32>) -> tensor<4x4x5xf32>
    return %16 : tensor<4x4x5xf32>
  }
  func.func private @inv(%arg0: tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %1 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %3 = stablehlo.add %0, %2 : tensor<5x5xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.convert %4 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<4x5x5xf32>
    %7:4 = call @solve_0(%arg0, %6) : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>)
    return %7#0, %7#1, %7#2, %7#3 : tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>
  }
  func.func private @solve_0(%arg0: tensor<4x5x5xf32>, %arg1: tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>) {
    %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=4, j=5, k=5, l=5, m=5, n=5}, custom>} : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5xi32>, tensor<4xi32>)
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x5xi32>
    %2 = stablehlo.subtract %0#1, %1 : tensor<4x5xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.compare GE, %0#2, %3, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi1>) -> tensor<4x1x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x1x1xi1>) -> tensor<4x5x5xi1>
    %8 = stablehlo.select %7, %0#0, %6 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
    %9 = stablehlo.iota dim = 1 : tensor<4x5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %10:4 = stablehlo.while(%iterArg = %2, %iterArg_3 = %c_2, %iterArg_4 = %c_1, %iterArg_5 = %9) : tensor<4x5xi32>, tensor<i32>, tensor<i32>, tensor<4x5xi32>
    cond {
      %c_6 = stablehlo.constant dense<5> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14:2 = func.call @closed_call(%iterArg, %iterArg_4, %iterArg_5) : (tensor<4x5xi32>, tensor<i32>, tensor<4x5xi32>) -> (tensor<i32>, tensor<4x5xi32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %15, %14#0, %14#1 : tensor<4x5xi32>, tensor<i32>, tensor<i32>, tensor<4x5xi32>
    }
    %11 = stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %12 = call @_lu_solve_1(%8, %10#3, %11) : (tensor<4x5x5xf32>, tensor<4x5xi32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %13 = stablehlo.transpose %12, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    return %13, %12, %8, %10#3 : tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5x5xf32>, tensor<4x5xi32>
  }
  func.func private @_lu_solve_1(%arg0: tensor<4x5x5xf32>, %arg1: tensor<4x5xi32>, %arg2: tensor<4x5x5xf32>) -> tensor<4x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2] : (tensor<4x5x5xf32>) -> tensor<4x5x5x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x5xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<4x5xi32>, tensor<4x5xi32>) -> tensor<4x5xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x5xi32>
    %4 = stablehlo.add %arg1, %3 : tensor<4x5xi32>
    %5 = stablehlo.select %2, %4, %arg1 : tensor<4x5xi1>, tensor<4x5xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<4x5xi32>) -> tensor<4x5x1xi32>
    %7 = "stablehlo.gather"(%0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5, 1, 1>}> : (tensor<4x5x5x1xf32>, tensor<4x5x1xi32>) -> tensor<4x5x5x1xf32>
    %8 = stablehlo.transpose %7, dims = [0, 2, 3, 1] : (tensor<4x5x5x1xf32>) -> tensor<4x5x1x5xf32>
    %9 = stablehlo.reshape %8 : (tensor<4x5x1x5xf32>) -> tensor<4x5x5xf32>
    %10 = stablehlo.custom_call @lapack_strsm_ffi(%arg0, %9) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=5, n=5, o=5}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %11 = stablehlo.reshape %10 : (tensor<4x5x5xf32>) -> tensor<4x5x1x5xf32>
    %12 = stablehlo.reshape %11 : (tensor<4x5x1x5xf32>) -> tensor<4x5x5xf32>
    %13 = stablehlo.custom_call @lapack_strsm_ffi(%arg0, %12) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=5, n=5, o=5}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %14 = stablehlo.reshape %13 : (tensor<4x5x5xf32>) -> tensor<4x5x1x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<4x5x1x5xf32>) -> tensor<4x5x5x1xf32>
    %16 = stablehlo.reshape %15 : (tensor<4x5x5x1xf32>) -> tensor<4x5x5xf32>
    return %16 : tensor<4x5x5xf32>
  }
  func.func private @det(%arg0: tensor<4x5x5xf32>) -> (tensor<4xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<4x5x2xi32>, tensor<4x5x5xf32>, tensor<4x1x1xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>) {
    %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=4, j=5, k=5, l=5, m=5, n=5}, custom>} : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5xi32>, tensor<4xi32>)
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x5xi32>
    %2 = stablehlo.subtract %0#1, %1 : tensor<4x5xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.compare GE, %0#2, %3, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi1>) -> tensor<4x1x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x1x1xi1>) -> tensor<4x5x5xi1>
    %8 = stablehlo.select %7, %0#0, %6 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
    %9 = stablehlo.iota dim = 1 : tensor<4x5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %10:4 = stablehlo.while(%iterArg = %2, %iterArg_17 = %c_2, %iterArg_18 = %c_1, %iterArg_19 = %9) : tensor<4x5xi32>, tensor<i32>, tensor<i32>, tensor<4x5xi32>
    cond {
      %c_20 = stablehlo.constant dense<5> : tensor<i32>
      %71 = stablehlo.compare LT, %iterArg_17, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %71 : tensor<i1>
    } do {
      %71:2 = func.call @closed_call(%iterArg, %iterArg_18, %iterArg_19) : (tensor<4x5xi32>, tensor<i32>, tensor<4x5xi32>) -> (tensor<i32>, tensor<4x5xi32>)
      %c_20 = stablehlo.constant dense<1> : tensor<i32>
      %72 = stablehlo.add %iterArg_17, %c_20 : tensor<i32>
      stablehlo.return %iterArg, %72, %71#0, %71#1 : tensor<4x5xi32>, tensor<i32>, tensor<i32>, tensor<4x5xi32>
    }
    %11 = call @diagonal(%8) : (tensor<4x5x5xf32>) -> tensor<4x5xf32>
    %12 = stablehlo.iota dim = 0 : tensor<5xi32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<4x5xi32>
    %15 = stablehlo.compare NE, %2, %14, SIGNED : (tensor<4x5xi32>, tensor<4x5xi32>) -> tensor<4x5xi1>
    %16 = call @count_nonzero(%15) : (tensor<4x5xi1>) -> tensor<4xi32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %17 = call @remainder(%16, %c_3) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %c_4 = stablehlo.constant dense<-2> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %19 = stablehlo.multiply %18, %17 : tensor<4xi32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %21 = stablehlo.add %19, %20 : tensor<4xi32>
    %22 = stablehlo.convert %21 : (tensor<4xi32>) -> tensor<4xf32>
    %23 = call @cumprod(%11) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %26 = stablehlo.multiply %23, %25 : tensor<4x5xf32>
    %27 = stablehlo.slice %26 [0:4, 3:4] : (tensor<4x5xf32>) -> tensor<4x1xf32>
    %28 = stablehlo.reshape %27 : (tensor<4x1xf32>) -> tensor<4xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %30 = stablehlo.divide %29, %28 : tensor<4xf32>
    %c_7 = stablehlo.constant dense<4> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_8 = stablehlo.constant dense<4> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %33 = stablehlo.concatenate %31, %32, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %34 = "stablehlo.scatter"(%8, %33, %30) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 2]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      stablehlo.return %arg2 : tensor<f32>
    }) : (tensor<4x5x5xf32>, tensor<2xi32>, tensor<4xf32>) -> tensor<4x5x5xf32>
    %35 = stablehlo.iota dim = 0 : tensor<4xi32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %39 = stablehlo.custom_call @lapack_strsm_ffi(%34, %38) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=1, n=5, o=1}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x1xf32>) -> tensor<4x5x1xf32>
    %40 = stablehlo.reshape %39 : (tensor<4x5x1xf32>) -> tensor<4x5xf32>
    %41 = stablehlo.compare NE, %40, %40, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    %42 = call @isinf(%40) : (tensor<4x5xf32>) -> tensor<4x5xi1>
    %43 = stablehlo.or %41, %42 : tensor<4x5xi1>
    %c_10 = stablehlo.constant dense<false> : tensor<i1>
    %44 = stablehlo.reduce(%43 init: %c_10) applies stablehlo.or across dimensions = [1] : (tensor<4x5xi1>, tensor<i1>) -> tensor<4xi1>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<4xi1>) -> tensor<4x1x1xi1>
    %46 = stablehlo.reshape %45 : (tensor<4x1x1xi1>) -> tensor<1x4x1x1x1x1xi1>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3, 4, 5] : (tensor<1x4x1x1x1x1xi1>) -> tensor<1x4x5x1x5x1xi1>
    %48 = stablehlo.reshape %47 : (tensor<1x4x5x1x5x1xi1>) -> tensor<4x5x5xi1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %50 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %51 = stablehlo.compare LT, %36, %50, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %c_13 = stablehlo.constant dense<4> : tensor<i32>
    %52 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %53 = stablehlo.add %36, %52 : tensor<4x1xi32>
    %54 = stablehlo.select %51, %53, %36 : tensor<4x1xi1>, tensor<4x1xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %55 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<4x5xi32>
    %56 = stablehlo.compare LT, %10#3, %55, SIGNED : (tensor<4x5xi32>, tensor<4x5xi32>) -> tensor<4x5xi1>
    %c_15 = stablehlo.constant dense<5> : tensor<i32>
    %57 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<4x5xi32>
    %58 = stablehlo.add %10#3, %57 : tensor<4x5xi32>
    %59 = stablehlo.select %56, %58, %10#3 : tensor<4x5xi1>, tensor<4x5xi32>
    %60 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x5xi32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1] : (tensor<4x5xi32>) -> tensor<4x5x1xi32>
    %62 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<4x5xi32>) -> tensor<4x5x1xi32>
    %63 = stablehlo.concatenate %61, %62, dim = 2 : (tensor<4x5x1xi32>, tensor<4x5x1xi32>) -> tensor<4x5x2xi32>
    %64 = stablehlo.slice %26 [0:4, 4:5] : (tensor<4x5xf32>) -> tensor<4x1xf32>
    %65 = stablehlo.reshape %64 : (tensor<4x1xf32>) -> tensor<4xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0] : (tensor<4xf32>) -> tensor<4x1x1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %68 = stablehlo.slice %26 [0:4, 4:5] : (tensor<4x5xf32>) -> tensor<4x1xf32>
    %69 = stablehlo.reshape %68 : (tensor<4x1xf32>) -> tensor<4xf32>
    %70:2 = call @trace() : () -> (tensor<4x5x5xi1>, tensor<4x5x5xf32>)
    return %69, %48, %49, %63, %34, %66, %67, %70#0, %70#1 : tensor<4xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>, tensor<4x5x2xi32>, tensor<4x5x5xf32>, tensor<4x1x1xf32>, tensor<4x5x5xf32>, tensor<4x5x5xi1>, tensor<4x5x5xf32>
  }
  func.func private @diagonal(%arg0: tensor<4x5x5xf32>) -> tensor<4x5xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<5xi32>
    %1 = stablehlo.iota dim = 0 : tensor<5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %3 = stablehlo.compare LT, %0, %2, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %5 = stablehlo.add %0, %4 : tensor<5xi32>
    %6 = stablehlo.select %3, %5, %0 : tensor<5xi1>, tensor<5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %8 = stablehlo.compare LT, %1, %7, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_2 = stablehlo.constant dense<5> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %10 = stablehlo.add %1, %9 : tensor<5xi32>
    %11 = stablehlo.select %8, %10, %1 : tensor<5xi1>, tensor<5xi32>
    %12 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x2xi32>
    %15 = "stablehlo.gather"(%arg0, %14) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1, 1>}> : (tensor<4x5x5xf32>, tensor<5x2xi32>) -> tensor<4x5xf32>
    return %15 : tensor<4x5xf32>
  }
  func.func private @count_nonzero(%arg0: tensor<4x5xi1>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<4x5xi1>
    %1 = stablehlo.compare NE, %arg0, %0, UNSIGNED : (tensor<4x5xi1>, tensor<4x5xi1>) -> tensor<4x5xi1>
    %2 = stablehlo.convert %1 : (tensor<4x5xi1>) -> tensor<4x5xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.reduce(%2 init: %c_0) applies stablehlo.add across dimensions = [1] : (tensor<4x5xi32>, tensor<i32>) -> tensor<4xi32>
    return %3 : tensor<4xi32>
  }
  func.func private @remainder(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<4xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %12 = stablehlo.and %11, %6 : tensor<4xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %14 = stablehlo.add %4, %13 : tensor<4xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<4xi1>, tensor<4xi32>
    return %15 : tensor<4xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @cumprod(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %0 = call @cumprod_2(%arg0) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
  func.func private @cumprod_2(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
  func.func private @isinf(%arg0: tensor<4x5xf32>) -> tensor<4x5xi1> {
    %0 = stablehlo.abs %arg0 : tensor<4x5xf32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    return %2 : tensor<4x5xi1>
  }
  func.func private @trace() -> (tensor<4x5x5xi1>, tensor<4x5x5xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %1 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %3 = stablehlo.add %0, %2 : tensor<5x5xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %6 = call @_where_3(%4) : (tensor<5x5xi1>) -> tensor<4x5x5xi1>
    return %6, %5 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
  }
  func.func private @_where_3(%arg0: tensor<5x5xi1>) -> tensor<4x5x5xi1> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<4x5x5xi1>
    return %0 : tensor<4x5x5xi1>
  }
  func.func private @cholesky_4(%arg0: tensor<4x5x5xf32>, %arg1: tensor<4x5x5xi1>, %arg2: tensor<4x5x5xf32>, %arg3: tensor<1x5x5xf32>, %arg4: tensor<4x5x5xi1>, %arg5: tensor<4x5x5xf32>, %arg6: tensor<4x5x5xf32>) -> tensor<4x5x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %1 = stablehlo.select %arg4, %arg6, %0 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
    %2 = stablehlo.dot_general %1, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %3 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %4 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 2] : (tensor<1x5x5xf32>) -> tensor<4x5x5xf32>
    %5 = stablehlo.divide %3, %4 : tensor<4x5x5xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %7 = stablehlo.select %arg1, %5, %6 : tensor<4x5x5xi1>, tensor<4x5x5xf32>
    %8 = stablehlo.custom_call @lapack_strsm_ffi(%arg0, %7) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=5, n=5, o=5}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %9 = stablehlo.custom_call @lapack_strsm_ffi(%arg0, %8) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=5, k=5, l=5, m=5, n=5, o=5}, custom>} : (tensor<4x5x5xf32>, tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x5xf32>
    %11 = stablehlo.divide %9, %10 : tensor<4x5x5xf32>
    %12 = stablehlo.transpose %11, dims = [0, 2, 1] : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %13 = stablehlo.add %11, %12 : tensor<4x5x5xf32>
    return %13 : tensor<4x5x5xf32>
  }
}
