package io.kipimo.gateway.trust;

import io.kipimo.schemas.document.InvalidDocumentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Secret that the gateways of a fleet share. Each signature has one purpose and is invalid for others. */
public final class FleetSecret {
    /** Least length of a secret; that many hexadecimal digits are 128 bits. */
    private static final int LEAST_LENGTH = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 32;

    private final SecretKeySpec key;

    private FleetSecret(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** A random secret of this process. */
    public static FleetSecret ofThisProcess() {
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        return new FleetSecret(key);
    }

    /**
     * Reads the secret.
     *
     * @param file empty: a random secret of this process
     * @throws InvalidDocumentException if the file cannot be read, or is too short
     */
    public static FleetSecret of(String file) {
        if (file.isEmpty()) {
            return ofThisProcess();
        }
        String secret;
        try {
            secret = Files.readString(Path.of(file)).strip();
        } catch (IOException | RuntimeException e) {
            throw refused(file, "allowed: a readable text file", e);
        }
        if (secret.length() < LEAST_LENGTH) {
            throw refused(
                    file,
                    "it has "
                            + secret.length()
                            + " characters; allowed: at least "
                            + LEAST_LENGTH
                            + ", as openssl rand -hex 32 prints",
                    null);
        }
        return new FleetSecret(secret.getBytes(StandardCharsets.UTF_8));
    }

    private static InvalidDocumentException refused(String file, String why, Exception cause) {
        InvalidDocumentException refusal =
                new InvalidDocumentException(List.of("trust.secret-file is '" + file + "'; " + why));
        refusal.initCause(cause);
        return refusal;
    }

    /**
     * HMAC-SHA256 (RFC 2104) of the parts, each with its length, so that different parts never give the same input.
     *
     * @return 32 bytes
     */
    public byte[] sign(String purpose, List<byte[]> parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            add(mac, purpose.getBytes(StandardCharsets.UTF_8));
            parts.forEach(part -> add(mac, part));
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    private static void add(Mac mac, byte[] part) {
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
        mac.update(part);
    }
}
