package client

import (
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// move carries out seek, pause and resume. A partition that is not assigned makes them throw.
func (t *turn) move(at *instruction) (exception string) {
	parts := at.Partitions
	if len(parts) == 0 {
		parts = t.owned()
	}
	if at.Do == SeekPast {
		return t.seekPast()
	}
	for _, tp := range parts {
		p := t.sub(tp)
		if p == nil {
			return illegalStateException
		}
		switch at.Do {
		case Seek:
			t.setPosition(p, at.Offset, "seek")
		case SeekBegin:
			p.position, p.origin = kafka.NoOffset, fromEarliest
		case SeekEnd:
			p.position, p.origin = kafka.NoOffset, fromLatest
		case Pause, Resume:
			t.setPaused(p, at.Do == Pause)
		}
	}
	return ""
}

// setPaused pauses or resumes a partition. Since 2.4 a paused one keeps what was fetched for it; before, that was dropped
// and fetched again (client.md section 8).
func (t *turn) setPaused(p *partition, paused bool) {
	p.paused = paused
	if paused && !t.does(kafka.PausedPartitionsKeepBuffer) {
		t.fetcher.buffer = slices.DeleteFunc(t.fetcher.buffer, func(b fetchedBatch) bool { return b.TopicPartition == p.TopicPartition })
	}
}

// seekPast moves past the record that the last poll could not deserialize.
func (t *turn) seekPast() (exception string) {
	p := t.sub(t.unreadable.TopicPartition)
	if p == nil {
		return illegalStateException
	}
	t.setPosition(p, t.unreadable.record.Offset+1, "seek")
	return ""
}

// unreadable is a record that could not be deserialized.
type unreadable struct {
	kafka.TopicPartition
	record kafka.Record
}

// worker is a thread of the program's own that processes records handed over to it.
type worker struct {
	kafka.TopicPartition
	offset int64
	until  time.Duration // busy until then; 0: idle
}

// handedOver is a record that waits for a worker.
type handedOver struct {
	kafka.TopicPartition
	offset int64
	takes  time.Duration
}

// handOver gives the records of the last poll to the worker threads, and the program goes on at once.
func (t *turn) handOver(takes time.Duration) {
	for {
		tp, record, ok := t.batch.current()
		if !ok {
			break
		}
		t.handed = append(t.handed, handedOver{tp, record.Offset, takes})
		t.batch.next()
	}
	t.batch = batch{}
	t.work()
}

// work lets the worker threads finish what they are done with, and take up what waits.
func (t *turn) work() {
	var first time.Duration
	for i := range t.workers {
		w := &t.workers[i]
		if w.until > 0 && t.now >= w.until {
			t.fact(view.Fact{Kind: view.Processed, Partition: w.TopicPartition, From: w.offset})
			*w = worker{}
		}
		if w.until == 0 && len(t.handed) > 0 {
			h := t.handed[0]
			t.handed = slices.Delete(t.handed, 0, 1)
			*w = worker{h.TopicPartition, h.offset, t.now + t.processingTime(h.takes)}
			t.fact(view.Fact{Kind: view.ProcessingStarted, Partition: w.TopicPartition, From: w.offset})
		}
		if w.until > 0 && (first == 0 || w.until < first) {
			first = w.until
		}
	}
	t.setTimer(timerWorkers, first)
}
