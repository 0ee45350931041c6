#!/usr/bin/env bash
# Start a secured node in its container. A node must know its users before it runs, and the
# image's own start cannot tell it; so the storage is formatted here, with users, and then started.
set -euo pipefail
bin=${BIN:-/opt/kafka/bin}
settings=${SETTINGS:-/tmp/server.properties}

# The image's rule for names: KAFKA_A_B is a.b, and three underscores are a dash.
env | awk '/^KAFKA_/ && !/^KAFKA_[A-Z_]*OPTS=/ {
    name = tolower(substr($0, 7, index($0, "=") - 7))
    gsub(/___/, "-", name)
    gsub(/_/, ".", name)
    print name "=" substr($0, index($0, "=") + 1)
}' > "$settings"

users=()
while IFS='=' read -r user password; do
    users+=(--add-scram "SCRAM-SHA-512=[name=$user,iterations=8192,password=$password]")
done < "$USERS_FILE"

"$bin/kafka-storage.sh" format --ignore-formatted -t "$CLUSTER_ID" -c "$settings" "${users[@]}"
exec "$bin/kafka-server-start.sh" "$settings"
