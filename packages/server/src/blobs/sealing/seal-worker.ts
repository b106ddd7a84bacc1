import { answerOrders } from '../../threads/answer-orders.ts'
import { sealFiles } from './seal-files.ts'

answerOrders(sealFiles)
