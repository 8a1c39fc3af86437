// Package kipimo measures and admits the queries of a service with Kipimo. Read Client first.
package kipimo

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"google.golang.org/protobuf/proto"

	"github.com/kipimo/kipimo/clients/go/wire"
)

// Class of queries and its bounds.
type Class struct {
	Name     string
	Defaults ClassDefaults
}

// Config identifies the service and bounds its reports. A zero value means the default beside the field.
type Config struct {
	Service, Server     string
	Tier                string  // front
	Classes             []Class // the most important one first
	BootstrapServers    []string
	TopicPrefix         string  // kipimo.
	InitialSamplingRate float64 // 0.01
	ProfilingShare      float64 // 0.1; below 0: none
	BufferEvents        int     // 10,000; 1..1,000,000
	// Release or experiment arm of this instance, such as canary; none.
	Variant string
	// More options of franz-go, such as TLS and SASL.
	Options []kgo.Opt
}

func (c Config) withDefaults() (Config, error) {
	c.Tier = orDefault(c.Tier, "front")
	c.TopicPrefix = orDefault(c.TopicPrefix, "kipimo.")
	c.InitialSamplingRate = orDefault(c.InitialSamplingRate, 0.01)
	c.ProfilingShare = max(0, orDefault(c.ProfilingShare, 0.1))
	c.BufferEvents = orDefault(c.BufferEvents, 10_000)
	var problems []error
	names := []string{c.Service, c.Server, c.Tier}
	for _, class := range c.Classes {
		names = append(names, class.Name)
		if err := class.Defaults.check(); err != nil {
			problems = append(problems, err)
		}
	}
	if c.Variant != "" {
		names = append(names, c.Variant)
	}
	for _, name := range names {
		if !isName(name) {
			problems = append(problems, fmt.Errorf("a name is %q; allowed: 1..256 characters, no '/'", name))
		}
	}
	if len(c.Classes) == 0 {
		problems = append(problems, errors.New("Classes is empty; allowed: at least one"))
	}
	if !isFraction(c.InitialSamplingRate) || !isFraction(c.ProfilingShare) {
		problems = append(problems, errors.New("InitialSamplingRate or ProfilingShare is outside of 0..1"))
	}
	if c.BufferEvents < 1 || c.BufferEvents > 1_000_000 {
		problems = append(problems, fmt.Errorf("BufferEvents is %d; allowed: 1..1000000", c.BufferEvents))
	}
	return c, errors.Join(problems...)
}

func orDefault[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// NowMillis is the wall clock in epoch milliseconds.
func NowMillis() int64 {
	return time.Now().UnixMilli()
}

// NewTraceID is a W3C trace id of 128 random bits.
func NewTraceID() string {
	var id [16]byte
	for id == [16]byte{} {
		// It never fails, by its documentation.
		_, _ = rand.Read(id[:])
	}
	return hex.EncodeToString(id[:])
}

// Stats counts events by outcome.
type Stats struct {
	Accepted, Delivered, DeliveredBytes, DroppedFull, Undelivered int64
}

type tally struct {
	accepted, delivered, deliveredBytes, droppedFull, undelivered atomic.Int64
}

func (t *tally) stats() Stats {
	return Stats{
		t.accepted.Load(), t.delivered.Load(), t.deliveredBytes.Load(), t.droppedFull.Load(),
		t.undelivered.Load(),
	}
}

type letter struct {
	topic, key string
	millis     int64
	encode     func() proto.Message
	tally      *tally
}

// value is an error if readers would refuse the record, or if none can be made.
func (l letter) value() (value []byte, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("it cannot be encoded: %v", problem)
		}
	}()
	if ahead := l.millis - NowMillis(); ahead > mostAheadMillis {
		return nil, fmt.Errorf("its time is %d ms ahead; allowed: at most %d", ahead, mostAheadMillis)
	}
	message := l.encode()
	if err := check(message); err != nil {
		return nil, err
	}
	return proto.Marshal(message)
}

