const mark = 'facilitator '

/** The name of the finding about one facilitator where there are several. */
export const toFacilitatorPart = (facilitator: string): string => mark + facilitator

/** The facilitator in the name of a finding; undefined when the finding is about something else. */
export const facilitatorOfPart = (part: string): string | undefined =>
  part.startsWith(mark) ? part.slice(mark.length) : undefined
