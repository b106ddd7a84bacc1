#!/bin/sh
# Makes the secrets of compose.yaml, in the folder secrets beside it. It keeps those that are there, so it can run again.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets

random() { od -An -tx1 -N"$1" /dev/urandom | tr -d ' \n'; }

# keep NAME VALUE: writes a secret unless there is one.
keep() {
  [ -s "secrets/$1" ] || printf '%s\n' "$2" > "secrets/$1"
}

keep postgres_password "$(random 24)"
keep service_password "$(random 24)"
keep database_url "postgresql://service:$(cat secrets/service_password)@postgres:5432/service"
keep svc_secret "$(random 32)"
keep garage_rpc_secret "$(random 32)"
keep s3_access_key_id "GK$(random 12)"
keep s3_secret_access_key "$(random 32)"
keep garage.env "GARAGE_DEFAULT_ACCESS_KEY=$(cat secrets/s3_access_key_id)
GARAGE_DEFAULT_SECRET_KEY=$(cat secrets/s3_secret_access_key)"
keep smtp_url 'smtp://user:password@mail.example.com:587'

# give USER NAME…: lets a user of a container read what its program reads. The rest is read as root.
give() {
  user=$1
  shift
  for name in "$@"; do
    chown "$user:$user" "secrets/$name" 2> /dev/null ||
      echo "secrets/$name must belong to user $user: sudo chown $user ops/container/secrets/$name" >&2
  done
}

give 10001 database_url svc_secret smtp_url s3_access_key_id s3_secret_access_key
# The user postgres of PostgreSQL's image, who runs prepare-database.sh.
give 999 service_password
echo 'The secrets are in ops/container/secrets. Write the address of your mail server into smtp_url.'
