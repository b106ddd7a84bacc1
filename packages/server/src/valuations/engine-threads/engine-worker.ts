import { answerOrders } from '../../threads/answer-orders.ts'
import { carryOutOrder } from './engine-order.ts'

answerOrders(carryOutOrder)
