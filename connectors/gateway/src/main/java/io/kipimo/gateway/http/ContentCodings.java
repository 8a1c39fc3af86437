package io.kipimo.gateway.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.brotli.dec.BrotliInputStream;

/**
 * Undoes the content codings of a body (RFC 9110, sec. 8.4): {@code gzip}, {@code deflate} and {@code br}. The size of
 * the output is bounded.
 */
public final class ContentCodings {
    public static final String HEADER = "content-encoding";

    public static final String SUPPORTED = "gzip, deflate, br";

    private ContentCodings() {}

    /** A coding, or a stack of codings, that is not supported. */
    public static final class UnknownCodingException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        UnknownCodingException(String coding) {
            super("the content coding is '" + coding + "'; supported: " + SUPPORTED);
        }
    }

    /** The unpacked body is larger than allowed. */
    public static final class TooLargeException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        TooLargeException(int mostBytes) {
            super("the decompressed body exceeds " + mostBytes + " bytes");
        }
    }

    /**
     * Undoes the content coding of a body.
     *
     * @param values of the header
     * @param mostBytes greatest size of the unpacked body
     * @throws IllegalArgumentException if the body cannot be unpacked
     */
    public static byte[] undo(List<String> values, byte[] body, int mostBytes) {
        List<String> codings = codings(values);
        if (codings.size() > 1) {
            throw new UnknownCodingException(String.join(", ", codings));
        }
        return codings.isEmpty() ? body : unpacked(codings.get(0), body, mostBytes);
    }

    private static List<String> codings(List<String> values) {
        List<String> codings = new ArrayList<>();
        for (String coding : String.join(",", values).split(",", -1)) {
            String name = coding.strip().toLowerCase(Locale.ROOT);
            if (!name.isEmpty() && !name.equals("identity")) {
                codings.add(name);
            }
        }
        return codings;
    }

    private static byte[] unpacked(String coding, byte[] packed, int mostBytes) {
        // Some servers omit the zlib header and checksum that the standard requires.
        Inflater inflater = new Inflater(!isZlib(packed));
        InputStream bytes = new ByteArrayInputStream(packed);
        try (InputStream in =
                switch (coding) {
                    case "gzip", "x-gzip" -> new GZIPInputStream(bytes);
                    case "deflate" -> new InflaterInputStream(bytes, inflater);
                    case "br" -> new BrotliInputStream(bytes);
                    default -> throw new UnknownCodingException(coding);
                }) {
            byte[] all = in.readNBytes(mostBytes);
            if (in.read() >= 0) {
                throw new TooLargeException(mostBytes);
            }
            return all;
        } catch (IOException e) {
            throw new IllegalArgumentException("the body is not of content coding " + coding, e);
        } finally {
            inflater.end();
        }
    }

    private static boolean isZlib(byte[] packed) {
        return packed.length >= 2
                && (packed[0] & 0x0f) == 8
                && (((packed[0] & 0xff) << 8) | (packed[1] & 0xff)) % 31 == 0;
    }
}
