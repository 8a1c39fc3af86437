/**
 * What a changed policy would have decided, and why what was decided was decided: recorded records
 * through the jobs' own decision code. Read {@link io.kipimo.cli.whatif.WhatIfCommand} first.
 */
package io.kipimo.cli.whatif;