type sender interface {
	TryProduce(context.Context, *kgo.Record, func(*kgo.Record, error))
}

// outbox never blocks. At most its capacity of events wait, in its channel and in the producer together. What readers
// would refuse is not sent, but dropped and counted.
type outbox struct {
	quietUntil  atomic.Int64
	letters     chan letter
	outstanding atomic.Int64
	sender      sender
	// Its letters are sent when all earlier ones of other topics have arrived or are lost, so that they never move event
	// time past those.
	lastTopic string
	confirmed chan struct{}
	left      []waitingLetter
	mutex     sync.RWMutex
	closed    bool
	done      chan struct{}
}

// waitingLetter is of the last topic; before counts the earlier ones that may still arrive.
type waitingLetter struct {
	letter
	before *atomic.Int64
}

func newOutbox(capacity int, s sender, lastTopic string) *outbox {
	o := &outbox{
		letters: make(chan letter, capacity), sender: s, lastTopic: lastTopic,
		confirmed: make(chan struct{}, 1), done: make(chan struct{}),
	}
	go o.run()
	return o
}

func (o *outbox) offer(l letter) bool {
	o.mutex.RLock()
	defer o.mutex.RUnlock()
	if o.closed || o.outstanding.Add(1) > int64(cap(o.letters)) {
		if !o.closed {
			o.outstanding.Add(-1)
		}
		l.tally.droppedFull.Add(1)
		return false
	}
	l.tally.accepted.Add(1)
	o.letters <- l
	return true
}

// warn writes at most one line a minute.
func (o *outbox) warn(message string, values ...any) {
	now, until := NowMillis(), o.quietUntil.Load()
	if now >= until && o.quietUntil.CompareAndSwap(until, now+60_000) {
		slog.Warn(message, values...)
	}
}

func (o *outbox) run() {
	defer close(o.done)
	var waiting []waitingLetter
	unconfirmed := new(atomic.Int64)
	letters := o.letters
	for letters != nil {
		for len(waiting) > 0 && waiting[0].before.Load() == 0 {
			o.send(waiting[0].letter, new(atomic.Int64))
			waiting = waiting[1:]
		}
		select {
		case l, isOpen := <-letters:
			switch {
			case !isOpen:
				letters = nil
			case l.topic == o.lastTopic:
				waiting = append(waiting, waitingLetter{l, unconfirmed})
				unconfirmed = new(atomic.Int64)
			default:
				o.send(l, unconfirmed)
			}
		case <-o.confirmed:
		}
	}
	o.left = waiting
}

func (o *outbox) send(l letter, unconfirmed *atomic.Int64) {
	value, err := l.value()
	if err != nil {
		o.outstanding.Add(-1)
		l.tally.undelivered.Add(1)
		o.warn("kipimo: an event is refused", "reason", err)
		return
	}
	record := &kgo.Record{
		Topic: l.topic, Key: []byte(l.key), Value: value, Timestamp: time.UnixMilli(l.millis),
	}
	counts := l.tally
	unconfirmed.Add(1)
	o.sender.TryProduce(context.Background(), record, func(r *kgo.Record, err error) {
		o.outstanding.Add(-1)
		if unconfirmed.Add(-1) == 0 {
			select {
			case o.confirmed <- struct{}{}:
			default:
			}
		}
		if err != nil {
			counts.undelivered.Add(1)
			o.warn("kipimo: events are dropped", "reason", err)
			return
		}
		counts.delivered.Add(1)
		counts.deliveredBytes.Add(int64(len(r.Key) + len(r.Value)))
	})
}

// close sends all waiting events to the producer; flush waits for some time until it has sent them.
func (o *outbox) close(flush func()) {
	o.mutex.Lock()
	if !o.closed {
		o.closed = true
		close(o.letters)
	}
	o.mutex.Unlock()
	<-o.done
	if len(o.left) > 0 {
		flush()
	}
	for _, w := range o.left {
		o.send(w.letter, new(atomic.Int64))
	}
	o.left = nil
}

