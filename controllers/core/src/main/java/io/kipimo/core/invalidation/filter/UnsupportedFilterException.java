package io.kipimo.core.invalidation.filter;

/** Thrown for a filter that cannot be matched exactly, or that MongoDB itself would refuse. */
public final class UnsupportedFilterException extends IllegalArgumentException {
    private final String operator;
    private final String path;

    /**
     * @param operator refused operator as written, such as {@code $where}
     * @param path dotted path of the field; empty at the top of the filter
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
