package io.kipimo.gateway.proxy;

import io.vertx.core.buffer.Buffer;

/**
 * Holds back the piece that completes a body of declared length. With that piece the caller goes
 * on, so the response has to be recorded first.
 */
final class LastPiece {
    private static final long UNKNOWN = -1;

    private long unsentBytes;
    private Buffer held;

    /**
     * @param contentLength of the response; null: not declared, so nothing is held back
     */
    LastPiece(String contentLength) {
        unsentBytes = contentLength == null ? UNKNOWN : Long.parseLong(contentLength);
    }

    /**
     * Takes the next piece of the body.
     *
     * @return whether it completes the body and is held back
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

    /** The piece that was held back; null: none. */
    Buffer held() {
        return held;
    }
}
