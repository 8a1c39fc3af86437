vcl 4.1;

import purge;
import std;

backend default {
    .host = "127.0.0.1";
    .port = "@ORIGIN_PORT@";
}

acl purgers {
    "127.0.0.1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(405));
        }
        return (hash);
    }
    # Clients that know of a change bypass the stored entry and renew it.
    if (req.http.Cache-Control ~ "no-cache") {
        set req.hash_always_miss = true;
    }
}

sub purging {
    if (req.http.Kipimo-Purge == "soft") {
        # Stale at once; served for ten more seconds while it is fetched again.
        purge.soft(0s, 10s, 0s);
    } else {
        purge.hard();
    }
    return (synth(200, "purged"));
}

sub vcl_hit {
    if (req.method == "PURGE") {
        call purging;
    }
}

sub vcl_miss {
    if (req.method == "PURGE") {
        call purging;
    }
}

sub vcl_backend_response {
    # Expired entries are not served.
    set beresp.grace = 0s;
    set beresp.keep = 60s;
}

sub vcl_deliver {
    if (obj.hits > 0) {
        set resp.http.Cache-Status = "varnish; hit";
    } else {
        set resp.http.Cache-Status = "varnish; fwd=miss";
    }
}
