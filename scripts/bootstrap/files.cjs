'use strict'
const fs = require('node:fs')

/** What a JSON file holds, or undefined where it is missing or half written. */
function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * The fields of Linux's /proc/PID/stat after the program's name (which may hold blanks): [1] is the parent,
 * [19] the time of its start. Empty for a process that does not exist, and elsewhere.
 */
function processFields(pid) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

module.exports = { readJson, processFields }
