'use strict'
// How the service's Node keeps its memory small (docs/decisions/0006-memory.md): with the limits it takes by default on a
// large machine, it would rather grow than collect.
module.exports = ['--max-semi-space-size=4', '--max-old-space-size=384']
