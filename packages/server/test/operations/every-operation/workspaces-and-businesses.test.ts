import { testEveryOperation } from '../every-operation.ts'

testEveryOperation('workspaces', 'businesses', 'invitations')
