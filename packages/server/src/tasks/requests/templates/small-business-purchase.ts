import { document, question, task, type Template } from './request-template.ts'

/** What a buyer of a small business in the United States asks the seller for. */
export const smallBusinessPurchase: Template = {
  template: 'small_business_purchase',
  title: 'Purchase of a small business',
  description:
    'What a buyer asks the seller of a small business in the United States for, from the first look at the books to the transfer. It fits a purchase of assets as well as one of shares.',
  sources: [
    {
      title: 'FindLaw: Buying a Business: Due Diligence Checklist',
      url: 'https://www.findlaw.com/smallbusiness/starting-a-business/buying-a-business-due-diligence-checklist.html',
    },
    {
      title: 'U.S. Small Business Administration: Buy an existing business or franchise',
      url: 'https://www.sba.gov/business-guide/plan-your-business/buy-existing-business-or-franchise',
    },
    {
      title: 'BusinessBroker.net: What does due diligence really look like in a small business deal?',
      url: 'https://www.businessbroker.net/blog/good-info-for-new-buyers-and-sellers/what-does-due-diligence-really-look-like-in-a-small-business-deal',
    },
    {
      title: 'Internal Revenue Service: About Form 8594, Asset Acquisition Statement Under Section 1060',
      url: 'https://www.irs.gov/forms-pubs/about-form-8594',
    },
  ],
  sections: [
    {
      section: 'Company and ownership',
      requests: [
        document('Articles of incorporation or organization, with all amendments'),
        document('Bylaws, operating agreement or partnership agreement, as in force'),
        document(
          'Certificate of good standing',
          'From the state of formation, and from each state where the company is registered.',
        ),
        document('List of owners with their shares', 'Include options, warrants and promises of shares.'),
        document('Minutes and written consents of the last three years'),
        document('Trade names that the company uses, with their registrations'),
        question('Who has to agree to the sale?', 'Co-owners, lenders, the landlord, a franchisor, spouses.'),
      ],
    },
    {
      section: 'Financial statements and tax returns',
      requests: [
        document(
          'Income statements and balance sheets of the last three fiscal years',
          'Audited, reviewed or compiled if available; otherwise from the accounting system.',
        ),
        document('Income statement and balance sheet of this year to date, with last year for comparison'),
        document('General ledger of the last three fiscal years', 'As an export that can be filtered.'),
        document(
          'Federal income tax returns of the last three years',
          'As filed, with all schedules: Form 1120, 1120-S or 1065, or Schedule C of Form 1040.',
        ),
        document('State income tax and sales tax returns of the last three years'),
        document('Bank statements of all business accounts for the last 24 months'),
        document('Card processing statements of the last 24 months'),
        document(
          "Calculation of seller's discretionary earnings",
          'Each add-back with its amount, its reason and the account in which it is.',
        ),
        document('Aging of accounts receivable as of the last month end'),
        document('Aging of accounts payable as of the last month end'),
        question('Which income or expenses of the last three years will not occur again?'),
        question(
          'Has a tax authority examined the company in the last five years, or announced that it will?',
        ),
      ],
    },
    {
      section: 'Sales and customers',
      requests: [
        document('Sales by customer for each of the last three years', 'At least the 20 largest customers.'),
        document('Sales by product or service and by month for the last 24 months'),
        document('Contracts with the ten largest customers'),
        document('Price list and discounts as in force'),
        document('Backlog and open quotations as of today'),
        document('Deposits, gift cards and prepaid services that customers have not used yet'),
        question('Which large customers were lost in the last three years, and why?'),
      ],
    },
    {
      section: 'Suppliers and purchasing',
      requests: [
        document('Purchases by supplier for each of the last three years'),
        document('Contracts with suppliers, distributors and franchisors'),
        question('Which supplies come from one source only?'),
      ],
    },
    {
      section: 'Equipment and inventory',
      requests: [
        document('List of equipment, furniture and vehicles with age, condition and location'),
        document('Fixed asset register with depreciation'),
        document('Titles of vehicles and leases of equipment'),
        document('Inventory as of the last count, with cost and age'),
        question('What does the seller use in the business that is not part of the sale?'),
        task('Inspect the equipment, and count a sample of the inventory'),
      ],
    },
    {
      section: 'Premises',
      requests: [
        document('Lease of each location, with all amendments and options'),
        document('Deed, survey and property tax bills of real estate that the company owns'),
        document('Environmental reports', 'Phase I reports, records of storage tanks, notices of agencies.'),
        question('Does the lease allow an assignment, and on which conditions?'),
        task('Ask the landlord for an estoppel certificate and for consent to the assignment'),
      ],
    },
    {
      section: 'People',
      requests: [
        document('List of employees', 'Position, hire date, pay, bonus, accrued leave; full or part time.'),
        document('Agreements with employees', 'Employment, confidentiality, non-solicitation, severance.'),
        document('Agreements with independent contractors, and Forms 1099-NEC of the last two years'),
        document('Forms 941 of the last eight quarters, and Forms W-3 of the last two years'),
        document('Benefit plans', 'Health insurance, retirement plan, paid leave; with what they cost.'),
        document('Employee handbook'),
        question('What does the owner do in the business in a normal week, and who could take it over?'),
        question('Are there complaints, claims or investigations about pay, safety or discrimination?'),
      ],
    },
    {
      section: 'Debts, liens and legal matters',
      requests: [
        document(
          'List of loans, credit lines and leases',
          'Lender, balance, rate, term, security, guarantors.',
        ),
        document('Loan agreements, notes and security agreements'),
        document('Pending, threatened and settled legal proceedings of the last five years'),
        document('Orders, consent decrees and notices of government agencies'),
        task('Search for UCC filings, tax liens and judgments against the company and its owners'),
      ],
    },
    {
      section: 'Licenses and insurance',
      requests: [
        document('Licenses and permits, with their dates of expiry'),
        document('Insurance policies, and claims of the last five years', 'Loss runs of the insurers.'),
        question('Which licenses do not pass to a buyer, and how long does a new one take?'),
      ],
    },
    {
      section: 'Technology and intellectual property',
      requests: [
        document('Trademarks, patents, copyrights and domain names, with who owns them'),
        document('List of software and online accounts', 'Licenses, monthly cost, administrator of each.'),
        question('Has there been a loss or theft of data in the last three years?'),
      ],
    },
    {
      section: 'Sale and transition',
      requests: [
        document('Letter of intent, signed by both parties'),
        document('Draft of the purchase agreement'),
        task(
          'Agree on the allocation of the purchase price',
          'Buyer and seller of the assets of a business each report it to the IRS on Form 8594.',
        ),
        task('Agree on the seller’s covenant not to compete, and on training after the sale'),
        question('Why does the seller sell, and why now?'),
      ],
    },
  ],
}
