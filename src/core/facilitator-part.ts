const mark = 'facilitator '

/** The name of what was found of one of several facilitators. */
export const toFacilitatorPart = (facilitator: string): string => mark + facilitator

/** The facilitator that a finding of this name is about; undefined when it is about something else. */
export const facilitatorOfPart = (part: string): string | undefined =>
  part.startsWith(mark) ? part.slice(mark.length) : undefined
