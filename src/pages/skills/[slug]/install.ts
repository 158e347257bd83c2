import { sha256 as buyerSha256 } from 'virtual:buyer-bundle'
import type { APIRoute, GetStaticPaths } from 'astro'
import { shop } from '../../../config/site-context.ts'
import { keyWithoutPosts } from '../../../content/key-of-post.ts'
import { getSkillOffers } from '../../../content/offers.ts'
import { toInstallScript } from '../../../discovery/install/install-script.ts'
import { prerendered } from '../../../endpoints/served.ts'
import { type Offer, priceOf } from '../../../offers/offer.ts'
import type { Skill } from '../../../offers/skill.ts'

export const getStaticPaths = (async () =>
  (await getSkillOffers()).map((props) => ({
    params: { slug: props.skill.slug },
    props,
    cacheKey: keyWithoutPosts,
  }))) satisfies GetStaticPaths

export const GET: APIRoute<{ skill: Skill; offer: Offer }> = ({ props: { skill, offer } }) => {
  const { slug, title, sha256: skillSha256 } = skill
  const priceMicroUsd = priceOf(offer, {})
  const script = toInstallScript({ slug, title, priceMicroUsd, skillSha256, buyerSha256, shop })
  return prerendered('/skills/{slug}/install', script)
}
