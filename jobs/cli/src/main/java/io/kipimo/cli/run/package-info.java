/** Jobs in this process. Read {@link io.kipimo.cli.run.RunCommand} first. */
package io.kipimo.cli.run;
