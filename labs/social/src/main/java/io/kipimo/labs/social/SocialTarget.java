package io.kipimo.labs.social;

import io.kipimo.labs.social.graph.MemberChoice;
import io.kipimo.labs.social.state.StateMode;
import io.kipimo.labs.social.state.StateStrategy;
import io.kipimo.labs.social.state.WriteLog;
import io.kipimo.labs.social.store.SocialStore;
import io.kipimo.loadgen.workload.Restoration;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A store under the social workload. The leader loads it before the first experiment, and restores it before later ones
 * according to the mode. A mix without writes needs no restoring.
 *
 * <p>Generators in separate processes need at least as many communities as generators. Repair works in one process
 * only, because the log of writes is local. Not thread-safe.
 */
public final class SocialTarget implements Target {
    /** A hybrid mode restores the store before every fourth experiment, as in the paper (sec. 6). */
    private static final int HYBRID_EVERY = 4;

    private final SocialSettings settings;
    private final SocialStore store;
    private final StateMode mode;
    private final StateStrategy strategy;
    private final Map<Integer, SocialState> states = new HashMap<>();
    private WriteLog log = new WriteLog();
    private boolean loaded;
    private boolean violated;
    private int kept;

    /**
     * Makes a target.
     *
     * @param strategy of the mode; closed together with the store
     * @throws IllegalArgumentException if the mode keeps the store and the mix is not symmetric
     */
    public SocialTarget(SocialSettings settings, SocialStore store, StateMode mode, StateStrategy strategy) {
        if (mode.keeps() && !settings.mix().isSymmetric()) {
            throw new IllegalArgumentException("mix is '"
                    + settings.mix()
                    + "'; allowed with "
                    + mode.key()
                    + ": one whose writes negate one another, so that invite = accept +"
                    + " reject, accept = thaw, post-comment = delete-comment");
        }
        this.settings = settings;
        this.store = store;
        this.mode = mode;
        this.strategy = strategy;
    }

    @Override
    public Restoration prepare() {
        if (!loaded) {
            store.load(settings.graph());
            strategy.loaded();
            loaded = true;
            begin();
            return Restoration.CREATED;
        }
        for (SocialState state : states.values()) {
            violated |= state.counts().isViolation();
        }
        if (!violated && (log.size() == 0 || mayBeKept())) {
            return Restoration.NONE;
        }
        strategy.restore(log);
        begin();
        return Restoration.RESTORED;
    }

    private boolean mayBeKept() {
        return mode.keeps() && !(mode.isHybrid() && ++kept >= HYBRID_EVERY);
    }

    /** Starts over from the store's initial state. */
    private void begin() {
        states.values().forEach(SocialState::close);
        states.clear();
        log = new WriteLog();
        violated = false;
        kept = 0;
        store.mark(UUID.randomUUID().toString());
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the contents of the store are unknown to this generator
     */
    @Override
    public Workload open(Share share) {
        if (!loaded) {
            // The leader may have restarted the store.
            store.reconnect();
        }
        String epoch = store.mark();
        SocialState state = states.get(share.index());
        if (state == null || !state.epoch.equals(epoch)) {
            if (!loaded && mode.restore() == StateMode.Restore.REPAIR) {
                throw new IllegalStateException("state is '"
                        + mode.key()
                        + "' in a process that does not lead; allowed: "
                        + StateMode.RELOAD.key()
                        + ", "
                        + StateMode.IMAGE.key()
                        + ", "
                        + StateMode.LOAD_FREE_IMAGE.key());
            }
            if (!store.claim(epoch, share.index())) {
                throw new IllegalStateException("generator "
                        + share.index()
                        + " does not know what its predecessor wrote; rate anew, or with"
                        + " a state that is restored before each experiment");
            }
            state = new SocialState(settings.graph(), log, epoch, share.index(), share.of());
            SocialState before = states.put(share.index(), state);
            if (before != null) {
                before.close();
            }
        } else if (state.of != share.of()) {
            throw new IllegalStateException("generators are "
                    + share.of()
                    + " and were "
                    + state.of
                    + "; allowed: the same while the store is kept");
        }
        return new SocialWorkload(
                settings,
                store,
                state,
                new MemberChoice(settings.graph(), settings.theta(), share.index(), share.of()));
    }

    @Override
    public void after(ExperimentCounts tally) {
        violated |= tally.unpredictable() > 0 || tally.errors() > 0;
    }

    /**
     * Counts of a generator since the store's first state.
     *
     * @param index of the generator
     */
    public SocialCounts counts(int index) {
        SocialState state = states.get(index);
        return state == null ? SocialCounts.NONE : state.counts();
    }

    /** The model of generator {@code index}. */
    SocialModel model(int index) {
        return states.get(index).model;
    }

    @Override
    public void close() {
        states.values().forEach(SocialState::close);
        strategy.close();
        store.close();
    }
}
