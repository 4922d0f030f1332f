package kafka

// EpochEnd tells where a leader epoch ends in a leader's log: the epoch, or the last one before it that the leader has, and
// the offset behind its last record.
type EpochEnd struct {
	Epoch  Epoch
	Offset int64
}

// OffsetForLeaderEpochRequest asks a leader where epochs end in its log (KIP-101, KIP-320).
type OffsetForLeaderEpochRequest struct {
	Replica    NodeID // the follower that asks; "" for a consumer
	Partitions []PartitionEpoch
}

// PartitionEpoch is one partition of an OffsetForLeaderEpochRequest.
type PartitionEpoch struct {
	TopicPartition
	LeaderEpoch Epoch // that the asker knows
	Epoch       Epoch // whose end is asked for
}

// OffsetForLeaderEpochResponse tells it for each partition.
type OffsetForLeaderEpochResponse struct {
	Partitions []PartitionEpochEnd
}

// PartitionEpochEnd is one partition of an OffsetForLeaderEpochResponse. The end is NoEpoch and NoOffset where the leader does not know.
type PartitionEpochEnd struct {
	TopicPartition
	EpochEnd
	Error ErrorCode
}

// AlterPartitionRequest is how a leader asks the controller to change the in-sync replicas of partitions (KIP-497). Before 2.7 the
// leader wrote them to ZooKeeper, from where the controller read them; the model lets it send the same request.
type AlterPartitionRequest struct {
	Partitions []PartitionISR
}

// PartitionISR is one partition of an AlterPartitionRequest.
type PartitionISR struct {
	TopicPartition
	LeaderEpoch Epoch
	ISR         []NodeID
}

// AlterPartitionResponse answers partition by partition. The new image of the cluster comes as for any other change.
type AlterPartitionResponse struct {
	Partitions []PartitionError
}

// ControlledShutdownRequest asks the controller to move the leaderships of a broker that is about to end. (With KRaft a heartbeat
// says the same.)
type ControlledShutdownRequest struct{}

// ControlledShutdownResponse says that this is done, as far as it can be.
type ControlledShutdownResponse struct{}

func (*OffsetForLeaderEpochRequest) API() API     { return OffsetForLeaderEpochAPI }
func (*OffsetForLeaderEpochRequest) Reply() bool  { return false }
func (*OffsetForLeaderEpochResponse) API() API    { return OffsetForLeaderEpochAPI }
func (*OffsetForLeaderEpochResponse) Reply() bool { return true }
func (*AlterPartitionRequest) API() API           { return AlterPartitionAPI }
func (*AlterPartitionRequest) Reply() bool        { return false }
func (*AlterPartitionResponse) API() API          { return AlterPartitionAPI }
func (*AlterPartitionResponse) Reply() bool       { return true }
func (*ControlledShutdownRequest) API() API       { return ControlledShutdownAPI }
func (*ControlledShutdownRequest) Reply() bool    { return false }
func (*ControlledShutdownResponse) API() API      { return ControlledShutdownAPI }
func (*ControlledShutdownResponse) Reply() bool   { return true }
