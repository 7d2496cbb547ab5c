module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf32>, %arg1: tensor<256x64xf32>, %arg2: tensor<128x64xf32>, %arg3: tensor<16x32x128xf32>) -> (tensor<64xf32>, tensor<256x64xf32>, tensor<128x64xf32>) {
    %0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<16x32x64xf32>
    %5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<16x32x64xf32>
    %7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<16x32x64xf32>
    %9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<16x32x64xf32>
    %11 = stablehlo.constant dense<0> : tensor<i32>
    %12:10 = "stablehlo.while"(%arg3, %arg2, %arg1, %2, %11, %1, %4, %6, %8, %10) ({
    ^bb0(%13: tensor<16x32x128xf32>, %14: tensor<128x64xf32>, %15: tensor<256x64xf32>, %16: tensor<1x64xf32>, %17: tensor<i32>, %18: tensor<32x64xf32>, %19: tensor<16x32x64xf32>, %20: tensor<16x32x64xf32>, %21: tensor<16x32x64xf32>, %22: tensor<16x32x64xf32>):
      %23 = stablehlo.constant dense<16> : tensor<i32>
      %24 = stablehlo.compare LT, %17, %23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%24) : (tensor<i1>) -> ()
    }, {
    ^bb0(%25: tensor<16x32x128xf32>, %26: tensor<128x64xf32>, %27: tensor<256x64xf32>, %28: tensor<1x64xf32>, %29: tensor<i32>, %30: tensor<32x64xf32>, %31: tensor<16x32x64xf32>, %32: tensor<16x32x64xf32>, %33: tensor<16x32x64xf32>, %34: tensor<16x32x64xf32>):
      %35 = stablehlo.constant dense<0> : tensor<i32>
      %36 = stablehlo.constant dense<0> : tensor<i32>
      %37 = stablehlo.dynamic_slice %25, %29, %35, %36, sizes = [1, 32, 128] : (tensor<16x32x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x128xf32>
      %38 = stablehlo.reshape %37 : (tensor<1x32x128xf32>) -> tensor<32x128xf32>
      %39 = stablehlo.dot_general %38, %26, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x64xf32>) -> tensor<32x64xf32>
      %40 = "stablehlo.all_gather"(%30) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<32x64xf32>) -> tensor<32x256xf32>
      %41 = stablehlo.dot_general %40, %27, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<256x64xf32>) -> tensor<32x64xf32>
      %42 = stablehlo.add %39, %41 : tensor<32x64xf32>
      %43 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<32x64xf32>
      %44 = stablehlo.add %42, %43 : tensor<32x64xf32>
      %45 = stablehlo.tanh %44 : tensor<32x64xf32>
      %46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
      %48 = stablehlo.subtract %47, %45 : tensor<32x64xf32>
      %49 = stablehlo.broadcast_in_dim %45, dims = [1, 2] : (tensor<32x64xf32>) -> tensor<1x32x64xf32>
      %50 = stablehlo.constant dense<0> : tensor<i32>
      %51 = stablehlo.constant dense<0> : tensor<i32>
      %52 = stablehlo.dynamic_update_slice %31, %49, %29, %50, %51 : (tensor<16x32x64xf32>, tensor<1x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x32x64xf32>
      %53 = stablehlo.broadcast_in_dim %30, dims = [1, 2] : (tensor<32x64xf32>) -> tensor<1x32x64xf32>
      %54 = stablehlo.constant dense<0> : tensor<i32>
      %55 = stablehlo.constant dense<0> : tensor<i32>
      %56 = stablehlo.dynamic_update_slice %32, %53, %29, %54, %55 : (tensor<16x32x64xf32>, tensor<1x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x32x64xf32>
      %57 = stablehlo.broadcast_in_dim %45, dims = [1, 2] : (tensor<32x64xf32>) -> tensor<1x32x64xf32>
      %58 = stablehlo.constant dense<0> : tensor<i32>
      %59 = stablehlo.constant dense<0> : tensor<i32>
      %60 = stablehlo.dynamic_update_slice %33, %57, %29, %58, %59 : (tensor<16x32x64xf32>, tensor<1x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x32x64xf32>
      %61 = stablehlo.broadcast_in_dim %48, dims = [1, 2] : (tensor<32x64xf32>) -> tensor<1x32x64xf32>
      %62 = stablehlo.constant dense<0> : tensor<i32>
      %63 = stablehlo.constant dense<0> : tensor<i32>
      %64 = stablehlo.dynamic_update_slice %34, %61, %29, %62, %63 : (tensor<16x32x64xf32>, tensor<1x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x32x64xf32>
      %65 = stablehlo.constant dense<1> : tensor<i32>
      %66 = stablehlo.add %29, %65 : tensor<i32>
      "stablehlo.return"(%25, %26, %27, %28, %66, %45, %52, %56, %60, %64) : (tensor<16x32x128xf32>, tensor<128x64xf32>, tensor<256x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>) -> ()
    }) : (tensor<16x32x128xf32>, tensor<128x64xf32>, tensor<256x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>) -> (tensor<16x32x128xf32>, tensor<128x64xf32>, tensor<256x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>)
    %67 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f32>) -> tensor<16x32x64xf32>
    %69 = stablehlo.multiply %68, %12#6 : tensor<16x32x64xf32>
    %70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [] : (tensor<f32>) -> tensor<16x32x64xf32>
    %72 = stablehlo.multiply %71, %69 : tensor<16x32x64xf32>
    %73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [] : (tensor<f32>) -> tensor<128x64xf32>
    %77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %81 = stablehlo.constant dense<0> : tensor<i32>
    %82:11 = "stablehlo.while"(%72, %arg3, %12#7, %12#8, %12#9, %arg1, %81, %76, %78, %80, %74) ({
    ^bb0(%83: tensor<16x32x64xf32>, %84: tensor<16x32x128xf32>, %85: tensor<16x32x64xf32>, %86: tensor<16x32x64xf32>, %87: tensor<16x32x64xf32>, %88: tensor<256x64xf32>, %89: tensor<i32>, %90: tensor<128x64xf32>, %91: tensor<256x64xf32>, %92: tensor<64xf32>, %93: tensor<32x64xf32>):
      %94 = stablehlo.constant dense<16> : tensor<i32>
      %95 = stablehlo.compare LT, %89, %94, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%95) : (tensor<i1>) -> ()
    }, {
    ^bb0(%96: tensor<16x32x64xf32>, %97: tensor<16x32x128xf32>, %98: tensor<16x32x64xf32>, %99: tensor<16x32x64xf32>, %100: tensor<16x32x64xf32>, %101: tensor<256x64xf32>, %102: tensor<i32>, %103: tensor<128x64xf32>, %104: tensor<256x64xf32>, %105: tensor<64xf32>, %106: tensor<32x64xf32>):
      %107 = stablehlo.constant dense<16> : tensor<i32>
      %108 = stablehlo.subtract %107, %102 : tensor<i32>
      %109 = stablehlo.constant dense<1> : tensor<i32>
      %110 = stablehlo.subtract %108, %109 : tensor<i32>
      %111 = stablehlo.constant dense<0> : tensor<i32>
      %112 = stablehlo.constant dense<0> : tensor<i32>
      %113 = stablehlo.dynamic_slice %96, %110, %111, %112, sizes = [1, 32, 64] : (tensor<16x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x64xf32>
      %114 = stablehlo.reshape %113 : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
      %115 = stablehlo.constant dense<0> : tensor<i32>
      %116 = stablehlo.constant dense<0> : tensor<i32>
      %117 = stablehlo.dynamic_slice %97, %110, %115, %116, sizes = [1, 32, 128] : (tensor<16x32x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x128xf32>
      %118 = stablehlo.reshape %117 : (tensor<1x32x128xf32>) -> tensor<32x128xf32>
      %119 = "stablehlo.all_gather"(%98) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<16x32x64xf32>) -> tensor<16x32x256xf32>
      %120 = stablehlo.constant dense<0> : tensor<i32>
      %121 = stablehlo.constant dense<0> : tensor<i32>
      %122 = stablehlo.dynamic_slice %119, %110, %120, %121, sizes = [1, 32, 256] : (tensor<16x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x256xf32>
      %123 = stablehlo.reshape %122 : (tensor<1x32x256xf32>) -> tensor<32x256xf32>
      %124 = stablehlo.constant dense<0> : tensor<i32>
      %125 = stablehlo.constant dense<0> : tensor<i32>
      %126 = stablehlo.dynamic_slice %99, %110, %124, %125, sizes = [1, 32, 64] : (tensor<16x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x64xf32>
      %127 = stablehlo.reshape %126 : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
      %128 = stablehlo.constant dense<0> : tensor<i32>
      %129 = stablehlo.constant dense<0> : tensor<i32>
      %130 = stablehlo.dynamic_slice %100, %110, %128, %129, sizes = [1, 32, 64] : (tensor<16x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x64xf32>
      %131 = stablehlo.reshape %130 : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
      %132 = stablehlo.add %106, %114 : tensor<32x64xf32>
      %133 = stablehlo.multiply %132, %131 : tensor<32x64xf32>
      %134 = stablehlo.multiply %133, %127 : tensor<32x64xf32>
      %135 = stablehlo.add %133, %134 : tensor<32x64xf32>
      %136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %137 = stablehlo.reduce(%135 init: %136) applies stablehlo.add across dimensions = [0] : (tensor<32x64xf32>, tensor<f32>) -> tensor<64xf32>
      %138 = "stablehlo.all_reduce"(%137) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%139: tensor<f32>, %140: tensor<f32>):
        %141 = stablehlo.add %139, %140 : tensor<f32>
        stablehlo.return %141 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %142 = stablehlo.reshape %138 : (tensor<64xf32>) -> tensor<1x64xf32>
      %143 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %144 = stablehlo.reduce(%142 init: %143) applies stablehlo.add across dimensions = [0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %145 = stablehlo.add %105, %144 : tensor<64xf32>
      %146 = stablehlo.dot_general %135, %123, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<32x256xf32>) -> tensor<64x256xf32>
      %147 = "stablehlo.all_reduce"(%146) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%148: tensor<f32>, %149: tensor<f32>):
        %150 = stablehlo.add %148, %149 : tensor<f32>
        stablehlo.return %150 : tensor<f32>
      }) : (tensor<64x256xf32>) -> tensor<64x256xf32>
      %151 = stablehlo.transpose %147, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
      %152 = stablehlo.add %104, %151 : tensor<256x64xf32>
      %153 = "stablehlo.all_gather"(%135) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<32x64xf32>) -> tensor<32x256xf32>
      %154 = "stablehlo.all_to_all"(%101) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<256x64xf32>) -> tensor<64x256xf32>
      %155 = stablehlo.dot_general %153, %154, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<64x256xf32>) -> tensor<32x64xf32>
      %156 = stablehlo.dot_general %135, %118, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<32x128xf32>) -> tensor<64x128xf32>
      %157 = "stablehlo.all_reduce"(%156) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%158: tensor<f32>, %159: tensor<f32>):
        %160 = stablehlo.add %158, %159 : tensor<f32>
        stablehlo.return %160 : tensor<f32>
      }) : (tensor<64x128xf32>) -> tensor<64x128xf32>
      %161 = stablehlo.transpose %157, dims = [1, 0] : (tensor<64x128xf32>) -> tensor<128x64xf32>
      %162 = stablehlo.add %103, %161 : tensor<128x64xf32>
      %163 = stablehlo.constant dense<1> : tensor<i32>
      %164 = stablehlo.add %102, %163 : tensor<i32>
      "stablehlo.return"(%96, %97, %98, %99, %100, %101, %164, %162, %152, %145, %155) : (tensor<16x32x64xf32>, tensor<16x32x128xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<256x64xf32>, tensor<i32>, tensor<128x64xf32>, tensor<256x64xf32>, tensor<64xf32>, tensor<32x64xf32>) -> ()
    }) : (tensor<16x32x64xf32>, tensor<16x32x128xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<256x64xf32>, tensor<i32>, tensor<128x64xf32>, tensor<256x64xf32>, tensor<64xf32>, tensor<32x64xf32>) -> (tensor<16x32x64xf32>, tensor<16x32x128xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<256x64xf32>, tensor<i32>, tensor<128x64xf32>, tensor<256x64xf32>, tensor<64xf32>, tensor<32x64xf32>)
    return %82#9, %82#8, %82#7 : tensor<64xf32>, tensor<256x64xf32>, tensor<128x64xf32>
  }
}
