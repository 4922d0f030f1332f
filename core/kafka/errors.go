package kafka

import "strconv"

// ErrorCode is an error code of the Kafka protocol. It is not a Go error: a response carries it as data.
type ErrorCode int16

// The error codes that the model can answer, with the numbers of org.apache.kafka.common.protocol.Errors.
const (
	UnknownServerError           ErrorCode = -1
	None                         ErrorCode = 0
	OffsetOutOfRange             ErrorCode = 1
	CorruptMessage               ErrorCode = 2
	UnknownTopicOrPartition      ErrorCode = 3
	LeaderNotAvailable           ErrorCode = 5
	NotLeaderOrFollower          ErrorCode = 6
	RequestTimedOut              ErrorCode = 7
	ReplicaNotAvailable          ErrorCode = 9
	MessageTooLarge              ErrorCode = 10
	OffsetMetadataTooLarge       ErrorCode = 12
	CoordinatorLoadInProgress    ErrorCode = 14
	CoordinatorNotAvailable      ErrorCode = 15
	NotCoordinator               ErrorCode = 16
	InvalidTopic                 ErrorCode = 17
	NotEnoughReplicas            ErrorCode = 19
	NotEnoughReplicasAfterAppend ErrorCode = 20
	IllegalGeneration            ErrorCode = 22
	InconsistentGroupProtocol    ErrorCode = 23
	InvalidGroupID               ErrorCode = 24
	UnknownMemberID              ErrorCode = 25
	InvalidSessionTimeout        ErrorCode = 26
	RebalanceInProgress          ErrorCode = 27
	InvalidCommitOffsetSize      ErrorCode = 28
	TopicAuthorizationFailed     ErrorCode = 29
	GroupAuthorizationFailed     ErrorCode = 30
	UnsupportedVersion           ErrorCode = 35
	TopicAlreadyExists           ErrorCode = 36
	InvalidPartitions            ErrorCode = 37
	InvalidReplicationFactor     ErrorCode = 38
	OutOfOrderSequenceNumber     ErrorCode = 45
	DuplicateSequenceNumber      ErrorCode = 46
	InvalidProducerEpoch         ErrorCode = 47
	InvalidTxnState              ErrorCode = 48
	InvalidProducerIDMapping     ErrorCode = 49
	InvalidTransactionTimeout    ErrorCode = 50
	ConcurrentTransactions       ErrorCode = 51
	KafkaStorageError            ErrorCode = 56
	UnknownProducerID            ErrorCode = 59
	NonEmptyGroup                ErrorCode = 68
	GroupIDNotFound              ErrorCode = 69
	FencedLeaderEpoch            ErrorCode = 74
	UnknownLeaderEpoch           ErrorCode = 75
	OffsetNotAvailable           ErrorCode = 78
	MemberIDRequired             ErrorCode = 79
	GroupMaxSizeReached          ErrorCode = 81
	FencedInstanceID             ErrorCode = 82
	GroupSubscribedToTopic       ErrorCode = 86
	UnstableOffsetCommit         ErrorCode = 88
	ProducerFenced               ErrorCode = 90
	IneligibleReplica            ErrorCode = 107
)

