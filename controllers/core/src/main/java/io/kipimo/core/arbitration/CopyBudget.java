package io.kipimo.core.arbitration;

/**
 * Bounds the copies of late requests to a share of the requests, as gRPC's retry throttle does. Each request adds this
 * share to a budget, and each copy takes 1 from the budget. Without it, copies would double the work when every
 * response is late. Thread-safe.
 */
public final class CopyBudget {
    /** Default share: enough copies for hedging at the 95th percentile. */
    public static final double DEFAULT_SHARE = 0.05;

    /** Limit of the copies that are saved up, unless the share of one request is greater. */
    private static final int MOST_SAVED = 10;

    private final double share;
    private double left;
    private long withheld;

    /**
     * @param share most copies, as a share of the requests, 0 or more
     * @throws IllegalArgumentException if it is less, or no number
     */
    public CopyBudget(double share) {
        if (!(share >= 0)) {
            throw new IllegalArgumentException("share is " + share + "; allowed: 0 or more");
        }
        this.share = share;
    }

    /** Adds the share of a request that begins. */
    public synchronized void onRequest() {
        left = Math.min(left + share, Math.max(share, MOST_SAVED));
    }

    /**
     * Takes copies that are due.
     *
     * @param due 0 or more
     * @return how many may be sent, 0..due
     */
    public synchronized int take(int due) {
        int taken = (int) Math.min(due, left);
        left -= taken;
        withheld += due - taken;
        return taken;
    }

    /** Number of copies that were due, but beyond the share. */
    public synchronized long withheld() {
        return withheld;
    }
}
