'use strict'
const os = require('node:os')

/** A failure to be told in its one sentence, without a stack. */
class PlainError extends Error {}

/** We were asked by a signal to end before there was a program to hand it to. */
class Interrupted extends Error {
  constructor(signal) {
    super(signal)
    this.signal = signal
  }
}

/** Ends this process as a program ended: with its code, or by the same signal. */
function leaveAs({ code, signal }) {
  process.exitCode = signal ? 128 + (os.constants.signals[signal] || 0) : code
  if (signal) process.kill(process.pid, signal)
}

module.exports = { PlainError, Interrupted, leaveAs }
