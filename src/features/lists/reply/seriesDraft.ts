const start = 'series-';

/** The name of the draft in which the cover letter of a prepared series is written, or the patch at a place of it. */
export function seriesDraftName(id: string, at?: number): string {
	return at === undefined ? `${start}${id}` : `${start}${id}-${at}`;
}

/** The way back; `undefined` for all other mails. */
export function seriesOfDraft(name: string): string | undefined {
	return name.startsWith(start) ? name.slice(start.length).split('-')[0] : undefined;
}
