'use strict'
const fs = require('node:fs')

/** The content of a JSON file, or undefined if it is missing or incomplete. */
function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * The fields of Linux's /proc/PID/stat after the program's name (which may contain spaces): [1] is the parent, [19] the
 * start time. Empty if the process does not exist, and on other systems.
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
