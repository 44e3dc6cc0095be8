// Checks a proof with the packages that Go itself checks its module log with: note and tlog.
//
//	verify VKEY FILE [OLDER]            exit code 0 if the key vouches for it, and for its tree being
//	                                    what that of an older proof or checkpoint became
//	verify --mutate VKEY FILE [OLDER]   changes each byte of file and key in turn; none may be accepted
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Go decodes base64 leniently; here a text that was not written so is refused.
var strict = base64.StdEncoding.Strict()

var errMalformed = errors.New("malformed")

func main() {
	arguments := os.Args[1:]
	mutates := len(arguments) > 0 && arguments[0] == "--mutate"
	if mutates {
		arguments = arguments[1:]
	}
	if len(arguments) != 2 && len(arguments) != 3 {
		fmt.Fprintln(os.Stderr, "usage: verify [--mutate] VKEY FILE [OLDER]")
		os.Exit(64)
	}
	file, err := os.ReadFile(arguments[1])
	var older []byte
	if err == nil && len(arguments) == 3 {
		older, err = os.ReadFile(arguments[2])
	}
	if err == nil {
		err = verify(arguments[0], file, older)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "refused:", err)
		os.Exit(1)
	}
	if mutates && !refusesMutations(arguments[0], file, older) {
		os.Exit(1)
	}
}

func refusesMutations(vkey string, file, older []byte) bool {
	refused := true
	for index := range file {
		for bit := 0; bit < 8; bit++ {
			changed := append([]byte{}, file...)
			changed[index] ^= 1 << bit
			if verify(vkey, changed, older) == nil {
				fmt.Fprintf(os.Stderr, "accepted: byte %d of the proof, bit %d\n", index, bit)
				refused = false
			}
		}
	}
	for index := range vkey {
		changed := []byte(vkey)
		changed[index] ^= 1
		if verify(string(changed), file, older) == nil {
			fmt.Fprintf(os.Stderr, "accepted: byte %d of the key\n", index)
			refused = false
		}
	}
	return refused
}

func verify(vkey string, file, older []byte) error {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return err
	}
	head, signed, found := strings.Cut(string(file), "\n\n")
	lines := strings.Split(head, "\n")
	if !found || len(lines) < 3 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return errMalformed
	}
	extra, number := strings.TrimPrefix(lines[1], "extra "), strings.TrimPrefix(lines[2], "index ")
	index, err := strconv.ParseInt(number, 10, 64)
	isCanonical := err == nil && strconv.FormatInt(index, 10) == number
	if extra == lines[1] || number == lines[2] || !isCanonical {
		return errMalformed
	}
	var siblings tlog.RecordProof
	for _, line := range lines[3:] {
		hash, err := strict.DecodeString(line)
		if err != nil || len(hash) != tlog.HashSize {
			return errMalformed
		}
		siblings = append(siblings, tlog.Hash(*(*[tlog.HashSize]byte)(hash)))
	}
	size, root, err := checkpoint(signed, verifier)
	if err != nil {
		return err
	}
	opened, err := strict.DecodeString(extra)
	if err != nil {
		return errMalformed
	}
	leaf, since, err := leaf(opened)
	if err != nil {
		return err
	}
	if older != nil {
		older = []byte(strings.TrimPrefix(string(older), "c2sp.org/tlog-proof@v1\n"))
		if head, rest, _ := strings.Cut(string(older), "\n\n"); strings.HasPrefix(head, "extra ") {
			older = []byte(rest)
		}
		oldSize, oldRoot, err := checkpoint(string(older), verifier)
		if err != nil {
			return err
		}
		if since == nil || since.size != oldSize {
			return errors.New("it says nothing of the older one")
		}
		if err := tlog.CheckTree(since.hashes, size, root, oldSize, oldRoot); err != nil {
			return err
		}
	}
	return tlog.CheckRecord(siblings, size, root, index, tlog.RecordHash(leaf))
}

// What connects an older tree with the one of a proof.
type consistency struct {
	size   int64
	hashes tlog.TreeProof
}

// The size and the root that a key has signed.
func checkpoint(signed string, verifier note.Verifier) (int64, tlog.Hash, error) {
	opened, err := note.Open([]byte(signed), note.VerifierList(verifier))
	if err != nil {
		return 0, tlog.Hash{}, err
	}
	for _, signature := range opened.Sigs {
		if _, err := strict.DecodeString(signature.Base64); err != nil {
			return 0, tlog.Hash{}, errMalformed
		}
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		return 0, tlog.Hash{}, errMalformed
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return 0, tlog.Hash{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return size, root, err
}

// The data of the leaf that an opened section is part of: record format, "The proof". If steps
// follow, the record of a day in the section has to name their hash.
func leaf(opened []byte) ([]byte, *consistency, error) {
	if len(opened) < 22 || opened[0] < 1 || opened[0] > 2 || opened[3] > 7 {
		return nil, nil, errMalformed
	}
	format, number, salt := opened[1:3], int(opened[3]), opened[4:20]
	length := int(opened[20]) | int(opened[21])<<8
	rest := opened[22:]
	if len(rest) < length+7*32 {
		return nil, nil, errMalformed
	}
	section, others, steps := rest[:length], rest[length:length+7*32], rest[length+7*32:]
	var since *consistency
	if opened[0] == 2 {
		if len(steps) < 9 || len(steps) < 9+32*int(steps[8]) {
			return nil, nil, errMalformed
		}
		since = &consistency{size: int64(binary.LittleEndian.Uint64(steps))}
		for count, at := int(steps[8]), 9; count > 0; count, at = count-1, at+32 {
			since.hashes = append(since.hashes, tlog.Hash(*(*[tlog.HashSize]byte)(steps[at:])))
		}
		steps = steps[9+32*len(since.hashes):]
	}
	hashed := append([]byte("pulselog.section"), byte(number))
	hash := sha256.Sum256(append(append(hashed, salt...), section...))
	leaf := append([]byte{}, format...)
	leaf = append(leaf, others[:32*number]...)
	leaf = append(leaf, hash[:]...)
	leaf = append(leaf, others[32*number:]...)
	if stepsHash := sha256.Sum256(steps); len(steps) > 0 && !bytes.Contains(section, stepsHash[:]) {
		return nil, nil, errors.New("the steps are not those of the record")
	}
	return leaf, since, nil
}
