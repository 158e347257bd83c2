const url = { type: 'string', format: 'uri', pattern: '^https?://' }
const time = { type: 'string', format: 'date-time' }
const text = { type: 'string', minLength: 1 }
const authors = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    properties: { name: text, url, avatar: url },
    minProperties: 1,
    additionalProperties: false,
  },
}

/** JSON Feed 1.1, written from jsonfeed.org/version/1.1; it refuses fields that 1.1 does not name. */
export const jsonFeedSchema = {
  type: 'object',
  required: ['version', 'title', 'items'],
  additionalProperties: false,
  properties: {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: text,
    home_page_url: url,
    feed_url: url,
    description: text,
    icon: url,
    favicon: url,
    language: text,
    authors,
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'content_html'],
        additionalProperties: false,
        properties: {
          id: text,
          url,
          title: text,
          summary: text,
          content_html: text,
          image: url,
          date_published: time,
          date_modified: time,
          authors,
          tags: { type: 'array', items: text },
          language: text,
        },
      },
    },
  },
}
