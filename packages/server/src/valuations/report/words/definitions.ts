/** What a reader of a report is told about the terms that the valuation is based on. */

/**
 * The standards of value. Sources: Rev. Rul. 59-60, 1959-1 C.B. 237, sec. 2.02 (fair market value); International
 * Valuation Standards, IVS 102 Bases of Value (market, equitable, investment and liquidation value).
 */
export const standardDefinitions: Readonly<Record<string, string>> = {
  fair_market_value:
    'Fair market value: the price between a willing buyer and a willing seller, neither of whom is compelled to act, and both of whom know the relevant facts (Rev. Rul. 59-60, sec. 2.02).',
  market_value:
    'Market value: the estimated amount of an exchange on the valuation date between a willing buyer and a willing seller at arm’s length, after proper marketing, each acting with knowledge and without compulsion (IVS 102).',
  fair_value:
    'Fair value: as the law, the agreement or the accounting standard defines it that governs the purpose. The report does not decide which one applies.',
  investment_value:
    'Investment value: the value to one owner or buyer, for their own aims (IVS 102). It need not be what others would pay.',
  equitable_value:
    'Equitable value: the price between two identified parties that reflects the interests of both (IVS 102).',
  liquidation_value:
    'Liquidation value: what is left when the assets are sold one by one or in groups and the costs of the sale are paid (IVS 102).',
}

/** The premises of value. Source: International Valuation Standards, IVS 102 Bases of Value. */
export const premiseDefinitions: Readonly<Record<string, string>> = {
  going_concern: 'Going concern: the business continues to operate.',
  assemblage: 'Assemblage: the assets are in place, but the business does not operate.',
  orderly_liquidation: 'Orderly liquidation: the assets are sold within a reasonable time.',
  forced_liquidation: 'Forced liquidation: the assets are sold at once, as at an auction.',
}

/** The types of engagement. Source: AICPA, Statement on Standards for Valuation Services, VS sec. 100. */
export const engagementDefinitions: Readonly<Record<string, string>> = {
  indicative: 'Indicative: a first estimate from few figures. It is not an engagement under VS sec. 100.',
  calculation:
    'Calculation engagement: the methods and the extent of the work were agreed beforehand. A valuation engagement could have led to another result.',
  analyst: 'Analyst: all approaches that apply were considered, and those that fit were used.',
}

/** How each method computes its value, in one sentence. */
export const methodSentences: Readonly<Record<string, string>> = {
  sde_multiple:
    "Seller's discretionary earnings (SDE) are multiplied by what buyers paid for each unit of such earnings.",
  ebitda_multiple: 'Adjusted EBITDA is multiplied by what buyers paid for each unit of it.',
  revenue_multiple: 'Revenue is multiplied by what buyers paid for each unit of it.',
  guideline_transactions:
    'The prices of comparable sales are divided by a metric of what was sold; their median or mean is applied to the same metric of the subject.',
  capitalized_cash_flow: 'The cash flow of the next year is divided by the discount rate less growth.',
  discounted_cash_flow:
    'The cash flows of the coming years and a terminal value are discounted to the valuation date.',
  adjusted_net_assets:
    'Each asset and each liability is restated at its value; the difference is the value of equity.',
  liquidation:
    'The assets are taken at what a sale brings, less the costs of the sale and the liabilities, discounted for the time that it takes.',
  excess_earnings:
    'A check: net tangible assets, and the earnings above a fair return on them, capitalized (Rev. Rul. 68-609). It has no weight.',
  look_through: 'The share in the value of each holding is added up, down to the last one.',
}
