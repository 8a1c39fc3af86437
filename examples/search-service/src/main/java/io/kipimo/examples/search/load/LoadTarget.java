package io.kipimo.examples.search.load;

/** The ports of 127.0.0.1 at which each class is answered. */
public record LoadTarget(int highPort, int lowPort) {
    int port(QueryClass queryClass) {
        return queryClass == QueryClass.HIGH ? highPort : lowPort;
    }
}
