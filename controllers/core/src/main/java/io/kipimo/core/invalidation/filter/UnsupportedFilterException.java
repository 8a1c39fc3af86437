package io.kipimo.core.invalidation.filter;

/** A filter that cannot be matched exactly, or that MongoDB itself would refuse. */
public final class UnsupportedFilterException extends IllegalArgumentException {
    private final String operator;
    private final String path;

    /**
     * @param operator as written, {@code $where}
     * @param path of the field, dotted; empty at the top
     */
    UnsupportedFilterException(String operator, String path, String reason) {
        super(operator + (path.isEmpty() ? "" : " at '" + path + "'") + ": " + reason);
        this.operator = operator;
        this.path = path;
    }

    public String operator() {
        return operator;
    }

    public String path() {
        return path;
    }
}
