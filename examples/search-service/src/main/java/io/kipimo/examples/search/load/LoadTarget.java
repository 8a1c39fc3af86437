package io.kipimo.examples.search.load;

/** Ports of 127.0.0.1 that answer the classes. */
public record LoadTarget(int highPort, int lowPort) {
    int port(QueryClass queryClass) {
        return queryClass == QueryClass.HIGH ? highPort : lowPort;
    }
}
