package io.kipimo.redis;

/** Thrown if Redis did not answer or refused a command. The message is one line for people. */
public final class RedisUnavailableException extends RuntimeException {
    RedisUnavailableException(RedisSettings settings, Throwable cause) {
        super(
                "Redis at %s:%s%s failed: %s"
                        .formatted(
                                settings.host(), settings.port(), settings.tls() ? " (TLS)" : "", rootMessage(cause)),
                cause);
    }

    private static String rootMessage(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        return text.replaceAll("\\s+", " ");
    }
}
