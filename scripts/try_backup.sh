#!/usr/bin/env bash
# Backup and restore, tried for real: runs are queued and worked on while the backup is made; a new
# home gets it back; a worker there finishes what was under way.  The test suite runs this; an
# operator may, too.  It touches nothing but the folder it is given.
#
#     scripts/try_backup.sh [EMPTY_FOLDER]
#
# The last line is JSON: runs in the backup, runs after the restore, how many of them finished.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
export PATH="$here/.venv/bin:$PATH"
folder=${1:-$(mktemp -d)}
chmod 755 "$folder"
items=20
while read -r name; do unset "$name"; done < <(compgen -e WHENCE_ || true)

worker=""
stop() { [ -z "$worker" ] || { kill "$worker" 2>/dev/null && wait "$worker" 2>/dev/null; } || true; }
trap stop EXIT
alive() {
  kill -0 "$worker" || { echo "the worker ended:"; cat "$folder/worker.log"; exit 1; }
  [ $SECONDS -lt 600 ] || { echo "this takes too long"; exit 1; }
}

in_home() { WHENCE_HOME="$folder/$1" whence "${@:2}"; }
count() { in_home "$1" runs list --limit 1000 --json | python -c '
import json, sys
runs = json.load(sys.stdin)["runs"]
print(len(runs), sum(run["status"] == "success" for run in runs))'; }

echo "Filling a first home ..."
mkdir -p "$folder/old"
{ echo "id,title"; for n in $(seq $items); do echo "I-$n,Brass desk lamp number $n"; done; } \
  > "$folder/items.csv"
in_home old import resale.items "$folder/items.csv" > /dev/null
printf 'as_of = 2026-01-01\n[usd_per_million]\n"ollama:ours" = [0.1, 0.2]\n' > "$folder/old/prices.toml"
WHENCE_HOME="$folder/old" python "$here/scripts/queue_research.py" items > "$folder/queued"
nth() { python -c 'import sys; print(open(sys.argv[1]).read().split()[int(sys.argv[2])])' \
  "$folder/queued" "$1"; }

echo "Backing up while a worker is busy ..."
WHENCE_HOME="$folder/old" WHENCE_WORKER_CONCURRENCY=1 whence worker 2> "$folder/worker.log" &
worker=$!
in_home old runs tail "$(nth 0)" > /dev/null
in_home old backup "$folder/backup.tar"
stop; worker=""

echo "Restoring into a new home ..."
in_home new restore "$folder/backup.tar"
cmp "$folder/old/prices.toml" "$folder/new/prices.toml"
read -r before finished < <(count new)
echo "The backup holds $before runs, $finished of them finished."
[ "$finished" -lt "$before" ]

echo "Finishing what was under way ..."
WHENCE_HOME="$folder/new" whence worker 2> "$folder/worker.log" &
worker=$!
in_home new runs tail "$(nth -1)" > /dev/null
read -r after finished < <(count new)
while [ "$finished" -ne "$before" ]; do
  alive
  read -r after finished < <(count new)
done
echo "{\"runsBefore\": $before, \"runsAfter\": $after, \"finished\": $finished}"
