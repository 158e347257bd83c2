import { afterEach, describe, expect, it } from 'vitest'
import site from '../../site.config.ts'
import { toSecurityTxt } from '../../src/discovery/well-known/security-txt.ts'
import { toShow } from '../../src/feeds/podcast/show.ts'
import { toGameOpenApi, toOpenApi } from '../../src/openapi/openapi.ts'
import { sampleOffers, sampleShop } from '../support/sample-shop.ts'

const { baseUrl } = sampleShop
const mail = { email: 'press@shop.example' }
const before = site.contact
afterEach(() => {
  Object.assign(site, { contact: before })
})

describe('the publisher’s contact', () => {
  it.each([
    ['press@shop.example', mail, 'mailto:press@shop.example'],
    ['mailto:press@shop.example', mail, 'mailto:press@shop.example'],
    ['https://social.example/@press', { url: 'https://social.example/@press' }, 'https://social.example/@press'],
    ['/@press', { url: `${baseUrl}/@press` }, `${baseUrl}/@press`],
    ['/contact', { url: `${baseUrl}/contact` }, `${baseUrl}/contact`],
    ['', undefined, `${baseUrl}/about`],
  ])('is the same in all documents: %j', (contact, inOpenApi, inSecurityTxt) => {
    Object.assign(site, { contact })
    const documents = [toOpenApi(sampleOffers, sampleShop), toGameOpenApi(sampleShop)]
    const told = documents.map(({ info }) => ('contact' in info ? info.contact : undefined))
    expect(told).toEqual([inOpenApi, inOpenApi])
    expect(toShow(baseUrl, '/artwork.jpg').email).toBe(inOpenApi === mail ? mail.email : '')
    const text = toSecurityTxt({ contact, language: 'en', baseUrl, at: new Date() })
    expect(text.split('\n')[0]).toBe(`Contact: ${inSecurityTxt}`)
  })
})
