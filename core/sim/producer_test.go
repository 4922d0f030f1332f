package sim

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/broker"
	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// values lists the records of a partition's log on its leader.
func values(h *History, partition int32) []string {
	p := last(h).Topics[0].Partitions[partition]
	var list []string
	for offset := range p.LogEnd {
		r, _ := h.At(h.Len()).slot(p.Leader).node.(*broker.Broker).Record(p.TopicPartition, offset)
		list = append(list, r.Value)
	}
	return list
}

// oneProducer is a script with one broker, topic T1 and a producer of three records.
func oneProducer(partitions int32, settings map[string]string, commands ...Command) Script {
	return Script{
		Latency: 5 * ms, Brokers: []BrokerSpec{{ID: "B1"}}, Topics: []TopicSpec{{Name: "T1", Partitions: partitions}},
		Producers: []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: second, Count: 3, Settings: settings}},
		Commands:  commands, Until: 200 * second,
	}
}

func TestARetryAfterALostAcknowledgementDuplicatesUnlessTheProducerIsIdempotent(t *testing.T) {
	lost := Command{At: 500 * ms, Do: Break, Node: "B1", Peer: "P1", API: kafka.ProduceAPI, Reply: true}
	for idempotent, want := range map[string][]string{
		"false": {"P1-0", "P1-1", "P1-1", "P1-2"},
		"true":  {"P1-0", "P1-1", "P1-2"},
	} {
		h := play(t, oneProducer(1, map[string]string{"enable.idempotence": idempotent}, lost))
		require.Equal(t, want, values(h, 0), idempotent)
		require.EqualValues(t, 3, last(h).Producers[0].Acked)
	}
}

func TestWithoutRetriesALostAcknowledgementIsAFailure(t *testing.T) {
	lost := Command{At: 500 * ms, Do: Break, Node: "B1", Peer: "P1", API: kafka.ProduceAPI, Reply: true}
	h := play(t, oneProducer(1, map[string]string{"enable.idempotence": "false", "retries": "0"}, lost))
	require.Equal(t, []string{"P1-0", "P1-1", "P1-2"}, values(h, 0), "the record is there, though the producer was told that it failed")
	require.EqualValues(t, 2, last(h).Producers[0].Acked)
	require.EqualValues(t, 1, last(h).Producers[0].Failed)
}

func TestADeliveryIsGivenUpWhenItsTimeIsOver(t *testing.T) {
	s := oneProducer(1, nil, Command{At: 500 * ms, Do: Crash, Node: "B1"})
	h := play(t, s)
	require.EqualValues(t, 2, last(h).Producers[0].Failed)
	over := when(h, func(f *view.Frame) bool { return len(f.Producers) > 0 && f.Producers[0].Failed == 2 })
	require.Equal(t, 122*second, over)
}

func TestRecordsWithoutAKeyStickToAPartitionWhileTheyLinger(t *testing.T) {
	s := oneProducer(2, map[string]string{"linger.ms": "3500"})
	s.Producers[0].Every, s.Producers[0].Count = second, 8
	h := play(t, s)
	require.Equal(t, []string{"P1-0", "P1-1", "P1-2", "P1-3"}, values(h, 0))
	require.Equal(t, []string{"P1-4", "P1-5", "P1-6", "P1-7"}, values(h, 1))
	s.Release, _ = kafka.ParseRelease("2.3")
	require.Equal(t, []string{"P1-0", "P1-2", "P1-4", "P1-6"}, values(play(t, s), 0))
}

func TestAFullBatchDoesNotLinger(t *testing.T) {
	s := oneProducer(1, map[string]string{"linger.ms": "60000", "batch.size": "200"})
	h := play(t, s)
	var sent []int
	for e := range h.Entries(1, h.Len()) {
		for _, m := range e.Sent {
			if r, ok := m.Body.(*kafka.ProduceRequest); ok {
				sent = append(sent, len(r.Partitions[0].Records))
			}
		}
	}
	require.Equal(t, []int{2, 1}, sent)
	require.True(t, slices.IsSorted(values(h, 0)))
}

func TestConsumersStopAtARecordThatAProducerWroteInAnotherFormat(t *testing.T) {
	s := oneProducer(1, nil)
	s.Producers[0].Unreadable = true
	s.Consumers = []client.ConsumerSpec{{
		ID: "C1", Assigned: []kafka.TopicPartition{{Topic: "T1"}}, Settings: map[string]string{"auto.offset.reset": "earliest"},
	}}
	h := play(t, s)
	require.Equal(t, "RecordDeserializationException", last(h).Consumers[0].Exception)
}

func TestAProducerNoticesNewPartitionsWhenItsMetadataIsOld(t *testing.T) {
	s := oneProducer(1, map[string]string{"metadata.max.age.ms": "10000"}, Command{At: 3 * second, Do: AddPartitions, Topic: "T1", Count: 2})
	s.Producers[0].Count = 20
	h := play(t, s)
	require.Len(t, values(h, 0), 15)
	require.Len(t, values(h, 1), 5)
}
