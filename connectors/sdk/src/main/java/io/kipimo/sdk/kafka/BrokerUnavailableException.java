package io.kipimo.sdk.kafka;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;

/** Kafka did not answer or refused a request. The message is one line for people. */
public final class BrokerUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private BrokerUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Creates an exception whose message says why {@code purpose}, such as "list topics", failed. */
    public static BrokerUnavailableException during(
            String purpose, KafkaSettings settings, Duration waited, Throwable failure) {
        Throwable cause = failure instanceof ExecutionException ? failure.getCause() : failure;
        String how;
        if (cause instanceof AuthenticationException) {
            how = "refused the credentials: " + oneLine(cause);
        } else if (cause instanceof AuthorizationException) {
            how = "does not permit it: " + oneLine(cause);
        } else if (cause instanceof org.apache.kafka.common.errors.TimeoutException) {
            how = "gave no answer within " + waited.toMillis() + " ms";
        } else {
            how = "failed: " + oneLine(cause);
        }
        return new BrokerUnavailableException(
                "cannot " + purpose + ": Kafka at " + settings.bootstrapServers() + " " + how, cause);
    }

    private static String oneLine(Throwable cause) {
        return String.valueOf(cause.getMessage()).replaceAll("\\s+", " ");
    }
}
