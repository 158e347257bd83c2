import type { Face } from './faces.ts'

const latin =
  '20-7e,a0-a3,a5,a7-ab,ae-b0,b4,b6-b8,ba-bb,bf-107,10a-113,116-11b,11e-123,2013-2014,2018-201a,201c-201e,2022,2026,20ac,2122'

/**
 * Noto Naskh Arabic and Noto Serif Hebrew, weight 600, not subset, because a title is set in one font only. OFL 1.1.
 */
export const rightToLeftFaces: readonly Face[] = [
  {
    family: 'Noto Naskh Arabic SemiBold',
    file: 'noto-naskh-arabic-600.ttf',
    covers: `${latin},60c,61b,61f,620-63a,640-652,660-66d,670-6d4,6f0-6f9`,
  },
  {
    family: 'Noto Serif Hebrew SemiBold',
    file: 'noto-serif-hebrew-600.ttf',
    covers: `${latin},5b0-5c2,5d0-5ea,5f0-5f4`,
  },
]
