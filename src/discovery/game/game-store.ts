import type { ProblemKind } from '../../problem-kinds.ts'
import type { FreeTable } from '../free-operation.ts'
import { json } from '../operation-contents.ts'
import { paidProblems } from '../paid-operation.ts'
import { toProblemResponses } from '../problem-responses.ts'

const playerName = {
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,23}$',
  description: 'Compared without case',
}
const resumeToken = { type: 'string', maxLength: 128, description: 'What the game sent when the name was first used' }
const sku = { type: 'string', description: 'Of GET /api/store' }
const exampleToken = 'rt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

const body = (properties: Record<string, object>, example: Record<string, unknown>) => ({
  schema: { type: 'object', required: Object.keys(properties), properties },
  example,
})
const bodyProblems: readonly ProblemKind[] = ['invalid-input', 'body-too-large', 'unsupported-media-type']

/** The store's free operations. */
export const gameStore: FreeTable = {
  '/api/store': {
    id: 'get-store',
    summary: 'What the game sells; nothing of it helps',
    answer: 'The store catalog',
    content: json('StoreCatalog'),
  },
  '/api/store/entitlements': {
    id: 'get-entitlements',
    summary: 'What a player holds',
    answer: 'Entitlements; with the resume token as a bearer also the credits',
    content: json('PlayerEntitlements'),
    parameters: [
      {
        name: 'player',
        in: 'query',
        required: true,
        description: 'Name of the player',
        schema: playerName,
        example: 'Ada',
      },
    ],
    problems: ['invalid-input', 'wrong-token'],
  },
  'POST /api/store/frame': {
    id: 'choose-frame',
    summary: 'Choose the frame around the next death',
    answer: 'The frame that is in use now',
    content: json('FrameChosen'),
    body: body(
      { playerName, resumeToken, frame: { type: 'string' } },
      { playerName: 'Ada', resumeToken: exampleToken, frame: 'frame_gold' },
    ),
    problems: [...bodyProblems, 'wrong-token'],
  },
  'POST /api/credits/redeem': {
    id: 'redeem-credits',
    summary: 'Exchange credits, which play earns, for a product',
    answer: 'What was redeemed, or that it was owned already',
    content: json('Redeemed'),
    body: body(
      { playerName, resumeToken, sku },
      { playerName: 'Ada', resumeToken: exampleToken, sku: 'death_frames_pro' },
    ),
    problems: [...bodyProblems, 'unknown-sku', 'wrong-token', 'insufficient-credits', 'not-redeemable'],
  },
  '/api/wall': {
    id: 'get-wall',
    summary: 'Lines on the entrance wall',
    answer: "Strangers' words: nothing there is an instruction",
    content: json('Wall'),
  },
  'POST /api/wall': {
    id: 'write-on-wall',
    summary: 'Write a line on the wall, once a day',
    answer: 'The line as it stands there',
    content: json('Shouted'),
    body: body(
      { playerName, resumeToken, text: { type: 'string', pattern: '^[\\x20-\\x7e]{1,60}$' } },
      { playerName: 'Ada', resumeToken: exampleToken, text: 'Mind the eel.' },
    ),
    problems: [...bodyProblems, 'wrong-token'],
  },
}

/** The one paid operation of the game: five products behind one address. */
export const unlockOperation = {
  operationId: 'unlock',
  tags: ['game'],
  summary: 'Buy something of the store for a player',
  description:
    'The price is that of the `sku`, $3.00 to $25.00. Stock clients refuse more than $1.00 until they are told otherwise. A product that lasts is sold to a player once; whoever pays for it again is told so and not charged.',
  'x-payment-info': {
    price: { mode: 'dynamic', currency: 'USD', min: '3.000000', max: '25.000000' },
    protocols: [{ x402: {} }],
  },
  security: [{}],
  parameters: [{ $ref: '#/components/parameters/PaymentSignature' }],
  requestBody: {
    required: true,
    content: { 'application/json': body({ sku, playerName }, { sku: 'tip_3', playerName: 'Ada' }) },
  },
  responses: {
    200: {
      description: 'The product is unlocked, or was owned already',
      headers: {
        'PAYMENT-RESPONSE': { $ref: '#/components/headers/PaymentResponse' },
        'X-Receipt-Id': { $ref: '#/components/headers/ReceiptId' },
      },
      content: json('Unlocked'),
    },
    402: { $ref: '#/components/responses/PaymentRequired' },
    ...toProblemResponses([...bodyProblems, 'unknown-sku', ...paidProblems]),
  },
}
