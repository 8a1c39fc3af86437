package io.kipimo.gateway.record;

/** Evidence in the list of an answer's items. */
enum ListEvidence {
    /** The list shows what was found of what was asked. */
    SHOWN,
    /** The list is empty, although items were found or more than a list was requested. */
    EMPTY,
    /** No list was requested. */
    NOT_REQUESTED,
    /** No part of the engine was asked; or no list was requested, and the engine does not say when it cuts. */
    NONE_ASKED
}
