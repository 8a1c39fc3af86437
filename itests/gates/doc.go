// Package gates runs the metric code of Argo Rollouts and the webhooks of Flagger against a console. Java's RolloutsITCase
// starts the console and sets KIPIMO_CONSOLE (its address) and KIPIMO_TOKEN.
package gates
