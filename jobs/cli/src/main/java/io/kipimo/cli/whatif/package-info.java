/**
 * Replays recorded records through the jobs' own decision code, to find decisions under a changed policy and the
 * reasons of recorded decisions. Read {@link io.kipimo.cli.whatif.WhatIfCommand} first.
 */
package io.kipimo.cli.whatif;
