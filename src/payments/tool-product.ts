import { z } from 'zod'
import type { ToolAnswer } from '../core/tool-answer.ts'
import type { Offer } from '../offers/offer.ts'
import type { Delivered } from './deliver.ts'
import { toSettleResponse } from './wire/payment-response.ts'

/** Bytes of a picture or a sound that a message carries: base64 makes a third more of them, and clients read it whole. */
export const maxInlineBytes = 4 * 1024 * 1024

interface ToolOffer {
  offer: Offer
  baseUrl: string
  sellerUrl: string
}

/**
 * A delivered product as the result of a tool: text word for word, JSON also parsed, pictures and sounds in base64.
 * One that is too large for a message waits at its HTTP address, where the same payment fetches it.
 */
export function toToolProduct(delivered: Delivered, { offer, baseUrl, sellerUrl }: ToolOffer): ToolAnswer {
  const { body, settled, receipt, signed, headers, isOwned } = delivered
  const { mimeType } = offer
  const answer = toContent(delivered, offer, sellerUrl + offer.path)
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
      product: { mimeType, bytes: body.byteLength, fileName: offer.fileName, headers },
    },
  }
}

function toContent({ body, headers }: Delivered, offer: Offer, url: string): ToolAnswer {
  const { mimeType, fileName, method } = offer
  const kind = /^(image|audio)\//.exec(mimeType)?.[1]
  if (kind !== 'image' && kind !== 'audio') {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
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

/** What the HTTP answer says in headers, for a model that hears and sees only text. */
function describe(headers: Readonly<Record<string, string>>): ToolAnswer['content'] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return lines.length === 0 ? [] : [{ type: 'text', text: lines.join('\n') }]
}
