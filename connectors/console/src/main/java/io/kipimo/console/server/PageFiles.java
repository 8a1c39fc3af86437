package io.kipimo.console.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The files of the page in this module's resources, by name. Names cannot leave the directory. */
final class PageFiles {
    private static final Pattern NAME = Pattern.compile("([a-z]+/)?[a-z0-9][a-z0-9-]*(\\.[a-z0-9-]+)+");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "txt", "text/plain; charset=utf-8");

    /**
     * A file of the page.
     *
     * @param etag weak ETag of the content, which plain and compressed forms share
     */
    record PageFile(String type, String etag, Rendered content) {}

    private final Map<String, Optional<PageFile>> kept = new ConcurrentHashMap<>();

    /** The file; empty if there is none of that name. */
    Optional<PageFile> find(String name) {
        if (!NAME.matcher(name).matches() || !TYPES.containsKey(extension(name))) {
            return Optional.empty();
        }
        Optional<PageFile> known = kept.get(name);
        if (known == null) {
            known = load(name);
            // Only existing names are cached; clients may ask for many others.
            if (known.isPresent()) {
                kept.put(name, known);
            }
        }
        return known;
    }

    private static Optional<PageFile> load(String name) {
        try (InputStream in = PageFiles.class.getResourceAsStream("/io/kipimo/console/page/" + name)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] bytes = in.readAllBytes();
            return Optional.of(new PageFile(TYPES.get(extension(name)), etag(bytes), new Rendered(bytes)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }

    private static String extension(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String etag(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "W/\"" + HexFormat.of().formatHex(digest, 0, 8) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
