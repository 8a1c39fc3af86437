package io.kipimo.labs.social.store;

/** What has been written since the store was in its first state; each item once. */
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
