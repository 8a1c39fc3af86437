package io.kipimo.schemas.document;

/**
 * A pattern for whole texts, in which {@code *} stands for any number of any characters.
 *
 * @param glob the pattern, such as {@code GET /search*}
 */
public record TextPattern(String glob) {
    /** Whether the whole text matches. The number of steps is at most the product of both lengths. */
    public boolean matches(String text) {
        int at = 0;
        int in = 0;
        int star = -1;
        int resume = 0;
        while (in < text.length()) {
            if (at < glob.length() && glob.charAt(at) == '*') {
                star = at++;
                resume = in;
            } else if (at < glob.length() && glob.charAt(at) == text.charAt(in)) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++resume;
            } else {
                return false;
            }
        }
        while (at < glob.length() && glob.charAt(at) == '*') {
            at++;
        }
        return at == glob.length();
    }
}
