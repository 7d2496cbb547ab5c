module @jit_special attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> (tensor<8x16xf32> {jax.result_info = "result[0]"}, tensor<8x16xf32> {jax.result_info = "result[1]"}, tensor<8x16xf32> {jax.result_info = "result[2]"}, tensor<8x16xf32> {jax.result_info = "result[3]"}, tensor<8x16xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.abs %arg0 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x16xf32>
    %3 = chlo.digamma %arg0 : tensor<8x16xf32> -> tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %5 = chlo.polygamma %4, %2 : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %7 = stablehlo.add %2, %6 : tensor<8x16xf32>
    %8 = chlo.zeta %7, %2 : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %10 = stablehlo.multiply %arg0, %9 : tensor<8x16xf32>
    %11 = chlo.bessel_i1e %10 : tensor<8x16xf32> -> tensor<8x16xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %13 = stablehlo.add %2, %12 : tensor<8x16xf32>
    %14 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %15 = stablehlo.compare NE, %13, %13, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %16 = stablehlo.or %14, %15 : tensor<8x16xi1>
    %cst_4 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %18 = stablehlo.compare EQ, %13, %17, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %20 = stablehlo.compare EQ, %2, %19, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %22 = stablehlo.compare EQ, %13, %21, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %24 = stablehlo.compare LT, %13, %23, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %26 = stablehlo.compare LT, %2, %25, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %27 = stablehlo.and %20, %22 : tensor<8x16xi1>
    %28 = stablehlo.or %24, %26 : tensor<8x16xi1>
    %29 = stablehlo.or %28, %27 : tensor<8x16xi1>
    %30 = stablehlo.or %29, %16 : tensor<8x16xi1>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %32 = stablehlo.compare GE, %13, %31, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %33 = stablehlo.compare GT, %13, %2, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %34 = stablehlo.and %32, %33 : tensor<8x16xi1>
    %35 = stablehlo.log %13 : tensor<8x16xf32>
    %36 = stablehlo.multiply %2, %35 : tensor<8x16xf32>
    %37 = stablehlo.subtract %36, %13 : tensor<8x16xf32>
    %38 = chlo.lgamma %2 : tensor<8x16xf32> -> tensor<8x16xf32>
    %39 = stablehlo.subtract %37, %38 : tensor<8x16xf32>
    %cst_10 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
    %40 = stablehlo.log %cst_10 : tensor<f32>
    %41 = stablehlo.negate %40 : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %43 = stablehlo.compare LT, %39, %42, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %44 = stablehlo.exponential %39 : tensor<8x16xf32>
    %45 = stablehlo.or %22, %30 : tensor<8x16xi1>
    %46 = stablehlo.or %45, %43 : tensor<8x16xi1>
    %47 = stablehlo.or %46, %18 : tensor<8x16xi1>
    %48 = stablehlo.not %47 : tensor<8x16xi1>
    %49 = stablehlo.and %48, %34 : tensor<8x16xi1>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %51 = stablehlo.subtract %50, %2 : tensor<8x16xf32>
    %52 = stablehlo.add %13, %51 : tensor<8x16xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %54 = stablehlo.add %52, %53 : tensor<8x16xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %57 = stablehlo.add %13, %56 : tensor<8x16xf32>
    %58 = stablehlo.multiply %54, %13 : tensor<8x16xf32>
    %59 = stablehlo.divide %57, %58 : tensor<8x16xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %64 = stablehlo.negate %13 : tensor<8x16xf32>
    %65 = stablehlo.multiply %59, %64 : tensor<8x16xf32>
    %66 = stablehlo.subtract %63, %65 : tensor<8x16xf32>
    %67 = stablehlo.divide %66, %58 : tensor<8x16xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68:15 = stablehlo.while(%iterArg = %49, %iterArg_28 = %59, %iterArg_29 = %60, %iterArg_30 = %51, %iterArg_31 = %54, %iterArg_32 = %cst_19, %iterArg_33 = %57, %iterArg_34 = %58, %iterArg_35 = %55, %iterArg_36 = %13, %iterArg_37 = %61, %iterArg_38 = %62, %iterArg_39 = %63, %iterArg_40 = %64, %iterArg_41 = %67) : tensor<8x16xi1>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<f32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
    cond {
      %cst_42 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
      %88 = stablehlo.compare LT, %iterArg_32, %cst_42, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c = stablehlo.constant dense<false> : tensor<i1>
      %89 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0, 1] : (tensor<8x16xi1>, tensor<i1>) -> tensor<i1>
      %90 = stablehlo.and %88, %89 : tensor<i1>
      stablehlo.return %90 : tensor<i1>
    } do {
      %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %88 = stablehlo.add %iterArg_32, %cst_42 : tensor<f32>
      %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %89 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %90 = stablehlo.add %iterArg_30, %89 : tensor<8x16xf32>
      %cst_44 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %91 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %92 = stablehlo.add %iterArg_31, %91 : tensor<8x16xf32>
      %93 = stablehlo.broadcast_in_dim %88, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %94 = stablehlo.multiply %90, %93 : tensor<8x16xf32>
      %95 = stablehlo.multiply %iterArg_33, %92 : tensor<8x16xf32>
      %96 = stablehlo.multiply %iterArg_35, %94 : tensor<8x16xf32>
      %97 = stablehlo.subtract %95, %96 : tensor<8x16xf32>
      %98 = stablehlo.multiply %iterArg_34, %92 : tensor<8x16xf32>
      %99 = stablehlo.multiply %iterArg_36, %94 : tensor<8x16xf32>
      %100 = stablehlo.subtract %98, %99 : tensor<8x16xf32>
      %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %101 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %102 = stablehlo.compare NE, %100, %101, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
      %103 = stablehlo.divide %97, %100 : tensor<8x16xf32>
      %104 = stablehlo.subtract %iterArg_28, %103 : tensor<8x16xf32>
      %105 = stablehlo.divide %104, %103 : tensor<8x16xf32>
      %106 = stablehlo.abs %105 : tensor<8x16xf32>
      %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %107 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %108 = stablehlo.select %102, %106, %107 : tensor<8x16xi1>, tensor<8x16xf32>
      %109 = stablehlo.select %102, %103, %iterArg_28 : tensor<8x16xi1>, tensor<8x16xf32>
      %110 = stablehlo.multiply %iterArg_39, %92 : tensor<8x16xf32>
      %111 = stablehlo.subtract %110, %iterArg_33 : tensor<8x16xf32>
      %112 = stablehlo.multiply %iterArg_37, %94 : tensor<8x16xf32>
      %113 = stablehlo.subtract %111, %112 : tensor<8x16xf32>
      %114 = stablehlo.broadcast_in_dim %88, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %115 = stablehlo.multiply %iterArg_35, %114 : tensor<8x16xf32>
      %116 = stablehlo.add %113, %115 : tensor<8x16xf32>
      %117 = stablehlo.multiply %iterArg_40, %92 : tensor<8x16xf32>
      %118 = stablehlo.subtract %117, %iterArg_34 : tensor<8x16xf32>
      %119 = stablehlo.multiply %iterArg_38, %94 : tensor<8x16xf32>
      %120 = stablehlo.subtract %118, %119 : tensor<8x16xf32>
      %121 = stablehlo.broadcast_in_dim %88, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %122 = stablehlo.multiply %iterArg_36, %121 : tensor<8x16xf32>
      %123 = stablehlo.add %120, %122 : tensor<8x16xf32>
      %124 = stablehlo.multiply %109, %123 : tensor<8x16xf32>
      %125 = stablehlo.subtract %116, %124 : tensor<8x16xf32>
      %126 = stablehlo.divide %125, %100 : tensor<8x16xf32>
      %127 = stablehlo.select %102, %126, %iterArg_41 : tensor<8x16xi1>, tensor<8x16xf32>
      %128 = stablehlo.subtract %127, %iterArg_41 : tensor<8x16xf32>
      %129 = stablehlo.abs %128 : tensor<8x16xf32>
      %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %130 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %131 = stablehlo.select %102, %129, %130 : tensor<8x16xi1>, tensor<8x16xf32>
      %132 = stablehlo.abs %97 : tensor<8x16xf32>
      %cst_48 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %133 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<f32>
      %134 = stablehlo.divide %133, %cst_48 : tensor<f32>
      %135 = stablehlo.broadcast_in_dim %134, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %136 = stablehlo.compare GT, %132, %135, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
      %cst_50 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %137 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %138 = stablehlo.multiply %iterArg_33, %137 : tensor<8x16xf32>
      %139 = stablehlo.select %136, %138, %iterArg_33 : tensor<8x16xi1>, tensor<8x16xf32>
      %cst_51 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %140 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %141 = stablehlo.multiply %97, %140 : tensor<8x16xf32>
      %142 = stablehlo.select %136, %141, %97 : tensor<8x16xi1>, tensor<8x16xf32>
      %cst_52 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %143 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %144 = stablehlo.multiply %iterArg_34, %143 : tensor<8x16xf32>
      %145 = stablehlo.select %136, %144, %iterArg_34 : tensor<8x16xi1>, tensor<8x16xf32>
      %cst_53 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %146 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %147 = stablehlo.multiply %100, %146 : tensor<8x16xf32>
      %148 = stablehlo.select %136, %147, %100 : tensor<8x16xi1>, tensor<8x16xf32>
      %cst_54 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %149 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %150 = stablehlo.multiply %iterArg_39, %149 : tensor<8x16xf32>
      %151 = stablehlo.select %136, %150, %iterArg_39 : tensor<8x16xi1>, tensor<8x16xf32>
      %cst_55 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %152 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %153 = stablehlo.multiply %iterArg_40, %152 : tensor<8x16xf32>
      %154 = stablehlo.select %136, %153, %iterArg_40 : tensor<8x16xi1>, tensor<8x16xf32>
      %cst_56 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %155 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %156 = stablehlo.multiply %116, %155 : tensor<8x16xf32>
      %157 = stablehlo.select %136, %156, %116 : tensor<8x16xi1>, tensor<8x16xf32>
      %cst_57 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %158 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %159 = stablehlo.multiply %123, %158 : tensor<8x16xf32>
      %160 = stablehlo.select %136, %159, %123 : tensor<8x16xi1>, tensor<8x16xf32>
      %cst_58 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %161 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %162 = stablehlo.compare GT, %108, %161, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
      %163 = stablehlo.and %iterArg, %162 : tensor<8x16xi1>
      %164 = stablehlo.select %iterArg, %109, %iterArg_28 : tensor<8x16xi1>, tensor<8x16xf32>
      %165 = stablehlo.select %iterArg, %108, %iterArg_29 : tensor<8x16xi1>, tensor<8x16xf32>
      %166 = stablehlo.select %iterArg, %90, %iterArg_30 : tensor<8x16xi1>, tensor<8x16xf32>
      %167 = stablehlo.select %iterArg, %92, %iterArg_31 : tensor<8x16xi1>, tensor<8x16xf32>
      %168 = stablehlo.select %iterArg, %142, %iterArg_33 : tensor<8x16xi1>, tensor<8x16xf32>
      %169 = stablehlo.select %iterArg, %148, %iterArg_34 : tensor<8x16xi1>, tensor<8x16xf32>
      %170 = stablehlo.select %iterArg, %139, %iterArg_35 : tensor<8x16xi1>, tensor<8x16xf32>
      %171 = stablehlo.select %iterArg, %145, %iterArg_36 : tensor<8x16xi1>, tensor<8x16xf32>
      %172 = stablehlo.select %iterArg, %151, %iterArg_37 : tensor<8x16xi1>, tensor<8x16xf32>
      %173 = stablehlo.select %iterArg, %154, %iterArg_38 : tensor<8x16xi1>, tensor<8x16xf32>
      %174 = stablehlo.select %iterArg, %157, %iterArg_39 : tensor<8x16xi1>, tensor<8x16xf32>
      %175 = stablehlo.select %iterArg, %160, %iterArg_40 : tensor<8x16xi1>, tensor<8x16xf32>
      %176 = stablehlo.select %iterArg, %127, %iterArg_41 : tensor<8x16xi1>, tensor<8x16xf32>
      stablehlo.return %163, %164, %165, %166, %167, %88, %168, %169, %170, %171, %172, %173, %174, %175, %176 : tensor<8x16xi1>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<f32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
    }
    %69 = stablehlo.multiply %68#1, %44 : tensor<8x16xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %71 = stablehlo.subtract %70, %69 : tensor<8x16xf32>
    %72 = stablehlo.not %34 : tensor<8x16xi1>
    %73 = stablehlo.and %48, %72 : tensor<8x16xi1>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %78:7 = stablehlo.while(%iterArg = %73, %iterArg_28 = %2, %iterArg_29 = %74, %iterArg_30 = %75, %iterArg_31 = %13, %iterArg_32 = %76, %iterArg_33 = %77) : tensor<8x16xi1>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
    cond {
      %c = stablehlo.constant dense<false> : tensor<i1>
      %88 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0, 1] : (tensor<8x16xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %88 : tensor<i1>
    } do {
      %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %88 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %89 = stablehlo.add %iterArg_28, %88 : tensor<8x16xf32>
      %90 = stablehlo.divide %iterArg_31, %89 : tensor<8x16xf32>
      %91 = stablehlo.multiply %iterArg_32, %90 : tensor<8x16xf32>
      %92 = stablehlo.multiply %iterArg_29, %iterArg_31 : tensor<8x16xf32>
      %93 = stablehlo.multiply %89, %89 : tensor<8x16xf32>
      %94 = stablehlo.divide %92, %93 : tensor<8x16xf32>
      %95 = stablehlo.subtract %91, %94 : tensor<8x16xf32>
      %96 = stablehlo.add %iterArg_33, %95 : tensor<8x16xf32>
      %97 = stablehlo.divide %iterArg_31, %89 : tensor<8x16xf32>
      %98 = stablehlo.multiply %iterArg_29, %97 : tensor<8x16xf32>
      %99 = stablehlo.add %iterArg_30, %98 : tensor<8x16xf32>
      %100 = stablehlo.divide %98, %99 : tensor<8x16xf32>
      %cst_35 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %101 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %102 = stablehlo.compare GT, %100, %101, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
      %103 = stablehlo.and %iterArg, %102 : tensor<8x16xi1>
      %104 = stablehlo.select %iterArg, %89, %iterArg_28 : tensor<8x16xi1>, tensor<8x16xf32>
      %105 = stablehlo.select %iterArg, %98, %iterArg_29 : tensor<8x16xi1>, tensor<8x16xf32>
      %106 = stablehlo.select %iterArg, %99, %iterArg_30 : tensor<8x16xi1>, tensor<8x16xf32>
      %107 = stablehlo.select %iterArg, %iterArg_31, %iterArg_31 : tensor<8x16xi1>, tensor<8x16xf32>
      %108 = stablehlo.select %iterArg, %95, %iterArg_32 : tensor<8x16xi1>, tensor<8x16xf32>
      %109 = stablehlo.select %iterArg, %96, %iterArg_33 : tensor<8x16xi1>, tensor<8x16xf32>
      stablehlo.return %103, %104, %105, %106, %107, %108, %109 : tensor<8x16xi1>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
    }
    %79 = stablehlo.multiply %78#3, %44 : tensor<8x16xf32>
    %80 = stablehlo.divide %79, %2 : tensor<8x16xf32>
    %81 = stablehlo.select %34, %71, %80 : tensor<8x16xi1>, tensor<8x16xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %83 = stablehlo.select %22, %82, %81 : tensor<8x16xi1>, tensor<8x16xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %85 = stablehlo.select %18, %84, %83 : tensor<8x16xi1>, tensor<8x16xf32>
    %cst_27 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %87 = stablehlo.select %30, %86, %85 : tensor<8x16xi1>, tensor<8x16xf32>
    return %3, %5, %8, %11, %87 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
}
