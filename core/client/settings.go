package client

import (
	"time"

	"groupscope/core/kafka"
)

// settings are a consumer's configuration, read once.
type settings struct {
	clientID        string
	instanceID      string
	rack            string
	assignors       []string
	autoCommit      bool
	autoCommitEvery time.Duration
	reset           origin        // auto.offset.reset
	resetAge        time.Duration // of fromAge
	sessionTimeout  time.Duration
	heartbeatEvery  time.Duration
	pollInterval    time.Duration // 0 before KIP-62: there is no such limit
	maxPollRecords  int
	fetchMinBytes   int
	fetchMaxWait    time.Duration
	fetchMaxBytes   int
	partitionBytes  int
	requestTimeout  time.Duration
	apiTimeout      time.Duration
	retry           pause
	reconnect       pause
	metadataAge     time.Duration
	maxIdle         time.Duration // negative: no limit
	readCommitted   bool
	interceptors    []string
}

const unlimited = int(1) << 30

func readSettings(c kafka.Config) settings {
	s := settings{
		clientID:        c.String("client.id"),
		instanceID:      c.String("group.instance.id"),
		rack:            c.String("client.rack"),
		assignors:       c.List("partition.assignment.strategy"),
		autoCommit:      c.Bool("enable.auto.commit") && c.String("group.id") != "", // KIP-289
		autoCommitEvery: max(shortestWait, c.Duration("auto.commit.interval.ms")),
		sessionTimeout:  c.Duration("session.timeout.ms"),
		heartbeatEvery:  max(shortestWait, c.Duration("heartbeat.interval.ms")),
		pollInterval:    c.Duration("max.poll.interval.ms"),
		maxPollRecords:  int(c.Int("max.poll.records")),
		fetchMinBytes:   int(c.Int("fetch.min.bytes")),
		fetchMaxWait:    c.Duration("fetch.max.wait.ms"),
		fetchMaxBytes:   int(c.Int("fetch.max.bytes")),
		partitionBytes:  int(c.Int("max.partition.fetch.bytes")),
		requestTimeout:  c.Duration("request.timeout.ms"),
		apiTimeout:      c.Duration("default.api.timeout.ms"),
		retry:           readPause(c, "retry.backoff.ms", "retry.backoff.max.ms"),
		reconnect:       readPause(c, "reconnect.backoff.ms", "reconnect.backoff.max.ms"),
		metadataAge:     c.Duration("metadata.max.age.ms"),
		maxIdle:         c.Duration("connections.max.idle.ms"),
		readCommitted:   c.String("isolation.level") == "read_committed",
		interceptors:    c.List("interceptor.classes"),
	}
	s.reset, s.resetAge = readReset(c.String("auto.offset.reset"))
	// Limits that a release does not have yet are no limits there.
	if s.maxPollRecords == 0 {
		s.maxPollRecords = unlimited
	}
	if s.fetchMaxBytes == 0 {
		s.fetchMaxBytes = unlimited
	}
	return s
}

// rebalanceTimeout is what JoinGroup tells the coordinator: the time a member may take to rejoin.
// Before KIP-62 the session timeout stood for it (client.md section 3).
func (s *settings) rebalanceTimeout() time.Duration {
	if s.pollInterval == 0 {
		return s.sessionTimeout
	}
	return s.pollInterval
}
