package io.kipimo.sdk.internal.kafka;

/** All attempts to change a policy met a concurrent change. The message is one line for people. */
public final class PolicyConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PolicyConflictException(String service, int attempts) {
        super("policy of '%s' was changed by others %s times while it was being changed here; check it and try again"
                .formatted(service, attempts));
    }
}
