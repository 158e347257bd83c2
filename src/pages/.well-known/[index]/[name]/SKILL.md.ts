import type { APIRoute, GetStaticPaths } from 'astro'
import { makeBuyingSkill } from '../../../../discovery/well-known/buying-skill.ts'
import { shop } from '../../../../site-context.ts'

const skill = makeBuyingSkill(shop.baseUrl)

/** Beside both indexes: the earlier one finds its files by place. */
export const getStaticPaths = (() =>
  ['agent-skills', 'skills'].map((index) => ({ params: { index, name: skill.name } }))) satisfies GetStaticPaths

export const GET: APIRoute = () =>
  new Response(skill.text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } })
