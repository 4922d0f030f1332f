package kafka

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"
)

// Message is what one node sends to another over a connection. It never changes after it was sent, nor
// does anything its body refers to: receivers may keep it, and clones of a world share it.
type Message struct {
	ID          int64 // unique in a world, in the order of sending
	From, To    NodeID
	Correlation int32 // ties a reply to its request; counted by the node that asks
	Body        Body
}

// Reply reports whether the message answers a request.
func (m *Message) Reply() bool { return m.Body.Reply() }

// Body is what a message says: one request or one response of the protocol.
type Body interface {
	API() API
	Reply() bool
}

// API is the kind of a request, numbered as in the protocol (org.apache.kafka.common.protocol.ApiKeys).
type API int16

// The kinds of requests that the model sends.
const (
	ProduceAPI              API = 0
	FetchAPI                API = 1
	ListOffsetsAPI          API = 2
	MetadataAPI             API = 3
	UpdateMetadataAPI       API = 6
	ControlledShutdownAPI   API = 7
	OffsetCommitAPI         API = 8
	OffsetFetchAPI          API = 9
	FindCoordinatorAPI      API = 10
	JoinGroupAPI            API = 11
	HeartbeatAPI            API = 12
	LeaveGroupAPI           API = 13
	SyncGroupAPI            API = 14
	InitProducerIDAPI       API = 22
	OffsetForLeaderEpochAPI API = 23
	AddPartitionsToTxnAPI   API = 24
	AddOffsetsToTxnAPI      API = 25
	EndTxnAPI               API = 26
	WriteTxnMarkersAPI      API = 27
	TxnOffsetCommitAPI      API = 28
	AlterPartitionAPI       API = 56
)

var apiNames = map[API]string{
	ProduceAPI: "Produce", FetchAPI: "Fetch", ListOffsetsAPI: "ListOffsets", MetadataAPI: "Metadata",
	UpdateMetadataAPI: "UpdateMetadata", ControlledShutdownAPI: "ControlledShutdown", OffsetCommitAPI: "OffsetCommit", OffsetFetchAPI: "OffsetFetch",
	FindCoordinatorAPI: "FindCoordinator", JoinGroupAPI: "JoinGroup", HeartbeatAPI: "Heartbeat",
	LeaveGroupAPI: "LeaveGroup", SyncGroupAPI: "SyncGroup", StoreWriteAPI: "StoreWrite", StoreReadAPI: "StoreRead",
	InitProducerIDAPI: "InitProducerId", AddPartitionsToTxnAPI: "AddPartitionsToTxn", AddOffsetsToTxnAPI: "AddOffsetsToTxn",
	EndTxnAPI: "EndTxn", WriteTxnMarkersAPI: "WriteTxnMarkers", TxnOffsetCommitAPI: "TxnOffsetCommit",
	OffsetForLeaderEpochAPI: "OffsetForLeaderEpoch", AlterPartitionAPI: "AlterPartition",
}

// String returns the request's name, such as "JoinGroup".
func (a API) String() string {
	if name, ok := apiNames[a]; ok {
		return name
	}
	return "API_" + strconv.Itoa(int(a))
}

// ParseAPI finds a kind of request by its name.
func ParseAPI(name string) (API, bool) {
	for a, n := range apiNames {
		if n == name {
			return a, true
		}
	}
	return 0, false
}

// APINames lists the names of all kinds of requests, in the order of their numbers; the model's own, below 0, come last.
func APINames() []string {
	var names []string
	for _, a := range slices.SortedFunc(maps.Keys(apiNames), func(a, b API) int { return cmp.Compare(uint16(a), uint16(b)) }) {
		names = append(names, apiNames[a])
	}
	return names
}

