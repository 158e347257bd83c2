/** The arguments or the environment are wrong; the message says which and what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What `--help` prints. */
export const usage = `Buys one thing from a shop that speaks x402 v2, with USDC on Base.

  npm run buy -- URL [options]      in a copy of this press
  node buy.mjs URL [options]        the same program as one file, for Node 20 or newer
  node buy.mjs verify RECEIPT.json KEYS.json [PRODUCT]
                                    checks offline that a shop signed a receipt, and that PRODUCT is what
                                    was bought. From the shop: /api/receipts/ID.json and /.well-known/did.json

  -X METHOD          GET, POST, PUT, PATCH or DELETE; POST when there is a body
  -d JSON | @FILE    JSON body, given here or read from a file
  -o FILE            save the product in this file; without -o, a text goes to standard output
  --max-usd AMOUNT   never let this cost more, over all runs (default: MAX_USD, else 1)
  --key-file FILE    a file with the private key of the wallet that pays
  --sha256 HEX       the SHA-256 that the product must have
  --asset ADDRESS    pay with this six-decimal token instead of USDC; --max-usd counts each one as a dollar
  --timeout SECONDS  how long to keep asking for a product that is paid for (default 300)
  --json             print the report as one JSON object, to standard output
  --help             this text

The key comes from --key-file or FARTHING_PRIVATE_KEY. A sandbox on this machine needs no key:
its own wallet, read from DATA_DIR (default .data), pays with simulated money.

A signed payment is written to XDG_STATE_HOME/farthing/purchases (default ~/.local/state) before it
is sent, and removed when the product is saved. Until then the same command sends the same
signature again, so a lost answer or a killed process never costs a second payment.

What you bought is noted in XDG_STATE_HOME/farthing/bought. If the shop lets owners download again,
the same command later shows the shop the old signature, and nothing new is signed. To get the
version that is sold now, delete the note: if it is the one you own, it costs nothing; if it is a
newer one, it costs its price.

Whoever has a signature can collect the money until the signature expires (after an hour at most),
whatever the shop says. So when the shop declines a payment, the next one is signed with the same
nonce: the token accepts only one of the two. A new nonce is used only when the shop refuses the
old one and everything signed with it has expired; then both payments count. --max-usd covers all
payments ever signed for this request that brought no product, and payments of earlier runs to the
same shop that can still be collected. It does not cover other shops, nor what other commands are
buying at the same moment.

exit status
  0   delivered
  1   refused, or the shop cannot be reached; nothing was signed
  2   no key; nothing was signed
  3   it costs more than --max-usd; nothing was signed by this run
  4   this program cannot pay in the way the shop asks for; nothing was signed
  5   signed, but nothing was delivered: the report says how much is at risk, who can collect it
      and until when; run the same command again
  6   the product could not be saved, or is not the one that --sha256 names: run the same command
      again; with verify: the receipt proves nothing
  64  wrong arguments
  70  a bug in this program
`
