import { z } from 'zod'
import { usd } from '../../src/core/money.ts'
import { boundedText } from '../../src/offers/bounded-text.ts'
import { defineOffer } from '../../src/offers/offer.ts'

/** What an image is made for. */
const ImageRequest = z.strictObject({
  title: boundedText(),
  excerpt: z.string().optional(),
  style: z.enum(['editorial-minimal', 'photographic', 'illustration']).default('editorial-minimal'),
  aspectRatio: z.enum(['16:9', '1:1', '4:3']).default('16:9'),
  seed: z.int().min(0).max(999_999).optional().describe('Draws that image again'),
})

/** A cover image for a title. */
export default defineOffer({
  slug: 'image-generate',
  tool: 'make_cover_image',
  lane: 'hostedApi',
  position: 1,
  title: 'Make a cover image',
  excerpt: 'Turns a title into a cover image, and reviews it before you are charged.',
  method: 'POST',
  path: '/api/x402/media/image/generate',
  mimeType: 'image/jpeg',
  price: usd('0.05'),
  input: ImageRequest,
  example: {
    title: 'The smallest honest shop',
    excerpt: 'What one person needs to sell a ten-cent file, and what can be left out.',
    style: 'editorial-minimal',
    aspectRatio: '16:9',
  },
  workSeconds: 180,
  // Two images are drawn at a time; the others wait for a few seconds, which is far less than `workSeconds`.
  concurrency: 8,
  delivers: [
    'One JPEG of print quality in the aspect ratio you asked for, as the body of the answer, without metadata.',
    'An image made for your title, in the style you chose. An editorial-minimal print by the embedded engine has the title set into it, a long one smaller or cut, unless it lacks one of its letters; nothing else carries lettering.',
    'A motif that your title or excerpt names, of more than eighty; each order is another picture, and where the answer has X-Image-Seed that `seed` draws it again.',
    'What is to be seen, in words: X-Image-Alt, percent-encoded UTF-8. Who made it: X-Media-Engine.',
    'A review before payment: an image that is blank, blurred, broken or of the wrong shape is made anew once, and not charged when that fails too.',
  ],
  headers: {
    'X-Media-Engine': 'Who made it: embedded, or a provider',
    'X-Image-Alt': 'What is to be seen, percent-encoded UTF-8',
    'X-Image-Seed': 'The `seed` that draws it again; absent where who made it heeds none',
  },
  fileName: 'image.jpg',
  sample:
    'HTTP/1.1 200 OK\nContent-Type: image/jpeg\nX-Media-Engine: embedded\nX-Image-Alt: A%20small%20shop%20in%20flat%20colour…\nX-Image-Seed: 271828\nX-Receipt-Id: r_…\n\n(the image)',
})
