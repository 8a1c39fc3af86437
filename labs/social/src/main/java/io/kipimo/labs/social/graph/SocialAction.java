package io.kipimo.labs.social.graph;

import java.util.Locale;

/** The eleven actions of BG. */
public enum SocialAction {
    /** Reads a member's profile with its numbers of friends, requests and resources. */
    VIEW_PROFILE,
    /** Reads a member's friends with their names. */
    LIST_FRIENDS,
    /** Reads the open friend requests to a member. */
    VIEW_REQUESTS,
    /** Reads the resources on top of a member's wall, with their numbers of comments. */
    VIEW_TOP_RESOURCES,
    /** Reads all comments on a resource. */
    VIEW_COMMENTS,
    /** A member sends a friend request to another member. */
    INVITE,
    /** A member accepts a friend request. */
    ACCEPT,
    /** A member declines a friend request. */
    REJECT,
    /** A member ends a friendship. */
    THAW,
    /** A member adds a comment to a resource. */
    POST_COMMENT,
    /** A member deletes a comment. */
    DELETE_COMMENT;

    /** The action's name in a mix: lower case, with dashes. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public boolean isWrite() {
        return compareTo(INVITE) >= 0;
    }
}
