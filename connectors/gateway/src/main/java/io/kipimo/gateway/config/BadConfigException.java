package io.kipimo.gateway.config;

import java.util.List;

/** The configuration cannot be used. The message has one line per problem, each with the key and what is allowed. */
public final class BadConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public BadConfigException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
