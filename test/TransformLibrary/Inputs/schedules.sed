/@task_matmul_30x40x24/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 4, 8], [1, 1, 16], [12]], stages = [none, outer], vector = 8, unroll = 2, order = [1, 0]>, /
/@task_batch_matmul_3x20x20x16/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 1], [1, 2, 6], [1, 3, 8], [16]], stages = [none, none], vector = 8, unroll = 1>, /
/@task_conv_2d_chw_fchw_10x13x13/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 13, 1], [1, 2, 8], [6], [3], [3]], stages = [none, inner], vector = 8, unroll = 3>, /
/@task_matmul_10x169x6/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 3, 4], [2, 2, 16], [6]], stages = [none, none], vector = 8, unroll = 2, prefetch = 0>, /
/@task_depthwise_conv_2d_chw_chw_16x16x8/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 4, 4], [1, 1, 16], [1, 2, 1], [3], [3]], stages = [none, none], vector = 8, unroll = 1>, /
/@task_conv_2d_chw_fchw_4x7x7/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 4], [1, 7, 1], [1, 1, 8], [8], [3], [3]], stages = [none, none], vector = 8, unroll = 1>, /
/@task_batch_matmul_3x20x22x16/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 1, 1], [1, 2, 6], [1, 3, 8], [16]], stages = [none, outer], vector = 8, unroll = 1>, /
