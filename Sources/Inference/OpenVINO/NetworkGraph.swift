import COpenVINO

/// A network as a graph, before it is compiled: the ONNX file with the card's normalisation in front, and float32
/// behind.
///
/// The file expects normalised float32 in NCHW order. What is built here takes the decoder's bytes as they are, RGB in
/// HWC order, so that conversion, normalisation and layout are part of the compiled graph and need no pass of their
/// own.
struct NetworkGraph: ~Copyable {
    /// The `ov_model_t`.
    let model: OpenVINOObject

    /// Reads a network and puts the recipe in front.
    ///
    /// - Throws: ``InferenceError`` if OpenVINO can't read it, or if it doesn't fit its card.
    init(of source: Model, core: borrowing OpenVINOObject) throws(InferenceError) {
        let corePointer = core.pointer
        let plain = try OpenVINOObject("read \(source.networkPath)", free: ov_model_free) { model in
            ov_core_read_model(corePointer, source.networkPath, nil, &model)
        }
        let crop = source.card.recipe.crop
        if ov_model_is_dynamic(plain.pointer) {
            try Self.reshape(plain, to: Self.inputShape(crop))
        }
        try Self.requireInput(plain, Self.inputShape(crop))
        try Self.requireOutput(plain, source.card.output)
        model = try Self.withConversions(plain, source.card)
    }

    /// One picture, three channels, rows, columns: NCHW.
    private static func inputShape(_ crop: ModelSize) -> [Int64] {
        [1, 3, Int64(crop.height), Int64(crop.width)]
    }

    private static func reshape(_ model: borrowing OpenVINOObject, to shape: [Int64]) throws(InferenceError) {
        var wanted = ov_partial_shape_t()
        try OpenVINOCall.check(
            ov_partial_shape_create_static(Int64(shape.count), shape, &wanted), "describe the input's shape")
        defer { ov_partial_shape_free(&wanted) }
        try OpenVINOCall.check(
            ov_model_reshape_single_input(model.pointer, wanted), "give the network the card's input size")
    }

    private static func requireInput(
        _ model: borrowing OpenVINOObject, _ wanted: [Int64]
    ) throws(InferenceError) {
        let modelPointer = model.pointer
        let port = try OpenVINOObject("find the network's only input", free: ov_output_const_port_free) { port in
            ov_model_const_input(modelPointer, &port)
        }
        let found = try shape(of: port)
        guard found == wanted else {
            throw .inputShape(expected: wanted.map(Int.init), found: found.map(Int.init))
        }
    }

    private static func requireOutput(
        _ model: borrowing OpenVINOObject, _ output: ModelOutput
    ) throws(InferenceError) {
        let modelPointer = model.pointer
        let port = try OpenVINOObject("find the output \"\(output.name)\"", free: ov_output_const_port_free) { port in
            ov_model_const_output_by_name(modelPointer, output.name, &port)
        }
        let found = Int(try shape(of: port).reduce(1, *))
        guard found == output.dimensions else {
            throw .outputSize(expected: output.dimensions, found: found)
        }
    }

    private static func shape(of port: borrowing OpenVINOObject) throws(InferenceError) -> [Int64] {
        var shape = ov_shape_t()
        try OpenVINOCall.check(ov_const_port_get_shape(port.pointer, &shape), "read a shape")
        defer { ov_shape_free(&shape) }
        return Array(UnsafeBufferPointer(start: shape.dims, count: Int(shape.rank)))
    }

    /// The intermediate objects borrow from the preprocessor, so they end before it, at the end of their scopes.
    private static func withConversions(
        _ model: borrowing OpenVINOObject, _ card: ModelCard
    ) throws(InferenceError) -> OpenVINOObject {
        let modelPointer = model.pointer
        let preprocessor = try OpenVINOObject(
            "prepare the network's input and output", free: ov_preprocess_prepostprocessor_free
        ) { made in
            ov_preprocess_prepostprocessor_create(modelPointer, &made)
        }
        let preprocessorPointer = preprocessor.pointer
        try describeInput(preprocessor, card.recipe)
        try describeOutput(preprocessor, card.output)
        return try OpenVINOObject("put the normalisation into the network", free: ov_model_free) { built in
            ov_preprocess_prepostprocessor_build(preprocessorPointer, &built)
        }
    }

    private static func describeInput(
        _ preprocessor: borrowing OpenVINOObject, _ recipe: ModelRecipe
    ) throws(InferenceError) {
        let preprocessorPointer = preprocessor.pointer
        let input = try OpenVINOObject("reach the network's input", free: ov_preprocess_input_info_free) { made in
            ov_preprocess_prepostprocessor_get_input_info(preprocessorPointer, &made)
        }
        let inputPointer = input.pointer

        let given = try OpenVINOObject("describe the pixels", free: ov_preprocess_input_tensor_info_free) { made in
            ov_preprocess_input_info_get_tensor_info(inputPointer, &made)
        }
        try OpenVINOCall.check(
            ov_preprocess_input_tensor_info_set_element_type(given.pointer, U8), "take pixels as bytes")
        let pixelLayout = try layout("NHWC")
        try OpenVINOCall.check(
            ov_preprocess_input_tensor_info_set_layout(given.pointer, pixelLayout.pointer), "take pixels row by row")

        let expected = try OpenVINOObject("describe the input", free: ov_preprocess_input_model_info_free) { made in
            ov_preprocess_input_info_get_model_info(inputPointer, &made)
        }
        let networkLayout = try layout("NCHW")
        try OpenVINOCall.check(
            ov_preprocess_input_model_info_set_layout(expected.pointer, networkLayout.pointer), "set the input's layout"
        )

        let steps = try OpenVINOObject("list the steps", free: ov_preprocess_preprocess_steps_free) { made in
            ov_preprocess_input_info_get_preprocess_steps(inputPointer, &made)
        }
        try OpenVINOCall.check(
            ov_preprocess_preprocess_steps_convert_element_type(steps.pointer, F32), "convert to float32")
        try OpenVINOCall.check(
            ov_preprocess_preprocess_steps_mean_multi_channels(
                steps.pointer, recipe.mean, Int32(recipe.mean.count)), "subtract the mean")
        try OpenVINOCall.check(
            ov_preprocess_preprocess_steps_scale_multi_channels(
                steps.pointer, recipe.std, Int32(recipe.std.count)), "divide by the deviation")
    }

    /// A vector is read as float32, whatever the network computes in: some are exported in halves.
    private static func describeOutput(
        _ preprocessor: borrowing OpenVINOObject, _ output: ModelOutput
    ) throws(InferenceError) {
        let preprocessorPointer = preprocessor.pointer
        let found = try OpenVINOObject("reach the network's output", free: ov_preprocess_output_info_free) { made in
            ov_preprocess_prepostprocessor_get_output_info_by_name(preprocessorPointer, output.name, &made)
        }
        let foundPointer = found.pointer
        let wanted = try OpenVINOObject("describe the vector", free: ov_preprocess_output_tensor_info_free) { made in
            ov_preprocess_output_info_get_tensor_info(foundPointer, &made)
        }
        try OpenVINOCall.check(
            ov_preprocess_output_set_element_type(wanted.pointer, F32), "give the vector as float32")
    }

    private static func layout(_ order: String) throws(InferenceError) -> OpenVINOObject {
        try OpenVINOObject("make the layout \(order)", free: ov_layout_free) { made in
            ov_layout_create(order, &made)
        }
    }
}
