package broker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
)

// threeReplicas is a rig whose topic T2 has three copies; so many of its followers live.
func threeReplicas(t *testing.T, release, minISR string, followers int) *rig {
	r := newRigOf(t, release, map[string]string{"min.insync.replicas": minISR}, []kafka.NodeID{"B1", "B2", "B3"})
	image := *r.broker.cluster
	image.Epoch++
	image.Topics = append(image.Topics[:1:1], dealTopic(image.Brokers, TopicPlan{Name: "T2", Partitions: 1, Replication: 3}), image.Topics[1])
	for _, id := range []kafka.NodeID{"B2", "B3"}[followers:] {
		image = *Without(&image, id, r.broker.config)
		delete(r.others, id)
	}
	r.publish(&image)
	return r
}

// publish hands an image to all brokers.
func (r *rig) publish(image *kafka.Cluster) {
	update := &kafka.UpdateMetadataRequest{Cluster: image}
	r.send(kafka.Controller, update)
	for _, id := range []kafka.NodeID{"B2", "B3"} {
		if r.others[id] != nil {
			r.tell(id, update)
		}
	}
}

func (r *rig) produce(acks int16) call {
	return r.send("P1", &kafka.ProduceRequest{Acks: acks, Timeout: 30 * second, Partitions: []kafka.ProducePartition{{
		TopicPartition: kafka.TopicPartition{Topic: "T2"}, Records: []kafka.Record{{Size: 9}},
	}}})
}

// Source: replication.md section 4.
func TestAcksMinISRAndLiveReplicas(t *testing.T) {
	for _, c := range []struct {
		acks      int16
		minISR    string
		followers int
		want      kafka.ErrorCode
	}{
		{1, "1", 2, kafka.None}, {1, "2", 0, kafka.None}, {1, "3", 0, kafka.None}, // acks=1 does not ask for min.insync.replicas
		{acksAll, "1", 2, kafka.None}, {acksAll, "1", 1, kafka.None}, {acksAll, "1", 0, kafka.None}, // the leader alone may be all
		{acksAll, "2", 2, kafka.None}, {acksAll, "2", 1, kafka.None}, {acksAll, "2", 0, kafka.NotEnoughReplicas},
		{acksAll, "3", 2, kafka.None}, {acksAll, "3", 1, kafka.NotEnoughReplicas}, {acksAll, "3", 0, kafka.NotEnoughReplicas},
		{acksAll, "5", 2, kafka.None}, // there cannot be more than all
	} {
		r := threeReplicas(t, "3.9", c.minISR, c.followers)
		reply := answer[*kafka.ProduceResponse](r, r.produce(c.acks))
		require.Equal(t, c.want, reply.Partitions[0].Error, "%+v", c)
		appended := int64(1)
		if c.want != kafka.None {
			appended = 0
		}
		require.Equal(t, appended, r.broker.logs[kafka.TopicPartition{Topic: "T2"}].end(), "%+v", c)
	}
}

// A record that was appended before the in-sync replicas became too few: up to 3.6 the high watermark goes on without them, and the
// producer is told; since 3.7 it stays, and the wait ends with its time (KAFKA-15583).
func TestInSyncReplicasThatBecomeTooFewWhileAProducerWaits(t *testing.T) {
	for release, want := range map[string]kafka.ErrorCode{"3.6": kafka.NotEnoughReplicasAfterAppend, "3.7": kafka.RequestTimedOut} {
		r := threeReplicas(t, release, "2", 1)
		delete(r.others, "B2")
		c := r.produce(acksAll)
		require.True(t, r.waits(c))
		image := *Without(r.broker.cluster, "B2", r.broker.config)
		image.Epoch++
		r.publish(&image)
		r.pass(31 * second)
		require.Equal(t, want, answer[*kafka.ProduceResponse](r, c).Partitions[0].Error, release)
		require.EqualValues(t, 1, r.broker.logs[kafka.TopicPartition{Topic: "T2"}].end())
	}
}

// The example of replication.md section 6: the old leader has 0..9 of epoch 5, the new one 0..7 and then epoch 6 from 8 on.
func TestAnEpochEndsWhereTheNextOneBegins(t *testing.T) {
	log := newLog(segmentLimits{bytes: 1 << 30, age: 1 << 60})
	put := func(epoch kafka.Epoch, n int) {
		for range n {
			log.take(0, kafka.Record{Epoch: epoch, Size: 1})
		}
	}
	put(5, 8)
	put(6, 3)
	require.Equal(t, kafka.EpochEnd{Epoch: 5, Offset: 8}, log.endOf(5))
	require.Equal(t, kafka.EpochEnd{Epoch: 6, Offset: 11}, log.endOf(6))
	require.Equal(t, kafka.EpochEnd{Epoch: 4, Offset: 0}, log.endOf(4))
	require.Equal(t, kafka.EpochEnd{Epoch: kafka.NoEpoch, Offset: kafka.NoOffset}, log.endOf(7))
	log.truncate(8)
	require.Equal(t, kafka.Epoch(5), log.lastEpoch())
	require.EqualValues(t, 8, log.end())
}
