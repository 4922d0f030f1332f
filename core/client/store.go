package client

import (
	"maps"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// Store is an external store, such as a database: it keeps results, and offsets beside them. A write of both is one
// transaction.
type Store struct {
	id      kafka.NodeID
	offsets map[string][]kafka.CommitOffset // by group; values are replaced, never changed
	results int64
}

// NewStore makes an empty store.
func NewStore(id kafka.NodeID) *Store {
	return &Store{id: id, offsets: map[string][]kafka.CommitOffset{}}
}

// Clone returns an independent copy.
func (s *Store) Clone() node.Node {
	c := *s
	c.offsets = maps.Clone(s.offsets)
	return &c
}

// Handle answers a request at once.
func (s *Store) Handle(_ time.Duration, in node.Input, out *node.Out) {
	if in.Kind != node.Receive {
		return
	}
	var reply kafka.Body
	switch body := in.Message.Body.(type) {
	case *kafka.StoreWriteRequest:
		s.write(body, out)
		reply = &kafka.StoreWriteResponse{}
	case *kafka.StoreReadRequest:
		reply = &kafka.StoreReadResponse{Offsets: s.offsets[body.Group]}
	default:
		return
	}
	out.Send(in.Message.From, in.Message.Correlation, reply)
}

func (s *Store) write(body *kafka.StoreWriteRequest, out *node.Out) {
	s.results++
	out.Fact(view.Fact{Kind: view.ResultStored, Node: s.id, Group: body.Group, Partition: body.Result, From: body.ResultOffset})
	for _, o := range body.Offsets {
		s.offsets[body.Group] = put(s.offsets[body.Group], o.TopicPartition, o.Offset)
	}
}

// View is what can be seen of the store.
func (s *Store) View() view.Store {
	v := view.Store{ID: s.id, Results: s.results}
	for _, group := range slices.Sorted(maps.Keys(s.offsets)) {
		for _, o := range s.offsets[group] {
			v.Offsets = append(v.Offsets, view.StoredOffset{Group: group, TopicPartition: o.TopicPartition, Offset: o.Offset})
		}
	}
	return v
}

// callStore begins a call of the external store, or of the broker that takes dead letters. The thread waits for the answer.
func (t *turn) callStore(at *instruction) {
	to, body := t.spec.Store, kafka.Body(nil)
	tp, record, ok := t.batch.current()
	switch {
	case at.Do == SeekStored:
		body = &kafka.StoreReadRequest{Group: t.spec.Group, Partitions: t.owned()}
	case at.Do == DeadLetter:
		to, body = t.deadLetter(at.Topics)
	case ok:
		write := &kafka.StoreWriteRequest{Group: t.spec.Group, Result: tp, ResultOffset: record.Offset}
		if at.Do == StoreBoth {
			write.Offsets = []kafka.CommitOffset{{TopicPartition: tp, OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: record.Offset + at.Offset}}}
		}
		body = write
	}
	if to == "" || body == nil {
		t.app.thrown = illegalStateException
		return
	}
	t.stored = storeWaits
	t.send(to, body, "")
	t.app.push(call{proc: procStore})
}

// storePhase is how far a call of the external store has come.
type storePhase uint8

const (
	storeIdle storePhase = iota
	storeWaits
	storeDone
	storeFailed
)

// useStore waits for the store's answer.
func (t *turn) useStore(*call) verdict {
	switch t.stored {
	case storeWaits:
		return t.app.wait(waitNetwork, 0)
	case storeFailed:
		t.stored = storeIdle
		return t.app.throw(storeException)
	default:
		t.stored = storeIdle
		return t.app.done()
	}
}

// letterAnswered takes up a broker's answer to a dead letter.
func (t *turn) letterAnswered(reply *kafka.ProduceResponse) {
	if kafka.ErrorOf(reply) != kafka.None {
		t.stored = storeFailed
		return
	}
	t.stored = storeDone
	tp, record := t.troubled()
	t.fact(view.Fact{Kind: view.DeadLettered, Partition: tp, From: record.Offset})
}

// storeAnswered takes up the store's answer to a read: the positions it has offsets for.
func (t *turn) storeAnswered(reply *kafka.StoreReadResponse) {
	t.stored = storeDone
	for _, o := range reply.Offsets {
		if p := t.sub(o.TopicPartition); p != nil {
			t.setPosition(p, o.Offset, "external store")
		}
	}
}

// letterTopics are the topics that some of the operations, or those within them, send dead letters to.
func letterTopics(ops []Op) []string {
	var topics []string
	for _, op := range ops {
		if op.Do == DeadLetter {
			topics = append(topics, op.Topics...)
		}
		topics = slices.Concat(topics, letterTopics(op.Body), letterTopics(op.Callback))
		for _, c := range op.Catch {
			topics = append(topics, letterTopics(c.Body)...)
		}
	}
	return topics
}

// deadLetter is the request that puts a record that cannot be handled into the topic for such records.
func (t *turn) deadLetter(topics []string) (kafka.NodeID, kafka.Body) {
	tp, record := t.troubled()
	if len(topics) == 0 || t.network.cluster == nil {
		return "", nil
	}
	to := kafka.TopicPartition{Topic: topics[0]}
	info, found := t.network.cluster.Partition(to)
	if !found {
		t.network.wantMetadata = true
	}
	letter := kafka.Record{Timestamp: t.now, Key: tp.String(), Value: record.Value, Size: max(record.Size, 1)}
	return info.Leader, &kafka.ProduceRequest{Version: t.version(kafka.ProduceAPI, info.Leader), Acks: -1, Timeout: t.settings.requestTimeout, Partitions: []kafka.ProducePartition{
		{TopicPartition: to, Records: []kafka.Record{letter}},
	}}
}

// troubled is the record that a dead letter is about: the one at hand, or the one that could not be deserialized.
func (t *turn) troubled() (kafka.TopicPartition, *kafka.Record) {
	if tp, record, ok := t.batch.current(); ok {
		return tp, record
	}
	return t.unreadable.TopicPartition, &t.unreadable.record
}
