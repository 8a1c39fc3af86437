package io.kipimo.simulator.service;

import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.core.replication.TierReading;
import io.kipimo.core.tails.TailSums;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Handler;
import io.kipimo.simulator.engine.RandomStream;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.faults.MessageFaults;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.ClassArrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The service in operation. An admitted query becomes a call to the first tier: one request to each partition, and as
 * many copies of each request as the tier's factor says, each to another server. A server works on a copy, which may
 * call the next tier in between. The first answer to a request counts. At the deadline the front end answers with the
 * results in time. Late work is cancelled, unless the query is sampled or the service finishes all of it.
 */
public final class SimulatedService implements Group.Driver {
    private static final int NO_TOPIC = -1;

    private final Engine engine;
    private final ServiceSpec spec;
    private final FrontEndModel front;
    private final long seed;
    private final List<SimulatedTier> tiers = new ArrayList<>();
    private final ItemMap items;
    private final RandomStream demandRandom = new RandomStream(0);
    private final RandomStream networkRandom;
    private final Handler arrival = new ArrivalHandler();
    private final RandomStream[] arrivalRandom;
    private final long[] arrived;
    private final long demandSeed;
    private long inFlight;

    /** @param seed of all random numbers of the service and its load */
    public SimulatedService(Engine engine, ServiceSpec spec, FrontEndModel front, long seed) {
        this.engine = engine;
        this.spec = spec;
        this.front = front;
        this.seed = seed;
        this.demandSeed = RandomStream.mix(seed, "demand");
        this.networkRandom = RandomStream.of(seed, "network");
        for (TierSpec tier : spec.tiers()) {
            tiers.add(new SimulatedTier(tier, tiers.size(), engine, this, this::worked));
        }
        TierSpec first = spec.tiers().get(0);
        int caches = first.cachePartitions();
        this.items = new ItemMap(spec.kinds(), caches, first.partitions() - caches, spec.topK(), spec.topics());
        int classes = spec.classes().size();
        this.arrivalRandom = new RandomStream[classes];
        this.arrived = new long[classes];
        for (int c = 0; c < classes; c++) {
            arrivalRandom[c] =
                    RandomStream.of(seed, "arrivals/" + spec.classes().get(c).name());
        }
    }

    /** Starts the arrivals, the interference by neighbours, and the faults. */
    public void start() {
        for (int c = 0; c < spec.classes().size(); c++) {
            scheduleArrival(c);
        }
        ServerWeather.start(engine, spec, tiers, seed);
    }

    public ItemMap items() {
        return items;
    }

    /** Counts of a tier so far. */
    public TierCounts counts(int tier) {
        return tiers.get(tier).counts;
    }

    /** Finished executions in all tiers. */
    public long executions() {
        return tiers.stream().mapToLong(t -> t.counts.executions).sum();
    }

    /** Number of queries without an answer so far. */
    public long inFlight() {
        return inFlight;
    }

    /** Time that the cores of a tier were busy so far, in core seconds. */
    public double busyCoreSeconds(int tier) {
        return tiers.get(tier).servers().stream()
                .mapToDouble(Server::busyCoreSeconds)
                .sum();
    }

    /** Makes each tier's arbiter and servers report from now on. */
    public void report() {
        tiers.forEach(t -> t.meter = new TierMeter(t.spec, engine));
    }

    /**
     * Returns the reports of the tiers since the last call.
     *
     * @param seconds time since the last call
     */
    public List<TierReading> takeReadings(double seconds) {
        return tiers.stream().map(t -> t.meter.take(seconds)).toList();
    }

    /** Returns readings of the queues of the first tier's servers since the last call. */
    public List<QueueReading> takeQueues() {
        return tiers.get(0).servers().stream().map(Server::takeQueue).toList();
    }

    /** Sums of a tier's servers so far, in the form of {@code core.tails}. */
    public TailSums tailSums(int tier) {
        return tiers.get(tier).tailSums(engine.nowNanos());
    }

    /** Sets the number of copies for further requests of a tier. */
    public void setFactors(List<Integer> factors) {
        for (int i = 0; i < factors.size(); i++) {
            tiers.get(i).factor = factors.get(i);
        }
    }