// Emitter sends answers and partial results of sampled queries. It never blocks.
type Emitter struct {
	config Config
	outbox *outbox
	rates  *SamplingRates
	fanOut *FanOut
	tally  tally
}

// IsSampled reports whether a query is sampled. Components pass the start that the front end uses. Explored queries
// (FanOut) always are.
func (e *Emitter) IsSampled(queryID string, startedAtMillis int64) bool {
	return IsSampled(queryID, e.rates.RateAt(startedAtMillis)) || e.isExplored(queryID, startedAtMillis)
}

func (e *Emitter) isExplored(queryID string, startedAtMillis int64) bool {
	share := e.fanOut.explorationAt(startedAtMillis)
	return share > 0 && IsExplored(queryID, share)
}

// WantsPartials reports whether to emit the PhaseOnline results of a sampled query.
func (e *Emitter) WantsPartials(a *Answer) bool {
	switch {
	case a.Unmeasurable != 0 || !a.asksAny():
		return false
	case a.IsDegraded() || e.isExplored(a.QueryID, a.StartedAtMillis):
		return true
	case e.rates.IsScarceAt(a.StartedAtMillis):
		return false
	}
	return IsSampled(a.QueryID, e.rates.RateAt(a.StartedAtMillis)*e.config.ProfilingShare)
}

// EmitAnswer sends the answer to a sampled query. Without a variant it gets that of the instance. Names that readers
// refuse are cleaned, ids get a digest; what cannot be mended is dropped and counted.
func (e *Emitter) EmitAnswer(a *Answer) {
	if a == nil {
		a = &Answer{}
	}
	e.outbox.offer(letter{
		e.config.TopicPrefix + "answers", identifier(a.QueryID), a.AnsweredAtMillis,
		func() proto.Message {
			w := a.toWire(e.config.Service)
			w.Variant = orDefault(w.Variant, e.config.Variant)
			return w
		}, &e.tally,
	})
}

// EmitPartial sends one component's result for a sampled query, mended in the same way.
func (e *Emitter) EmitPartial(p *PartialResult) {
	if p == nil {
		p = &PartialResult{}
	}
	e.outbox.offer(letter{
		e.config.TopicPrefix + "partials", identifier(p.QueryID), p.CompletedAtMillis,
		func() proto.Message { return p.toWire(e.config.Service) }, &e.tally,
	})
}

// Stats counts answers and results by outcome.
func (e *Emitter) Stats() Stats {
	return e.tally.stats()
}

// Client is a service's connection to Kipimo. Every method but Close returns at once. It starts without Kafka.
type Client struct {
	Emitter      *Emitter
	Meter        *Meter
	Admission    *Admission
	Completeness *Completeness
	FanOut       *FanOut

	outbox       *outbox
	rates        *SamplingRates
	producer     *kgo.Client
	follower     *kgo.Client
	observations tally
	cancel       context.CancelFunc
	running      sync.WaitGroup
}

