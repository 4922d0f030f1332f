package assign

import "groupscope/core/kafka"

// javaOrder returns the order in which a java.util.HashMap hands out keys that were put into it in the given order, as
// their positions. Kafka's sticky assignor walks such a map of member ids, which decides who keeps one partition more.
//
// A key goes to bucket (h ^ h>>>16) mod size, h being its String.hashCode; the table begins with 16 buckets and doubles when
// it is more than three quarters full; within a bucket the order is that of putting. A bucket of eight and more keys in a
// table of 64 and more becomes a tree in Java, which may move one of its keys to the front: that is not followed here.
func javaOrder(keys []string) []int32 {
	hashes := make([]uint32, len(keys))
	for i, key := range keys {
		h := uint32(kafka.JavaHash(key))
		hashes[i] = h ^ h>>16
	}
	return bucketOrder(hashes, javaTableSize(len(keys)))
}

// javaTableSize is the number of buckets of a HashMap that grew by itself to n keys.
func javaTableSize(n int) int {
	size := 16
	for n > size*3/4 {
		size *= 2
	}
	return size
}

// bucketOrder sorts positions by their bucket and keeps their order within one.
func bucketOrder(hashes []uint32, size int) []int32 {
	end := make([]int32, size+1)
	for _, h := range hashes {
		end[h&uint32(size-1)+1]++
	}
	for b := range size {
		end[b+1] += end[b]
	}
	order := make([]int32, len(hashes))
	for i, h := range hashes {
		b := h & uint32(size-1)
		order[end[b]] = int32(i)
		end[b]++
	}
	return order
}
