/** The arguments or the environment are wrong; the message says which and what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What `--help` prints. */
export const usage = `Buys one thing from a shop that speaks x402 v2, with USDC on Base.

  npm run buy -- URL [options]      in a copy of this press
  node buy.mjs URL [options]        the same program as one file, for Node 20 or newer
  node buy.mjs verify RECEIPT.json KEYS.json [PRODUCT]
                                    whether a receipt is the shop's, without asking anybody: the first
                                    is /api/receipts/ID.json, the second /.well-known/did.json of the shop

  -X METHOD          GET, POST, PUT, PATCH or DELETE; POST when there is a body
  -d JSON | @FILE    JSON body, given here or read from a file
  -o FILE            save the product there; a text goes to standard output otherwise
  --max-usd AMOUNT   never let this cost more, over all runs (default: MAX_USD, else 1)
  --key-file FILE    private key of the wallet that pays
  --sha256 HEX       what the product must hash to
  --asset ADDRESS    pay with this six-decimal token instead of USDC; --max-usd counts each one as a dollar
  --timeout SECONDS  how long to ask for what was paid (default 300)
  --json             report to standard output as one JSON object
  --help             this text

The key comes from --key-file or FARTHING_PRIVATE_KEY. A sandbox on this machine needs none:
its own wallet, read from DATA_DIR (default .data), pays with simulated money.

A signed payment is written to XDG_STATE_HOME/farthing/purchases (default ~/.local/state) before it
is sent, and removed when the product is saved. Until then the same command sends the same
signature again, so a lost reply or a killed process never costs a second payment.

What was bought is noted in XDG_STATE_HOME/farthing/bought, and asked for with the signature of
then before anything is signed anew, where the shop lets owners have it again. Remove the note to
ask for what is sold now: an owner of the same pays nothing, and of another edition its price.

Who has a signature can collect it until it ends (an hour at most), whatever the shop says. So a
payment that the shop declines is replaced only by one under the same nonce: of the two, the token
honours one. A new nonce is used only when the shop refuses the old one and all that was signed
under it has ended, and then both count. --max-usd covers everything ever signed for this request
that brought no product, and what earlier runs left at the same shop that can still be collected.
It does not cover what other commands are buying at this moment, nor other shops.

exit status
  0   delivered
  1   refused or out of reach; nothing was signed
  2   no key; nothing was signed
  3   dearer than --max-usd; nothing was signed by this run
  4   the terms cannot be met; nothing was signed
  5   signed, and nothing was delivered: the report says what is at risk, to whom and until when;
      run the same command again
  6   the product was not saved or is not the promised one: run the same command again;
      or the receipt proves nothing
  64  wrong arguments
  70  a bug in this program
`
