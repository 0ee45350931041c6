// Verifies what Roundproof signed, with Go's own libraries for the checksum database:
// a checkpoint, the inclusion of a table's head, of an event, and a consistency proof.
package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	folder := os.Args[1]
	verifier, err := note.NewVerifier(strings.TrimSpace(read(folder, "vkey")))
	must(err)
	signed, err := note.Open([]byte(read(folder, "checkpoint")), note.VerifierList(verifier))
	must(err)
	size, root := head(signed.Text)
	old, err := note.Open([]byte(read(folder, "older-checkpoint")), note.VerifierList(verifier))
	must(err)
	oldSize, oldRoot := head(old.Text)

	lane := read(folder, "lane-head")
	index, path := proof(read(folder, "head.tlog-proof"), 1)
	must(tlog.CheckRecord(path, size, root, index, tlog.RecordHash([]byte(lane))))

	laneSize, laneRoot := head(lane)
	seq, events := proof(read(folder, "event.lane-proof"), 1)
	must(tlog.CheckRecord(events, laneSize, laneRoot, seq, tlog.RecordHash([]byte(read(folder, "event")))))

	_, grown := proof(read(folder, "consistency"), 0)
	must(tlog.CheckTree(tlog.TreeProof(grown), size, root, oldSize, oldRoot))
	fmt.Println("checkpoint, head, event and consistency verified by golang.org/x/mod/sumdb")
}

func head(text string) (int64, tlog.Hash) {
	lines := strings.Split(text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	return size, hash(lines[2])
}

func proof(text string, header int) (int64, tlog.RecordProof) {
	lines := strings.Split(strings.SplitN(text, "\n\n", 2)[0], "\n")[header:]
	index, err := strconv.ParseInt(strings.Fields(lines[0])[1], 10, 64)
	must(err)
	var path tlog.RecordProof
	for _, line := range lines[1:] {
		path = append(path, hash(line))
	}
	return index, path
}

func hash(line string) (made tlog.Hash) {
	body, err := base64.StdEncoding.DecodeString(line)
	must(err)
	copy(made[:], body)
	return made
}

func read(folder, name string) string {
	body, err := os.ReadFile(filepath.Join(folder, name))
	must(err)
	return string(body)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(4)
	}
}
