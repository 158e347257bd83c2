import { z } from 'zod'
import type { ToolAnswer } from '../core/tool-answer.ts'
import { fileNameAs } from '../offers/file-name.ts'
import type { Offer } from '../offers/offer.ts'
import type { Delivered } from './deliver.ts'
import type { Waiting } from './purchases.ts'
import { toSettleResponse } from './wire/payment-response.ts'

/**
 * The largest picture or sound that a message carries, in bytes: base64 adds a third, and clients read messages whole.
 */
export const maxInlineBytes = 4 * 1024 * 1024

/** The largest text that a message carries, in bytes: models read messages whole, and some products are book-length. */
export const maxTextBytes = 32 * 1024
/** How much of the beginning of a longer text is shown, in bytes, so that a model knows what it has. */
const shownBytes = 400

/** Finds the address of a stored purchase by its receipt; undefined when it is not kept any more. */
export type FindPurchase = (receiptId: string, fileName: string) => Promise<Waiting | undefined>

interface ToolOffer {
  offer: Offer
  baseUrl: string
  sellerUrl: string
  findPurchase: FindPurchase
}

/**
 * A delivered product as the result of a tool: text word for word, JSON also parsed, pictures and sounds in base64.
 * A product that is too large for a message is linked: a text as a resource that lasts as long as it is kept, and
 * anything at its HTTP address, where the same payment fetches it.
 */
export async function makeToolProduct(
  delivered: Delivered,
  { offer, baseUrl, sellerUrl, findPurchase }: ToolOffer,
): Promise<ToolAnswer> {
  const { body, settled, receipt, signed, headers, isOwned } = delivered
  const mimeType = typeOf(delivered)
  const fileName = fileNameAs(offer, mimeType)
  const url = sellerUrl + offer.path
  const isLongText = !isMedia(mimeType) && body.byteLength > maxTextBytes
  const waiting = receipt && isLongText ? await findPurchase(receipt.id, fileName) : undefined
  const answer = waiting ? toLink(delivered, { ...offer, fileName }, waiting, url) : toContent(delivered, offer, url)
  const receiptUrl = receipt && `${baseUrl}/api/receipts/${receipt.id}.json`
  if (receiptUrl !== undefined)
    answer.content.push({
      type: 'resource_link',
      uri: receiptUrl,
      name: 'receipt',
      description: 'Proof of this purchase',
      mimeType: 'application/json',
    })
  return {
    ...answer,
    _meta: {
      'x402/payment-response': toSettleResponse(settled, signed),
      ...(receipt && { receipt: { id: receipt.id, url: receiptUrl } }),
      ...(isOwned && { charged: false }),
      product: { mimeType, bytes: body.byteLength, fileName, headers },
    },
  }
}

/** The delivered media type without parameters. The input may have chosen another one than the offer's usual. */
const typeOf = ({ mimeType }: Delivered): string => (mimeType.split(';', 1)[0] ?? '').trim()

const isMedia = (mimeType: string): boolean => /^(image|audio)\//.test(mimeType)

const toText = (body: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)

function toLink(delivered: Delivered, { fileName, method }: Offer, { uri, until }: Waiting, url: string): ToolAnswer {
  const { body } = delivered
  const again = `${method} ${url} with the same input and this payment, in base64, as PAYMENT-SIGNATURE fetches it too`
  const how = `Ready and paid for: ${fileName}, ${body.byteLength} bytes, which is long to read. The resource ${uri} is the whole of it, until ${until.toISOString()} and as often as you like; ${again}. It begins:`
  return {
    content: [
      { type: 'text', text: `${how}\n\n${toText(body.subarray(0, shownBytes)).replace(/\ufffd+$/, '')}` },
      {
        type: 'resource_link',
        uri,
        name: fileName,
        description: 'What you bought, whole',
        mimeType: typeOf(delivered),
        size: body.byteLength,
      },
    ],
  }
}

function toContent(delivered: Delivered, { fileName, method }: Offer, url: string): ToolAnswer {
  const { body, headers } = delivered
  const mimeType = typeOf(delivered)
  const kind = /^(image|audio)\//.exec(mimeType)?.[1]
  if (kind !== 'image' && kind !== 'audio') {
    const text = toText(body)
    if (mimeType !== 'application/json') return { content: [{ type: 'text', text }] }
    return {
      content: [{ type: 'text', text }],
      structuredContent: z.record(z.string(), z.unknown()).parse(JSON.parse(text)),
    }
  }
  if (body.byteLength <= maxInlineBytes)
    return { content: [{ type: kind, data: Buffer.from(body).toString('base64'), mimeType }, ...describe(headers)] }
  const how = `It is ready and paid for, and too large for this message (${body.byteLength} bytes). Send ${method} ${url} with the same input and this payment, in base64, as PAYMENT-SIGNATURE; nothing is charged again`
  return {
    content: [
      { type: 'text', text: how },
      { type: 'resource_link', uri: url, name: fileName, description: how, mimeType, size: body.byteLength },
    ],
  }
}

/** The product's HTTP headers as text, because a model does not see headers. */
function describe(headers: Readonly<Record<string, string>>): ToolAnswer['content'] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return lines.length === 0 ? [] : [{ type: 'text', text: lines.join('\n') }]
}
