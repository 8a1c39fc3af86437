package io.kipimo.labs.social.graph;

import static io.kipimo.labs.social.graph.SocialAction.ACCEPT;
import static io.kipimo.labs.social.graph.SocialAction.DELETE_COMMENT;
import static io.kipimo.labs.social.graph.SocialAction.INVITE;
import static io.kipimo.labs.social.graph.SocialAction.LIST_FRIENDS;
import static io.kipimo.labs.social.graph.SocialAction.POST_COMMENT;
import static io.kipimo.labs.social.graph.SocialAction.REJECT;
import static io.kipimo.labs.social.graph.SocialAction.THAW;
import static io.kipimo.labs.social.graph.SocialAction.VIEW_COMMENTS;
import static io.kipimo.labs.social.graph.SocialAction.VIEW_PROFILE;
import static io.kipimo.labs.social.graph.SocialAction.VIEW_REQUESTS;
import static io.kipimo.labs.social.graph.SocialAction.VIEW_TOP_RESOURCES;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The frequency of each action. */
public final class ActionMix {
    private static final double TOLERANCE = 1e-9;
    private static final SocialAction[] ACTIONS = SocialAction.values();
    private static final Map<String, ActionMix> NAMED = new LinkedHashMap<>();

    static {
        Reads few = new Reads(0.4, 0.05, 0.05, 0.4, 0.1);
        Reads many = new Reads(0.35, 0.05, 0.05, 0.35, 0.2);
        name("very-low", all(few, 0.001));
        name("low", all(few, 0.01));
        name("high", all(many, 0.1));
        // From BG's files workloads/VeryLowUpdateActions and so on, and their Symmetric variants.
        name("bg-very-low", friends(few, 0.0002, 0.0002, 0.0003, 0.0003));
        name("bg-low", friends(few, 0.002, 0.002, 0.003, 0.003));
        name("bg-high", friends(many, 0.02, 0.02, 0.03, 0.03));
        name("bg-symmetric-very-low", friends(few, 0.0004, 0.0002, 0.0002, 0.0002));
        name("bg-symmetric-low", friends(few, 0.004, 0.002, 0.002, 0.002));
        name("bg-symmetric-high", friends(many, 0.04, 0.02, 0.02, 0.02));
    }

    private final String name;
    private final double[] shares;
    private final double[] cumulative;

    private ActionMix(String name, double[] shares) {
        this.name = name;
        this.shares = shares;
        this.cumulative = shares.clone();
        Arrays.parallelPrefix(cumulative, Double::sum);
    }

    /** Shares of the reading actions. The share of writes is taken from the share of viewing comments. */
    private record Reads(double profile, double friends, double requests, double resources, double comments) {}

