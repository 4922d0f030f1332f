package kafka

// overhead is what a message takes beside its records, in bytes: near enough for requests of a few partitions.
const overhead = 100

// Size is how many bytes a message takes on the wire, mostly those of its records.
func Size(b Body) int64 {
	size := int64(overhead)
	add := func(records []Record) {
		for i := range records {
			size += int64(records[i].Size)
		}
	}
	switch r := b.(type) {
	case *FetchResponse:
		for i := range r.Partitions {
			add(r.Partitions[i].Records)
			size += int64(r.Partitions[i].Partial)
		}
	case *ProduceRequest:
		for i := range r.Partitions {
			add(r.Partitions[i].Records)
		}
	}
	return size
}
