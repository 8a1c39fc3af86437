package io.kipimo.labs.social;

import io.kipimo.labs.social.SocialModel.Comment;
import io.kipimo.labs.social.SocialModel.MemberPair;
import io.kipimo.labs.social.graph.MemberChoice;
import io.kipimo.labs.social.graph.SocialAction;
import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.store.SocialStore;
import io.kipimo.labs.social.validation.Change;
import io.kipimo.labs.social.validation.Seen;
import io.kipimo.labs.social.validation.Write;
import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Seeds;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The social workload of one generator for one experiment. The client blocks, so each request occupies its thread until
 * it is answered; at most {@link SocialSettings#connections} run at once.
 */
final class SocialWorkload implements Workload {
    /** Number of members tried for an action before another action replaces it. */
    private static final int TRIES = 32;

    /** Longest wait for requests in progress; it is longer than the time-out of a store's client. */
    private static final long PATIENCE_SECONDS = 30;

    private final SocialSettings settings;
    private final SocialGraph graph;
    private final SocialStore store;
    private final SocialState state;
    private final MemberChoice members;
    private final Semaphore connections;
    private final SocialCounts before;
    private volatile boolean closed;

    SocialWorkload(SocialSettings settings, SocialStore store, SocialState state, MemberChoice members) {
        this.settings = settings;
        this.graph = settings.graph();
        this.store = store;
        this.state = state;
        this.members = members;
        this.connections = new Semaphore(settings.connections());
        this.before = state.counts();
    }

    @Override
    public boolean blocking() {
        return true;
    }

    @Override
    public Session session(long user, long seed) {
        return new SocialUser(Seeds.random(seed, user));
    }

    /** Counts since the workload was opened. */
    SocialCounts counts() {
        return state.counts().since(before);
    }

    @Override
    public ExperimentCounts findings() {
        var reads = counts().reads();
        return ExperimentCounts.of(0, 0, 0, reads.judged(), reads.unpredictable(), 0, 0);
    }

    /** Waits for requests in progress, because the next experiment starts from their result. */
    @Override
    public void close() {
        closed = true;
        try {
            if (connections.tryAcquire(settings.connections(), PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                // Lets late requests get a connection instead of waiting for ever.
                connections.release(settings.connections());
            } else {
                state.countFailed();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            state.countFailed();
        }
    }

    /** One user, who plays one member after another. */
    private final class SocialUser implements Session {
        private final SplittableRandom random;
        private int member;
        private int actionsLeft;
        private long lagMicros;

        SocialUser(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public CompletionStage<RequestOutcome> request() {
            long begun = System.nanoTime();
            connections.acquireUninterruptibly();
            try {
                lagMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
                if (closed) {
                    return CompletableFuture.completedFuture(RequestOutcome.FAILED);
                }
                if (actionsLeft == 0) {
                    member = members.draw(random);
                    actionsLeft = settings.actionsPerSession();
                }
                actionsLeft--;
                return CompletableFuture.completedFuture(act(settings.mix().at(random.nextDouble())));
            } finally {
                connections.release();
            }
        }

        @Override
        public long lagMicros() {
            return lagMicros;
        }

        @Override
        public long thinkMicros() {
            return actionsLeft > 0 ? settings.thinkMicros() : settings.arrivalMicros();
        }

        private RequestOutcome act(SocialAction wanted) {
            SocialTask task = task(wanted).or(() -> substituteFor(wanted)).orElseGet(this::viewProfile);
            state.count(wanted, task.action);
            return task.run.get();
        }

        /** An action with its objects. */
        private record SocialTask(SocialAction action, Supplier<RequestOutcome> run) {}

        /** The action that creates an object for the wanted one, which lacks an object. */
        private Optional<SocialTask> substituteFor(SocialAction wanted) {
            return switch (wanted) {
                case ACCEPT, REJECT, THAW -> task(SocialAction.INVITE);
                case DELETE_COMMENT -> task(SocialAction.POST_COMMENT);
                default -> Optional.empty();
            };
        }

        private Optional<SocialTask> task(SocialAction action) {
            return switch (action) {
                case VIEW_PROFILE -> Optional.of(viewProfile());
                case LIST_FRIENDS -> Optional.of(new SocialTask(action, listFriends(viewed())));
                case VIEW_REQUESTS -> Optional.of(new SocialTask(action, viewRequests(viewed())));
                case VIEW_TOP_RESOURCES -> Optional.of(new SocialTask(action, viewTop(viewed())));
                case VIEW_COMMENTS -> Optional.of(new SocialTask(action, viewComments(resource())));
                case POST_COMMENT -> Optional.of(new SocialTask(action, post(resource())));
                case INVITE -> pair(action, m -> state.model.reserveStranger(m, random));
                case ACCEPT, REJECT -> pair(action, m -> state.model.reserveRequest(m, random));
                case THAW -> pair(action, m -> state.model.reserveFriend(m, random));
                case DELETE_COMMENT -> delete();
            };
        }

        private SocialTask viewProfile() {
            return new SocialTask(SocialAction.VIEW_PROFILE, viewProfileOf(viewed()));
        }

        private int viewed() {
            return members.draw(random);
        }

        private long resource() {
            return graph.firstResource(viewed()) + random.nextInt(graph.resources());
        }

        private Optional<SocialTask> pair(SocialAction action, Function<Integer, Optional<MemberPair>> choice) {
            Optional<MemberPair> pair = choice.apply(member);
            for (int i = 0; pair.isEmpty() && i < TRIES; i++) {
                pair = choice.apply(members.draw(random));
            }
            return pair.map(p -> new SocialTask(action, friendship(action, p)));
        }

        private Optional<SocialTask> delete() {
            for (int i = 0; i < TRIES; i++) {
                Optional<Comment> comment = state.model.takeComment(resource(), random);
                if (comment.isPresent()) {
                    Comment c = comment.get();
                    return Optional.of(new SocialTask(
                            SocialAction.DELETE_COMMENT,
                            () -> write(
                                    List.of(change(c, false)), () -> store.delete(c.resource(), c.id()), () -> {})));
                }
            }
            return Optional.empty();
        }

        private Supplier<RequestOutcome> post(long resource) {
            return () -> {
                Comment comment = state.model.newComment(resource);
                return write(
                        List.of(change(comment, true)),
                        () -> store.post(resource, comment.id(), member),
                        () -> state.model.posted(comment));
            };
        }
    }

    private static Change change(Comment comment, boolean add) {
        return new Change(SocialState.comments(comment.resource()), comment.id(), add);
    }

    private Supplier<RequestOutcome> friendship(SocialAction action, MemberPair pair) {
        int actor = pair.actor();
        int other = pair.other();
        Change asked = new Change(SocialState.requests(actor), other, false);
        return switch (action) {
            case INVITE ->
                () -> write(
                        List.of(new Change(SocialState.requests(other), actor, true)),
                        () -> store.invite(actor, other),
                        () -> state.model.invited(pair));
            case ACCEPT ->
                () -> write(
                        List.of(
                                asked,
                                new Change(SocialState.friends(actor), other, true),
                                new Change(SocialState.friends(other), actor, true)),
                        () -> store.accept(actor, other),
                        () -> state.model.accepted(pair));
            case REJECT ->
                () -> write(List.of(asked), () -> store.reject(actor, other), () -> state.model.rejected(pair));
            case THAW ->
                () -> write(
                        List.of(
                                new Change(SocialState.friends(actor), other, false),
                                new Change(SocialState.friends(other), actor, false)),
                        () -> store.thaw(actor, other),
                        () -> state.model.thawed(pair));
            default -> throw new IllegalArgumentException(action.key());
        };
    }

    /** Sends a write. A failed write keeps its reservation, because its outcome is unknown. */
    private RequestOutcome write(List<Change> changes, BooleanSupplier send, Runnable known) {
        Optional<Write> write =
                settings.validate() ? Optional.of(state.validation.beginWrite(changes)) : Optional.empty();
        boolean done;
        try {
            done = send.getAsBoolean();
        } catch (RuntimeException e) {
            state.countFailed();
            return RequestOutcome.FAILED;
        }
        if (!done) {
            state.countRefused();
            return RequestOutcome.FAILED;
        }
        // In this order: the next write of the same item begins after this one has ended.
        write.ifPresent(state.validation::endWrite);
        known.run();
        return RequestOutcome.ANSWERED;
    }

    private Supplier<RequestOutcome> viewProfileOf(int member) {
        return () -> read(() -> store.profile(member), (profile, seen) -> {
            boolean right =
                    profile.name().equals(SocialStore.nameOf(member)) && profile.resources() == graph.resources();
            seen.accept(Seen.size(SocialState.friends(member), right ? profile.friends() : Seen.NEVER));
            seen.accept(Seen.size(SocialState.requests(member), profile.requests()));
        });
    }

    private Supplier<RequestOutcome> listFriends(int member) {
        return () -> read(() -> store.friends(member), (friends, seen) -> {
            boolean right =
                    friends.stream().allMatch(friend -> friend.name().equals(SocialStore.nameOf(friend.member())));
            long[] ids = friends.stream().mapToLong(f -> f.member()).sorted().toArray();
            seen.accept(
                    right
                            ? Seen.elements(SocialState.friends(member), ids)
                            : Seen.size(SocialState.friends(member), Seen.NEVER));
        });
    }

    private Supplier<RequestOutcome> viewRequests(int member) {
        return () -> read(
                () -> store.requests(member),
                (requests, seen) -> seen.accept(Seen.elements(
                        SocialState.requests(member),
                        Arrays.stream(requests).asLongStream().sorted().toArray())));
    }

    private Supplier<RequestOutcome> viewTop(int member) {
        int count = Math.min(settings.topResources(), graph.resources());
        long newest = graph.firstResource(member) + graph.resources() - 1;
        return () -> read(() -> store.topResources(member, count), (resources, seen) -> {
            for (int i = 0; i < count; i++) {
                boolean right = resources.size() == count
                        && resources.get(i).id() == newest - i
                        && resources.get(i).owner() == member;
                seen.accept(Seen.size(
                        SocialState.comments(newest - i),
                        right ? resources.get(i).comments() : Seen.NEVER));
            }
        });
    }

    private Supplier<RequestOutcome> viewComments(long resource) {
        return () -> read(() -> store.comments(resource), (comments, seen) -> {
            long[] ids = comments.clone();
            Arrays.sort(ids);
            seen.accept(Seen.elements(SocialState.comments(resource), ids));
        });
    }

    /** Converts an answer to the sets that the read returned. */
    private interface SeenOf<A> {
        void at(A answer, Consumer<Seen> seen);
    }

    private <A> RequestOutcome read(Supplier<A> send, SeenOf<A> seenOf) {
        long begun = state.validation.beginRead();
        A answer;
        try {
            answer = send.get();
        } catch (RuntimeException e) {
            state.countFailed();
            return RequestOutcome.FAILED;
        }
        if (settings.validate()) {
            List<Seen> seen = new ArrayList<>();
            seenOf.at(answer, seen::add);
            state.validation.endRead(begun, seen);
        }
        return RequestOutcome.ANSWERED;
    }
}
