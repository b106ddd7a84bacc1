import { document, question, task, type Template } from './request-template.ts'

/** What a lender asks for when a business is bought with a 7(a) loan. */
export const sba7aLoan: Template = {
  template: 'sba_7a_loan',
  title: 'SBA 7(a) loan file',
  description:
    'What a lender usually asks for when a business is bought with a loan under section 7(a) of the Small Business Act. The lender’s own list and the version of SOP 50 10 in force on the day of the application decide.',
  sources: [
    {
      title: 'U.S. Small Business Administration: SOP 50 10, Lender and Development Company Loan Programs',
      url: 'https://www.sba.gov/document/sop-50-10-lender-development-company-loan-programs',
    },
    {
      title: 'U.S. Small Business Administration: SBA Form 1919, Borrower Information Form',
      url: 'https://www.sba.gov/document/sba-form-1919-borrower-information-form',
    },
    {
      title: 'U.S. Small Business Administration: SBA Form 413, Personal Financial Statement',
      url: 'https://www.sba.gov/document/sba-form-413-personal-financial-statement',
    },
    {
      title: 'Code of Federal Regulations: 13 CFR 120.160, Loan conditions',
      url: 'https://www.law.cornell.edu/cfr/text/13/120.160',
    },
    {
      title: 'Internal Revenue Service: About Form 4506-C, IVES Request for Transcript of Tax Return',
      url: 'https://www.irs.gov/forms-pubs/about-form-4506-c',
    },
    {
      title: 'Whiteford, Taylor & Preston: SBA issues SOP 50 10 8, key changes impacting SBA 7(a) lending',
      url: 'https://www.whitefordlaw.com/news-events/client-alert-sba-issues-sop-50-10-8-key-changes-impacting-sba-7a-lending',
    },
  ],
  sections: [
    {
      section: 'Application forms',
      requests: [
        document(
          'SBA Form 1919 of the applicant business, signed',
          'Borrower Information Form. Each co-borrower completes one of its own.',
        ),
        document(
          'SBA Form 1919 of each owner, officer and manager who has to complete it, signed',
          'Owners of 20 percent or more, officers, directors, managing members, and whoever manages the business from day to day.',
        ),
        document(
          'SBA Form 413 or the lender’s personal financial statement, signed',
          'From each owner of 20 percent or more and each guarantor; with the assets and debts of the spouse where the form asks for them.',
        ),
        document(
          'IRS Form 4506-C of the business whose returns are to be verified, signed',
          'With it the lender orders tax transcripts. The lender may ask for IRS Form 8821 instead.',
        ),
        document(
          'SBA Form 159 for each paid agent',
          'Fee Disclosure and Compensation Agreement: for packagers, brokers and consultants who are paid for help with the loan.',
        ),
        document('Authorization for credit reports, signed by each owner and guarantor'),
      ],
    },
    {
      section: 'Owners and guarantors',
      requests: [
        document('Personal federal income tax returns of the last three years, with all schedules'),
        document('Government-issued photo identification of each owner and guarantor'),
        document(
          'Proof of citizenship or lawful permanent residence of each owner',
          'As the lender needs it to check who may own a borrower under the rules in force.',
        ),
        document('Resume of each owner and key manager', 'Show experience in this or a similar business.'),
        document('Statements of bank and investment accounts for the last two months'),
        document('List of all other businesses in which an owner has an interest, with the share of each'),
        document(
          'Tax returns and financial statements of affiliated businesses',
          'The last three years, and the current year to date.',
        ),
        question(
          'Has an owner ever had a loan or guarantee of the federal government?',
          'Give the agency, the year, the balance, and whether a loss was caused.',
        ),
        question(
          'Has an owner or a business of an owner been in bankruptcy, or party to a lawsuit?',
          'Explain each case, and attach its papers.',
        ),
      ],
    },
    {
      section: 'Applicant business',
      requests: [
        document(
          'Formation documents and agreements of the owners',
          'Articles, bylaws, operating agreement.',
        ),
        document('Certificate of good standing, and registration of the trade name'),
        document('Letter of the IRS that assigns the employer identification number'),
        document(
          'Chart of ownership',
          'Each owner with the percentage, up to the individuals behind entities.',
        ),
        document('Business plan', 'History, market, management, and how the loan will be repaid.'),
        document('Business licenses and permits'),
        document(
          'Franchise or dealer agreement, with its disclosure document',
          'The lender checks the brand in the SBA Franchise Directory.',
        ),
      ],
    },
    {
      section: 'Financial information',
      requests: [
        document(
          'Business federal income tax returns of the last three years',
          'Of the applicant, if it exists already.',
        ),
        document('Year-end income statements and balance sheets of the last three years'),
        document('Interim income statement and balance sheet', 'Not older than 90 days, signed and dated.'),
        document('Aging of accounts receivable and payable, as of the date of the interim balance sheet'),
        document(
          'Schedule of business debts',
          'Creditor, original and present balance, rate, payment, maturity, collateral. SBA Form 2202 or a list of your own with the same facts.',
        ),
        document('Monthly projections for at least one year, with the assumptions in writing'),
        document('Pro forma balance sheet as of the day of the closing'),
        question(
          'Are all payroll, income and sales taxes paid?',
          'Attach agreements on payment by installments.',
        ),
      ],
    },
    {
      section: 'Business to be bought',
      requests: [
        document('Letter of intent or purchase agreement, signed by buyer and seller'),
        document('Business tax returns of the seller for the last three years'),
        document('Income statements and balance sheets of the seller for the last three years'),
        document('Interim income statement and balance sheet of the seller', 'Not older than 90 days.'),
        document('IRS Form 4506-C signed by the seller', 'The lender compares transcripts with the returns.'),
        document('List of the assets in the sale', 'Equipment, inventory, intangible assets, real estate.'),
        document(
          'Business valuation',
          'The lender orders it; from an independent source where SOP 50 10 requires one.',
        ),
        document(
          'Lease of the premises, or a letter of intent for it',
          'Its term with options should last as long as the loan.',
        ),
        question('What does the seller do after the closing, and for how long?'),
        question('Are buyer and seller related, or in business with each other?'),
      ],
    },
    {
      section: 'Use of the loan and equity',
      requests: [
        document(
          'Sources and uses of funds',
          'Price, working capital, closing cost; loan, equity, seller note.',
        ),
        document(
          'Proof of the equity injection',
          'Statements of at least two months of the accounts from which the money comes.',
        ),
        document('Gift letter, with proof of the donor’s ability', 'If part of the equity is a gift.'),
        document(
          'Terms of the seller note, and a standby agreement if it counts as equity',
          'SBA Form 155 is the Standby Creditor’s Agreement.',
        ),
        document('Notes and statements of debts that the loan is to refinance'),
        document('Quotations and contracts for equipment or construction that the loan pays for'),
        question('Why can the business not obtain this credit elsewhere on reasonable terms?'),
      ],
    },
    {
      section: 'Collateral and insurance',
      requests: [
        document('List of business assets offered as collateral, with their cost and present value'),
        document('Deeds, mortgage statements and values of real estate of the owners and guarantors'),
        document('Hazard insurance for all collateral', 'A binder that names the lender.'),
        document('General liability and workers’ compensation insurance'),
        document(
          'Life insurance of the owners on whom the business depends, assigned to the lender',
          'Where the lender requires it. Apply early, since underwriting takes weeks.',
        ),
        document('Flood insurance, if collateral is in a special flood hazard area'),
        document('Environmental questionnaire or report on real estate that is collateral'),
        document('Waiver of the landlord for collateral on leased premises'),
      ],
    },
    {
      section: 'Closing',
      requests: [
        document(
          'Guarantees, signed',
          'Owners of 20 percent or more generally guarantee the loan: SBA Form 148.',
        ),
        document('Resolution of the borrower that authorizes the loan'),
        document('Final purchase agreement, bill of sale and closing statement'),
        task('Pay the equity into escrow, and give the lender the proof before the loan is paid out'),
        task('Search for liens, and have those on the assets in the sale released'),
      ],
    },
  ],
}
