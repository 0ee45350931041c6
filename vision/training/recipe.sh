#!/bin/sh
# Trains the two networks of card indices anew, on two cores in about an hour and a half.
#
#   sh vision/training/recipe.sh LABELS.json WORK [NODE_MODULES]
#
# LABELS.json lists labelled photos beside it (docs/vision.md tells which); WORK is an empty folder
# with room for 8 GB. Python must have requirements-train.lock; rsvg-convert and the decks of
# ARTWORK.md must be installed. The networks end in WORK/models; nothing here is touched.
set -eu
labels=$1 work=$2 npm=${3:+--npm $3}
train="python -m vision.training"
mkdir -p "$work/models"

# shellcheck disable=SC2086
$train.artwork "$work/art" $npm
$train.scenes "$work/art" "$work/a" --count 3000 --seed 1
$train.scenes "$work/art" "$work/b" --count 1000 --seed 2
$train.scenes "$work/art" "$work/c" --count 900 --seed 4
$train.scenes "$work/art" "$work/d" --count 900 --seed 5
a=$work/a b=$work/b c=$work/c d=$work/d

# First on drawn scenes alone.
$train.detector "$a" "$b" --out "$work/finder1.pt" --steps 1400 --seed 1
$train.classifier "$a" "$b" --out "$work/reader1.pt" --steps 3000 --seed 1
$train.export --finder "$work/finder1.pt" --reader "$work/reader1.pt" --models "$work/models"

# Then with the photos of the training side, as far as their corners were read rightly; twice.
for round in 1 2; do
    $train.photos "$labels" "$work/photos$round" --models "$work/models"
    p=$work/photos$round
    $train.detector "$a" "$b" "$c" "$d" "$p" "$p" "$p" "$p" "$p" --start "$work/finder$round.pt" \
        --out "$work/finder$((round + 1)).pt" --rate 2e-3 --steps 1400 --seed $((round + 1))
    $train.classifier "$a" "$b" "$c" "$d" "$p" "$p" "$p" "$p" "$p" --start "$work/reader$round.pt" \
        --out "$work/reader$((round + 1)).pt" --rate 2e-3 --steps 3500 --seed $((round + 1))
    $train.export --finder "$work/finder$((round + 1)).pt" --reader "$work/reader$((round + 1)).pt" \
        --models "$work/models"
done

# The finder once more, for the way to a card's middle; then the reader, on what the finder takes for
# an index and is none.
$train.detector "$a" "$b" "$c" "$c" "$d" "$d" "$p" "$p" "$p" "$p" "$p" "$p" "$p" "$p" \
    --start "$work/finder3.pt" --out "$work/finder4.pt" --rate 1.6e-3 --steps 1300 --seed 5
$train.doubts "$b" "$work/b-doubts" --models "$work/models" --first 600
$train.doubts "$c" "$work/c-doubts" --models "$work/models" --first 600
b=$work/b-doubts c=$work/c-doubts
$train.classifier "$a" "$b" "$b" "$c" "$c" "$d" "$p" "$p" "$p" "$p" "$p" "$p" \
    --start "$work/reader3.pt" --out "$work/reader4.pt" --rate 1.2e-3 --steps 1600 --seed 4
$train.export --finder "$work/finder4.pt" --reader "$work/reader4.pt" --models "$work/models"
