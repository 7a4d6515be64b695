"""The labels that MediaPipe projects name most, by package: they are here, by the
rule of labels.py.  tree_test checks it.
"""
PRESENT = {
    "framework": """
        calculator_base calculator_cc_proto calculator_context calculator_contract
        calculator_framework calculator_graph calculator_options_cc_proto calculator_options_proto
        calculator_profile_cc_proto calculator_proto calculator_registry calculator_runner
        camera_intrinsics collection collection_item_id counter counter_factory executor
        graph_service graph_service_manager graph_validation input_stream input_stream_shard
        legacy_calculator_support lifetime_tracker mediapipe_options_cc_proto
        mediapipe_options_proto memory_manager memory_manager_service output_side_packet
        output_stream output_stream_poller output_stream_shard packet packet_factory_cc_proto
        packet_generator packet_generator_cc_proto packet_generator_proto packet_set packet_type
        port resources resources_service status_handler status_handler_cc_proto
        stream_handler_cc_proto stream_handler_proto subgraph thread_pool_executor
        thread_pool_executor_cc_proto timestamp type_map""",
    "framework/api2": "builder const_str contract node packet port tag",
    "framework/deps": """
        canonical_errors cleanup clock file_helpers file_path map_util mathutil message_matchers
        monotonic_clock no_destructor point point2 random rectangle registration
        registration_token ret_check safe_int singleton source_location status status_builder
        status_macros status_matchers strong_int thread_options threadpool topologicalsorter
        vector""",
    "framework/formats": """
        classification_cc_proto classification_proto detection_cc_proto detection_proto image
        image_format_cc_proto image_format_proto image_frame image_frame_pool landmark_cc_proto
        landmark_proto location_data_cc_proto location_data_proto matrix matrix_data_cc_proto
        matrix_data_proto rect_cc_proto rect_proto time_series_header_cc_proto
        time_series_header_proto video_stream_header""",
    "framework/port": """
        advanced_proto advanced_proto_lite aligned_malloc_and_free any_proto benchmark
        commandlineflags core_proto file_helpers gtest gtest_main integral_types logging map_util
        numbers opencv_core opencv_highgui opencv_imgcodecs opencv_imgproc opencv_video
        parse_text_proto point point2 rectangle ret_check singleton source_location status
        statusor threadpool topologicalsorter vector""",
    "framework/stream_handler": """
        default_input_stream_handler_cc_proto fixed_size_input_stream_handler_cc_proto
        sync_set_input_stream_handler_cc_proto timestamp_align_input_stream_handler_cc_proto""",
    "framework/tool": """
        calculator_graph_template_cc_proto container_util executor_util fill_packet_set name_util
        options_map options_util sink source status_util subgraph_expansion switch_container
        switch_container_cc_proto tag_map tag_map_helper type_util validate validate_name
        validate_type""",
    "calculators/core": """
        add_header_calculator begin_item_loop_calculator begin_loop_calculator
        clip_vector_size_calculator concatenate_vector_calculator constant_side_packet_calculator
        counting_source_calculator default_side_packet_calculator end_item_loop_calculator
        end_loop_calculator flow_limiter_calculator flow_limiter_calculator_cc_proto
        gate_calculator gate_calculator_cc_proto get_vector_item_calculator
        immediate_mux_calculator make_pair_calculator merge_calculator mux_calculator
        non_zero_calculator packet_cloner_calculator packet_inner_join_calculator
        packet_presence_calculator pass_through_calculator previous_loopback_calculator
        real_time_flow_limiter_calculator round_robin_demux_calculator sequence_shift_calculator
        side_packet_to_stream_calculator split_vector_calculator
        stream_to_side_packet_calculator string_to_int_calculator value_or_default_calculator
        vector_indices_calculator vector_size_calculator""",
    "calculators/util": """
        annotation_overlay_calculator detection_label_id_to_text_calculator_cc_proto
        detections_to_rects_calculator detections_to_rects_calculator_cc_proto
        detections_to_render_data_calculator_cc_proto non_max_suppression_calculator
        non_max_suppression_calculator_cc_proto packet_frequency_calculator
        rect_to_render_data_calculator_cc_proto rect_transformation_calculator_cc_proto
        rect_transformation_calculator_proto thresholding_calculator_cc_proto""",
    "util": "color_cc_proto color_proto label_map_cc_proto render_data_cc_proto render_data_proto",
}
