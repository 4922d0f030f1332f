package broker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// put produces records of the given sizes to a partition, with the time as timestamp.
func (r *rig) put(tp kafka.TopicPartition, sizes ...int) call {
	var records []kafka.Record
	for _, size := range sizes {
		records = append(records, kafka.Record{Size: size, Timestamp: r.now})
	}
	return r.send("P1", &kafka.ProduceRequest{Acks: 1, Partitions: []kafka.ProducePartition{{TopicPartition: tp, Records: records}}})
}

func TestProduceGivesOffsets(t *testing.T) {
	r := newRig(t, "3.9", nil)
	r.put(t1(0), 100, 100)
	reply := answer[*kafka.ProduceResponse](r, r.put(t1(0), 100))
	require.Equal(t, []kafka.ProducedPartition{{TopicPartition: t1(0), BaseOffset: 2}}, reply.Partitions)
	seen, _ := r.broker.Partition(t1(0))
	require.Equal(t, view.Partition{
		TopicPartition: t1(0), Leader: "B1", HighWatermark: 3, LastStable: 3, LogEnd: 3, Bytes: 300,
		Replicas: []view.Replica{{Broker: "B1", HighWatermark: 3, LogEnd: 3, InSync: true}},
	}, seen)
	require.Equal(t, view.Fact{Kind: view.Appended, Node: "B1", Partition: t1(0), From: 2, To: 3}, r.facts[1])
}

func TestProduceByAcks(t *testing.T) {
	for acks, answered := range map[int16]bool{0: false, 1: true, -1: true} {
		r := newRig(t, "3.9", nil)
		c := r.send("P1", &kafka.ProduceRequest{Acks: acks, Partitions: []kafka.ProducePartition{{TopicPartition: t1(0), Records: []kafka.Record{{Size: 9}}}}})
		require.Equal(t, answered, !r.waits(c))
		require.Equal(t, int64(1), r.broker.logs[t1(0)].end())
	}
}

func TestProduceWithoutAcksHangsUpOnError(t *testing.T) {
	r := newRig(t, "3.9", nil)
	var out node.Out
	r.broker.Handle(0, node.Input{Kind: node.Receive, Message: &kafka.Message{From: "P1", Body: &kafka.ProduceRequest{
		Partitions: []kafka.ProducePartition{{TopicPartition: t1(9)}},
	}}}, &out)
	require.Empty(t, out.Sends)
	require.Equal(t, []kafka.NodeID{"P1"}, out.Hangups)
}

func TestProduceErrors(t *testing.T) {
	r := newRigOf(t, "3.9", map[string]string{"message.max.bytes": "1000"}, []kafka.NodeID{"B1", "B2"})
	for name, c := range map[string]struct {
		tp   kafka.TopicPartition
		size int
		want kafka.ErrorCode
	}{
		"unknown partition":     {t1(9), 1, kafka.UnknownTopicOrPartition},
		"another broker's":      {t1(1), 1, kafka.NotLeaderOrFollower},
		"batch too large":       {t1(0), 501, kafka.MessageTooLarge},
		"batch just not larger": {t1(0), 500, kafka.None},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, answer[*kafka.ProduceResponse](r, r.put(c.tp, c.size, c.size)).Partitions[0].Error)
		})
	}
}

func TestListOffsets(t *testing.T) {
	r := newRig(t, "3.9", nil)
	r.put(t1(0), 1, 1)
	r.until(5 * second)
	r.put(t1(0), 1)
	ask := func(tp kafka.TopicPartition, at time.Duration) kafka.ListedOffset {
		c := r.send("C1", &kafka.ListOffsetsRequest{Partitions: []kafka.ListOffset{{TopicPartition: tp, Timestamp: at}}})
		return answer[*kafka.ListOffsetsResponse](r, c).Partitions[0]
	}
	require.Equal(t, int64(3), ask(t1(0), kafka.LatestTimestamp).Offset)
	require.Equal(t, int64(0), ask(t1(0), kafka.EarliestTimestamp).Offset)
	require.Equal(t, int64(2), ask(t1(0), second).Offset)
	require.Equal(t, kafka.NoOffset, ask(t1(0), 6*second).Offset)
	require.Equal(t, kafka.UnknownTopicOrPartition, ask(t1(9), 0).Error)
}

