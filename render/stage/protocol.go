package stage

import (
	"reflect"

	"groupscope/core/kafka"
)

// protocolNames are the names of fields in Kafka's message definitions (clients/src/main/resources/common/message of Apache
// Kafka) where the model's differ from them by more than case; by type and field, or by field alone where all types agree.
// A field of an embedded structure counts as one of the structure around it.
var protocolNames = map[string]string{
	"Error": "errorCode", "Group": "groupId", "Generation": "generationId", "InstanceID": "groupInstanceId", "Replica": "replicaId",
	"SessionTimeout": "sessionTimeoutMs", "RebalanceTimeout": "rebalanceTimeoutMs", "MaxWait": "maxWaitMs", "Throttle": "throttleTimeMs",
	"Subscription": "metadata", "Owned": "ownedPartitions", "ReadCommitted": "isolationLevel",

	"FindCoordinatorRequest.Group": "key", "FindCoordinatorRequest.TransactionalID": "key", "FindCoordinatorResponse.Coordinator": "nodeId",
	"JoinGroupResponse.Protocol": "protocolName", "SyncGroupRequest.Protocol": "protocolName",
	"Subscription.Rack": "rackId", "StickyUserData.Generation": "generation", "MemberAssignment.Partitions": "assignment",
	"CommitOffset.Offset": "committedOffset", "CommitOffset.Metadata": "committedMetadata", "FetchedOffset.Offset": "committedOffset",
	"FetchRequest.Rack": "rackId", "FetchPartition.Offset": "fetchOffset", "FetchPartition.MaxBytes": "partitionMaxBytes",
	"FetchPartition.LeaderEpoch": "currentLeaderEpoch", "FetchPartition.LastEpoch": "lastFetchedEpoch",
	"FetchedPartition.PreferredReplica": "preferredReadReplica", "FetchedPartition.Aborted": "abortedTransactions",
	"FetchedPartition.Diverging": "divergingEpoch", "EpochEnd.Offset": "endOffset",
	"ProduceRequest.Timeout": "timeoutMs", "InitProducerIDRequest.Timeout": "transactionTimeoutMs", "InitProducerIDResponse.Epoch": "producerEpoch",
	"AddPartitionsToTxnRequest.Epoch": "producerEpoch", "AddOffsetsToTxnRequest.Epoch": "producerEpoch",
	"TxnOffsetCommitRequest.Epoch": "producerEpoch", "EndTxnRequest.Epoch": "producerEpoch", "EndTxnRequest.Commit": "committed",
	"WriteTxnMarkersRequest.Epoch": "producerEpoch", "WriteTxnMarkersRequest.Marker": "transactionResult",
	"PartitionEpoch.LeaderEpoch": "currentLeaderEpoch", "PartitionEpoch.Epoch": "leaderEpoch",
	"PartitionEpochEnd.Epoch": "leaderEpoch", "PartitionEpochEnd.Offset": "endOffset", "PartitionISR.ISR": "newIsr",
	"BrokerInfo.ID": "nodeId", "TopicInfo.Internal": "isInternal", "PartitionInfo.Leader": "leaderId",
	"PartitionInfo.Replicas": "replicaNodes", "PartitionInfo.ISR": "isrNodes",
}

// protocolName is what Kafka's protocol calls a field of a structure.
func protocolName(around reflect.Type, field string) string {
	if name, ok := protocolNames[around.Name()+"."+field]; ok {
		return name
	}
	if name, ok := protocolNames[field]; ok {
		return name
	}
	return camel(field)
}

// isolationLevel is how the protocol writes what a consumer may read.
func isolationLevel(readCommitted bool) string {
	if readCommitted {
		return "1 (read_committed)"
	}
	return "0 (read_uncommitted)"
}

// fieldRows lists every field of a message in the order of its schema.
func fieldRows(body kafka.Body) []row {
	if find, ok := body.(*kafka.FindCoordinatorRequest); ok {
		if find.TransactionalID != "" {
			return append(valueRows("key", reflect.ValueOf(find.TransactionalID), 0), row{name: "keyType", value: "1 (transaction)"})
		}
		return append(valueRows("key", reflect.ValueOf(find.Group), 0), row{name: "keyType", value: "0 (group)"})
	}
	v := reflect.ValueOf(body)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return structRows(v, v.Type(), 0)
}
