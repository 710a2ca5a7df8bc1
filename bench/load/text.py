#!/usr/bin/env python3
"""Prints so many bytes of text that can be compressed about as well as a real one: text.py BYTES"""
import random
import sys

source = random.Random(1)
letters = "etaoinshrdlucmfwypvbgkqjxz"
words = ["".join(source.choices(letters, range(26, 0, -1), k=source.randint(2, 9))) for _ in range(20000)]
weights = [1 / (1 + i) for i in range(len(words))]
left = int(sys.argv[1])
while left > 0:
    line = (" ".join(source.choices(words, weights, k=2000)) + ".\n")[:left]
    left -= len(line)
    sys.stdout.write(line)