// get makes a fetch of T1-0 from an offset.
func get(offset int64, change func(r *kafka.FetchRequest)) *kafka.FetchRequest {
	r := &kafka.FetchRequest{
		Version: 12, MaxWait: 500 * ms, MinBytes: 1, MaxBytes: 50 << 20,
		Partitions: []kafka.FetchPartition{{TopicPartition: t1(0), Offset: offset, MaxBytes: 1 << 20}},
	}
	if change != nil {
		change(r)
	}
	return r
}

func offsetsOf(p kafka.FetchedPartition) []int64 {
	var list []int64
	for _, r := range p.Records {
		list = append(list, r.Offset)
	}
	return list
}

func TestFetchPurgatory(t *testing.T) {
	t.Run("waits for the first byte, not longer than the max wait", func(t *testing.T) {
		r := newRig(t, "3.9", nil)
		c := r.send("C1", get(0, nil))
		require.Equal(t, 500*ms, r.alarms["fetch C1/1"])
		r.until(499 * ms)
		require.True(t, r.waits(c))
		r.until(500 * ms)
		require.Empty(t, answer[*kafka.FetchResponse](r, c).Partitions[0].Records)
	})
	t.Run("is answered by the append", func(t *testing.T) {
		r := newRig(t, "3.9", nil)
		c := r.send("C1", get(0, nil))
		r.put(t1(1), 100)
		require.True(t, r.waits(c), "another partition")
		r.put(t1(0), 100)
		require.Equal(t, []int64{0}, offsetsOf(answer[*kafka.FetchResponse](r, c).Partitions[0]))
		delete(r.alarms, string(retentionTimer)) // a week off
		require.Empty(t, r.alarms)
	})
	t.Run("waits for fetch.min.bytes", func(t *testing.T) {
		r := newRig(t, "3.9", nil)
		c := r.send("C1", get(0, func(r *kafka.FetchRequest) { r.MinBytes = 250 }))
		r.put(t1(0), 100, 100)
		require.True(t, r.waits(c))
		r.put(t1(0), 100)
		require.Equal(t, []int64{0, 1, 2}, offsetsOf(answer[*kafka.FetchResponse](r, c).Partitions[0]))
	})
	t.Run("forgets the fetches of a lost connection", func(t *testing.T) {
		r := newRig(t, "3.9", nil)
		lost, kept := r.send("C1", get(0, nil)), r.send("C2", get(0, nil))
		r.handle(node.Input{Kind: node.Disconnected, Peer: "C1"})
		r.put(t1(0), 100)
		require.True(t, r.waits(lost))
		require.False(t, r.waits(kept))
		delete(r.alarms, string(retentionTimer)) // a week off
		require.Empty(t, r.alarms)
	})
}

func TestFetchIsAnsweredAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		request *kafka.FetchRequest
		want    kafka.ErrorCode
	}{
		"enough bytes":              {get(0, nil), kafka.None},
		"no wait":                   {get(3, func(r *kafka.FetchRequest) { r.MaxWait = 0 }), kafka.None},
		"offset below the log":      {get(-1, nil), kafka.OffsetOutOfRange},
		"offset above the log":      {get(4, nil), kafka.OffsetOutOfRange},
		"unknown partition":         {get(0, func(r *kafka.FetchRequest) { r.Partitions[0].TopicPartition = t1(9) }), kafka.UnknownTopicOrPartition},
		"partition of someone else": {get(0, func(r *kafka.FetchRequest) { r.Partitions[0].TopicPartition = t1(1) }), kafka.NotLeaderOrFollower},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRigOf(t, "3.9", nil, []kafka.NodeID{"B1", "B2"})
			r.put(t1(0), 100, 100, 100)
			require.Equal(t, c.want, answer[*kafka.FetchResponse](r, r.send("C1", c.request)).Partitions[0].Error)
		})
	}
	t.Run("no partitions", func(t *testing.T) {
		r := newRig(t, "3.9", nil)
		require.False(t, r.waits(r.send("C1", get(0, func(r *kafka.FetchRequest) { r.Partitions = nil }))))
	})
}