    /**
     * Makes a mix.
     *
     * @param shares of the actions, 0..1 each and 1 together; a missing action has 0
     */
    public static ActionMix of(Map<SocialAction, Double> shares) {
        double[] all = new double[ACTIONS.length];
        shares.forEach((action, share) -> all[action.ordinal()] = share);
        for (SocialAction action : ACTIONS) {
            double share = all[action.ordinal()];
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("share of " + action.key() + " is " + share + "; allowed: 0..1");
            }
        }
        double sum = Arrays.stream(all).sum();
        if (Math.abs(sum - 1) > TOLERANCE) {
            throw new IllegalArgumentException("shares add up to " + sum + "; allowed: 1");
        }
        String name = Arrays.stream(ACTIONS)
                .filter(action -> all[action.ordinal()] > 0)
                .map(action -> action.key() + "=" + all[action.ordinal()])
                .collect(Collectors.joining(","));
        return new ActionMix(name, all);
    }

    /**
     * Parses the name of a mix, or shares as in {@code view-profile=0.99,post-comment=0.01}.
     *
     * @throws IllegalArgumentException naming what is allowed
     */
    public static ActionMix parse(String text) {
        ActionMix named = NAMED.get(text);
        if (named != null) {
            return named;
        }
        Map<SocialAction, Double> shares = new EnumMap<>(SocialAction.class);
        for (String part : text.split(",", -1)) {
            String[] sides = part.split("=", -1);
            if (sides.length != 2) {
                throw new IllegalArgumentException(
                        "mix is '" + text + "'; allowed: " + String.join(", ", names()) + ", or ACTION=SHARE,...");
            }
            shares.merge(action(sides[0].strip()), share(sides[1].strip()), Double::sum);
        }
        return of(shares);
    }

    /** Names of all named mixes. */
    public static List<String> names() {
        return List.copyOf(NAMED.keySet());
    }

    public String name() {
        return name;
    }

    /** Share of an action in all actions, 0..1. */
    public double share(SocialAction action) {
        return shares[action.ordinal()];
    }

    /** Share of writes, 0..1. */
    public double writes() {
        return Arrays.stream(ACTIONS)
                .filter(SocialAction::isWrite)
                .mapToDouble(this::share)
                .sum();
    }

    /**
     * Returns whether the mix's writes cancel out in the long run (sec. 4): as many requests are made as answered, as
     * many friendships begin as end, as many comments are posted as deleted.
     */
    public boolean isSymmetric() {
        return same(share(INVITE), share(ACCEPT) + share(REJECT))
                && same(share(ACCEPT), share(THAW))
                && same(share(POST_COMMENT), share(DELETE_COMMENT));
    }

    /**
     * The action at a place in the mix.
     *
     * @param place 0..1, 1 excluded
     */
    public SocialAction at(double place) {
        double wanted = place * cumulative[cumulative.length - 1];
        for (int i = 0; i < cumulative.length; i++) {
            if (wanted < cumulative[i]) {
                return ACTIONS[i];
            }
        }
        throw new IllegalArgumentException("place is " + place + "; allowed: 0..1, 1 excluded");
    }

    private static boolean same(double one, double other) {
        return Math.abs(one - other) <= TOLERANCE;
    }

    /** A symmetric mix of all eleven actions. It is not from BG, whose mixes have no writes of comments. */
    private static Map<SocialAction, Double> all(Reads reads, double writes) {
        Map<SocialAction, Double> shares = friends(reads, 0, 0, 0, 0);
        shares.merge(VIEW_COMMENTS, -writes, Double::sum);
        shares.put(INVITE, 0.3 * writes);
        shares.put(ACCEPT, 0.15 * writes);
        shares.put(REJECT, 0.15 * writes);
        shares.put(THAW, 0.15 * writes);
        shares.put(POST_COMMENT, 0.125 * writes);
        shares.put(DELETE_COMMENT, 0.125 * writes);
        return shares;
    }

    private static Map<SocialAction, Double> friends(
            Reads reads, double invite, double accept, double reject, double thaw) {
        Map<SocialAction, Double> shares = new EnumMap<>(SocialAction.class);
        shares.put(VIEW_PROFILE, reads.profile());
        shares.put(LIST_FRIENDS, reads.friends());
        shares.put(VIEW_REQUESTS, reads.requests());
        shares.put(VIEW_TOP_RESOURCES, reads.resources());
        shares.put(VIEW_COMMENTS, reads.comments() - (invite + accept + reject + thaw));
        shares.put(INVITE, invite);
        shares.put(ACCEPT, accept);
        shares.put(REJECT, reject);
        shares.put(THAW, thaw);
        return shares;
    }

    private static void name(String name, Map<SocialAction, Double> shares) {
        NAMED.put(name, new ActionMix(name, of(shares).shares));
    }

    private static SocialAction action(String key) {
        return Arrays.stream(ACTIONS)
                .filter(action -> action.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("action is '"
                        + key
                        + "'; allowed: "
                        + Arrays.stream(ACTIONS).map(SocialAction::key).collect(Collectors.joining(", "))));
    }

    private static double share(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("share is '" + text + "'; allowed: 0..1", e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
