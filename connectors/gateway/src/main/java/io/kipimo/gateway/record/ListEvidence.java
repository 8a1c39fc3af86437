package io.kipimo.gateway.record;

/** What the list of an answer's items can show. */
enum ListEvidence {
    /** What was found of what was asked. */
    SHOWN,
    /** It is empty, while items were found or more than a list was asked. */
    EMPTY,
    /** No list was requested. */
    NOT_REQUESTED,
    /** No part of the engine was asked, or no list of an engine that does not say when it cuts. */
    NONE_ASKED
}
