// Package sharing finds memory that a value and its clone both hold and either could change. It is for tests.
package sharing

import (
	"fmt"
	"reflect"
	"strings"
)

// Between walks a value and its clone side by side, unexported fields included, and returns the paths at which both hold the
// same memory: a pointer's target, a map, a slice's array. Functions and channels, which no clone can separate, count too.
//
// What never changes once it is made may be shared: whatever a pointer of package core/kafka leads to (messages, images of the
// cluster, settings), and fields with the tag `clone:"shared"`.
func Between(value, clone any) []string {
	w := walker{seen: map[[2]uintptr]bool{}}
	w.walk("", reflect.ValueOf(value), reflect.ValueOf(clone))
	return w.shared
}

type walker struct {
	shared []string
	seen   map[[2]uintptr]bool // pairs of pointers walked already
}

func (w *walker) report(path string, v reflect.Value) {
	w.shared = append(w.shared, fmt.Sprintf("%s: %s", path, v.Type()))
}

func (w *walker) walk(path string, a, b reflect.Value) {
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() {
		return
	}
	switch a.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if !a.IsNil() {
			w.report(path, a)
		}
	case reflect.Interface:
		w.walk(path, a.Elem(), b.Elem())
	case reflect.Pointer:
		w.walkPointer(path, a, b)
	case reflect.Map:
		w.walkMap(path, a, b)
	case reflect.Slice:
		w.walkSlice(path, a, b)
	case reflect.Array:
		for i := range a.Len() {
			w.walk(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i))
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if field := a.Type().Field(i); field.Tag.Get("clone") != "shared" {
				w.walk(path+"."+field.Name, a.Field(i), b.Field(i))
			}
		}
	}
}

func (w *walker) walkPointer(path string, a, b reflect.Value) {
	if a.IsNil() || b.IsNil() || strings.HasSuffix(a.Type().Elem().PkgPath(), "/core/kafka") {
		return
	}
	if a.Pointer() == b.Pointer() {
		if a.Type().Elem().Size() > 0 {
			w.report(path, a)
		}
		return
	}
	pair := [2]uintptr{a.Pointer(), b.Pointer()}
	if !w.seen[pair] {
		w.seen[pair] = true
		w.walk(path, a.Elem(), b.Elem())
	}
}

func (w *walker) walkMap(path string, a, b reflect.Value) {
	if a.IsNil() || b.IsNil() {
		return
	}
	if a.Pointer() == b.Pointer() {
		w.report(path, a)
		return
	}
	for _, key := range a.MapKeys() {
		w.walk(fmt.Sprintf("%s[%v]", path, key), a.MapIndex(key), b.MapIndex(key))
	}
}

func (w *walker) walkSlice(path string, a, b reflect.Value) {
	if overlap(a, b) {
		w.report(path, a)
		return
	}
	for i := range min(a.Len(), b.Len()) {
		w.walk(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i))
	}
}

// overlap reports whether two slices have room in the same array, be it only behind their ends, where append writes.
func overlap(a, b reflect.Value) bool {
	size := a.Type().Elem().Size()
	from, to := a.Pointer(), a.Pointer()+uintptr(a.Cap())*size
	otherFrom, otherTo := b.Pointer(), b.Pointer()+uintptr(b.Cap())*size
	return max(from, otherFrom) < min(to, otherTo)
}
