package io.kipimo.labs.social;

import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.state.WriteLog;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * The workload's model of the store's contents. It makes every action valid: no member invites a friend, accepts
 * without a request, or deletes a missing comment (sec. 5.3). Members and resources without writes take no memory.
 *
 * <p>A writer reserves the pair or comment before its write, and releases it afterwards, so writes of one item do not
 * overlap. A member that is drawn often may still take part in many concurrent writes. A write with an unknown outcome
 * keeps its reservation for ever. Thread-safe.
 */
final class SocialModel {
    /** Number of draws after which an action is abandoned because no object for it was found. */
    private static final int TRIES = 32;

    private final SocialGraph graph;
    private final WriteLog log;
    private final long commentStep;
    private final AtomicLong nextComment;
    private final ConcurrentMap<Integer, Numbers> friends = new ConcurrentHashMap<>();
    private final ConcurrentMap<Integer, Numbers> requests = new ConcurrentHashMap<>();
    private final ConcurrentMap<Long, Numbers> comments = new ConcurrentHashMap<>();
    private final Set<Long> reserved = ConcurrentHashMap.newKeySet();

    /** Two members; the first one acts. */
    record MemberPair(int actor, int other) {
        private long key() {
            return WriteLog.pairKey(actor, other);
        }
    }

    /** A comment on a resource. */
    record Comment(long resource, long id) {}

    /**
     * Makes a model of the initial graph.
     *
     * @param index number of the generator; each generator has its own comment numbers
     * @param of number of generators
     */
    SocialModel(SocialGraph graph, WriteLog log, int index, int of) {
        this.graph = graph;
        this.log = log;
        this.commentStep = of;
        this.nextComment = new AtomicLong(graph.comments() + (long) index);
    }

    /**
     * Reserves the pair of a member and a stranger whom it may invite. The stranger is in the member's community, and
     * there is neither a friendship nor a request between them. Empty if no try found one.
     */
    Optional<MemberPair> reserveStranger(int inviter, RandomGenerator random) {
        int size = graph.communitySize(graph.community(inviter));
        for (int i = 0; i < TRIES; i++) {
            MemberPair pair = new MemberPair(inviter, graph.neighbour(inviter, 1 + random.nextInt(size - 1)));
            if (reserved.add(pair.key())) {
                if (!friends(inviter).contains(pair.other)
                        && !requests(inviter).contains(pair.other)
                        && !requests(pair.other).contains(inviter)) {
                    log.pair(inviter, pair.other);
                    return Optional.of(pair);
                }
                release(pair);
            }
        }
        return Optional.empty();
    }

    /** Reserves the pair of a member and another member who has sent it a friend request; empty if none was found. */
    Optional<MemberPair> reserveRequest(int invitee, RandomGenerator random) {
        return reserve(invitee, requests(invitee), random);
    }

    /** Reserves the pair of a member and one of its friends; empty if none was found. */
    Optional<MemberPair> reserveFriend(int member, RandomGenerator random) {
        return reserve(member, friends(member), random);
    }

    private Optional<MemberPair> reserve(int actor, Numbers others, RandomGenerator random) {
        OptionalLong other = others.any(random);
        if (other.isEmpty()) {
            return Optional.empty();
        }
        MemberPair pair = new MemberPair(actor, (int) other.getAsLong());
        if (!reserved.add(pair.key())) {
            return Optional.empty();
        }
        if (!others.contains(pair.other)) {
            release(pair);
            return Optional.empty();
        }
        log.pair(actor, pair.other);
        return Optional.of(pair);
    }

    void release(MemberPair pair) {
        reserved.remove(pair.key());
    }

    void invited(MemberPair pair) {
        requests(pair.other).add(pair.actor);
        release(pair);
    }

    void accepted(MemberPair pair) {
        requests(pair.actor).remove(pair.other);
        friends(pair.actor).add(pair.other);
        friends(pair.other).add(pair.actor);
        release(pair);
    }

    void rejected(MemberPair pair) {
        requests(pair.actor).remove(pair.other);
        release(pair);
    }

    void thawed(MemberPair pair) {
        friends(pair.actor).remove(pair.other);
        friends(pair.other).remove(pair.actor);
        release(pair);
    }

    /** A new comment, whose number no other writer uses. */
    Comment newComment(long resource) {
        Comment comment = new Comment(resource, nextComment.getAndAdd(commentStep));
        log.comment(resource, comment.id);
        return comment;
    }

    void posted(Comment comment) {
        comments(comment.resource).add(comment.id);
    }

    /** Takes an existing comment out of the model, so that only the caller may delete it; empty if there is none. */
    Optional<Comment> takeComment(long resource, RandomGenerator random) {
        OptionalLong taken = comments(resource).takeAny(random);
        taken.ifPresent(id -> log.comment(resource, id));
        return taken.isPresent() ? Optional.of(new Comment(resource, taken.getAsLong())) : Optional.empty();
    }

    /** Friends of the member, ascending. */
    long[] friendsOf(int member) {
        return friends(member).sorted();
    }

    /** Members with an open friend request to the member, ascending. */
    long[] requestsOf(int member) {
        return requests(member).sorted();
    }

    /** Numbers of the comments on the resource, ascending. */
    long[] commentsOn(long resource) {
        return comments(resource).sorted();
    }

    private Numbers friends(int member) {
        return friends.computeIfAbsent(member, m -> new Numbers(graph.friendsOf(m)));
    }

    private Numbers requests(int member) {
        return requests.computeIfAbsent(member, m -> new Numbers(graph.requestsOf(m)));
    }

    private Numbers comments(long resource) {
        return comments.computeIfAbsent(resource, r -> new Numbers(graph.commentsOn(r)));
    }

    /** A small set to draw from; thread-safe. */
    private static final class Numbers {
        private long[] elements;
        private int size;

        Numbers(long[] elements) {
            this.elements = elements;
            this.size = elements.length;
        }

        synchronized boolean contains(long element) {
            return indexOf(element) >= 0;
        }

        synchronized OptionalLong any(RandomGenerator random) {
            return size == 0 ? OptionalLong.empty() : OptionalLong.of(elements[random.nextInt(size)]);
        }

        synchronized OptionalLong takeAny(RandomGenerator random) {
            if (size == 0) {
                return OptionalLong.empty();
            }
            int at = random.nextInt(size);
            long element = elements[at];
            elements[at] = elements[--size];
            return OptionalLong.of(element);
        }

        synchronized void add(long element) {
            if (size == elements.length) {
                elements = Arrays.copyOf(elements, Math.max(4, 2 * size));
            }
            elements[size++] = element;
        }

        synchronized void remove(long element) {
            int at = indexOf(element);
            if (at >= 0) {
                elements[at] = elements[--size];
            }
        }

        synchronized long[] sorted() {
            long[] all = Arrays.copyOf(elements, size);
            Arrays.sort(all);
            return all;
        }

        private int indexOf(long element) {
            for (int i = 0; i < size; i++) {
                if (elements[i] == element) {
                    return i;
                }
            }
            return -1;
        }
    }
}
