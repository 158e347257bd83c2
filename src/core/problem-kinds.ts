export interface KindOfProblem {
  status: number
  title: string
  /** For the page at `/problems/<kind>`: what it means and what the caller does next. */
  advice: string
}

const define = <kind extends string>(kinds: Record<kind, KindOfProblem>): Readonly<Record<kind, KindOfProblem>> => kinds

/** Every kind of error response of the programs. Pages, OpenAPI and tests are derived from this table. */
export const problemKinds = define({
  'invalid-input': {
    status: 400,
    title: 'The request does not match the schema',
    advice:
      'Read `errors`: each names the field by JSON pointer, or the query parameter, and says what it must be. Nothing was charged for this request. A new payment signature stays valid for the corrected request; if it was used before, `charged` and `detail` say what happened.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing here',
    advice: 'Paths are matched exactly. Start from /api/catalog.json, which lists every product and where it is.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'This path does not support this method',
    advice: 'The `Allow` header lists the methods it supports.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is larger than this route reads',
    advice: 'Send a smaller body; the limit is in `detail`. Nothing was charged for this one.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'This route reads uncompressed JSON',
    advice: 'Send `Content-Type: application/json` and no `Content-Encoding`. Nothing was charged for this request.',
  },
  'payment-required': {
    status: 402,
    title: 'Payment is required',
    advice:
      'Decode the `PAYMENT-REQUIRED` header (base64 JSON), sign one of the offered terms with any x402 v2 client and repeat the request with `PAYMENT-SIGNATURE`. A 402 is only ever sent when no money can have moved for this request.',
  },
  blocked: {
    status: 403,
    title: 'This shop does not sell to you',
    advice:
      'The operator has blocked this wallet or this address. Nothing was charged, and nothing will be: do not sign a payment. What you have paid for before is still delivered: send the same request with the same signature.',
  },
  'sign-in-required': {
    status: 401,
    title: 'Only the operator may see this',
    advice:
      'Sign in at /operator/sign-in with the link that `npm run operator -- sign-in` prints on the machine of this site.',
  },
  'foreign-request': {
    status: 403,
    title: 'This did not come from a page of this site',
    advice: 'Open /operator at the public address of the site (`BASE_URL`) and use the form there. Nothing was done.',
  },
  'payment-in-progress': {
    status: 409,
    title: 'This payment is being worked on',
    advice: 'Wait for `Retry-After` seconds and send the identical request with the identical signature.',
  },
  'payment-already-used': {
    status: 402,
    title: 'This payment bought something else',
    advice:
      'A signature buys one request once. Sign a new payment for this request; nothing was charged for it. To fetch an earlier purchase again, repeat exactly that request with exactly that `PAYMENT-SIGNATURE` header within seven days.',
  },
  'wallet-proof-required': {
    status: 403,
    title: 'This was paid for; show that you are the wallet that paid',
    advice:
      'The payment was charged, and since then anybody can read its signature on the chain. Within ten minutes, ask for the price again and send the identical request with a fresh signature of the same wallet: it proves the wallet, the purchase is delivered, and the fresh signature is not charged. Later it would be a new payment, unless you send the old one again first. Clients that echo the extensions of the 402 never get this error: the redelivery token in them is proof enough.',
  },
  'payment-unmatched': {
    status: 409,
    title: 'This payment was charged, and does not cover this request',
    advice:
      'The chain shows that it paid this shop, but the ledger does not know what for, because it was restored from a backup or never recorded the payment. The amount is less than this request costs. Send the request that it was signed for, or ask the operator with the transaction.',
  },
  'already-delivered': {
    status: 410,
    title: 'This payment was charged and its product delivered',
    advice:
      'A product is delivered again for seven days to whoever sends the same request with the redelivery token of its 402, which clients that echo the extensions of the 402 do automatically. This request proves no more than anybody can read on the chain, or came later than that. For a skill, the bundle or the export, a fresh signature of the wallet that paid fetches the same bytes uncharged at any time; anything else has to be bought again: request its price and sign.',
  },
  'settlement-unknown': {
    status: 503,
    title: 'Whether the payment settled is not known yet',
    advice:
      'Send the identical request with the identical `PAYMENT-SIGNATURE` again after `Retry-After` seconds. Do not sign a new payment: one authorization moves money at most once, and what you bought is already stored for you.',
  },
  'facilitator-unavailable': {
    status: 503,
    title: 'The payment could not be checked',
    advice:
      'Nothing was charged. Send the identical request with the identical signature after `Retry-After` seconds. If `charged` is true, you have paid before, and the identical request fetches what you paid for.',
  },
  'work-failed': {
    status: 502,
    title: 'The product could not be made',
    advice:
      'Nothing was charged and the signature is unspent: send the identical request again, or give up for free. If `charged` is true, you have paid before, and the identical request fetches what you paid for.',
  },
  busy: {
    status: 503,
    title: 'Too busy to start this now',
    advice: 'Nothing was charged. Send the identical request with the identical signature after `Retry-After` seconds.',
  },
  'not-available-yet': {
    status: 503,
    title: 'This product is declared but not delivered yet',
    advice: 'Nothing was charged and the signature is unspent. The product will answer here once it is finished.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    advice: 'Wait for `Retry-After` seconds. Nothing was charged.',
  },
  'unknown-sku': {
    status: 404,
    title: 'The store has no such product',
    advice: 'GET /api/store on the game host lists every sku.',
  },
  'wrong-token': {
    status: 401,
    title: 'The resume token does not belong to this player',
    advice: 'Use the token the game sent when the name was first joined or bought for.',
  },
  'wallet-sign-in-required': {
    status: 401,
    title: 'Sign in to see these purchases',
    advice:
      'POST your address to /api/library/message, sign the message unchanged with the wallet that paid (personal_sign, EIP-4361), and send it: as JSON with its signature to /api/library/sign-in, or as a SIGN-IN-WITH-X header. A message opens one request or one session, for ten minutes. It costs nothing and moves no money.',
  },
  'insufficient-credits': {
    status: 409,
    title: 'Not enough credits',
    advice: '`detail` says how many are needed and how many there are. Nothing was taken.',
  },
  'not-redeemable': {
    status: 400,
    title: 'This product is not sold for credits',
    advice: 'Products with a `creditPrice` can be redeemed; the others are bought with USDC.',
  },
  'internal-error': {
    status: 500,
    title: 'Something broke on our side',
    advice:
      'The operator can find the cause in the log by `instance`. If the request carried a payment, send the identical request with the identical signature again: one authorization moves money at most once.',
  },
})

export type ProblemKind = keyof typeof problemKinds