var errorNames = map[ErrorCode]string{
	UnknownServerError:           "UNKNOWN_SERVER_ERROR",
	None:                         "NONE",
	OffsetOutOfRange:             "OFFSET_OUT_OF_RANGE",
	CorruptMessage:               "CORRUPT_MESSAGE",
	UnknownTopicOrPartition:      "UNKNOWN_TOPIC_OR_PARTITION",
	LeaderNotAvailable:           "LEADER_NOT_AVAILABLE",
	NotLeaderOrFollower:          "NOT_LEADER_OR_FOLLOWER",
	RequestTimedOut:              "REQUEST_TIMED_OUT",
	ReplicaNotAvailable:          "REPLICA_NOT_AVAILABLE",
	MessageTooLarge:              "MESSAGE_TOO_LARGE",
	OffsetMetadataTooLarge:       "OFFSET_METADATA_TOO_LARGE",
	CoordinatorLoadInProgress:    "COORDINATOR_LOAD_IN_PROGRESS",
	CoordinatorNotAvailable:      "COORDINATOR_NOT_AVAILABLE",
	NotCoordinator:               "NOT_COORDINATOR",
	InvalidTopic:                 "INVALID_TOPIC_EXCEPTION",
	NotEnoughReplicas:            "NOT_ENOUGH_REPLICAS",
	NotEnoughReplicasAfterAppend: "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
	IllegalGeneration:            "ILLEGAL_GENERATION",
	InconsistentGroupProtocol:    "INCONSISTENT_GROUP_PROTOCOL",
	InvalidGroupID:               "INVALID_GROUP_ID",
	UnknownMemberID:              "UNKNOWN_MEMBER_ID",
	InvalidSessionTimeout:        "INVALID_SESSION_TIMEOUT",
	RebalanceInProgress:          "REBALANCE_IN_PROGRESS",
	InvalidCommitOffsetSize:      "INVALID_COMMIT_OFFSET_SIZE",
	TopicAuthorizationFailed:     "TOPIC_AUTHORIZATION_FAILED",
	GroupAuthorizationFailed:     "GROUP_AUTHORIZATION_FAILED",
	UnsupportedVersion:           "UNSUPPORTED_VERSION",
	TopicAlreadyExists:           "TOPIC_ALREADY_EXISTS",
	InvalidPartitions:            "INVALID_PARTITIONS",
	InvalidReplicationFactor:     "INVALID_REPLICATION_FACTOR",
	OutOfOrderSequenceNumber:     "OUT_OF_ORDER_SEQUENCE_NUMBER",
	DuplicateSequenceNumber:      "DUPLICATE_SEQUENCE_NUMBER",
	InvalidProducerEpoch:         "INVALID_PRODUCER_EPOCH",
	InvalidTxnState:              "INVALID_TXN_STATE",
	InvalidProducerIDMapping:     "INVALID_PRODUCER_ID_MAPPING",
	InvalidTransactionTimeout:    "INVALID_TRANSACTION_TIMEOUT",
	ConcurrentTransactions:       "CONCURRENT_TRANSACTIONS",
	KafkaStorageError:            "KAFKA_STORAGE_ERROR",
	UnknownProducerID:            "UNKNOWN_PRODUCER_ID",
	NonEmptyGroup:                "NON_EMPTY_GROUP",
	GroupIDNotFound:              "GROUP_ID_NOT_FOUND",
	FencedLeaderEpoch:            "FENCED_LEADER_EPOCH",
	UnknownLeaderEpoch:           "UNKNOWN_LEADER_EPOCH",
	OffsetNotAvailable:           "OFFSET_NOT_AVAILABLE",
	MemberIDRequired:             "MEMBER_ID_REQUIRED",
	GroupMaxSizeReached:          "GROUP_MAX_SIZE_REACHED",
	FencedInstanceID:             "FENCED_INSTANCE_ID",
	GroupSubscribedToTopic:       "GROUP_SUBSCRIBED_TO_TOPIC",
	UnstableOffsetCommit:         "UNSTABLE_OFFSET_COMMIT",
	ProducerFenced:               "PRODUCER_FENCED",
	IneligibleReplica:            "INELIGIBLE_REPLICA",
}

// String returns the error's name as Kafka's logs print it.
func (e ErrorCode) String() string {
	if name, ok := errorNames[e]; ok {
		return name
	}
	return "ERROR_" + strconv.Itoa(int(e))
}

// ParseErrorCode finds an error code by its name.
func ParseErrorCode(name string) (ErrorCode, bool) {
	for code, n := range errorNames {
		if n == name {
			return code, true
		}
	}
	return 0, false
}

// ErrorNames lists the names of all error codes, in the order of their numbers.
func ErrorNames() []string {
	var names []string
	for code := UnknownServerError; code <= IneligibleReplica; code++ {
		if name, ok := errorNames[code]; ok {
			names = append(names, name)
		}
	}
	return names
}