// ErrorOf returns the error code of a response, or of its first failed part; None for a request.
func ErrorOf(b Body) ErrorCode {
	switch r := b.(type) {
	case *FindCoordinatorResponse:
		return r.Error
	case *JoinGroupResponse:
		return r.Error
	case *SyncGroupResponse:
		return r.Error
	case *HeartbeatResponse:
		return r.Error
	case *LeaveGroupResponse:
		if r.Error != None {
			return r.Error
		}
		for _, m := range r.Members {
			if m.Error != None {
				return m.Error
			}
		}
	case *OffsetCommitResponse:
		for _, p := range r.Partitions {
			if p.Error != None {
				return p.Error
			}
		}
	case *OffsetFetchResponse:
		if r.Error != None {
			return r.Error
		}
		for _, p := range r.Partitions {
			if p.Error != None {
				return p.Error
			}
		}
	case *ListOffsetsResponse:
		for _, p := range r.Partitions {
			if p.Error != None {
				return p.Error
			}
		}
	case *FetchResponse:
		for _, p := range r.Partitions {
			if p.Error != None {
				return p.Error
			}
		}
	case *InitProducerIDResponse:
		return r.Error
	case *AddPartitionsToTxnResponse:
		return r.Error
	case *AddOffsetsToTxnResponse:
		return r.Error
	case *EndTxnResponse:
		return r.Error
	case *TxnOffsetCommitResponse:
		return firstError(r.Partitions)
	case *WriteTxnMarkersResponse:
		return firstError(r.Partitions)
	case *ProduceResponse:
		for _, p := range r.Partitions {
			if p.Error != None {
				return p.Error
			}
		}
	}
	return None
}

// MetadataRequest asks any broker who leads what. No topics means all topics.
type MetadataRequest struct {
	Topics []string
}

// MetadataResponse tells the live brokers and the leader of every partition.
type MetadataResponse struct {
	Cluster *Cluster
}

// Cluster is one image of the cluster's metadata. It is shared, never changed; a new one replaces it.
type Cluster struct {
	Epoch   int64 // raised by the controller with each change
	Brokers []BrokerInfo
	Topics  []TopicInfo // sorted by name
}

// BrokerInfo describes one live broker.
type BrokerInfo struct {
	ID      NodeID
	Rack    string
	Release Release
}

// TopicInfo describes one topic; the index in Partitions is the partition number.
type TopicInfo struct {
	Name       string
	Internal   bool
	Partitions []PartitionInfo
	Config     Config // of TopicScope; the zero Config sets nothing
}

// PartitionInfo tells who leads a partition and who keeps copies of it.
type PartitionInfo struct {
	Leader      NodeID // "" when there is none
	LeaderEpoch int32
	Replicas    []NodeID // the preferred leader first
	ISR         []NodeID
}

// Topic finds a topic by name.
func (c *Cluster) Topic(name string) (TopicInfo, bool) {
	for _, t := range c.Topics {
		if t.Name == name {
			return t, true
		}
	}
	return TopicInfo{}, false
}

// Partition finds a partition.
func (c *Cluster) Partition(tp TopicPartition) (PartitionInfo, bool) {
	t, ok := c.Topic(tp.Topic)
	if !ok || int(tp.Partition) >= len(t.Partitions) {
		return PartitionInfo{}, false
	}
	return t.Partitions[tp.Partition], true
}

// Broker finds a live broker.
func (c *Cluster) Broker(id NodeID) (BrokerInfo, bool) {
	for _, b := range c.Brokers {
		if b.ID == id {
			return b, true
		}
	}
	return BrokerInfo{}, false
}

// UpdateMetadataRequest is how the controller hands brokers a new image of the cluster.
type UpdateMetadataRequest struct {
	Cluster *Cluster
}

// UpdateMetadataResponse acknowledges an image.
type UpdateMetadataResponse struct{}

// FindCoordinatorRequest asks any broker which broker coordinates a group, or the transactions of a transactional id.
type FindCoordinatorRequest struct {
	Group           string
	TransactionalID string
}

// FindCoordinatorResponse names the coordinator, or answers CoordinatorNotAvailable.
type FindCoordinatorResponse struct {
	Error       ErrorCode
	Coordinator NodeID
}

