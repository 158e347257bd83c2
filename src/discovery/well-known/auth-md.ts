import site from '../../../site.config.ts'
import type { Shop } from '../../config/shop.ts'
import { toSections } from '../../core/markdown.ts'

/** `/auth.md`: explains to programs what replaces the registration that other services require. */
export const toAuthMd = ({ baseUrl, gameUrl }: Pick<Shop, 'baseUrl' | 'gameUrl'>): string =>
  `${toSections(
    `# auth.md: who you are to ${site.name}`,
    'Nobody registers here. There are no accounts and no keys for readers and buyers.',
    `## Reading\n\nEvery page, feed and free document answers without a credential. ${baseUrl}/llms.txt lists them.`,
    `## Buying\n\nA signed payment is the credential. A paid address answers 402 with its terms; sign them with an x402 version 2 client and repeat the identical request with \`PAYMENT-SIGNATURE\`. The wallet that signed is the buyer, and the token that the 402 carried fetches the same product again for seven days. A wallet that owns a product shows itself by a fresh signature, which is not charged, or by a signed message (EIP-4361): to a 402 that offers \`sign-in-with-x\`, or to ${baseUrl}/library. ${baseUrl}/agents says how.`,
    `## Playing\n\nA player of ${gameUrl} is a name and the \`resumeToken\` that the game sent when the name was first joined or bought for. Send both to resume, to redeem credits or to write on the wall.`,
    `## Operating\n\nOnly the operator of this site has tools that need a token. A program that calls one of them at ${baseUrl}/api/mcp is told with 401 where to ask (OAuth 2.1: registration of its own, PKCE, a page where the operator agrees). ${baseUrl}/.well-known/oauth-protected-resource is the metadata.`,
  )}\n`
