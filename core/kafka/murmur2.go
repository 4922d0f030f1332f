package kafka

// Murmur2 is the hash by which producers place records that have a key: murmur2, 32 bits, seed 0x9747b28c
// (org.apache.kafka.common.utils.Utils.murmur2).
func Murmur2(data []byte) int32 {
	const m, r = 0x5bd1e995, 24
	h := uint32(0x9747b28c) ^ uint32(len(data))
	for ; len(data) >= 4; data = data[4:] {
		k := uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24
		k *= m
		k ^= k >> r
		k *= m
		h = h*m ^ k
	}
	for i := len(data) - 1; i >= 0; i-- {
		h ^= uint32(data[i]) << (8 * i)
	}
	if len(data) > 0 {
		h *= m
	}
	h ^= h >> 13
	h *= m
	h ^= h >> 15
	return int32(h)
}

// KeyPartition is the partition, out of n, of a record with that key (BuiltInPartitioner.partitionForKey).
func KeyPartition(key string, n int32) int32 {
	return (Murmur2([]byte(key)) & 0x7fffffff) % n
}
