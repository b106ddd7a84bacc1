import type { BenchmarkRow } from '@wbs/contract/valuations/benchmark-sets'

type Multiples = Partial<Record<keyof typeof bands, string>>

/** The bands of prices in which Market Pulse reports, in US dollars. */
const bands = {
  to_500k: '0-500000',
  to_1m: '500000-1000000',
  to_2m: '1000000-2000000',
  to_5m: '2000000-5000000',
  to_50m: '5000000-50000000',
} as const

/**
 * Medians of one quarter of Market Pulse, by the price of the deals. The survey does not say how many deals are in a band. Left
 * out are medians of EBITDA below those of SDE in the same band and quarter: SDE is never less than EBITDA of the same business,
 * so they come from few deals, or from an error of who quoted them.
 */
function marketPulse(
  quarter: string,
  as_of: string,
  quoted: string | null,
  { sde = {}, ebitda = {} }: { sde?: Multiples; ebitda?: Multiples },
): BenchmarkRow[] {
  const source = `IBBA and M&A Source, Market Pulse, ${quarter}, median${quoted ? `; quoted by ${quoted}` : ''}`
  const rowsOf = (metric: BenchmarkRow['metric'], multiples: Multiples) =>
    Object.entries(multiples).map(([band, p50]) => ({
      ...allDeals(metric, p50, source, as_of),
      size_band: bands[band as keyof typeof bands],
    }))
  return [...rowsOf('sde', sde), ...rowsOf('ebitda', ebitda)]
}

const allDeals = (
  metric: BenchmarkRow['metric'],
  p50: string,
  source: string,
  as_of: string,
): BenchmarkRow => ({
  naics: null,
  size_band: null,
  metric,
  p25: null,
  p50,
  p75: null,
  n: null,
  source,
  as_of,
})

/** The average of the annual medians of 2022 to 2024 of one NAICS sector: of SDE, and of EBITDA. */
const dealStatsSector = (naics: string | null, sde: string, ebitda: string): BenchmarkRow[] =>
  (['sde', 'ebitda'] as const).map(metric => ({
    ...allDeals(
      metric,
      metric === 'sde' ? sde : ebitda,
      'BVR, DealStats Value Index Q1 2025, average of the annual medians of 2022 to 2024',
      '2024-12-31',
    ),
    naics,
  }))

/** A median of one NAICS sector in 2019. */
const dealStats2019 = (naics: string | null, p50: string): BenchmarkRow => ({
  ...allDeals(
    'ebitda',
    p50,
    'BVR, DealStats Value Index 4Q 2019, median; quoted by bvresources.com',
    '2019-12-31',
  ),
  naics,
})

/** The quartiles of the sales of one industry from 2021 to 2025. */
const bizBuySell = (
  naics: string,
  metric: BenchmarkRow['metric'],
  [p25, p50, p75]: readonly [string, string, string],
): BenchmarkRow => ({
  ...allDeals(
    metric,
    p50,
    'BizBuySell, Business Valuation Benchmarks, quartiles of sales from 2021 to 2025',
    '2025-12-31',
  ),
  naics,
  p25,
  p75,
})

/** An average of all sales of a year. BizBuySell publishes no median of it. */
const bizBuySellYear = (
  metric: BenchmarkRow['metric'],
  p50: string,
  n: number,
  year: string,
  report: string,
): BenchmarkRow => ({
  ...allDeals(metric, p50, `BizBuySell, ${report}, average (not median) of ${year}`, `${year}-12-31`),
  n,
})

/**
 * Single published figures about sales of private businesses in the United States. They belong to their publishers, who
 * publish many more. The medians of Q4 2024 are those of the announcement, rounded by its publisher; its highest band is given
 * as 5 to 7.
 */
