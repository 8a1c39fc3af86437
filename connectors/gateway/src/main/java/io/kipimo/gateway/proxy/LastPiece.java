package io.kipimo.gateway.proxy;

import io.vertx.core.buffer.Buffer;

/**
 * Holds back the last piece of a body of declared length. A caller that has this piece proceeds, so the response must
 * be recorded before it is passed on.
 */
final class LastPiece {
    private static final long UNKNOWN = -1;

    private long unsentBytes;
    private Buffer held;

    /** @param contentLength length of the response's body; null: not declared, so nothing is held back */
    LastPiece(String contentLength) {
        unsentBytes = contentLength == null ? UNKNOWN : Long.parseLong(contentLength);
    }

    /**
     * Takes the next piece of the body.
     *
     * @return whether it completes the body and is now held back
     */
    boolean holdsBack(Buffer piece) {
        if (unsentBytes == UNKNOWN) {
            return false;
        }
        unsentBytes -= piece.length();
        if (unsentBytes > 0) {
            return false;
        }
        held = piece;
        return true;
    }

    /** The piece held back; null: none. */
    Buffer held() {
        return held;
    }
}