    /** Number of all cores of a tier. */
    public int cores(int tier) {
        return tiers.get(tier).cores();
    }

    private void scheduleArrival(int classIndex) {
        ClassArrivals load = spec.classes().get(classIndex);
        long next = load.arrivals().nextAfter(engine.nowNanos(), arrivalRandom[classIndex]);
        if (next != Arrivals.NEVER) {
            engine.schedule(next, arrival, classIndex);
        }
    }

    private final class ArrivalHandler implements Handler {
        @Override
        public void fire(long argument) {
            int classIndex = (int) argument;
            long number = arrived[classIndex]++;
            long querySeed = RandomStream.mix(RandomStream.mix(seed, classIndex), number);
            double seconds = Times.seconds(engine.nowNanos());
            int kind = spec.classes()
                    .get(classIndex)
                    .mix()
                    .kindAt(seconds, demandRandom.reset(querySeed).nextDouble());
            int topic = spec.topics()
                    .map(t -> t.topicAt(seconds, demandRandom.nextDouble()))
                    .orElse(NO_TOPIC);
            scheduleArrival(classIndex);
            Query query = new Query(classIndex, querySeed, kind, topic, engine.nowNanos());
            if (!front.admits(query)) {
                return;
            }
            front.choose(query);
            if (front.isSampled(query)) {
                query.keepLateWork();
            }
            inFlight++;
            open(query, tiers.get(0), null);
        }
    }

    private void open(Query query, SimulatedTier tier, Copy parent) {
        Call call = new Call(query, tier, parent, engine.nowNanos());
        tier.counts.calls++;
        double timeOut;
        if (parent == null) {
            query.root = call;
            timeOut = spec.deadlineSeconds();
        } else {
            parent.call = call;
            timeOut = tier.spec.timeOutSeconds();
        }
        if (timeOut < Double.POSITIVE_INFINITY) {
            call.timer = engine.schedule(engine.nowNanos() + Times.nanos(timeOut), n -> timeOut(call), 0);
        }
        for (int partition = 0; partition < call.requests.length; partition++) {
            call.requests[partition] = new Request(call, partition);
        }
        if (tier.cached != null) {
            int turn = parent == null ? 0 : parent.callsLeft;
            call.key = tier.cached.key(RandomStream.mix(query.seed(), turn));
        }
        for (Request request : call.requests) {
            if (parent == null && !query.isAsked(request.partition)) {
                request.failed = true;
                call.open--;
            } else if (tier.cached != null && isHit(request)) {
                request.answeredNanos = engine.nowNanos();
                call.open--;
            } else {
                tier.groups[request.partition].open(request);
            }
        }
        if (call.open == 0 && !call.over) {
            finish(call);
        }
    }

    private boolean isHit(Request request) {
        SimulatedTier tier = request.call.tier;
        tier.counts.lookups++;
        boolean hit = tier.cached.has(request.partition, request.call.key, engine.nowNanos());
        tier.counts.hits += hit ? 1 : 0;
        return hit;
    }

    @Override
    public double demand(Request request, int copy) {
        Query query = request.call.query;
        SimulatedTier tier = request.call.tier;
        Copy parent = request.call.parent;
        int turn = parent == null ? 0 : parent.callsLeft;
        long of = RandomStream.mix(query.seed() ^ demandSeed, tier.index * 4096L + copy);
        demandRandom.reset(RandomStream.mix(of, turn * 65_536L + request.partition));
        double work = tier.spec.demandOf(request.partition).sample(demandRandom)
                * spec.kinds().get(query.kind()).demandFactor();
        if (tier.index == 0 && spec.demandFollowsItems() > 0) {
            double relative =
                    items.share(query, request.partition) * (tier.spec.partitions() - tier.spec.cachePartitions());
            work *= 1 - spec.demandFollowsItems() + spec.demandFollowsItems() * relative;
        }
        return work;
    }

    @Override
    public void send(Copy copy) {
        transmit(copy.server.tier, copy, this::arrive);
    }

