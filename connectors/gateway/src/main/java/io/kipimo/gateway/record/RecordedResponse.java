package io.kipimo.gateway.record;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A response as it arrived, for replay byte by byte.
 *
 * @param headers names and values in their order, without headers of the connection
 */
public record RecordedResponse(int status, List<Map.Entry<String, String>> headers, byte[] body) {
    private static final int VERSION = 1;
    private static final int MOST_HEADERS = 1_000;

    public RecordedResponse {
        headers = List.copyOf(headers);
    }

    public boolean isSuccess() {
        return isSuccess(status);
    }

    /**
     * Whether a response of this status has the requested content. 304 does not: it refers to a copy of the caller that
     * the gateway has not seen. 404 does not either, as servers also send it while a part of them is down.
     */
    static boolean isSuccess(int status) {
        return status >= 200 && status < 300;
    }

    /** Values of a header, whatever the case of its name. */
    List<String> values(String name) {
        return headers.stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    public byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length + 512);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeShort(status);
            out.writeShort(headers.size());
            for (Map.Entry<String, String> header : headers) {
                out.writeUTF(header.getKey());
                out.writeUTF(header.getValue());
            }
            out.writeInt(body.length);
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Decodes the output of {@link #encode}.
     *
     * @throws IllegalArgumentException if the bytes have another format
     */
    public static RecordedResponse decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readUnsignedByte();
            int status = in.readUnsignedShort();
            int count = in.readUnsignedShort();
            if (version != VERSION || count > MOST_HEADERS) {
                throw new IllegalArgumentException(
                        "a recorded response of version %s with %s headers; allowed: %s, up to %s"
                                .formatted(version, count, VERSION, MOST_HEADERS));
            }
            List<Map.Entry<String, String>> headers = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                String name = in.readUTF();
                headers.add(Map.entry(name, in.readUTF()));
            }
            int length = in.readInt();
            byte[] body = in.readNBytes(Math.max(0, length));
            if (body.length != length || in.read() >= 0) {
                throw new IllegalArgumentException("a recorded response has the wrong length");
            }
            return new RecordedResponse(status, headers, body);
        } catch (IOException e) {
            throw new IllegalArgumentException("a recorded response is truncated", e);
        }
    }
}
