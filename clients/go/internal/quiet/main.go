// Quiet is a front end with hardly any traffic, for tests against a real job: two queries, 15 s apart, each with a
// component in time and one that is late.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	kipimo "github.com/kipimo/kipimo/clients/go"
)

func main() {
	client, err := kipimo.Connect(kipimo.Config{
		Service: "quiet-go", Server: "front-1", BootstrapServers: []string{os.Args[1]}, TopicPrefix: os.Args[2],
		Classes: []kipimo.Class{{Name: "default", Defaults: kipimo.All}}, InitialSamplingRate: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	for query := range 2 {
		if query > 0 {
			time.Sleep(15 * time.Second)
		}
		ask(client, fmt.Sprintf("q%d", query))
	}
	// Counts go on, and with them event time.
	time.Sleep(25 * time.Second)
	closing, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	client.Close(closing)
}

func ask(client *kipimo.Client, id string) {
	started := kipimo.NowMillis() - 1
	invocations := []kipimo.Invocation{
		{Component: "a", Outcome: kipimo.InTime, LatencyMicros: 500},
		{Component: "b", Outcome: kipimo.TimedOut, LatencyMicros: 1_000},
	}
	client.Meter.Offered("default")
	client.Meter.Answered("default", invocations, 0)
	client.Emitter.EmitAnswer(&kipimo.Answer{
		QueryID: id, QueryClass: "default", StartedAtMillis: started, AnsweredAtMillis: kipimo.NowMillis(),
		DeadlineMillis: 1, Invocations: invocations,
	})
	result := kipimo.PartialResult{
		QueryID: id, Component: "a", Phase: kipimo.PhaseOnline, CompletedAtMillis: kipimo.NowMillis(),
		LatencyMicros: 500, Items: kipimo.Items{Numbers: []uint64{1}, Scores: []float32{1}}, StartedAtMillis: started,
	}
	client.Emitter.EmitPartial(&result)
	time.Sleep(500 * time.Millisecond)
	late := kipimo.PartialResult{
		QueryID: id, Component: "b", Phase: kipimo.PhaseMature, CompletedAtMillis: kipimo.NowMillis(),
		LatencyMicros: 500_000, Items: kipimo.Items{Numbers: []uint64{2}, Scores: []float32{1}}, StartedAtMillis: started,
	}
	client.Emitter.EmitPartial(&late)
}
