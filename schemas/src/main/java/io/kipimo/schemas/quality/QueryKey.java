package io.kipimo.schemas.quality;

/** What names one query: the identity that its events are joined by. */
public record QueryKey(String service, String queryId) {
    /** The same in every JVM, since it decides which subtask a query belongs to. */
    @Override
    public int hashCode() {
        return 31 * service.hashCode() + queryId.hashCode();
    }

    /** The query first: services are few. Written out, as it is asked for with every event. */
    @Override
    public boolean equals(Object other) {
        return other instanceof QueryKey that
                && queryId.equals(that.queryId)
                && service.equals(that.service);
    }

    @Override
    public String toString() {
        return service + '/' + queryId;
    }
}
