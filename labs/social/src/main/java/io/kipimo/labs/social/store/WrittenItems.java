package io.kipimo.labs.social.store;

/** Items written since the store's initial state, each once. */
public interface WrittenItems {
    /** Receives a pair of members whose relation was written. */
    interface PairAction {
        void on(int one, int other);
    }

    /** Receives a comment that was written. */
    interface CommentAction {
        void on(long resource, long comment);
    }

    void forEachPair(PairAction action);

    void forEachComment(CommentAction action);
}
