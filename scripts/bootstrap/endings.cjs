'use strict'
const os = require('node:os')

/** A failure that is reported in one sentence, without a stack. */
class PlainError extends Error {}

/** A signal interrupted us before there was a program to pass it to. */
class Interrupted extends Error {
  constructor(signal) {
    super(signal)
    this.signal = signal
  }
}

/** Ends this process as a program ended: with its exit code, or by the same signal. */
function leaveAs({ code, signal }) {
  process.exitCode = signal ? 128 + (os.constants.signals[signal] || 0) : code
  if (signal) process.kill(process.pid, signal)
}

module.exports = { PlainError, Interrupted, leaveAs }
