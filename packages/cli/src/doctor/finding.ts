/** What a check found. `wrong` is what keeps commands from working; `warning` is what may. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'wrong'
  message: string
  /** What to do about it. */
  advice: string | null
}

export const ok = (check: string, message: string): Finding => ({
  check,
  status: 'ok',
  message,
  advice: null,
})

export const warning = (check: string, message: string, advice: string): Finding => ({
  check,
  status: 'warning',
  message,
  advice,
})

export const wrong = (check: string, message: string, advice: string): Finding => ({
  check,
  status: 'wrong',
  message,
  advice,
})
