package io.kipimo.labs.social.graph;

import java.util.Locale;

/** The eleven actions of BG. */
public enum SocialAction {
    /** A member's profile with the numbers of friends, requests and resources. */
    VIEW_PROFILE,
    /** A member's friends with their names. */
    LIST_FRIENDS,
    /** Open friend requests to a member. */
    VIEW_REQUESTS,
    /** The resources on top of a member's wall, with their numbers of comments. */
    VIEW_TOP_RESOURCES,
    /** All comments on a resource. */
    VIEW_COMMENTS,
    /** A member sends a friend request to another. */
    INVITE,
    /** The other member accepts. */
    ACCEPT,
    /** The other member declines. */
    REJECT,
    /** A friendship ends. */
    THAW,
    /** A comment on a resource. */
    POST_COMMENT,
    /** A comment is deleted. */
    DELETE_COMMENT;

    /** Its name in a mix: lower case, with dashes. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public boolean isWrite() {
        return compareTo(INVITE) >= 0;
    }
}
