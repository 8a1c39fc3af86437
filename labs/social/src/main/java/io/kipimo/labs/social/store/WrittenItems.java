package io.kipimo.labs.social.store;

/** Items written since the store's initial state, each once. */
public interface WrittenItems {
    /** Two members. */
    interface PairAction {
        void on(int one, int other);
    }

    /** A comment. */
    interface CommentAction {
        void on(long resource, long comment);
    }

    void forEachPair(PairAction action);

    void forEachComment(CommentAction action);
}