export const publishedMultiples: readonly BenchmarkRow[] = [
  ...marketPulse('Q2 2018', '2018-06-30', 'murphybusiness.com', {
    sde: { to_500k: '2.0', to_1m: '2.5', to_2m: '3.3', to_5m: '3.3' },
  }),
  ...marketPulse('Q4 2019', '2019-12-31', 'murphybusiness.com', {
    sde: { to_500k: '2.0', to_1m: '2.8', to_2m: '3.3', to_5m: '3.3' },
    ebitda: { to_5m: '4.3', to_50m: '5.8' },
  }),
  ...marketPulse('Q2 2021', '2021-06-30', 'murphybusiness.com', {
    sde: { to_500k: '2.0', to_1m: '2.5', to_2m: '3.3', to_5m: '4.0', to_50m: '4.25' },
    ebitda: { to_500k: '3.3', to_1m: '4.0', to_2m: '4.0', to_5m: '4.5' },
  }),
  ...marketPulse('Q1 2022', '2022-03-31', 'murphybusiness.com', {
    sde: { to_500k: '2.0', to_1m: '2.8', to_2m: '2.8', to_5m: '3.0', to_50m: '3.3' },
    ebitda: { to_500k: '2.1', to_1m: '2.9', to_2m: '4.0', to_5m: '4.4', to_50m: '6.0' },
  }),
  ...marketPulse('Q3 2023', '2023-09-30', 'murphybusiness.com', {
    sde: { to_500k: '1.8', to_1m: '2.5', to_2m: '3.0', to_5m: '3.0', to_50m: '3.8' },
    ebitda: { to_500k: '1.8', to_1m: '3.0', to_2m: '3.5', to_5m: '4.0', to_50m: '6.5' },
  }),
  ...marketPulse('Q4 2024', '2024-12-31', null, {
    sde: { to_500k: '2.4', to_1m: '2.8' },
    ebitda: { to_2m: '3.0', to_5m: '4.1' },
  }),
  {
    ...allDeals('ebitda', '6.0', 'IBBA and M&A Source, Market Pulse, Q4 2024, median', '2024-12-31'),
    size_band: bands.to_50m,
    p25: '5.0',
    p75: '7.0',
  },
  ...marketPulse('Q1 2025', '2025-03-31', 'murphybusiness.com', {
    sde: { to_1m: '2.8', to_2m: '3.0', to_5m: '3.0', to_50m: '4.3' },
    ebitda: { to_1m: '3.0', to_2m: '3.3', to_5m: '3.5', to_50m: '4.5' },
  }),
  ...marketPulse('Q3 2025', '2025-09-30', 'murphybusiness.com', {
    sde: { to_1m: '2.8', to_2m: '3.3', to_5m: '3.3', to_50m: '4.8' },
    ebitda: { to_1m: '3.5', to_5m: '4.0' },
  }),
  ...marketPulse('Q1 2025 to Q2 2026, the same in each quarter', '2026-06-30', null, {
    sde: { to_500k: '2.0', to_1m: '2.8' },
  }),

  bizBuySellYear('sde', '2.55', 8647, '2021', 'Insight Report Q4 2022'),
  bizBuySellYear('revenue', '0.67', 8647, '2021', 'Insight Report Q4 2022'),
  bizBuySellYear('sde', '2.53', 9054, '2022', 'Insight Report Q4 2022'),
  bizBuySellYear('revenue', '0.65', 9054, '2022', 'Insight Report Q4 2022'),
  bizBuySellYear('sde', '2.61', 9586, '2025', '2025 year in review'),
  bizBuySell('23', 'sde', ['1.81', '2.43', '3.13']),
  bizBuySell('238220', 'sde', ['1.99', '2.58', '3.33']),
  bizBuySell('238220', 'revenue', ['0.38', '0.56', '0.74']),
  bizBuySell('541211', 'sde', ['1.61', '2.04', '2.66']),
  bizBuySell('541213', 'sde', ['1.61', '2.04', '2.66']),
  bizBuySell('561622', 'sde', ['1.56', '1.99', '2.68']),
  bizBuySell('61', 'sde', ['1.56', '2.22', '2.98']),
  bizBuySell('621111', 'sde', ['1.46', '2.05', '2.94']),
  bizBuySell('621210', 'sde', ['1.60', '2.48', '3.37']),
  bizBuySell('621210', 'revenue', ['0.51', '0.70', '0.86']),
  bizBuySell('812210', 'sde', ['3.06', '4.01', '5.06']),

  dealStats2019(null, '4.4'),
  dealStats2019('21', '8.5'),
  dealStats2019('51', '11.1'),
  dealStats2019('72', '2.6'),
  dealStats2019('81', '3.0'),
  allDeals(
    'revenue',
    '0.54',
    'BVR, DealStats Value Index Digest 2Q24, median of net sales over three quarters; quoted by ciiadvisors.com',
    '2024-03-31',
  ),
  ...dealStatsSector(null, '2.2', '3.6'),
  ...dealStatsSector('23', '2.3', '3.5'),
  ...dealStatsSector('31-33', '2.5', '4.2'),
  ...dealStatsSector('42', '2.8', '4.1'),
  ...dealStatsSector('44-45', '2.3', '3.3'),
  ...dealStatsSector('48-49', '2.3', '3.6'),
  ...dealStatsSector('51', '2.7', '6.7'),
  ...dealStatsSector('52', '2.6', '4.8'),
  ...dealStatsSector('53', '2.4', '3.9'),
  ...dealStatsSector('54', '2.3', '3.8'),
  ...dealStatsSector('62', '2.3', '3.5'),
  ...dealStatsSector('72', '1.8', '2.5'),
]
