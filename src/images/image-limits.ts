/** Timeout of one request to a provider. Models of 2026 take up to two minutes; the buyer's work ends after three. */
export const deadlineMs = 175_000

/** Larger than any provider's JPEG or PNG of two megapixels. */
export const maxPictureBytes = 16_000_000
