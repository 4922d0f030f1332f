package kafka

import "slices"

// Feature is one difference of behaviour between releases. Code asks for it by name and never compares releases.
type Feature uint8

// The features of the group coordinator.
const (
	EmptyGroupState Feature = iota
	HeartbeatChecksMember
	HeartbeatDuringSync
	CommitResetsSession
	CommitChecksMemberFirst
	CompletingRebalanceName
	InitialRebalanceDelay
	NewMemberJoinTimeout
	MemberIDHandshake
	GroupMaxSize
	StaticMembership
	LeaderReelection
	DeadGroupMoved
	PendingSyncExpiry
	StaticLeaderSkipsAssignment
	JoinReason
	RebalanceTimeout
	OffsetsExpireWhenEmpty
	OffsetsTopicReplicationEnforced
	RequireStable
	TransactionalCommitFencing
	JavaCoordinator
)

// The features of the consumer.
const (
	HeartbeatThread Feature = iota + JavaCoordinator + 1
	HeartbeatAfterJoin
	AutoCommitInPoll
	MaxPollRecords
	CloseTimeout
	NullGroupID
	PollTimeoutBindsJoin
	DefaultAPITimeout
	ReconnectBackoffGrows
	RetryBackoffGrows
	SubscriptionOwned
	SubscriptionGeneration
	SubscriptionRack
	CooperativeRebalance
	OnPartitionsLost
	ListenerErrorsThrown
	FirstJoinSkipsRevoked
	CloseRevokes
	CloseLosesDuringRebalance
	CommitRebalanceKeepsGeneration
	CommitRebalanceInProgress
	ResetGenerationKeepsMemberID
	StaleErrorsIgnored
	ResetPreparesJoin
	MissingTopicAskedAgain
	PatternMatchedBeforeJoin
	LeaderAloneNotices
	PollReturnsOnProgress
	AutoCommitBeforeJoinAsync
	PendingRevocation
	ResetByDuration
)

// The features of the assignors.
const (
	StickyAssignor Feature = iota + ResetByDuration + 1
	ConstrainedSticky
	RackAwareAssignors
	HighestGenerationClaims
	SortedClaims
)

// The features of fetching, replication and the producer.
const (
	FirstBatchReturned Feature = iota + SortedClaims + 1
	PausedPartitionsKeepBuffer
	FollowerFetching
	PositionValidation
	TruncationDetection
	BrokerFetchMaxBytes
	NewLeaderInResponse
	LeaderEpochTruncation
	UnknownEpochTruncation
	TruncationOnFetch
	ControllerOwnsISR
	HighWatermarkWaitsForMinISR
	OffsetNotAvailableCode
	KRaft
	Transactions
	ProducerFencedCode
	IdempotenceByDefault
	DeliveryTimeout
	StickyPartitioner
	UniformStickyPartitioner
	ClientThrottles
	featureCount
)

// FeatureInfo describes a feature. A zero Broker or Client means that nothing is asked of that side.
type FeatureInfo struct {
	Feature Feature
	Name    string  // as Kafka's own texts refer to it: its KIP or its issue, else the class where it shows
	Help    string  // what is so since then
	Broker  Release // the first broker release
	Client  Release // the first client release
	Lacking []Release
	Source  string
}

// Broker reports whether a broker of that release has its part of the feature.
func (f Feature) Broker(r Release) bool { return features[f].has(features[f].Broker, r) }

// Client reports whether a client of that release has its part of the feature.
func (f Feature) Client(r Release) bool { return features[f].has(features[f].Client, r) }

// has compares a release with the first one; some later releases of an older series lack a feature all the same.
func (i *FeatureInfo) has(first, r Release) bool {
	return r.Compare(first) >= 0 && !slices.Contains(i.Lacking, r)
}

// String returns the feature's name and since when it is there: "KIP-394: broker >= 2.2, client >= 2.2".
func (f Feature) String() string {
	info := features[f]
	text, separator := info.Name, ": "
	if info.Broker != (Release{}) {
		text += separator + "broker >= " + info.Broker.String()
		separator = ", "
	}
	if info.Client != (Release{}) {
		text += separator + "client >= " + info.Client.String()
	}
	return text
}

// Features lists all features, by number.
func Features() []FeatureInfo {
	list := slices.Clone(features[:])
	for i := range list {
		list[i].Feature = Feature(i)
	}
	return list
}