// Protocol is one assignor a member offers, with the subscription that assignor would be given.
type Protocol struct {
	Name         string
	Subscription *Subscription
}

// Subscription is the metadata that a member sends with its JoinGroup (ConsumerProtocolSubscription).
type Subscription struct {
	Version    int16 // of the schema: 0; 1 adds Owned (2.4); 2 Generation (3.4); 3 Rack (3.5)
	Topics     []string
	Owned      []TopicPartition
	Generation int32
	Rack       string
	UserData   *StickyUserData
}

// StickyUserData is what the sticky assignor remembers of its previous assignment.
type StickyUserData struct {
	Partitions []TopicPartition
	Generation int32
}

// JoinGroupRequest asks to become, or stay, a member.
type JoinGroupRequest struct {
	Version          int16
	Group            string
	MemberID         string // "" when the member has none yet
	InstanceID       string // group.instance.id, "" for a dynamic member
	ClientID         string
	SessionTimeout   time.Duration
	RebalanceTimeout time.Duration // since v1; before, the session timeout stands for it
	ProtocolType     string
	Protocols        []Protocol // in the member's order of preference
	Reason           string     // since v8
}

// JoinGroupResponse closes the join phase for one member. Only the leader's has Members.
type JoinGroupResponse struct {
	Error          ErrorCode
	Generation     int32
	Protocol       string
	Leader         string
	MemberID       string
	SkipAssignment bool // since v9
	Members        []JoinedMember
}

// JoinedMember is one line of the list that the leader assigns partitions from.
type JoinedMember struct {
	MemberID     string
	InstanceID   string
	Subscription *Subscription
}

// SyncGroupRequest asks for one's assignment; the leader's brings everybody's.
type SyncGroupRequest struct {
	Version     int16
	Group       string
	MemberID    string
	InstanceID  string
	Generation  int32
	Protocol    string
	Assignments []MemberAssignment // the leader's only
}

// MemberAssignment is what one member is given.
type MemberAssignment struct {
	MemberID   string
	Partitions []TopicPartition
}

// SyncGroupResponse brings one member its own assignment.
type SyncGroupResponse struct {
	Error      ErrorCode
	Assignment []TopicPartition
}

// HeartbeatRequest says that a member lives.
type HeartbeatRequest struct {
	Version    int16
	Group      string
	MemberID   string
	InstanceID string
	Generation int32
}

// HeartbeatResponse answers None, or says why the member must act.
type HeartbeatResponse struct {
	Error ErrorCode
}

// LeaveGroupRequest takes members out of a group.
type LeaveGroupRequest struct {
	Version int16
	Group   string
	Members []LeavingMember
	Reason  string
}

// LeavingMember names one who leaves; MemberID is "" when an administrator removes a static member.
type LeavingMember struct {
	MemberID   string
	InstanceID string
}

// LeaveGroupResponse answers for the whole request and for each member.
type LeaveGroupResponse struct {
	Error   ErrorCode
	Members []LeftMember
}

// LeftMember is the answer for one leaving member.
type LeftMember struct {
	MemberID   string
	InstanceID string
	Error      ErrorCode
}

// OffsetAndMetadata is a committed offset: the next record to read, with a note of the committer's.
type OffsetAndMetadata struct {
	Offset   int64
	Metadata string
}

// OffsetCommitRequest stores offsets for a group.
type OffsetCommitRequest struct {
	Version    int16
	Group      string
	Generation int32 // NoGeneration for a consumer outside the group protocol
	MemberID   string
	InstanceID string
	Offsets    []CommitOffset
}

// CommitOffset is one partition of an OffsetCommitRequest.
type CommitOffset struct {
	TopicPartition
	OffsetAndMetadata
}

// OffsetCommitResponse answers partition by partition.
type OffsetCommitResponse struct {
	Partitions []PartitionError
}

// PartitionError is the outcome for one partition.
type PartitionError struct {
	TopicPartition
	Error ErrorCode
}

