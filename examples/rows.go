// A bot in Go, with the standard library alone: one ship per row, random shots.
//
//	go build -o rows rows.go
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
)

type ship struct {
	Name   string
	Length int
}

type message struct {
	Type  string
	ID    json.RawMessage
	Seed  uint64
	Shots int
	Rules struct {
		Rows, Columns int
		Fleet         []ship
	}
}

func main() {
	answers := json.NewEncoder(os.Stdout)
	lines := bufio.NewReader(os.Stdin)
	var game message
	var untried []int
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked message
		if err := json.Unmarshal(line, &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		switch asked.Type {
		case "hello":
			answers.Encode(map[string]any{"type": "hello", "protocol": 1, "name": "Rows"})
		case "game":
			game = asked
			untried = rand.New(rand.NewSource(int64(game.Seed))).Perm(game.Rules.Rows * game.Rules.Columns)
		case "place":
			ships := map[string][]int{}
			for row, ship := range game.Rules.Fleet {
				for n := 0; n < ship.Length; n++ {
					ships[ship.Name] = append(ships[ship.Name], row*game.Rules.Columns+n)
				}
			}
			answers.Encode(map[string]any{"type": "layout", "id": asked.ID, "ships": ships})
		case "shoot":
			cells := untried[:asked.Shots]
			untried = untried[asked.Shots:]
			answers.Encode(map[string]any{"type": "shots", "id": asked.ID, "cells": cells})
		case "fault":
			fmt.Fprintf(os.Stderr, "stopped: %s", line)
		case "bye":
			return
		}
	}
}
