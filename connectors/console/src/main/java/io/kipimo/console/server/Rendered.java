package io.kipimo.console.server;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * A document and its compressed form, rendered once for all clients.
 *
 * <p>A deflated segment ends at a whole byte and refers to no earlier data, so segments can be concatenated in the gzip
 * stream of any client (RFC 1952). Thus a push is compressed once for all clients.
 */
final class Rendered {
    /** Header of a gzip stream. */
    static final Buffer GZIP_HEADER = Buffer.buffer(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff});

    /** The empty final block of a deflate stream. */
    private static final byte[] LAST_BLOCK = {3, 0};

    private final byte[] plain;
    private byte[] segment;
    private Rendered event;

    Rendered(byte[] plain) {
        this.plain = plain;
    }

    static Rendered of(String text) {
        return new Rendered(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The document, without line breaks, as a server-sent event (HTML standard, sec. 9.2). Cached, so that it is
     * compressed once.
     */
    synchronized Rendered asEvent(String name) {
        if (event == null) {
            Buffer bytes = Buffer.buffer("event: " + name + "\ndata: ")
                    .appendBytes(plain)
                    .appendString("\n\n");
            event = new Rendered(bytes.getBytes());
        }
        return event;
    }

    Buffer plain() {
        return Buffer.buffer(plain);
    }

    /** The deflated document, to be part of a gzip stream. */
    synchronized Buffer segment() {
        if (segment == null) {
            segment = deflated(plain);
        }
        return Buffer.buffer(segment);
    }

    /** The document as a whole gzip stream. */
    Buffer gzip() {
        CRC32 check = new CRC32();
        check.update(plain);
        return Buffer.buffer()
                .appendBuffer(GZIP_HEADER)
                .appendBuffer(segment())
                .appendBytes(LAST_BLOCK)
                .appendIntLE((int) check.getValue())
                .appendIntLE(plain.length);
    }

    private static byte[] deflated(byte[] plain) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        try {
            deflater.setInput(plain);
            Buffer out = Buffer.buffer(plain.length / 4 + 64);
            byte[] chunk = new byte[16 * 1024];
            int written;
            do {
                written = deflater.deflate(chunk, 0, chunk.length, Deflater.SYNC_FLUSH);
                out.appendBytes(chunk, 0, written);
            } while (written == chunk.length);
            return out.getBytes();
        } finally {
            deflater.end();
        }
    }
}