    /** Sends a message over the network, which may delay, lose or duplicate it. */
    private void transmit(SimulatedTier tier, Copy copy, Consumer<Copy> received) {
        double delay = tier.spec.networkDelay().sample(networkRandom);
        MessageFaults faults = spec.faults().network();
        if (faults.isNone()) {
            deliver(delay, copy, received);
            return;
        }
        int times = faults.copies(networkRandom);
        for (int i = 0; i < times; i++) {
            deliver(delay + faults.lateness(networkRandom), copy, received);
        }
    }

    private void deliver(double delaySeconds, Copy copy, Consumer<Copy> received) {
        if (delaySeconds <= 0) {
            received.accept(copy);
        } else {
            engine.schedule(engine.nowNanos() + Times.nanos(delaySeconds), n -> received.accept(copy), 0);
        }
    }

    private void arrive(Copy copy) {
        // A duplicate finds the copy already begun; a message to a dead server is lost.
        if (copy.over || copy.begun || !copy.server.isAlive()) {
            return;
        }
        if (copy.server.isFull()) {
            copy.server.tier.counts.refused++;
            copy.over = true;
            copy.group.ended(copy, AttemptEnd.FAILED);
            return;
        }
        copy.begun = true;
        if (copy.server.tier.meter != null) {
            copy.server.tier.meter.begun(copy);
        }
        copy.server.add(copy);
    }

    /** Handles the end of a period of work at a server: the copy calls the next tier, or its response is sent. */
    private void worked(Copy copy) {
        if (copy.callsLeft > 0) {
            copy.callsLeft--;
            open(copy.request.call.query, tiers.get(copy.server.tier.index + 1), copy);
            return;
        }
        copy.server.tier.counts.executions++;
        copy.over = true;
        if (copy.server.tier.meter != null) {
            copy.server.tier.meter.worked(copy);
        }
        transmit(copy.server.tier, copy, c -> c.group.ended(c, AttemptEnd.COMPLETED));
    }

    @Override
    public void answer(Request request, boolean failed) {
        request.failed = failed;
        if (request.abandoned) {
            return;
        }
        Call call = request.call;
        if (!failed) {
            request.answeredNanos = engine.nowNanos();
            if (call.tier.cached != null) {
                call.tier.cached.put(request.partition, call.key, engine.nowNanos());
            }
        }
        call.open--;
        if (!call.over) {
            if (call.open == 0) {
                finish(call);
            }
        } else if (call.parent == null && keepsLateWork(call.query)) {
            if (call.open == 0) {
                engine.cancel(call.timer);
            }
            if (!failed && call.query.keepsLateWork()) {
                front.lateResult(call.query, request.partition);
            }
        }
    }

    private void timeOut(Call call) {
        if (call.over) {
            // Time is up for late work.
            cancel(call);
            return;
        }
        call.tier.counts.timedOutCalls++;
        finish(call);
    }

    /** Ends a call: its caller goes on with the results so far. */
    private void finish(Call call) {
        call.over = true;
        call.tier.counts.latency(Times.seconds(engine.nowNanos() - call.startedNanos));
        boolean keeps = call.parent == null && call.open > 0 && keepsLateWork(call.query);
        if (call.timer >= 0) {
            engine.cancel(call.timer);
            call.timer = -1;
        }
        if (keeps) {
            long until = call.startedNanos + Times.nanos(spec.lateSeconds());
            call.timer = engine.schedule(Math.max(engine.nowNanos(), until), n -> timeOut(call), 0);
        } else if (call.open > 0) {
            cancel(call);
        }
        if (call.parent == null) {
            inFlight--;
            call.query.answeredAt(engine.nowNanos());
            front.answered(call.query);
        } else {
            Copy parent = call.parent;
            parent.call = null;
            if (parent.server.isAlive()) {
                parent.server.add(parent);
            }
        }
    }

    private boolean keepsLateWork(Query query) {
        return query.keepsLateWork() || !spec.cancelsLateWork();
    }

    private void cancel(Call call) {
        for (Request request : call.requests) {
            if (!request.isOver()) {
                call.tier.groups[request.partition].cancel(request);
            }
        }
    }

    @Override
    public void giveUpCall(Copy copy) {
        Call call = copy.call;
        if (call != null) {
            call.over = true;
            if (call.timer >= 0) {
                engine.cancel(call.timer);
            }
            cancel(call);
        }
    }
}