// OffsetFetchRequest asks for a group's committed offsets.
type OffsetFetchRequest struct {
	Version       int16
	Group         string
	Partitions    []TopicPartition
	RequireStable bool // since v7
}

// OffsetFetchResponse gives them; NoOffset where nothing is stored.
type OffsetFetchResponse struct {
	Error      ErrorCode
	Partitions []FetchedOffset
}

// FetchedOffset is one partition of an OffsetFetchResponse.
type FetchedOffset struct {
	TopicPartition
	OffsetAndMetadata
	Error ErrorCode
}

// The timestamps of ListOffsets that stand for a place instead of a time.
const (
	LatestTimestamp   time.Duration = -1
	EarliestTimestamp time.Duration = -2
)

// ListOffsetsRequest asks a partition's leader for an offset by time.
type ListOffsetsRequest struct {
	ReadCommitted bool
	Partitions    []ListOffset
}

// ListOffset is one partition of a ListOffsetsRequest.
type ListOffset struct {
	TopicPartition
	Timestamp time.Duration
}

// ListOffsetsResponse gives an offset for each partition.
type ListOffsetsResponse struct {
	Partitions []ListedOffset
}

// ListedOffset is one partition of a ListOffsetsResponse.
type ListedOffset struct {
	TopicPartition
	Offset int64
	Error  ErrorCode
}

// FetchRequest asks a leader for records. A consumer's names the partitions that it wants. A follower's names those
// whose offset is another than in its last one, as in an incremental fetch session (KIP-227).
type FetchRequest struct {
	Version       int16
	Replica       NodeID // the follower that asks; "" for a consumer
	MaxWait       time.Duration
	MinBytes      int
	MaxBytes      int
	ReadCommitted bool
	Rack          string
	ClientID      string // of the request's header; "" when it is the name of the node
	Partitions    []FetchPartition
}

// FetchPartition is one partition of a FetchRequest.
type FetchPartition struct {
	TopicPartition
	Offset      int64
	MaxBytes    int
	LeaderEpoch Epoch // that the asker knows (KIP-320)
	LastEpoch   Epoch // of a follower: the epoch of the last record that it has (KIP-595)
}

// Throttle is how long a client must wait for having taken, or brought, more than its quota. No wait has no text.
type Throttle time.Duration

func (t Throttle) String() string {
	if t == 0 {
		return ""
	}
	return time.Duration(t).String()
}

// Bytes is a size. No bytes have no text.
type Bytes int

func (b Bytes) String() string {
	if b == 0 {
		return ""
	}
	return strconv.Itoa(int(b))
}

// FetchResponse brings records.
type FetchResponse struct {
	Replica    NodeID   // the follower that it answers; "" for a consumer. The model's own, for those who read a trace
	Throttle   Throttle // how long the client is to wait with its next fetch from this broker
	Partitions []FetchedPartition
}

// Empty reports whether it brings no record.
func (r *FetchResponse) Empty() bool {
	return !slices.ContainsFunc(r.Partitions, func(p FetchedPartition) bool { return len(p.Records) > 0 })
}

// FetchedPartition is one partition of a FetchResponse.
type FetchedPartition struct {
	TopicPartition
	Error            ErrorCode
	HighWatermark    int64
	LastStableOffset int64
	LogStartOffset   int64
	PreferredReplica NodeID               // for a consumer: a copy nearer to it, from which it is to fetch (KIP-392)
	Aborted          []AbortedTransaction // for read_committed: whose records are to be left out
	Diverging        *EpochEnd            // for a follower whose log differs: where its last epoch ends on the leader
	Records          []Record
	Partial          Bytes // of the first record, which does not fit (Fetch before version 3)
}

// AbortedTransaction tells a read_committed consumer to leave out the records of a producer, from an offset on up to its next marker.
type AbortedTransaction struct {
	ProducerID  int64
	FirstOffset int64
}

// ProduceRequest brings records to a leader; offsets are given by the leader.
type ProduceRequest struct {
	Version         int16
	ClientID        string // of the request's header, which quotas go by; "" for the name of the sender
	TransactionalID string
	Acks            int16 // 0, 1, or -1 for all
	Timeout         time.Duration
	Partitions      []ProducePartition
}