// KIP-74, with logs of records of 100 bytes in T1-0 and T1-1.
func TestFetchLimits(t *testing.T) {
	both := func(partitionMax, max int) *kafka.FetchRequest {
		return get(0, func(r *kafka.FetchRequest) {
			r.MaxBytes = max
			r.Partitions = []kafka.FetchPartition{
				{TopicPartition: t1(0), MaxBytes: partitionMax}, {TopicPartition: t1(1), MaxBytes: partitionMax},
			}
		})
	}
	for name, c := range map[string]struct {
		request *kafka.FetchRequest
		want    [2]int // how many records of each
	}{
		"max.partition.fetch.bytes":              {both(250, 1<<20), [2]int{2, 2}},
		"fetch.max.bytes":                        {both(1<<20, 450), [2]int{3, 1}},
		"first record larger than both":          {both(50, 60), [2]int{1, 0}},
		"first record larger than its partition": {both(50, 1<<20), [2]int{1, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "3.9", nil)
			r.put(t1(0), 100, 100, 100)
			r.put(t1(1), 100, 100, 100)
			parts := answer[*kafka.FetchResponse](r, r.send("C1", c.request)).Partitions
			require.Equal(t, c.want, [2]int{len(parts[0].Records), len(parts[1].Records)})
		})
	}
	t.Run("the broker's fetch.max.bytes", func(t *testing.T) {
		r := newRig(t, "3.9", map[string]string{"fetch.max.bytes": "1024"})
		r.put(t1(0), 600, 600)
		parts := answer[*kafka.FetchResponse](r, r.send("C1", both(1<<20, 1<<20))).Partitions
		require.Len(t, parts[0].Records, 1)
	})
	t.Run("before KIP-74 a record that is too large is never returned", func(t *testing.T) {
		r := newRig(t, "0.10.0", nil)
		r.put(t1(0), 100)
		request := both(50, 0)
		request.Version = 2
		part := answer[*kafka.FetchResponse](r, r.send("C1", request)).Partitions[0]
		require.Empty(t, part.Records)
		require.Equal(t, int64(1), part.HighWatermark)
	})
	t.Run("an empty partition leaves the exception to the next", func(t *testing.T) {
		r := newRig(t, "3.9", nil)
		r.put(t1(1), 100)
		parts := answer[*kafka.FetchResponse](r, r.send("C1", both(50, 60))).Partitions
		require.Len(t, parts[1].Records, 1)
	})
}

func TestPreloads(t *testing.T) {
	config, _ := kafka.NewConfig(kafka.BrokerScope, kafka.DefaultRelease, nil)
	cluster := InitialCluster([]kafka.BrokerInfo{{ID: "B1"}, {ID: "B2"}}, []TopicPlan{{Name: "T1", Partitions: 2}}, offsetsPlan(1))
	b := New(Spec{ID: "B1", Config: config, Cluster: cluster, Preloads: []Preload{
		{TopicPartition: t1(0), Records: 300, Size: 10}, {TopicPartition: t1(1), Records: 5},
	}})
	require.Len(t, b.Partitions(), 1, "the other is led by B2")
	require.Equal(t, int64(300), b.Partitions()[0].HighWatermark)
	require.Equal(t, int64(3000), b.Partitions()[0].Bytes)
}

func TestChunkedList(t *testing.T) {
	var list chunked[int]
	for i := range 3*chunkSize + 5 {
		list.append(i)
	}
	require.Equal(t, 3*chunkSize+5, list.len())
	for _, span := range [][2]int{{0, 0}, {0, 3}, {chunkSize - 2, chunkSize + 2}, {5, 3 * chunkSize}, {3*chunkSize + 1, 3*chunkSize + 5}, {0, chunkSize}} {
		got := list.slice(span[0], span[1])
		require.Len(t, got, span[1]-span[0])
		for i, v := range got {
			require.Equal(t, span[0]+i, v)
		}
	}
	a, b := list.clone(), list.clone()
	list.append(-1)
	a.append(-2)
	b.append(-3)
	require.Equal(t, []int{-1, -2, -3}, []int{*list.at(list.len() - 1), *a.at(a.len() - 1), *b.at(b.len() - 1)})
}
