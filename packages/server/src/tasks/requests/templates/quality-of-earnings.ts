import { document, question, task, type Template } from './request-template.ts'

/** What an accountant needs for a report on the quality of earnings. */
export const qualityOfEarnings: Template = {
  template: 'quality_of_earnings',
  title: 'Quality of earnings',
  description:
    'What an accountant needs to find the sustainable earnings, the normal working capital and the debt of a company that is to be sold. The period is the last three fiscal years and the last twelve months.',
  sources: [
    {
      title: 'Data Room Builder: QoE and financial diligence request list',
      url: 'https://www.dataroombuilder.com/templates/qoe-financial-diligence-request-list-template',
    },
    {
      title: 'LegalClarity: What is included in a quality of earnings report?',
      url: 'https://legalclarity.org/what-is-included-in-a-quality-of-earnings-report',
    },
    {
      title: 'HCVT: Quality of earnings analysis services',
      url: 'https://www.hcvt.com/services-quality-of-earnings-analysis-services',
    },
    {
      title: 'LegalClarity: AICPA standards for consulting services',
      url: 'https://legalclarity.org/aicpa-standards-for-consulting-services',
    },
  ],
  sections: [
    {
      section: 'Accounting and reporting',
      requests: [
        document('Chart of accounts, and a list of the accounting policies'),
        document(
          'Annual financial statements of the last three fiscal years',
          'With the report of the auditor or accountant, if there is one.',
        ),
        document(
          'Monthly trial balances for the whole period',
          'With opening and closing balances, in a spreadsheet.',
        ),
        document('General ledger detail for the whole period', 'As an export that can be filtered.'),
        document('Monthly income statements and balance sheets for the whole period'),
        document('Adjusting entries of the accountant or auditor for each year'),
        document('Management reports and key figures that the owners look at each month'),
        question('Are the books kept on the cash or the accrual basis, and has that changed?'),
        question('Which accounts are adjusted only at the end of the year?'),
        question('How does the close of a month work, and who reviews it?'),
      ],
    },
    {
      section: 'Proof of cash',
      requests: [
        document('Statements of all bank accounts for the last 24 months'),
        document('Bank reconciliations for each month of the last 24 months'),
        document('Statements of the card processors and payment services for the last 24 months'),
        task('Compare the receipts and payments of the bank statements with the books, month by month'),
      ],
    },
    {
      section: 'Revenue',
      requests: [
        document('Revenue by customer and month for the whole period'),
        document('Revenue by product, service or location and month for the whole period'),
        document('Revenue that recurs by contract, with the start, term and price of each contract'),
        document('Credit notes, returns, rebates and discounts by month'),
        document('Schedule of deferred revenue and customer deposits by month'),
        document('Contracts with the ten largest customers'),
        document(
          'Schedule of work in progress',
          'Contract value, billed, cost to date, estimate to complete.',
        ),
        document('Changes of prices in the period, with their dates'),
        question('When is revenue recognized for each kind of sale?'),
        question('Which customers came or left in the last 24 months, and what did they buy?'),
        task('Test invoices before and after each year end for the right period'),
      ],
    },
    {
      section: 'Cost of sales and margins',
      requests: [
        document('Gross margin by product, service or customer for the whole period'),
        document('Purchases by supplier and month, with the ten largest suppliers'),
        document('How overhead and labor are allocated to cost of sales'),
        document('Contracts with suppliers that set prices, rebates or minimum quantities'),
        question('Which costs have risen in the last twelve months and are not in prices yet?'),
      ],
    },
    {
      section: 'People',
      requests: [
        document('Payroll registers by employee and pay period for the whole period'),
        document('List of employees with position, hire date, pay and bonus'),
        document('Bonus, commission and severance agreements, with what is accrued'),
        document('Forms 941 of the last eight quarters, and Forms W-3 of the period'),
        document('Pay and benefits of the owners and their relatives', 'With what they do for the company.'),
        question('Which positions are vacant, and which would a buyer have to add?'),
      ],
    },
    {
      section: 'Adjustments of EBITDA',
      requests: [
        document(
          'Management’s schedule of adjustments',
          'Each with its amount by month, account and reason.',
        ),
        document('Invoices and other proof of each adjustment'),
        document(
          'Transactions with owners, relatives and affiliated companies',
          'With what the market price would be.',
        ),
        document('Personal expenses of the owners in the books'),
        document('Professional fees by provider, with what they were for'),
        document('Legal settlements, insurance recoveries, grants and other single events'),
        document('Rent paid to related parties, with the lease and a comparison with the market'),
        question('Which costs would the company have on its own that others bear now?'),
        question('What changed in the last twelve months that is not in them for the whole year?'),
      ],
    },
    {
      section: 'Working capital',
      requests: [
        document('Aging of accounts receivable by month end for the last 24 months'),
        document('Write-offs, and the reserve for doubtful accounts by month'),
        document('Aging of accounts payable by month end for the last 24 months'),
        document('Inventory by item at each quarter end', 'Quantity, cost, date of the last sale, reserve.'),
        document('Prepaid expenses and accrued liabilities by month'),
        question('Is the business seasonal, and when does it need most working capital?'),
        question('Were payments to suppliers delayed, or customers billed early, in the last twelve months?'),
        task(
          'Search for liabilities that were not recorded',
          'Payments and invoices after the last balance sheet.',
        ),
      ],
    },
    {
      section: 'Fixed assets and investments',
      requests: [
        document('Fixed asset register, with additions and disposals of the period'),
        document('Capital expenditure by year, for maintenance and for growth'),
        question('Which repairs or purchases were put off?'),
      ],
    },
    {
      section: 'Debt and similar items',
      requests: [
        document('Schedule of loans, leases and credit lines with balances by month'),
        document('Loan agreements, with calculations of the covenants'),
        document('Deferred compensation, accrued bonuses, unpaid taxes and unused leave'),
        document('Guarantees, warranties, lawsuits and other contingent liabilities'),
      ],
    },
    {
      section: 'Taxes',
      requests: [
        document('Federal and state income tax returns of the last three years, as filed'),
        document('Reconciliation of the books with the tax returns for each year'),
        document('Sales tax returns of the last 24 months, and a list of states where the company sells'),
        document('Letters of tax authorities, and examinations of the last five years'),
      ],
    },
    {
      section: 'Outlook',
      requests: [
        document('Budget of this year, with actual figures to date'),
        document('Forecast for the next two years, with its assumptions'),
        question('How close were the budgets of the last three years to the results?'),
      ],
    },
  ],
}