// ProducePartition is one partition's batch of a ProduceRequest.
type ProducePartition struct {
	TopicPartition
	Stamp   *Stamp
	Records []Record
}

// ProduceResponse acknowledges partition by partition.
type ProduceResponse struct {
	Throttle   Throttle // how long the producer is to leave this broker alone
	Partitions []ProducedPartition
}

// ProducedPartition tells where a batch begins in the log.
type ProducedPartition struct {
	TopicPartition
	BaseOffset int64
	Error      ErrorCode
}

func (*ProduceRequest) API() API             { return ProduceAPI }
func (*ProduceRequest) Reply() bool          { return false }
func (*ProduceResponse) API() API            { return ProduceAPI }
func (*ProduceResponse) Reply() bool         { return true }
func (*FetchRequest) API() API               { return FetchAPI }
func (*FetchRequest) Reply() bool            { return false }
func (*FetchResponse) API() API              { return FetchAPI }
func (*FetchResponse) Reply() bool           { return true }
func (*ListOffsetsRequest) API() API         { return ListOffsetsAPI }
func (*ListOffsetsRequest) Reply() bool      { return false }
func (*ListOffsetsResponse) API() API        { return ListOffsetsAPI }
func (*ListOffsetsResponse) Reply() bool     { return true }
func (*MetadataRequest) API() API            { return MetadataAPI }
func (*MetadataRequest) Reply() bool         { return false }
func (*MetadataResponse) API() API           { return MetadataAPI }
func (*MetadataResponse) Reply() bool        { return true }
func (*UpdateMetadataRequest) API() API      { return UpdateMetadataAPI }
func (*UpdateMetadataRequest) Reply() bool   { return false }
func (*UpdateMetadataResponse) API() API     { return UpdateMetadataAPI }
func (*UpdateMetadataResponse) Reply() bool  { return true }
func (*OffsetCommitRequest) API() API        { return OffsetCommitAPI }
func (*OffsetCommitRequest) Reply() bool     { return false }
func (*OffsetCommitResponse) API() API       { return OffsetCommitAPI }
func (*OffsetCommitResponse) Reply() bool    { return true }
func (*OffsetFetchRequest) API() API         { return OffsetFetchAPI }
func (*OffsetFetchRequest) Reply() bool      { return false }
func (*OffsetFetchResponse) API() API        { return OffsetFetchAPI }
func (*OffsetFetchResponse) Reply() bool     { return true }
func (*FindCoordinatorRequest) API() API     { return FindCoordinatorAPI }
func (*FindCoordinatorRequest) Reply() bool  { return false }
func (*FindCoordinatorResponse) API() API    { return FindCoordinatorAPI }
func (*FindCoordinatorResponse) Reply() bool { return true }
func (*JoinGroupRequest) API() API           { return JoinGroupAPI }
func (*JoinGroupRequest) Reply() bool        { return false }
func (*JoinGroupResponse) API() API          { return JoinGroupAPI }
func (*JoinGroupResponse) Reply() bool       { return true }
func (*HeartbeatRequest) API() API           { return HeartbeatAPI }
func (*HeartbeatRequest) Reply() bool        { return false }
func (*HeartbeatResponse) API() API          { return HeartbeatAPI }
func (*HeartbeatResponse) Reply() bool       { return true }
func (*LeaveGroupRequest) API() API          { return LeaveGroupAPI }
func (*LeaveGroupRequest) Reply() bool       { return false }
func (*LeaveGroupResponse) API() API         { return LeaveGroupAPI }
func (*LeaveGroupResponse) Reply() bool      { return true }
func (*SyncGroupRequest) API() API           { return SyncGroupAPI }
func (*SyncGroupRequest) Reply() bool        { return false }
func (*SyncGroupResponse) API() API          { return SyncGroupAPI }
func (*SyncGroupResponse) Reply() bool       { return true }
