package view

import (
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"

	"groupscope/core/kafka"
)

// Field is one field of a message, as text.
type Field struct {
	Name, Value string
}

// Fields lists what a message says, in the order of the protocol: one source for the inspector, the trace's text form
// and its hash. Fields that are empty are left out.
func Fields(b kafka.Body) []Field {
	v := reflect.ValueOf(b).Elem()
	fields := make([]Field, 0, v.NumField())
	for i := range v.NumField() {
		if value := fieldText(v.Field(i)); value != "" {
			fields = append(fields, Field{fieldName(v.Type().Field(i).Name), value})
		}
	}
	return fields
}

// fieldName writes a Go name the way the protocol's own texts do: memberId, generation.
func fieldName(name string) string {
	name = strings.ReplaceAll(strings.ReplaceAll(name, "ID", "Id"), "ISR", "Isr")
	return string(unicode.ToLower(rune(name[0]))) + name[1:]
}

// fieldText writes a value; "" for one that says nothing.
func fieldText(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case time.Duration:
		return durationText(x)
	case kafka.Record:
		return fmt.Sprintf("@%d %s=%q at %v, %d B", x.Offset, keyText(x), x.Value, x.Timestamp, x.Size)
	case *kafka.Cluster:
		return fmt.Sprintf("epoch %d, %d brokers, %d topics", x.Epoch, len(x.Brokers), len(x.Topics))
	case kafka.TopicPartition:
		return x.String()
	case kafka.ErrorCode:
		return x.String()
	case kafka.Release:
		return x.String()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return fieldText(v.Elem())
	case reflect.Slice:
		return sliceText(v)
	case reflect.Struct:
		return structText(v)
	case reflect.Bool:
		if !v.Bool() {
			return ""
		}
	}
	return fmt.Sprint(v.Interface())
}

// durationText writes the timestamps that stand for a place by their names.
func durationText(d time.Duration) string {
	switch d {
	case kafka.LatestTimestamp:
		return "latest"
	case kafka.EarliestTimestamp:
		return "earliest"
	}
	return d.String()
}

func keyText(r kafka.Record) string {
	if r.NullKey {
		return "null"
	}
	return fmt.Sprintf("%q", r.Key)
}

func sliceText(v reflect.Value) string {
	if v.Len() == 0 {
		return ""
	}
	parts := make([]string, v.Len())
	for i := range parts {
		parts[i] = fieldText(v.Index(i))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// structText writes a nested structure: an embedded one stands for itself, the others as name: value.
func structText(v reflect.Value) string {
	var parts []string
	for i := range v.NumField() {
		field := v.Type().Field(i)
		value := fieldText(v.Field(i))
		switch {
		case value == "" || value == "NONE":
		case field.Anonymous:
			parts = append(parts, value)
		default:
			parts = append(parts, fieldName(field.Name)+": "+value)
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
