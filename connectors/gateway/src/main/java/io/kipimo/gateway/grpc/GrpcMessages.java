package io.kipimo.gateway.grpc;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.kipimo.gateway.http.ContentCodings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Converts messages of an engine's unary gRPC calls to JSON and back, by the engine's descriptors. Fields have the
 * names of the {@code .proto} file. Numbers of 64 bits become texts. A field that is not set but has a default is
 * included. A message with a field that the descriptors lack is refused, since the field may matter.
 */
public final class GrpcMessages {
    /** Header with the compression of messages. */
    public static final String ENCODING = "grpc-encoding";

    private static final int PREFIX_BYTES = 5;
    private static final Map<String, GrpcMessages> LOADED = new ConcurrentHashMap<>();

    private static final JsonFormat.Printer PRINTER = JsonFormat.printer()
            .alwaysPrintFieldsWithNoPresence()
            .preservingProtoFieldNames()
            .omittingInsignificantWhitespace();

    /** Methods by path, {@code /package.Service/Method}. */
    private final Map<String, MethodDescriptor> methods;

    private GrpcMessages(Map<String, MethodDescriptor> methods) {
        this.methods = Map.copyOf(methods);
    }

    /**
     * The messages of an engine.
     *
     * @param name of a shipped descriptor set, {@code qdrant}, or path of a file with another one
     * @throws IllegalArgumentException if the descriptor set cannot be used
     */
    public static GrpcMessages of(String name) {
        return LOADED.computeIfAbsent(name, GrpcMessages::load);
    }

    private static GrpcMessages load(String name) {
        try (InputStream shipped = GrpcMessages.class.getResourceAsStream("/descriptors/" + name + ".desc")) {
            byte[] set = shipped == null ? Files.readAllBytes(Path.of(name)) : shipped.readAllBytes();
            Map<String, FileDescriptorProto> files = new HashMap<>();
            FileDescriptorSet.parseFrom(set).getFileList().forEach(file -> files.put(file.getName(), file));
            Map<String, FileDescriptor> built = new HashMap<>();
            Map<String, MethodDescriptor> methods = new HashMap<>();
            for (String file : files.keySet()) {
                build(file, files, built).getServices().forEach(service -> service.getMethods()
                        .forEach(method -> methods.put('/' + service.getFullName() + '/' + method.getName(), method)));
            }
            return new GrpcMessages(methods);
        } catch (IOException | DescriptorValidationException e) {
            throw new IllegalArgumentException(
                    "the descriptor set '%s' cannot be used (%s); allowed: qdrant, milvus, weaviate, or a file of protoc"
                                    .formatted(name, e.getMessage())
                            + " --include_imports --descriptor_set_out",
                    e);
        }
    }

    private static FileDescriptor build(
            String name, Map<String, FileDescriptorProto> files, Map<String, FileDescriptor> built)
            throws DescriptorValidationException {
        FileDescriptor known = built.get(name);
        if (known != null) {
            return known;
        }
        FileDescriptorProto file = files.get(name);
        if (file == null) {
            throw new IllegalArgumentException("the descriptor set lacks " + name);
        }
        FileDescriptor[] imports = new FileDescriptor[file.getDependencyCount()];
        for (int i = 0; i < imports.length; i++) {
            imports[i] = build(file.getDependency(i), files, built);
        }
        FileDescriptor one = FileDescriptor.buildFrom(file, imports);
        built.put(name, one);
        return one;
    }

    /**
     * The request of a call as JSON.
     *
     * @param path path of the method
     * @param encodings values of {@link #ENCODING}
     * @param body one message with its prefix
     * @param mostBytes greatest size of the unpacked message
     * @throws IllegalArgumentException if it cannot be read
     */
    public byte[] request(String path, List<String> encodings, byte[] body, int mostBytes) {
        return json(method(path).getInputType(), encodings, body, mostBytes, true);
    }

    /**
     * An answer of a call as JSON. Messages in its lists, such as the items, may have fields that the descriptors lack.
     */
    public byte[] answer(String path, List<String> encodings, byte[] body, int mostBytes) {
        return json(method(path).getOutputType(), encodings, body, mostBytes, false);
    }

    private MethodDescriptor method(String path) {
        MethodDescriptor method = methods.get(path);
        if (method == null || method.isClientStreaming() || method.isServerStreaming()) {
            throw new IllegalArgumentException("'" + path + "' is no unary method of the engine's descriptors");
        }
        return method;
    }

    private static byte[] json(Descriptor type, List<String> encodings, byte[] body, int mostBytes, boolean knowsAll) {
        DynamicMessage message;
        try {
            message = DynamicMessage.parseFrom(type, message(encodings, body, mostBytes));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("the message is no " + type.getFullName() + ": " + e.getMessage(), e);
        }
        checkFields(message, knowsAll);
        try {
            return PRINTER.print(message).getBytes(StandardCharsets.UTF_8);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("the message has no form in JSON: " + e.getMessage(), e);
        }
    }

    private static byte[] message(List<String> encodings, byte[] body, int mostBytes) {
        if (body.length < PREFIX_BYTES
                || ByteBuffer.wrap(body, 1, 4).getInt() != body.length - PREFIX_BYTES
                || (body[0] & ~1) != 0) {
            throw new IllegalArgumentException("the call has not exactly one message");
        }
        byte[] message = Arrays.copyOfRange(body, PREFIX_BYTES, body.length);
        return body[0] == 0 ? message : ContentCodings.undo(encodings, message, mostBytes);
    }

    private static void checkFields(Message message, boolean knowsAll) {
        if (!message.getUnknownFields().asMap().isEmpty()) {
            throw new IllegalArgumentException("%s has field %s, which the descriptors do not have"
                    .formatted(
                            message.getDescriptorForType().getFullName(),
                            message.getUnknownFields()
                                    .asMap()
                                    .keySet()
                                    .iterator()
                                    .next()));
        }
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            if (field.getKey().getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    && (knowsAll || !field.getKey().isRepeated())) {
                Collection<?> values = field.getValue() instanceof Collection<?> all ? all : List.of(field.getValue());
                values.forEach(value -> checkFields((Message) value, knowsAll));
            }
        }
    }

    /**
     * The request of a call as a gRPC message with its prefix.
     *
     * @param json as {@link #request} gives it
     * @throws IllegalArgumentException if it is no message of the method
     */
    public byte[] framed(String path, byte[] json) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(method(path).getInputType());
        try {
            JsonFormat.parser().merge(new String(json, StandardCharsets.UTF_8), message);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("the request is no message: " + e.getMessage(), e);
        }
        byte[] bytes = message.build().toByteArray();
        return ByteBuffer.allocate(PREFIX_BYTES + bytes.length)
                .put((byte) 0)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }
}