// Connect starts a client. Only a bad configuration is an error.
func Connect(config Config) (*Client, error) {
	config, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	common := append([]kgo.Opt{kgo.SeedBrokers(config.BootstrapServers...)}, config.Options...)
	producer, err := kgo.NewClient(append(common,
		kgo.MaxBufferedRecords(config.BufferEvents+1),
		kgo.RecordDeliveryTimeout(time.Minute),
		kgo.ProducerLinger(5*time.Millisecond),
		kgo.ProducerBatchCompression(kgo.NoCompression()))...)
	if err != nil {
		return nil, err
	}
	prefix := config.TopicPrefix
	follower, err := kgo.NewClient(append(common,
		kgo.ConsumeTopics(prefix+"admission", prefix+"sampling", prefix+"completeness", prefix+"fan-out"),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))...)
	if err != nil {
		producer.Close()
		return nil, err
	}
	begun := time.Now()
	c := &Client{producer: producer, follower: follower, rates: NewSamplingRates(config.InitialSamplingRate)}
	c.outbox = newOutbox(config.BufferEvents, producer, prefix+"observations")
	c.FanOut = newFanOut(config.Service, config.Classes, NowMillis)
	c.Emitter = &Emitter{config: config, outbox: c.outbox, rates: c.rates, fanOut: c.FanOut}
	c.Admission = newAdmission(config.Service, config.Classes, NowMillis,
		func() int64 { return time.Since(begun).Milliseconds() })
	c.Completeness = newCompleteness(config.Service, config.Classes, NowMillis)
	c.Meter = newMeter(config, c.Admission.Fraction, c.emitted, func(o *wire.ObservationProto) {
		o.SafeFraction = proto.Float64(c.Admission.gates[o.QueryClass].defaults.SafeFraction)
		key := o.Service + "/" + o.Tier + "/" + o.Server
		encode := func() proto.Message { return o }
		c.outbox.offer(letter{prefix + "observations", key, o.SecondMillis, encode, &c.observations})
	}, NowMillis())
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel = cancel
	c.running.Add(2)
	go c.follow(ctx, config)
	go c.countSeconds(ctx)
	return c, nil
}

// SamplingRate is the rate for queries that start now.
func (c *Client) SamplingRate() float64 {
	return c.rates.RateAt(NowMillis())
}

// WaitingEvents is at most Config.BufferEvents.
func (c *Client) WaitingEvents() int64 {
	return c.outbox.outstanding.Load()
}

func (c *Client) emitted() (bytes, dropped int64) {
	s := c.Emitter.Stats()
	return s.DeliveredBytes, s.DroppedFull + s.Undelivered
}

func (c *Client) follow(ctx context.Context, config Config) {
	defer c.running.Done()
	for ctx.Err() == nil {
		c.follower.PollFetches(ctx).EachRecord(func(r *kgo.Record) {
			if r.Value != nil {
				c.take(strings.TrimPrefix(r.Topic, config.TopicPrefix), config.Service, r.Value)
			}
		})
	}
}

func (c *Client) take(topic, service string, record []byte) {
	switch topic {
	case "completeness":
		// An unreadable model counts as no model.
		_ = c.Completeness.offerRecord(record)
		return
	case "fan-out":
		// It is counted, and the last good one stays.
		_ = c.FanOut.offerRecord(record)
		return
	}
	d, err := parseDecision(record)
	switch {
	case err != nil:
		c.Admission.unreadable()
	case topic == "admission":
		c.Admission.offer(d)
	case d.Controller == "sampling" && d.Scope == service:
		c.rates.Accept(d)
	}
}

func (c *Client) countSeconds(ctx context.Context) {
	defer c.running.Done()
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(time.Now().Truncate(time.Second).Add(time.Second))):
			c.Meter.publishClosedSeconds(NowMillis())
		}
	}
}

// Close sends waiting events and the counts of the open second until ctx ends. The rest is dropped and counted, and a
// warning says how much it is. A program that ends without it, by os.Exit, a signal or the end of main, loses what waits:
// Go runs nothing then. See the README for SIGTERM.
func (c *Client) Close(ctx context.Context) {
	c.cancel()
	c.running.Wait()
	c.Meter.publishClosedSeconds(NowMillis() + 1_000)
	c.follower.Close()
	c.outbox.close(func() { _ = c.producer.Flush(ctx) })
	if c.producer.Flush(ctx) != nil {
		slog.Warn("kipimo: closed with events that were not sent", "events", c.outbox.outstanding.Load())
		// It waits for promises alone, which abort at once.
		_ = c.producer.AbortBufferedRecords(context.Background())
	}
	c.producer.Close()
}
